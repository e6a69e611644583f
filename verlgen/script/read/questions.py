"""Conditions: what `[`, `test` and `[[` answer, and what is assumed where they cannot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from verlgen.script.read import arithmetic, conditions, effects
from verlgen.script.read.doubt import Unknown
from verlgen.script.read.symbols import has_symbol
from verlgen.script.read.syntax import Condition, Node, Word

if TYPE_CHECKING:
    from verlgen.script.read.compounds import Compounds


def tested(shell: Compounds, arguments: list[str], node: Node) -> int:
    """Return the status of `test` and `[`."""
    asked = _asked(shell)
    try:
        answer = conditions.test(arguments, asked)
    except Unknown:
        shell.hangs_on(node, " ".join(a for a in arguments if has_symbol(a)))
        try:
            # What bash would say of the empty text says nothing about what stands there in truth.
            return conditions.test([as_tested(shell, a) for a in arguments], asked).status
        except Unknown:
            return 1
    if answer.problem is not None:
        shell.problem("bash-error", node, f"bash says: {answer.problem}")
    return answer.status


def holds(shell: Compounds, node: Condition, operator: str, words: Sequence[Word]) -> bool:
    """Tell whether a condition inside `[[ ]]` holds."""
    left: str = shell.expand(words[0])
    right: str | None = None
    if operator and len(words) > 1:
        if operator in ("=", "==", "!="):
            right = shell.expand_pattern(words[1])
        elif operator == "=~":
            right = shell.expand_regex(words[1])
        else:
            right = shell.expand(words[1])
    try:
        return _compare(shell, node, operator, left, right)
    except Unknown:
        shell.hangs_on(node, " ".join(t for t in (left, right) if t and has_symbol(t)))
        known = None if right is None else as_tested(shell, right)
        try:
            return _compare(shell, node, operator, as_tested(shell, left), known)
        except Unknown:
            return False


def _compare(shell: Compounds, node: Node, operator: str, left: str, right: str | None) -> bool:
    asked = _asked(shell)
    if right is None:
        return conditions.unary(operator or "-n", left, asked)
    if operator == "=~":
        groups = conditions.regex_match(
            left, right, ignore_case=asked.ignore_case, plain=asked.plain
        )
        variable = shell.state.make("BASH_REMATCH")
        variable.items = dict(enumerate(groups or []))
        variable.value = None
        return groups is not None
    try:
        return conditions.binary(operator, left, right, asked)
    except arithmetic.ArithmeticProblem as problem:
        shell.problem("bash-error", node, f"bash says: {problem}")
        return False


def _asked(shell: Compounds) -> conditions.Asked:
    return conditions.Asked(
        plain=shell.symbols.is_plain,
        files=effects.FileTests(shell),
        is_set=_IsSet(shell),
        option=lambda name: name in shell.state.options,
        variables=shell.arithmetic_variables(),
        ignore_case="nocasematch" in shell.state.shopt,
    )


def as_tested(shell: Compounds, text: str) -> str:
    """Return text as a test takes it that must have an answer: what is not known is empty."""
    return "".join(
        ""
        if has_symbol(char) and not shell.symbols.meaning(char).plain
        else shell.symbols.meaning(char).text
        if has_symbol(char)
        else char
        for char in text
    )


class _IsSet:
    """`-v NAME`."""

    def __init__(self, shell: Compounds) -> None:
        self._shell = shell

    def __call__(self, name: str) -> bool:
        base, bracket, rest = name.partition("[")
        variable = self._shell.state.find(base)
        if variable is None:
            return False
        if bracket:
            subscript = rest[:-1]
            if subscript in ("@", "*"):
                return bool(variable.ordered())
            return variable.at(self._shell.index(variable, subscript)) is not None
        return variable.is_set
