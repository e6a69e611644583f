from __future__ import annotations

from pathlib import Path

import pytest

from verlgen.errors import UserError
from verlgen.verl import choose, tables


def test_the_strongest_that_names_one_wins() -> None:
    chosen = choose.choose(wanted=[(None, "a"), ("0.6.1", "b"), ("0.7.1", "c")], searched=())
    assert chosen == ("0.6.1", "b")


def test_a_leading_v_is_how_git_tags_it() -> None:
    assert choose.choose(wanted=[("v0.6.1", "x")]).release == "0.6.1"


def test_an_installed_verl(tmp_path: Path) -> None:
    (tmp_path / "verl-0.7.1.dist-info").mkdir()
    assert choose.choose(wanted=[], searched=[str(tmp_path)]) == ("0.7.1", "installed here")


def test_an_installed_verl_that_is_not_known_does_not_count(tmp_path: Path) -> None:
    (tmp_path / "verl-99.0.dist-info").mkdir()
    assert choose.choose(wanted=[], searched=[str(tmp_path)]).release == tables.newest()


def test_the_newest_that_accepts() -> None:
    chosen = choose.choose(wanted=[], accepts=lambda name: name < "0.7", searched=())
    assert chosen.release == "0.6.1"
    assert choose.choose(wanted=[], accepts=lambda name: False, searched=()).reason == "newest"


def test_a_release_that_does_not_exist() -> None:
    with pytest.raises(UserError, match=r"no verl release '0\.9\.2'") as caught:
        choose.choose(wanted=[("0.9.2", "verl=0.9.2")])
    assert "0.9.1" in str(caught.value.remedy)


def test_project_file_is_found_up_to_the_git_root(tmp_path: Path) -> None:
    (tmp_path / "verlgen.yaml").write_text("verl: 0.10\n")
    inner = tmp_path / "repo" / "scripts"
    inner.mkdir(parents=True)
    assert choose.project_file(str(inner)) == str(tmp_path / "verlgen.yaml")
    (tmp_path / "repo" / ".git").mkdir()
    assert choose.project_file(str(inner)) is None


def test_a_release_in_the_project_file_is_text(tmp_path: Path) -> None:
    file = tmp_path / "verlgen.yaml"
    file.write_text("verl: 0.10\n")
    assert choose.project_settings(str(file)) == {"verl": "0.10"}


@pytest.mark.parametrize("text", ["verl: [", "- a", "verrl: 1", "\x00"])
def test_a_broken_project_file(tmp_path: Path, text: str) -> None:
    file = tmp_path / "verlgen.yaml"
    file.write_text(text)
    with pytest.raises(UserError) as caught:
        choose.project_settings(str(file))
    assert str(file) in str(caught.value)
