"""Hydra's own compose is the referee of how presets are merged."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest
from hydra import compose, initialize_config_dir
from hydra.core.global_hydra import GlobalHydra
from omegaconf import OmegaConf

from verlgen.compose import presets
from verlgen.compose.tree import compose_tree, searchpath
from verlgen.errors import UserError

PLACES = presets.folders()


def hydra_says(words: list[str], places: list[str]) -> Any:
    GlobalHydra.instance().clear()
    with initialize_config_dir(presets.primary_folder(), version_base=None):
        config = compose("config", overrides=[searchpath(places), *words])
    return OmegaConf.to_container(config, resolve=True)


def every_choice() -> list[list[str]]:
    groups = [g for g in presets.groups(PLACES) if g != presets.MACHINES_GROUP]
    words = [[f"{g}={name}" for name in presets.option_names(PLACES, g)] for g in groups]
    return [list(choice) for choice in itertools.product(*words)]


@pytest.mark.parametrize("words", every_choice(), ids=" ".join)
def test_the_tree_is_hydras(words: list[str]) -> None:
    assert compose_tree(presets.primary_folder(), PLACES, words).values == hydra_says(words, PLACES)


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["hw=2x8xH100", "hw.tp=4"],
        ["recipe=deepseek7b-gsm8k", "hw=1x4090", "model.path='a, b'"],
    ],
)
def test_knobs_and_machines(words: list[str]) -> None:
    assert compose_tree(presets.primary_folder(), PLACES, words).values == hydra_says(words, PLACES)


OWN = {
    "algo/ppo.yaml": "# @package _global_\nalgorithm: {adv_estimator: gae, lam: 0.95, x: 1e-6}\n",
    "model/mine.yaml": "# @package actor_rollout_ref.model\npath: /m\nextra: ${..rollout.name}\n",
    "data/both.yaml": (
        "# @package _global_\ndefaults: [gsm8k, _self_]\n"
        "data: {max_prompt_length: 7, day: 2020-01-01}\n"
    ),
    "team/blue.yaml": "# @package _global_\ntrainer: {project_name: blue, logger: [console]}\n",
}


@pytest.fixture
def own(tmp_path: Path) -> str:
    # A folder's name may hold what Hydra's grammar reads as syntax.
    folder = tmp_path / "it's, [odd]"
    for name, text in OWN.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return str(folder)


@pytest.mark.parametrize(
    "words", [[], ["model=mine"], ["data=both", "algo=grpo"], ["+team=blue", "model=mine"]]
)
def test_presets_of_the_users_own(own: str, words: list[str]) -> None:
    places = [own, *PLACES]
    tree = compose_tree(presets.primary_folder(), places, words)
    assert tree.values == hydra_says(words, places)


def test_the_users_preset_of_a_shipped_name_comes_first(own: str) -> None:
    tree = compose_tree(presets.primary_folder(), [own, *PLACES], [])
    assert tree.values["algorithm"]["lam"] == 0.95
    assert tree.written["algorithm.lam"].file == f"{own}/algo/ppo.yaml"
    assert tree.written["algorithm.lam"].line == 2


@pytest.mark.parametrize(
    "text", ["a: [", "- list\n", "# @package _global_\ndefaults: [nowhere]\n", "a: ${b}\n"]
)
def test_a_broken_preset_is_one_message(tmp_path: Path, text: str) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "bad.yaml").write_text(text)
    with pytest.raises(UserError) as caught:
        compose_tree(presets.primary_folder(), [str(tmp_path), *PLACES], ["model=bad"])
    assert "bad" in str(caught.value) or "nowhere" in str(caught.value) or "b" in str(caught.value)
