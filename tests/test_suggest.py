from __future__ import annotations

import pytest

from verlgen.suggest import did_you_mean, nearest
from verlgen.verl import tables

TYPOS = {
    "rollout.n": "actor_rollout_ref.rollout.n",
    "actor.lr": "actor_rollout_ref.actor.optim.lr",
    "critic.lr": "critic.optim.lr",
    "data.train_batchsize": "data.train_batch_size",
    "trainer.epochs": "trainer.total_epochs",
    "trainer.n_gpus": "trainer.n_gpus_per_node",
    "algorithm.advantage_estimator": "algorithm.adv_estimator",
    "rollout.temperature": "actor_rollout_ref.rollout.temperature",
    "actor_rollout_ref.actor.kl_coef": "actor_rollout_ref.actor.kl_loss_coef",
    "actor_rollout_ref.rollout.tensor_parallel_size": (
        "actor_rollout_ref.rollout.tensor_model_parallel_size"
    ),
    "actor_rollout_ref.rollout.gpu_mem_utilization": (
        "actor_rollout_ref.rollout.gpu_memory_utilization"
    ),
}


@pytest.mark.parametrize("typo", TYPOS)
def test_the_key_that_was_meant_comes_first(typo: str) -> None:
    assert nearest(typo, tables.load("0.9.1").keys)[0] == TYPOS[typo]


def test_nothing_near_means_no_guess() -> None:
    assert did_you_mean("qqq.zzz", tables.load("0.9.1").keys) is None
