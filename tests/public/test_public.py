"""`make test-public ROOT=…`: the launch scripts of public verl, against what real bash passed.

ROOT holds the scripts by tag (`v0.9.0/examples/…`), as `git archive TAG | tar -x -C ROOT/TAG` lays
them; ORACLE is a file of JSON lines, one a run: script, md5, environment, arguments, and the
trainer commands that real bash ran with every program stubbed.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.shell import run
from verlgen.errors import UserError
from verlgen.launch import Word, text
from verlgen.read import ReadLaunch, Result, read_all
from verlgen.report import written

ROOT = os.environ.get("VERLGEN_PUBLIC_ROOT", "")
ORACLE = os.environ.get("VERLGEN_PUBLIC_ORACLE", "")

pytestmark = [
    pytest.mark.public,
    pytest.mark.skipif(not (ROOT and os.path.isfile(ORACLE)), reason="make test-public ROOT=…"),
]


def rows() -> list[dict[str, Any]]:
    content = Path(ORACLE).read_bytes()
    if ORACLE.endswith(".gz"):
        content = gzip.decompress(content)
    found: dict[str, dict[str, Any]] = {}
    for line in content.decode().splitlines():
        row = json.loads(line)
        path = Path(ROOT, row["script"])
        if not path.is_file() or hashlib.md5(path.read_bytes()).hexdigest() != row["sha"]:
            continue
        key = json.dumps([row["sha"], row.get("env"), row.get("args")], sort_keys=True)
        found.setdefault(key, row)
    return list(found.values())


def read(row: dict[str, Any]) -> Result:
    environment = {"HOME": "/root", "USER": "root", **(row.get("env") or {})}
    environment.pop("PATH", None)
    path = str(Path(ROOT, row["script"]))
    (result,) = read_all([path], environment, row.get("args") or [], None)
    assert not isinstance(result, UserError), f"{row['script']}: {result}"
    return result


def pattern(word: Word) -> str:
    return "".join(re.escape(part) if isinstance(part, str) else ".*" for part in word)


def difference(launches: list[ReadLaunch], truth: list[dict[str, Any]]) -> str:
    if len(launches) != len(truth):
        return f"{len(launches)} launches for {len(truth)}"
    for ours, real in zip(launches, truth, strict=True):
        if ours.launch.entrypoint != real["entrypoint"]:
            return f"{ours.launch.entrypoint} for {real['entrypoint']}"
        if len(ours.words) != len(real["overrides"]):
            return f"{len(ours.words)} overrides for {len(real['overrides'])}"
        for word, passed in zip(ours.words, real["overrides"], strict=True):
            if not re.fullmatch(pattern(word), passed, re.DOTALL):
                return f"{text(word)!r} for {passed!r}"
    return ""


def trainers(row: dict[str, Any]) -> list[dict[str, Any]]:
    return [one for one in row["invocations"] if one.get("kind", "trainer") == "trainer"]


def test_what_bash_would_run_is_what_is_read() -> None:
    counts: Counter[str] = Counter()
    words = symbols = 0
    wrong = []
    for row in rows():
        result = read(row)
        ours = [one for one in result.launches if one.kind == "trainer"]
        why = difference(ours, trainers(row))
        words += sum(len(one.words) for one in ours)
        symbols += sum(any(not isinstance(p, str) for p in w) for one in ours for w in one.words)
        flagged = any(problem.uncertain for problem in result.problems)
        kind = "equal" if not why else "flagged" if flagged else "wrong"
        counts[kind] += 1
        if kind == "wrong":
            wrong.append(f"{row['script']}: {why}")
    print(counts, f"symbols in {symbols} of {words} words")
    assert not wrong
    assert counts["equal"] >= 0.99 * sum(counts.values())
    assert symbols <= 0.01 * words


def test_what_write_writes_passes_the_same_overrides() -> None:
    """Run by real bash where the written script holds no command of the script it was read from."""
    seen: set[str] = set()
    ran = 0
    for row in rows():
        if row.get("env") or row.get("args") or row["sha"] in seen:
            continue
        seen.add(row["sha"])
        result = read(row)
        for one in [one for one in result.launches if one.kind == "trainer"][:1]:
            words = (*one.words, *one.launch.env.values(), *one.launch.prefix)
            if any(not isinstance(part, str) for word in words for part in word):
                continue
            picked = result._replace(launches=[one], blocked=[])
            script = written.script_text(row["script"], picked, ["write", row["script"]])
            program = text(one.launch.prefix[0]).rpartition("/")[2]
            (call,) = run(script, programs=(program,)).calls
            passed = Counter(word for word in call.argv if word in set(map(text, one.words)))
            assert passed == Counter(map(text, one.words)), row["script"]
            ran += 1
    print(f"{ran} written scripts run")
    assert ran
