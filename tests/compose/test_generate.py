from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from verlgen.compose.generate import Composed, generate
from verlgen.compose.places import own_folders
from verlgen.compose.settings import Layer
from verlgen.errors import UserError
from verlgen.launch import Symbol


def values(composed: Composed) -> dict[str, Any]:
    return {placed.key: placed.value for placed in composed.placed}


TP = "actor_rollout_ref.rollout.tensor_model_parallel_size"
MICRO = "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu"


def test_precedence_default_rule_preset_recipe_knob_user() -> None:
    recipe = "recipe=deepseek7b-gsm8k"
    assert values(generate([]))[TP] == 1  # a rule
    assert values(generate([recipe]))[TP] == 4  # the recipe
    assert values(generate([recipe, "hw.tp=2"]))[TP] == 2  # our knob
    assert values(generate([recipe, "hw.tp=2", f"{TP}=8"]))[TP] == 8  # verl's own key
    assert values(generate([f"{TP}=8", recipe, "hw.tp=2"]))[TP] == 8  # wherever it stands


def test_the_last_of_two_words_for_one_key_wins() -> None:
    composed = generate(["data.train_batch_size=512", "data.train_batch_size=2048"])
    assert values(composed)["data.train_batch_size"] == 2048
    assert [p.key for p in composed.placed].count("data.train_batch_size") == 1


def test_another_hw_drops_the_recipes_tuning_and_derives_it() -> None:
    tuned = values(generate(["recipe=deepseek7b-gsm8k", "algo=grpo"]))
    same = values(generate(["recipe=deepseek7b-gsm8k", "algo=grpo", "hw=8xA100-80G"]))
    other = values(generate(["recipe=deepseek7b-gsm8k", "algo=grpo", "hw=2x8xH100"]))
    assert tuned == same
    assert tuned[MICRO] == 80
    assert MICRO not in other
    assert other["actor_rollout_ref.actor.use_dynamic_bsz"] is True
    assert other["data.max_response_length"] == tuned["data.max_response_length"]


def test_a_users_model_beats_a_recipes_and_drops_its_tuning() -> None:
    composed = generate(["recipe=deepseek7b-gsm8k", "model=qwen2.5-0.5b"])
    assert composed.choices["model"] == "qwen2.5-0.5b"
    assert values(composed)[TP] == 1
    elsewhere = generate(["recipe=deepseek7b-gsm8k", "model.path=/disk/deepseek-llm-7b-chat"])
    assert values(elsewhere)[TP] == 4  # the same model, in another place


def test_origins() -> None:
    by_key = {p.key: p for p in generate(["algo=grpo", "hw.mem=0.5", "trainer.nnodes=1"]).placed}
    group = by_key["actor_rollout_ref.rollout.n"]
    assert (group.origin.source, group.layer) == ("presets/algo/grpo.yaml", Layer.PRESET)
    line = Path("presets/algo/grpo.yaml").read_text().splitlines()[(group.origin.line or 0) - 1]
    assert line.strip().startswith("n: 5")
    rule = by_key[TP]
    assert (rule.origin.source, rule.layer) == ("presets/rules.yaml", Layer.RULE)
    assert "GiB of weights" in str(rule.origin.reason)
    assert by_key["actor_rollout_ref.rollout.gpu_memory_utilization"].layer is Layer.KNOB
    assert by_key["trainer.nnodes"].layer is Layer.USER


def test_only_presets_ask_for_expansion() -> None:
    preset = values(generate([]))["data.train_files"]
    assert preset[0] == Symbol("$HOME")
    user = values(generate(["data.train_files='$HOME/x'"]))["data.train_files"]
    assert user == "$HOME/x"


def test_the_critic_follows_the_policys_model_and_the_algorithm() -> None:
    assert values(generate(["model.path=/m/Qwen3-8B"]))["critic.model.path"] == "/m/Qwen3-8B"
    mine = generate(["critic.model.path=/c"])
    assert values(mine)["critic.model.path"] == "/c"
    assert "critic.model.path" not in values(generate(["algo=grpo"]))
    assert "critic.model.path" in values(generate(["algo=grpo", "algorithm.adv_estimator=gae"]))
    assert "critic.model.path" in values(generate(["algo=grpo", "critic.enable=True"]))


def test_names_follow_what_is_chosen() -> None:
    plain = values(generate(["algo=grpo", "model=qwen2.5-0.5b"]))
    assert plain["trainer.experiment_name"] == "qwen2.5-0.5b_grpo"
    own = values(
        generate(
            ["model.path=/m/My-7B", "data.train_files=/d/countdown/train.parquet", "hw=8xH100"]
        )
    )
    assert own["trainer.project_name"] == "verl_countdown"
    assert own["trainer.experiment_name"] == "my-7b_ppo"


def test_micro_batches_where_dynamic_batch_sizes_are_off() -> None:
    off = values(generate(["algo=grpo", "actor_rollout_ref.actor.use_dynamic_bsz=False"]))
    mini = 256 * 5 // 8
    assert mini % off[MICRO] == 0
    assert "actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu" in off
    assert "actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu" in off
    given = values(generate(["algo=ppo", f"{MICRO}=8"]))
    assert given["actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu"] == 16
    assert given["critic.ppo_micro_batch_size_per_gpu"] == 16
    assert "actor_rollout_ref.actor.use_dynamic_bsz" not in given


def test_the_budget_holds_the_longest_sequence() -> None:
    words = ["hw=1x4090", "model=qwen2.5-0.5b", "data.max_response_length=30000"]
    budget = values(generate(words))["actor_rollout_ref.actor.ppo_max_token_len_per_gpu"]
    assert budget == 30512


def test_a_smaller_gpu_gets_offload_and_a_larger_tp() -> None:
    small, large = values(generate(["hw=8xA100-40G"])), values(generate(["hw=8xH200"]))
    assert small["actor_rollout_ref.actor.fsdp_config.param_offload"] is True
    assert "actor_rollout_ref.actor.fsdp_config.param_offload" not in large
    assert small[TP] == 2
    assert large[TP] == 1


def test_an_npu_says_so_to_verl() -> None:
    assert values(generate(["hw=8x910B"]))["trainer.device"] == "npu"
    assert "trainer.device" not in values(generate([]))


def test_a_whole_dict_replaces_what_presets_say_of_its_keys() -> None:
    composed = generate(["actor_rollout_ref.actor.optim={lr:3e-6}"])
    assert "actor_rollout_ref.actor.optim.lr" not in values(composed)
    assert [word.said.key for word in composed.extra] == ["actor_rollout_ref.actor.optim"]


def test_a_deleted_key_is_not_set_before() -> None:
    composed = generate(["~critic.optim.lr"])
    assert "critic.optim.lr" not in values(composed)
    assert composed.extra[0].operator == "~"


def test_the_newest_release_that_has_all_keys() -> None:
    composed = generate(["trainer.use_legacy_worker_impl=disable"])
    assert composed.release == ("0.7.1", "newest that has all keys")


def test_what_a_release_does_not_have_is_left_out_of_presets_and_refused_of_the_user() -> None:
    left = generate(["recipe=deepseek7b-gsm8k", "verl=0.9.1"]).left_out
    assert [out.key for out in left] == ["trainer.use_legacy_worker_impl"]
    with pytest.raises(UserError, match="has no key"):
        generate(["trainer.use_legacy_worker_impl=auto", "verl=0.9.1"])


@pytest.mark.parametrize(
    ("words", "says", "remedy"),
    [
        (["hw.tp=3"], "do not split into rollout replicas of 3", "1, 2, 4, 8"),
        (["model=qwen2.5-0.5b", "hw.tp=4"], "14 attention heads", "1, 2"),
        (["hw.tp=0"], "a whole number, at least 1", "hw.tp=1"),
        (["hw.tp=abc"], "a whole number", "hw.tp=1"),
        (["hw=2x3xA100", "hw.tp=2"], "do not split", "1"),
        (["hw.mem=1.5"], "no share of a GPU's memory", "hw.mem=0.5"),
        (["hw.mem=0"], "no share of a GPU's memory", "hw.mem=0.5"),
        (["hw=1x4090"], "does not fit", "such GPUs"),
        (
            ["hw=16x8xA100", "model.path=meta-llama/Llama-3.1-405B"],
            "does not fit the rollout",
            "hw.tp=",
        ),
        (["hw=3xA100", "verl=0.4.1"], "do not split over 3 GPUs", "data.train_batch_size=1023"),
        (["data.train_batch_size=abc"], "a number is needed", ""),
        (["++hw.tp=2"], "set with `=`", "hw.tp="),
        (["trainer.nnodes=0"], "at least one", ""),
        (["=x"], "names no key", "key=value"),
        (["data=files"], "data.train_files is needed", "data.train_files="),
        (["algo=x"], "no option 'x'", "grpo, ppo"),
        (["algo="], "names no option", "grpo, ppo"),
        (["hw=8xZ9"], "unknown GPU", "A100"),
        (["verl=0.9.2"], "no verl release", "0.9.1"),
        (["alg=ppo"], "no group 'alg'", "'algo'"),
        (["algo=ppo,grpo"], "several values", "not built yet"),
        (["+algo=ppo"], "chosen with `=`", "algo=OPTION"),
        (["data.train_batch_size"], "equals sign is missing", "data.train_batch_size="),
    ],
    ids=" ".join,
)
def test_refusals(words: list[str], says: str, remedy: str) -> None:
    with pytest.raises(UserError) as caught:
        generate(words)
    assert says in caught.value.what
    assert remedy in str(caught.value.remedy)


def test_a_guess_of_a_models_size_warns_and_does_not_refuse() -> None:
    by_name = generate(["model.path=org/thing-70B", "hw=8x4090"])
    assert "by its name" in by_name.notes[0]
    unknown = generate(["model.path=org/thing"])
    assert "size unknown" in unknown.notes[0]


@pytest.mark.parametrize(
    "word",
    [
        "actor_rollout_ref.model.lora_rank=32",
        "actor_rollout_ref.actor.fsdp_config.offload_policy=True",
    ],
)
def test_what_makes_a_model_fit_is_not_refused(word: str) -> None:
    generate(["hw=1xA100", word])


def test_project_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own" / "data").mkdir(parents=True)
    (tmp_path / "own" / "data" / "house.yaml").write_text(
        "# @package _global_\n# Ours\ndata: {train_files: /h/t.parquet, val_files: /h/v.parquet}\n"
    )
    (tmp_path / "verlgen.yaml").write_text("presets: own\nverl: 0.6.1\n")
    monkeypatch.chdir(tmp_path)
    composed = generate(["data=house"], preset_folders=own_folders())
    assert composed.release.release == "0.6.1"
    assert values(composed)["data.train_files"] == "/h/t.parquet"
    origin = next(p.origin for p in composed.placed if p.key == "data.val_files")
    assert str(origin) == "own/data/house.yaml:3:35"


@pytest.mark.parametrize(
    ("words", "extra"),
    [
        # Hydra applies words one after the other: where order counts, it is the user's.
        (
            ["actor_rollout_ref.actor={optim:{lr:3}}", "actor_rollout_ref.actor.optim.lr=5"],
            ["=", "="],
        ),
        (["~trainer.total_epochs", "+trainer.total_epochs=3"], ["~", "+"]),
        (["+data.foo=1", "~data.foo"], ["+", "~"]),
        (["+data.foo={a:1}", "data.foo.a=2"], ["+", "="]),
    ],
)
def test_words_whose_order_counts_keep_it(words: list[str], extra: list[str]) -> None:
    composed = generate(words)
    assert [word.operator for word in composed.extra] == extra
    keys = {word.said.key for word in composed.extra}
    assert not keys & {placed.key for placed in composed.placed}


def test_a_preset_key_that_no_release_has_is_noted(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "mine.yaml").write_text(
        "# @package _global_\ntrainer: {total_epoch: 3}\n"
        "data: {train_files: a.parquet, val_files: b.parquet}\nhw: {tp: 2}\n"
    )
    composed = generate(["data=mine"], preset_folders=[str(tmp_path)])
    (note,) = composed.notes
    assert "no release of verl has trainer.total_epoch" in note
    assert "'trainer.total_epochs'" in note
    assert values(composed)[TP] == 2


def test_a_recipes_names_are_for_its_own_model_and_data() -> None:
    recipe = "recipe=deepseek7b-gsm8k"
    assert values(generate([recipe]))["trainer.project_name"] == "verl_example_gsm8k"
    other = values(generate([recipe, "model=qwen3-8b"]))
    assert other["trainer.experiment_name"] == "qwen3-8b_ppo"


def test_another_engine_is_not_judged_by_fsdps_memory() -> None:
    composed = generate(["model_engine=megatron", "hw=8x4090", "model.path=Qwen/Qwen2.5-7B"])
    assert "actor_rollout_ref.rollout.gpu_memory_utilization" not in values(composed)
    assert "FSDP only" in composed.notes[-1]


def test_counts_under_verls_own_keys_are_the_machines() -> None:
    composed = generate(["trainer.nnodes=2", "trainer.n_gpus_per_node=4"])
    assert str(composed.machines) == "2x4xA100-80G"


@pytest.mark.parametrize("text", ["\ufeffa: 1\n", "verl: 0.6.1\ndefaults: nothing\n"])
def test_a_preset_that_hydra_would_misread_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "bad.yaml").write_text(text)
    with pytest.raises(UserError):
        generate(["data=bad"], preset_folders=[str(tmp_path)])


@pytest.mark.parametrize("name", ["7", "1e3", "true", "v1.0", "nan"])
def test_an_option_may_look_like_a_number(tmp_path: Path, name: str) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / f"{name}.yaml").write_text(
        "# @package _global_\ndata: {train_files: a, val_files: b}\n"
    )
    composed = generate([f"data={name}"], preset_folders=[str(tmp_path)])
    assert values(composed)["data.train_files"] == "a"
