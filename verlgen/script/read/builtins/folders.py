"""Builtins about the current folder: cd, pwd, pushd, popd."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from verlgen.script.read import effects, paths
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
        if not _is_there(shell, targets[0], folder):
            return _go_nowhere(shell, targets[0], folder, node)
    state.old_folder, state.folder = state.folder, folder
    return 0


def _is_there(shell: Interpreter, path: str, folder: str) -> bool:
    """Tell whether nothing speaks against a folder's being there."""
    known = paths.resolved(shell.symbols, folder)
    if known is None or not path or path == shell.get("HOME"):
        return True
    if any(effects.is_made_folder(shell, name) for name in (path, folder)):
        return True
    if not path.strip("./"):
        return True
    here = paths.resolved(shell.symbols, shell.state.folder)
    given = paths.resolved(shell.symbols, path) or path
    places = paths.candidates(given, here, shell.script)
    return any(map(os.path.isdir, places))


def _go_nowhere(shell: Interpreter, path: str, folder: str, node: Node) -> int:
    """Enter a folder that is not on this disk.

    Where bash would end for it, what follows is shown as blocked. Elsewhere the script is taken at
    its word, but what is made of the name of the folder is not known.
    """
    shown = shell.symbols.written(path)
    fetched = any(effects.is_fetched_folder(shell, name) for name in (path, folder))
    may_fail = shell.may_fail(node)
    fails = may_fail and not fetched and os.path.isabs(paths.resolved(shell.symbols, path) or "")
    if may_fail or shell.not_checked:
        taken = "" if fails else "; taken to be there when the script comes here"
        shell.uncertain("missing-folder", node, f"{shown} is not there{taken}")
    if fails:
        return 1
    state = shell.state
    there = folder if has_symbol(folder) else shell.symbols.new(folder, plain=True, path=folder)
    state.old_folder, state.folder = state.folder, there
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
