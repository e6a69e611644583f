"""The data file of a release: lines of JSON, so that a reader parses the header and what it needs.

Line 1 is the header: what there is, with offset and length of every other line. Then comes one line
a table, with its keys in full or as changes to another table; then `classes` (the dataclasses
behind `_target_`) and `files` (every config file as data).
"""

from __future__ import annotations

import difflib
import json
import os
from pathlib import Path
from typing import Any, NamedTuple

from verlgen.errors import UserError
from verlgen.verl.extract.configs import Composed, Group
from verlgen.verl.tables import FORMAT

_DEEPEST = 3
"""Changes to changes to a whole table, no deeper: a reader parses one line a step."""

_OVERLAY_GAIN = 0.6
"""A table is stored as changes when they take less than this share of its own bytes."""


def encode(facts: dict[str, Any], tables: list[Composed]) -> bytes:
    """Returns a data file's bytes; the same facts give the same bytes.

    Args:
        facts: Header entries (`release`, `sha256`, `kind`, `entrypoints`, `options`, …), and the
            separate lines `classes` and `files`.
        tables: Composed configs, those that do not compose included.
    """
    lines: list[bytes] = []
    offset = 0
    listed: list[dict[str, Any]] = []
    stored: list[_Stored] = []

    def add(content: object) -> list[int]:
        nonlocal offset
        line = _json(content) + b"\n"
        lines.append(line)
        place = [offset, len(line)]
        offset += len(line)
        return place

    for number, table in enumerate(tables):
        entry: dict[str, Any] = {"config": table.config, "path": table.path}
        if table.choices:
            entry["choices"] = table.choices
        if table.engine:
            entry["engine"] = table.engine
        if table.tree is None:
            entry["problem"] = table.problem
        else:
            keys = flat(table.tree)
            base, changes = _smallest(keys, stored)
            entry["keys"] = len(keys)
            if base is not None:
                entry["base"] = base.number
            stored.append(_Stored(number, keys, base.depth + 1 if base else 0))
            entry["line"] = add({**changes, "groups": [_group(group) for group in table.groups]})
        listed.append(entry)
    header = {"format": FORMAT, **facts}
    header["classes"] = add(facts["classes"])
    header["files"] = add(facts["files"])
    header["tables"] = listed
    return b"".join([_json(header) + b"\n", *lines])


def write(path: Path, content: bytes) -> None:
    """Writes a data file whole or not at all.

    Raises:
        UserError: The folder cannot be written.
    """
    import tempfile

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(content)
            os.chmod(temporary, 0o644)
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as error:
        raise UserError(f"cannot write {path}: {error.strerror}") from None


def flat(tree: dict[str, Any]) -> dict[str, Any]:
    """Returns dotted key to leaf, in order. Leaves are scalars, lists and empty dicts.

    A dict with a key that a dotted key cannot hold (not text, empty, with a dot) is a leaf too.
    """
    leaves: dict[str, Any] = {}

    def walk(node: dict[str, Any], prefix: str) -> None:
        for key, value in node.items():
            name = f"{prefix}{key}"
            if isinstance(value, dict) and value and all(map(_plain_key, value)):
                walk(value, name + ".")
            else:
                leaves[name] = value

    walk(tree, "")
    return leaves


def _plain_key(key: object) -> bool:
    return isinstance(key, str) and key != "" and "." not in key


class _Stored(NamedTuple):
    number: int
    keys: dict[str, Any]
    depth: int


def _smallest(keys: dict[str, Any], stored: list[_Stored]) -> tuple[_Stored | None, dict[str, Any]]:
    """Returns the base table and the changes to it, or no base and all keys."""
    best: tuple[_Stored | None, dict[str, Any]] = (None, {"keys": keys})
    least = len(_json(keys)) * _OVERLAY_GAIN
    for base in stored:
        if base.depth >= _DEEPEST:
            continue
        changes = difference(base.keys, keys)
        size = len(_json(changes))
        if size < least:
            best, least = (base, changes), size
    return best


def difference(base: dict[str, Any], keys: dict[str, Any]) -> dict[str, Any]:
    """Returns what makes `keys` of `base`, order included.

    Returns:
        `set` (other values), `drop` (keys that go), `insert` (key in front of the new ones, or
        None at the top, with the new keys); each only where there is something.
    """
    old, new = list(base), list(keys)
    changed: dict[str, Any] = {}
    dropped: list[str] = []
    inserted: list[list[Any]] = []
    matcher = difflib.SequenceMatcher(a=old, b=new, autojunk=False)
    for operation, low, high, first, last in matcher.get_opcodes():
        if operation == "equal":
            changed.update({key: keys[key] for key in old[low:high] if _differ(base, keys, key)})
            continue
        dropped += old[low:high]
        if last > first:
            before = old[low - 1] if low else None
            inserted.append([before, {key: keys[key] for key in new[first:last]}])
    parts = {"set": changed, "drop": dropped, "insert": inserted}
    return {name: part for name, part in parts.items() if part}


def _differ(base: dict[str, Any], keys: dict[str, Any], key: str) -> bool:
    # 1, 1.0 and True are equal to Python and three values to Hydra.
    return _json(base[key]) != _json(keys[key])


def _group(group: Group) -> list[Any]:
    return [group.key, group.chosen, group.folder, group.overridable]


def _json(content: object) -> bytes:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
