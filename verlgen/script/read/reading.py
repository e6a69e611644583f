"""Reads a script: text in, launches and problems out."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from verlgen.script.read.interpreter import Interpreter
from verlgen.script.read.result import Found, Problem
from verlgen.script.read.sources import Sources, Where
from verlgen.script.read.state import State, Variable
from verlgen.script.read.suspicious import at_the_end
from verlgen.script.read.symbols import Symbols, without_symbols
from verlgen.script.read.text import place_of

_RECURSION = 12_000
"""Python frames that a script of the deepest nesting needs; the default is 1,000."""


class Reading(NamedTuple):
    """What a script does.

    Attributes:
        launches: What bash would run, in order.
        blocked: What it would run beyond a stop.
        problems: What the user should know, by line.
        knobs: Variable that the script takes from the environment -> its default as written.
        symbols: Renders text with symbols.
        sources: Renders places.
    """

    launches: list[Found]
    blocked: list[Found]
    problems: list[Problem]
    knobs: dict[str, str]
    symbols: Symbols
    sources: Sources

    def where(self, word: str) -> Where | None:
        """Return where a word was written."""
        return self.sources.where(place_of(word))


def read(
    text: str,
    *,
    name: str = "bash",
    file: str | None = None,
    environment: Mapping[str, str] | None = None,
    arguments: Sequence[str] = (),
    first_line: int = 1,
    column_offset: int = 0,
) -> Reading:
    """Read a script without running anything.

    Args:
        text: The script.
        name: How the user calls it.
        file: Its path, for what it sources and for `$0`; None where it comes from no file.
        environment: Variables set beyond a clean start. `HOME` and `USER` stay symbols where they
            are not among them.
        arguments: Positional parameters.
        first_line: Line of the first character in the user's file.
        column_offset: Columns that stand before it there.
    """
    symbols, sources = Symbols(), Sources()
    source = sources.add(
        without_symbols(text).replace("\0", ""),
        first_line=first_line,
        column_offset=column_offset,
    )
    state = _start(symbols, environment or {})
    state.name = name
    state.parameters = list(arguments)
    shell = Interpreter(symbols, sources, source, state)
    shell.script = file
    shell.inherited = state.exported()
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _RECURSION))
    try:
        shell.run()
        at_the_end(shell)
    finally:
        sys.setrecursionlimit(before)
    problems = sorted(shell.problems, key=lambda p: (p.file is not None, p.line or 0))
    return Reading(
        [found for found in shell.launches if found.because is None],
        [found for found in shell.launches if found.because is not None],
        problems,
        shell.knobs,
        symbols,
        sources,
    )


def _start(symbols: Symbols, environment: Mapping[str, str]) -> State:
    """Return the state that a script starts with: `env -i HOME=… USER=…`, and what is given."""
    state = State()
    given = dict(environment)
    for name in ("HOME", "USER"):
        given.setdefault(name, symbols.new(f"${name}", plain=True))
    given.setdefault("PATH", symbols.new("$PATH", plain=True))
    for name, value in given.items():
        variable = state.scopes[0][name] = Variable(value)
        variable.exported = True
    state.folder = environment.get("PWD") or symbols.new("$PWD", path=os.getcwd())
    state.scopes[0]["IFS"] = Variable(" \t\n")
    return state
