"""Ask Hydra, and say in plain words why it refuses.

A doubt of the parser says where it stopped and what it makes of that. Hydra decides; if it refuses
too, the doubt is the explanation, since Hydra's own messages speak of tokens of its grammar.
"""

from __future__ import annotations

import functools
import re
import warnings
from typing import TYPE_CHECKING, Any, cast

from verlgen.launch import Operator
from verlgen.overrides.grammar import OverrideError, ParsedOverride, Value, quote, shown

if TYPE_CHECKING:
    from hydra.core.override_parser.overrides_parser import OverridesParser

# Hydra's time grows with length times depth: the longest words Linux passes would take minutes.
_LONGEST_ASKED = 16 * 1024
_LONGEST_REMEDY = 300


class Doubt(Exception):
    """The parser is not sure about a word.

    Args:
        position: 0-based place in the word.
        what: What is wrong with it, if Hydra refuses it.
        remedy: What would be right.
    """

    def __init__(self, position: int, what: str, remedy: str | None = None) -> None:
        super().__init__(what)
        self.position = position
        self.what = shown(what)
        self.remedy = remedy if remedy is None or len(remedy) <= _LONGEST_REMEDY else None


def ask_hydra(word: str, doubt: Doubt, prefix: str = "") -> ParsedOverride:
    """Return Hydra's answer.

    Args:
        word: The word, or a part of one.
        doubt: Why we ask.
        prefix: What makes the part a whole word.

    Raises:
        OverrideError: When Hydra refuses it too; the doubt says why.
    """
    what, remedy = doubt.what, doubt.remedy
    if len(word) <= _LONGEST_ASKED:
        try:
            # Its warnings are about deprecated package names, and not for our caller.
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return _translated(prefix + word)
        except Doubt as refusal:
            what, remedy = refusal.what, refusal.remedy
        except RecursionError:
            what = "lists and dicts are nested too deeply"
        except Exception as error:
            # Any exception is a refusal: Hydra lets ValueError and AssertionError through.
            what = _in_function(str(error)) or what
    raise OverrideError(what, word=word, column=doubt.position + 1, remedy=remedy)


@functools.cache
def _parser() -> OverridesParser:
    from hydra.core.override_parser.overrides_parser import OverridesParser

    return OverridesParser.create()


def _translated(word: str) -> ParsedOverride:
    from hydra.core.override_parser.types import ChoiceSweep, Override, OverrideType

    operators: dict[OverrideType, Operator] = {
        OverrideType.CHANGE: "=",
        OverrideType.ADD: "+",
        OverrideType.FORCE_ADD: "++",
        OverrideType.DEL: "~",
    }
    parsed = _parser().parse_override(word)
    _, equals, text = word.partition("=")
    value: Any = parsed.value()
    sweep = parsed.is_sweep_override()
    if isinstance(value, ChoiceSweep) and not value.shuffle:
        value = [Override._convert_value(point) for point in value.list]
    elif sweep:
        value = text
    return ParsedOverride(
        operators[parsed.type],
        parsed.key_or_group,
        parsed.package,
        _plain(value),
        text if equals else None,
        sweep,
    )


def _plain(value: Any) -> Value:
    """Return a value; refuse sweeps inside lists and dicts, as Hydra does one step later."""
    if isinstance(value, dict):
        items = list(value.values())
    elif isinstance(value, list):
        items = value
    else:
        items = []
    for item in items:
        _plain(item)
    if value is not None and not isinstance(value, (bool, int, float, str, list, dict)):
        raise Doubt(
            0,
            "a sweep cannot stand inside a list or a dict",
            "write the whole lists or dicts: key=[1],[2]",
        )
    return cast(Value, value)


def _in_function(message: str) -> str | None:
    """Return what Hydra says about a function call, or None if the fault is another."""
    found = re.search(r"while evaluating '.*?': (.+)", message.partition("\n")[0])
    if found is None:
        return None
    reason = found[1].rstrip(".")
    return reason[:1].lower() + reason[1:]


def doubt_about_head(word: str) -> Doubt:
    """Return what is wrong before the `=`."""
    operator = re.match(r"[+~]*", word)
    start = operator.end() if operator else 0
    head, equals, value = word.partition("=")
    if word[:start] not in ("", "+", "++", "~"):
        return Doubt(0, f"'{word[:start]}' is no operator", "one of key=…, +key=…, ++key=…, ~key")
    if blank := re.search(r"\s", head):
        if not equals or len(head.split()) > 1:
            return Doubt(blank.start(), "a key cannot hold a blank")
        place = "before" if blank.start() == 0 else "after"
        remedy = f"write {head.strip()}={value.strip()}"
        return Doubt(blank.start(), f"a blank {place} the key", remedy)
    if not equals and re.fullmatch(r"[A-Za-z0-9_$./@-]*", head[start:]) and operator:
        remedy = f"write {head or 'key'}=value, or ~{head[start:] or 'key'} to delete the key"
        return Doubt(len(word), "the equals sign is missing", remedy)
    if head.startswith("-"):
        return Doubt(0, "a key cannot begin with a dash", f"write {head.lstrip('-')}={value}")
    key, at, package = head.partition("@")
    if at and ":" in package:
        remedy = f"write {key}@{package.rpartition(':')[2]}={value}"
        return Doubt(head.index(":"), "'@old:new' left Hydra with version 1.1", remedy)
    if index := re.search(r"\[([^\]]*)\]?", head):
        remedy = f"write {head[: index.start()]}.{index[1]}{head[index.end() :]}={value}"
        return Doubt(index.start(), "a key cannot hold a bracket", remedy)
    if bad := re.search(r"[^A-Za-z0-9_$./@-]", head[start:]):
        remedy = "a key is made of letters, digits, '_', '-', '$', with dots between its parts"
        return Doubt(start + bad.start(), f"a key cannot hold {bad[0]!r}", remedy)
    if empty := re.search(r"(?:^|(?<=[./@]))[./]|[./](?=$|@)", head[start:]):
        return Doubt(
            start + empty.start(), "a part of the key is empty", "take the extra dot or slash out"
        )
    if "/" in package:
        remedy = f"write {key}@{package.replace('/', '.')}={value}"
        return Doubt(head.rindex("/"), "the parts of a package are joined with dots", remedy)
    if "/" in key and (mixed := re.search(r"[.$]", key)):
        remedy = "a config group has slashes (hydra/launcher), a key has dots (hydra.job.name)"
        return Doubt(mixed.start(), "a key with a slash is a config group", remedy)
    if head.count("@") > 1:
        return Doubt(head.rindex("@"), "a second package", "write group@package=option")
    part = re.search(r"(?:^|(?<=[./@]))(?:[0-9][^./@]*|-[^./@]*)", head[start:])
    return Doubt(
        start + part.start() if part else start,
        f"{part[0]!r} cannot be a part of a key" if part else "hydra cannot read this key",
        "a part begins with a letter, '_' or '$', or is a whole number without leading zeros",
    )


def doubt_about_value(text: str, position: int, opening: int | None = None) -> Doubt:
    """Return what is wrong where the parser stopped in a value.

    Args:
        text: The word, or its value alone.
        position: Where it stopped.
        opening: Where the innermost open bracket stands.
    """
    while text.startswith((" ", "\t"), position):
        position += 1
    char = text[position : position + 1]
    before = text[:position].rstrip(" \t")[-1:] or "="
    bracket = "" if opening is None else text[opening]
    if char in ("'", '"'):
        return _doubt_about_quote(text, position, before)
    if not char and opening is not None:
        remedy = f"add {']' if bracket == '[' else '}'} at the end, or quote the value as text"
        return Doubt(opening, f"the bracket {bracket} is never closed", remedy)
    if char in (",", "]", "}", ":", "") and before in (",", "[", "{", ":"):
        if before == ":":
            what = "nothing after the colon"
        elif before == "," and char != ",":
            what = "nothing after the comma"
        else:
            what = f"nothing before the {'colon' if char == ':' else 'comma'}"
        return Doubt(position, what, "take it out, or write '' for an empty text")
    if bracket == "{" and char in (",", "}", "="):
        return Doubt(position, "a dict item has no colon", "write {key:value,key:value}")
    if char == "," and before == "=":
        return Doubt(
            position, "nothing before the comma", "take it out, or quote the value as text"
        )
    if char in ("]", "}"):
        return Doubt(position, f"the bracket {char} closes nothing", _as_text(text))
    if char in ("(", ")"):
        return Doubt(position, f"an unquoted {char} is for functions", _as_text(text))
    if text.startswith("${", position):
        what = "${ is never closed"
        if text.startswith("}", position + 2):
            what = "an interpolation is empty"
        elif bracket == "{" and "}" in text[position:]:
            what = "an interpolation cannot be the key of a dict"
        return Doubt(position, what, _as_text(text))
    if before in ("]", "}", "'", '"'):
        what = f"something follows the closing {before}"
        if before in ("'", '"'):
            return Doubt(position, what, f"a quote that is part of the text is written \\{before}")
        return Doubt(position, what, _as_text(text))
    if char == "=":
        return Doubt(position, "a second equals sign in unquoted text", _as_text(text))
    return Doubt(position, f"the character {char!r} must be quoted", _as_text(text))


def _doubt_about_quote(text: str, position: int, before: str) -> Doubt:
    mark = text[position]
    if before in (",", "[", "{", ":", "="):
        closed = re.compile(rf"{mark}(?:[^{mark}\\]|\\.)*{mark}", re.DOTALL).match(text, position)
        if closed and before in ("{", ","):
            return Doubt(
                position, "the key of a dict cannot be quoted", f"write {closed[0][1:-1]}:…"
            )
        return Doubt(
            position,
            f"the quote {mark} is never closed",
            f"add {mark} at the end; a quote that is part of the text is written \\{mark}",
        )
    return Doubt(position, f"a quote {mark} inside unquoted text", _as_text(text))


def _as_text(text: str) -> str:
    """Return how to write a value as one text."""
    key, equals, value = text.partition("=")
    if not equals:
        key, value = "", text
    if len(text) > _LONGEST_REMEDY // 2:
        return "put quotes around the value if it is one text (inside the shell's own quotes)"
    return f"as one text: {key}{equals}{quote(value)} (inside the shell's own quotes)"
