"""Read an override word."""

from __future__ import annotations

import re
from typing import cast

from verlgen.launch import Operator
from verlgen.overrides.grammar import (
    FLOAT,
    HEAD,
    INT,
    KEYWORDS,
    NOT_IN_KEYS,
    PIECE,
    PLAIN,
    QUOTED,
    OverrideError,
    ParsedOverride,
    Scalar,
    Value,
)
from verlgen.overrides.referee import Doubt, ask_hydra, doubt_about_head, doubt_about_value

_COMMA = re.compile(r"[ \t]*,[ \t]*")
_COLON = re.compile(r"[ \t]*:[ \t]*")
_BLANKS = re.compile(r"[ \t]*")
_ESCAPED_QUOTE = {mark: re.compile(rf"(?<!\\)\\+{mark}") for mark in "'\""}

# Hydra's own depth hangs on Python's recursion limit; far below it both agree.
_DEEPEST = 50


def parse(word: str) -> ParsedOverride:
    """Parse an override word as Hydra does.

    Args:
        word: The word as the shell passes it, such as `actor_rollout_ref.actor.optim.lr=1e-6`.

    Raises:
        OverrideError: When Hydra refuses the word, or when only Hydra could read it and it is so
            long (16 KiB) that this would take seconds.
    """
    try:
        head = HEAD.match(word)
        if head is None:
            raise doubt_about_head(word)
        operator, key, package, equals = head.groups()
        if equals is None:
            if operator != "~":
                raise doubt_about_head(word)
            return ParsedOverride("~", key, package, None, None, False)
        value, sweep = _value(word, head.end())
    except Doubt as doubt:
        return ask_hydra(word, doubt)
    text = word[word.index("=") + 1 :]
    return ParsedOverride(cast(Operator, operator or "="), key, package, value, text, sweep)


def parse_value(text: str) -> Value:
    """Parse the value part of a word, what follows the `=`, as Hydra does.

    Raises:
        OverrideError: When Hydra refuses it, or when it is a sweep, which is several values.
    """
    try:
        value, sweep = _value(text, _skip(_BLANKS, text, 0))
    except Doubt as doubt:
        parsed = ask_hydra(text, doubt, prefix="_=")
        value, sweep = parsed.value, parsed.sweep
    if sweep:
        comma = _first_comma(text)
        remedy = f"for a list write [{text.strip()}]; for a comma in a text quote the text"
        raise OverrideError(
            "this is a sweep over several values, and one value is wanted",
            word=text,
            column=comma,
            remedy=remedy if comma else None,
        )
    return value


def _value(text: str, position: int) -> tuple[Value, bool]:
    """Return the value that starts here and goes to the end, and whether it is a sweep."""
    if PLAIN.fullmatch(text, position):
        return _scalar(text[position:], position), False
    if position == len(text):
        return "", False
    value, position = _element(text, position)
    if position == len(text):
        return value, False
    points = [value]
    while comma := _COMMA.match(text, position):
        value, position = _element(text, comma.end())
        points.append(value)
    if position != len(text):
        raise doubt_about_value(text, position)
    return points, True


def _element(
    text: str, position: int, depth: int = 0, opening: int | None = None
) -> tuple[Value, int]:
    """Return the value that starts here, and where it ends.

    Args:
        text: The word.
        position: Where the value starts.
        depth: How many brackets are open.
        opening: Where the innermost of them stands.
    """
    first = text[position : position + 1]
    if first in ("'", '"'):
        quoted = QUOTED.match(text, position)
        if quoted is None:
            raise doubt_about_value(text, position)
        return _unquoted(quoted[0]), quoted.end()
    if first not in ("[", "{"):
        return _primitive(text, position, opening)
    if depth == _DEEPEST:
        raise Doubt(position, "lists and dicts are nested too deeply")
    return (_list if first == "[" else _dict)(text, position, depth + 1)


def _list(text: str, start: int, depth: int) -> tuple[list[Value], int]:
    items: list[Value] = []
    position = _skip(_BLANKS, text, start + 1)
    end = _closing(text, position, "]")
    while end is None:
        item, position = _element(text, position, depth, start)
        items.append(item)
        end = _closing(text, position, "]")
        if end is None:
            position = _after(_COMMA, text, position, start)
    return items, end


def _dict(text: str, start: int, depth: int) -> tuple[dict[Scalar, Value], int]:
    items: dict[Scalar, Value] = {}
    position = _skip(_BLANKS, text, start + 1)
    end = _closing(text, position, "}")
    while end is None:
        key, position = _primitive(text, position, start, is_key=True)
        position = _after(_COLON, text, position, start)
        items[key], position = _element(text, position, depth, start)
        end = _closing(text, position, "}")
        if end is None:
            position = _after(_COMMA, text, position, start)
    return items, end


def _closing(text: str, position: int, bracket: str) -> int | None:
    """Return where the closing bracket ends, or None if it does not come next."""
    position = _skip(_BLANKS, text, position)
    return position + 1 if text.startswith(bracket, position) else None


def _after(mark: re.Pattern[str], text: str, position: int, opening: int) -> int:
    found = mark.match(text, position)
    if found is None:
        raise doubt_about_value(text, position, opening)
    return found.end()


def _skip(pattern: re.Pattern[str], text: str, position: int) -> int:
    return position if (found := pattern.match(text, position)) is None else found.end()


def _primitive(
    text: str, start: int, opening: int | None, *, is_key: bool = False
) -> tuple[Scalar, int]:
    """Return the unquoted scalar that starts here, and where it ends.

    A single token is a number, a boolean or null if it looks like one; several are text.
    """
    found: list[tuple[str, str]] = []
    position = start
    while piece := PIECE.match(text, position):
        if is_key and piece.lastgroup in NOT_IN_KEYS:
            break
        found.append((cast(str, piece.lastgroup), piece[0]))
        position = piece.end()
    # Blanks at the end are dropped, but not those that belong to a colon: `a=b: ` is `b: `.
    if found and found[-1][0] == "blank":
        del found[-1]
    if not found:
        raise doubt_about_value(text, start, opening)
    if len(found) == 1 and found[0][0] == "plain":
        return _scalar(found[0][1], start), position
    return "".join(raw[1::2] if kind == "escape" else raw for kind, raw in found), position


def _scalar(raw: str, position: int) -> Scalar:
    """Return what a run of plain text means by itself."""
    if raw.lower() in KEYWORDS:
        return KEYWORDS[raw.lower()]
    if INT.fullmatch(raw):
        try:
            return int(raw)
        except ValueError:
            raise Doubt(position, "this number has too many digits") from None
    if FLOAT.fullmatch(raw):
        return float(raw)
    return raw


def _unquoted(raw: str) -> str:
    """Return the text of a quoted string. A backslash counts only in a run before a quote."""
    if "\\" not in raw:
        return raw[1:-1]
    # The closing quote stays for the search, as backslashes before it are escaped too; a match that
    # reaches it is an even run, which leaves no quote behind.
    body = _ESCAPED_QUOTE[raw[0]].sub(lambda run: run[0][1::2], raw[1:])
    return body if raw[-2] == "\\" else body[:-1]


def _first_comma(text: str) -> int | None:
    """Return the column of the comma that makes a sweep of a text, or None in `range(…)`."""
    try:
        _, position = _element(text, _skip(_BLANKS, text, 0))
    except Doubt:
        return None
    comma = _COMMA.match(text, position)
    return text.index(",", position) + 1 if comma else None


def parse_bare(text: str, *, is_key: bool = False) -> Scalar:
    """Return what a text means without quotes, None also if it cannot stand without.

    Args:
        text: The text, with its escapes.
        is_key: Whether it stands as the key of a dict.
    """
    try:
        value, end = _primitive(text, 0, None, is_key=is_key)
    except Doubt:
        return None
    return value if end == len(text) else None
