"""The way in: what words mean, exit codes, and what a start must not import."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from verlgen.cli import main
from verlgen.errors import ExitCode


def verlgen(*arguments: str, **keywords: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "verlgen", *arguments],
        capture_output=True,
        text=True,
        check=False,
        **keywords,  # type: ignore[call-overload]
    )


def imported_by(*arguments: str) -> set[str]:
    run = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "verlgen", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    lines = [line for line in run.stderr.splitlines() if line.startswith("import time:")]
    return {line.rpartition("|")[2].strip() for line in lines}


def test_bare_prints_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run([]) == ExitCode.OK
    bare = capsys.readouterr().out
    assert main.run(["--help"]) == ExitCode.OK
    assert capsys.readouterr().out == bare
    assert "Examples:" in bare
    for name, entry in main.COMMANDS.items():
        assert name in bare
        assert entry.about in bare


@pytest.mark.parametrize("first", ["algo=grpo", "+new.key=1", "--verl=0.6.1"])
def test_words_mean_generate(first: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run([first]) == ExitCode.OK
    assert capsys.readouterr().out.startswith("#!/usr/bin/env bash")


def test_generate_alone_takes_the_defaults(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["generate"]) == ExitCode.OK
    assert "# PPO, Qwen/Qwen3-8B, gsm8k, 8 x A100-80G" in capsys.readouterr().out


@pytest.mark.parametrize("name", main.COMMANDS)
def test_every_command_has_help_with_an_example(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.run([name, "--help"]) == ExitCode.OK
    out = capsys.readouterr().out
    assert out.startswith("Usage: verlgen " + name)
    assert "verlgen " in out.partition("Usage:")[2].partition("\n")[2]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["preset"], "did you mean 'presets'"),
        (["algo=nope"], "options: grpo, ppo"),
        (["--nope"], "No such option"),
        (["generate", "-m", "algo=ppo,grpo"], "sweeps are not built yet"),
        (["--presets", "/no/such/folder", "algo=ppo"], "no such presets directory"),
        (["presets", "show", "algo/grppo"], "did you mean 'algo/grpo'"),
        (["presets", "show", "hw/8xQ1"], "unknown GPU"),
        (["presets", "show", "algo/grpo", "--verl", "9.9"], "no verl release"),
        (["-o", "/no/such/folder/run.sh", "algo=ppo"], "cannot write here"),
        (["a\udcff=1"], "not UTF-8"),
        (["schema", "show", "\udcff"], "not UTF-8"),
        (["completion", "\udcff"], "not UTF-8"),
    ],
)
def test_a_users_error_is_one_message_and_exit_code_2(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.run(arguments) == ExitCode.USAGE
    out, err = capsys.readouterr()
    assert out == ""
    assert says in err
    assert "Traceback" not in err


def test_a_fault_is_reported_with_a_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr("verlgen.compose.generate.generate", broken)
    assert main.run(["algo=ppo"]) == ExitCode.FAULT
    err = capsys.readouterr().err
    assert "boom" in err
    assert "Traceback" not in err
    report = Path(next(word for word in err.split() if word.endswith(".md")))
    assert "Traceback" in report.read_text()
    report.unlink()


def test_a_reader_that_goes_away_is_no_fault() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "verlgen", "presets", "--format", "json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    process.stdout.close()
    _, err = process.communicate()
    assert err == b""


def test_help_imports_no_command() -> None:
    heavy = {"hydra", "omegaconf", "jinja2", "deepdiff", "rich", "yaml", "numpy", "tree_sitter"}
    assert not imported_by("--help") & heavy
    ours = {name for name in imported_by("--help") if name.startswith("verlgen")}
    assert ours == {"verlgen", "verlgen.cli", "verlgen.cli.main", "verlgen.errors"}


def test_listing_presets_imports_no_hydra() -> None:
    assert not imported_by("presets") & {"hydra", "omegaconf", "jinja2", "rich"}


def test_output_is_the_same_in_any_locale_and_with_any_hash_seed(tmp_path: Path) -> None:
    outs = set()
    for seed, locale in (("0", "C"), ("1", "C.UTF-8"), ("2", "POSIX")):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": locale}
        run = verlgen("algo=grpo", "trainer.experiment_name='é'", env=environment, cwd=tmp_path)
        assert run.returncode == 0, run.stderr
        outs.add(run.stdout)
    assert len(outs) == 1


def test_settings_as_json() -> None:
    run = verlgen("--format", "json", "recipe=deepseek7b-gsm8k", "verl=0.9.1", "+my.key=[1,2]")
    document = json.loads(run.stdout)
    assert document["format"] == "verlgen.generate/1"
    assert document["verl"] == "0.9.1"
    rows = {row["key"]: row for row in document["settings"]}
    assert rows["my.key"] == {
        "key": "my.key",
        "operator": "+",
        "value": [1, 2],
        "layer": "user",
        "source": "command line",
        "line": None,
        "column": None,
        "reason": None,
    }
    assert rows["data.train_files"]["value"] == "$HOME/data/gsm8k/train.parquet"
    assert document["left_out"][0]["key"] == "trainer.use_legacy_worker_impl"


def test_settings_as_yaml_say_where_each_comes_from() -> None:
    import yaml

    run = verlgen("--format", "yaml", "algo=grpo", "'~critic.optim.lr'".strip("'"))
    loaded = yaml.safe_load(run.stdout)
    assert loaded["actor_rollout_ref.rollout.n"] == 5
    line = next(
        li for li in run.stdout.splitlines() if li.startswith("actor_rollout_ref.rollout.n:")
    )
    assert "# presets/algo/grpo.yaml:" in line
    assert "# also passed: ~critic.optim.lr" in run.stdout
