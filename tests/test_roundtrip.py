"""Reading what verlgen wrote gives the same Launch; writing what was read passes the same words."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.shell import run
from verlgen.compose.generate import generate
from verlgen.errors import UserError
from verlgen.launch import Launch, Override, text
from verlgen.read import Result, read_all
from verlgen.report import generated, written

COMMANDS = [
    [],
    ["algo=grpo", "hw=8xA100"],
    ["data=gsm8k_math", "hw=2x8xH100"],
    ["recipe=deepseek7b-gsm8k", "algo=ppo", "verl=0.6.1"],
    ["recipe=deepseek7b-gsm8k", "algo=grpo", "verl=0.9.1"],
    ["data.train_files='/a b/it\\'s.parquet'", "trainer.experiment_name='back\\\\'"],
    ["data.train_files=[/a.parquet,'/b c.parquet']", "data.val_files=/v.parquet"],
    ["+my.key={a:[1,'x y'],b:null}", "~trainer.balance_batch", "trainer.logger=[console]"],
    ["model_engine=dp", "'trainer.project_name=a=b'".strip("'")],
]


def read(path: Path, *changes: str) -> Result:
    (result,) = read_all([" ".join([str(path), *changes])], {}, [], None)
    assert not isinstance(result, UserError), str(result)
    return result


def without_origins(launch: Launch) -> list[Override]:
    return [one._replace(origin=None) for one in launch.overrides]  # type: ignore[arg-type]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_reading_what_generate_wrote_gives_the_same_launch(
    words: list[str], tmp_path: Path
) -> None:
    composed = generate([word for word in words if "=a=b" not in word])
    script = tmp_path / "run.sh"
    script.write_text(generated.script_text(composed, words))
    result = read(script)
    assert result.problems == []
    assert result.blocked == []
    (one,) = result.launches
    launch = generated.launch(composed)
    assert without_origins(one.launch) == without_origins(launch)
    assert one.launch.entrypoint == launch.entrypoint
    assert one.launch.launcher == launch.launcher
    assert one.launch.other_args == ()
    assert result.release.release == composed.release.release


def test_every_override_knows_its_place(tmp_path: Path) -> None:
    script = tmp_path / "run.sh"
    script.write_text(generated.script_text(generate(["algo=grpo"]), ["algo=grpo"]))
    lines = script.read_text().splitlines()
    (one,) = read(script).launches
    for word, place in zip(one.words, one.places, strict=True):
        assert place is not None
        written_there = lines[place.line - 1][place.column - 1 :].encode()[: place.length].decode()
        assert written_there.partition("=")[0] == text(word).partition("=")[0]


SCRIPTS = {
    "arrays and exports": """
export VLLM_USE_V1=1
export NAME="a b"
ACTOR=(actor_rollout_ref.actor.optim.lr=1e-6 "trainer.experiment_name=$NAME")
python3 -m verl.trainer.main_ppo --config-name=ppo_trainer "${ACTOR[@]}" \\
    data.train_files=$HOME/data/x.parquet 'trainer.logger=["console","wandb"]' "$@"
""",
    "the same key twice, and words whose order counts": """
python3 -m verl.trainer.main_ppo trainer.nnodes=1 +a='{b:1}' a.b=2 trainer.nnodes=2 '~c.d'
""",
    "odd values": """
python3 -m verl.trainer.main_ppo a.x="it's \\"quoted\\" \\$HOME \\`x\\`" a.y= \\
    'a.z=back\\' a.w=$'two\\nlines'
""",
    "a wrapper with options": """
torchrun --standalone --nproc_per_node=8 -m verl.trainer.sft_trainer data.train_batch_size=4
""",
}


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_what_write_writes_passes_the_same_words(script: str, tmp_path: Path) -> None:
    path = tmp_path / "run.sh"
    path.write_text(script)
    text_ = written.script_text(str(path), read(path), ["write", str(path)])
    before = run(script, programs=("python3", "torchrun")).launch()
    after = run(text_, programs=("python3", "torchrun")).launch()
    assert sorted(after.argv) == sorted(before.argv)
    assert [w for w in after.argv if w.startswith(("trainer.nnodes", "a", "+a"))] == [
        w for w in before.argv if w.startswith(("trainer.nnodes", "a", "+a"))
    ]
    for name in ("VLLM_USE_V1", "NAME"):
        assert after.env.get(name) == before.env.get(name)


def test_write_runs_once_what_the_script_ran_once(tmp_path: Path) -> None:
    path = tmp_path / "run.sh"
    path.write_text(
        "T=$(date +%N)\npython3 -m verl.trainer.main_ppo trainer.experiment_name=x_$T "
        "trainer.default_local_dir=/ck/x_$T\n"
    )
    launch = run(written.script_text("run.sh", read(path), ["write", "run.sh"])).launch()
    values = dict(word.split("=", 1) for word in launch.argv if "=" in word)
    assert values["trainer.default_local_dir"] == "/ck/" + values["trainer.experiment_name"]


def test_changes_take_the_place_of_what_they_change(tmp_path: Path) -> None:
    path = tmp_path / "run.sh"
    path.write_text("python3 -m verl.trainer.main_ppo data.train_batch_size=1 +a.b=2 c.d=3\n")
    (one,) = read(path, "data.train_batch_size=256", "e.f=4").launches
    assert [text(word) for word in one.words] == [
        "data.train_batch_size=256",
        "+a.b=2",
        "c.d=3",
        "e.f=4",
    ]


@pytest.mark.parametrize(
    ("script", "says"),
    [
        ("echo hello\n", "holds no launch"),
        ("for i in 1 2; do python3 -m verl.trainer.main_ppo a.b=$i; done\n", "holds 2 launches"),
        ("X=$(uname)\npython3 -m verl.trainer.main_ppo a.b=$(uname $X)\n", "hangs on X"),
    ],
)
def test_what_cannot_be_written_is_refused(script: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "run.sh"
    path.write_text(script)
    with pytest.raises(UserError, match=says) as caught:
        written.script_text(str(path), read(path), [])
    assert caught.value.remedy or says == "holds no launch"
