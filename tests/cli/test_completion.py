"""Real bash, zsh and fish, with the scripts that `verlgen completion` prints.

The first tests call bash's function as readline would. The others type into a shell that runs on a
pseudo terminal, press Tab, and look at what the shell then has on its command line.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from verlgen.cli.completion import completion
from verlgen.cli.main import run
from verlgen.resources import templates_dir
from verlgen.verl import tables

SHELLS = ("bash", "zsh", "fish")
BREAKS = " \t\n\"'@><=;|&(:"
"""What COMP_WORDBREAKS is in an interactive bash."""

TAB = "\t"
_PATIENCE = 30.0
"""Seconds to wait for a shell on a busy machine."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home folder with `verlgen` on the path, its scripts and a file to complete."""
    home = tmp_path_factory.mktemp("home")
    (home / "bin").mkdir()
    program = home / "bin" / "verlgen"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m verlgen "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    for shell in SHELLS:
        printed = CliRunner().invoke(completion, [shell], catch_exceptions=False).output
        (home / f"completion.{shell}").write_text(printed, encoding="utf-8")
    (home / "runs").mkdir()
    (home / "runs" / "train_set.parquet").touch()
    return home


def environment(home: Path) -> dict[str, str]:
    return {
        "HOME": str(home),
        "PATH": f"{home / 'bin'}:{os.environ['PATH']}",
        "LANG": "C.UTF-8",
        "TERM": "xterm",
        "PYTHONPATH": str(Path(__file__).parents[2]),
        "VERLGEN_DATA_HOME": str(home / "data"),
        "INPUTRC": "/dev/null",
    }


def words(*arguments: str) -> Result:
    return CliRunner().invoke(completion, ["words", *arguments], catch_exceptions=False)


# The way in that the scripts call.


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_prints_its_script(shell: str) -> None:
    printed = CliRunner().invoke(completion, [shell])
    assert printed.exit_code == 0
    assert printed.output == (Path(templates_dir()) / f"completion.{shell}").read_text("utf-8")
    assert "completion words --" in printed.output


def test_help_says_how_to_install() -> None:
    text = CliRunner().invoke(completion, ["--help"]).output
    assert "source <(verlgen completion bash)" in text
    assert "~/.config/fish/completions/verlgen.fish" in text
    assert "words" not in text.split()


def test_words_prints_candidates_with_descriptions() -> None:
    lines = words("--", "verlgen verl=").output.splitlines()
    assert lines[0] == f"verl={tables.newest()}\tnewest"
    assert len(lines) == len(tables.releases())


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--",),
        ("--", ""),
        ("--", "verlgen"),
        ("--", "verlgen nonsense "),
        ("--", "verlgen '"),
        ("--", "verlgen --verl 77 verl=88 verl="),
        ("--", "verlgen --presets /nowhere algo="),
        ("--", "verlgen model_engine=none ++"),
        ("--", "verlgen \x00\udcff="),
    ],
)
def test_words_never_fails(arguments: tuple[str, ...]) -> None:
    result = words(*arguments)
    assert result.exit_code == 0
    assert "rror" not in result.output


def test_a_fault_is_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verlgen.cli.complete.candidates", lambda line: 1 / 0)
    result = words("--", "verlgen ")
    assert (result.exit_code, result.output) == (0, "")


@pytest.mark.parametrize(
    "line", ["verlgen \udcff", "verlgen data.x=\udcff algo=", "\udcff algo=", "verlgen hw=8x\udcff"]
)
def test_a_line_that_is_not_utf_8_is_silence(
    line: str, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert run(["completion", "words", "--", line]) == 0
    assert run(["completion", "words", "--", "verlgen algo=", line]) == 0
    assert capfdbinary.readouterr() == (b"", b"")


def test_a_line_that_is_not_utf_8_is_silence_to_the_shell() -> None:
    line = b"verlgen data.x=\xff algo="
    command = [sys.executable, "-m", "verlgen", "completion", "words", "--", line]
    done = subprocess.run(command, capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_words_reads_no_broken_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "verlgen.yaml").write_text("verl: [", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    result = words("--", "verlgen data.tr")
    assert (result.exit_code, result.output) == (0, "")


@pytest.mark.parametrize(
    "line", ["", "algo=", "hw=8x", "+data.", "train_batch", "--fo", "schema show ", "presets show "]
)
def test_words_imports_nothing_heavy(line: str) -> None:
    program = (
        "import sys; from verlgen.cli.main import run; "
        f"code = run(['completion', 'words', '--', 'verlgen {line}']); "
        "heavy = {'hydra', 'omegaconf', 'jinja2', 'rich', 'deepdiff', 'tree_sitter', 'antlr4'};"
        "sys.exit(code or ','.join(sorted(heavy & set(sys.modules))) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "\t" in done.stdout


# Bash's function, called as readline calls it.


def bash_reply(
    place: Path, line: str, *, breaks: str = BREAKS, program: str = "verlgen"
) -> list[str]:
    """Return COMPREPLY for a line with the cursor at its end."""
    typed = f"{program} {line}"
    script = (
        'source "$HOME/completion.bash"; COMP_WORDBREAKS=$1 COMP_LINE=$2 COMP_POINT=${#2}\n'
        '_verlgen "$3" "" ""; for word in "${COMPREPLY[@]}"; do printf "%s|\\n" "$word"; done'
    )
    done = subprocess.run(
        ["bash", "--norc", "-c", script, "bash", breaks, typed, program],
        capture_output=True,
        text=True,
        cwd=place,
        env=environment(place),
        check=True,
    )
    assert done.stderr == ""
    return [word.removesuffix("|") for word in done.stdout.splitlines()]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("pres", ["presets "]),
        ("recip", ["recipe="]),
        ("algo=g", ["grpo "]),
        ("hw=2x8xA100-4", ["2x8xA100-40G "]),
        ("actor", ["actor_rollout_ref."]),
        (
            "++actor_rollout_ref.rollout.tens",
            ["++actor_rollout_ref.rollout.tensor_model_parallel_size="],
        ),
        ("~data.train_b", ["~data.train_batch_size "]),
        ("data.shuffle=", ["True ", "False "]),
        ("actor@act", ["@actor_rollout_ref.actor="]),
        ("actor@actor_rollout_ref.actor=meg", ["megatron_actor "]),
        ("train_batch", ["data.train_batch_size="]),
        # The empty one keeps readline from replacing `lr` by what the others share.
        (
            "optim.lr_s",
            [
                "actor_rollout_ref.actor.optim.lr_scheduler_type=",
                "critic.optim.lr_scheduler_type=",
                "",
            ],
        ),
        ("--format=y", ["yaml "]),
        ("--format y", ["yaml "]),
        ("presets show algo/g", ["algo/grpo "]),
        ("presets show al", ["algo/"]),
        ("-o ru", []),
        ("'actor", []),
    ],
)
def test_bash_function(place: Path, line: str, expected: list[str]) -> None:
    assert bash_reply(place, line) == expected


def test_bash_without_some_breaks_gets_whole_words(place: Path) -> None:
    assert bash_reply(place, "algo=g", breaks=" \t\n") == ["algo=grpo "]
    assert bash_reply(place, "actor@act", breaks=" \t\n=") == ["actor@actor_rollout_ref.actor="]


def test_bash_asks_the_program_that_is_typed(place: Path) -> None:
    assert bash_reply(place, "algo=g", program="~/bin/verlgen") == ["grpo "]
    assert bash_reply(place, "algo=g", program="an_alias") == ["grpo "]


# Shells on a terminal.


class Terminal:
    """An interactive shell on a pseudo terminal, with completion loaded.

    Args:
        place: Its home and working folder.
        shell: Which one.
    """

    def __init__(self, place: Path, shell: str) -> None:
        self.shell = shell
        self._seen = place / f"{shell}.line"
        self._screen = place / f"{shell}.screen"
        rows = "stty rows 60 cols 160; exec " + _START[shell]
        # pty.spawn in a process of its own: forking one that has threads is warned of.
        spawn = "import pty, sys; pty.spawn(sys.argv[1:])"
        with self._screen.open("wb") as screen:
            self._process = subprocess.Popen(
                [sys.executable, "-c", spawn, "bash", "--norc", "-c", rows],
                stdin=subprocess.PIPE,
                stdout=screen,
                stderr=subprocess.STDOUT,
                cwd=place,
                env=environment(place),
            )
        (place / f"{shell}.setup").write_text(_SETUP[shell], encoding="utf-8")
        self._type(f" . ~/{shell}.setup\r")
        self._answer()

    def line_after(self, keys: str) -> str:
        """Return the command line after some keys, and empty it."""
        self._type(keys + _SHOW)
        line = self._answer()
        self._type("\x05\x15")  # to the end, and delete all
        return line

    def screen(self) -> str:
        """Return all that the shell has written."""
        return self._screen.read_text("utf-8", "replace")

    def close(self) -> None:
        """End the shell."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.terminate()
        self._process.wait()

    def _type(self, keys: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(keys.encode())
        self._process.stdin.flush()

    def _answer(self) -> str:
        """Wait for the shell to write its line, which ends in an `@`."""
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end:
            if self._seen.exists():
                text = self._seen.read_text(encoding="utf-8")
                if text.rstrip("\n").endswith("@"):
                    self._seen.unlink()
                    return text.rstrip("\n")[:-1]
            time.sleep(0.02)
        pytest.fail(f"no answer; on the screen:\n{self.screen()}")


_SHOW = "\x18k"
"""Ctrl-X k: write the command line into a file."""

_START = {
    "bash": "bash --norc --noprofile -i",
    "zsh": "zsh -f -i",
    "fish": "fish -i",
}
_SETUP = {
    "bash": """
source ~/completion.bash
bind 'set bell-style none'; bind 'set show-all-if-ambiguous on'; bind 'set page-completions off'
show() { printf '%s@' "$READLINE_LINE" > ~/bash.line; }
bind -x '"\\C-xk": show'
printf @ > ~/bash.line
""",
    "zsh": """
autoload -Uz compinit; compinit -u -d ~/zcompdump
source ~/completion.zsh
unsetopt beep
show() { print -rn -- "$BUFFER@" > ~/zsh.line }
zle -N show; bindkey -e; bindkey '^Xk' show
print -rn -- @ > ~/zsh.line
""",
    "fish": """
source ~/completion.fish
bind \\cxk 'echo -n (commandline -b)@ > ~/fish.line'
echo -n @ > ~/fish.line
""",
}


@pytest.fixture(scope="module", params=SHELLS)
def terminal(place: Path, request: pytest.FixtureRequest) -> Iterator[Terminal]:
    shell = str(request.param)
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed (apt-get install {shell})")
    opened = Terminal(place, shell)
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("verlgen pres", "verlgen presets "),
        ("verlgen comp", "verlgen completion "),
        ("verlgen recip", "verlgen recipe="),
        ("verlgen algo=g", "verlgen algo=grpo "),
        ("verlgen algo=grpo hw=2x8xA100-4", "verlgen algo=grpo hw=2x8xA100-40G "),
        (
            "verlgen verl=0.6.1 actor_rollout_ref.rollout.tens",
            "verlgen verl=0.6.1 actor_rollout_ref.rollout.tensor_model_parallel_size=",
        ),
        ("verlgen actor", "verlgen actor_rollout_ref."),
        ("verlgen ++data.train_b", "verlgen ++data.train_batch_size="),
        ("verlgen +data.train_b", "verlgen +data.train_batch_size="),
        ("verlgen algo=grpo data.shuffle=F", "verlgen algo=grpo data.shuffle=False "),
        ("verlgen model_engine=mega", "verlgen model_engine=megatron "),
        ("verlgen train_batch", "verlgen data.train_batch_size="),
        ("verlgen actor@act", "verlgen actor@actor_rollout_ref.actor="),
        ("verlgen --forma", "verlgen --format "),
        ("verlgen --format=y", "verlgen --format=yaml "),
        ("verlgen --verl 0.6.1 --format js", "verlgen --verl 0.6.1 --format json "),
        ("verlgen presets show al", "verlgen presets show algo/"),
        ("verlgen presets show algo/g", "verlgen presets show algo/grpo "),
        ("verlgen -o runs/tr", "verlgen -o runs/train_set.parquet "),
        ("verlgen data.train_files=runs/tr", "verlgen data.train_files=runs/train_set.parquet "),
        ("~/bin/verlgen algo=g", "~/bin/verlgen algo=grpo "),
        ("A=1 verlgen algo=g", "A=1 verlgen algo=grpo "),
        ("true | verlgen algo=g", "true | verlgen algo=grpo "),
    ],
)
def test_tab(terminal: Terminal, typed: str, expected: str) -> None:
    assert terminal.line_after(typed + TAB) == expected


def test_tab_lists_or_cycles_through_keys_of_one_name(terminal: Terminal) -> None:
    line = terminal.line_after("verlgen optim.lr_s" + TAB)
    if terminal.shell == "zsh":
        assert line == "verlgen actor_rollout_ref.actor.optim.lr_scheduler_type="
    else:
        assert line == "verlgen optim.lr_s"
    assert "critic.optim.lr_scheduler_type=" in terminal.screen()


def test_tab_completes_a_deletion(terminal: Terminal) -> None:
    if terminal.shell == "zsh":  # which takes a bare ~word for somebody's home folder
        assert terminal.line_after("verlgen '~data.train_b" + TAB) == (
            "verlgen '~data.train_batch_size' "
        )
    else:
        assert terminal.line_after("verlgen ~data.train_b" + TAB) == (
            "verlgen ~data.train_batch_size "
        )


def test_tab_leaves_several_overrides_in_one_argument_alone(terminal: Terminal) -> None:
    typed = "verlgen 'algo=grpo hw=8x"
    assert terminal.line_after(typed + TAB) == typed


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
def test_zsh_loads_the_script_from_a_folder(place: Path) -> None:
    folder = place / "functions"
    folder.mkdir()
    shutil.copy(place / "completion.zsh", folder / "_verlgen")
    script = (
        "fpath=(~/functions $fpath); autoload -Uz compinit; compinit -u -D; print $_comps[verlgen]"
    )
    done = subprocess.run(
        ["zsh", "-f", "-c", script], capture_output=True, text=True, env=environment(place)
    )
    assert (done.stdout, done.stderr) == ("_verlgen\n", "")


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
def test_fish_shows_descriptions(place: Path) -> None:
    script = "source ~/completion.fish; complete -C 'verlgen verl='"
    done = subprocess.run(
        ["fish", "-c", script], capture_output=True, text=True, cwd=place, env=environment(place)
    )
    assert done.stderr == ""
    assert done.stdout.splitlines()[0] == f"verl={tables.newest()}\tnewest"
