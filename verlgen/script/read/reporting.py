"""The reporting part of the interpreter: places, stops and problems."""

from __future__ import annotations

from verlgen.script.read.ends import Exit
from verlgen.script.read.result import Found, Problem
from verlgen.script.read.sources import Source, Sources
from verlgen.script.read.state import State
from verlgen.script.read.symbols import Symbols
from verlgen.script.read.syntax import Node, Parameter
from verlgen.script.read.text import Place, Text, written


class Reporting:
    """What is known of places, and what is reported.

    Attributes:
        state: The shell's state.
        symbols: Parts of text that are not known.
        sources: Every text taken in.
        source: The one whose commands are being walked.
        main: The script itself.
        script: Its path, or None where it comes from no file.
        launches: What bash would run, and, with `because`, what it would run beyond a stop.
        problems: What the user should know.
        because: Why bash has stopped before, or None.
        stopped: The state as it was there.
        abandoned: While the rest of a line that bash gives up is walked: in how many functions that
            was, and the state as it was there.
        walking: The command being walked.
        asked: Conditions that led to where the walk is, innermost last.
        last_launch: Node of the last trainer command.
        subshells: How many subshells the walk is in.
        functions: How many functions.
        printing: Whether the words being expanded are only to be printed.
    """

    def __init__(self, symbols: Symbols, sources: Sources, source: Source, state: State) -> None:
        self.state = state
        self.symbols = symbols
        self.sources = sources
        self.source = source
        self.main = source
        self.script: str | None = None
        self.launches: list[Found] = []
        self.problems: list[Problem] = []
        self.because: str | None = None
        self.stopped: State | None = None
        self.abandoned: tuple[int, State] | None = None
        self.walking = Node(0, 0)
        self.asked: list[str] = []
        self.last_launch: Node | None = None
        self.subshells = 0
        self.functions = 0
        self.printing = False

    def place(self, node: Node) -> Place:
        """Return the place of a node of the present source."""
        return Place(self.source.number, node.start, node.end)

    def slice(self, start: int, end: int) -> str:
        """Return the present source's text between two offsets."""
        return self.source.text[start:end]

    def line(self, node: Node) -> int | None:
        """Return the line of a node in the user's file."""
        where = self.sources.where(self.place(node))
        return None if where is None else where.line

    def copy_of(self, text: str, offset: int) -> Text:
        """Return text that stands at an offset of the present source."""
        return written(text, self.source.number, offset)

    def stops(self, node: Node, because: str, status: int = 1) -> None:
        """The shell ends here. A subshell really ends; beyond the script's end reading goes on."""
        self.state.status = status
        if self.subshells:
            raise Exit
        line = self.line(node)
        if self.because is None:
            self.stopped = self._copied()
            self.because = because if line is None else f"{because}, line {line}"

    def abandons(self, node: Node | None, message: str) -> None:
        """Bash gives up the whole line here: the rest is read as what is never reached.

        A subshell ends. The shell goes on with its next line, as if nothing behind had been.
        """
        node = node or self.walking
        self.fails(node, message)
        if self.subshells:
            raise Exit
        if self.because is None:
            self.abandoned = (self.functions, self._copied())
            line = self.line(node)
            self.because = f"bash says: {message}" + ("" if line is None else f", line {line}")

    def _copied(self) -> State:
        copy = self.state.copy()
        copy.traps = dict(self.state.traps)
        return copy

    def goes_on(self) -> None:
        """Go on behind a line that bash has given up."""
        if self.abandoned is None:
            return
        functions, state = self.abandoned
        if functions > self.functions:
            state.parameters = self.state.parameters
        state.scopes = state.scopes[: len(self.state.scopes)]
        self.state, self.abandoned, self.because = state, None, None

    def _failed(self, node: Node) -> None:
        text = " ".join(self.slice(node.start, node.end).split())
        self.stops(node, f"{text[:60]} fails (set -e)", self.state.status)

    def unset(self, name: str, part: Node) -> None:
        """A variable without a value is used under `set -u`."""
        what = f"argument ${name} is not given" if name.isdigit() else f"{name} is not set"
        self.problem(
            "unset-variable",
            part,
            f"{what}, and set -u stops the script here",
            f"set it in the environment or write ${{{name}:-default}}",
        )
        self.stops(part, f"{what} (set -u)")

    def missing(self, part: Parameter, message: str) -> None:
        """A variable that `${X:?}` asks for has no value."""
        name = part.name
        what = f"argument ${name} is not given" if name.isdigit() else f"{name} is not set"
        said = self.symbols.written(message)
        self.stops(part, f"{what} ({said or 'required'})")

    def fails(self, node: Node, message: str) -> None:
        """A command of bash's own goes wrong."""
        self.state.status = 1
        self.problem("bash-error", node, f"bash says: {message}")

    def hangs_on(self, node: Node, text: str) -> None:
        """What comes next hangs on a value that is not known."""
        symbols = " ".join(self.symbols.written(text).split()) or "a text"
        self.uncertain(
            "hangs-on",
            node,
            f"what happens here hangs on {symbols[:80]}, which is not known; taken as empty",
        )

    def uncertain(self, code: str, node: Node | None, message: str, remedy: str = "") -> None:
        """Report that the reader itself was not sure."""
        self.problem(code, node, message, remedy, uncertain=True)

    def used_unquoted_at(self, part: Parameter) -> None:
        """Note an unquoted `$@` or `$*`, which breaks arguments at blanks."""
        if self.source is self.main and not self.functions and not self.printing:
            self.problem(
                "unquoted-arguments",
                part,
                f"${part.name} without quotes breaks arguments at blanks",
                'write "$@"',
            )

    def problem(
        self,
        code: str,
        node: Node | None,
        message: str,
        remedy: str = "",
        *,
        uncertain: bool = False,
    ) -> None:
        """Report a problem, the same one once."""
        where = None if node is None else self.sources.where(self.place(node))
        made = Problem(
            None if where is None else where.line,
            code,
            message,
            remedy,
            uncertain,
            None if where is None else where.file,
        )
        if made not in self.problems:
            self.problems.append(made)
