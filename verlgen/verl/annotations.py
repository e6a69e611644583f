"""What verl's dataclasses say of the keys: annotations, and fields that only `+` reaches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from verlgen.verl.tables import Table


class PlusField(NamedTuple):
    """A dataclass field that no YAML file has, so that only `+` reaches it.

    Attributes:
        type: Annotation, as `type_of` gives it.
        default: The literal default as JSON, or None where it is None or computed.
        known: Whether `default` is the literal default.
        owner: Full name of the dataclass.
        built: Whether a node with `_target_` holds the field directly, so that Hydra hands it to
            the dataclass. False below such a field: there verl gets a plain dict, unless the dict
            is given a `_target_` too.
    """

    type: str
    default: Any
    known: bool
    owner: str
    built: bool


Annotated = tuple[dict[str, str], dict[str, PlusField]]
"""Key -> annotation, and key -> field that only `+` reaches."""


def annotate(table: Table, facts: Mapping[str, Any]) -> Annotated:
    """Return what the dataclasses of a table's `_target_` nodes say of its keys.

    Args:
        table: The keys.
        facts: The release's dataclasses, as `verlgen.verl.extract` stores them.
    """
    types: dict[str, str] = {}
    plus: dict[str, PlusField] = {}
    for key in table.keys:
        if key == "_target_" or key.endswith("._target_"):
            owner = facts["targets"].get(table.keys[key])
            if owner is not None:
                for found, annotation in _fields(
                    table, facts["classes"], key[: -len("_target_")], owner, True, frozenset()
                ):
                    if isinstance(annotation, PlusField):
                        plus[found] = annotation
                    else:
                        types[found] = annotation
    return types, plus


def _fields(
    table: Table,
    classes: Mapping[str, Any],
    prefix: str,
    owner: str,
    built: bool,
    seen: frozenset[str],
) -> Iterator[tuple[str, str | PlusField]]:
    """Yields the keys of a dataclass at `prefix` (with its last dot), nested dataclasses included.

    Args:
        table: Says which keys YAML has.
        classes: Full class name to facts.
        prefix: Where the dataclass stands.
        owner: Its full name.
        built: Whether Hydra builds the dataclass from this node.
        seen: Classes around this one, so that one that holds itself ends.
    """
    for name, field in classes[owner]["fields"].items():
        key = prefix + name
        exists = table.is_leaf(key) or table.is_node(key)
        if exists:
            yield key, field["type"]
        else:
            known = "default" in field
            yield key, PlusField(field["type"], field.get("default"), known, owner, built)
        inner = field.get("class")
        if inner is None or inner in {owner, *seen} or f"{key}._target_" in table.keys:
            continue
        if not exists or table.is_node(key):
            yield from _fields(table, classes, f"{key}.", inner, False, seen | {owner})
