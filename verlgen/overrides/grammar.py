"""What reader and writer share: the words of the grammar, its value types, its errors.

The patterns follow `hydra/grammar/OverrideLexer.g4`. Hydra's lexer takes the longest token and,
among equals, the first rule; each pattern here is one token, or a run whose text is what counts.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from verlgen.errors import UserError
from verlgen.launch import Operator

Scalar = bool | int | float | str | None
"""A value without parts, and what a key of a dict may be: in `{1:a}` it is an int."""

Value = Scalar | list["Value"] | dict[Scalar, "Value"]
"""What a value is in Python. An interpolation (`${a.b}`) is text."""


class ParsedOverride(NamedTuple):
    """One override word, understood.

    Attributes:
        operator: One of `=`, `+`, `++`, `~`.
        key: Dotted key or config group, without its package. Empty in `=x`, which Hydra accepts.
        package: What follows `@` (`_global_` in `db@_global_=x`; empty in `db@=x`), or None. The
            old `group@pkg1:pkg2` is refused by Hydra 1.1 and later.
        value: The value; None for `~key`. For a sweep over listed values (`a=1,2`,
            `a=choice(1,2)`) the list of them; for other sweeps (`range(…)`, `interval(…)`,
            `glob(…)`, `shuffle(…)`), whose points only Hydra's sweeper can tell, the text.
        value_text: The text after the first `=` as written; None for `~key`.
        sweep: Whether the word asks for several runs. Without `-m`, Hydra refuses such a word.
    """

    operator: Operator
    key: str
    package: str | None
    value: Value
    value_text: str | None
    sweep: bool


class OverrideError(UserError):
    """An override word that Hydra refuses, or a value that its grammar cannot hold.

    Args:
        what: What is wrong. Lower case, no full stop.
        word: The word as the user wrote it, or None when there is none yet.
        column: 1-based column in the word, in characters.
        remedy: What would be right.
    """

    def __init__(
        self,
        what: str,
        *,
        word: str | None = None,
        column: int | None = None,
        remedy: str | None = None,
    ) -> None:
        where = None
        if word is not None:
            where = shown(word) if column is None else f"{shown(word)} (column {column})"
        super().__init__(what, where=where, remedy=remedy)
        self.word = word
        self.column = column


_ID = "[A-Za-z_][A-Za-z0-9_-]*"
_UNSIGNED = "(?:0|[1-9](?:_?[0-9])*)"
_DIGITS = "[0-9](?:_?[0-9])*"
_PART = f"(?:[A-Za-z_$][A-Za-z0-9_$-]*|{_UNSIGNED})"
# A lone name may not be a number (`0=1`), the first of several may (`0.a=1`).
_DOTTED = rf"(?:[A-Za-z_$][A-Za-z0-9_$-]*(?:\.{_PART})*|{_UNSIGNED}(?:\.{_PART})+)"
HEAD = re.compile(rf"(\+\+?|~|)((?:{_ID}(?:/{_ID})+|{_DOTTED})?)(?:@({_DOTTED}|))?(?:(=)[ \t]*|\Z)")
"""Operator, key or config group, package, and the `=` if there is one.

Key and package may be empty: Hydra reads `=x` too.
"""

MARKS = r"\\()\[\]{}:=,"
SPECIAL = MARKS + r" \t"
"""What a backslash escapes in unquoted text. Before anything else a backslash is a backslash."""

_SAFE = r"[A-Za-z0-9_/\-+.%*@?|]"
_LONE = rf"(?:\$(?!\{{)|\\(?![{SPECIAL}]))"
# Unrolled, so that no text makes the matcher try many ways.
PLAIN = re.compile(rf"{_SAFE}+(?:{_LONE}{_SAFE}*)*|(?:{_LONE}{_SAFE}*)+")
"""Unquoted text that needs no care. Hydra may see several tokens; joined they are the text."""

INT = re.compile(f"[+-]?{_UNSIGNED}")
FLOAT = re.compile(
    rf"[+-]?(?:(?:{_UNSIGNED}?\.{_DIGITS}|{_UNSIGNED}\.)(?:[eE][+-]?{_DIGITS})?"
    rf"|{_UNSIGNED}[eE][+-]?{_DIGITS}|[Ii][Nn][Ff]|[Nn][Aa][Nn])"
)
KEYWORDS: dict[str, Scalar] = {"true": True, "false": False, "null": None}
"""Hydra reads them in any case."""

_ESCAPES = rf"(?:\\[{SPECIAL}])+"
# Blanks before a comma, a bracket or a colon belong to that token, not to the text.
_BLANK = r"[ \t]+(?![ \t,:=()\]}])"
PIECE = re.compile(
    rf"(?P<plain>{PLAIN.pattern})|(?P<colon>[ \t]*:[ \t]*)|(?P<escape>{_ESCAPES})"
    rf"|(?P<interpolation>\$\{{[^}}]+\}})|(?P<blank>{_BLANK})"
)
"""A piece of unquoted text."""

NOT_IN_KEYS = ("colon", "interpolation")
"""The pieces that have no place in a dict's key."""

QUOTED = re.compile(r"""'[^'\\]*(?:\\.[^'\\]*)*'|"[^"\\]*(?:\\.[^"\\]*)*\"""", re.DOTALL)


def quote(text: str) -> str:
    """Return a text as Hydra's quoted string.

    Single quotes, unless the text has one and no double quote. Only a backslash before a quote
    is special there, and one before the end, which stands before the closing quote.
    """
    mark = '"' if "'" in text and '"' not in text else "'"
    if mark not in text and not text.endswith("\\"):
        return mark + text + mark
    # Looking back keeps a long run of backslashes from being tried at each of its places.
    inner = re.sub(rf"(?<!\\)(\\*){mark}", rf"\1\1\\{mark}", text)
    inner = re.sub(r"(?<!\\)\\+\Z", lambda match: match[0] * 2, inner)
    return mark + inner + mark


_LONGEST_SHOWN = 100


def shown(word: str) -> str:
    """Return a word for an error message: on one line, not without end."""
    if len(word) > _LONGEST_SHOWN:
        word = word[: _LONGEST_SHOWN - 1] + "…"
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in word
    )
