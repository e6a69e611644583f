"""The expressions of awk, as far as they are read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verlgen.script.read.doubt import Unknown
from verlgen.script.read.programs import awk_values as values
from verlgen.script.read.programs.awk_meaning import (
    FUNCTIONS,
    Expression,
    Target,
    assignment,
    both,
    choice,
    matching,
    stepped,
)
from verlgen.script.read.programs.awk_tokens import string_value
from verlgen.script.read.programs.awk_values import Value

if TYPE_CHECKING:
    from verlgen.script.read.programs.awk import Machine

DEEPEST = 25
_RESERVED = frozenset(
    (
        *("in", "for", "while", "do", "delete", "getline", "function", "func", "break"),
        *("continue", "return", "switch", "case", "system", "split", "rand", "srand", "match"),
        *("close", "sin", "cos", "atan2", "exp", "log", "sqrt", "nextfile", "fflush"),
    )
)
_NOT_READ = frozenset(
    (
        *("FILENAME", "ENVIRON", "ARGC", "ARGV", "RSTART", "RLENGTH", "RS", "SUBSEP"),
        *("OFMT", "CONVFMT"),
    )
)
_LEVELS: tuple[tuple[str, ...], ...] = (
    ("||",),
    ("&&",),
    ("~", "!~"),
    ("<", "<=", "==", "!=", ">", ">="),
    ("",),
    ("+", "-"),
    ("*", "/", "%"),
)


class Expressions:
    """Recursive descent over the words of a program: its expressions."""

    def __init__(self, words: list[tuple[str, str]]) -> None:
        self._tokens = words
        self._position = 0
        self._depth = 0
        self._in_print = False

    # --- tokens ---

    def _odd(self) -> Unknown:
        return Unknown("awk has a program that is not read")

    def _peek(self) -> str:
        kind, text = self._kind()
        return text if kind in ("operator", "name") else kind

    def _kind(self) -> tuple[str, str]:
        if self._position < len(self._tokens):
            return self._tokens[self._position]
        return "end", ""

    def _take(self, wanted: str = "") -> str:
        if self._position >= len(self._tokens) or (wanted and self._peek() != wanted):
            raise self._odd()
        self._position += 1
        return self._tokens[self._position - 1][1]

    def _skip(self, *unwanted: str) -> None:
        while self._position < len(self._tokens) and self._peek() in unwanted:
            self._position += 1

    def _deeper(self) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            raise Unknown("awk has a program that is nested too deeply")

    def _list(self, end: str) -> list[Expression]:
        """Parse expressions with commas between up to a closing parenthesis."""
        outer, self._in_print = self._in_print, False
        found: list[Expression] = []
        while self._peek() != end:
            found.append(self._expression())
            if self._peek() != end:
                self._take(",")
        self._take(end)
        self._in_print = outer
        return found

    # --- expressions ---

    def _expression(self) -> Expression:
        self._deeper()
        start = self._position
        condition = self._binary(0)
        operator = self._peek()
        if operator in ("=", "+=", "-=", "*=", "/=", "%=", "^="):
            target = self._target_at(start)
            self._take()
            result = assignment(target, operator[:-1], self._expression())
        elif operator == "?":
            self._take()
            first = self._expression()
            self._take(":")
            second = self._expression()
            result = choice(condition, first, second)
        else:
            result = condition
        self._depth -= 1
        return result

    def _target_at(self, start: int) -> Target:
        """Parse again what an assignment has on its left, which must be all of it."""
        end, self._position = self._position, start
        target = self._target()
        if target is None or self._position != end:
            raise self._odd()
        return target

    def _target(self) -> Target | None:
        kind, text = self._kind()
        if kind == "name" and text not in _RESERVED | _NOT_READ | set(FUNCTIONS):
            self._take()
            if self._peek() == "(":
                raise self._odd()
            return Target(text, None)
        if self._peek() == "$":
            self._take()
            self._deeper()
            target = self._target()
            number = target.get if target is not None else self._operand()
            self._depth -= 1
            return Target("", number)
        return None

    def _binary(self, level: int) -> Expression:
        if level == len(_LEVELS):
            return self._unary()
        left = self._binary(level + 1)
        while True:
            operator = self._peek()
            if _LEVELS[level] == ("",):
                if not self._begins_operand():
                    return left
                left = both("", left, self._binary(level + 1))
                continue
            if operator not in _LEVELS[level] or (operator == ">" and self._in_print):
                return left
            self._take()
            self._skip(*("\n",) if operator in ("&&", "||") else ())
            if operator in ("~", "!~") and self._kind()[0] == "regex":
                left = matching(left, values.regex(self._take()), operator)
                continue
            left = both(operator, left, self._binary(level + 1))

    def _begins_operand(self) -> bool:
        kind, text = self._kind()
        if kind in ("number", "string"):
            return True
        if kind == "name":
            if text in _RESERVED:
                raise self._odd()
            return True
        return text in ("$", "(", "!") and kind == "operator" and text != "!"

    def _unary(self) -> Expression:
        operator = self._peek()
        if operator not in ("!", "-", "+"):
            return self._power()
        self._take()
        self._deeper()
        operand = self._unary()
        self._depth -= 1
        if operator == "!":
            return lambda machine: float(not values.truth(operand(machine)))
        sign = "-" if operator == "-" else "+"
        return lambda machine: values.calculated(sign, 0.0, values.number(operand(machine)))

    def _power(self) -> Expression:
        base = self._operand()
        if self._peek() != "^":
            return base
        self._take()
        self._deeper()
        exponent = self._unary()
        self._depth -= 1
        return both("^", base, exponent)

    def _operand(self) -> Expression:
        kind, text = self._kind()
        if text in ("++", "--") and kind == "operator":
            self._take()
            target = self._target()
            if target is None:
                raise self._odd()
            return stepped(target, text, False)
        if kind == "name" and text in FUNCTIONS:
            return self._call(self._take())
        target = self._target()
        if target is not None:
            if self._peek() in ("++", "--"):
                return stepped(target, self._take(), True)
            return target.get
        self._take()
        if kind == "number":
            value = values.checked(float(text))
            return lambda machine: value
        if kind == "string":
            string = string_value(text)
            return lambda machine: string
        if kind == "regex":
            return matching(lambda machine: machine.field(0), values.regex(text), "~")
        if text != "(":
            raise self._odd()
        inside = self._list(")")
        if len(inside) != 1:
            raise self._odd()
        return inside[0]

    def _call(self, name: str) -> Expression:
        low, high, function = FUNCTIONS[name]
        if name in ("sub", "gsub"):
            return self._substitution(name)
        arguments: list[Expression] = []
        if self._peek() == "(":
            self._take()
            arguments = self._list(")")
        elif name != "length":
            raise self._odd()
        if not low <= len(arguments) <= high:
            raise self._odd()
        if not arguments:
            arguments = [lambda machine: machine.field(0)]
        return lambda machine: function([argument(machine) for argument in arguments])

    def _substitution(self, name: str) -> Expression:
        self._take("(")
        kind, written = self._kind()
        if kind not in ("regex", "string"):
            raise self._odd()
        self._take()
        node = values.regex(written if kind == "regex" else string_value(written))
        self._take(",")
        replacement = self._expression()
        target: Target | None = Target("", lambda machine: 0.0)
        if self._peek() == ",":
            self._take()
            target = self._target()
        self._take(")")
        if target is None:
            raise self._odd()
        found = target

        def run(machine: Machine) -> Value:
            old = values.text(found.get(machine))
            new = values.text(replacement(machine))
            result, count = values.replaced(node, new, old, name == "gsub")
            if count:
                found.set(machine, result)
            return float(count)

        return run
