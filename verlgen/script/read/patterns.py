"""Shell patterns (`*`, `?`, `[…]` and the extended ones) on text, as bash matches them.

A pattern is text in which quoted characters have a backslash before them. A symbol in it that has
none is taken for a pattern that is not known, unless it is plain; one with a backslash stands for
itself. Offsets that are given back are offsets into the text.

All functions raise Unknown where the answer hangs on a symbol, and for patterns that are too long,
nested too deeply or too much work.
"""

from __future__ import annotations

import functools

from verlgen.script.read.brackets import bracket, closing
from verlgen.script.read.doubt import Unknown
from verlgen.script.read.matching import Subject, end_of, whole
from verlgen.script.read.nodes import (
    ANY,
    ANYTHING,
    Choice,
    Node,
    Not,
    Opaque,
    PlainTest,
    Repeat,
    Sequence,
    never_plain,
    one,
)
from verlgen.script.read.symbols import has_symbol

LONGEST_PATTERN = 4_000
DEEPEST = 20
_EXTENDED = "?*+@!"


@functools.lru_cache(maxsize=1024)
def compiled(pattern: str, *, extglob: bool = True) -> Sequence:
    """Return the parsed pattern, for `matching`.

    Args:
        pattern: The pattern.
        extglob: Whether `?(…)`, `*(…)`, `+(…)`, `@(…)` and `!(…)` are patterns.
    """
    if len(pattern) > LONGEST_PATTERN:
        raise Unknown("a pattern is very long")
    parser = _Parser(pattern, extglob)
    return Sequence(tuple(parser.nodes(0)))


def matches(
    pattern: str,
    text: str,
    *,
    extglob: bool = True,
    ignore_case: bool = False,
    plain: PlainTest = never_plain,
) -> bool:
    """Tell whether a pattern matches the whole of a text.

    Args:
        pattern: The pattern.
        text: The text.
        extglob: Whether extended patterns are on (they always are in `[[ ]]`).
        ignore_case: As `shopt -s nocasematch`.
        plain: Tells whether the symbols of a text are plain: `Symbols.is_plain`.
    """
    nodes = _nodes(pattern, extglob, plain)
    if has_symbol(pattern):
        nodes, head = _without_equal_head(nodes, text)
        text = text[head:]
        nodes, tail = _without_equal_tail(nodes, text)
        text = text[: len(text) - tail]
    return whole(Sequence(nodes), Subject(text, plain, ignore_case=ignore_case))


def prefix_length(
    pattern: str,
    text: str,
    longest: bool,
    *,
    extglob: bool = True,
    plain: PlainTest = never_plain,
) -> int | None:
    """Return how much of a text's beginning `${x#pattern}` (`##`: longest) takes off, or None."""
    nodes = _nodes(pattern, extglob, plain)
    head = 0
    if has_symbol(pattern):
        nodes, head = _without_equal_head(nodes, text)
    subject = Subject(text[head:], plain)
    end = end_of(Sequence(nodes), subject, 0, longest=longest)
    return None if end is None else head + subject.offsets[end]


def suffix_start(
    pattern: str,
    text: str,
    longest: bool,
    *,
    extglob: bool = True,
    plain: PlainTest = never_plain,
) -> int | None:
    """Return where the part begins that `${x%pattern}` (`%%`: longest) takes off, or None."""
    nodes = _nodes(pattern, extglob, plain)
    if has_symbol(pattern):
        nodes, tail = _without_equal_tail(nodes, text)
        text = text[: len(text) - tail]
    subject = Subject(text, plain)
    order = range(subject.end + 1) if longest else range(subject.end, -1, -1)
    node = Sequence(nodes)
    last = 1 << subject.end
    for start in order:
        if subject.run(node, 1 << start, True) & last:
            if subject.is_boundary(start) and subject.run(node, 1 << start, False) & last:
                return subject.offsets[start]
            raise Unknown("where a pattern matches hangs on a part that is not known")
    return None


def occurrences(
    pattern: str,
    text: str,
    how: str,
    *,
    extglob: bool = True,
    ignore_case: bool = False,
    plain: PlainTest = never_plain,
) -> list[tuple[int, int]]:
    """Return the parts of a text that `${x/pattern/…}` replaces, as (start, end).

    Args:
        pattern: The pattern.
        text: The text.
        how: `/` (first), `//` (all), `/#` (at the beginning) or `/%` (at the end).
        extglob: Whether extended patterns are on.
        ignore_case: As `shopt -s nocasematch`.
        plain: Tells whether the symbols of a text are plain: `Symbols.is_plain`.
    """
    if _is_miscounted(pattern) or (extglob and _is_odd(pattern, text, how)):
        raise Unknown("bash has a fault with such a pattern")
    if how == "/%":
        start = suffix_start(pattern, text, True, extglob=extglob, plain=plain)
        return [] if start is None else [(start, len(text))]
    if not pattern:
        return [(0, 0)] if how == "/#" else []
    if how == "/#":
        if not text and pattern[0] != "*":
            return []
        length = prefix_length(pattern, text, True, extglob=extglob, plain=plain)
        return [] if length is None else [(0, length)]
    node = Sequence(_nodes(pattern, extglob, plain))
    subject = Subject(text, plain, ignore_case=ignore_case)
    return _scan(node, subject, first_only=how == "/", at_end=pattern[0] == "*")


def _is_miscounted(pattern: str) -> bool:
    r"""Tell whether bash takes a pattern for another one when it looks for shortcuts.

    It counts the length of brackets in another way than it matches them, and takes a final `\*` for
    the end of `*…*`.
    """
    if "[!]" in pattern or "[^]" in pattern:
        return True
    if pattern.startswith("*") and pattern.endswith("\\*"):
        return True
    position = 0
    while position < len(pattern):
        if pattern[position] == "\\":
            position += 1
        elif pattern[position] == "[":
            end = closing(pattern, position)
            if end is None:
                return True
            position = end
        position += 1
    return False


def _may_be_last(subject: Subject, position: int) -> bool:
    """Tell whether there may be no text behind a position."""
    return bool(subject.run(Sequence(()), 1 << position, True) >> subject.end & 1)


def _is_odd(pattern: str, text: str, how: str) -> bool:
    """Tell whether bash falls over its own shortcuts in a substitution.

    It looks first whether `*pattern*` matches at all.
    """
    if pattern.startswith("("):
        return True
    if pattern[:1] not in tuple(_EXTENDED) or pattern[1:2] != "(":
        return False
    if not text and pattern[0] != "?":
        return True
    try:
        compiled(f"*{pattern}" if how == "/%" else pattern)
    except Unknown:
        return True
    return False


def _scan(node: Node, subject: Subject, *, first_only: bool, at_end: bool) -> list[tuple[int, int]]:
    """Find matches from left to right.

    At the end of the text bash tries only a pattern that begins with `*`, and of a text that has
    been gone through it does not look at the end at all.
    """
    found: list[tuple[int, int]] = []
    position = 0
    while position <= subject.end:
        if position == subject.end and not (at_end and (not found or subject.end == 0)):
            break
        end = end_of(node, subject, position, searching=True)
        if end is None:
            position += 1
            continue
        if subject.symbolic and not at_end and _may_be_last(subject, position):
            raise Unknown("where a pattern matches hangs on a part that is not known")
        found.append((subject.offsets[position], subject.offsets[end]))
        if first_only:
            break
        position = max(end, position + 1)
    return found


def has_glob(text: str, *, extglob: bool = False) -> bool:
    """Tell whether text with quoted characters escaped is a pattern for file names."""
    position = 0
    while position < len(text):
        character = text[position]
        if character == "\\":
            position += 1
        elif character in "*?" or (character == "[" and closing(text, position) is not None):
            return True
        elif extglob and character in "+@!" and text[position + 1 : position + 2] == "(":
            return ")" in text[position:]
        position += 1
    return False


def escaped(text: str) -> str:
    """Return a pattern that matches just the text."""
    return "".join(f"\\{c}" if c in "\\*?[]()|!+@-^" or has_symbol(c) else c for c in text)


# --- symbols in patterns ----------------------------------------------------------------------


def _nodes(pattern: str, extglob: bool, plain: PlainTest) -> tuple[Node, ...]:
    if has_symbol(pattern):
        position = 0
        while position < len(pattern):
            if pattern[position] == "\\":
                position += 1
            elif has_symbol(pattern[position]) and not plain(pattern[position]):
                raise Unknown("a pattern is not known")
            position += 1
    return compiled(pattern, extglob=extglob).nodes


def _without_equal_head(nodes: tuple[Node, ...], text: str) -> tuple[tuple[Node, ...], int]:
    """Drop the literal nodes at the beginning that match the text as it is."""
    taken = 0
    while taken < len(nodes) and taken < len(text) and _is_literally(nodes[taken], text[taken]):
        taken += 1
    return nodes[taken:], taken


def _without_equal_tail(nodes: tuple[Node, ...], text: str) -> tuple[tuple[Node, ...], int]:
    """Drop the literal nodes at the end that match the text as it is."""
    rest, taken = _without_equal_head(nodes[::-1], text[::-1])
    return rest[::-1], taken


def _is_literally(node: Node, character: str) -> bool:
    if isinstance(node, Opaque):
        return node.character == character
    return node == one(character)


# --- parsing ----------------------------------------------------------------------------------


class _Parser:
    """Recursive descent over one pattern."""

    def __init__(self, pattern: str, extglob: bool) -> None:
        self._pattern = pattern
        self._extglob = extglob
        self._position = 0

    def nodes(self, depth: int) -> list[Node]:
        """Parse up to the end, or inside parentheses up to `|` or `)`."""
        pattern = self._pattern
        found: list[Node] = []
        behind_star = False
        while self._position < len(pattern):
            character = pattern[self._position]
            if depth and character in "|)":
                break
            if depth and character == "(":
                raise Unknown("a pattern has a parenthesis inside another")
            if (
                self._extglob
                and character in _EXTENDED
                and pattern[self._position + 1 : self._position + 2] == "("
            ):
                found.append(self._extended(character, depth))
                odd = character == "!" or (character != "?" and _may_be_empty(found[-1]))
                if behind_star and odd:
                    raise Unknown("bash has a fault with such a pattern")
                behind_star = behind_star and character == "?"
                continue
            behind_star = character == "*"
            if character == "[":
                found.append(self._bracket(depth))
            else:
                self._position += 1
                found.append(self._simple(character))
        return found

    def _simple(self, character: str) -> Node:
        if character == "*":
            return ANYTHING
        if character == "?":
            return ANY
        if character == "\\" and self._position < len(self._pattern):
            character = self._pattern[self._position]
            self._position += 1
        return Opaque(character) if has_symbol(character) else one(character)

    def _extended(self, kind: str, depth: int) -> Node:
        if depth >= DEEPEST:
            raise Unknown("a pattern is nested too deeply")
        self._position += 2
        choices: list[Node] = []
        while True:
            choices.append(Sequence(tuple(self.nodes(depth + 1))))
            if self._position >= len(self._pattern):
                raise Unknown("a pattern has a parenthesis that is not closed")
            self._position += 1
            if self._pattern[self._position - 1] == ")":
                break
        choice = Choice(tuple(choices))
        if kind == "!":
            return Not(choice)
        if kind == "@":
            return choice
        return Repeat(choice, 1 if kind == "+" else 0, 1 if kind == "?" else None)

    def _bracket(self, depth: int) -> Node:
        end = closing(self._pattern, self._position)
        if end is None:
            if depth:
                raise Unknown("a pattern has a bracket that is not closed")
            self._position += 1
            return one("[")
        inside = self._pattern[self._position + 1 : end]
        if has_symbol(inside):
            raise Unknown("a pattern is not known")
        self._position = end + 1
        return bracket(inside)


def _may_be_empty(node: Node) -> bool:
    return bool(Subject("").run(node, 1, True))
