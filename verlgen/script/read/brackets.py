"""Bracket expressions of shell patterns and regular expressions."""

from __future__ import annotations

from verlgen.script.read.doubt import Unknown
from verlgen.script.read.nodes import CLASSES, Chars


def closing(pattern: str, start: int) -> int | None:
    """Return the offset of the `]` that closes a shell pattern's bracket, or None.

    Args:
        pattern: The pattern.
        start: Offset of the `[`.
    """
    position = start + 1
    if pattern[position : position + 1] in ("!", "^"):
        position += 1
    first = True
    while position < len(pattern):
        character = pattern[position]
        if character == "]" and not first:
            return position
        first = False
        if character == "\\":
            position += 1
        elif character == "[" and pattern[position + 1 : position + 2] in (":", ".", "="):
            close = pattern.find(pattern[position + 1] + "]", position + 2)
            if close >= 0:
                position = close + 1
        position += 1
    return None


def bracket(inside: str, *, escapes: bool = True) -> Chars:
    r"""Return the node for what stands between `[` and `]`.

    Args:
        inside: The text, a leading `!` or `^` included.
        escapes: Whether a backslash takes the meaning of the next character.
    """
    negated = inside[:1] in (("!", "^") if escapes else ("^",))
    position = 1 if negated else 0
    singles: set[str] = set()
    ranges: list[tuple[str, str]] = []
    tests: list[str] = []
    while position < len(inside):
        if inside.startswith("[:", position) and ":]" in inside[position + 2 :]:
            close = inside.index(":]", position + 2)
            name = inside[position + 2 : close]
            if name in CLASSES:
                tests.append(name)
            position = close + 2
            continue
        first, position = _member(inside, position, escapes)
        if inside[position : position + 1] == "-" and position + 1 < len(inside):
            last, position = _member(inside, position + 1, escapes)
            ranges.append((first, last))
        else:
            singles.add(first)
    return Chars(frozenset(singles), tuple(ranges), tuple(tests), negated)


def _member(inside: str, position: int, escapes: bool) -> tuple[str, int]:
    character = inside[position]
    if escapes and character == "\\":
        if position + 1 >= len(inside):
            raise Unknown("a pattern ends in the middle of a bracket")
        return inside[position + 1], position + 2
    if character == "[" and inside[position + 1 : position + 2] in (".", "="):
        kind = inside[position + 1]
        if inside[position + 3 : position + 5] == f"{kind}]":
            return inside[position + 2], position + 5
        raise Unknown("a pattern has a collating symbol")
    return character, position + 1
