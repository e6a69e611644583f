"""Programs whose output follows from their words and their input alone.

A program is a function of its words (without its name) and its standard input; it returns what it
prints and its exit status. It raises `Unknown` for an option, an input or a mistake that is beyond
it, and where it would look into a symbol.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

Program = Callable[[list[str], str], tuple[str, int]]


def _loaded(module: str, function: str) -> Program:
    """Return a program whose module is imported when it first runs."""

    def run(arguments: list[str], stdin: str) -> tuple[str, int]:
        program: Program = getattr(import_module(f"{__name__}.{module}"), function)
        return program(arguments, stdin)

    return run


PROGRAMS: dict[str, Program] = {
    "awk": _loaded("awk", "awk"),
    "basename": _loaded("paths", "basename"),
    "bc": _loaded("bc", "bc"),
    "cat": _loaded("streams", "cat"),
    "cut": _loaded("fields", "cut"),
    "dirname": _loaded("paths", "dirname"),
    "egrep": _loaded("grep", "egrep"),
    "expr": _loaded("expr", "expr"),
    "false": _loaded("streams", "false"),
    "fgrep": _loaded("grep", "fgrep"),
    "gawk": _loaded("awk", "awk"),
    "grep": _loaded("grep", "grep"),
    "head": _loaded("streams", "head"),
    "md5sum": _loaded("sums", "md5sum"),
    "paste": _loaded("fields", "paste"),
    "python": _loaded("python", "python"),
    "python3": _loaded("python", "python"),
    "rev": _loaded("lines", "rev"),
    "sed": _loaded("sed", "sed"),
    "seq": _loaded("seq", "seq"),
    "sha1sum": _loaded("sums", "sha1sum"),
    "sha256sum": _loaded("sums", "sha256sum"),
    "sort": _loaded("lines", "sort"),
    "tail": _loaded("streams", "tail"),
    "tee": _loaded("streams", "tee"),
    "tr": _loaded("tr", "tr"),
    "true": _loaded("streams", "true"),
    "uniq": _loaded("lines", "uniq"),
    "wc": _loaded("lines", "wc"),
    "xargs": _loaded("words", "xargs"),
}
"""The programs by name."""
