"""`bc` on plain sums, with `scale=`, names and comparisons."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from verlgen.script.read.doubt import Unknown
from verlgen.script.read.programs.common import be_known

MOST_DIGITS = 60
LONGEST = 2_000
DEEPEST = 30
_TOKEN = re.compile(
    r"[ \t]*(?:(?P<number>[0-9]+\.?[0-9]*|\.[0-9]+)|(?P<name>[a-z][a-z0-9_]*)"
    r"|(?P<operator>==|!=|<=|>=|[-+*/%^()<>=;\n]))"
)


class _Number(NamedTuple):
    """A decimal number: its digits as an integer, and how many stand behind the point."""

    digits: int
    scale: int

    def at(self, scale: int) -> int:
        """Return the digits with another number of places, cut off."""
        if scale >= self.scale:
            return self.digits * int(10 ** (scale - self.scale))
        return _quotient(self.digits, 10 ** (self.scale - scale))

    def written(self) -> str:
        """Return the number as bc prints it."""
        if self.digits == 0:
            return "0"
        text = str(abs(self.digits)).rjust(self.scale + 1, "0")
        whole, decimals = text[: len(text) - self.scale], text[len(text) - self.scale :]
        sign = "-" if self.digits < 0 else ""
        whole = "" if decimals and whole == "0" else whole
        return sign + (f"{whole}.{decimals}" if decimals else whole)


def _quotient(left: int, right: int) -> int:
    """Divide, cutting towards zero."""
    quotient = abs(left) // abs(right)
    return -quotient if (left < 0) != (right < 0) else quotient


def bc(arguments: list[str], stdin: str) -> tuple[str, int]:
    """Return the values of the input's expressions."""
    be_known("bc", stdin)
    if any(word not in ("-l", "-q", "--mathlib", "--quiet") for word in arguments):
        raise Unknown("bc reads a file, or has an option that is not read")
    if len(stdin) > LONGEST:
        raise Unknown("bc works on a very long text")
    mathlib = "-l" in arguments or "--mathlib" in arguments
    return _Calculator(stdin, 20 if mathlib else 0).printed(), 0


class _Calculator:
    """Recursive descent over the input."""

    def __init__(self, text: str, scale: int) -> None:
        self._tokens = _tokens(text)
        self._position = 0
        self._scale = scale
        self._names: dict[str, _Number] = {}
        self._depth = 0

    def printed(self) -> str:
        """Run all statements."""
        lines: list[str] = []
        while self._position < len(self._tokens):
            if self._peek() in (";", "\n"):
                self._position += 1
                continue
            value = self._statement()
            if value is not None:
                lines.append(f"{value.written()}\n")
            if self._peek() not in ("", ";", "\n"):
                raise Unknown("bc has an expression that is not read")
        if lines and self._tokens[-1][1] != "\n":
            raise Unknown("bc has input that does not end with a newline")
        return "".join(lines)

    def _peek(self, ahead: int = 0) -> str:
        index = self._position + ahead
        return self._tokens[index][1] if index < len(self._tokens) else ""

    def _statement(self) -> _Number | None:
        kind = self._tokens[self._position][0]
        if kind == "name" and self._peek(1) == "=":
            name = self._peek()
            if len(name) > 1 and name != "scale":
                raise Unknown("bc has a name that is not read")
            self._position += 2
            value = self._sum()
            if name == "scale":
                if not 0 <= value.at(0) <= MOST_DIGITS:
                    raise Unknown("bc has a very large scale")
                self._scale = value.at(0)
            else:
                self._names[name] = value
            return None
        left = self._sum()
        operator = self._peek()
        if operator not in ("==", "!=", "<", ">", "<=", ">="):
            return left
        self._position += 1
        right = self._sum()
        places = max(left.scale, right.scale)
        first, second = left.at(places), right.at(places)
        order = (first > second) - (first < second)
        truth = {
            "==": order == 0,
            "!=": order != 0,
            "<": order < 0,
            ">": order > 0,
            "<=": order <= 0,
            ">=": order >= 0,
        }
        return _Number(int(truth[operator]), 0)

    def _sum(self) -> _Number:
        self._depth += 1
        if self._depth > DEEPEST:
            raise Unknown("bc has an expression that is nested too deeply")
        left = self._product()
        while self._peek() in ("+", "-"):
            sign = 1 if self._take() == "+" else -1
            right = self._product()
            places = max(left.scale, right.scale)
            left = _bounded(left.at(places) + sign * right.at(places), places)
        self._depth -= 1
        return left

    def _take(self) -> str:
        self._position += 1
        return self._tokens[self._position - 1][1]

    def _product(self) -> _Number:
        left = self._power()
        while self._peek() in ("*", "/", "%"):
            operator = self._take()
            right = self._power()
            if operator == "*":
                left = self._multiplied(left, right)
            elif right.digits == 0:
                raise Unknown("bc divides by zero")
            elif operator == "/":
                left = self._divided(left, right)
            else:
                left = self._remainder(left, right)
        return left

    def _multiplied(self, left: _Number, right: _Number) -> _Number:
        both = left.scale + right.scale
        places = min(both, max(self._scale, left.scale, right.scale))
        return _bounded(_Number(left.digits * right.digits, both).at(places), places)

    def _divided(self, left: _Number, right: _Number) -> _Number:
        dividend = left.digits * 10 ** (self._scale + right.scale)
        return _bounded(_quotient(dividend, right.digits * 10**left.scale), self._scale)

    def _remainder(self, left: _Number, right: _Number) -> _Number:
        quotient = self._divided(left, right)
        places = max(self._scale + right.scale, left.scale)
        product = _Number(quotient.digits * right.digits, quotient.scale + right.scale)
        return _bounded(left.at(places) - product.at(places), places)

    def _power(self) -> _Number:
        base = self._unary()
        if self._peek() != "^":
            return base
        self._position += 1
        self._depth += 1
        if self._depth > DEEPEST:
            raise Unknown("bc has an expression that is nested too deeply")
        exponent = self._power()
        self._depth -= 1
        if exponent.scale or not 0 <= exponent.digits <= 100:
            raise Unknown("bc has an exponent that is not read")
        both = base.scale * exponent.digits
        places = min(both, max(self._scale, base.scale))
        return _bounded(_Number(base.digits**exponent.digits, both).at(places), places)

    def _unary(self) -> _Number:
        if self._peek() != "-":
            return self._operand()
        self._position += 1
        value = self._operand()
        return value._replace(digits=-value.digits)

    def _operand(self) -> _Number:
        if self._position >= len(self._tokens):
            raise Unknown("bc has an expression that is not read")
        kind, text = self._tokens[self._position]
        self._position += 1
        if kind == "number":
            whole, _, decimals = text.partition(".")
            return _bounded(int(f"0{whole}{decimals}"), len(decimals))
        if text == "(" or (text == "sqrt" and self._peek() == "("):
            self._position += text == "sqrt"
            value = self._sum()
            if self._peek() != ")":
                raise Unknown("bc has an expression that is not read")
            self._position += 1
            return value if text == "(" else self._root(value)
        if kind == "name" and len(text) == 1 and self._peek() != "(":
            return self._names.get(text, _Number(0, 0))
        if text == "scale":
            return _Number(self._scale, 0)
        raise Unknown("bc has an expression that is not read")

    def _root(self, value: _Number) -> _Number:
        if value.digits < 0:
            raise Unknown("bc takes a root of a negative number")
        places = max(self._scale, value.scale)
        return _Number(math.isqrt(value.at(2 * places)), places)


def _bounded(digits: int, scale: int) -> _Number:
    if abs(digits) >= 10**MOST_DIGITS or scale > MOST_DIGITS:
        raise Unknown("bc has a number of very many digits")
    return _Number(digits, scale)


def _tokens(text: str) -> list[tuple[str, str]]:
    if "--" in text:
        raise Unknown("bc has an expression that is not read")
    found: list[tuple[str, str]] = []
    position = 0
    while position < len(text):
        token = _TOKEN.match(text, position)
        if token is None:
            if not text[position:].strip(" \t"):
                break
            raise Unknown("bc has an expression that is not read")
        position = token.end()
        kind = token.lastgroup or ""
        if len(token[kind]) > MOST_DIGITS:
            raise Unknown("bc has a number of very many digits")
        found.append((kind, token[kind]))
    return found
