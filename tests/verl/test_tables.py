from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from verlgen.errors import UserError
from verlgen.verl import tables

PUBLISHED = tables.published()


@pytest.fixture(autouse=True)
def _data_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERLGEN_DATA_HOME", str(tmp_path / "data"))


def _copy_as_added(release: str, name: str, **header: object) -> Path:
    first, _, rest = Path(tables.published_path(release)).read_bytes().partition(b"\n")
    changed = {**json.loads(first), "release": name, **header}
    path = Path(tables.added_path(name))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(json.dumps(changed).encode() + b"\n" + rest)
    return path


def test_releases_are_in_the_order_of_release() -> None:
    assert PUBLISHED[:3] == ["0.2", "0.2.0.post1", "0.2.0.post2"]
    assert tables.newest() == PUBLISHED[-1]
    assert len(PUBLISHED) == len(set(PUBLISHED)) >= 15


def test_release_numbers_are_not_text_and_not_floats() -> None:
    ordered = ["0.2", "0.2.0.post1", "0.2.0.post2", "0.3.0.post0", "0.9.1"]
    ordered += ["0.10.0.dev", "0.10.0.dev3", "0.10.0a1", "0.10.0rc1", "0.10.0", "1.0", "main"]
    assert sorted(set(ordered), key=tables.sort_key) == ordered
    assert tables.sort_key("0.2") == tables.sort_key("0.2.0")


@pytest.mark.parametrize("release", PUBLISHED)
def test_every_table_loads(release: str) -> None:
    for name in tables.table_names(release):
        table = tables.load(release, f"{name.path}/{name.config}", choices=name.choices)
        assert table.choices == name.choices
        assert table.engine == name.engine
        assert len(table.keys) == name.key_count
        assert all(table.exists(key) and table.operator(key) == "=" for key in table.keys)
        assert not set(table.plus) & set(table.keys)
        for key, group in table.groups.items():
            assert group.chosen in group.options, key
            assert group.overridable == (".." not in key)


@pytest.mark.parametrize("release", PUBLISHED)
def test_every_entry_point_has_a_table(release: str) -> None:
    found = tables.entrypoints(release)
    assert found["verl.trainer.main_ppo"] == ("ppo_trainer", "verl/trainer/config")
    for entry in found.values():
        assert tables.load(release, f"{entry.path}/{entry.config}").keys


def test_values_keep_their_kind() -> None:
    keys = tables.load("0.9.1").keys
    assert keys["actor_rollout_ref.rollout.name"] == "???"
    assert keys["actor_rollout_ref.rollout.n"] == 1
    assert keys["trainer.total_training_steps"] is None
    assert keys["trainer.logger"] == ["console", "wandb"]
    assert keys["actor_rollout_ref.model.override_config"] == {}
    assert keys["actor_rollout_ref.actor.use_kl_loss"] is False
    assert keys["trainer.default_local_dir"].startswith("checkpoints/${trainer.project_name}")


def test_engine_chooses_the_table() -> None:
    assert "actor_rollout_ref.actor.fsdp_config.fsdp_size" in tables.load("0.9.1").keys
    megatron = tables.load("0.9.1", engine="megatron")
    assert "actor_rollout_ref.actor.megatron.tensor_model_parallel_size" in megatron.keys
    assert "actor_rollout_ref.actor.fsdp_config.fsdp_size" not in megatron.keys
    assert megatron.keys["model_engine"] == "megatron"
    assert megatron.choices == {"model_engine": "megatron"}
    assert tables.load("0.9.1", engine="dp").choices == {}
    assert tables.load("0.9.1", choices={"model_engine": "dp"}).choices == {}


def test_sft_has_engine_and_optimizer() -> None:
    alone = tables.load("0.9.1", "sft_trainer_engine", "megatron")
    both = tables.load("0.9.1", "sft_trainer_engine", "megatron", choices={"optim": "megatron"})
    assert alone.groups["optim"].chosen == "fsdp"
    assert both.groups["optim"].chosen == "megatron"
    assert alone.keys["optim._target_"] != both.keys["optim._target_"]


def test_nodes_leaves_and_what_is_inside_lists() -> None:
    table = tables.load("0.9.1")
    assert table.is_node("actor_rollout_ref")
    assert not table.is_leaf("actor_rollout_ref")
    assert table.is_leaf("trainer.nnodes")
    assert not table.is_node("trainer.nnodes")
    assert table.is_node("actor_rollout_ref.model.override_config")
    assert table.is_leaf("actor_rollout_ref.model.override_config")
    assert not table.is_node("trainer.total_training_steps")
    assert table.exists("trainer.logger.0")
    assert not table.exists("trainer.logger.2")
    assert not table.exists("trainer.logger.first")
    assert not table.exists("trainer.nnodes.more")
    assert not table.exists("trainer.")
    assert not table.exists("")
    assert table.operator("trainer.nnodes") == "="
    assert table.operator("actor_rollout_ref.model.override_config.attn_implementation") == "+"
    assert table.children("actor_rollout_ref")[0] == "actor"
    assert table.children()[: len(table.children())] == list(
        dict.fromkeys(key.partition(".")[0] for key in table.keys)
    )
    assert table.children("trainer.nnodes") == []


def test_types_come_from_the_dataclasses_else_from_the_default() -> None:
    table = tables.load("0.9.1")
    actor = "actor_rollout_ref.actor"
    assert table.type_of(f"{actor}.ppo_micro_batch_size_per_gpu") == "Optional[int]"
    assert table.type_of(f"{actor}.optim.lr") == "float"
    assert table.type_of("trainer.nnodes") == "int"
    assert table.type_of("trainer.balance_batch") == "bool"
    assert table.type_of("trainer.default_local_dir") == "str"
    assert table.type_of("trainer.total_training_steps") == "Any"
    assert table.type_of(actor) == "dict"
    assert table.type_of("no.such.key") is None


def test_types_follow_interpolations() -> None:
    table = tables.load("0.4.1")
    value = table.keys["actor_rollout_ref.rollout.log_prob_use_dynamic_bsz"]
    assert value == "${actor_rollout_ref.actor.use_dynamic_bsz}"
    assert table.type_of("actor_rollout_ref.rollout.log_prob_use_dynamic_bsz") == "bool"


def test_plus_fields() -> None:
    table = tables.load("0.9.1")
    field = table.plus["actor_rollout_ref.actor.ppo_infer_max_token_len_per_gpu"]
    assert field == ("int", 16384, True, "verl.workers.config.actor.FSDPActorConfig", True)
    assert table.operator("actor_rollout_ref.actor.ppo_infer_max_token_len_per_gpu") == "+"
    nested = "actor_rollout_ref.actor.fsdp_config.router_replay"
    assert table.plus[nested].known is False
    assert table.plus[f"{nested}.mode"].built is False
    assert table.type_of(f"{nested}.mode") == "str"


def test_groups() -> None:
    groups = tables.load("0.9.1").groups
    assert groups["model_engine"].options == ["dp", "megatron", "torchtitan", "veomni"]
    assert groups["actor@actor_rollout_ref.actor"].chosen == "dp_actor"
    nested = groups["actor/../optim@actor_rollout_ref.actor.optim"]
    assert not nested.overridable
    assert nested.append == "optim@actor_rollout_ref.actor.optim"


def test_files_hold_the_configs_as_written() -> None:
    files = tables.files("0.9.1")["verl/trainer/config"]
    assert files["model_engine/dp"] == {"package": "_global_", "values": {"model_engine": "dp"}}
    assert files["actor/dp_actor"]["defaults"][0] == {"../optim@optim": "fsdp"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("0.9.2",), ("'0.9.2'", "nearest is 0.9.1")),
        (("0.1",), ("'0.1'", "nearest is 0.2")),
        (("main",), ("'main'", "known: 0.2")),
        (("../../../etc/passwd",), ("unknown verl release",)),
        (("0.9.1\0",), ("unknown verl release",)),
        (("0.9.1", "ppo_traner"), ("verl 0.9.1", "'ppo_traner'", "nearest is ppo_trainer")),
        (("0.9.1", "ppo_trainer", "megatorn"), ("'megatorn'", "dp, megatron, torchtitan, veomni")),
        (("0.6.1", "ppo_trainer", "megatron"), ("no engine group", "ppo_megatron_trainer")),
    ],
)
def test_what_is_unknown_is_named_with_the_nearest(
    arguments: tuple[str, ...], words: tuple[str, ...]
) -> None:
    with pytest.raises(UserError) as caught:
        tables.load(*arguments)
    for word in words:
        assert word in str(caught.value)


def test_a_choice_without_a_table_is_refused() -> None:
    with pytest.raises(UserError, match=r"no table for ppo_trainer of verl 0.9.1 with data=x"):
        tables.load("0.9.1", choices={"data": "x"})


def test_loading_parses_the_header_and_one_table() -> None:
    path = _copy_as_added("0.9.1", "0.9.1.broken")
    content = path.read_bytes()
    first, _, rest = content.partition(b"\n")
    entry = next(
        entry
        for entry in json.loads(first)["tables"]
        if entry["config"] == "ppo_trainer" and "choices" not in entry
    )
    offset, length = entry["line"]
    broken = b"!" * offset + rest[offset : offset + length] + b"!" * (len(rest) - offset - length)
    path.write_bytes(first + b"\n" + broken)
    assert tables.load("0.9.1.broken").keys == tables.load("0.9.1").keys
    with pytest.raises(ValueError, match="Expecting value"):
        tables.load("0.9.1.broken", "evaluation")


def test_a_table_is_loaded_once() -> None:
    assert tables.load("0.9.1") is tables.load("0.9.1")


def test_loading_imports_nothing_heavy() -> None:
    code = (
        "import sys; from verlgen.verl import tables; tables.load(tables.newest()).plus;"
        "print(*{'hydra', 'omegaconf', 'yaml', 'click', 'dataclasses', 'difflib', 'ast'}"
        " & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_added_releases_are_listed_in_order() -> None:
    _copy_as_added("0.9.1", "0.8.5.dev")
    assert tables.added() == ["0.8.5.dev"]
    known = tables.releases()
    assert known.index("0.8.0") < known.index("0.8.5.dev") < known.index("0.9.0")
    assert tables.newest() == PUBLISHED[-1]
    assert tables.load("0.8.5.dev").release == "0.8.5.dev"


def test_an_added_release_hides_a_published_one_only_when_it_says_so() -> None:
    path = _copy_as_added("0.9.1", "0.9.0")
    assert tables.load("0.9.0").keys != tables.load("0.9.1").keys
    path.unlink()
    _copy_as_added("0.9.1", "0.9.0", hides=True)
    assert tables.load("0.9.0").keys == tables.load("0.9.1").keys


def test_a_file_of_another_form_is_refused() -> None:
    _copy_as_added("0.9.1", "0.99", format="verlgen.verl/0")
    with pytest.raises(UserError, match=r"verlgen\.verl/0"):
        tables.load("0.99")
    Path(tables.added_path("0.98")).write_bytes(b"nonsense")
    with pytest.raises(UserError, match="is no data file"):
        tables.load("0.98")


@pytest.mark.parametrize(
    ("environment", "folder"),
    [
        ({"VERLGEN_DATA_HOME": "/d"}, "/d/releases"),
        ({"XDG_DATA_HOME": "/x"}, "/x/verlgen/releases"),
        ({"HOME": "/h"}, "/h/.local/share/verlgen/releases"),
    ],
)
def test_the_users_folder(
    environment: dict[str, str], folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("VERLGEN_DATA_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert tables.added_folder() == folder
