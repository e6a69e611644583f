"""Many scripts run one after the other by bash, and what they launched.

`python3` and the like are functions there, so that a launch costs no process; where a function
cannot be reached (`exec`, `env`, `nohup`, `bash -c`) stubs in PATH write the same record.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests import shell
from verlgen.script.read.reading import Reading, read
from verlgen.script.read.result import Found

START = {"HOME": shell.HOME, "USER": shell.USER, "LC_ALL": "C.UTF-8"}
PROGRAMS = ("python3", "python", "torchrun")
KEPT_BY_BASH = frozenset({"PWD", "OLDPWD", "SHLVL", "_", "PATH", *START})


class Case(NamedTuple):
    """A script, the environment beyond START, and arguments."""

    text: str
    env: dict[str, str]
    args: list[str]


class Call(NamedTuple):
    """A program that was started: its arguments, and the environment beyond START."""

    program: str
    argv: list[str]
    env: dict[str, str]


class Ran(NamedTuple):
    """What became of a script: what it started, in order, and its exit code."""

    calls: list[Call]
    code: int


_FUNCTION = """{name}() {{
    {{ printf '%s\\0' {name} "$#" "$@"; declare -x; printf '\\0'; }} >>"{record}"
}}
"""
_STUB = """#!{bash}
{{ printf '%s\\0' "${{0##*/}}" "$#" "$@"; declare -x; printf '\\0'; }} >>"{record}"
"""


def run_all(
    cases: Sequence[Case], files: dict[str, str] | None = None, seconds: int = 20
) -> list[Ran]:
    """Run scripts; `files` lie in the folder of each, and each has `seconds` of time."""
    with tempfile.TemporaryDirectory(prefix="verlgen-batch-") as name:
        folder = Path(name)
        driver = []
        for number, case in enumerate(cases):
            own = folder / str(number)
            stubs = own / "stubs"
            stubs.mkdir(parents=True)
            (own / "record").touch()
            (own / "cwd").mkdir()
            for path, text in (files or {}).items():
                (own / "cwd" / path).write_text(text, encoding="utf-8")
            (own / "run.sh").write_bytes(_bytes(case.text))
            functions = [_FUNCTION.format(name=p, record=own / "record") for p in PROGRAMS]
            (own / "functions.sh").write_text("".join([*functions, "unset BASH_ENV\n"]))
            if re.search(r"\b(?:exec|env|nohup|bash|command|builtin|xargs)\b", case.text):
                for program in PROGRAMS:
                    stub = stubs / program
                    stub.write_text(_STUB.format(bash=shell.BASH, record=own / "record"))
                    stub.chmod(0o755)
            given = " ".join(f"{key}={shlex.quote(value)}" for key, value in case.env.items())
            driver.append(
                f"( cd {own}/cwd; unset OLDPWD SHLVL; export PATH={stubs}:$PATH {given}; "
                f"BASH_ENV={own}/functions.sh exec timeout {seconds} {shell.BASH} {own}/run.sh "
                f"{' '.join(map(shlex.quote, case.args))}"
                f") </dev/null >/dev/null 2>&1; echo $? >{own}/code\n"
            )
        (folder / "driver.sh").write_bytes(_bytes("".join(driver)))
        _run([shell.BASH, str(folder / "driver.sh")])
        return [
            Ran(
                _calls((folder / str(n) / "record").read_bytes()),
                int((folder / str(n) / "code").read_text()),
            )
            for n in range(len(cases))
        ]


def _run(command: list[str]) -> None:
    process = subprocess.Popen(
        command,
        env={**START, "PATH": "/usr/bin:/bin"},
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        assert process.wait(timeout=100) == 0
    finally:
        # A script that went astray goes on in processes of its own.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def _calls(recorded: bytes) -> list[Call]:
    words = recorded.decode("utf-8", "surrogateescape").split("\0")[:-1]
    calls = []
    while words:
        program, count = words[0], int(words[1])
        argv, exported = words[2 : 2 + count], words[2 + count]
        del words[: 3 + count]
        calls.append(Call(program, argv, _exported(exported)))
    return calls


def _exported(text: str) -> dict[str, str]:
    """Return what `declare -x` has printed."""
    found = {}
    for match in re.finditer(r"^declare -[a-z]*x[a-z]* (\w+)=([\"$].*)$", text, re.MULTILINE):
        name, value = match[1], match[2]
        if name in KEPT_BY_BASH:
            continue
        if value.startswith("$'"):
            value = _ansi(value[2:-1])
        else:
            value = re.sub(r"\\([\\\"$`])", r"\1", value[1:-1])
        found[name] = value
    return found


def _ansi(text: str) -> str:
    letters = {"n": "\n", "t": "\t", "E": "\x1b", "a": "\a", "r": "\r"}
    return re.sub(
        r"\\(?:([0-7]{3})|(.))",
        lambda m: chr(int(m[1], 8)) if m[1] else letters.get(m[2], m[2]),
        text,
    )


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


# --- our side -------------------------------------------------------------------------------------


_FLAG = re.compile(r"--(config-(name|path|dir)=|cfg=|multirun$)|-m$")


class Seen(NamedTuple):
    """A launch as both sides tell it: symbols stand as NUL and match any text."""

    entrypoint: str
    flags: list[str]
    overrides: list[str]
    other: list[str]
    env: dict[str, str]


def ours(case: Case, file: str | None = None) -> Reading:
    """Read a case."""
    return read(case.text, file=file, environment={**START, **case.env}, arguments=case.args)


def seen_by_us(reading: Reading, found: Found) -> Seen:
    """Return a launch of ours."""

    def known(texts: Sequence[str]) -> list[str]:
        return [_masked(reading, text) for text in texts]

    return Seen(
        found.entrypoint,
        known(found.hydra_flags),
        known(found.overrides),
        known(found.other_args),
        {name: _masked(reading, value) for name, value in found.env.items()},
    )


def _masked(reading: Reading, text: str) -> str:
    return "".join(p if isinstance(p, str) else "\0" for p in reading.symbols.word(text))


def seen_by_bash(call: Call, case: Case) -> Seen:
    """Return a launch of bash's, its words told apart by their form alone."""
    argv = list(call.argv)
    while argv and argv[0].startswith("-") and argv[0] != "-m":
        argv.pop(0)
    if argv[:1] == ["-m"]:
        argv.pop(0)
    entrypoint, *words = argv or [""]
    flags, overrides, other = [], [], []
    for word in words:
        if _FLAG.match(word):
            flags.append(word)
        elif word.startswith("~") or ("=" in word[1:] and not word.startswith("-")):
            overrides.append(word)
        else:
            other.append(word)
    env = {name: value for name, value in call.env.items() if case.env.get(name) != value}
    return Seen(entrypoint, flags, overrides, other, env)


def differs(mine: Sequence[Seen], theirs: Sequence[Seen]) -> str:
    """Return what differs first, or ""."""
    for number, (a, b) in enumerate(zip(mine, theirs, strict=False), 1):
        if a.entrypoint != b.entrypoint:
            return f"#{number}: {a.entrypoint!r}, bash has {b.entrypoint!r}"
        for kind in ("flags", "overrides", "other"):
            if not _match(getattr(a, kind), getattr(b, kind)):
                return f"#{number}: {kind} {getattr(a, kind)}, bash has {getattr(b, kind)}"
        names = sorted({*a.env, *b.env})
        if not _match(
            [f"{n}={a.env.get(n)}" for n in names], [f"{n}={b.env.get(n)}" for n in names]
        ):
            return f"#{number}: env {a.env}, bash has {b.env}"
    if len(mine) != len(theirs):
        return f"{len(mine)} launches, bash has {len(theirs)}"
    return ""


def _match(a: Sequence[str], b: Sequence[str]) -> bool:
    return len(a) == len(b) and all(
        x == y or ("\0" in x and re.fullmatch(re.escape(x).replace("\0", ".*"), y, re.DOTALL))
        for x, y in zip(a, b, strict=True)
    )


def judge(case: Case, ran: Ran, file: str | None = None) -> tuple[str, Reading]:
    """Return how our reading differs from what bash did, or "", and the reading."""
    reading = ours(case, file)
    mine = [seen_by_us(reading, found) for found in reading.launches]
    theirs = [seen_by_bash(call, case) for call in ran.calls]
    return differs(mine, theirs), reading
