"""Brace expansion: `a{b,c}d` and `{1..3}`, before anything else is expanded."""

from __future__ import annotations

import re
from itertools import pairwise

from verlgen.script.read.syntax import Literal, Part, Word

MOST = 100_000
"""More words than this no script means; the word then stays as it is."""

_NUMBERS = re.compile(r"(-?\d+)\.\.(-?\d+)(?:\.\.(-?\d+))?")
_LETTERS = re.compile(r"([A-Za-z])\.\.([A-Za-z])(?:\.\.(-?\d+))?")

_Item = tuple[str, int] | Part
"""A character of unquoted text with its offset, or a part that is opaque here."""


class TooManyWords(Exception):
    """A brace expansion makes more words than `MOST`."""


def expand_braces(word: Word) -> list[Word]:
    """Return the words that brace expansion makes, the word itself where it has none.

    Raises:
        TooManyWords: There would be more than `MOST`.
    """
    if not any(isinstance(part, Literal) and "{" in part.text for part in word.parts):
        return [word]
    items: list[_Item] = []
    for part in word.parts:
        if isinstance(part, Literal):
            items += [(char, part.start + i) for i, char in enumerate(part.text)]
        else:
            items.append(part)
    made = _expand(items)
    if len(made) == 1 and len(made[0]) == len(items):
        return [word]
    return [Word(word.start, word.end, _parts(one)) for one in made]


def _expand(items: list[_Item]) -> list[list[_Item]]:
    at = 0
    while at < len(items):
        if _is(items[at], "{"):
            found = _group(items, at)
            if found is not None:
                end, choices = found
                tails = _expand(items[end:])
                heads = [choice for part in choices for choice in _expand(part)]
                if len(heads) * len(tails) > MOST:
                    raise TooManyWords
                return [items[:at] + head + tail for head in heads for tail in tails]
        at += 1
    return [items]


def _group(items: list[_Item], at: int) -> tuple[int, list[list[_Item]]] | None:
    """Return the end of the group that opens at `at` and its choices; None if it is none."""
    depth = 0
    commas: list[int] = []
    for position in range(at, len(items)):
        item = items[position]
        if _is(item, "{"):
            depth += 1
        elif _is(item, "}"):
            depth -= 1
            if depth == 0:
                if commas:
                    edges = [at, *commas, position]
                    return position + 1, [items[a + 1 : b] for a, b in pairwise(edges)]
                steps = _sequence(items[at + 1 : position])
                if steps is not None:
                    return position + 1, steps
                return None
        elif depth == 1 and _is(item, ","):
            commas.append(position)
    return None


def _sequence(items: list[_Item]) -> list[list[_Item]] | None:
    if not items or not all(isinstance(item, tuple) for item in items):
        return None
    text = "".join(item[0] for item in items if isinstance(item, tuple))
    first = items[0]
    offset = first[1] if isinstance(first, tuple) else 0
    numbers = _NUMBERS.fullmatch(text)
    if numbers:
        width = (
            max(len(n) for n in numbers.groups()[:2] if n.lstrip("-").startswith("0"))
            if any(
                len(n.lstrip("-")) > 1 and n.lstrip("-").startswith("0")
                for n in numbers.groups()[:2]
            )
            else 0
        )
        values = [f"{n:0{width}d}" for n in _range(int(numbers[1]), int(numbers[2]), numbers[3])]
    else:
        letters = _LETTERS.fullmatch(text)
        if not letters:
            return None
        values = [chr(n) for n in _range(ord(letters[1]), ord(letters[2]), letters[3])]
    return [[(char, offset) for char in value] for value in values]


def _range(first: int, last: int, step: str | None) -> range:
    by = abs(int(step)) if step else 1
    by = by or 1
    if abs(last - first) // by > MOST:
        raise TooManyWords
    return range(first, last + 1, by) if first <= last else range(first, last - 1, -by)


def _is(item: _Item, char: str) -> bool:
    return isinstance(item, tuple) and item[0] == char


def _parts(items: list[_Item]) -> list[Part]:
    parts: list[Part] = []
    run: list[tuple[str, int]] = []

    def flush() -> None:
        if run:
            text = "".join(char for char, _ in run)
            parts.append(Literal(run[0][1], run[0][1] + len(text), text))
            run.clear()

    for item in items:
        if isinstance(item, tuple):
            if run and item[1] != run[-1][1] + 1:
                flush()
            run.append(item)
        else:
            flush()
            parts.append(item)
    flush()
    return parts
