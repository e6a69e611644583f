"""Numbers as bash's arithmetic writes and counts them."""

from __future__ import annotations

_BITS = 1 << 64
_TOP = 1 << 63
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ@_"


def parse_integer(text: str) -> int:
    """Return the value of a constant: decimal, `0…` octal, `0x…`, `base#digits`.

    Raises:
        ValueError: It is none.
    """
    if "#" in text:
        written, digits = text.split("#", 1)
        if written.startswith("0") or not written.isdecimal():
            raise ValueError(f"{text}: invalid number")
        base = int(written) if len(written) < 4 else 65
        if not 2 <= base <= 64:
            raise ValueError(f"{text}: invalid arithmetic base")
        if not digits:
            raise ValueError(f"{text}: invalid integer constant")
    elif text[:2] in ("0x", "0X"):
        base, digits = 16, text[2:]
    elif text.startswith("0"):
        base, digits = 8, text[1:]
    else:
        base, digits = 10, text
    return wrapped(_digits(text, digits, base))


def _digits(text: str, digits: str, base: int) -> int:
    value = 0
    for character in digits:
        if character == "#":
            raise ValueError(f"{text}: invalid number")
        digit = _DIGITS.find(character)
        if base <= 36 and 36 <= digit < 62:
            digit -= 26
        if digit >= base:
            raise ValueError(f"{text}: value too great for base")
        value = (value * base + digit) % _BITS
    return value


def wrapped(value: int) -> int:
    """Return the value in 64 bits with a sign."""
    value %= _BITS
    return value - _BITS if value >= _TOP else value
