"""How a script is laid out: knobs on top, one array a worker, the user's other words last."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from verlgen.launch import Operator
from verlgen.script.quoting import QUOTED, shell, shell_default

_WIDTH = 100
_INDENT = "    "
_FILES = "files"


class Item(NamedTuple):
    """One override to be written.

    Attributes:
        operator: One of Hydra's four.
        key: Dotted key or group, with its package.
        value: Python value, or one with Words in it where the shell shall expand.
        text: The text after `=` as the user wrote it, which then goes before `value`.
        comment: Short reason, or None.
    """

    operator: Operator
    key: str
    value: Any
    text: str | None = None
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
        functions: Names of the shell functions that the script needs, in order.
        functions_first: Whether a knob's default needs one, so that they come before the knobs.
    """

    knobs: list[Knob]
    arrays: list[Array]
    values: list[str]
    order: list[Item]
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
    for item in settings:
        row = _knob_rows().get(item.key) if item.operator == "=" else None
        head = _head(item)
        if row is not None and _fits(row["kind"], item.value):
            name = row["name"]
            if defaults.setdefault(name, item.value) == item.value:
                knobs[name] = Knob(name, shell_default(item.value))
                grouped.setdefault(_array(item.key), []).append(
                    (item, f"{head}={_turned(name, row['kind'])}")
                )
                continue
        grouped.setdefault(_array(item.key), []).append((item, _entry(item, head)))
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
        [item for name in names for item, _ in grouped[name]],
        functions,
        functions_first=f"$({QUOTED} " in "\n".join(defaults_code),
    )


def _entry(item: Item, head: str) -> str:
    if item.text is None and item.operator == "~":
        return head
    return f"{head}={shell(item.value) if item.text is None else shlex.quote(item.text)}"


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
