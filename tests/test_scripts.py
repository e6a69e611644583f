"""What holds for every script that verlgen writes: form, determinism, how its file appears."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests import shell
from tests.test_values import TOKENS, header_command
from verlgen import files
from verlgen.cli.main import run
from verlgen.compose.generate import generate
from verlgen.errors import ExitCode, UserError
from verlgen.overrides import dump
from verlgen.report.generated import script_text

RECIPE = "recipe=deepseek7b-gsm8k"
NASTY = [dump("+", f"probe.k{number}", token) for number, token in enumerate(TOKENS)]
COMMANDS = {
    "defaults": ["algo=ppo"],
    "grpo": ["algo=grpo", "hw=8xA100"],
    "several nodes": ["algo=grpo", "hw=4x8xH100", "data=gsm8k_math"],
    "small": ["algo=ppo", "model=qwen2.5-0.5b", "hw=1x4090"],
    "recipe": [RECIPE, "algo=ppo", "verl=0.6.1"],
    "left out": [RECIPE, "algo=grpo", "verl=0.9.1"],
    "old": ["algo=grpo", "verl=0.4.1"],
    "own files": [
        "data.train_files=[/a b/c.parquet,/d.parquet]",
        dump("=", "data.val_files", "it's"),
    ],
    "dicts and deletions": ["+ray_kwargs={a: {b: [1,2]}}", "~trainer.test_freq", "++trainer.x=1"],
    "no knob left": [
        *("trainer.nnodes='${x}'", "trainer.n_gpus_per_node=null", "model.path=null"),
        *("trainer.project_name=[a]", "trainer.experiment_name=1"),
        *("data.train_files=1", "data.val_files=null"),
    ],
    "interpolation": ["trainer.experiment_name=${trainer.project_name}_x"],
    "nasty": NASTY,
    "nasty knobs": [
        dump("=", "trainer.experiment_name", "".join(TOKENS)),
        dump("=", "model.path", "".join(reversed(TOKENS))),
        dump("=", "data.train_files", list(TOKENS)),
        dump("=", "data.val_files", TOKENS[-1] + "\\"),
    ],
}


def script(words: Sequence[str]) -> str:
    return script_text(generate(words), words)


@pytest.fixture(params=COMMANDS)
def command(request: pytest.FixtureRequest) -> list[str]:
    return COMMANDS[request.param]


def arrays(text: str) -> dict[str, list[str]]:
    """Returns the lines of each array of a script in which no value has a line break."""
    found = re.findall(r"^([A-Z]+)=\(\n(.*?)^\)$", text, re.MULTILINE | re.DOTALL)
    return {name: lines.splitlines() for name, lines in found}


def test_the_form(command: list[str]) -> None:
    text = script(command)
    assert shell.syntax_error(text) == ""
    assert text.startswith("#!/usr/bin/env bash\n# ")
    assert text.count("\nset -euo pipefail\n") == 1
    assert text.endswith('    "$@"\n')
    assert not text.endswith("\n\n")
    assert header_command(text) == command
    # An empty array under `set -u` stops bash 4.3 and older.
    found = arrays(text)
    assert found
    assert all(lines for lines in found.values())
    # Each is passed, once and in order.
    passed = re.findall(r'^    "\$\{([A-Z]+)\[@\]\}" \\$', text, re.MULTILINE)
    assert passed == list(found)


def test_lines_are_short_where_they_can_be() -> None:
    for name in ("defaults", "grpo", "several nodes", "small", "recipe", "old"):
        text = script(COMMANDS[name])
        assert all(line == line.rstrip() for line in text.splitlines())
        # A comment that does not fit behind its entry stands above it.
        for line in (line for lines in arrays(text).values() for line in lines):
            assert len(line) <= 100, line


def test_shellcheck_has_nothing_to_say(tmp_path: Path) -> None:
    places = []
    for number, words in enumerate(COMMANDS.values()):
        places.append(tmp_path / f"{number}.sh")
        places[-1].write_text(script(words), encoding="utf-8")
    binary = shutil.which("shellcheck", path=os.path.dirname(sys.executable)) or "shellcheck"
    done = subprocess.run(
        [binary, "--norc", *map(str, places)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"},
    )
    assert done.stdout + done.stderr == ""
    assert done.returncode == 0


def test_shellcheck_is_told_off_only_where_it_has_to_be() -> None:
    assert "shellcheck" not in script(COMMANDS["several nodes"])
    assert "# shellcheck disable=SC2016\nset -euo" in script(COMMANDS["interpolation"])


def test_the_same_bytes_whatever_the_hash_seed(tmp_path: Path) -> None:
    words = [*COMMANDS["several nodes"], *COMMANDS["dicts and deletions"]]
    made = set()
    for seed in ("0", "1", "4711"):
        done = subprocess.run(
            [sys.executable, "-m", "verlgen", *words],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=tmp_path,
            capture_output=True,
        )
        assert done.returncode == 0, done.stderr
        made.add(done.stdout)
    assert made == {script(words).encode()}


def test_extra_arguments_come_last_and_as_they_are() -> None:
    extra = ["trainer.total_epochs=1", "", "two words", "*", "$(touch canary)", "--cfg=job", "é\n"]
    plain = shell.run(script(["algo=grpo"])).launch()
    more = shell.run(script(["algo=grpo"]), extra).launch()
    assert more.argv == [*plain.argv, *extra]


def test_the_environment_passes_through() -> None:
    given = {"WANDB_API_KEY": "secret", "EXPERIMENT_NAME": "mine", "CUDA_VISIBLE_DEVICES": "0"}
    seen = shell.run(script(["algo=grpo"]), env=given).launch().env
    # bash's own: PWD, OLDPWD, SHLVL and _.
    own = {"HOME", "USER", "PATH", "PWD", "OLDPWD", "SHLVL", "_"}
    assert {key: value for key, value in seen.items() if key not in own} == given


def test_without_home_the_script_says_so() -> None:
    done = subprocess.run(
        [shell.BASH], input=script(["algo=grpo"]), capture_output=True, text=True, env={}
    )
    assert done.returncode != 0
    assert "HOME: unbound variable" in done.stderr


def test_the_exit_code_is_that_of_the_training(tmp_path: Path) -> None:
    stub = tmp_path / "python3"
    stub.write_text("#!/bin/sh\nexit 7\n", encoding="utf-8")
    stub.chmod(0o755)
    env = {"HOME": "/h", "PATH": f"{tmp_path}:/usr/bin:/bin"}
    done = subprocess.run([shell.BASH], input=script(["algo=grpo"]), text=True, env=env)
    assert done.returncode == 7


# --- the file ---------------------------------------------------------------------------------


def test_o_writes_an_executable_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = tmp_path / "run.sh"
    assert run(["-o", str(place), "algo=grpo"]) == ExitCode.OK
    out, err = capsys.readouterr()
    assert out == ""
    assert str(place) in err
    assert os.access(place, os.X_OK)
    assert place.read_text(encoding="utf-8") == script(["algo=grpo"])
    # Run by name, so by its first line.
    assert shell.run(f"{place} x=1").launch().argv[-1] == "x=1"


@pytest.mark.parametrize("umask", [0o022, 0o077, 0o027])
def test_the_umask_is_heeded(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        assert run(["-o", str(tmp_path / "run.sh"), "algo=grpo"]) == ExitCode.OK
        assert run(["-o", str(tmp_path / "a.json"), "--format", "json", "algo=grpo"]) == ExitCode.OK
    finally:
        assert os.umask(before) == umask
    assert stat.S_IMODE((tmp_path / "run.sh").stat().st_mode) == 0o777 & ~umask
    assert stat.S_IMODE((tmp_path / "a.json").stat().st_mode) == 0o666 & ~umask


def test_a_file_that_exists_is_kept_without_force(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "run.sh"
    place.write_text("mine", encoding="utf-8")
    assert run(["-o", str(place), "algo=grpo"]) == ExitCode.USAGE
    assert "--force" in capsys.readouterr().err
    assert place.read_text(encoding="utf-8") == "mine"
    assert run(["-o", str(place), "--force", "algo=grpo"]) == ExitCode.OK
    assert place.read_text(encoding="utf-8") == script(["algo=grpo"])
    assert os.listdir(tmp_path) == ["run.sh"]


def test_a_link_that_leads_nowhere_is_kept_too(tmp_path: Path) -> None:
    place = tmp_path / "run.sh"
    place.symlink_to(tmp_path / "elsewhere")
    assert run(["-o", str(place), "algo=grpo"]) == ExitCode.USAGE
    assert place.is_symlink()
    assert os.listdir(tmp_path) == ["run.sh"]


@pytest.mark.parametrize("words", [["algo=gpo"], ["hw=8xA1000"], ["trainer.no_such=1"]])
def test_a_refusal_leaves_no_file(tmp_path: Path, words: list[str]) -> None:
    assert run(["-o", str(tmp_path / "run.sh"), *words]) == ExitCode.USAGE
    assert run(["-o", str(tmp_path / "run.sh"), "--force", *words]) == ExitCode.USAGE
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("force", [False, True])
def test_a_write_that_breaks_off_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, force: bool
) -> None:
    place = tmp_path / "run.sh"
    if force:
        place.write_text("mine", encoding="utf-8")

    def full(*args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.chmod", full)
    with pytest.raises(UserError, match="No space left"):
        files.write_whole(str(place), "text", force=force)
    assert os.listdir(tmp_path) == (["run.sh"] if force else [])
    assert not force or place.read_text(encoding="utf-8") == "mine"


def test_a_folder_that_does_not_exist(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["-o", str(tmp_path / "no" / "run.sh"), "algo=grpo"]) == ExitCode.USAGE
    assert str(tmp_path / "no" / "run.sh") in capsys.readouterr().err
