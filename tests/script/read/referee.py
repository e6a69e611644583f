"""Real bash, asked about many cases in one process."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Callable, Sequence
from typing import Any

from verlgen.script.read.doubt import Unknown

ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}


def ask(cases: Sequence[str], setup: str = "", *, subshells: bool = True) -> list[str]:
    """Return what each piece of shell text prints, all run by one bash."""
    first, last = "()" if subshells else ("{ ", "}")
    script = setup + "\n"
    script += "".join(f"{first}{case}\n{last} 2>/dev/null; printf '\\0'\n" for case in cases)
    done = subprocess.run(
        ["bash", "-s"],
        input=script.encode("utf-8", "surrogateescape"),
        capture_output=True,
        env=ENVIRONMENT,
        check=False,
        timeout=120,
    )
    answers = done.stdout.decode("utf-8", "surrogateescape").split("\0")
    assert len(answers) == len(cases) + 1, done.stderr[-500:]
    return answers[:-1]


def words(texts: Sequence[str]) -> str:
    """Return texts as shell words."""
    return " ".join(shlex.quote(text) for text in texts)


def tried(function: Callable[[], Any]) -> Any:
    """Return a function's value, or the Unknown that it raised."""
    try:
        return function()
    except Unknown as unknown:
        return unknown


def differences(cases: Sequence[Any], ours: Sequence[Any], theirs: Sequence[str]) -> list[Any]:
    """Return the first cases in which what is known differs from what bash says."""
    found = [
        (case, mine, right)
        for case, mine, right in zip(cases, ours, theirs, strict=True)
        if not isinstance(mine, Unknown) and mine != right
    ]
    return found[:8]


def known_share(ours: Sequence[Any]) -> float:
    """Return which share of the answers is known."""
    return sum(not isinstance(mine, Unknown) for mine in ours) / len(ours)
