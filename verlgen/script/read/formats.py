"""What bash's own `printf` and `echo` print."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

from verlgen.script.read.doubt import Unknown
from verlgen.script.read.escapes import backslashed, decoded, joined_bytes
from verlgen.script.read.floats import formatted
from verlgen.script.read.nodes import PlainTest, never_plain
from verlgen.script.read.symbols import has_symbol

WIDEST = 10_000
MOST_OUTPUT = 1_000_000
_DIRECTIVE = re.compile(
    r"%(?:(?P<percent>%)|(?P<flags>[-+ #0']*)(?P<width>\*|[0-9]*)"
    r"(?:\.(?P<precision>\*|-?[0-9]*))?(?:[hlLjtz]*)(?P<conversion>[^hlLjtz])?)",
    re.DOTALL,
)
_INTEGER = re.compile(
    r"[ \t\n\v\f\r]*(?P<sign>[+-]?)(?:0[xX](?P<hex>[0-9A-Fa-f]+)|(?P<octal>0[0-7]*)"
    r"|(?P<decimal>[1-9][0-9]*))"
)
_FLOAT = re.compile(
    r"[ \t\n\v\f\r]*(?P<sign>[+-]?)(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
)
_ECHO_OPTION = re.compile(r"-[neE]+")


class Printed(NamedTuple):
    """What a command prints.

    Attributes:
        text: Its output.
        status: Its exit status.
        problem: bash's words for what is wrong with it, or None.
    """

    text: str
    status: int = 0
    problem: str | None = None


def echo(arguments: list[str], *, plain: PlainTest = never_plain) -> str:
    """Return what `echo` prints.

    Args:
        arguments: Its words.
        plain: Tells whether the symbols of a text are plain.

    Raises:
        Unknown: Escapes would be looked for in a symbol.
    """
    newline, escapes, first = True, False, 0
    while first < len(arguments) and _ECHO_OPTION.fullmatch(arguments[first]):
        for letter in arguments[first][1:]:
            if letter == "n":
                newline = False
            else:
                escapes = letter == "e"
        first += 1
    text = " ".join(arguments[first:])
    if escapes:
        _check_plain(text, plain)
        text, stopped = decoded(text, "echo")
        newline = newline and not stopped
    return text + "\n" if newline else text


def printf(format_text: str, arguments: list[str], *, plain: PlainTest = never_plain) -> Printed:
    """Return what `printf` prints.

    Args:
        format_text: The format.
        arguments: Its arguments.
        plain: Tells whether the symbols of a text are plain.

    Raises:
        Unknown: It hangs on a symbol, on the time (`%(…)T`) or on the machine.
    """
    _check_plain(format_text, plain)
    return _Printer(format_text, arguments, plain).printed()


def _check_plain(text: str, plain: PlainTest) -> None:
    if has_symbol(text) and not plain(text):
        raise Unknown("a text with escapes is not known")


class _Directive(NamedTuple):
    flags: str
    width: int
    precision: int | None
    conversion: str


class _Stop(Exception):
    """Nothing more is printed."""


class _Printer:
    """One `printf` command."""

    def __init__(self, format_text: str, arguments: list[str], plain: PlainTest) -> None:
        self._format = format_text
        self._arguments = arguments
        self._plain = plain
        self._next = 0
        self._out: list[str] = []
        self._length = 0
        self._problem: str | None = None

    def printed(self) -> Printed:
        """Go through the format as often as there are arguments for."""
        try:
            while True:
                before = self._next
                self._once()
                if self._next >= len(self._arguments) or self._next == before:
                    break
        except _Stop:
            pass
        status = 0 if self._problem is None else 1
        return Printed(joined_bytes("".join(self._out)), status, self._problem)

    def _once(self) -> None:
        position = 0
        text = self._format
        while position < len(text):
            percent = text.find("%", position)
            end = len(text) if percent < 0 else percent
            if end > position:
                self._put(decoded(text[position:end], "format").text)
            if percent < 0:
                return
            found = _DIRECTIVE.match(text, percent)
            if found is None:
                raise Unknown("a format of printf is odd")
            position = found.end()
            if found["percent"]:
                self._put("%")
            else:
                self._convert(found)

    def _put(self, text: str) -> None:
        self._out.append(text)
        self._length += len(text)
        if self._length > MOST_OUTPUT:
            raise Unknown("printf prints very much")

    def _convert(self, found: re.Match[str]) -> None:
        flags = found["flags"]
        width = self._size(found["width"]) or 0
        if width < 0:
            flags, width = flags + "-", -width
        precision = self._size(found["precision"])
        if precision is not None and precision < 0:
            precision = None
        conversion = found["conversion"]
        if conversion is None:
            self._problem = f"`{found[0]}': missing format character"
            raise _Stop
        directive = _Directive(flags, width, precision, conversion)
        if conversion in "di":
            self._put(_signed(directive, self._integer(self._argument())))
        elif conversion in "uoxX":
            self._put(_unsigned(directive, self._integer(self._argument())))
        elif conversion in "feEgGF":
            self._float(directive)
        elif conversion in "scbq":
            self._text(directive)
        elif conversion in "aAnQ(C" or has_symbol(conversion) or conversion == "S":
            raise Unknown(f"what printf makes of %{conversion} is not known")
        else:
            self._problem = f"`{conversion}': invalid format character"
            raise _Stop

    def _size(self, written: str | None) -> int | None:
        if written is None:
            return None
        if written == "*":
            size = self._integer(self._argument())
        else:
            size = int(written or 0) if len(written) < 8 and written != "-" else 0
            if len(written) >= 8:
                raise Unknown("a format of printf is odd")
        if abs(size) > WIDEST:
            raise Unknown("a format of printf is odd")
        return size

    def _argument(self) -> str | None:
        self._next += 1
        if self._next <= len(self._arguments):
            return self._arguments[self._next - 1]
        return None

    # --- texts ---

    def _text(self, directive: _Directive) -> None:
        text = self._argument() or ""
        stopped = False
        if directive.conversion == "b":
            _check_plain(text, self._plain)
            text, stopped = decoded(text, "%b")
        elif directive.conversion == "q":
            text = backslashed(text)
        elif directive.conversion == "c":
            if text and not text[0].isascii():
                raise Unknown("printf cuts a text inside a character")
            text, directive = text[:1] or "\0", directive._replace(precision=None)
        if directive.width or directive.precision is not None:
            if not text.isascii():
                raise Unknown("a text of printf is cut or padded that is not known")
            text = _padded(text[: directive.precision], directive.width, "-" in directive.flags)
        self._put(text)
        if stopped:
            raise _Stop

    # --- numbers ---

    def _integer(self, text: str | None) -> int:
        if not text:
            return 0
        if has_symbol(text):
            raise Unknown("a number is not known")
        if text[0] in "'\"":
            return _code(text)
        found = _INTEGER.match(text)
        if found is None or found.end() != len(text):
            self._problem = f"{text}: invalid number"
        if found is None:
            return 0
        digits = found["hex"] or found["octal"] or found["decimal"]
        if len(digits) > 30:
            raise Unknown("a number is very large")
        value = int(digits, 16 if found["hex"] else 8 if found["octal"] else 10)
        value = -value if found["sign"] == "-" else value
        if not -(1 << 63) <= value < 1 << 64:
            raise Unknown("a number is very large")
        return value

    def _float(self, directive: _Directive) -> None:
        sign, value = self._number(self._argument())
        precision = 6 if directive.precision is None else directive.precision
        flags = directive.flags
        lower = directive.conversion.lower()
        text = formatted(value, lower, precision, "#" in flags)
        if directive.conversion in "EG":
            text = text.upper()
        self._put(_with_sign(directive, sign, text, "0" in flags))

    def _number(self, text: str | None) -> tuple[str, Decimal]:
        if not text:
            return "", Decimal(0)
        if has_symbol(text):
            raise Unknown("a number is not known")
        if text[0] in "'\"":
            return "", Decimal(_code(text))
        found = _FLOAT.match(text)
        if re.match(r"\s*[+-]?(?:[iInN]|0[xX])", text) or len(text) > 500:
            raise Unknown("a number is written in an unusual way")
        if found is None or found.end() != len(text):
            self._problem = f"{text}: invalid number"
        if found is None:
            return "", Decimal(0)
        return found["sign"].replace("+", ""), Decimal(found["number"])


def _code(text: str) -> int:
    """Return the number of the character behind a quote."""
    if len(text) > 1 and (0xD800 <= ord(text[1]) < 0xE000):
        raise Unknown("a number is not known")
    return ord(text[1]) if len(text) > 1 else 0


def _padded(text: str, width: int, left: bool) -> str:
    return text.ljust(width) if left else text.rjust(width)


def _with_sign(directive: _Directive, sign: str, digits: str, zeros: bool) -> str:
    """Put a sign before digits and fill up to the width."""
    if not sign:
        sign = "+" if "+" in directive.flags else " " if " " in directive.flags else ""
    if zeros and "-" not in directive.flags:
        return sign + digits.rjust(directive.width - len(sign), "0")
    return _padded(sign + digits, directive.width, "-" in directive.flags)


def _signed(directive: _Directive, value: int) -> str:
    if value >= 1 << 63:
        raise Unknown("a number is very large")
    digits = _digits(str(abs(value)), directive.precision)
    zeros = "0" in directive.flags and directive.precision is None
    return _with_sign(directive, "-" if value < 0 else "", digits, zeros)


def _unsigned(directive: _Directive, value: int) -> str:
    value %= 1 << 64
    base = {"u": "d", "o": "o", "x": "x", "X": "X"}[directive.conversion]
    digits = _digits(format(value, base), directive.precision)
    prefix = ""
    if "#" in directive.flags:
        if base == "o" and not digits.startswith("0"):
            digits = f"0{digits}"
        elif base in "xX" and value:
            prefix = f"0{base}"
    plain = directive._replace(flags=directive.flags.replace("+", "").replace(" ", ""))
    zeros = "0" in directive.flags and directive.precision is None
    return _with_sign(plain, prefix, digits, zeros)


def _digits(digits: str, precision: int | None) -> str:
    if precision == 0 and digits == "0":
        return ""
    return digits.rjust(precision or 0, "0")
