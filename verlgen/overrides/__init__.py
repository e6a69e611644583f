"""Hydra's override words, read and written without importing Hydra.

Importing Hydra's grammar costs several times what a whole command may cost, so the words that
people write are parsed here. Whatever this parser is not sure about, refusals included, goes to
Hydra's own parser, imported then: an answer is always Hydra's answer.
"""

from verlgen.overrides.grammar import OverrideError, ParsedOverride, Value
from verlgen.overrides.reader import parse, parse_value
from verlgen.overrides.writer import dump, dump_key, dump_value

__all__ = [
    "OverrideError",
    "ParsedOverride",
    "Value",
    "dump",
    "dump_key",
    "dump_value",
    "parse",
    "parse_value",
]
