r"""Backslash escapes of `echo -e`, of printf's formats and of its `%b`; and text quoted again."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from verlgen.script.read.doubt import Unknown
from verlgen.script.read.symbols import has_symbol

_LETTERS = {
    "a": "\a",
    "b": "\b",
    "e": "\x1b",
    "E": "\x1b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
    "\\": "\\",
}
_ESCAPE = re.compile(
    r"\\(?:(?P<octal>0[0-7]{0,3}|[1-7][0-7]{0,2})|x(?P<byte>[0-9A-Fa-f]{1,2})"
    r"|u(?P<short>[0-9A-Fa-f]{1,4})|U(?P<long>[0-9A-Fa-f]{1,8})|(?P<letter>.))",
    re.DOTALL,
)
_BYTES = re.compile("[\udc80-\udcff]")
_SPECIAL = re.compile(r"""[\s!"$&'()*,;<>?\[\\\]^`{|}]""")
_CONTROL = re.compile(r"[\x01-\x1f\x7f]")
_NAMES = {
    "\a": r"\a",
    "\b": r"\b",
    "\t": r"\t",
    "\n": r"\n",
    "\v": r"\v",
    "\f": r"\f",
    "\r": r"\r",
    "\x1b": r"\E",
    "\\": r"\\",
    "'": r"\'",
}


class Decoded(NamedTuple):
    r"""Text with escapes resolved.

    Attributes:
        text: The text.
        stopped: Whether `\c` ended it.
    """

    text: str
    stopped: bool


def decoded(text: str, kind: str) -> Decoded:
    r"""Resolve the escapes of a text.

    Args:
        text: The text.
        kind: `echo` (`\0nnn`, `\c`), `%b` (that and `\nnn`) or `format` (`\nnn`, `\"`).

    Raises:
        Unknown: It gives bytes that are no text, or an escape that bash complains about.
    """
    stop = -1
    if kind != "format":
        stop = next((f.start() for f in _ESCAPE.finditer(text) if f["letter"] == "c"), -1)
    known = text if stop < 0 else text[:stop]
    result = _ESCAPE.sub(_resolver(kind), known)
    return Decoded(joined_bytes(result), stop >= 0)


def _resolver(kind: str) -> Callable[[re.Match[str]], str]:
    def resolve(found: re.Match[str]) -> str:
        if found["octal"]:
            return _octal(found["octal"], kind)
        if found["byte"]:
            return _byte(int(found["byte"], 16))
        if found["short"] or found["long"]:
            return _character(int(found["short"] or found["long"], 16))
        letter = found["letter"]
        if letter in _LETTERS:
            return _LETTERS[letter]
        if letter in "xuU" and kind != "echo":
            raise Unknown("printf complains about an escape")
        if letter in "\"'?" and kind == "format":
            return letter
        return found[0]

    return resolve


def _octal(digits: str, kind: str) -> str:
    if kind == "echo" and digits[0] != "0":
        return f"\\{digits}"
    if kind == "format":
        return _byte(int(digits[:3], 8) & 255) + digits[3:]
    return _byte(int(digits, 8) & 255)


def _byte(value: int) -> str:
    return chr(value) if value < 128 else chr(0xDC00 + value)


def _character(value: int) -> str:
    if value > 0x10FFFF or 0xD800 <= value < 0xE000 or has_symbol(chr(value)):
        raise Unknown("an escape gives no text")
    return chr(value)


def joined_bytes(text: str) -> str:
    """Return the text with single bytes joined to characters.

    Raises:
        Unknown: They are none.
    """
    if not _BYTES.search(text):
        return text
    try:
        result = text.encode("utf-8", "surrogateescape").decode("utf-8")
    except UnicodeError:
        raise Unknown("an escape gives bytes that are no text") from None
    if has_symbol(result) and not has_symbol(text):
        raise Unknown("an escape gives no text")
    return result


# --- quoting ----------------------------------------------------------------------------------


def single_quoted(text: str) -> str:
    """Return `${x@Q}` of a text.

    Raises:
        Unknown: It has a symbol.
    """
    if _needs_ansi(text):
        return _ansi(text)
    if text == "'":
        return "\\'"
    return "'" + text.replace("'", "'\\''") + "'"


def backslashed(text: str) -> str:
    """Return what `printf %q` makes of a text.

    Raises:
        Unknown: It has a symbol.
    """
    if not text:
        return "''"
    if _needs_ansi(text):
        return _ansi(text)
    quoted = _SPECIAL.sub(r"\\\g<0>", text)
    quoted = re.sub(r"(?:^|(?<=[:=]))~", r"\\~", quoted)
    return f"\\{quoted}" if quoted.startswith("#") else quoted


def double_quoted(text: str) -> str:
    """Return a value as `declare -p` prints it.

    Raises:
        Unknown: It has a symbol.
    """
    if _needs_ansi(text):
        return _ansi(text)
    return '"' + re.sub(r'["$`\\]', r"\\\g<0>", text) + '"'


def _needs_ansi(text: str) -> bool:
    if has_symbol(text):
        raise Unknown("a text to be quoted is not known")
    if not all(c.isprintable() or c.isascii() for c in text) or "\0" in text:
        raise Unknown("how a text is quoted hangs on the system")
    return _CONTROL.search(text) is not None


def _ansi(text: str) -> str:
    return "$'" + "".join(_NAMES.get(c) or _ansi_other(c) for c in text) + "'"


def _ansi_other(character: str) -> str:
    return f"\\{ord(character):03o}" if _CONTROL.match(character) else character
