"""`make bench`: whole processes side by side, as ratios; and some figures of single calls.

Runs are interleaved (A B A B …), so that a machine whose speed drifts slows both sides alike, and
medians are taken. Nothing here is a test: it prints, and the limits are what an issue asks for.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

RUNS = 15


class Pair(NamedTuple):
    """Two commands to compare.

    Attributes:
        name: What is measured.
        ours: Our command.
        theirs: What it is held against.
        limit: The ratio that is asked for.
    """

    name: str
    ours: list[str]
    theirs: list[str]
    limit: float


def main() -> None:
    """Measure everything and print it."""
    binary = os.path.join(os.path.dirname(sys.executable), "verlgen")
    python = [sys.executable, "-c"]
    pairs = [
        Pair(
            "generate / import hydra's compose",
            [binary, "algo=grpo", "hw=8xA100"],
            [*python, "from hydra import compose, initialize_config_dir"],
            2.2,
        ),
        Pair(
            "show of a 150-line script / import click, tree_sitter_bash",
            [binary, "show", _script()],
            [*python, "import click, tree_sitter_bash"],
            2.0,
        ),
        Pair("--help / import click", [binary, "--help"], [*python, "import click"], 1.5),
    ]
    print(f"{'':58}{'ours':>9}{'theirs':>9}{'ratio':>8}{'asked':>8}   (median of {RUNS}, wall)")
    for pair in pairs:
        ours, theirs = _interleaved(pair.ours, pair.theirs)
        ratio = statistics.median(a / b for a, b in zip(ours, theirs, strict=True))
        print(
            f"{pair.name:58}{statistics.median(ours) * 1000:6.0f} ms"
            f"{statistics.median(theirs) * 1000:6.0f} ms{ratio:8.2f}{pair.limit:8.1f}"
        )
    print()
    for name, milliseconds in (
        ("60 override words parsed", _parse_words()),
        ("60 override words parsed by hydra", _parse_words_with_hydra()),
        ("one key table loaded (newest release)", _load_table()),
        ("that script read, in process", _read_script()),
    ):
        print(f"{name:58}{milliseconds:9.2f} ms")


def _interleaved(ours: list[str], theirs: list[str]) -> tuple[list[float], list[float]]:
    times: tuple[list[float], list[float]] = ([], [])
    for run in range(RUNS + 1):
        for command, bucket in zip((ours, theirs), times, strict=True):
            begin = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            if run:  # the first of each warms the caches
                bucket.append(time.perf_counter() - begin)
    return times


def _words() -> list[str]:
    from verlgen.compose.generate import generate
    from verlgen.launch import text
    from verlgen.report.generated import launch

    composed = generate(["recipe=deepseek7b-gsm8k", "algo=ppo", "verl=0.6.1"])
    words = [text(override.word()) for override in launch(composed).overrides]
    return (words * 2)[:60]


def _parse_words() -> float:
    from verlgen.overrides import parse

    words = _words()
    return _best(lambda: [parse(word) for word in words])


def _parse_words_with_hydra() -> float:
    from hydra.core.override_parser.overrides_parser import OverridesParser

    parser = OverridesParser.create()
    words = _words()
    return _best(lambda: parser.parse_overrides(words))


def _script() -> str:
    """Return the path of a script of 150 lines as people write them: defaults, arrays, cases."""
    groups = []
    for number in range(12):
        groups.append(
            f"""SIZE_{number}=${{SIZE_{number}:-$(({number} + 1))}}
if [ "$DEVICE" = npu ]; then LIMIT_{number}=1; else LIMIT_{number}=$((SIZE_{number} * 2)); fi
case ${{MODE_{number}:-fast}} in
    fast) FLAG_{number}=True ;;
    *) FLAG_{number}=False ;;
esac
GROUP_{number}=(
    +actor_rollout_ref.actor.key_{number}_a=$SIZE_{number}
    +actor_rollout_ref.actor.key_{number}_b="$LIMIT_{number}"  # a comment
    "+actor_rollout_ref.actor.key_{number}_c=${{NAME,,}}_$FLAG_{number}"
)
"""
        )
    words = " ".join(f'"${{GROUP_{number}[@]}}"' for number in range(12))
    text = (
        "#!/usr/bin/env bash\nset -euo pipefail\nDEVICE=${DEVICE:-cuda}\nNAME=${NAME:-Qwen3}\n"
        + "".join(groups)
        + f'python3 -m verl.trainer.main_ppo {words} "$@" 2>&1 | tee log.txt\n'
    )
    path = os.path.join(tempfile.mkdtemp(), "run.sh")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def _read_script() -> float:
    from verlgen.script.read.reading import read

    with open(_script(), encoding="utf-8") as file:
        text = file.read()
    return _best(lambda: read(text))


def _load_table() -> float:
    from verlgen.verl import tables

    def load() -> None:
        tables._read.cache_clear()
        tables._load.cache_clear()
        tables.load(tables.newest())

    return _best(load)


def _best(call: object) -> float:
    """Return the milliseconds of the fastest of 20 calls."""
    assert callable(call)
    times = []
    for _ in range(20):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return min(times) * 1000


if __name__ == "__main__":
    main()
