"""`seq`."""

from __future__ import annotations

import re
from decimal import Decimal

from verlgen.script.read.doubt import Unknown
from verlgen.script.read.programs.common import be_known

MOST_NUMBERS = 20_000
_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,15}(?:\.([0-9]{0,12}))?|\.([0-9]{1,12}))")


def seq(arguments: list[str], stdin: str) -> tuple[str, int]:
    """Return numbers in order."""
    del stdin
    be_known("seq", *arguments)
    words = list(arguments)
    separator, equal_width = "\n", False
    while words and words[0].startswith("-") and not _NUMBER.fullmatch(words[0]):
        option = words.pop(0)
        if option in ("-w", "--equal-width"):
            equal_width = True
        elif option == "-s" and words:
            separator = words.pop(0)
        elif option.startswith("-s"):
            separator = option[2:]
        elif option.startswith("--separator="):
            separator = option.partition("=")[2]
        elif option == "--":
            break
        else:
            raise Unknown(f"seq has an option that is not read: {option}")
    if not 1 <= len(words) <= 3:
        raise Unknown("seq has the wrong number of operands")
    numbers = _numbers(words)
    if not numbers:
        return "", 0
    if equal_width:
        width = max(len(number) for number in numbers)
        numbers = [_filled(number, width) for number in numbers]
    return separator.join(numbers) + "\n", 0


def _numbers(words: list[str]) -> list[str]:
    places = []
    for word in words:
        found = _NUMBER.fullmatch(word)
        if found is None:
            raise Unknown(f"seq has a number that is not read: {word}")
        places.append(len(found[1] or found[2] or ""))
    values = [Decimal(word) for word in words]
    first = values[0] if len(words) > 1 else Decimal(1)
    step = values[1] if len(words) > 2 else Decimal(1)
    last = values[-1]
    digits = max(places[:-1], default=0)
    if step == 0:
        raise Unknown("seq has an increment of zero")
    amount = int((last - first) / step) + 1 if (last - first) / step >= 0 else 0
    if amount > MOST_NUMBERS:
        raise Unknown("seq gives very many numbers")
    if any(word.startswith("-") and not Decimal(word) for word in words):
        raise Unknown("seq has a negative zero")
    return [f"{first + index * step:.{digits}f}" for index in range(amount)]


def _filled(number: str, width: int) -> str:
    if number.startswith("-"):
        return "-" + number[1:].rjust(width - 1, "0")
    return number.rjust(width, "0")
