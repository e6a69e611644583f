"""`tr`: characters for characters."""

from __future__ import annotations

import re

from verlgen.script.read.doubt import Unknown
from verlgen.script.read.nodes import CLASSES
from verlgen.script.read.programs.common import be_known, options

_LETTERS = {"a": 7, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11, "\\": 92}
_OCTAL = re.compile(r"[0-7]{1,3}")
_ASCII = [chr(code) for code in range(128)]


def tr(arguments: list[str], stdin: str) -> tuple[str, int]:
    """Translate (two sets), delete (`-d`) or squeeze (`-s`) characters."""
    be_known("tr", stdin, *arguments)
    long = {"delete": "d", "squeeze-repeats": "s", "complement": "c"}
    given = options("tr", arguments, "dscC", "", long)
    sets = given.operands
    complement = given.has("c") or given.has("C")
    delete, squeeze = given.has("d"), given.has("s")
    wanted = {(True, True): (2, 2), (True, False): (1, 1), (False, True): (1, 2)}
    low, high = wanted.get((delete, squeeze), (2, 2))
    if not low <= len(sets) <= high or not all(text.isascii() for text in sets):
        raise Unknown("tr is used in a way that is not read")
    if complement and not stdin.isascii():
        raise Unknown("what tr takes for a character hangs on the locale")
    first = _members(sets[0])
    if complement:
        first = [character for character in _ASCII if character not in set(first)]
    text = stdin
    if delete:
        dropped = set(first)
        text = "".join(character for character in text if character not in dropped)
    elif len(sets) == 2:
        text = text.translate(_table(sets, first))
    if squeeze:
        text = _squeezed(text, set(_members(sets[1]) if len(sets) == 2 else first))
    return text, 0


def _table(sets: list[str], first: list[str]) -> dict[int, str]:
    pair = tuple(sets)
    if "[:" in sets[1] and pair not in (
        ("[:lower:]", "[:upper:]"),
        ("[:upper:]", "[:lower:]"),
    ):
        raise Unknown("tr is used in a way that is not read")
    if ("[:lower:]" in sets[0] or "[:upper:]" in sets[0]) and "[:" not in sets[1]:
        members = _members(sets[1])
        if len(set(members)) != 1:
            raise Unknown("tr is used in a way that is not read")
    second = _members(sets[1])
    if not second:
        raise Unknown("tr is used in a way that is not read")
    second += second[-1:] * (len(first) - len(second))
    return {ord(old): new for old, new in zip(first, second, strict=False)}


def _squeezed(text: str, members: set[str]) -> str:
    result: list[str] = []
    for character in text:
        if not (result and character == result[-1] and character in members):
            result.append(character)
    return "".join(result)


def _members(written: str) -> list[str]:
    """Return the characters of a set in order."""
    found: list[str] = []
    position = 0
    while position < len(written):
        if written.startswith("[:", position) and ":]" in written[position + 2 :]:
            close = written.index(":]", position + 2)
            name = written[position + 2 : close]
            if name not in CLASSES or name in ("word", "ascii"):
                raise Unknown("tr has a class that is not read")
            found += [c for c in _ASCII if CLASSES[name](c)]
            position = close + 2
            continue
        if re.match(r"\[(=|.\*)", written[position:], re.DOTALL):
            raise Unknown("tr has a set that is not read")
        first, position = _member(written, position)
        if written[position : position + 1] == "-" and position + 1 < len(written):
            last, position = _member(written, position + 1)
            if last < first:
                raise Unknown("tr has a range in the wrong order")
            found += [chr(code) for code in range(ord(first), ord(last) + 1)]
        else:
            found.append(first)
    return found


def _member(written: str, position: int) -> tuple[str, int]:
    if written[position] != "\\":
        return written[position], position + 1
    octal = _OCTAL.match(written, position + 1)
    if octal:
        if int(octal[0], 8) > 127:
            raise Unknown("tr has a set that is not read")
        return chr(int(octal[0], 8)), octal.end()
    letter = written[position + 1 : position + 2]
    if not letter or (letter.isalnum() and letter not in _LETTERS):
        raise Unknown("tr has a set that is not read")
    return chr(_LETTERS.get(letter, ord(letter))), position + 2
