"""`bash -n` as the judge of what is a script."""

from __future__ import annotations

import re
import subprocess

_COMPLAINT = re.compile(rb"syntax error|unexpected|expected|looking for")
# Bash reads these only behind `shopt -s extglob`; we accept them always.
EXTENDED = re.compile(r"[?*+@!]\(")


def reads(text: str, *options: str) -> bool:
    """Whether bash reads a script to its end without a complaint."""
    stderr, status = _run(text, options)
    if status or _COMPLAINT.search(stderr):
        return False
    if ("[[" in text or "for" in text) and b"here-document" not in stderr:
        # Some mistakes in these make bash stop without a word and with status 0. Then it does
        # not see this stray parenthesis either.
        stderr, status = _run(text + "\n)\n", options)
        return b"`)'" in stderr
    return True


def _run(text: str, options: tuple[str, ...]) -> tuple[bytes, int]:
    done = subprocess.run(
        ["bash", *options, "-n"],
        input=text.encode("utf-8", "surrogateescape"),
        capture_output=True,
        env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"},
        check=False,
        timeout=20,
    )
    return done.stderr, done.returncode
