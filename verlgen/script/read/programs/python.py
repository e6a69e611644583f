"""`python3 -c` calls that print arithmetic on literals. Nothing else of Python is read."""

from __future__ import annotations

import ast
import operator
import warnings
from collections.abc import Callable
from typing import Any

from verlgen.script.read.doubt import Unknown
from verlgen.script.read.programs.common import be_known

LONGEST_CODE = 2_000
MOST_NODES = 200
MOST_BITS = 2_000
DEEPEST = 40

_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.RShift: operator.rshift,
}
_UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
    ast.Invert: operator.invert,
    ast.Not: operator.not_,
}
_CALLS: dict[str, Callable[..., Any]] = {
    "abs": abs,
    "float": float,
    "int": int,
    "max": max,
    "min": min,
    "round": round,
}


def python(arguments: list[str], stdin: str) -> tuple[str, int]:
    """Return what `python3 -c 'print(…)'` prints."""
    del stdin
    if len(arguments) < 2 or arguments[0] != "-c":
        raise Unknown("Python runs a program")
    code = arguments[1]
    be_known("Python", code)
    if len(code) > LONGEST_CODE or "\0" in code:
        raise Unknown("Python runs a program")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(code.strip("\n"))
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise Unknown("Python runs a program that is not read") from None
    if sum(1 for _ in ast.walk(tree)) > MOST_NODES:
        raise Unknown("Python runs a program that is not read")
    return "".join(_printed(statement) for statement in tree.body), 0


def _printed(statement: ast.stmt) -> str:
    if not (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Call)
        and isinstance(statement.value.func, ast.Name)
        and statement.value.func.id == "print"
    ):
        raise Unknown("Python runs a program that is not read")
    call = statement.value
    words = {"sep": " ", "end": "\n"}
    for keyword in call.keywords:
        value = keyword.value
        if keyword.arg not in words or not isinstance(value, ast.Constant):
            raise Unknown("Python runs a program that is not read")
        if not isinstance(value.value, str):
            raise Unknown("Python runs a program that is not read")
        words[keyword.arg] = value.value
    try:
        values = [str(_value(argument, 0)) for argument in call.args]
    except (ArithmeticError, TypeError, ValueError):
        raise Unknown("Python runs a program that fails") from None
    text = words["sep"].join(values) + words["end"]
    be_known("Python", text)
    return text


def _value(node: ast.expr, depth: int) -> Any:
    if depth > DEEPEST:
        raise Unknown("Python runs a program that is not read")
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float, str)):
        return node.value
    if isinstance(node, ast.UnaryOp):
        return _UNARY[type(node.op)](_number(node.operand, depth + 1))
    if isinstance(node, ast.BinOp):
        left, right = _number(node.left, depth + 1), _number(node.right, depth + 1)
        return _bounded(_binary(node.op, left, right))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        return _called(node.func.id, [_value(argument, depth + 1) for argument in node.args])
    raise Unknown("Python runs a program that is not read")


def _called(name: str, values: list[Any]) -> Any:
    if name not in _CALLS or any(isinstance(v, str) and len(v) > 100 for v in values):
        raise Unknown("Python runs a program that is not read")
    return _bounded(_CALLS[name](*values))


def _number(node: ast.expr, depth: int) -> int | float:
    value = _value(node, depth)
    if isinstance(value, (int, float)):
        return value
    raise Unknown("Python runs a program that is not read")


def _binary(kind: ast.operator, left: Any, right: Any) -> Any:
    if isinstance(kind, ast.Pow):
        if abs(left) > 1 and abs(right) > MOST_BITS:
            raise Unknown("Python works on very large numbers")
        return left**right
    if isinstance(kind, ast.LShift):
        if isinstance(right, int) and right > MOST_BITS:
            raise Unknown("Python works on very large numbers")
        return left << right
    if type(kind) not in _BINARY:
        raise Unknown("Python runs a program that is not read")
    return _BINARY[type(kind)](left, right)


def _bounded(value: Any) -> Any:
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        raise Unknown("Python works on very large numbers")
    return value
