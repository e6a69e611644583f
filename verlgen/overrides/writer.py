"""Write override words."""

from __future__ import annotations

import re
from enum import Enum
from typing import Final

from verlgen.launch import Operator
from verlgen.overrides.grammar import (
    HEAD,
    MARKS,
    OverrideError,
    Scalar,
    Value,
    quote,
)
from verlgen.overrides.reader import parse_bare

# Blanks inside a text need nothing; at its ends they would be dropped.
_TO_ESCAPE = re.compile(rf"[{MARKS}]+|\A[ \t]+|(?<![ \t])[ \t]+\Z")
_PADDED_EXPONENT = re.compile(r"e\+?(-?)0*")


class Nothing(Enum):
    """The value of a word without one: `~key`."""

    NOTHING = "nothing"


NOTHING: Final = Nothing.NOTHING


def dump(operator: Operator, key: str, value: Value | Nothing = NOTHING) -> str:
    """Return an override word that Hydra reads as this.

    Args:
        operator: One of `=`, `+`, `++`, `~`.
        key: Dotted key or config group, with `@package` if it has one.
        value: The value. `dump("~", "a")` is `~a`; with None it is `~a=null`.

    Raises:
        OverrideError: When Hydra's grammar has no place for the key or the value.
    """
    head = key if operator == "=" else operator + key
    found = HEAD.fullmatch(head)
    if found is None or found[1] != ("" if operator == "=" else operator) or "=" in key:
        raise OverrideError(f"hydra cannot read {key!r} as a key")
    if value is NOTHING:
        if operator != "~":
            raise OverrideError("the value is missing", word=head, remedy=f"write {head}=value")
        return head
    return f"{head}={dump_value(value)}"


def dump_value(value: Value) -> str:
    """Return the shortest text, written as people do, that Hydra reads as this value.

    Raises:
        OverrideError: When a dict has a key that Hydra's grammar cannot hold, or an int has
            thousands of digits. Anything else can be written.
    """
    if isinstance(value, list):
        return "[" + ",".join(map(dump_value, value)) + "]"
    if isinstance(value, dict):
        items = (f"{dump_key(key)}:{dump_value(item)}" for key, item in value.items())
        return "{" + ",".join(items) + "}"
    if isinstance(value, str):
        # A backslash at the end would escape the comma or bracket that follows in a list.
        bare = "\\" not in value and value == value.strip(" \t") and parse_bare(value) == value
        return value if bare else quote(value)
    return _dump_number(value)


def _dump_number(value: Scalar) -> str:
    if value is None:
        return "null"
    if isinstance(value, float):
        # Python writes 1e-06 and 1e+16, people and Hydra's documents 1e-6 and 1e16.
        return _PADDED_EXPONENT.sub(r"e\1", repr(value))
    try:
        return str(value)
    except ValueError:
        raise OverrideError("this number has too many digits") from None


def dump_key(key: Scalar) -> str:
    """Return a key of a dict, which Hydra does not let be quoted."""
    if not isinstance(key, str):
        return _dump_number(key)
    text = _TO_ESCAPE.sub(lambda run: "".join("\\" + char for char in run[0]), key)
    if parse_bare(text, is_key=True) != key:
        raise OverrideError(
            f"{key!r} cannot be a key of a dict on a command line",
            remedy="a key is never quoted there: it is not empty, looks like no number, boolean or "
            "null, and has neither quotes nor letters beyond a-z",
        )
    return text
