"""Compound commands: groups, conditions, loops, functions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable

from verlgen.script.read import patterns, questions
from verlgen.script.read.doubt import Unknown
from verlgen.script.read.ends import MOST_LAUNCHES, MOST_ROUNDS, Jump, Return, Stop
from verlgen.script.read.sources import Source, Sources
from verlgen.script.read.state import State
from verlgen.script.read.symbols import Symbols, has_symbol
from verlgen.script.read.syntax import (
    ArithmeticCommand,
    ArithmeticFor,
    Case,
    Command,
    Condition,
    For,
    Function,
    Group,
    If,
    Statement,
    Subshell,
    Test,
    While,
    Word,
)
from verlgen.script.read.text import Text
from verlgen.script.read.variables import Variables


class Compounds(Variables, ABC):
    """Walks compound commands.

    Attributes:
        loops: How many loops of the function or script the walk is in.
        files: Files that the script itself makes: path -> content, None for unknown.
        copies: Files that it copies or moves there: path -> path of the original.
        folders: Folders that it makes.
        fetched: Folders that come to be when programs do what they are asked (`git clone`).
        stdin: What the command being walked reads, or None for the terminal.
    """

    def __init__(self, symbols: Symbols, sources: Sources, source: Source, state: State) -> None:
        super().__init__(symbols, sources, source, state)
        self.loops = 0
        self.files: dict[str, str | None] = {}
        self.copies: dict[str, str] = {}
        self.folders: set[str] = set()
        self.fetched: set[str] = set()
        self.stdin: str | None = None
        self._rounds = 0

    @abstractmethod
    def statements(self, body: Iterable[Statement]) -> None:
        """Walk statements in order."""

    @abstractmethod
    def command(self, node: Command) -> None:
        """Walk one command."""

    @abstractmethod
    def unchecked(self, action: Callable[[], None]) -> None:
        """Do something whose failure `set -e` does not look at."""

    @abstractmethod
    def in_subshell(self, action: Callable[[], None], *, capture: bool = False) -> str | None:
        """Do something in a copy of the shell; return what it printed if that is captured."""

    def group(self, node: Group) -> None:
        """Walk `{ …; }`."""
        self.statements(node.body)

    def subshell(self, node: Subshell) -> None:
        """Walk `( … )`."""
        self.in_subshell(lambda: self.statements(node.body))

    def if_(self, node: If) -> None:
        """Walk `if`: the first branch whose condition holds."""
        for condition, body in node.branches:
            self.asked.append(
                self.slice(condition[0].start, condition[-1].end) if condition else ""
            )
            try:
                self.unchecked(lambda c=condition: self.statements(c))  # type: ignore[misc]
                if self.state.status == 0:
                    self.statements(body)
                    return
            finally:
                self.asked.pop()
        if node.otherwise is not None:
            self.asked.append(f"not {self.slice(*_extent(node.branches[0][0]))}")
            try:
                self.statements(node.otherwise)
            finally:
                self.asked.pop()
            return
        self.state.status = 0

    def while_(self, node: While) -> None:
        """Walk `while` and `until`."""

        def goes_on() -> bool:
            self.unchecked(lambda: self.statements(node.condition))
            return (self.state.status == 0) is not node.until

        self._loop(node, goes_on, lambda: self.statements(node.body), lambda: None)

    def arithmetic_for(self, node: ArithmeticFor) -> None:
        """Walk `for ((…))`."""

        def goes_on() -> bool:
            return node.test is None or self._arithmetic_value(node.test) != 0

        def step() -> None:
            if node.step is not None:
                self._arithmetic_value(node.step)

        if node.init is not None:
            self._arithmetic_value(node.init)
        self._loop(node, goes_on, lambda: self.statements(node.body), step)

    def _loop(
        self,
        node: Command,
        goes_on: Callable[[], bool],
        body: Callable[[], None],
        step: Callable[[], None],
    ) -> None:
        self.loops += 1
        status = 0
        stood = self._snapshot()
        try:
            while goes_on():
                self._round(node)
                try:
                    body()
                except Jump as jump:
                    if jump.levels > 1:
                        raise Jump(jump.kind, jump.levels - 1) from None
                    if jump.kind == "break":
                        status = self.state.status
                        break
                status = self.state.status
                step()
                stands = self._snapshot()
                if stands == stood:
                    self.uncertain(
                        "endless-loop", node, "this loop never ends by itself; one round is shown"
                    )
                    break
                stood = stands
        finally:
            self.loops -= 1
        self.state.status = status

    def _snapshot(self) -> list[tuple[str, str | None, object]]:
        """Return all that a loop's condition could look at, so far as it is text."""
        return [
            (name, variable.value, None if variable.items is None else dict(variable.items))
            for scope in self.state.scopes
            for name, variable in scope.items()
        ] + [("", self.stdin, list(self.state.parameters)), ("", None, sorted(self.files))]

    def _round(self, node: Command) -> None:
        self._rounds += 1
        if self._rounds > MOST_ROUNDS or len(self.launches) > MOST_LAUNCHES:
            raise Stop(f"loops went round {MOST_ROUNDS} times (line {self.line(node)})")

    def for_(self, node: For) -> None:
        """Walk `for x in …`."""
        fields: list[str]
        if node.words is None:
            self.argument_uses.add("@")
            fields = list(self.state.parameters)
        else:
            fields = [field for word in node.words for field in self._expander.fields(word)]
        if node.select:
            self.uncertain("select", node, "asks the user for a choice; taken as no answer")
            fields = []
        unknown = [field for field in fields if isinstance(field, Text) and field.cut == "*"]
        for field in unknown:
            self.uncertain(
                "unknown-words",
                node,
                f"goes over {self.symbols.written(field)}, which is not known; taken as empty",
            )
            fields.remove(field)
        self.loops += 1
        self.state.status = 0
        try:
            for item in fields:
                self._round(node)
                variable = self.state.make(node.name)
                if variable.readonly:
                    self.fails(node, f"{node.name}: readonly variable")
                    return
                self.store(variable, None, item)
                try:
                    self.statements(node.body)
                except Jump as jump:
                    if jump.levels > 1:
                        raise Jump(jump.kind, jump.levels - 1) from None
                    if jump.kind == "break":
                        break
        finally:
            self.loops -= 1

    def case(self, node: Case) -> None:
        """Walk `case`."""
        word: str = self._expander.text(node.word)
        self.state.status = 0
        falls = False
        for choices, body, ending in node.items:
            if not falls and not any(self._is_case(node, choice, word) for choice in choices):
                continue
            self.asked.append(f"{self.slice(node.word.start, node.word.end)} is {word!r}")
            try:
                self.statements(body)
            finally:
                self.asked.pop()
            if ending == ";;":
                return
            falls = ending == ";&"

    def _is_case(self, node: Case, choice: Word, word: str) -> bool:
        pattern = self._expander.pattern(choice)
        ignore_case = "nocasematch" in self.state.shopt
        try:
            return patterns.matches(
                pattern,
                word,
                extglob="extglob" in self.state.shopt,
                ignore_case=ignore_case,
                plain=self.symbols.is_plain,
            )
        except Unknown:
            self.hangs_on(node.word, word)
        try:
            return patterns.matches(
                questions.as_tested(self, pattern),
                questions.as_tested(self, word),
                extglob="extglob" in self.state.shopt,
                ignore_case=ignore_case,
            )
        except Unknown:
            return False

    def arithmetic_command(self, node: ArithmeticCommand) -> None:
        """Walk `((…))`."""
        self.state.status = 0 if self._arithmetic_value(node.expression) else 1

    def _arithmetic_value(self, expression: Word) -> int:
        value = self._expander.arithmetic(expression, command=True)
        if has_symbol(value):
            self.hangs_on(expression, value)
            return 0
        return int(value or 0)

    def test(self, node: Test) -> None:
        """Walk `[[ … ]]`."""
        self.state.status = 0 if self._holds(node.condition) else 1

    def _holds(self, node: Condition) -> bool:
        operator, operands = node.operator, node.operands
        if operator == "!":
            return not self._holds(_condition(operands[0]))
        if operator == "&&":
            return all(self._holds(_condition(operand)) for operand in operands)
        if operator == "||":
            return any(self._holds(_condition(operand)) for operand in operands)
        return questions.holds(self, node, operator, [_word(operand) for operand in operands])

    def function(self, node: Function) -> None:
        """Define a function."""
        self.state.functions[node.name] = node
        self.state.function_source[node.name] = self.source.number
        self.state.status = 0

    def call(self, name: str, arguments: list[str]) -> None:
        """Call a function of the script's."""
        node = self.state.functions[name]
        state = self.state
        parameters, state.parameters = state.parameters, arguments
        state.scopes.append({})
        self.called.append(name)
        source, self.source = self.source, self.sources[state.function_source[name]]
        loops, self.loops = self.loops, 0
        self.functions += 1
        try:
            self.command(node.body)
        except Return:
            pass
        finally:
            self.functions -= 1
            self.called.pop()
            self.loops = loops
            self.source = source
            self.state.scopes.pop()
            self.state.parameters = parameters


def _condition(operand: Condition | Word) -> Condition:
    assert isinstance(operand, Condition)
    return operand


def _word(operand: Condition | Word) -> Word:
    assert isinstance(operand, Word)
    return operand


def _extent(body: list[Statement]) -> tuple[int, int]:
    return (body[0].start, body[-1].end) if body else (0, 0)
