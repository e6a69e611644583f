"""Values as shell text, so that no value can run as code and none is changed on the way.

Two layers lie on each other: Hydra's grammar reads what the shell passes. A value that is known is
written in Hydra's grammar and quoted for the shell. What only the environment knows is put into
Hydra's quotes when the script runs, by its function `quoted`.
"""

from __future__ import annotations

import re
import shlex
from typing import Any

from verlgen.launch import Symbol, Word, join
from verlgen.overrides import dump_key, dump_value

QUOTED = "quoted"
"""Name of the shell function that puts a text into Hydra's quotes (templates/quoted.sh.j2)."""

_IN_DOUBLE_QUOTES = re.compile(r'([\\$`"])')
_DOUBLED = re.compile(r"[\x01\x7f]+")
"""What bash (5.2 still) gives back with a \\x01 before it, from double quotes in an array."""
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]")


def shell(value: Any) -> str:
    """Return shell text that passes the value in Hydra's grammar.

    Args:
        value: A value of Hydra's, or one with Words in it where the shell shall expand.
    """
    if not has_symbol(value):
        return shlex.quote(dump_value(value))
    return f'"{_in_double_quotes(value)}"'


def shell_word(word: Word) -> str:
    """Return shell text that passes a word with its symbols expanded and nothing added."""
    if all(isinstance(part, str) for part in word):
        return shlex.quote("".join(part for part in word if isinstance(part, str)))
    return '"' + "".join(_part(part) for part in word) + '"'


def shell_default(value: Any) -> str:
    """Return shell text for the default of a knob: the text itself, not in Hydra's quotes."""
    if isinstance(value, str):
        return shlex.quote(value)
    if isinstance(value, tuple):
        return _bare(value) or shell_word(value)
    return shell(value)


def quoted_word(value: str | Word) -> Word:
    """Return the word that the shell function `quoted` makes of a text."""
    parts = value if isinstance(value, tuple) else (value,)
    inner = [p if isinstance(p, Symbol) else _inside_quotes(p) for p in parts]
    last = inner[-1] if inner else ""
    if isinstance(last, str):
        inner[-1:] = [re.sub(r"\\+\Z", lambda run: run[0] * 2, last)]
    return join(("'",), tuple(inner), ("'",))


def hydra_word(value: Any) -> Word:
    """Return the word that the shell passes for a value, symbols unexpanded."""
    if not has_symbol(value):
        return (dump_value(value),)
    if isinstance(value, tuple):
        parts = [part if isinstance(part, Symbol) else _inside_quotes(part) for part in value]
        return join(("'",), tuple(parts), ("'",))
    if isinstance(value, dict):
        words = [join((f"{dump_key(key)}:",), hydra_word(item)) for key, item in value.items()]
        opening, closing = "{}"
    else:
        words = [hydra_word(item) for item in value]
        opening, closing = "[]"
    commas: list[Word] = [word for item in words for word in ((",",), item)]
    return join((opening,), *commas[1:], (closing,))


def has_symbol(value: Any) -> bool:
    """Tell whether the shell has a part in the value, at any depth."""
    if isinstance(value, list):
        return any(has_symbol(item) for item in value)
    if isinstance(value, dict):
        return any(has_symbol(item) for item in value.values())
    return isinstance(value, tuple)


def one_line(words: list[str]) -> str:
    """Return words as one line of shell, control characters escaped: fit for a comment."""
    return " ".join(_one_line(word) for word in words)


def _one_line(word: str) -> str:
    if not _UNPRINTABLE.search(word):
        return shlex.quote(word)
    escaped = word.replace("\\", "\\\\").replace("'", "\\'")
    return "$'" + _UNPRINTABLE.sub(_escape, escaped) + "'"


def _escape(match: re.Match[str]) -> str:
    named = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}
    code = ord(match[0])
    return named.get(match[0]) or (f"\\x{code:02x}" if code < 0x80 else f"\\u{code:04x}")


def _in_double_quotes(value: Any) -> str:
    if isinstance(value, tuple):
        return f"$({QUOTED} {shell_word(value)})"
    if not has_symbol(value):
        return _part(dump_value(value))
    if isinstance(value, dict):
        items = (_part(f"{dump_key(k)}:") + _in_double_quotes(v) for k, v in value.items())
        return "{" + ",".join(items) + "}"
    return "[" + ",".join(map(_in_double_quotes, value)) + "]"


def _part(part: str | Symbol) -> str:
    if isinstance(part, Symbol):
        return part.text
    return _DOUBLED.sub("\"'\\g<0>'\"", _IN_DOUBLE_QUOTES.sub(r"\\\1", part))


def _bare(word: Word) -> str | None:
    """Return the word without quotes where it needs none: `$HOME/data/train.parquet`."""
    texts = [part for part in word if isinstance(part, str)]
    if any(shlex.quote(text) != text for text in texts):
        return None
    return "".join(_part(part) for part in word)


def _inside_quotes(text: str) -> str:
    """Return text as it stands between Hydra's single quotes."""
    return re.sub(r"(\\*)'", r"\1\1\\'", text)
