"""Every row of the history is held against the key tables of the releases around it."""

from __future__ import annotations

import pytest

from verlgen.verl import history, tables

ROWS = [pytest.param(move, id=f"{move.since}:{move.old}") for move in history.moves()]


def _has(release: str, pattern: str) -> bool:
    key = pattern.removesuffix(".*")
    configs = {name.config for name in tables.table_names(release)}
    mains = [name for name in ("ppo_trainer", "ppo_megatron_trainer") if name in configs]
    return any(tables.load(release, config).exists(key) for config in mains)


@pytest.mark.parametrize("move", ROWS)
def test_row(move: history.Move) -> None:
    known = tables.published()
    before = known[known.index(move.since) - 1]
    assert _has(before, move.old)
    if move.new is None:
        assert not _has(move.since, move.old)
        assert move.why
    else:
        assert _has(move.since, move.new)
        assert not _has(before, move.new)


def test_rows_come_oldest_first() -> None:
    keys = [tables.sort_key(move.since) for move in history.moves()]
    assert keys == sorted(keys)


def test_backward_and_forward_undo_each_other() -> None:
    newest = tables.newest()
    new = "critic.fsdp.param_offload"
    old = "critic.model.fsdp_config.param_offload"
    assert history.backward(new, "0.7.1") == old
    assert history.backward(new, "0.8.0") == new
    assert history.forward(old, newest) == new
    assert history.forward(old, "0.7.1") == old


def test_two_moves_in_a_row() -> None:
    newest = "skip.rollout.enable"
    assert history.backward(newest, "0.8.0") == "actor_rollout_ref.rollout.skip.enable"
    assert history.backward(newest, "0.7.1") == "actor_rollout_ref.rollout.skip_rollout"


def test_dropped() -> None:
    gone = history.dropped("trainer.use_legacy_worker_impl")
    assert gone is not None
    assert gone.since == "0.8.0"
    assert history.forward("trainer.use_legacy_worker_impl", "0.9.1") is None
    assert history.dropped("trainer.nnodes") is None
