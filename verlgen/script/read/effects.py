"""Files and folders: never looked at on the disk; known is what the script itself makes."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from verlgen.script.read import paths
from verlgen.script.read.symbols import has_symbol
from verlgen.script.read.syntax import Node
from verlgen.script.read.text import cat

if TYPE_CHECKING:
    from verlgen.script.read.compounds import Compounds
    from verlgen.script.read.interpreter import Interpreter

# What a login and the toolkit of the accelerators bring with them.
_OF_SYSTEM = re.compile(
    r"~/\.(?:bashrc|bash_profile|bash_aliases|profile)"
    r"|/etc/(?:profile|bashrc|bash\.bashrc|environment)|/usr/local/Ascend/.*/set_env\.sh"
)
_ALWAYS = re.compile(r"/(?:dev|tmp|proc|var/tmp)(?:/[^/]*)?")


class FileTests:
    """Answers `-f`, `-d` and the like: missing, except for what the script makes."""

    def __init__(self, shell: Compounds) -> None:
        self._shell = shell

    def __call__(self, operator: str, path: str) -> bool:
        """Tell whether a test holds of a path."""
        shell = self._shell
        is_folder = is_made_folder(shell, path)
        is_file = path in shell.files
        if operator in ("-t", "-p"):
            return False
        if operator == "-d":
            return is_folder
        if operator in ("-f", "-s"):
            return is_file and (operator == "-f" or shell.files[path] != "")
        return is_file or is_folder


def is_fetched_folder(shell: Compounds, path: str) -> bool:
    """Tell whether a folder lies in a repository that the script fetches."""
    path = _clean(path)
    return any(path == top or path.startswith(f"{top}/") for top in shell.fetched)


def is_made_folder(shell: Compounds, path: str) -> bool:
    """Tell whether a folder is there: always, or made by the script."""
    return _clean(path) in shell.folders or path in ("/", ".", "..", "/dev", "/tmp", "/root")


def is_missing(shell: Interpreter, path: str) -> bool:
    """Tell whether a file that is not on this disk is one that a machine need not have."""
    known = paths.resolved(shell.symbols, path)
    if known is None:
        return False
    home = shell.get("HOME") or ""
    return not _OF_SYSTEM.fullmatch(known.replace(home, "~", 1) if home else known)


def apply(shell: Interpreter, name: str, arguments: list[str], node: Node) -> bool:
    """Carry out a program that works on files; tell whether it was one and is dealt with."""
    plain = [argument for argument in arguments if not argument.startswith("-")]
    if name == "mkdir":
        for path in plain:
            _make_folder(shell, path)
        return True
    if name == "git" and plain[:1] == ["clone"] and len(plain) > 1:
        name = plain[2] if len(plain) > 2 else plain[1].rpartition("/")[2].removesuffix(".git")
        shell.fetched.add(_clean(name))
        return False
    if name == "touch":
        for path in plain:
            shell.files.setdefault(path, "")
        return True
    if name == "rm":
        for path in plain:
            shell.files.pop(path, None)
            shell.folders.discard(_clean(path))
        return True
    if name in ("cp", "mv") and len(plain) > 1:
        _copies(shell, plain, node)
        return True
    if name == "tee":
        for path in plain:
            _tee(shell, path, node)
        if shell.stdin is not None:
            for path in plain:
                write(shell, path, shell.stdin, append="-a" in arguments)
            shell.emit(shell.stdin)
        return True
    if name == "cat" and (plain or not arguments):
        contents = [
            shell.stdin if path == "-" else shell.files.get(path) for path in plain or ["-"]
        ]
        if any(content is None for content in contents):
            shell.emit_unknown(node)
        else:
            shell.emit(cat(content or "" for content in contents))
        return True
    return False


def _copies(shell: Interpreter, paths: list[str], node: Node) -> None:
    """Under `set -e`, a copy of what is not there ends the script: that hangs on the disk."""
    *sources, target = paths
    for path in sources:
        if path in shell.files:
            shell.files[target] = shell.files[path]
            continue
        shell.copies[target] = path
        if is_on_disk(shell, path):
            continue
        if "errexit" in shell.state.options and not shell.not_checked:
            shown = shell.symbols.written(path)
            shell.uncertain(
                "missing-file", node, f"set -e ends the script here if {shown} is not there"
            )


def is_on_disk(shell: Interpreter, path: str) -> bool | None:
    """Tell whether something lies at a path; None where it is not known which path it is."""
    known = paths.resolved(shell.symbols, path)
    if known is None:
        return None
    here = paths.resolved(shell.symbols, shell.state.folder)
    return any(map(os.path.exists, paths.candidates(known, here, shell.script)))


def _make_folder(shell: Interpreter, path: str) -> None:
    path = _clean(path)
    while path and path not in ("/", "."):
        shell.folders.add(path)
        path = path.rpartition("/")[0]


def _clean(path: str) -> str:
    return re.sub(r"/+", "/", path).removeprefix("./").rstrip("/") or path


def _tee(shell: Interpreter, path: str, node: Node) -> None:
    folder = folder_missing(shell, path)
    if folder is not None and shell.launches:
        shell.problem(
            "tee-folder",
            node,
            f"tee writes into {shell.symbols.written(folder)}/, which nothing here makes: "
            "the log is lost if the folder is not there",
            f'put mkdir -p "{shell.symbols.written(folder)}" before it',
        )


def folder_missing(shell: Interpreter, path: str) -> str | None:
    """Return the folder of a path if nothing says that it is there."""
    folder = _clean(path).rpartition("/")[0]
    if not folder or folder in ("~", ".") or _ALWAYS.match(folder + "/"):
        return None
    if folder in shell.folders or has_symbol(folder[-1:]):
        return None
    return folder


def writable(shell: Interpreter, path: str, node: Node) -> bool:
    """Tell whether a redirection can open its file: its folder must be there."""
    folder = folder_missing(shell, path)
    if folder is None:
        return True
    shell.problem(
        "log-folder",
        node,
        f"writes into {shell.symbols.written(folder)}/, which nothing here makes: "
        "bash does not run the command if the folder is not there",
        f'put mkdir -p "{shell.symbols.written(folder)}" before it',
        uncertain=True,
    )
    return True


def write(shell: Interpreter, path: str, text: str, *, append: bool = False) -> None:
    """Take note of what a file holds now."""
    before = shell.files.get(path) if append else ""
    known = before is not None and shell.output_known(text)
    shell.files[path] = cat([before or "", text]) if known else None
