"""Which of verl's keys go on from a name, or end in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verlgen.cli.complete.found import Candidates

if TYPE_CHECKING:
    from verlgen.verl.annotations import PlusField
    from verlgen.verl.tables import Table

_MOST_FOUND = 40


def below(table: Table, operator: str, typed: str) -> Candidates:
    """Return the names that go on from a key, one segment on: `node.`, `leaf=`."""
    base, _, last = typed.rpartition(".")
    stem = f"{base}." if base else ""
    found = {
        stem + name: _key(table, operator, stem + name)
        for name in table.children(base)
        if name.startswith(last)
        and (name != "_target_" or last)
        # There is nothing to delete where the config says null.
        and not (operator == "~" and table.keys.get(stem + name, 0) in (None, "???"))
    }
    if operator in ("+", "++"):
        for key, field in table.plus.items():
            if key.startswith(typed):
                name, dot, _ = key[len(stem) :].partition(".")
                known = found.get(stem + name)
                if known is None or (dot and not known[0].endswith(".")):
                    found[stem + name] = (f"{stem}{name}.", "") if dot else _plus(key, field)
    groups = _groups(table, typed) if "@" in typed else []
    return [*found.values(), *groups]


def search(table: Table, operator: str, typed: str) -> Candidates:
    """Return keys whose last segment, or last few (`rollout.n`), begin with the typed text."""
    if len(typed) < 2:
        return []
    needle = f".{typed}"
    pool = [*table.keys, *(table.plus if operator in ("+", "++") else ())]
    found: list[str] = []
    for key in pool:
        at = f".{key}".rfind(needle)
        if at >= 0 and "." not in key[at + len(typed) :] and not key.endswith("._target_"):
            found.append(key)
    found.sort(key=lambda key: not f".{key}".endswith(needle))
    return [
        _key(table, operator, key) if key in table.keys else _plus(key, table.plus[key])
        for key in found[:_MOST_FOUND]
    ]


def _key(table: Table, operator: str, key: str) -> tuple[str, str]:
    children = table.children(key)
    if children:
        return f"{key}.", ", ".join(name for name in children if name != "_target_")
    about = _about(table.type_of(key) or "Any", table.keys.get(key), True)
    return (key if operator == "~" else f"{key}="), about


def _plus(key: str, field: PlusField) -> tuple[str, str]:
    return f"{key}=", _about(field.type, field.default, field.known)


def _groups(table: Table, typed: str) -> Candidates:
    """Return verl's own config groups that have a choice: `actor@actor_rollout_ref.actor=`."""
    return [
        (f"{name}=", f"config group of verl; {group.chosen} when not said")
        for name, group in table.groups.items()
        if name.startswith(typed) and group.overridable and len(group.options) > 1
    ]


def _about(kind: str, default: object, known: bool) -> str:
    if not known or default == "???":
        return kind
    return f"{kind}, default {'null' if default is None else default}"
