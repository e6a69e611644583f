"""Small conditions and sums, such as rules are written in, evaluated without `eval`.

Python's own syntax, restricted to names, numbers, text, arithmetic, comparison, `and`/`or`/`not`,
`x if c else y`, and calls of the functions that are given.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

from verlgen.errors import UserError

_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda item, many: item in many,
    ast.NotIn: lambda item, many: item not in many,
}


def evaluate(
    text: str, names: Callable[[str], Any], functions: Mapping[str, Callable[..., Any]]
) -> Any:
    """Return the value of an expression.

    Args:
        text: The expression.
        names: Gives the value of a name; raises KeyError or AttributeError for an unknown one.
        functions: What may be called, by name.

    Raises:
        UserError: It is no expression, or uses what is not given.
    """
    try:
        body = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError) as error:
        raise UserError("not an expression", where=text) from error
    return _Evaluator(text, names, functions).value(body)


class _Evaluator:
    def __init__(
        self, text: str, names: Callable[[str], Any], functions: Mapping[str, Callable[..., Any]]
    ) -> None:
        self._text = text
        self._names = names
        self._functions = functions

    def value(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            try:
                return self._names(node.id)
            except (KeyError, AttributeError):
                raise UserError(f"unknown name '{node.id}'", where=self._text) from None
        if isinstance(node, ast.List | ast.Tuple):
            return [self.value(item) for item in node.elts]
        if isinstance(node, ast.BoolOp):
            return self._bool(node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return not self.value(node.operand)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -self.value(node.operand)
        if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
            return self._binary(node)
        if isinstance(node, ast.Compare):
            return self._compare(node)
        if isinstance(node, ast.IfExp):
            return self.value(node.body if self.value(node.test) else node.orelse)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
            function = self._functions.get(node.func.id)
            if function is None:
                raise UserError(f"unknown function '{node.func.id}'", where=self._text)
            return function(*(self.value(argument) for argument in node.args))
        raise UserError(f"'{ast.unparse(node)}' is not allowed here", where=self._text)

    def _bool(self, node: ast.BoolOp) -> Any:
        wants = isinstance(node.op, ast.And)
        value: Any = wants
        for item in node.values:
            value = self.value(item)
            if bool(value) is not wants:
                break
        return value

    def _binary(self, node: ast.BinOp) -> Any:
        left, right = self.value(node.left), self.value(node.right)
        try:
            return _BINARY[type(node.op)](left, right)
        except (TypeError, ZeroDivisionError) as error:
            raise UserError(str(error), where=self._text) from error

    def _compare(self, node: ast.Compare) -> bool:
        left = self.value(node.left)
        for op, right_node in zip(node.ops, node.comparators, strict=True):
            if type(op) not in _COMPARE:
                raise UserError(f"'{ast.unparse(node)}' is not allowed here", where=self._text)
            right = self.value(right_node)
            try:
                if not _COMPARE[type(op)](left, right):
                    return False
            except TypeError as error:
                raise UserError(str(error), where=self._text) from error
            left = right
        return True
