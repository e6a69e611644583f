"""Kinds of construct met in scripts of projects that use verl; bash itself says what they do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests import shell
from verlgen.launch import Symbol, Word
from verlgen.script.read.reading import Reading
from verlgen.script.read.reading import read as read_script

T = "python3 -m verl.trainer.main_ppo"
GONE = "/nowhere/that/is/there"


def read(script: Path, home: str = shell.HOME) -> Reading:
    text = script.read_bytes().decode()
    environment = {"HOME": home, "USER": shell.USER}
    return read_script(text, name=str(script), file=str(script), environment=environment)


def written(tmp_path: Path, text: str) -> Path:
    script = tmp_path / "run.sh"
    script.write_bytes(text.encode())
    return script


def fits(reading: Reading, words: list[str], real: list[str]) -> bool:
    """Tell whether words are what bash passed, a symbol being any text."""
    ours = [reading.symbols.word(word) for word in words]
    return len(ours) == len(real) and all(map(_fits, ours, real))


def _fits(word: Word, real: str) -> bool:
    parts = (".*" if isinstance(part, Symbol) else re.escape(part) for part in word)
    return re.fullmatch("".join(parts), real, re.S) is not None


def codes(reading: Reading, *, uncertain: bool = True) -> set[str]:
    return {problem.code for problem in reading.problems if problem.uncertain or not uncertain}


# Text -> code of the problem that says what the launch hangs on. Bash does not launch.
STOPPED = {
    "source, set -e": (f"set -e\nsource {GONE}/bin/activate\n{T} a.b=1", "source"),
    "source in a function": (f"set -eu\nf() {{ . {GONE}/env.sh; }}\nf\n{T} a.b=1", "source"),
    "source or exit": (f"source {GONE}/env.sh || exit 1\n{T} a.b=1", "source"),
    "source or a group": (f"source {GONE} || {{ echo no; exit 3; }}\n{T} a.b=1", "source"),
    "cd, set -e": (f"set -euo pipefail\ncd {GONE}\n{T} a.b=1", "missing-folder"),
    "cd or exit": (f'D={GONE}\ncd "$D" || exit 1\n{T} a.b=1', "missing-folder"),
    "cd below home": (f"set -e\ncd ~/not-here\n{T} a.b=1", "missing-folder"),
}


@pytest.mark.parametrize("name", STOPPED)
def test_what_is_not_there_ends_the_script(name: str, tmp_path: Path) -> None:
    text, code = STOPPED[name]
    script = written(tmp_path, text)
    assert shell.run(script).calls == []
    reading = read(script)
    assert reading.launches == []
    assert [launch.overrides for launch in reading.blocked] == [["a.b=1"]]
    assert code in codes(reading)


PASSED = {
    "source without set -e": f"source {GONE}/env.sh\n{T} a.b=1",
    "source, set -e switched off": f"set -e\nset +e\nsource {GONE}/env.sh\nset -e\n{T} a.b=1",
    "source or true": f"set -e\nsource {GONE}/env.sh 2>/dev/null || true\n{T} a.b=1",
    "source or another": f"set -e\nsource {GONE} || export A=2\n{T} a.b=$A",
    "cd without set -e": f'cd {GONE}\n{T} a.b="$(pwd)/x" c.d=$PWD',
    "name of the folder": f'N="$(basename "$PWD")"\n{T} a.b="$N" c.d="${{PWD##*/}}"',
    "name of the script": f'{T} a.b="$(basename "$0" .sh)" c.d="${{0##*/}}"',
    "cd back": f'cd {GONE}\ncd - >/dev/null\n{T} a.b="$(basename "$PWD")/y"',
    "cd or true": f"set -e\ncd {GONE} || true\n{T} a.b=$PWD/x",
    "cd into what is made": f"set -e\nmkdir -p out/x\ncd out/x\n{T} a.b=1",
    "cd home": f"set -e\ncd\ncd ~\n{T} a.b=1",
    "cd above": f'set -e\ncd ../..\ncd "$(dirname "$0")"\n{T} a.b=1',
    "startup file": f"set -e\nsource ~/.bashrc\n{T} a.b=1",
    "copied and sourced": (
        f'set -e\nD="$(dirname "$0")"\ncp "$D/one.sh" "$D/two.sh"\nsource "$D/two.sh"\n{T} a.b=$ONE'
    ),
    "program looked up": (
        f'P="$(command -v python3)"\nif [ ! -x "$P" ]; then exit 1; fi\n{T} a.b=1 c.d="$P"'
    ),
    "program found by a function": (
        "find_it() {\n  if [ -x no-such-venv/bin/python ]; then echo no-such-venv/bin/python; return; fi\n"
        '  command -v python3\n}\nP="$(find_it)"\n'
        f'[ -n "$P" ] || exit 1\n[[ -x $P ]] && {T} a.b=1'
    ),
    "which": f'if [ -z "$(which python3)" ]; then exit 1; fi\n{T} a.b=1',
    "which as a condition": f"if which python3 > /dev/null 2>&1; then {T} a.b=1; fi",
}


@pytest.mark.parametrize("name", PASSED)
def test_bash_launches_and_so_do_we(name: str, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / ".bashrc").write_text("")
    (tmp_path / "one.sh").write_text("ONE=1\n")
    script = written(tmp_path, PASSED[name])
    calls = shell.run(script, env={"HOME": str(home)}).calls
    reading = read(script, str(home))
    assert len(reading.launches) == len(calls) == 1
    assert fits(reading, reading.launches[0].overrides, calls[0].argv[2:])


def test_a_launch_behind_a_folder_that_may_not_be_there_is_shown(tmp_path: Path) -> None:
    script = written(tmp_path, f"cd {GONE} && {T} a.b=1")
    assert shell.run(script).calls == []
    reading = read(script)
    assert len(reading.launches) == 1
    assert codes(reading) == {"missing-folder"}


def test_what_a_repository_brings_is_taken_to_be_there(tmp_path: Path) -> None:
    text = 'set -e\nD="$HOME/book"\n[ -d "$D" ] || git clone https://x.y/book.git "$D"\ncd "$D"'
    reading = read(written(tmp_path, f"{text}\n{T} a.b=1"))
    assert len(reading.launches) == 1
    assert codes(reading) == {"missing-folder"}


@pytest.mark.parametrize("line", ["set -euo pipefail\r", "set -e\nset -o nonsense"])
def test_an_option_that_set_does_not_know_ends_the_script(line: str, tmp_path: Path) -> None:
    script = written(tmp_path, f"{line}\n{T} a.b=1\n")
    assert shell.run(script).calls == []
    assert read(script).launches == []


def test_another_script_may_launch_too(tmp_path: Path) -> None:
    other = tmp_path / "other.sh"
    other.write_text(f'{T} "$@"\n')
    script = written(tmp_path, 'bash "$(dirname "$0")/other.sh" a.b=1')
    assert len(shell.run(script).calls) == 1
    (problem,) = (one for one in read(script).problems if one.code == "other-script")
    assert problem.uncertain
    assert str(other) in problem.remedy


def test_a_program_beside_the_script_is_not_fully_known(tmp_path: Path) -> None:
    script = written(tmp_path, 'python3 "$(dirname "$(realpath "$0")")/train.py" a.b=1 c.d=2')
    assert shell.run(script).calls[0].argv[0] == str(tmp_path.resolve() / "train.py")
    assert codes(read(script)) == {"entry-point"}


@pytest.mark.parametrize("program", [f"{GONE}/bin/python3", "no-such-venv/bin/python"])
def test_a_program_that_is_not_there_is_not_started(program: str, tmp_path: Path) -> None:
    script = written(tmp_path, f"{program} -m verl.trainer.main_ppo a.b=1")
    assert shell.run(script).calls == []
    reading = read(script)
    assert len(reading.launches) == 1
    assert codes(reading) == {"missing-program"}


def test_what_is_taken_as_empty_is_not_blamed_on_bash(tmp_path: Path) -> None:
    text = f'N=$(nvidia-smi -L | wc -l)\nif [ "$N" -eq 0 ]; then exit 1; fi\n{T} a.b=1'
    reading = read(written(tmp_path, text))
    assert codes(reading, uncertain=False) == {"hangs-on", "no-arguments"}


def test_a_comment_behind_a_backslash(tmp_path: Path) -> None:
    script = written(tmp_path, f"{T} a.b=1 \\ # change this path\n  c.d=2\n")
    real = shell.run(script).calls[0].argv[2:]
    assert real == ["a.b=1", " #", "change", "this", "path"]
    reading = read(script)
    assert [problem.code for problem in reading.problems].count("comment-argument") == 1
    assert not codes(reading, uncertain=False) & {"no-override", "blank-argument"}


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("verl.trainer.main_ppo a.b=1 --foo", {"unknown-option"}),
        ("verl.trainer.main_ppo a.b=1 --config-name=x", set()),
        ("verl.trainer.main_ppo a.b=1 stray", {"no-override"}),
        ("mine.train a.b=1 --foo", set()),
        ("mine.train a.b=1 --foo value", set()),
        ("mine.train a.b=1 --foo=value stray", {"no-override"}),
    ],
)
def test_words_that_are_no_overrides(words: str, found: set[str], tmp_path: Path) -> None:
    reading = read(written(tmp_path, f"python3 -m {words}"))
    assert codes(reading, uncertain=False) - {"no-arguments"} == found


@pytest.mark.parametrize(
    ("word", "lost"),
    [
        ("""trainer.logger='["console","wandb"]'""", False),
        ("""trainer.logger="['console','wandb']" """, False),
        ("trainer.logger='[console, wandb]'", True),
        ("""data.note="'two words'" """, False),
        ("""data.kind="'1'" """, True),
        ("data.path='$HOME/x'", True),
    ],
)
def test_quotes_that_ray_loses(word: str, lost: bool, tmp_path: Path) -> None:
    reading = read(written(tmp_path, f"ray job submit -- {T} a.b=1 {word}"))
    assert ("ray-quotes" in codes(reading, uncertain=False)) is lost
