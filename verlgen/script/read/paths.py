"""What can be said of a path that is a symbol, such as the script's own (`$0`)."""

from __future__ import annotations

import os

from verlgen.script.read.symbols import Symbols, has_symbol


def operated(symbols: Symbols, text: str, operator: str, pattern: str) -> str | None:
    """Return `${X%/*}` and `${X##*/}` of a path symbol; None for anything else."""
    if len(text) != 1 or symbols.meaning(text).path is None:
        return None
    if operator in ("%", "%%") and pattern == "/*":
        return dirname(symbols, text)
    if operator == "##" and pattern == "*/":
        return basename(symbols, text)
    return None


def dirname(symbols: Symbols, text: str) -> str | None:
    """Return the folder of a path that is one symbol, as a symbol; None where it is not."""
    path = _lone(symbols, text)
    if path is None:
        return None
    folder = os.path.dirname(path) or "."
    return symbols.new(f"$(dirname {symbols.meaning(text).text})", path=folder)


def basename(symbols: Symbols, text: str) -> str | None:
    """Return the last part of a path that is one symbol, where it is known.

    The script has its name wherever it lies; where it is started from is anyone's guess.
    """
    path = _lone(symbols, text)
    if path is None or "$PWD" in symbols.meaning(text).text:
        return None
    name = os.path.basename(path)
    return None if name in ("", ".", "..") else name


def resolved(symbols: Symbols, text: str) -> str | None:
    """Return the file-system path that a text stands for; None where a symbol has none."""
    if not has_symbol(text):
        return text
    pieces = []
    for char in text:
        if has_symbol(char):
            path = symbols.meaning(char).path
            if path is None:
                return None
            pieces.append(path)
        else:
            pieces.append(char)
    return "".join(pieces)


def candidates(path: str, folder: str | None, script: str | None) -> list[str]:
    """Return where a path may lie: seen from the current folder, or from a folder of the script.

    A script of a repository is started from its root as often as from its own folder.
    """
    if os.path.isabs(path):
        return [path]
    bases = [] if folder is None else [folder]
    if script:
        base = os.path.dirname(os.path.abspath(script))
        while True:
            bases.append(base)
            if os.path.dirname(base) == base or os.path.exists(os.path.join(base, ".git")):
                break
            base = os.path.dirname(base)
    return [os.path.join(base, path) for base in bases]


def _lone(symbols: Symbols, text: str) -> str | None:
    return symbols.meaning(text).path if len(text) == 1 and has_symbol(text) else None
