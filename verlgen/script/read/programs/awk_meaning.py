"""What the parts of an awk program do: functions of a running machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from verlgen.script.read.doubt import Unknown
from verlgen.script.read.nodes import Node
from verlgen.script.read.programs import awk_values as values
from verlgen.script.read.programs.awk_values import Value

if TYPE_CHECKING:
    from verlgen.script.read.programs.awk import Machine

Expression = Callable[["Machine"], Value]
Statement = Callable[["Machine"], None]


class Next(Exception):
    """The statement `next`."""


class Leave(Exception):
    """The statement `exit`."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class Target(NamedTuple):
    """Something that can be assigned to.

    Attributes:
        name: Its name, or empty for a field.
        number: The number of the field, or None for a name.
    """

    name: str
    number: Expression | None

    def get(self, machine: Machine) -> Value:
        """Return its value."""
        if self.number is None:
            return machine.value(self.name)
        return machine.field(values.number(self.number(machine)))

    def set(self, machine: Machine, value: Value) -> Value:
        """Give it a value, and return that."""
        if self.number is None:
            machine.assign(self.name, value)
        else:
            machine.set_field(values.number(self.number(machine)), value)
        return value


_COMPARED: dict[str, Callable[[int], bool]] = {
    "<": lambda order: order < 0,
    "<=": lambda order: order <= 0,
    "==": lambda order: order == 0,
    "!=": lambda order: order != 0,
    ">": lambda order: order > 0,
    ">=": lambda order: order >= 0,
}


def print_record(machine: Machine) -> None:
    """Print the record."""
    machine.print(values.text(machine.field(0)) + values.text(machine.value("ORS")))


def next_record(machine: Machine) -> None:
    """Run `next`."""
    del machine
    raise Next


def leave(status: Expression | None, machine: Machine) -> None:
    """Run `exit`."""
    code = values.number(status(machine)) if status else 0
    raise Leave(int(code) % 256)


def printf(arguments: list[Expression], machine: Machine) -> str:
    """Return what `printf` prints."""
    found = [argument(machine) for argument in arguments]
    return values.formatted(values.text(found[0]), found[1:])


def assignment(target: Target, operator: str, right: Expression) -> Expression:
    """Return an assignment; the operator is what stands before its `=`."""

    def run(machine: Machine) -> Value:
        value = right(machine)
        if operator:
            old = values.number(target.get(machine))
            value = values.calculated(operator, old, values.number(value))
        return target.set(machine, value)

    return run


def choice(condition: Expression, first: Expression, second: Expression) -> Expression:
    """Return `condition ? first : second`."""
    return lambda machine: (first if values.truth(condition(machine)) else second)(machine)


def stepped(target: Target, operator: str, behind: bool) -> Expression:
    """Return `++x`, or `x++` (behind)."""

    def run(machine: Machine) -> Value:
        old = values.number(target.get(machine))
        new = values.calculated(operator[0], old, 1.0)
        target.set(machine, new)
        return old if behind else new

    return run


def matching(left: Expression, node: Node, operator: str) -> Expression:
    """Return `left ~ /re/` or `left !~ /re/`."""
    return lambda machine: float(values.matches(left(machine), node) == (operator == "~"))


def both(operator: str, left: Expression, right: Expression) -> Expression:
    """Return two operands joined; an empty operator puts texts together."""

    def run(machine: Machine) -> Value:
        first = left(machine)
        if operator in ("&&", "||"):
            if values.truth(first) == (operator == "||"):
                return float(operator == "||")
            return float(values.truth(right(machine)))
        second = right(machine)
        if operator == "":
            return values.joined(first, second)
        if operator in _COMPARED:
            return float(_COMPARED[operator](values.compared(first, second)))
        if operator in ("~", "!~"):
            found = values.matches(first, values.regex(values.text(second)))
            return float(found == (operator == "~"))
        return values.calculated(operator, values.number(first), values.number(second))

    return run


def _ascii(value: Value) -> str:
    text = values.text(value)
    if not text.isascii():
        raise Unknown("what awk takes for a character hangs on the locale")
    return text


def _substr(found: list[Value]) -> Value:
    text, start = _ascii(found[0]), values.number(found[1])
    if start != int(start) or (len(found) > 2 and values.number(found[2]) % 1):
        raise Unknown("awk cuts a text at an odd place")
    end = start + values.number(found[2]) if len(found) > 2 else len(text) + 1
    return text[max(0, int(start) - 1) : max(0, int(end) - 1)]


Function = Callable[[list[Value]], Value]
FUNCTIONS: dict[str, tuple[int, int, Function]] = {
    "length": (0, 1, lambda found: float(len(_ascii(found[0])))),
    "substr": (2, 3, _substr),
    "index": (2, 2, lambda found: float(_ascii(found[0]).find(_ascii(found[1])) + 1)),
    "toupper": (1, 1, lambda found: _ascii(found[0]).upper()),
    "tolower": (1, 1, lambda found: _ascii(found[0]).lower()),
    "int": (1, 1, lambda found: float(int(values.number(found[0])))),
    "sprintf": (1, 99, lambda found: values.formatted(values.text(found[0]), found[1:])),
    "sub": (2, 3, lambda found: None),
    "gsub": (2, 3, lambda found: None),
}
