"""The static interpreter: walks the commands of a script as bash would, and runs nothing.

Bounded in steps, depth and text. Where the answer hangs on what only running could tell, it goes
the way DESIGN.md says (a program that is not run succeeds and prints what tests as empty; files are
missing) and reports that it was not sure.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable
from typing import Any

from verlgen.script.read import builtins, external
from verlgen.script.read.compounds import Compounds
from verlgen.script.read.ends import (
    MOST_DEPTH,
    MOST_STEPS,
    MOST_TEXT,
    Exit,
    Jump,
    Return,
    Stop,
)
from verlgen.script.read.expand import Expander
from verlgen.script.read.parser import Parser, SyntaxProblem
from verlgen.script.read.sources import Source, Sources
from verlgen.script.read.state import State
from verlgen.script.read.symbols import Symbols, has_symbol
from verlgen.script.read.syntax import (
    ArithmeticCommand,
    ArithmeticFor,
    Case,
    Command,
    CommandSubstitution,
    For,
    Function,
    Group,
    If,
    Literal,
    Node,
    Pipeline,
    Redirection,
    Simple,
    Statement,
    Subshell,
    Test,
    While,
    Word,
)
from verlgen.script.read.text import Text, cat


class Interpreter(Compounds):
    """Interprets one script.

    Attributes:
        inherited: The environment that the script starts with.
        sourcing: How many files deep the walk is in `source`.
        not_checked: Whether it is where `set -e` does not look (0 if it does).
        in_trap: Whether it is in an ERR trap.
    """

    def __init__(self, symbols: Symbols, sources: Sources, source: Source, state: State) -> None:
        super().__init__(symbols, sources, source, state)
        self.inherited: dict[str, str] = {}
        self.sourcing = 0
        self.not_checked = 0
        self._expander = Expander(self)
        self._asked_or: Node | None = None
        self._depth = 0
        self._steps = 0
        self._out: list[str] | None = None
        self._not_run: set[str] = set()
        self.in_trap = False

    def run(self) -> None:
        """Walk the source from its first command to its last, as bash reads it."""
        try:
            self.run_source(self.source)
        except (Exit, Return, Jump):
            pass
        except Stop as stop:
            self.problem("too-long", None, f"reading stopped: {stop}", uncertain=True)
        except RecursionError:
            self.problem("too-deep", None, "reading stopped: nested too deeply", uncertain=True)
        self._run_exit_trap()

    def _run_exit_trap(self) -> None:
        """Walk what the script does when it ends; bash does so too where it stops early."""
        if self.stopped is not None:
            self.state, self.stopped = self.stopped, None
        trap = self.state.traps.pop("EXIT", None)
        if not trap:
            return
        because, self.because = self.because, None
        try:
            self.run_text(trap, None)
        except (Exit, Return, Jump, Stop, RecursionError):
            pass
        finally:
            self.because = because

    def run_source(self, source: Source) -> None:
        """Walk all commands of a source, one complete command at a time."""
        before, self.source = self.source, source
        parser = Parser(source.text)
        try:
            while True:
                statements = parser.next(extglob="extglob" in self.state.shopt)
                if statements is None:
                    return
                try:
                    self.statements(statements)
                except Exit:
                    if self.abandoned is None:
                        raise
                if not self.subshells:
                    self.goes_on()
        except SyntaxProblem as problem:
            where = Node(problem.offset, problem.offset + 1)
            self.state.status = 2
            self.problem(
                "syntax",
                where,
                f"bash stops reading here: {problem}",
                "run bash -n on the script",
            )
        finally:
            self.source = before

    def run_text(self, text: str, place: Node | None) -> int:
        """Walk text that the script itself put together, in this shell (`eval`)."""
        if has_symbol(text):
            self.problem(
                "eval",
                place,
                "runs a text that is not fully known: " + self.symbols.written(text)[:80],
                uncertain=True,
            )
        self.run_source(self.sources.add(text, made_of=text))
        return self.state.status

    def run_aside(self, body: list[Statement]) -> str:
        """Walk the commands of a process substitution; return what they print."""
        return self.in_subshell(lambda: self.statements(body), capture=True) or ""

    def statements(self, body: Iterable[Statement]) -> None:
        """Walk statements in order."""
        for statement in body:
            self._statement(statement)

    def _statement(self, node: Statement) -> None:
        self.step()
        if node.background:
            self.in_subshell(lambda: self._and_or(node))
            self.state.status = 0
            return
        self._and_or(node)

    def _and_or(self, node: Statement) -> None:
        last = len(node.pipelines) - 1
        for number, pipeline in enumerate(node.pipelines):
            if number:
                wanted = node.operators[number - 1] == "&&"
                if (self.state.status == 0) is not wanted:
                    continue
            if number:
                before = node.pipelines[number - 1]
                said = self.slice(before.start, before.end)
                self.asked.append(said if wanted else f"not {said}")
            try:
                if number < last:
                    if node.operators[number] == "||" and len(pipeline.commands) == 1:
                        self._asked_or = pipeline.commands[0]
                    self.unchecked(lambda p=pipeline: self._pipeline(p))  # type: ignore[misc]
                else:
                    self._pipeline(pipeline)
            finally:
                if number:
                    self.asked.pop()

    def _pipeline(self, node: Pipeline) -> None:
        if not node.commands:
            self.state.status = 1 if node.negated else 0
            return
        if node.negated:
            self.unchecked(lambda: self._commands(node.commands))
            self.state.status = 0 if self.state.status else 1
            return
        self._commands(node.commands)
        if self.state.status and not self.not_checked and _is_checked(node):
            self._run_error_trap()
            if "errexit" in self.state.options:
                self._failed(node)

    def _run_error_trap(self) -> None:
        """Walk what the script does when a command fails."""
        inside = self.functions or self.subshells
        trap = self.state.traps.get("ERR")
        if not trap or self.in_trap or (inside and "errtrace" not in self.state.options):
            return
        status, self.in_trap = self.state.status, True
        try:
            self.run_text(trap, None)
        finally:
            self.state.status, self.in_trap = status, False

    def _commands(self, commands: list[Command]) -> None:
        if len(commands) == 1:
            self.command(commands[0])
            self.state.pipe_statuses = [self.state.status]
            return
        piped = self.stdin
        statuses: list[int] = []
        try:
            for number, command in enumerate(commands):
                last = number == len(commands) - 1
                self.stdin = piped
                out = self.in_subshell(lambda c=command: self.command(c), capture=not last)  # type: ignore[misc]
                statuses.append(self.state.status)
                piped = out
        finally:
            self.stdin = None
        self.state.pipe_statuses = statuses
        failed = [status for status in statuses if status]
        if "pipefail" in self.state.options and failed:
            self.state.status = failed[-1]

    def command(self, node: Command) -> None:
        """Walk one command."""
        self.step()
        self._depth += 1
        self.walking = node
        if self._depth > MOST_DEPTH:
            self._depth -= 1
            raise Stop("commands are nested too deeply")
        try:
            handler = _HANDLERS[type(node)]
            if node.redirections and not isinstance(node, Simple):
                external.redirected(self, node.redirections, lambda: handler(self, node))
            else:
                handler(self, node)
        finally:
            self._depth -= 1

    def unchecked(self, action: Callable[[], None]) -> None:
        """Do something whose failure `set -e` does not look at."""
        self.not_checked += 1
        try:
            action()
        finally:
            self.not_checked -= 1

    def may_fail(self, node: Node) -> bool:
        """Tell whether a failure of a command would be seen for what it is.

        It ends the script (`set -e`), or the script itself says what then (`cd X || exit`). Behind
        `cd X &&` a failure would hide what follows.
        """
        if self.subshells:
            return False
        if node is self._asked_or:
            return True
        return "errexit" in self.state.options and not self.not_checked

    def in_subshell(self, action: Callable[[], None], *, capture: bool = False) -> str | None:
        """Do something in a copy of the shell; return what it printed if that is captured."""
        state, self.state = self.state, self.state.copy()
        out, loops = self._out, self.loops
        self.loops = 0
        if capture:
            self._out = []
        self.subshells += 1
        try:
            with contextlib.suppress(Exit, Return, Jump):
                action()
            trap = self.state.traps.pop("EXIT", None)
            if trap:
                self.run_text(trap, None)
        except (Exit, Return, Jump):
            pass
        finally:
            self.subshells -= 1
            status = self.state.status
            printed = None if not capture or self._out is None else "".join(self._out)
            self._out, self.loops = out, loops
            self.state = state
            self.state.status = status
        return printed

    def _simple(self, node: Simple) -> None:
        words = [word for word in node.words if isinstance(word, Word)]
        if not node.words:
            self._assign_all(node)
            return
        if len(words) != len(node.words) or builtins.is_declaration(words):
            external.redirected(self, node.redirections, lambda: self._declaration(node))
            return
        before, self.printing = self.printing, _prints(words[0])
        fields = [field for word in words for field in self._expander.fields(word)]
        self.printing = before
        if not fields:
            self._assign_all(node)
            return
        external.simple(self, node, fields)

    def _assign_all(self, node: Simple) -> None:
        self.state.status = 0
        for assignment in node.assignments:
            self.assignment(assignment)
        if node.redirections:
            external.redirected(self, node.redirections, lambda: None)

    def _declaration(self, node: Simple) -> None:
        builtins.declare(self, node, self._expander)

    def substitute(self, node: CommandSubstitution) -> str:
        """Return what `$(…)` gives: known text, or a symbol for the whole."""
        if node.offsets:
            body = node.body
            printed = self.in_subshell(lambda: self._substituted(body), capture=True) or ""
        else:
            source = self.sources.add(node.text, made_of=self.copy_of(node.text, node.start + 1))
            before, self.source = self.source, source
            try:
                printed = self.in_subshell(lambda: self._substituted(node.body), capture=True) or ""
            finally:
                self.source = before
        end = len(printed)
        while end and printed[end - 1] == "\n":
            end -= 1
        printed = printed[:end]
        if any(char in self._not_run for char in printed):
            return self.symbols.new(
                node.text if node.text.startswith(("$", "`")) else f"$({node.text})"
            )
        return Text(printed, (), self.place(node)) if printed else Text("")

    def _substituted(self, body: list[Statement]) -> None:
        if "inherit_errexit" not in self.state.shopt:
            self.state.options.discard("errexit")
        file = _only_reads(body)
        if file is not None:  # `$(< FILE)`
            external.redirected(self, [file], lambda: self.emit(self.stdin or ""))
        else:
            self.statements(body)

    def emit(self, text: str) -> None:
        """Print."""
        if self._out is not None and text:
            self._out.append(text)
            if len(text) > MOST_TEXT or len(self._out) > MOST_STEPS:
                raise Stop("an output grows too long")

    def emit_unknown(self, node: Node) -> None:
        """Print what only running would tell."""
        if self._out is not None:
            symbol = self.symbols.new(f"$({self.slice(node.start, node.end)})")
            self._not_run.add(symbol)
            self._out.append(symbol)

    def capture(self, action: Callable[[], None]) -> str:
        """Do something in this shell and return what it prints."""
        out, self._out = self._out, []
        try:
            action()
            return cat(self._out)
        finally:
            self._out = out

    def mark_not_run(self, symbol: str) -> None:
        """Take a symbol for the output of a program that is not run."""
        self._not_run.add(symbol)

    def output_known(self, text: str) -> bool:
        """Tell whether no part of a text is the output of a program that was not run."""
        return not any(char in self._not_run for char in text)

    def step(self) -> None:
        """Count a step; stop when there were too many."""
        self._steps += 1
        if self._steps > MOST_STEPS:
            raise Stop(f"more than {MOST_STEPS} steps")


def _prints(name: Word) -> bool:
    """Tell whether a command does nothing with its words but print them."""
    part = name.parts[0] if len(name.parts) == 1 else None
    return isinstance(part, Literal) and part.text in ("echo", "printf", ":")


def _is_checked(node: Pipeline) -> bool:
    """Tell whether `set -e` looks at a pipeline itself: what is in a group was looked at there."""
    inner = (Group, If, For, ArithmeticFor, While, Case)
    return len(node.commands) > 1 or not isinstance(node.commands[0], inner)


def _only_reads(body: list[Statement]) -> Redirection | None:
    """Return the redirection of `< FILE`, where the commands are nothing else."""
    if len(body) != 1 or len(body[0].pipelines) != 1 or len(body[0].pipelines[0].commands) != 1:
        return None
    command = body[0].pipelines[0].commands[0]
    if not isinstance(command, Simple) or command.words or command.assignments:
        return None
    redirections = command.redirections
    return redirections[0] if [r.operator for r in redirections] == ["<"] else None


_HANDLERS: dict[type[Command], Callable[[Interpreter, Any], None]] = {
    Simple: Interpreter._simple,
    Group: Interpreter.group,
    Subshell: Interpreter.subshell,
    If: Interpreter.if_,
    While: Interpreter.while_,
    For: Interpreter.for_,
    ArithmeticFor: Interpreter.arithmetic_for,
    Case: Interpreter.case,
    ArithmeticCommand: Interpreter.arithmetic_command,
    Test: Interpreter.test,
    Function: Interpreter.function,
}
