"""The pair of scripts that a published article compares: PPO and GRPO for one model on gsm8k.

The expectation is the article's text as the issue gives it. What verlgen's scripts pass comes from
real bash, and both are read by Hydra's own parser.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests import shell
from tests.hydra_words import Said, said
from verlgen.compose.generate import generate
from verlgen.report.generated import script_text

PPO = """
    algorithm.adv_estimator=gae data.train_files=$HOME/data/gsm8k/train.parquet
    data.val_files=$HOME/data/gsm8k/test.parquet data.train_batch_size=1024
    data.max_prompt_length=512 data.max_response_length=512 data.filter_overlong_prompts=True
    data.truncation=error actor_rollout_ref.model.path=deepseek-ai/deepseek-llm-7b-chat
    actor_rollout_ref.actor.optim.lr=1e-6 actor_rollout_ref.model.use_remove_padding=True
    actor_rollout_ref.actor.ppo_mini_batch_size=256
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=16
    actor_rollout_ref.actor.fsdp_config.param_offload=False
    actor_rollout_ref.actor.fsdp_config.optimizer_offload=False
    actor_rollout_ref.actor.use_kl_loss=False
    actor_rollout_ref.model.enable_gradient_checkpointing=True
    actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=32
    actor_rollout_ref.rollout.tensor_model_parallel_size=4 actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.gpu_memory_utilization=0.4
    critic.optim.lr=1e-5 critic.model.use_remove_padding=True
    critic.model.path=deepseek-ai/deepseek-llm-7b-chat
    critic.model.enable_gradient_checkpointing=True critic.ppo_micro_batch_size_per_gpu=32
    critic.model.fsdp_config.param_offload=False critic.model.fsdp_config.optimizer_offload=False
    algorithm.use_kl_in_reward=False trainer.critic_warmup=0
    trainer.logger=["console","wandb"] trainer.project_name=verl_example_gsm8k
    trainer.experiment_name=deepseek_llm_7b_function_rm trainer.n_gpus_per_node=8
    trainer.nnodes=1 trainer.save_freq=20 trainer.test_freq=1
    trainer.use_legacy_worker_impl=auto trainer.total_epochs=15
"""

# GRPO has no critic, and otherwise differs from PPO in this.
GRPO = """
    algorithm.adv_estimator=grpo data.max_response_length=1024
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=80
    actor_rollout_ref.actor.use_kl_loss=True actor_rollout_ref.actor.kl_loss_coef=0.001
    actor_rollout_ref.actor.kl_loss_type=low_var_kl actor_rollout_ref.actor.entropy_coeff=0
    actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=160
    actor_rollout_ref.rollout.tensor_model_parallel_size=2
    actor_rollout_ref.rollout.gpu_memory_utilization=0.6 actor_rollout_ref.rollout.n=5
    actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu=160
    actor_rollout_ref.ref.fsdp_config.param_offload=True
"""

RECIPE = "recipe=deepseek7b-gsm8k"
LEGACY = "trainer.use_legacy_worker_impl"


def read(text: str) -> dict[str, Said]:
    words = text.replace("$HOME", shell.HOME).split()
    return {word.key: word for word in map(said, words)}


def article(algo: str) -> dict[str, Said]:
    """Returns what the article's script passes, by key."""
    expected = read(PPO)
    if algo == "grpo":
        expected = {key: word for key, word in expected.items() if not key.startswith("critic.")}
        expected |= read(GRPO)
    return expected


def made(*words: str) -> tuple[str, dict[str, Said]]:
    """Returns the script of a command, and what bash passes when it runs it, by key."""
    script = script_text(generate(words), words)
    passed = [said(word) for word in shell.run(script).launch().argv[2:]]
    by_key = {word.key: word for word in passed}
    assert len(by_key) == len(passed), "a key is passed twice"
    return script, by_key


def comments(script: str) -> list[str]:
    return [line for line in script.splitlines() if line.startswith("#")]


@pytest.mark.parametrize("algo", ["ppo", "grpo"])
def test_the_article_word_for_word(algo: str) -> None:
    script, passed = made(RECIPE, f"algo={algo}", "verl=0.6.1")
    assert passed == article(algo)
    # As people would write it: the home folder is whoever runs the script's.
    assert shell.HOME not in script


@pytest.mark.parametrize("algo", ["ppo", "grpo"])
def test_in_the_newest_release_words(algo: str) -> None:
    script, passed = made(RECIPE, f"algo={algo}", "verl=0.9.1")
    expected = {
        key.replace("critic.model.fsdp_config.", "critic.fsdp."): word
        for key, word in article(algo).items()
        if key != LEGACY
    }
    assert passed == {key: word._replace(key=key) for key, word in expected.items()}
    (line,) = [line for line in comments(script) if LEGACY in line]
    assert f"{LEGACY}=auto" in line
    assert "0.8.0" in line


@pytest.mark.parametrize("release", ["0.6.1", "0.9.1"])
@pytest.mark.parametrize("algo", ["ppo", "grpo"])
def test_other_machines_drop_the_tuning(algo: str, release: str) -> None:
    _, own = made(RECIPE, f"algo={algo}", f"verl={release}")
    _, other = made(RECIPE, f"algo={algo}", f"verl={release}", "hw=2x8xH100")
    assert [key for key in own if key.endswith("_micro_batch_size_per_gpu")]
    assert not [key for key in other if key.endswith("_micro_batch_size_per_gpu")]
    assert other["trainer.nnodes"] == said("trainer.nnodes=2")
    # What is not tuning stays the recipe's.
    for key, word in own.items():
        if key.startswith(("algorithm.", "data.")) or key.endswith((".lr", "_name", "_freq")):
            assert other[key] == word
    # Naming the machines that the recipe is for anyway changes nothing.
    for same in ("hw=8xA100", "hw=8xA100-80G", "hw=1x8xA100"):
        assert made(RECIPE, f"algo={algo}", f"verl={release}", same)[1] == own


def test_a_users_word_beats_the_tuning() -> None:
    words: dict[str, Any] = {
        "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu": 4,
        "actor_rollout_ref.rollout.gpu_memory_utilization": 0.5,
    }
    _, passed = made(RECIPE, *(f"{key}={value}" for key, value in words.items()), "verl=0.6.1")
    expected = article("ppo") | read(" ".join(f"{key}={value}" for key, value in words.items()))
    assert passed == expected
