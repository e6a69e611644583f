"""What Hydra's own parser makes of override words: the referee of what scripts pass."""

from __future__ import annotations

from typing import Any, NamedTuple

from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import OverrideType, QuotedString

_PARSER = OverridesParser.create()
_OPERATORS = {
    OverrideType.CHANGE: "=",
    OverrideType.ADD: "+",
    OverrideType.FORCE_ADD: "++",
    OverrideType.DEL: "~",
}


class Said(NamedTuple):
    """What a word says.

    Attributes:
        operator: One of Hydra's four.
        key: Key or group.
        value: The value, typed (see `typed`).
    """

    operator: str
    key: str
    value: Any


def said(word: str) -> Said:
    """Returns what Hydra reads in a word; raises what Hydra raises."""
    parsed = _PARSER.parse_override(word)
    assert not parsed.is_sweep_override(), word
    return Said(_OPERATORS[parsed.type], parsed.key_or_group, typed(parsed.value()))


def typed(value: Any) -> Any:
    """Returns a value whose equality tells True from 1, 1 from 1.0, and knows nan and -0.0."""
    assert not isinstance(value, QuotedString)
    if isinstance(value, list):
        return ("list", *map(typed, value))
    if isinstance(value, dict):
        return ("dict", *((typed(key), typed(item)) for key, item in value.items()))
    return (type(value).__name__, repr(value))
