from __future__ import annotations

import json
from pathlib import Path

import pytest

from verlgen.compose import presets
from verlgen.report import presets as report

PLACES = presets.folders()


def every_preset() -> list[str]:
    return [
        f"{option.group}/{option.name}"
        for group in presets.groups(PLACES)
        for option in presets.options(PLACES, group)
    ]


def test_every_option_is_listed_with_a_line() -> None:
    text = report.listing(PLACES, as_json=False)
    rows = json.loads(report.listing(PLACES, as_json=True))["presets"]
    for row in rows:
        assert row["about"], row
        assert row["about"] in text
    assert {f"{row['group']}/{row['option']}" for row in rows} == set(every_preset())
    defaults = {row["group"]: row["option"] for row in rows if row["default"]}
    assert defaults == {"algo": "ppo", "model": "qwen3-8b", "data": "gsm8k"} | {
        "backend": "fsdp",
        "rollout": "vllm",
    }


@pytest.mark.parametrize("name", every_preset())
def test_a_page_shows_each_value_at_its_line(name: str) -> None:
    document = json.loads(report.page(name, "0.9.1", PLACES, as_json=True))
    lines = Path(presets.presets_dir(), name + ".yaml").read_text().splitlines()
    for row in document["values"]:
        assert row["value"] in lines[row["line"] - 1]
        assert row["preset_key"].rpartition(".")[2] in lines[row["line"] - 1]
    text = report.page(name, None, PLACES, as_json=False)
    assert text.startswith(name)


def test_names_are_those_of_the_release() -> None:
    page = report.page("recipe_algo/deepseek7b-gsm8k-ppo", "0.6.1", PLACES, as_json=False)
    assert "critic.model.fsdp_config.param_offload=false" in page
    page = report.page("recipe/deepseek7b-gsm8k", "0.9.1", PLACES, as_json=False)
    assert "left out: verl 0.9.1 has no place for it" in page


@pytest.mark.parametrize("machines", ["8xA100", "1x4090", "4x8xH100", "8x910B"])
def test_machines_show_what_follows_from_them(machines: str) -> None:
    page = report.page(f"hw/{machines}", None, PLACES, as_json=False)
    assert "actor_rollout_ref.rollout.tensor_model_parallel_size=" in page
    assert "GiB" in page


def test_no_preset_goes_unread_by_the_newest_release_but_what_history_knows() -> None:
    from verlgen.verl import history

    for name in every_preset():
        for row in json.loads(report.page(name, None, PLACES, as_json=True))["values"]:
            if row["key"] is None:
                assert history.dropped(row["preset_key"]), row
