"""Simple commands: functions, builtins, launches, pure programs, and programs that are not run."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from verlgen.script.read import (
    assumptions,
    builtins,
    effects,
    launching,
    paths,
)
from verlgen.script.read.doubt import Unknown
from verlgen.script.read.programs import PROGRAMS
from verlgen.script.read.symbols import has_symbol
from verlgen.script.read.syntax import Node, Redirection, Simple
from verlgen.script.read.text import Text

if TYPE_CHECKING:
    from verlgen.script.read.interpreter import Interpreter

_NUMBER = re.compile(r"\d+")
_OVERRIDE = re.compile(r"[A-Za-z_]\w*\.[\w.@/-]+=|(?:\+{1,2}|~)[A-Za-z_][\w.@/-]*(?:=|$)")


def simple(shell: Interpreter, node: Simple, fields: list[Text]) -> None:
    """Carry out a command whose words are expanded."""
    saved = []
    for assignment in node.assignments:
        name = assignment.name
        before = shell.state.find(name)
        saved.append((name, None if before is None else before.copy()))
        shell.assignment(assignment)
        shell.state.make(name).exported = True
    try:
        redirected(shell, node.redirections, lambda: dispatch(shell, node, list(fields)))
    finally:
        # `X=1 cmd` lasts for the command, but a special builtin's would in POSIX mode only.
        for name, before in reversed(saved):
            shell.state.forget(name)
            if before is not None:
                shell.state.scopes[-1 if name in shell.state.scopes[-1] else 0][name] = before


def dispatch(shell: Interpreter, node: Node, fields: list[str]) -> None:
    """Run a command by its name."""
    name = str(fields[0])
    functions = True
    while name in ("command", "builtin") and len(fields) > 1:
        if name == "command" and re.fullmatch(r"-[pvV]+", fields[1]):
            shell.state.status = _look_up(shell, fields[1:])
            return
        fields = fields[1:]
        name, functions = str(fields[0]), False
    if functions and name in shell.state.functions:
        shell.call(name, fields[1:])
        return
    if name == "exec":
        _exec(shell, node, fields[1:])
        return
    builtin = builtins.find(name)
    if builtin is not None:
        shell.state.status = builtin(shell, fields[1:], node)
        return
    program(shell, node, fields)


def _exec(shell: Interpreter, node: Node, fields: list[str]) -> None:
    from verlgen.script.read.ends import Exit

    while fields and fields[0].startswith("-"):
        taken = 2 if fields[0] == "-a" else 1
        fields = fields[taken:]
    if not fields:
        shell.state.status = 0  # only redirections
        return
    program(shell, node, fields)
    if not shell.because:
        raise Exit


def program(shell: Interpreter, node: Node, fields: list[str]) -> None:
    """Run a program: a launch is noted, a pure one computed, any other one succeeds unseen."""
    shell.state.status = 0
    if launching.note(shell, node, fields):
        shell.emit_unknown(node)
        return
    name = str(fields[0]).rpartition("/")[2]
    if name == "which":
        shell.state.status = _look_up(shell, fields[1:])
        return
    if effects.apply(shell, name, fields[1:], node):
        return
    known = assumptions.python(shell, name, fields[1:], node)
    if known is not None:
        printed, shell.state.status = known
        shell.emit(printed)
        return
    pure = PROGRAMS.get(name)
    if pure is not None:
        special = _of_path(shell, name, fields[1:])
        if special is not None:
            shell.emit(special + "\n")
            return
        try:
            stdin = _stdin(shell)
            printed, shell.state.status = pure([str(field) for field in fields[1:]], stdin)
            shell.emit(printed)
            return
        except Unknown:
            shell.state.status = 0
    if _looks_like_override(fields[0]):
        if shell.launches:
            launching.left_over(shell, node, fields)
        shell.state.status = 127
        return
    if name not in _SILENT:
        shell.emit_unknown(node)


def _stdin(shell: Interpreter) -> str:
    if shell.stdin is None:
        return ""
    if not shell.output_known(shell.stdin):
        raise Unknown("its input is not known")
    return shell.stdin


def _of_path(shell: Interpreter, name: str, arguments: list[str]) -> str | None:
    """Return what dirname, basename and realpath say of a path that is a symbol."""
    plain = [argument for argument in arguments if argument != "--"]
    if name == "dirname" and len(plain) == 1:
        return paths.dirname(shell.symbols, plain[0])
    if name == "basename" and plain:
        base = paths.basename(shell.symbols, plain[0])
        if base is not None and len(plain) == 2:
            return base.removesuffix(plain[1]) if base != plain[1] else base
        return base if len(plain) == 1 else None
    if name in ("realpath", "readlink"):
        plain = [argument for argument in plain if not argument.startswith("-")]
        if len(plain) == 1 and paths.resolved(shell.symbols, plain[0]) and has_symbol(plain[0]):
            return plain[0]
    return None


def _look_up(shell: Interpreter, arguments: list[str]) -> int:
    """`command -v NAME`: a program that is not known to be missing is there."""
    names = [argument for argument in arguments if not argument.startswith("-")]
    for name in names:
        if is_known(shell, name):
            shell.emit(name + "\n")
        elif name in _MISSING:
            return 1
        elif "/" in name:
            shell.emit(name + "\n")
        else:
            # Its path is not known, but that it is one, and that a program lies there.
            written = f"$(command -v {shell.symbols.written(name)})"
            path = shell.symbols.new(written, plain=True)
            shell.files.setdefault(path, None)
            shell.emit(path + "\n")
    return 0


def is_known(shell: Interpreter, name: str) -> bool:
    """Tell whether a name is a function or a builtin."""
    return name in shell.state.functions or builtins.find(name) is not None


def _looks_like_override(word: str) -> bool:
    return _OVERRIDE.match(word) is not None


# --- redirections ---------------------------------------------------------------------------------


def redirected(
    shell: Interpreter, redirections: Sequence[Redirection], action: Callable[[], None]
) -> None:
    """Do something with its input and output led elsewhere."""
    stdin, target, mode, discarded = shell.stdin, None, ">", False
    for node in redirections:
        operator, number = node.operator, node.descriptor
        text = shell.expand(node.target)
        if operator in ("<<", "<<-"):
            stdin = text
        elif operator == "<<<":
            stdin = text + "\n"
        elif operator == "<":
            if number in ("", "0"):
                stdin = _content(shell, text, node)
        elif operator in (">&", "&>", "&>>", ">", ">>", ">|"):
            to_stdout = number in ("", "1")
            if operator == ">&" and (_NUMBER.fullmatch(text) or text == "-"):
                if to_stdout and text != "1":
                    discarded, target = True, None
                continue
            if not effects.writable(shell, text, node):
                shell.state.status = 1
                return
            if to_stdout:
                target, mode = str(text), ">>" if ">>" in operator else ">"
    before, shell.stdin = shell.stdin, stdin
    try:
        if target is None and not discarded:
            action()
            return
        printed = shell.capture(action)
        if target is not None:
            effects.write(shell, target, printed, append=mode == ">>")
    finally:
        # What `read` has taken from a loop's input is gone for the next round.
        shell.stdin = before if redirections and stdin is not before else shell.stdin


def _content(shell: Interpreter, path: str, node: Node) -> str | None:
    if path == "/dev/null":
        return ""
    if path in shell.files and shell.files[path] is not None:
        return shell.files[path]
    symbol = shell.symbols.new(f"$(< {shell.symbols.written(path)})")
    if len(path) == 1 and has_symbol(path):
        symbol = path  # a process substitution
    shell.mark_not_run(symbol)
    return symbol


_SILENT = frozenset(
    {
        "mkdir",
        "rm",
        "cp",
        "mv",
        "ln",
        "touch",
        "chmod",
        "chown",
        "sleep",
        "kill",
        "pkill",
        "killall",
        "ulimit",
        "rmdir",
        "install",
        "module",
        "conda",
        "deactivate",
        "sync",
        "mount",
        "umount",
    }
)
"""Programs that print nothing when all goes well."""

_MISSING = frozenset({"npu-smi", "rocm-smi", "ascend-dmi"})
"""Programs of other machines than the CUDA ones that a reading assumes."""
