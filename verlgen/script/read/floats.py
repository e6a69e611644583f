"""C's floating-point formats, with the long doubles that bash's printf has.

How wide a long double is depends on the machine: 64 bits of mantissa on x86, 113 on ARM. A result
that is not the same on both is not known.
"""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

from verlgen.script.read.doubt import Unknown

_WIDTHS = (64, 113)
_CONTEXT = Context(prec=6000, rounding=ROUND_HALF_EVEN, Emax=999999, Emin=-999999)
LARGEST_EXPONENT = 300
MOST_DIGITS = 500


def formatted(value: Decimal, conversion: str, precision: int, alternative: bool) -> str:
    """Return a finite number in one of C's formats, without its sign.

    Args:
        value: The number as it was written.
        conversion: `f`, `e` or `g`.
        precision: Digits behind the point, or significant digits.
        alternative: Whether the flag `#` is given.

    Raises:
        Unknown: The machine decides, or it is very large or small.
    """
    if precision > MOST_DIGITS or len(value.as_tuple().digits) > MOST_DIGITS:
        raise Unknown("a number has very many digits")
    if value and not -LARGEST_EXPONENT < value.adjusted() < LARGEST_EXPONENT:
        raise Unknown("a number is very large or small")
    results = {
        _formatted(_rounded(abs(value), width), conversion, precision, alternative)
        for width in _WIDTHS
    }
    if len(results) > 1:
        raise Unknown("the last digits of a number hang on the machine")
    return results.pop()


def _rounded(value: Decimal, width: int) -> Decimal:
    """Return the number as a binary one with so many bits of mantissa."""
    if not value:
        return Decimal(0)
    exact = Fraction(value)
    exponent = exact.numerator.bit_length() - exact.denominator.bit_length() - width
    scaled = exact / Fraction(2) ** exponent
    while scaled >= 1 << width:
        exponent += 1
        scaled /= 2
    mantissa = round(scaled)
    power = Decimal(2) if exponent >= 0 else Decimal("0.5")
    return _CONTEXT.multiply(Decimal(mantissa), _CONTEXT.power(power, abs(exponent)))


def _formatted(value: Decimal, conversion: str, precision: int, alternative: bool) -> str:
    if conversion == "f":
        return _fixed(value, precision, alternative)
    if conversion == "e":
        return _scientific(value, precision, alternative)
    precision = max(precision, 1)
    exponent = int(_scientific(value, precision - 1, False).split("e")[1])
    if -4 <= exponent < precision:
        text = _fixed(value, precision - 1 - exponent, alternative)
        return text if alternative or "." not in text else text.rstrip("0").rstrip(".")
    mantissa, power = _scientific(value, precision - 1, alternative).split("e")
    if not alternative and "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return f"{mantissa}e{power}"


def _fixed(value: Decimal, precision: int, alternative: bool) -> str:
    text = f"{value.quantize(Decimal(1).scaleb(-precision), context=_CONTEXT):f}"
    return text + "." if alternative and not precision else text


def _scientific(value: Decimal, precision: int, alternative: bool) -> str:
    exponent = 0
    if value:
        exponent = value.adjusted()
        mantissa = _shifted(value, exponent, precision)
        if mantissa.adjusted() > 0:
            exponent += 1
            mantissa = _shifted(value, exponent, precision)
        text = f"{mantissa:f}"
    else:
        text = f"{Decimal(0).quantize(Decimal(1).scaleb(-precision), context=_CONTEXT):f}"
    if alternative and not precision:
        text += "."
    return f"{text}e{'-' if exponent < 0 else '+'}{abs(exponent):02d}"


def _shifted(value: Decimal, exponent: int, precision: int) -> Decimal:
    moved = value.scaleb(-exponent, context=_CONTEXT)
    return moved.quantize(Decimal(1).scaleb(-precision), context=_CONTEXT)
