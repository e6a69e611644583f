"""`wc`, `sort`, `uniq` and `rev`."""

from __future__ import annotations

import re
from decimal import Decimal
from itertools import groupby

from verlgen.script.read.doubt import Unknown
from verlgen.script.read.programs.common import (
    be_known,
    join_lines,
    only_stdin,
    options,
    split_lines,
)

_NUMBER = re.compile(r"[ \t]*(-?)([0-9]*(?:\.[0-9]*)?)")


def wc(arguments: list[str], stdin: str) -> tuple[str, int]:
    """Count lines, words, characters and bytes."""
    long = {"lines": "l", "words": "w", "bytes": "c", "chars": "m"}
    given = options("wc", arguments, "lwcm", "", long)
    if given.operands:
        raise Unknown("wc reads a file")
    be_known("wc", stdin)
    if not stdin.isascii() and (given.has("m") or given.has("w") or not given.given):
        raise Unknown("what wc counts as a character hangs on the locale")
    letters = {letter for letter, _ in given.given} or set("lwc")
    counts = {
        "l": stdin.count("\n"),
        "w": len(re.findall(r"[^ \t\n\r\v\f]+", stdin)),
        "m": len(stdin),
        "c": len(stdin.encode("utf-8", "surrogatepass")),
    }
    if "w" in letters and re.search(r"[\x00-\x08\x0e-\x1f\x7f]", stdin):
        raise Unknown("what wc counts as a word is not known")
    found = [counts[letter] for letter in "lwmc" if letter in letters]
    if len(found) == 1:
        return f"{found[0]}\n", 0
    return " ".join(f"{number:7d}" for number in found) + "\n", 0


def sort(arguments: list[str], stdin: str) -> tuple[str, int]:
    """Sort lines by their bytes, or by the numbers at their beginnings."""
    long = {"numeric-sort": "n", "reverse": "r", "unique": "u"}
    given = options("sort", arguments, "nru", "", long)
    only_stdin("sort", given.operands)
    be_known("sort", stdin)
    lines, _ = split_lines(stdin)
    reverse = given.has("r")
    lines.sort(key=_bytes, reverse=reverse and not given.has("u"))
    if given.has("n"):
        if given.has("u"):
            lines = split_lines(stdin)[0]
        lines.sort(key=_number, reverse=reverse)
    elif given.has("u"):
        lines.sort(key=_bytes, reverse=reverse)
    if given.has("u"):
        key = _number if given.has("n") else _bytes
        lines = [next(group) for _, group in groupby(lines, key=key)]
    return join_lines(lines), 0


def _bytes(line: str) -> bytes:
    return line.encode("utf-8", "surrogatepass")


def _number(line: str) -> Decimal:
    found = _NUMBER.match(line)
    digits = found[2].strip(".") if found else ""
    if not digits or not found:
        return Decimal(0)
    return Decimal(f"{found[1]}{found[2]}" if found[2] != "." else "0")


def uniq(arguments: list[str], stdin: str) -> tuple[str, int]:
    """Drop lines that are equal to the one before."""
    long = {"count": "c", "repeated": "d", "unique": "u"}
    given = options("uniq", arguments, "cdu", "", long)
    only_stdin("uniq", given.operands)
    be_known("uniq", stdin)
    lines, _ = split_lines(stdin)
    result: list[str] = []
    for line, group in groupby(lines):
        size = sum(1 for _ in group)
        if (given.has("d") and size == 1) or (given.has("u") and size > 1):
            continue
        result.append(f"{size:7d} {line}" if given.has("c") else line)
    return join_lines(result), 0


def rev(arguments: list[str], stdin: str) -> tuple[str, int]:
    """Turn each line around."""
    only_stdin("rev", arguments)
    be_known("rev", stdin)
    lines, ended = split_lines(stdin)
    if not stdin.isascii():
        raise Unknown("what rev takes for a character hangs on the locale")
    return join_lines([line[::-1] for line in lines], ended), 0
