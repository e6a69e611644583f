"""POSIX regular expressions, basic and extended with GNU's additions, as nodes for `matching`."""

from __future__ import annotations

import functools
import re

from verlgen.script.read.brackets import bracket
from verlgen.script.read.doubt import Unknown
from verlgen.script.read.nodes import (
    ANY,
    At,
    Chars,
    Choice,
    Group,
    Node,
    Opaque,
    Repeat,
    Sequence,
    has_place,
    one,
)
from verlgen.script.read.symbols import has_symbol

LONGEST_REGEX = 2_000
MOST_REPEATS = 100
DEEPEST = 20
_WORD = Chars(frozenset(), tests=("word",))
_ESCAPES: dict[str, Node] = {
    "w": _WORD,
    "W": _WORD._replace(negated=True),
    "s": Chars(frozenset(), tests=("space",)),
    "S": Chars(frozenset(), tests=("space",), negated=True),
    "b": At("b"),
    "B": At("B"),
    "<": At("<"),
    ">": At(">"),
    "`": At("^"),
    "'": At("$"),
}
_INTERVAL = re.compile(r"([0-9]{0,5})(,?)([0-9]{0,5})")


class Regex:
    """A parsed regular expression.

    Attributes:
        node: What it matches.
        groups: How many groups it has.
    """

    def __init__(self, node: Node, groups: int) -> None:
        self.node = node
        self.groups = groups


@functools.lru_cache(maxsize=256)
def parsed(text: str, *, extended: bool) -> Regex:
    """Return a regular expression's nodes.

    Args:
        text: The expression. A symbol in it must be escaped and stands for itself.
        extended: Whether it is an extended one (`grep -E`, `=~`).

    Raises:
        Unknown: It is odd (what GNU leaves open or refuses), too long, or has back-references.
    """
    if len(text) > LONGEST_REGEX:
        raise Unknown("a regular expression is very long")
    parser = _Parser(text, extended)
    node = parser.choice(0)
    if not parser.done():
        raise Unknown(f"a regular expression is odd: {text}")
    return Regex(node, parser.groups)


class _Parser:
    """Recursive descent over one expression."""

    def __init__(self, text: str, extended: bool) -> None:
        self._text = text
        self._extended = extended
        self._position = 0
        self.groups = 0

    def done(self) -> bool:
        return self._position >= len(self._text)

    def _odd(self) -> Unknown:
        return Unknown(f"a regular expression is odd: {self._text}")

    def _special(self) -> str:
        """Return the operator at the position: `(`, `)`, `|`, `{`, `*`, … or an empty text."""
        text, position = self._text, self._position
        character = text[position]
        if self._extended:
            return character if character in "(){|*+?^$.[" else ""
        if character == "\\":
            following = text[position + 1 : position + 2]
            return following if following in tuple("(){|+?") else ""
        return character if character in "*^$.[" else ""

    def _skip_special(self, special: str) -> None:
        self._position += 2 if not self._extended and special in "(){|+?" else 1

    def choice(self, depth: int) -> Node:
        """Parse alternatives up to the end or a closing parenthesis."""
        if depth > DEEPEST:
            raise Unknown("a regular expression is nested too deeply")
        choices = [self._sequence(depth)]
        while not self.done() and self._special() == "|":
            self._skip_special("|")
            choices.append(self._sequence(depth))
        return choices[0] if len(choices) == 1 else Choice(tuple(choices))

    def _sequence(self, depth: int) -> Node:
        nodes: list[Node] = []
        while not self.done():
            special = self._special()
            if special == "|" or (special == ")" and depth):
                break
            if special in ("*", "+", "?", "{"):
                self._quantifier(special, nodes)
            else:
                nodes.append(self._atom(special, nodes, depth))
        return Sequence(tuple(nodes))

    def _quantifier(self, special: str, nodes: list[Node]) -> None:
        first = not nodes or (not self._extended and nodes == [At("^")])
        if first and special == "*" and not self._extended:
            self._position += 1
            nodes.append(one("*"))
            return
        if first or has_place(nodes[-1]):
            raise self._odd()
        self._skip_special(special)
        low, high = 0, None
        if special == "+":
            low = 1
        elif special == "?":
            high = 1
        elif special == "{":
            low, high = self._interval()
        nodes[-1] = Repeat(nodes[-1], low, high)

    def _interval(self) -> tuple[int, int | None]:
        found = _INTERVAL.match(self._text, self._position)
        close = "}" if self._extended else "\\}"
        if found is None or not self._text.startswith(close, found.end()):
            raise self._odd()
        self._position = found.end() + len(close)
        if not found[1] and not found[3]:
            raise self._odd()
        low = int(found[1] or 0)
        high = low if not found[2] else int(found[3]) if found[3] else None
        if low > MOST_REPEATS or (high or 0) > MOST_REPEATS or (high is not None and high < low):
            raise self._odd()
        return low, high

    def _atom(self, special: str, nodes: list[Node], depth: int) -> Node:
        character = self._text[self._position]
        if special == "(":
            return self._group(depth)
        if special == ")":
            raise self._odd()
        if special == "[":
            return self._bracket()
        self._position += 1
        if special == ".":
            return ANY
        if special == "^" and (self._extended or not nodes):
            return At("^")
        if special == "$" and (self._extended or self._at_end()):
            return At("$")
        if character == "\\":
            return self._escape()
        if has_symbol(character):
            raise Unknown("a regular expression is not known")
        return one(character)

    def _at_end(self) -> bool:
        rest = self._text[self._position : self._position + 2]
        return rest in ("", "\\)", "\\|")

    def _escape(self) -> Node:
        if self.done():
            raise self._odd()
        character = self._text[self._position]
        self._position += 1
        if character in _ESCAPES:
            return _ESCAPES[character]
        if character.isalnum() or (character in "{}" and not self._extended):
            raise self._odd()
        return Opaque(character) if has_symbol(character) else one(character)

    def _group(self, depth: int) -> Node:
        self._skip_special("(")
        self.groups += 1
        number = self.groups
        inside = self.choice(depth + 1)
        if self.done() or self._special() != ")":
            raise self._odd()
        self._skip_special(")")
        return Group(inside, number)

    def _bracket(self) -> Node:
        text = self._text
        start = self._position + 1
        position = start + (text[start : start + 1] == "^")
        first = True
        while position < len(text) and (first or text[position] != "]"):
            first = False
            if text[position] == "[" and text[position + 1 : position + 2] in (":", ".", "="):
                close = text.find(text[position + 1] + "]", position + 2)
                if close < 0:
                    raise self._odd()
                position = close + 1
            position += 1
        if position >= len(text):
            raise self._odd()
        self._position = position + 1
        if has_symbol(text[start:position]):
            raise Unknown("a regular expression is not known")
        node = bracket(text[start:position], escapes=False)
        if any(first > last for first, last in node.ranges):
            raise self._odd()
        return node
