"""verl's own words, held against the key table of the release.

A user's word that the release would refuse is refused here, with what would be right. `+` is put
before a key exactly when the release's struct config demands it.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from typing import NamedTuple

from verlgen.compose.settings import flatten
from verlgen.errors import UserError
from verlgen.launch import Operator
from verlgen.overrides import ParsedOverride, dump_value
from verlgen.verl import history, tables
from verlgen.verl.tables import Table

ENGINE_GROUP = "model_engine"

_SECRET = re.compile(
    r"(?:^|_)(?:api_?key|secret|secret_?key|private_?key|access_?key|password|passwd|token)$", re.I
)
_SECRET_VALUE = re.compile(r"(?:sk-|hf_|ghp_|glpat-)[A-Za-z0-9_-]{8,}")
_NUMBERS = {"int", "float", "Optional[int]", "Optional[float]"}
_TRUTHS = {"bool", "Optional[bool]"}


class Judged(NamedTuple):
    """A user's word after judgement.

    Attributes:
        operator: The operator that the release demands.
        said: What the word says.
        text: The text after `=` to write, or None for `~key`.
        sets: Dotted key -> value for what it sets plainly; empty for groups and deletions.
        note: What was changed, or None.
    """

    operator: Operator
    said: ParsedOverride
    text: str | None
    sets: dict[str, object]
    note: str | None


def choose_engine(words: Sequence[tuple[str, ParsedOverride]]) -> str | None:
    """Return the option of `model_engine` that the words choose, or None."""
    for _, said in reversed(words):
        if said.key == ENGINE_GROUP and said.package is None and said.operator != "~":
            return str(said.value)
    return None


def accepts(release: str, words: Sequence[tuple[str, ParsedOverride]]) -> bool:
    """Tell whether a release takes all the words."""
    try:
        judge(words, tables.load(release, engine=choose_engine(words)))
    except UserError:
        return False
    return True


def judge(
    words: Sequence[tuple[str, ParsedOverride]], table: Table, ours: Sequence[str] = ()
) -> list[Judged]:
    """Judge the words in order: one may build on what another adds.

    Args:
        words: verl's words with what they say.
        table: The release's keys.
        ours: Names of our groups and knobs, one of which an unknown key may have meant.

    Raises:
        UserError: The release would refuse a word.
    """
    added: set[str] = set()
    removed: set[str] = set()
    judged = []
    for word, said in words:
        if not said.key and said.operator != "~":
            raise UserError("names no key", where=word, remedy="write key=value")
        refuse_secret(said.key, said.value, said.key, known=table.keys)
        verdict = _judge(word, said, table, added, removed, ours)
        judged.append(verdict)
        if verdict.operator == "~":
            removed.add(said.key)
            added.difference_update({key for key in added if _below(key, said.key)})
            continue
        if verdict.operator in ("+", "++"):
            added.update(_with_parents(verdict.said.key))
            added.update(key for leaf in verdict.sets for key in _with_parents(leaf))
    return judged


def _judge(
    word: str,
    said: ParsedOverride,
    table: Table,
    added: set[str],
    removed: set[str],
    ours: Sequence[str],
) -> Judged:
    group = said.key if said.package is None else f"{said.key}@{said.package}"
    choice = table.groups.get(group)
    if choice is not None and choice.overridable:
        return _judge_group(word, said, choice.options)
    if said.package is not None or "/" in said.key:
        if said.operator in ("+", "++"):
            return Judged(said.operator, said, said.value_text, {}, None)
        raise UserError(
            f"{_config(table)} has no config group '{group}'",
            where=word,
            remedy=_groups_line(table),
        )
    sets = dict(flatten({said.key: said.value})) if said.operator != "~" else {}
    if said.key.startswith("hydra."):
        return Judged(said.operator, said, said.value_text, {}, None)
    gone = any(_below(said.key, key) for key in removed)
    known = (table.exists(said.key) and not gone) or said.key in added
    if isinstance(said.value, list) and table.is_node(said.key):
        raise UserError("a list cannot take the place of a dict", where=word)
    if said.operator == "~":
        if not known:
            raise _unknown(word, said, table, ours)
        _refuse_vain_deletion(word, said, table)
        return Judged("~", said, said.value_text, {}, None)
    if said.operator == "++":
        return Judged("++", said, said.value_text, sets, None)
    if said.operator == "+":
        if known and not isinstance(said.value, dict) and said.key not in added:
            note = f"{word}: {_config(table)} has this key, so it is written without +"
            return Judged("=", said, said.value_text, sets, note)
        return Judged("+", said, said.value_text, sets, None)
    if said.key in table.plus and not known:
        note = f"{word}: only + reaches this key of {_config(table)}, so it is written with +"
        return Judged("+", said, said.value_text, sets, note)
    if not known:
        raise _unknown(word, said, table, ours)
    _refuse_type(word, said, table)
    missing = _not_mergeable(said.key, said.value, table)
    if missing is not None and missing not in added:
        raise _unknown(word, said._replace(key=missing), table, ours)
    return Judged("=", said, said.value_text, sets, None)


def _refuse_type(word: str, said: ParsedOverride, table: Table) -> None:
    """Refuse text where verl computes with a number, or asks yes or no."""
    if isinstance(said.value, dict) and isinstance(table.keys.get(said.key), list):
        raise UserError("a dict cannot take the place of a list", where=word)
    if not isinstance(said.value, str) or "${" in said.value:
        return
    kind = table.type_of(said.key)
    if kind in _NUMBERS:
        raise UserError(f"a number is needed, not '{said.value}'", where=word)
    if kind in _TRUTHS:
        raise UserError(f"True or False is needed, not '{said.value}'", where=word)


def _not_mergeable(key: str, value: object, table: Table) -> str | None:
    """Return the key at which a value cannot be merged into a dict of the config, or None."""
    if not table.is_node(key):
        return None
    if isinstance(value, dict):
        for name, inner in value.items():
            below = f"{key}.{name}"
            if not table.exists(below):
                return below
            found = _not_mergeable(below, inner, table)
            if found is not None:
                return found
    return None


def _refuse_vain_deletion(word: str, said: ParsedOverride, table: Table) -> None:
    """Refuse to delete a null, or a value that is another one: Hydra would."""
    if said.key not in table.keys:
        return
    there = table.keys[said.key]
    if there is None or there == "???":
        raise UserError(
            f"nothing to delete: {_config(table)} has null here",
            where=word,
            remedy=f"leave it out, or write {said.key}=VALUE",
        )
    open_end = isinstance(there, str) and "${" in there
    if said.value is not None and said.value != there and not open_end:
        raise UserError(
            f"the value here is {dump_value(there)}, not {dump_value(said.value)}",
            where=word,
            remedy=f"write ~{said.key}",
        )


def _judge_group(word: str, said: ParsedOverride, options: Sequence[str]) -> Judged:
    if said.operator == "~":
        return Judged("~", said, said.value_text, {}, None)
    names = said.value if isinstance(said.value, list) else [said.value]
    for name in names:
        if name is not None and str(name) not in options:
            raise UserError(
                f"config group '{said.key}' has no option '{name}'",
                where=word,
                remedy=f"options: {', '.join(options)}",
            )
    return Judged(said.operator, said, said.value_text, {}, None)


def _unknown(word: str, said: ParsedOverride, table: Table, ours: Sequence[str]) -> UserError:
    where_to = _other_name(said.key, table)
    if where_to is None:
        from verlgen.suggest import did_you_mean, nearest

        if "." not in said.key and nearest(said.key, ours):
            guess = did_you_mean(said.key, ours)
            return UserError(f"no group '{said.key}'", where=word, remedy=guess)
        guess = did_you_mean(said.key, (*table.keys, *table.plus, *ours))
        new = f"+{said.key}"
        if said.value_text is not None:
            new += f"={dump_value(said.value)}"
        lines = [guess] if guess else []
        if said.operator != "~":
            lines.append(f"to add a key that {_config(table)} does not have, write {new}")
        where_to = "\n".join(lines)
    return UserError(f"{_config(table)} has no key '{said.key}'", where=word, remedy=where_to)


def _other_name(key: str, table: Table) -> str | None:
    """Return where the key went or will come, or None when no release has it."""
    older = history.backward(key, table.release)
    if older != key and table.exists(older):
        return f"verl {table.release} calls it {older}"
    newer = history.forward(key, table.release)
    if newer is not None and newer != key and table.exists(newer):
        return f"verl {table.release} calls it {newer}"
    gone = history.dropped(key)
    if gone is not None and tables.sort_key(gone.since) <= tables.sort_key(table.release):
        return f"it went with verl {gone.since}: {gone.why}"
    having = [release for release in tables.published() if tables.load(release).exists(key)]
    if not having:
        return None
    first, last = having[0], having[-1]
    if tables.sort_key(first) > tables.sort_key(table.release):
        return f"it came with verl {first}; verl={last} has it"
    return f"verl {last} was the last release to have it"


def refuse_secret(key: str, value: object, where: str, known: Container[str] = ()) -> None:
    """Refuse to write down what looks like a secret, at any depth.

    Args:
        key: Dotted key.
        value: Its value.
        where: Place for the message, which must not repeat the value.
        known: Keys that verl itself has, which are none, whatever they are called.
    """
    if isinstance(value, dict):
        for name, inner in value.items():
            refuse_secret(f"{key}.{name}", inner, where, known)
        return
    if isinstance(value, list):
        for inner in value:
            refuse_secret(key, inner, where, known)
        return
    text = value if isinstance(value, str) else ""
    named = _SECRET.search(key.rpartition(".")[2]) and value not in (None, "", True, False)
    if key in known or "${" in text or not (named or _SECRET_VALUE.search(text)):
        return
    raise UserError(
        f"a secret would be written into the script: {key}",
        where=where,
        remedy="leave it in the environment, where verl and its loggers read it, "
        "or write ${oc.env:NAME}",
    )


def _below(key: str, above: str) -> bool:
    """Tell whether a key is another one or lies below it."""
    return key == above or key.startswith(above + ".")


def _with_parents(key: str) -> list[str]:
    parts = key.split(".")
    return [".".join(parts[:length]) for length in range(1, len(parts) + 1)]


def _config(table: Table) -> str:
    return f"{table.config} of verl {table.release}"


def _groups_line(table: Table) -> str:
    usable = [name for name, group in table.groups.items() if group.overridable]
    return f"its config groups are {', '.join(usable)}" if usable else "it has none"
