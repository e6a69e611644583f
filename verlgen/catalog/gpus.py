"""GPUs and NPUs by the names people use in `hw=8xA100`."""

from __future__ import annotations

import json
import os
from functools import lru_cache
from typing import Any, NamedTuple

from verlgen.errors import UserError

MOST = 100_000
"""More nodes, or GPUs a node, than this is a slip of the hand."""


class Gpu(NamedTuple):
    """One kind of accelerator with one memory size.

    Attributes:
        type: Short name (`A100`).
        memory: Memory as it is sold (`80G`).
        gib: GiB that torch sees on one accelerator.
        device: verl's `trainer.device` family: `cuda`, `rocm` or `npu`.
        per_node: Accelerators a node usually has.
        bf16: Whether it computes in bfloat16.
    """

    type: str
    memory: str
    gib: float
    device: str
    per_node: int
    bf16: bool = True


class Machines(NamedTuple):
    """What `hw=` names: nodes, accelerators a node, and which.

    Attributes:
        nodes: Number of nodes.
        gpus: Accelerators per node.
        gpu: The accelerator.
    """

    nodes: int
    gpus: int
    gpu: Gpu

    @property
    def total(self) -> int:
        """Accelerators on all nodes together."""
        return self.nodes * self.gpus

    def __str__(self) -> str:
        one_node = f"{self.gpus}x{self.gpu.type}-{self.gpu.memory}"
        return one_node if self.nodes == 1 else f"{self.nodes}x{one_node}"


@lru_cache(maxsize=1)
def table() -> dict[str, Any]:
    """Return the data file: type -> default memory, aliases, device, memory sizes."""
    path = os.path.join(os.path.dirname(__file__), "gpus.json")
    with open(path, encoding="utf-8") as file:
        return dict(json.load(file))


def parse(option: str) -> Machines:
    """Return the machines that `[NODESx]GPUSxTYPE[-MEM]` names.

    Raises:
        UserError: The form is another one, a count is 0, or the type or memory is not known.
    """
    where = f"hw={option}"
    counts, name = _split(option)
    if not counts or any(not 1 <= count <= MOST for count in counts) or not name:
        raise UserError(
            "not of the form [NODESx]GPUSxTYPE[-MEM]",
            where=where,
            remedy="write for example hw=8xA100, hw=2x8xH100 or hw=8xA100-40G",
        )
    nodes, gpus = (1, counts[0]) if len(counts) == 1 else (counts[0], counts[1])
    return Machines(nodes, gpus, _gpu(name, where))


def _split(option: str) -> tuple[list[int], str]:
    counts: list[int] = []
    rest = option
    while len(counts) < 2:
        head, cross, tail = rest[: len(rest)].replace("X", "x", 1).partition("x")
        tail = rest[len(head) + 1 :]
        if not (cross and head.isascii() and head.isdigit()):
            break
        counts.append(int(head))
        rest = tail
    return counts, rest


def _gpu(name: str, where: str) -> Gpu:
    by_name: dict[str, str] = {}
    for type_, row in table().items():
        for spelling in (type_, *row["aliases"]):
            by_name[spelling.lower()] = type_
    wanted = name.lower()
    memory: str | None = None
    if wanted not in by_name and "-" in wanted:
        wanted, _, memory = wanted.rpartition("-")
    if wanted not in by_name:
        from verlgen.suggest import did_you_mean

        known = ", ".join(table())
        guess = did_you_mean(name.partition("-")[0], table())
        raise UserError(
            f"unknown GPU '{name}'",
            where=where,
            remedy=(f"{guess}\n" if guess else "") + f"known are {known}",
        )
    type_ = by_name[wanted]
    row = table()[type_]
    sizes: dict[str, Any] = row["memory"]
    chosen = row["default"] if memory is None else _size(memory, sizes)
    if chosen is None:
        raise UserError(
            f"{type_} has no '{name.rpartition('-')[2]}' version",
            where=where,
            remedy=f"known are {', '.join(f'{type_}-{size}' for size in sizes)}",
        )
    gib, bf16 = sizes[chosen]["gib"], row.get("bf16", True)
    return Gpu(type_, chosen, gib, row["device"], row["per_node"], bf16)


def _size(memory: str, sizes: dict[str, Any]) -> str | None:
    wanted = memory.upper().removesuffix("B")
    if not wanted.endswith("G"):
        wanted += "G"
    for size, row in sizes.items():
        if wanted == size or wanted in row.get("also", ()):
            return size
    return None
