"""`expr`."""

from __future__ import annotations

import re
from collections.abc import Callable

from verlgen.script.read.captures import captures
from verlgen.script.read.doubt import Unknown
from verlgen.script.read.matching import Subject, end_of
from verlgen.script.read.programs.common import be_known
from verlgen.script.read.regexes import parsed

_INTEGER = re.compile(r"-?[0-9]{1,100}")
_LEVELS = (("|",), ("&",), ("<", "<=", "=", "==", "!=", ">=", ">"), ("+", "-"), ("*", "/", "%"))
DEEPEST = 20
_COMPARED: dict[str, Callable[[int], bool]] = {
    "<": lambda order: order < 0,
    "<=": lambda order: order <= 0,
    "=": lambda order: order == 0,
    "==": lambda order: order == 0,
    "!=": lambda order: order != 0,
    ">=": lambda order: order >= 0,
    ">": lambda order: order > 0,
}


def expr(arguments: list[str], stdin: str) -> tuple[str, int]:
    """Return the value of an expression given as words."""
    del stdin
    be_known("expr", *arguments)
    words = arguments[1:] if arguments[:1] == ["--"] else arguments
    if not words or words[0].startswith("--"):
        raise Unknown("expr is used in a way that is not read")
    value = _Expression(words).value()
    return f"{value}\n", 1 if _is_null(value) else 0


def _is_null(value: str) -> bool:
    return not value or re.fullmatch(r"-?0+", value) is not None


class _Expression:
    """Recursive descent over words."""

    def __init__(self, words: list[str]) -> None:
        self._words = words
        self._position = 0
        self._depth = 0

    def value(self) -> str:
        value = self._level(0)
        if self._position < len(self._words):
            raise self._odd()
        return value

    def _odd(self) -> Unknown:
        return Unknown("expr complains about its words")

    def _peek(self) -> str | None:
        return self._words[self._position] if self._position < len(self._words) else None

    def _take(self) -> str:
        word = self._peek()
        if word is None:
            raise self._odd()
        self._position += 1
        return word

    def _level(self, level: int) -> str:
        if level == len(_LEVELS):
            return self._match()
        left = self._level(level + 1)
        while (operator := self._peek()) in _LEVELS[level] and operator is not None:
            self._position += 1
            left = self._joined(operator, left, self._level(level + 1))
        return left

    def _joined(self, operator: str, left: str, right: str) -> str:
        if operator == "|":
            return left if not _is_null(left) else right if not _is_null(right) else "0"
        if operator == "&":
            return left if not _is_null(left) and not _is_null(right) else "0"
        numbers = _INTEGER.fullmatch(left) and _INTEGER.fullmatch(right)
        if operator in _COMPARED:
            return str(int(_COMPARED[operator](_order(left, right, bool(numbers)))))
        if not numbers:
            raise self._odd()
        return str(self._calculated(operator, int(left), int(right)))

    def _calculated(self, operator: str, left: int, right: int) -> int:
        if operator in "+-":
            return left + right if operator == "+" else left - right
        if operator == "*":
            if max(abs(left), abs(right)) > 10**100:
                raise Unknown("expr works on very large numbers")
            return left * right
        if right == 0:
            raise Unknown("expr divides by zero")
        quotient = abs(left) // abs(right)
        quotient = -quotient if (left < 0) != (right < 0) else quotient
        return quotient if operator == "/" else left - quotient * right

    def _match(self) -> str:
        value = self._operand()
        while self._peek() == ":":
            self._position += 1
            value = _matched(value, self._operand())
        return value

    def _operand(self) -> str:
        word = self._take()
        self._depth += 1
        if self._depth > DEEPEST:
            raise Unknown("expr has an expression that is nested too deeply")
        if word == "(":
            value = self._level(0)
            if self._take() != ")":
                raise self._odd()
        elif word == ")":
            raise self._odd()
        elif word == "+":
            value = self._take()
        elif word == "length":
            value = str(len(_ascii(self._operand())))
        elif word == "match":
            value = _matched(self._operand(), self._operand())
        elif word == "index":
            text, letters = _ascii(self._operand()), _ascii(self._operand())
            places = [place for place, letter in enumerate(text, 1) if letter in letters]
            value = str(places[0] if places else 0)
        elif word == "substr":
            value = _part(*(self._operand() for _ in range(3)))
        else:
            value = word
        self._depth -= 1
        return value


def _order(left: str, right: str, numbers: bool) -> int:
    if numbers:
        return (int(left) > int(right)) - (int(left) < int(right))
    first, second = (text.encode("utf-8", "surrogatepass") for text in (left, right))
    return (first > second) - (first < second)


def _ascii(text: str) -> str:
    if not text.isascii():
        raise Unknown("what expr takes for a character hangs on the locale")
    return text


def _part(text: str, start: str, length: str) -> str:
    _ascii(text)
    if not (_INTEGER.fullmatch(start) and _INTEGER.fullmatch(length)):
        return ""
    first, size = int(start), int(length)
    return text[first - 1 : first - 1 + size] if first > 0 and size > 0 else ""


def _matched(text: str, pattern: str) -> str:
    regex = parsed(pattern, extended=False)
    if pattern.startswith("^"):
        raise Unknown("expr has a pattern that begins with ^")
    subject = Subject(_ascii(text))
    end = end_of(regex.node, subject, 0)
    if end is None:
        return "" if regex.groups else "0"
    if not regex.groups:
        return str(end)
    start, stop = captures(regex.node, subject, 0, end).get(1, (0, 0))
    return text[start:stop]
