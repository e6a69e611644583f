"""Builtins about the current folder: cd, pwd, pushd, popd."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from verlgen.script.read import paths
from verlgen.script.read.symbols import has_symbol
from verlgen.script.read.syntax import Node

if TYPE_CHECKING:
    from verlgen.script.read.interpreter import Interpreter


def _cd(shell: Interpreter, arguments: list[str], node: Node) -> int:
    targets = [a for a in arguments if a not in ("-P", "-L", "--", "-e", "-@")]
    state = shell.state
    if not targets:
        folder = shell.get("HOME") or ""
    elif targets[0] == "-":
        folder = state.old_folder or state.folder
        shell.emit(folder + "\n")
    else:
        folder = joined(shell, targets[0])
    state.old_folder, state.folder = state.folder, folder
    return 0


def joined(shell: Interpreter, path: str) -> str:
    """Return a path as seen from the current folder, `.` and `..` taken away where they can be."""
    symbols = shell.symbols
    if path in ("", "."):
        return shell.state.folder
    first = path[0]
    if first == "/":
        return os.path.normpath(path) if not has_symbol(path) else path
    if has_symbol(first) and (symbols.meaning(first).plain or symbols.meaning(first).path):
        return _normal(shell, path)
    return _normal(shell, f"{shell.state.folder}/{path}")


def _normal(shell: Interpreter, path: str) -> str:
    """Take `..` away; above a symbol that stands for a folder is a symbol for the one above."""
    if not has_symbol(path):
        return os.path.normpath(path)
    made: list[str] = []
    for part in path.split("/"):
        if part in (".", ""):
            if not made:
                made.append(part)
            continue
        if part == ".." and made and made[-1] not in ("..", ""):
            if has_symbol(made[-1]):
                above = paths.dirname(shell.symbols, made[-1])
                if above is None:
                    made.append(part)
                else:
                    made[-1] = above
            else:
                made.pop()
            continue
        made.append(part)
    return "/".join(made)


def _pwd(shell: Interpreter, arguments: list[str], node: Node) -> int:
    shell.emit(shell.state.folder + "\n")
    return 0


def _pushd(shell: Interpreter, arguments: list[str], node: Node) -> int:
    targets = [a for a in arguments if not a.startswith(("-", "+"))]
    if targets:
        stack = shell.state.folder_stack
        stack.append(shell.state.folder)
        _cd(shell, targets, node)
        shell.emit(" ".join([shell.state.folder, *reversed(stack)]) + "\n")
    return 0


def _popd(shell: Interpreter, arguments: list[str], node: Node) -> int:
    if not shell.state.folder_stack:
        shell.fails(node, "popd: the stack of folders is empty")
        return 1
    shell.state.folder = shell.state.folder_stack.pop()
    return 0


BUILTINS = {"cd": _cd, "pwd": _pwd, "pushd": _pushd, "popd": _popd}
