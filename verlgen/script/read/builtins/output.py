"""Builtins that print or only answer: echo, printf, true, false, :, test, type, command -v."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verlgen.script.read import external, questions
from verlgen.script.read.doubt import Unknown
from verlgen.script.read.syntax import Node

if TYPE_CHECKING:
    from verlgen.script.read.interpreter import Interpreter


def _echo(shell: Interpreter, arguments: list[str], node: Node) -> int:
    from verlgen.script.read import formats

    try:
        shell.emit(formats.echo(arguments, plain=shell.symbols.is_plain))
    except Unknown:
        shell.emit_unknown(node)
    return 0


def _printf(shell: Interpreter, arguments: list[str], node: Node) -> int:
    from verlgen.script.read import formats

    target = None
    if arguments[:1] == ["-v"] and len(arguments) >= 2:
        target, arguments = arguments[1], arguments[2:]
    if arguments[:1] == ["--"]:
        arguments = arguments[1:]
    if not arguments:
        shell.fails(node, "printf: a format is missing")
        return 2
    try:
        printed = formats.printf(arguments[0], arguments[1:])
    except Unknown:
        if target is None:
            shell.emit_unknown(node)
            return 0
        symbol = shell.symbols.new(f"$({shell.slice(node.start, node.end)})")
        printed = formats.Printed(symbol)
    if printed.problem is not None:
        shell.problem("bash-error", node, f"bash says: {printed.problem}")
    if target is None:
        shell.emit(printed.text)
        return printed.status
    return shell.put(target, printed.text, node) or printed.status


def _test(shell: Interpreter, arguments: list[str], node: Node) -> int:
    return questions.tested(shell, arguments, node)


def _bracket(shell: Interpreter, arguments: list[str], node: Node) -> int:
    if arguments[-1:] != ["]"]:
        shell.fails(node, "[: the closing ] is missing")
        return 2
    return questions.tested(shell, arguments[:-1], node)


def _true(shell: Interpreter, arguments: list[str], node: Node) -> int:
    return 0


def _false(shell: Interpreter, arguments: list[str], node: Node) -> int:
    return 1


def _type(shell: Interpreter, arguments: list[str], node: Node) -> int:
    names = [a for a in arguments if not a.startswith("-")]
    known = all(external.is_known(shell, name) for name in names)
    if known and "-t" in arguments:
        shell.emit("function\n" if names[0] in shell.state.functions else "builtin\n")
    elif known:
        shell.emit("\n".join(names) + "\n")
    else:
        shell.emit_unknown(node)
    return 0


BUILTINS = {
    "echo": _echo,
    "printf": _printf,
    "test": _test,
    "[": _bracket,
    "true": _true,
    ":": _true,
    "false": _false,
    "type": _type,
    "hash": _true,
    "wait": _true,
    "ulimit": _true,
    "umask": _true,
    "alias": _true,
    "unalias": _true,
    "bind": _true,
    "disown": _true,
    "jobs": _true,
    "enable": _true,
    "history": _true,
    "kill": _true,
    "times": _true,
    "caller": _true,
    "complete": _true,
}
