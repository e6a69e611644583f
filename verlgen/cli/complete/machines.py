"""Machines: `hw=8xA100`, `hw=2x8xH100`."""

from __future__ import annotations

import re

from verlgen.catalog import gpus
from verlgen.cli.complete.found import Candidates


def machines(typed: str) -> Candidates:
    """Return machines `[NODESx]GPUSxTYPE[-MEM]` that go on from what is typed."""
    counts = re.match(r"(\d+x){0,2}", typed)
    said = counts[0] if counts else ""
    rest = typed[len(said) :]
    if not said and rest.isdigit():
        said, rest = f"{rest}x", ""
    elif said.count("x") == 1 and rest.isdigit():
        said, rest = f"{said}{rest}x", ""
    found: Candidates = []
    for type_, row in gpus.table().items():
        about = f"{row['default']}B a GPU, {row['per_node']} GPUs a node"
        starts = [said] if said else list(dict.fromkeys((f"{row['per_node']}x", "1x")))
        found += [(f"{start}{type_}", about) for start in starts]
        if said:
            # The usual memory needs no name until there is a dash.
            sizes = [size for size in row["memory"] if size != row["default"] or "-" in rest]
            found += [(f"{said}{type_}-{size}", f"{size}B a GPU") for size in sizes]
            found += [(f"{said}{name}", about) for name in row["aliases"] if name.startswith("RTX")]
    return found
