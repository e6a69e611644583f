"""What shell patterns and regular expressions are parsed into: a few kinds of nodes."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import NamedTuple, Union

from verlgen.script.read.symbols import has_symbol

PlainTest = Callable[[str], bool]
"""Tells whether all symbols of a text are plain: `Symbols.is_plain`."""

NOT_PLAIN = frozenset(" \t\n\r\v\f'\"`\\*?[]=")
"""Characters that are not in what a plain symbol stands for."""


def never_plain(text: str) -> bool:
    """Tell whether a text has no symbols at all: the test where nothing is known of them."""
    return not has_symbol(text)


class Chars(NamedTuple):
    """One character of a set, or any but those.

    Attributes:
        singles: Characters of the set.
        ranges: First and last characters of ranges.
        tests: Names of character classes (keys of CLASSES).
        negated: Whether the characters outside the set are meant.
    """

    singles: frozenset[str]
    ranges: tuple[tuple[str, str], ...] = ()
    tests: tuple[str, ...] = ()
    negated: bool = False

    def accepts(self, character: str) -> bool:
        """Tell whether the character is meant."""
        inside = (
            character in self.singles
            or any(first <= character <= last for first, last in self.ranges)
            or any(CLASSES[name](character) for name in self.tests)
        )
        return inside != self.negated

    def in_plain(self) -> bool:
        """Tell whether what a plain symbol stands for may have such a character."""
        if self.negated or self.ranges or self.tests:
            return True
        return not self.singles <= NOT_PLAIN


class Opaque(NamedTuple):
    """What a symbol of the pattern stands for, taken literally."""

    character: str


class At(NamedTuple):
    """A place: `^` (first), `$` (last), `b` and `B` (word edge or not), `<` and `>`."""

    place: str


class Sequence(NamedTuple):
    """One node behind the other."""

    nodes: tuple[Node, ...]


class Choice(NamedTuple):
    """Any of the nodes."""

    nodes: tuple[Node, ...]


class Repeat(NamedTuple):
    """A node at least `low` and at most `high` times (None: without bound)."""

    node: Node
    low: int
    high: int | None


class Not(NamedTuple):
    """Any text that the node does not match."""

    node: Node


class Group(NamedTuple):
    """A node whose match is remembered."""

    node: Node
    number: int


Node = Union[Chars, Opaque, At, Sequence, Choice, Repeat, Not, Group]  # noqa: UP007  (read at run time)

ANY = Chars(frozenset(), negated=True)
"""Any character."""
ANYTHING = Repeat(ANY, 0, None)
"""Any text."""


def _is_print(character: str) -> bool:
    return character.isprintable()


CLASSES: dict[str, Callable[[str], bool]] = {
    "alnum": str.isalnum,
    "alpha": str.isalpha,
    "ascii": str.isascii,
    "blank": lambda c: c in " \t",
    "cntrl": lambda c: c < " " or c == "\x7f",
    "digit": lambda c: "0" <= c <= "9",
    "graph": lambda c: c.isprintable() and c != " ",
    "lower": str.islower,
    "print": _is_print,
    "punct": lambda c: c.isprintable() and not c.isalnum() and c != " ",
    "space": lambda c: c in " \t\n\r\v\f",
    "upper": str.isupper,
    "word": lambda c: c.isalnum() or c == "_",
    "xdigit": lambda c: c in "0123456789abcdefABCDEF",
}


@functools.lru_cache(maxsize=512)
def one(character: str) -> Chars:
    """Return the node for a known character."""
    return Chars(frozenset(character))


def has_place(node: Node) -> bool:
    """Tell whether a place (`^`, `$`, …) is part of a node."""
    if isinstance(node, (Sequence, Choice)):
        return any(has_place(inner) for inner in node.nodes)
    return isinstance(node, At) or (isinstance(node, (Repeat, Group)) and has_place(node.node))
