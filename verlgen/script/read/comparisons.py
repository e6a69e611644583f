"""Comparing texts that may hold symbols, and integers as `test` reads them."""

from __future__ import annotations

import re

from verlgen.script.read.doubt import Unknown
from verlgen.script.read.matching import Subject, whole
from verlgen.script.read.nodes import Opaque, PlainTest, Sequence, never_plain, one
from verlgen.script.read.symbols import has_symbol

_INTEGER = re.compile(r"[ \t\n\r\v\f]*([+-]?[0-9]+)[ \t]*")


def is_empty(text: str, plain: PlainTest) -> bool:
    """Tell whether a text is empty.

    Raises:
        Unknown: It is nothing but symbols that may be empty.
    """
    if not text:
        return True
    if any(not has_symbol(character) or plain(character) for character in text):
        return False
    raise Unknown("whether a text is empty hangs on a part that is not known")


def same_text(left: str, right: str, plain: PlainTest = never_plain) -> bool:
    """Tell whether two texts are equal.

    Raises:
        Unknown: It hangs on a symbol.
    """
    if left == right:
        return True
    if not has_symbol(left) and not has_symbol(right):
        return False
    head = _common(left, right)
    left, right = left[head:], right[head:]
    tail = _common(left[::-1], right[::-1])
    left, right = left[: len(left) - tail], right[: len(right) - tail]
    if has_symbol(left):
        left, right = right, left
    if not has_symbol(left):
        return whole(Sequence(tuple(one(character) for character in left)), Subject(right, plain))
    if _differ(left[:1], right[:1]) or _differ(left[-1:], right[-1:]):
        return False
    nodes = tuple(Opaque(c) if has_symbol(c) else one(c) for c in left)
    return whole(Sequence(nodes), Subject(right, plain))


def _common(left: str, right: str) -> int:
    count = 0
    while count < min(len(left), len(right)) and left[count] == right[count]:
        count += 1
    return count


def _differ(left: str, right: str) -> bool:
    return bool(left and right) and not has_symbol(left + right) and left != right


def in_order(left: str, right: str) -> int:
    """Return how two texts compare: negative, 0 or positive.

    The environment is taken to be clean, so that texts are ordered by their bytes.

    Raises:
        Unknown: It hangs on a symbol.
    """
    if has_symbol(left) or has_symbol(right):
        head = _common(left, right)
        first, second = left[head : head + 1], right[head : head + 1]
        if left == right:
            return 0
        if not _differ(first, second):
            raise Unknown("the order of two texts hangs on a part that is not known")
    first_bytes, second_bytes = (text.encode("utf-8", "surrogatepass") for text in (left, right))
    return (first_bytes > second_bytes) - (first_bytes < second_bytes)


def integer(text: str) -> int:
    """Return the value of an integer as `test` reads it.

    Raises:
        Unknown: It has a symbol.
        ValueError: It is no integer, or too large.
    """
    if has_symbol(text):
        raise Unknown("a number is not known")
    found = _INTEGER.fullmatch(text)
    if found is None or len(found[1]) > 100 or not -(1 << 63) <= int(found[1]) < 1 << 63:
        raise ValueError(text)
    return int(found[1])
