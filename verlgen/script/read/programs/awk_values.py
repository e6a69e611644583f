"""Values of awk and what its operators and functions make of them."""

from __future__ import annotations

import math
import re
from typing import Union

from verlgen.script.read.doubt import Unknown
from verlgen.script.read.matching import Subject, end_of, found_anywhere
from verlgen.script.read.nodes import Node
from verlgen.script.read.programs.common import MOST_OUTPUT
from verlgen.script.read.regexes import parsed


class Input(str):
    """Text from the input, which is a number too if it looks like one."""

    __slots__ = ()


class Missing(Input):
    """A field that the record does not have."""

    __slots__ = ()


Value = Union[float, str, None]  # noqa: UP007  (read at run time)
"""A number, a text, or None for a name without a value."""

_PREFIX = re.compile(r"[ \t\n\r\v\f]*([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)")
_ODD = re.compile(r"[ \t\n\r\v\f]*[+-]?(?:0[xX]|[iI][nN][fF]|[nN][aA][nN])")
_DIRECTIVE = re.compile(r"%(?:(%)|([-+ #0]*)([0-9]{0,4})(?:\.([0-9]{0,3}))?([diouxXfeEgGs]))")
LARGEST = 1e15


def number(value: Value) -> float:
    """Return a value as a number.

    Raises:
        Unknown: Programs called awk differ on it.
    """
    if value is None:
        return 0.0
    if isinstance(value, float):
        return value
    if _ODD.match(value):
        raise Unknown("awk takes an odd text for a number")
    found = _PREFIX.match(value)
    return checked(float(found[1])) if found else 0.0


def checked(value: float) -> float:
    """Return a number that all programs called awk print alike.

    Raises:
        Unknown: It is not finite or very large, or a negative zero.
    """
    if not math.isfinite(value) or abs(value) > LARGEST or (value == 0 and str(value)[0] == "-"):
        raise Unknown("awk works on an odd number")
    return value


def text(value: Value) -> str:
    """Return a value as text."""
    if value is None:
        return ""
    if isinstance(value, str):
        return str(value)
    return str(int(value)) if value == int(value) else f"{value:.6g}"


def truth(value: Value) -> bool:
    """Tell whether a value is true."""
    if isinstance(value, Input) and _looks_numeric(value):
        return number(value) != 0
    return bool(value)


def _looks_numeric(value: Value) -> bool:
    if isinstance(value, Input):
        if _ODD.match(value):
            raise Unknown("awk takes an odd text for a number")
        found = _PREFIX.match(value)
        return bool(found and not value[found.end() :].strip(" \t\n"))
    return not isinstance(value, str)


def compared(left: Value, right: Value) -> int:
    """Return how two values compare: negative, 0 or positive.

    Raises:
        Unknown: Programs called awk differ on it.
    """
    for value, other in ((left, right), (right, left)):
        if isinstance(value, Missing) and _looks_numeric(other):
            raise Unknown("awk compares a field that is not there")
    if _looks_numeric(left) and _looks_numeric(right):
        first, second = number(left), number(right)
        return (first > second) - (first < second)
    one, two = (text(value).encode("utf-8", "surrogatepass") for value in (left, right))
    return (one > two) - (one < two)


def joined(left: Value, right: Value) -> str:
    """Return two values as one text."""
    result = text(left) + text(right)
    if len(result) > MOST_OUTPUT:
        raise Unknown("awk works on a very long text")
    return result


def calculated(operator: str, left: float, right: float) -> float:
    """Return the value of a sum, product or power."""
    if operator in "/%" and right == 0:
        raise Unknown("awk divides by zero")
    try:
        result = {
            "+": lambda: left + right,
            "-": lambda: left - right,
            "*": lambda: left * right,
            "/": lambda: left / right,
            "%": lambda: math.fmod(left, right),
            "^": lambda: math.pow(left, right),
        }[operator]()
    except (OverflowError, ValueError):
        raise Unknown("awk works on an odd number") from None
    return checked(result)


def regex(written: str) -> Node:
    """Return a regular expression.

    Raises:
        Unknown: Programs called awk differ on it.
    """
    if re.search(r"[{}]|\\[A-Za-z0-9<>'`]|\[[^]]*\\", written):
        raise Unknown("awk has a regular expression that is not read")
    return parsed(written, extended=True).node


def matches(value: Value, node: Node) -> bool:
    """Tell whether a value has a match."""
    return found_anywhere(node, Subject(text(value)))


def replaced(node: Node, replacement: str, target: str, everywhere: bool) -> tuple[str, int]:
    """Return a text with matches replaced (`&` is the match), and how many."""
    if "\\" in replacement:
        raise Unknown("awk has a replacement that is not read")
    subject = Subject(target)
    pieces: list[str] = []
    position, copied, previous, count = 0, 0, -1, 0
    while position <= len(target):
        end = end_of(node, subject, position)
        if end is None or end == position == previous:
            position += 1
            continue
        pieces += [target[copied:position], replacement.replace("&", target[position:end])]
        count += 1
        copied = previous = end
        if not everywhere:
            break
        position = max(end, position + 1)
    result = "".join(pieces) + target[copied:]
    if len(result) > MOST_OUTPUT:
        raise Unknown("awk works on a very long text")
    return result, count


def formatted(template: str, values: list[Value]) -> str:
    """Return what `printf` makes of values."""
    rest = list(values)

    def convert(found: re.Match[str]) -> str:
        if found[1]:
            return "%"
        if not rest:
            raise Unknown("awk has too few values for a format")
        value, kind = rest.pop(0), found[5]
        directive = f"%{found[2]}{found[3]}" + ("" if found[4] is None else f".{found[4] or 0}")
        if kind == "s":
            written = text(value)
            if not written.isascii() and (found[3] or found[4] is not None):
                raise Unknown("what awk takes for a character hangs on the locale")
            if set(found[2]) - {"-"}:
                raise Unknown("awk has a format that is not read")
            return f"{directive}s" % written
        if kind in "feEgG":
            return f"{directive}{kind}" % number(value)
        whole = int(number(value))
        if whole < 0 and kind not in "di":
            raise Unknown("awk has a format that is not read")
        if kind in "oxX" and "#" in found[2]:
            raise Unknown("awk has a format that is not read")
        if found[4] is not None:
            raise Unknown("awk has a format that is not read")
        return f"{directive}{'d' if kind in 'iu' else kind}" % whole

    if "%" in _DIRECTIVE.sub("", template):
        raise Unknown("awk has a format that is not read")
    return _DIRECTIVE.sub(convert, template)
