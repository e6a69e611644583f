"""How a script is laid out: knobs on top, one array a worker, the user's other words last."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from verlgen.launch import Operator, Word
from verlgen.script.quoting import (
    QUOTED,
    hydra_word,
    quoted_word,
    shell,
    shell_default,
    shell_word,
)

_WIDTH = 100
_INDENT = "    "
_FILES = "files"


class Item(NamedTuple):
    """One override to be written.

    Attributes:
        operator: One of Hydra's four.
        key: Dotted key or group, with its package.
        value: Python value, or one with Words in it where the shell shall expand.
        text: The text after `=` as it is to be passed, which then goes before `value`: the
            user's own, or that of a launch which was read, symbols in it.
        comment: Short reason, or None.
    """

    operator: Operator
    key: str
    value: Any
    text: str | Word | None = None
    comment: str | None = None


class Knob(NamedTuple):
    """A shell variable that people turn.

    Attributes:
        name: Name of the variable.
        default: Shell text of its default.
    """

    name: str
    default: str


class Array(NamedTuple):
    """A bash array of overrides.

    Attributes:
        name: Name of the array.
        lines: Its lines, indented, with comments.
    """

    name: str
    lines: list[str]


class Layout(NamedTuple):
    """A script's parts in order.

    Attributes:
        knobs: Variables on top.
        arrays: One for each worker that has settings; none is empty.
        values: Shell text of every entry and default, comments left out.
        order: All items in the order in which the script passes them.
        words: What it passes for each value, as long as nobody turns a knob; None without one.
        functions: Names of the shell functions that the script needs, in order.
        functions_first: Whether a knob's default needs one, so that they come before the knobs.
    """

    knobs: list[Knob]
    arrays: list[Array]
    values: list[str]
    order: list[Item]
    words: list[Word | None]
    functions: list[str]
    functions_first: bool


def lay_out(settings: Sequence[Item], extra: Sequence[Item] = ()) -> Layout:
    """Lay out a script.

    Args:
        settings: Plain settings; they are grouped by worker, which changes nothing, since no two
            have the same key.
        extra: Words whose order counts (groups, deletions, whole dicts); they stay in order, last.
    """
    knobs: dict[str, Knob] = {}
    defaults: dict[str, Any] = {}
    grouped: dict[str, list[tuple[Item, str]]] = {}
    turned: dict[int, str] = {}
    for item in settings:
        row = _knob_rows().get(item.key) if item.operator == "=" else None
        head = _head(item)
        entry = _entry(item, head)
        # What was read is passed on to the letter, so it needs no quoting when the script runs.
        read = isinstance(item.text, tuple)
        kind = "read" if read else row["kind"] if row else ""
        value = item.text if read else item.value
        if row is not None and (read or _fits(kind, value)):
            name = row["name"]
            if defaults.setdefault(name, value) == value:
                knobs[name] = Knob(name, shell_default(value))
                turned[id(item)] = kind
                entry = f"{head}={_turned(name, kind)}"
        grouped.setdefault(_array(item.key), []).append((item, entry))
    if extra:
        grouped["EXTRA"] = [(item, _entry(item, _head(item))) for item in extra]
    names = [name for name in (*_array_names(), "EXTRA") if name in grouped]
    shown = [row["name"] for row in _rows()["knobs"]]
    entries = [entry for name in names for _, entry in grouped[name]]
    defaults_code = [knob.default for knob in knobs.values()]
    code = "\n".join(entries + defaults_code)
    functions = [name for name in (QUOTED, _FILES) if f"$({name} " in code]
    if _FILES in functions and QUOTED not in functions:
        functions.insert(0, QUOTED)  # which it calls
    return Layout(
        [knobs[name] for name in shown if name in knobs],
        [Array(name, _lines(grouped[name])) for name in names],
        entries + defaults_code,
        order := [item for name in names for item, _ in grouped[name]],
        [_passed(item, turned.get(id(item))) for item in order],
        functions,
        functions_first=f"$({QUOTED} " in "\n".join(defaults_code),
    )


def _entry(item: Item, head: str) -> str:
    if item.text is None and item.operator == "~":
        return head
    if item.text is None:
        return f"{head}={shell(item.value)}"
    return f"{head}={shell_word(item.text if isinstance(item.text, tuple) else (item.text,))}"


def _passed(item: Item, kind: str | None) -> Word | None:
    """Return what the script passes for an item's value, on which a knob of a kind may turn."""
    if kind == "text" or (kind == _FILES and not isinstance(item.value, list)):
        return quoted_word(item.value)
    if item.text is not None and kind in (None, "read"):
        return item.text if isinstance(item.text, tuple) else (item.text,)
    return None if item.operator == "~" else hydra_word(item.value)


def _head(item: Item) -> str:
    return shlex.quote(item.key if item.operator == "=" else item.operator + item.key)


def _turned(name: str, kind: str) -> str:
    function = {"text": QUOTED, _FILES: _FILES}.get(kind)
    return f'"$({function} "${name}")"' if function else f'"${name}"'


def _fits(kind: str, value: Any) -> bool:
    """Tell whether the knob's variable can hold the value so that it comes out the same."""
    if kind == "number":
        return isinstance(value, int) and not isinstance(value, bool)
    if kind == "text":
        return isinstance(value, str | tuple)
    if isinstance(value, list):
        return bool(value) and all(isinstance(item, str | tuple) for item in value)
    # A text in brackets would be taken for a list.
    start = value[0] if isinstance(value, tuple) else value
    return not (isinstance(start, str) and start.startswith("[")) and isinstance(value, str | tuple)


def _lines(entries: Sequence[tuple[Item, str]]) -> list[str]:
    """Return the array's lines; a comment stands behind its entry, or above if it is too long."""
    fitting = [
        len(_INDENT + entry)
        for item, entry in entries
        if item.comment and len(_INDENT + entry) + 4 + len(item.comment) <= _WIDTH
    ]
    column = max(fitting, default=0)
    lines = []
    for item, entry in entries:
        line = _INDENT + entry
        if not item.comment or "\n" in entry:
            lines.append(line)
        elif max(column, len(line)) + 4 + len(item.comment) <= _WIDTH:
            lines.append(f"{line:<{column}}  # {item.comment}")
        else:
            lines += [f"{_INDENT}# {item.comment}", line]
    return lines


def _array(key: str) -> str:
    return next(str(name) for name, prefix in _rows()["arrays"] if key.startswith(prefix))


def _array_names() -> list[str]:
    return list(dict.fromkeys(name for name, _ in _rows()["arrays"]))


@lru_cache(maxsize=1)
def _rows() -> dict[str, Any]:
    path = os.path.join(os.path.dirname(__file__), "layout.json")
    with open(path, encoding="utf-8") as file:
        return dict(json.load(file))


@lru_cache(maxsize=1)
def _knob_rows() -> dict[str, dict[str, Any]]:
    return {key: row for row in _rows()["knobs"] for key in row["keys"]}
