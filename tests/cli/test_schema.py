from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests import wheels
from verlgen.cli.schema import schema
from verlgen.errors import UserError
from verlgen.verl import tables


@pytest.fixture(autouse=True)
def _data_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERLGEN_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    return wheels.fake_checkout(tmp_path / "checkout")


def run(*words: str) -> Result:
    return CliRunner().invoke(schema, words, catch_exceptions=False)


def refusal(*words: str) -> str:
    with pytest.raises(UserError) as caught:
        run(*words)
    return str(caught.value)


def test_list_as_text() -> None:
    lines = run("list").output.splitlines()
    assert lines[0].split() == ["RELEASE", "CONFIGS", "KEYS", "OF", "PPO_TRAINER", "ORIGIN"]
    assert [line.split()[0] for line in lines[1:]] == tables.releases()
    assert lines[-1].split() == ["0.9.1", "9", "899", "published"]


def test_list_as_json() -> None:
    document = json.loads(run("list", "--format", "json").output)
    assert document["format"] == "verlgen.schema.list/1"
    newest = document["releases"][-1]
    assert newest["release"] == "0.9.1"
    assert newest["ppo_trainer_keys"] == 899
    assert "sft_trainer_engine" in newest["configs"]


def test_show_picks_keys_with_default_and_type() -> None:
    output = run("show", "0.9.1", "actor_rollout_ref.rollout.n").output
    assert output.split() == ["actor_rollout_ref.rollout.n", "1", "int"]


def test_show_of_another_config_and_engine() -> None:
    words = ("show", "0.9.1", "engine.*", "--config", "sft_trainer_engine", "--engine", "megatron")
    document = json.loads(run(*words, "--format", "json").output)
    assert document["config"] == "sft_trainer_engine"
    assert document["engine"] == "megatron"
    keys = {row["key"]: row for row in document["keys"]}
    assert keys["engine.tensor_model_parallel_size"] == {
        "key": "engine.tensor_model_parallel_size",
        "default": 1,
        "type": "int",
        "operator": "=",
    }


def test_show_marks_what_only_plus_reaches() -> None:
    key = "actor_rollout_ref.actor.ppo_infer_max_token_len_per_gpu"
    assert key in refusal("show", "0.9.1", "actor_rollout_ref.actor.ppo_infer_max_token_len_gpu")
    assert run("show", "0.9.1", key, "--plus").output.split() == [f"+{key}", "16384", "int"]


def test_show_tells_text_from_other_values() -> None:
    def default(key: str) -> str:
        return run("show", "0.9.1", key).output.split()[1]

    assert default("trainer.total_training_steps") == "null"
    assert default("trainer.default_hdfs_dir") == "null"
    assert default("trainer.device") == "cuda"
    assert default("transfer_queue.backend.MooncakeStore.device_name") == '""'


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("show", "0.9.2"), "nearest is 0.9.1"),
        (("show", "0.9.1", "--config", "ppo"), "known: "),
        (("show", "0.9.1", "--engine", "megatorn"), "nearest is megatron"),
        (("show", "0.9.1", "trainer.n_nodes"), "trainer.nnodes"),
    ],
)
def test_show_names_the_nearest(words: tuple[str, ...], expected: str) -> None:
    assert expected in refusal(*words)


def test_add_list_show_remove(checkout: Path) -> None:
    result = run("add", str(checkout))
    assert result.stdout.startswith("added verl 0.10.0.dev with 4 tables: ")
    assert "does not compose: verl/trainer/config/ppo_trainer model_engine=lost" in result.stderr
    assert run("list").output.splitlines()[-1].split()[0::3] == ["0.10.0.dev", "added"]
    assert "float" in run("show", "0.10.0.dev", "*.actor.lr").output
    assert "removed" in run("remove", "0.10.0.dev").output
    assert tables.added() == []


def test_add_refuses_a_published_name(tmp_path: Path) -> None:
    checkout = wheels.fake_checkout(tmp_path / "checkout", "0.9.1")
    assert "published release" in refusal("add", str(checkout))
    assert "published release" in refusal("add", str(checkout), "--name", "0.9.0")
    assert tables.added() == []
    run("add", str(checkout), "--name", "0.9.1.mine")
    assert tables.load("0.9.1.mine").keys["trainer.name"] == "???"
    run("add", str(checkout), "--force")
    assert "0.9.1" in tables.added()
    assert "trainer.name" in tables.load("0.9.1").keys
    assert "added, hides published" in run("list").output
    run("remove", "0.9.1")
    assert "trainer.name" not in tables.load("0.9.1").keys


def test_add_refuses_what_was_added_before(checkout: Path) -> None:
    run("add", str(checkout))
    assert "added before" in refusal("add", str(checkout))
    (checkout / "verl/trainer/config/optim/fsdp.yaml").write_text("name: sgd\n")
    run("add", str(checkout), "--force")
    assert tables.load("0.10.0.dev").keys["actor_rollout_ref.actor.optim.name"] == "sgd"


def test_remove_refuses_what_was_not_added() -> None:
    assert "comes with verlgen" in refusal("remove", "0.9.1")
    assert "never added" in refusal("remove", "../0.9.1")


def test_list_survives_a_file_that_cannot_be_read() -> None:
    path = Path(tables.added_path("0.11.0"))
    path.parent.mkdir(parents=True)
    path.write_bytes(b"nonsense")
    assert run("list").output.splitlines()[-1].split(maxsplit=3)[3] == "added, unreadable"
