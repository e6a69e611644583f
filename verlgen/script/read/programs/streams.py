"""Programs that pass their input on: whole, or the beginning or end of it."""

from __future__ import annotations

from verlgen.script.read.doubt import Unknown
from verlgen.script.read.programs.common import (
    be_known,
    count,
    join_lines,
    only_stdin,
    options,
    split_lines,
)
from verlgen.script.read.symbols import has_symbol


def true(arguments: list[str], stdin: str) -> tuple[str, int]:
    """Succeed."""
    del arguments, stdin
    return "", 0


def false(arguments: list[str], stdin: str) -> tuple[str, int]:
    """Fail."""
    del arguments, stdin
    return "", 1


def cat(arguments: list[str], stdin: str) -> tuple[str, int]:
    """Pass on the input."""
    only_stdin("cat", options("cat", arguments, "u").operands)
    return stdin, 0


def tee(arguments: list[str], stdin: str) -> tuple[str, int]:
    """Pass on the input; that it is written into files too is not told."""
    options("tee", arguments, "aip", "", {"append": "a", "ignore-interrupts": "i"})
    return stdin, 0


def head(arguments: list[str], stdin: str) -> tuple[str, int]:
    """Return the first lines or bytes."""
    unit, amount = _amount("head", arguments)
    size = count("head", amount.lstrip("-+"))
    if unit == "c":
        be_known("head", stdin)
        data = stdin.encode("utf-8", "surrogatepass")
        return _text(data[:-size] if amount.startswith("-") and size else data[: _size(amount)]), 0
    if amount.startswith("-"):
        be_known("head", stdin)
        lines, ended = split_lines(stdin)
        kept = lines[: max(0, len(lines) - size)]
        return join_lines(kept, ended or len(kept) < len(lines)), 0
    pieces = stdin.split("\n", size)
    known = len(pieces) > size
    text = stdin[: len(stdin) - len(pieces[-1])] if known else stdin
    be_known("head", *([text] if known else [stdin]))
    return text, 0


def _size(amount: str) -> int | None:
    return None if amount.startswith("-") else int(amount.lstrip("+"))


def tail(arguments: list[str], stdin: str) -> tuple[str, int]:
    """Return the last lines or bytes, or those from a certain one on (`+3`)."""
    unit, amount = _amount("tail", arguments)
    size = count("tail", amount.lstrip("-+"))
    from_start = amount.startswith("+")
    if unit == "c":
        be_known("tail", stdin)
        data = stdin.encode("utf-8", "surrogatepass")
        start = max(0, size - 1) if from_start else max(0, len(data) - size)
        return _text(data[start:]), 0
    if from_start:
        pieces = stdin.split("\n", max(0, size - 1))
        found = pieces[-1] if len(pieces) >= size else ""
        be_known("tail", stdin[: len(stdin) - len(found)] if found else stdin)
        return found, 0
    lines, ended = split_lines(stdin)
    kept = lines[max(0, len(lines) - size) :] if size else []
    if has_symbol(stdin) and (len(kept) == len(lines) or any(map(has_symbol, kept))):
        raise Unknown("tail works on a part that is not known")
    return join_lines(kept, ended), 0


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeError:
        raise Unknown("a text is cut inside a character") from None


def _amount(program: str, arguments: list[str]) -> tuple[str, str]:
    """Return `n` or `c` and the number with its sign."""
    words = list(arguments)
    if words and words[0][:1] == "-" and words[0][1:].isdecimal():
        words[0] = f"-n{words[0][1:]}"
    given = options(program, words, "q", "nc", {"lines": "n", "bytes": "c", "quiet": "q"})
    only_stdin(program, given.operands)
    counts = [pair for pair in given.given if pair[0] in "nc"]
    unit, amount = counts[-1] if counts else ("n", "10")
    be_known(program, amount)
    if amount[1:2] in ("-", "+"):
        raise Unknown(f"{program} has a number that is not read: {amount}")
    return unit, amount
