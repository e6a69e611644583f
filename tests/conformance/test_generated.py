"""Every combination of presets, written as a script, run by real bash, judged by real verl.

For each release: the script's text is made in process, bash runs it with a stub `python3`, and what
the stub was given goes to the release's own config folder and checks (referee.py).
"""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from tests import shell, wheels
from verlgen.compose import tree
from verlgen.compose.generate import generate
from verlgen.errors import UserError
from verlgen.overrides import parse
from verlgen.report.generated import script_text

RELEASES = ["0.4.1", "0.5.0", "0.6.1", "0.7.1", "0.8.0", "0.9.1"]
REFEREE = Path(__file__).with_name("referee.py")

ALGO = ["algo=ppo", "algo=grpo"]
MODEL = ["model=deepseek-7b", "model=qwen2.5-0.5b", "model=qwen3-8b"]
OWN_MODEL = "model.path=/models/mine-1.5B"
DATA = [
    ["data=gsm8k"],
    ["data=math"],
    ["data=gsm8k_math"],
    ["data.train_files=/data/mine/train.parquet", "data.val_files=/data/mine/test.parquet"],
]
OWN_LIST = ["data=files", "data.train_files=[/a/b.parquet,/a/c.parquet]", "data.val_files=/a/d"]
HW = ["hw=1x4090", "hw=8xA100", "hw=4x8xH100"]
RECIPE = ["recipe=deepseek7b-gsm8k"]

# All that may be refused, with what the message has to name: the model and the GPU.
TOO_SMALL = {
    ("hw=1x4090", "model=deepseek-7b"): ["deepseek-ai/deepseek-llm-7b-chat", "4090-24G"],
    ("hw=1x4090", "model=qwen3-8b"): ["Qwen/Qwen3-8B", "4090-24G"],
    ("hw=1x4090", "recipe=deepseek7b-gsm8k"): ["deepseek-ai/deepseek-llm-7b-chat", "4090-24G"],
}

# Words that a release must refuse behind those of a good launch, by what refuses them.
BAD = {
    "compose": "actor_rollout_ref.actor.no_such_key=1",
    "interpolations": "trainer.experiment_name=${trainer.no_such_key}",
    "validate_config": "actor_rollout_ref.actor.use_dynamic_bsz=False",
}


class Launch(NamedTuple):
    """What one command asks verl for.

    Attributes:
        command: Words given to verlgen.
        words: Override words that bash passed to main_ppo.
    """

    command: list[str]
    words: list[str]


def commands() -> Iterator[list[str]]:
    """Yields every combination of the presets, and each recipe with every algorithm and machine."""
    for algo, hw in itertools.product(ALGO, HW):
        for model, data in itertools.product(MODEL, DATA):
            yield [algo, model, *data, hw]
        yield [algo, OWN_MODEL, hw]
        yield [algo, "model=qwen2.5-0.5b", *OWN_LIST, hw]
        for recipe in RECIPE:
            yield [algo, recipe, hw]
    for algo, recipe in itertools.product(ALGO, RECIPE):
        yield [algo, recipe]


@pytest.fixture(scope="module", autouse=True)
def _trees_once() -> Iterator[None]:
    """Composes each tree of presets once for all releases, which have no part in it."""
    known: dict[str, tree.Tree] = {}
    compose_tree = tree.compose_tree

    def cached(primary: str, folders: Sequence[str], words: Sequence[str]) -> tree.Tree:
        asked = repr((primary, folders, words))
        if asked not in known:
            known[asked] = compose_tree(primary, folders, words)
        return known[asked]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tree, "compose_tree", cached)
        yield


def launched(command: Sequence[str], release: str) -> Launch:
    words = [*command, f"verl={release}"]
    call = shell.run(script_text(generate(words), words)).launch()
    assert call.argv[:2] == ["-m", "verl.trainer.main_ppo"]
    return Launch(list(command), call.argv[2:])


def verdicts(release: str, launches: Sequence[Launch]) -> list[dict[str, object]]:
    done = subprocess.run(
        [sys.executable, str(REFEREE), str(wheels.unpacked(release))],
        input="".join(json.dumps(launch.words) + "\n" for launch in launches),
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(found) == len(launches)
    return found


def faults(launch: Launch, verdict: dict[str, object]) -> Iterator[str]:
    """Yields what is wrong with a launch beyond what the release itself says."""
    if verdict["error"] is not None:
        yield f"{verdict['stage']}: {verdict['error']}"
    keys = [parse(word).key for word in launch.words]
    twice = [key for key, count in Counter(keys).items() if count > 1]
    if twice:
        yield f"passed twice: {twice}"
    critic = any(key.startswith("critic.") for key in keys)
    if critic is not verdict["needs_critic"]:
        yield f"critic.* is written: {critic}, the release needs one: {verdict['needs_critic']}"
    ref = any(key.startswith("actor_rollout_ref.ref.") for key in keys)
    if ref and not verdict["needs_ref"]:
        yield "actor_rollout_ref.ref.* is written, and no reference policy will run"
    for word in launch.command:
        if word.startswith("data.") and word.partition("=")[0] not in keys:
            yield f"{word} was asked for and is not passed"


def refusal_is_named(command: Sequence[str], error: UserError) -> bool:
    expected = [names for pair, names in TOO_SMALL.items() if set(pair) <= set(command)]
    return (
        bool(expected)
        and all(name in error.what for name in expected[0])
        and "does not fit" in error.what
        and "take at least" in (error.remedy or "")
    )


@pytest.mark.wheels
@pytest.mark.parametrize("release", RELEASES)
def test_every_combination_is_taken(
    release: str, record_property: Callable[[str, object], None]
) -> None:
    launches, wrong, refused = [], [], []
    for command in commands():
        try:
            launches.append(launched(command, release))
        except UserError as error:
            refused.append(command)
            if not refusal_is_named(command, error):
                wrong.append(f"{' '.join(command)}: {error}")
    bad = [launches[0]._replace(words=[*launches[0].words, word]) for word in BAD.values()]

    found = verdicts(release, [*launches, *bad])

    for launch, verdict in zip(launches, found, strict=False):
        wrong += [f"{' '.join(launch.command)}: {fault}" for fault in faults(launch, verdict)]
    counts = {"release": release, "taken": len(launches), "refused": len(refused)}
    record_property("conformance", counts)
    assert not wrong, f"{len(wrong)} faults:\n" + "\n".join(wrong)
    # Which ones are refused hangs on memory, and on nothing that a release could change.
    assert refused == [c for c in commands() if any(set(pair) <= set(c) for pair in TOO_SMALL)]
    # The referee can say no.
    assert [verdict["stage"] for verdict in found[len(launches) :]] == list(BAD)
