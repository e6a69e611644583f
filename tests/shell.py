"""Run a shell script with real bash and see exactly what it would have launched.

Stubs stand first in PATH in place of `python3` and the like. Each takes down its arguments and its
environment byte by byte, and does nothing else. The environment is clean: HOME, USER, PATH and what
is given, as under `env -i`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

BASH = shutil.which("bash") or "/bin/bash"
HOME = "/home/somebody"
USER = "somebody"

# What execve was given lies in /proc untouched; a shell's own "$@" and environment come close, for
# systems without /proc. A stub finds the folder to write to by its own path, since its environment
# is what is to be recorded.
_STUB = """#!/bin/sh
record=${0%/*}/records/$$
if [ -r /proc/$$/cmdline ]; then
    cat /proc/$$/cmdline >"$record.argv"
    cat /proc/$$/environ >"$record.env"
else
    printf '%s\\0' sh "$0" "$@" >"$record.argv"
    env -0 >"$record.env"
fi
echo $$ >>"${0%/*}/records/order"
"""


class Call(NamedTuple):
    """One program that the script started.

    Attributes:
        program: Name of the stub (`python3`).
        argv: Its arguments, without its own name.
        env: Its environment.
    """

    program: str
    argv: list[str]
    env: dict[str, str]


class Ran(NamedTuple):
    """What became of a script.

    Attributes:
        calls: Programs started, in order.
        code: Exit code of the script.
        stdout: What it printed.
        stderr: What it complained of.
        made: Files that lie in its working folder afterwards, which was empty before.
    """

    calls: list[Call]
    code: int
    stdout: str
    stderr: str
    made: list[str]

    def launch(self) -> Call:
        """Returns the one call of a script that is to launch once, and do nothing else."""
        assert self.code == 0, f"exit code {self.code}: {self.stderr}"
        assert self.stderr == "", self.stderr
        assert self.made == [], "something was run that should not have been"
        assert len(self.calls) == 1, self.calls
        return self.calls[0]


def run(
    script: str | bytes | Path,
    args: Sequence[str] = (),
    env: Mapping[str, str] | None = None,
    *,
    programs: Sequence[str] = ("python3",),
    timeout: float = 60,
) -> Ran:
    """Runs a script.

    Args:
        script: Its text, or the path of its file.
        args: Its arguments.
        env: Set besides HOME, USER and PATH, or in their place.
        programs: What stubs stand in for.
        timeout: Seconds until it is given up.
    """
    with tempfile.TemporaryDirectory(prefix="verlgen-shell-") as name:
        folder = Path(name)
        stubs, cwd = folder / "stubs", folder / "cwd"
        (stubs / "records").mkdir(parents=True)
        cwd.mkdir()
        for program in programs:
            stub = stubs / program
            stub.write_text(_STUB, encoding="utf-8")
            stub.chmod(0o755)
        if not isinstance(script, Path):
            text = script if isinstance(script, bytes) else _bytes(script)
            script = folder / "run.sh"
            script.write_bytes(text)
        clean = {"HOME": HOME, "USER": USER, "PATH": f"{stubs}:/usr/bin:/bin", **(env or {})}
        done = subprocess.run(
            [BASH, _bytes(str(script)), *map(_bytes, args)],
            env={_bytes(key): _bytes(value) for key, value in clean.items()},
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=timeout,
        )
        made = sorted(str(path.relative_to(cwd)) for path in cwd.rglob("*"))
        return Ran(
            _calls(stubs / "records"), done.returncode, _text(done.stdout), _text(done.stderr), made
        )


def syntax_error(script: str) -> str:
    """Returns what `bash -n` says about a script's text; nothing if it is in order."""
    done = subprocess.run(
        [BASH, "-n"], input=_bytes(script), capture_output=True, env={"PATH": "/usr/bin:/bin"}
    )
    return _text(done.stderr) or ("" if done.returncode == 0 else f"exit code {done.returncode}")


def _calls(records: Path) -> list[Call]:
    order = records / "order"
    calls = []
    for pid in order.read_text(encoding="ascii").split() if order.exists() else ():
        # The kernel starts a script as `/bin/sh SCRIPT ARGUMENT…`.
        _, stub, *argv = _words((records / f"{pid}.argv").read_bytes())
        pairs = (word.partition("=") for word in _words((records / f"{pid}.env").read_bytes()))
        env = {key: value for key, _, value in pairs}
        calls.append(Call(os.path.basename(stub), argv, env))
    return calls


def _words(recorded: bytes) -> list[str]:
    return [_text(word) for word in recorded.split(b"\0")[:-1]]


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _text(recorded: bytes) -> str:
    return recorded.decode("utf-8", "surrogateescape")
