"""How keys were renamed, moved and dropped from release to release.

The rows (data/history.json) are facts of the published configs of main_ppo: `old` exists in the
release before `since`, `new` in `since`. `a.*` stands for all keys below `a`. Values pass unchanged
along every row that names a new key; moves that also change the value are not in this table.
"""

from __future__ import annotations

import json
import os
from functools import lru_cache
from typing import NamedTuple

from verlgen.verl.tables import sort_key


class Move(NamedTuple):
    """One row.

    Attributes:
        since: First release with the new name, or without the key.
        old: Name before.
        new: Name since, or None where the key was dropped.
        why: Why it was dropped, or None.
    """

    since: str
    old: str
    new: str | None
    why: str | None


@lru_cache(maxsize=1)
def moves() -> list[Move]:
    """Return all rows, oldest first."""
    path = os.path.join(os.path.dirname(__file__), "data", "history.json")
    with open(path, encoding="utf-8") as file:
        rows = json.load(file)
    return [Move(row["since"], row["old"], row["new"], row.get("why")) for row in rows]


def backward(key: str, release: str) -> str:
    """Return what `release` calls the key that a newer release calls `key`."""
    wanted = sort_key(release)
    for move in reversed(moves()):
        if move.new is not None and wanted < sort_key(move.since):
            key = _along(key, move.new, move.old) or key
    return key


def forward(key: str, release: str) -> str | None:
    """Return what `release` calls the key that an older release calls `key`; None if dropped."""
    wanted = sort_key(release)
    for move in moves():
        if wanted < sort_key(move.since):
            break
        if move.new is None:
            if _along(key, move.old, move.old):
                return None
        else:
            key = _along(key, move.old, move.new) or key
    return key


def dropped(key: str) -> Move | None:
    """Return the row that dropped the key, or None."""
    for move in moves():
        if move.new is None and _along(key, move.old, move.old):
            return move
    return None


def _along(key: str, source: str, target: str) -> str | None:
    """Return the key moved from one pattern to the other, or None where it does not match."""
    if source.endswith(".*"):
        stem = source[:-1]
        return target[:-1] + key[len(stem) :] if key.startswith(stem) else None
    return target if key == source else None
