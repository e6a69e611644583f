"""bash's integer arithmetic on the text of an expression that has been expanded already."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple, Protocol

from verlgen.script.read.doubt import Unknown
from verlgen.script.read.integers import parse_integer, wrapped
from verlgen.script.read.symbols import has_symbol

LONGEST_EXPRESSION = 10_000
DEEPEST = 64
MOST_STEPS = 50_000
_BLANK = " \t\n"
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NUMBER = re.compile(r"[0-9][0-9A-Za-z_@#]*")
_OPERATORS = (
    *("<<=", ">>="),
    *("==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "**"),
    *("+=", "-=", "*=", "/=", "%=", "&=", "^=", "|="),
)
_SINGLE = frozenset("=<>+-*/%&|^!~?:,()")
_ASSIGNMENTS = frozenset(("=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "^=", "|="))

_LEVELS: dict[str, int] = {
    "||": 1,
    "&&": 2,
    "|": 3,
    "^": 4,
    "&": 5,
    **dict.fromkeys(("==", "!="), 6),
    **dict.fromkeys(("<=", ">=", "<", ">"), 7),
    **dict.fromkeys(("<<", ">>"), 8),
    **dict.fromkeys(("+", "-"), 9),
    **dict.fromkeys(("*", "/", "%"), 10),
    "**": 11,
}

_SIMPLE: dict[str, Callable[[int, int], int]] = {
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "&": lambda a, b: a & b,
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "<=": lambda a, b: int(a <= b),
    ">=": lambda a, b: int(a >= b),
    "<": lambda a, b: int(a < b),
    ">": lambda a, b: int(a > b),
    "<<": lambda a, b: a << (b & 63),
    ">>": lambda a, b: a >> (b & 63),
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
}


class ArithmeticProblem(Exception):
    """bash refuses the expression.

    Args:
        message: What is wrong, in bash's words where it is a common mistake.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Variables(Protocol):
    """What an expression reads and changes."""

    def get(self, name: str, index: str | None) -> str:
        """Return the text of a variable or array element, empty if it is not set.

        Args:
            name: Name of the variable.
            index: A number as text for an indexed array, the key for an associative one, or None.
        """

    def set(self, name: str, index: str | None, value: str) -> None:
        """Give a variable or array element a value."""

    def is_associative(self, name: str) -> bool:
        """Tell whether a variable is an associative array."""


def evaluate(expression: str, variables: Variables) -> int:
    """Return the value of an expression; an empty one is 0.

    Args:
        expression: Text of the expression, as it is after parameter expansion and quote removal.
        variables: The variables it may name.

    Raises:
        ArithmeticProblem: bash refuses it: syntax, division by zero, a number that is none.
        Unknown: A symbol takes part, or it is longer or deeper than reading goes.
    """
    return _Expression(expression, variables, _Effort()).value()


class _Effort:
    """What one evaluation has cost, over all expressions that variables hold."""

    def __init__(self) -> None:
        self.depth = 0
        self.steps = 0

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            raise Unknown("an arithmetic expression is nested too deeply")

    def step(self) -> None:
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise Unknown("an arithmetic expression takes too much work")


class _Token(NamedTuple):
    kind: str
    """`number`, `name`, `end`, or the operator itself."""
    text: str
    subscript: str | None = None
    """What stands in the brackets behind a name."""


class _Variable(NamedTuple):
    name: str
    subscript: str | None


class _Expression:
    """Recursive descent over one expression, evaluating as it goes."""

    def __init__(self, expression: str, variables: Variables, effort: _Effort) -> None:
        if has_symbol(expression):
            raise Unknown("a number is not known")
        if len(expression) > LONGEST_EXPRESSION:
            raise Unknown("an arithmetic expression is very long")
        self._text = expression
        self._variables = variables
        self._effort = effort
        self._position = 0
        self._skipping = 0
        self._last = ""
        self._token = _Token("end", "")

    def value(self) -> int:
        """Evaluate the whole of it."""
        if not self._text.strip(_BLANK):
            return 0
        self._next()
        value = self._comma()
        if self._token.kind != "end":
            raise ArithmeticProblem(f"{self._text}: syntax error in expression")
        return value

    # --- tokens ---

    def _next(self) -> None:
        self._effort.step()
        self._last = self._token.kind
        text = self._text
        while self._position < len(text) and text[self._position] in _BLANK:
            self._position += 1
        start = self._position
        if start >= len(text):
            self._token = _Token("end", "")
            return
        name = _NAME.match(text, start)
        if name:
            self._position = name.end()
            index = self._subscript() if text[name.end() : name.end() + 1] == "[" else None
            self._token = _Token("name", name[0], index)
            return
        number = _NUMBER.match(text, start)
        if number:
            self._position = number.end()
            self._token = _Token("number", number[0])
            return
        operator = self._operator(start)
        self._position = start + len(operator)
        self._token = _Token(operator, operator)

    def _operator(self, start: int) -> str:
        text = self._text
        pair = text[start : start + 2]
        if pair in ("++", "--"):
            return self._double_sign(pair, start)
        for operator in _OPERATORS:
            if text.startswith(operator, start):
                return operator
        if text[start] in _SINGLE:
            return text[start]
        if self._last in ("number", "name", ")") or self._token.kind in ("number", "name", ")"):
            raise ArithmeticProblem(f"{text}: syntax error: invalid arithmetic operator")
        raise ArithmeticProblem(f"{text}: syntax error: operand expected")

    def _double_sign(self, pair: str, start: int) -> str:
        """Tell `x++` and `++x` from two signs, as bash does."""
        if self._token.kind == "name":
            return pair
        if self._token.kind == "pre":
            raise ArithmeticProblem(f"{pair}: assignment requires lvalue")
        rest = self._text[start + 2 :].lstrip(_BLANK)
        return pair if _NAME.match(rest) else pair[0]

    def _subscript(self) -> str:
        depth = 0
        text = self._text
        start = self._position
        for position in range(start, len(text)):
            if text[position] == "[":
                depth += 1
            elif text[position] == "]":
                depth -= 1
                if depth == 0:
                    self._position = position + 1
                    inside = text[start + 1 : position]
                    if inside.strip(_BLANK) in ("", "@", "*"):
                        raise Unknown("an arithmetic expression has an odd array subscript")
                    return inside
        raise ArithmeticProblem(f"{text}: bad array subscript")

    # --- levels ---

    def _comma(self) -> int:
        value = self._assignment()
        while self._token.kind == ",":
            self._next()
            value = self._assignment()
        return value

    def _assignment(self) -> int:
        self._effort.deeper()
        target, value = self._conditional()
        operator = self._token.kind
        if operator in _ASSIGNMENTS:
            if target is None:
                raise ArithmeticProblem(f"{self._text}: attempted assignment to non-variable")
            self._next()
            right = self._assignment()
            if operator != "=":
                right = self._apply(operator[:-1], value, right)
            self._write(target, right)
            value = right
        self._effort.depth -= 1
        return value

    def _conditional(self) -> tuple[_Variable | None, int]:
        target, condition = self._binary(1)
        if self._token.kind != "?":
            return target, condition
        self._next()
        if self._token.kind in ("end", ":"):
            raise ArithmeticProblem(f"{self._text}: expression expected")
        first = self._skipped(self._comma, condition == 0)
        if self._token.kind != ":":
            raise ArithmeticProblem(f"{self._text}: `:' expected for conditional expression")
        self._next()
        if self._token.kind == "end":
            raise ArithmeticProblem(f"{self._text}: expression expected")
        self._effort.deeper()
        second = self._skipped(lambda: self._conditional()[1], condition != 0)
        self._effort.depth -= 1
        return None, first if condition else second

    def _skipped(self, part: Callable[[], int], skip: bool) -> int:
        """Evaluate a part, without effects if it is skipped."""
        self._skipping += skip
        value = part()
        self._skipping -= skip
        return value

    def _binary(self, level: int) -> tuple[_Variable | None, int]:
        target, left = self._unary()
        while _LEVELS.get(self._token.kind, 0) >= level:
            operator = self._token.kind
            target = None
            inner = _LEVELS[operator] + (operator != "**")
            self._next()
            if operator in ("&&", "||"):
                skip = (left != 0) == (operator == "||")
                self._skipping += skip
                right = self._binary(inner)[1]
                self._skipping -= skip
                left = int(bool(left and right) if operator == "&&" else bool(left or right))
                continue
            self._effort.deeper()
            right = self._binary(inner)[1]
            self._effort.depth -= 1
            left = self._apply(operator, left, right)
        return target, left

    def _apply(self, operator: str, left: int, right: int) -> int:
        if operator in _SIMPLE:
            return wrapped(_SIMPLE[operator](left, right))
        if operator == "**":
            if right < 0:
                raise ArithmeticProblem(f"{self._text}: exponent less than 0")
            return wrapped(pow(left, right, 1 << 64))
        if right == 0:
            if self._skipping:
                return 0
            raise ArithmeticProblem(f"{self._text}: division by 0")
        quotient = abs(left) // abs(right)
        if (left < 0) != (right < 0):
            quotient = -quotient
        return wrapped(quotient if operator == "/" else left - quotient * right)

    def _unary(self) -> tuple[_Variable | None, int]:
        kind = self._token.kind
        if kind not in ("!", "~", "-", "+", "++", "--"):
            return self._operand()
        self._effort.deeper()
        self._next()
        if kind in ("++", "--"):
            value = self._stepped_before(kind)
        else:
            operand = self._unary()[1]
            signs = {"!": int(operand == 0), "~": ~operand, "-": -operand, "+": operand}
            value = wrapped(signs[kind])
        self._effort.depth -= 1
        return None, value

    def _stepped_before(self, kind: str) -> int:
        variable = self._variable()
        self._token = _Token("pre", "")
        old = self._read(variable)
        value = wrapped(old + (1 if kind == "++" else -1))
        self._write(variable, value)
        self._next()
        return value

    def _operand(self) -> tuple[_Variable | None, int]:
        token = self._token
        if token.kind == "number":
            try:
                value = parse_integer(token.text)
            except ValueError as mistake:
                raise ArithmeticProblem(str(mistake)) from None
            self._next()
            return None, value
        if token.kind == "name":
            variable = self._variable()
            self._next()
            if self._token.kind in ("++", "--"):
                change = 1 if self._token.kind == "++" else -1
                old = self._read(variable)
                self._write(variable, wrapped(old + change))
                self._token = _Token("post", "")
                self._next()
                return None, old
            return variable, 0 if self._token.kind == "=" else self._read(variable)
        if token.kind != "(":
            raise ArithmeticProblem(f"{self._text}: syntax error: operand expected")
        self._effort.deeper()
        self._next()
        value = self._comma()
        if self._token.kind != ")":
            raise ArithmeticProblem(f"{self._text}: missing `)'")
        self._effort.depth -= 1
        self._next()
        return None, value

    # --- variables ---

    def _variable(self) -> _Variable:
        name, index = self._token.text, self._token.subscript
        if index is not None and not self._skipping and not self._variables.is_associative(name):
            index = str(self._inner(index))
        return _Variable(name, index)

    def _inner(self, text: str) -> int:
        self._effort.deeper()
        value = _Expression(text, self._variables, self._effort).value()
        self._effort.depth -= 1
        return value

    def _read(self, variable: _Variable) -> int:
        if self._skipping:
            return 0
        return self._inner(self._variables.get(variable.name, variable.subscript))

    def _write(self, variable: _Variable, value: int) -> None:
        if not self._skipping:
            self._variables.set(variable.name, variable.subscript, str(value))
