"""Builtins that steer: exit, return, break, continue, eval, source, exec, trap, set, shopt."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from verlgen.script.read import effects, paths
from verlgen.script.read.symbols import has_symbol, without_symbols
from verlgen.script.read.syntax import Node
from verlgen.script.read.text import cat
from verlgen.script.read.variables import LETTERS

if TYPE_CHECKING:
    from verlgen.script.read.interpreter import Interpreter

LARGEST = 512 * 1024
_OPTIONS = {*LETTERS.values(), *"pipefail posix history histexpand braceexpand hashall".split()} | {
    *"emacs vi ignoreeof interactive-comments keyword monitor nolog notify".split(),
    *"onecmd physical privileged".split(),
}


def _exit(shell: Interpreter, arguments: list[str], node: Node) -> int:
    from verlgen.script.read.ends import Exit

    status = _number(arguments[0]) if arguments else shell.state.status
    shell.state.status = status
    if status == 0 or shell.subshells:
        raise Exit
    asked = next((text for text in reversed(shell.asked) if text), "")
    when = f" when {' '.join(asked.split())[:70]}" if asked else ""
    shell.stops(node, f"exit {status}{when}", status)
    return status


def _return(shell: Interpreter, arguments: list[str], node: Node) -> int:
    from verlgen.script.read.ends import Return

    shell.state.status = _number(arguments[0]) if arguments else shell.state.status
    if shell.functions or shell.sourcing:
        raise Return
    shell.fails(node, "return outside of a function")
    return 1


def _jump(kind: str, shell: Interpreter, arguments: list[str]) -> int:
    from verlgen.script.read.ends import Jump

    if not shell.loops:
        return 0
    levels = _number(arguments[0]) if arguments else 1
    shell.state.status = 0
    raise Jump(kind, max(1, min(levels, shell.loops)))


def _break(shell: Interpreter, arguments: list[str], node: Node) -> int:
    return _jump("break", shell, arguments)


def _continue(shell: Interpreter, arguments: list[str], node: Node) -> int:
    return _jump("continue", shell, arguments)


def _eval(shell: Interpreter, arguments: list[str], node: Node) -> int:
    if not arguments:
        return 0
    shell.state.status = 0
    return shell.run_text(cat([p for a in arguments for p in (" ", a)][1:]), node)


def _source(shell: Interpreter, arguments: list[str], node: Node) -> int:
    from verlgen.script.read.ends import Return

    if not arguments:
        shell.fails(node, "source: a file name is missing")
        return 2
    text, file = _sourced(shell, arguments[0], node)
    if text is None:
        # Where bash would end for a file that is not there, what follows is shown as blocked.
        missing = effects.is_missing(shell, arguments[0])
        return 1 if missing and shell.may_fail(node) else 0
    state = shell.state
    parameters = state.parameters
    if len(arguments) > 1:
        state.parameters = list(arguments[1:])
    shell.sourcing += 1
    if shell.sourcing > 20:
        shell.sourcing -= 1
        shell.uncertain("source", node, "files source each other too deeply")
        return 1
    state.status = 0
    try:
        shell.run_source(shell.sources.add(text, file=file))
    except Return:
        pass
    finally:
        shell.sourcing -= 1
        if len(arguments) > 1:
            state.parameters = parameters
    return state.status


def _sourced(shell: Interpreter, name: str, node: Node) -> tuple[str | None, str | None]:
    """Return the text of a file that is sourced, and its path; None where it is not to be had."""
    if name in shell.files:
        return shell.files[name], None
    shown = shell.symbols.written(name)
    path = paths.resolved(shell.symbols, shell.copies.get(name, name))
    if path is None:
        shell.uncertain("source", node, f"{shown} is not read: where it lies is not known")
        return None, None
    folder = paths.resolved(shell.symbols, shell.state.folder)
    for candidate in paths.candidates(path, folder, shell.script):
        if os.path.isfile(candidate):
            try:
                if os.path.getsize(candidate) > LARGEST:
                    break
                with open(candidate, encoding="utf-8", errors="surrogateescape", newline="") as f:
                    return without_symbols(f.read()), candidate
            except OSError:
                break
    shell.uncertain("source", node, f"{shown} is not there to be read; what it sets is not known")
    return None, None


def _trap(shell: Interpreter, arguments: list[str], node: Node) -> int:
    if len(arguments) >= 2:
        for signal in arguments[1:]:
            name = {"0": "EXIT"}.get(signal, signal.upper().removeprefix("SIG"))
            if arguments[0] in ("-", ""):
                shell.state.traps.pop(name, None)
            else:
                shell.state.traps[name] = arguments[0]
    return 0


def _set(shell: Interpreter, arguments: list[str], node: Node) -> int:
    state = shell.state
    at = 0
    while at < len(arguments):
        word = arguments[at]
        at += 1
        if word == "--":
            state.parameters = list(arguments[at:])
            return 0
        if word in ("-", "+") or word[:1] not in "-+" or not word:
            state.parameters = list(arguments[at - 1 :])
            return 0
        change = state.options.add if word[0] == "-" else state.options.discard
        for letter in word[1:]:
            if letter == "o":
                if at < len(arguments):
                    if arguments[at] not in _OPTIONS and not has_symbol(arguments[at]):
                        shell.fails(node, f"set: {arguments[at]!r}: invalid option name")
                        return 2
                    change(arguments[at])
                    at += 1
            elif letter in LETTERS:
                change(LETTERS[letter])
    return 0


def _shopt(shell: Interpreter, arguments: list[str], node: Node) -> int:
    names = [argument for argument in arguments if not argument.startswith("-")]
    if "-s" in arguments:
        shell.state.shopt.update(names)
    elif "-u" in arguments:
        shell.state.shopt.difference_update(names)
    else:
        return 0 if all(name in shell.state.shopt for name in names) else 1
    return 0


def _number(text: str) -> int:
    if has_symbol(text):
        return 0
    try:
        return int(text) & 255
    except ValueError:
        return 2


BUILTINS = {
    "exit": _exit,
    "return": _return,
    "break": _break,
    "continue": _continue,
    "eval": _eval,
    "source": _source,
    ".": _source,
    "trap": _trap,
    "set": _set,
    "shopt": _shopt,
}
