from __future__ import annotations

import pytest

from verlgen.catalog import gpus
from verlgen.errors import UserError


@pytest.mark.parametrize(
    ("option", "nodes", "per_node", "memory"),
    [
        ("8xA100", 1, 8, "80G"),
        ("8xA100-40G", 1, 8, "40G"),
        ("8xA100-80G", 1, 8, "80G"),
        ("2x8xH100", 2, 8, "80G"),
        ("1x4090", 1, 1, "24G"),
        ("4xH20-141G", 1, 4, "141G"),
        ("8xB200-192G", 1, 8, "180G"),
        ("8xA100-PCIE", 1, 8, "80G"),
    ],
)
def test_machines(option: str, nodes: int, per_node: int, memory: str) -> None:
    machines = gpus.parse(option)
    assert (machines.nodes, machines.gpus, machines.gpu.memory) == (nodes, per_node, memory)
    assert machines.total == nodes * per_node


@pytest.mark.parametrize("type_", gpus.table())
def test_every_type_and_memory_is_reached_by_its_name(type_: str) -> None:
    row = gpus.table()[type_]
    assert gpus.parse(f"8x{type_}").gpu.memory == row["default"]
    for memory, facts in row["memory"].items():
        assert gpus.parse(f"8x{type_}-{memory}").gpu.gib == facts["gib"]
    for alias in row["aliases"]:
        assert gpus.parse(f"1x{alias.lower()}").gpu.type == type_


def test_no_spelling_means_two_gpus() -> None:
    spellings = [s.lower() for t, row in gpus.table().items() for s in (t, *row["aliases"])]
    assert len(spellings) == len(set(spellings))


@pytest.mark.parametrize(
    ("option", "says"),
    [
        ("8xA1000", "unknown GPU 'A1000'"),
        ("8xH100-40G", "H100 has no '40G' version"),
        ("A100", "not of the form"),
        ("8", "not of the form"),
        ("0x8xA100", "not of the form"),
        ("8xA100-", "has no '' version"),
        ("²xA100", "not of the form"),
    ],
)
def test_refusals_say_what_would_be_right(option: str, says: str) -> None:
    with pytest.raises(UserError, match=says) as caught:
        gpus.parse(option)
    assert caught.value.where == f"hw={option}"
    assert caught.value.remedy
