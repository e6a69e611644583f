"""What one of verl's keys or config groups may be, as far as its type and default tell."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from verlgen.cli.complete.found import Candidates

if TYPE_CHECKING:
    from verlgen.verl.tables import Table

# Patterns are text, compiled when first used: compiling them all would cost more than an answer.
_LITERAL = r"Literal\[(.*?)\]"
_CHOICE = r"""(['"])(.*?)\1|(-?\d+|True|False|None)"""

_SAFE_VALUE = r"[\w./:@%+,~-]+"
"""A value that neither a shell nor Hydra takes for something else."""


def key_values(table: Table, key: str) -> Candidates:
    """Return the values that verl's key or config group is known to take, or its default."""
    group = table.groups.get(key)
    if group is not None and group.overridable:
        return [
            (name, "default" if name == group.chosen else "config group of verl")
            for name in group.options
        ]
    kind = table.type_of(key) or ""
    field = table.plus.get(key)
    default = table.keys.get(key) if field is None else field.default
    known = choices(kind)
    written = _written(default)
    if known:
        return [(text, "default" if text == written else "") for text in known]
    return [] if written is None else [(written, f"{kind}, default")]


def choices(kind: str) -> list[str]:
    """Return the values that an annotation lists; nothing for one that lists none."""
    literal = re.search(_LITERAL, kind)
    if literal is not None:
        found = [match[2] or match[3] or "" for match in re.finditer(_CHOICE, literal[1])]
    elif kind in ("bool", "Optional[bool]"):
        found = ["True", "False"]
    else:
        return []
    if kind.startswith("Optional[") or "None" in found:
        found = [*(text for text in found if text != "None"), "null"]
    return [text for text in found if re.fullmatch(_SAFE_VALUE, text)]


def _written(value: object) -> str | None:
    """Return a default as a word holds it; None for what nobody would type, such as null."""
    from verlgen.overrides import dump_value

    if not isinstance(value, bool | int | float | str) or value == "???":
        return None
    text = str(value) if isinstance(value, bool) else dump_value(value)
    return text if re.fullmatch(_SAFE_VALUE, text) else None
