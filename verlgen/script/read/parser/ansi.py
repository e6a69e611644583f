r"""The escapes of `$'…'`."""

from __future__ import annotations

import re

_ESCAPE = re.compile(
    r"""\\(?:
        (?P<octal>[0-7]{1,3})
      | x\{(?P<braced>[0-9A-Fa-f]*)\}?
      | x(?P<hex>[0-9A-Fa-f]{1,2})
      | u(?P<short>[0-9A-Fa-f]{1,4})
      | U(?P<long>[0-9A-Fa-f]{1,8})
      | c(?P<control>\\\\|[^\\]|\\)
      | (?P<one>.)
    )""",
    re.VERBOSE | re.DOTALL,
)
_SINGLE = {
    "n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f",
    "v": "\v", "\\": "\\", "'": "'", '"': '"', "?": "?",
}  # fmt: skip


def decode(text: str) -> str:
    r"""Decode what stands between `$'` and `'`.

    `\xHH` and `\NNN` are bytes: those that are no UTF-8 become surrogates, as in file names. A NUL
    ends the text, as in bash.
    """
    out: list[str] = []
    raw = bytearray()
    position = 0

    def settle() -> None:
        if raw:
            out.append(raw.decode("utf-8", "surrogateescape"))
            raw.clear()

    for match in _ESCAPE.finditer(text):
        if match.start() > position:
            settle()
            out.append(text[position : match.start()])
        position = match.end()
        code = _byte(match)
        if code is not None:
            if code == 0:
                settle()
                return "".join(out)
            raw.append(code)
            continue
        settle()
        decoded = _characters(match)
        if decoded == "\0":
            return "".join(out)
        out.append(decoded)
    settle()
    out.append(text[position:])
    return "".join(out)


def _byte(match: re.Match[str]) -> int | None:
    """The byte that an octal or hexadecimal escape stands for."""
    if match["octal"]:
        return int(match["octal"], 8) & 0xFF
    if match["hex"]:
        return int(match["hex"], 16)
    if match["braced"]:
        return int(match["braced"], 16) & 0xFF
    return None


def _characters(match: re.Match[str]) -> str:
    """What any other escape stands for; an unknown one stands for itself."""
    digits = match["short"] or match["long"]
    if digits:
        code = int(digits, 16)
        # Beyond Unicode bash writes bytes that nothing can read; so small a lie is none.
        return chr(code) if code <= 0x10FFFF else "\ufffd"
    control = match["control"]
    if control:
        last = control[-1]
        return "\x7f" if last == "?" else chr(ord(last.upper()) & 0x1F)
    return _SINGLE.get(match["one"] or "", match[0])
