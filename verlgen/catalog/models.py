"""Model shapes by hub id or path: parameters, layers, heads, vocabulary."""

from __future__ import annotations

import json
import os
import re
from functools import lru_cache
from typing import Any, NamedTuple


class Shape(NamedTuple):
    """The sizes of a language model.

    Attributes:
        name: Hub id, or the path's last part when the model is not in the catalog.
        params: Parameters in all (of a mixture of experts: all experts).
        known: `catalog`: all sizes are known; `name`: only `params`, read from a name like
            `…-7B`; `assumed`: nothing is known and `params` is a guess.
        layers: Decoder layers, 0 when unknown.
        hidden: Width of the residual stream, 0 when unknown.
        ffn: Width of the feed-forward layer, 0 when unknown.
        heads: Attention (query) heads, 0 when unknown.
        vocab: Entries of the vocabulary, 0 when unknown.
    """

    name: str
    params: int
    known: str
    layers: int = 0
    hidden: int = 0
    ffn: int = 0
    heads: int = 0
    vocab: int = 0


ASSUMED_PARAMS = 8_000_000_000
"""Taken for a model of which not even the name tells the size; a common size to train."""

_SIZE_IN_NAME = re.compile(r"(?<![\w.])(?:(\d+)x)?(\d+(?:\.\d+)?)([bm])(?![a-z0-9])", re.IGNORECASE)


@lru_cache(maxsize=1)
def _by_name() -> dict[str, dict[str, Any]]:
    path = os.path.join(os.path.dirname(__file__), "models.json")
    with open(path, encoding="utf-8") as file:
        rows = json.load(file)
    names: dict[str, dict[str, Any]] = {}
    for row in rows:
        for name in (row["id"], *row["aliases"]):
            names[name.lower()] = row
            names.setdefault(name.lower().rpartition("/")[2], row)
    return names


def shape(path: str) -> Shape:
    """Return the sizes of the model at a hub id or local path. Nothing is read but the name.

    A local path is known by its last part (`/models/Qwen3-8B`), as people name their folders.
    """
    last = path.rstrip("/").rpartition("/")[2]
    row = _by_name().get(path.lower()) or _by_name().get(last.lower())
    if row is not None:
        return Shape(
            row["id"],
            row["params"],
            "catalog",
            row["layers"],
            row["hidden"],
            row["ffn"],
            row["heads"],
            row["vocab"],
        )
    size = _SIZE_IN_NAME.search(last.replace("_", "-"))
    if size:
        experts, number, unit = size.groups()
        scale = 1_000_000_000 if unit.lower() == "b" else 1_000_000
        return Shape(last, int(float(number) * scale) * int(experts or 1), "name")
    return Shape(last or path, ASSUMED_PARAMS, "assumed")
