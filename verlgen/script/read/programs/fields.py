"""`cut` and `paste`."""

from __future__ import annotations

import re

from verlgen.script.read.doubt import Unknown
from verlgen.script.read.programs.common import (
    be_known,
    count,
    join_lines,
    only_stdin,
    options,
    split_lines,
)

_RANGE = re.compile(r"([0-9]*)(-?)([0-9]*)")


def cut(arguments: list[str], stdin: str) -> tuple[str, int]:
    """Return fields or characters of each line."""
    be_known("cut", stdin, *arguments)
    long = {
        "delimiter": "d",
        "fields": "f",
        "bytes": "b",
        "characters": "c",
        "only-delimited": "s",
        "output-delimiter": "O",
    }
    given = options("cut", arguments, "sn", "dfbcO", long)
    only_stdin("cut", given.operands)
    lists = [pair for pair in given.given if pair[0] in "fbc"]
    if len(lists) != 1:
        raise Unknown("cut is used in a way that is not read")
    kind, written = lists[0]
    ranges = _ranges(written)
    lines, _ = split_lines(stdin)
    if kind != "f":
        if not stdin.isascii() or given.has("d") or given.has("s") or given.has("O"):
            raise Unknown("cut is used in a way that is not read")
        return join_lines(["".join(_chosen(list(line), ranges)) for line in lines]), 0
    delimiter = given.last("d", "\t")
    if len(delimiter) != 1 or not delimiter.isascii() or delimiter == "\n":
        raise Unknown("cut has an odd delimiter")
    between = given.last("O", delimiter)
    if given.has("O") and not between:
        raise Unknown("cut is used in a way that is not read")
    result: list[str] = []
    for line in lines:
        if delimiter in line:
            result.append(between.join(_chosen(line.split(delimiter), ranges)))
        elif not given.has("s"):
            result.append(line)
    return join_lines(result), 0


def _ranges(written: str) -> list[tuple[int, int | None]]:
    if len(written) > 200:
        raise Unknown("cut has a very long list")
    ranges: list[tuple[int, int | None]] = []
    for part in re.split(r"[, \t]", written):
        found = _RANGE.fullmatch(part)
        if found is None or not (found[1] or found[3]):
            raise Unknown(f"cut has a list that is not read: {written}")
        first = count("cut", found[1] or "1")
        last = first if not found[2] else count("cut", found[3]) if found[3] else None
        if first < 1 or (last is not None and last < first):
            raise Unknown(f"cut has a list that is not read: {written}")
        ranges.append((first, last))
    return ranges


def _chosen(parts: list[str], ranges: list[tuple[int, int | None]]) -> list[str]:
    wanted = {
        number
        for first, last in ranges
        for number in range(first, min(len(parts), last or len(parts)) + 1)
    }
    return [parts[number - 1] for number in sorted(wanted)]


def paste(arguments: list[str], stdin: str) -> tuple[str, int]:
    """Return the lines joined with delimiters (`-s`), or as they are."""
    be_known("paste", stdin, *arguments)
    given = options("paste", arguments, "s", "d", {"serial": "s", "delimiters": "d"})
    only_stdin("paste", given.operands)
    lines, _ = split_lines(stdin)
    if not given.has("s"):
        return join_lines(lines), 0
    delimiters = _delimiters(given.last("d", "\t"))
    text = ""
    for index, line in enumerate(lines):
        text += (delimiters[(index - 1) % len(delimiters)] if index else "") + line
    return f"{text}\n", 0


def _delimiters(written: str) -> list[str]:
    found: list[str] = []
    letters = iter(written)
    for letter in letters:
        if letter != "\\":
            found.append(letter)
            continue
        escape = next(letters, "")
        if escape not in ("n", "t", "\\", "0"):
            raise Unknown("paste has an odd delimiter")
        found.append({"n": "\n", "t": "\t", "\\": "\\", "0": ""}[escape])
    if not written.isascii():
        raise Unknown("paste has an odd delimiter")
    return found or [""]
