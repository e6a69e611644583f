from __future__ import annotations

import ast
import json
import os
import re
import warnings
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import wheels
from verlgen.errors import UserError
from verlgen.verl import tables
from verlgen.verl.extract import __main__ as command
from verlgen.verl.extract import adding, classes, configs, published, run, source, store

CHECKED = ["0.4.1", "0.6.1", "0.7.1", "0.9.1"]


@pytest.fixture(autouse=True)
def _data_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERLGEN_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    return wheels.fake_checkout(tmp_path / "it's, a check=out")


@pytest.fixture
def fake(checkout: Path) -> str:
    return adding.add(checkout).release


# --- against the published wheels ---------------------------------------------------------------


def _words(choices: dict[str, str]) -> list[str]:
    return [f"{key}={option}" for key, option in choices.items()]


@pytest.mark.wheels
@pytest.mark.parametrize("release", CHECKED)
def test_every_table_is_what_hydra_composes(release: str) -> None:
    for name in tables.table_names(release):
        table = tables.load(release, f"{name.path}/{name.config}", choices=name.choices)
        full = wheels.composed(
            release, _words(name.choices), config=name.config, path=name.path, hydra=True
        )
        chosen = {
            key: option
            for key, option in full.hydra.runtime.choices.items()
            if not key.startswith("hydra/")
        }
        assert {key: group.chosen for key, group in table.groups.items()} == chosen
        leaves = {
            key: value
            for key, value in wheels.flattened(full).items()
            if not key.startswith("hydra.")
        }
        # As text: 1, 1.0 and True differ, and so does another order.
        assert json.dumps(table.keys) == json.dumps(leaves)


@pytest.mark.wheels
@pytest.mark.parametrize("release", CHECKED)
def test_hydra_accepts_the_group_keys(release: str) -> None:
    table = tables.load(release)
    accepted = [f"{key}={group.chosen}" for key, group in table.groups.items() if group.overridable]
    assert wheels.flattened(wheels.composed(release, accepted)) == table.keys
    for key, group in table.groups.items():
        if not group.overridable:
            from hydra.errors import HydraException

            with pytest.raises(HydraException):
                wheels.composed(release, [f"{key}={group.chosen}"])
            wheels.composed(release, [f"+{group.append}={group.options[-1]}"])


@pytest.mark.wheels
@pytest.mark.parametrize("release", CHECKED)
def test_options_are_those_that_hydra_lists(release: str) -> None:
    from hydra import initialize_config_dir
    from hydra.core.global_hydra import GlobalHydra

    folder = str(wheels.unpacked(release) / "verl/trainer/config")
    for name in ("ppo_trainer", "ppo_megatron_trainer"):
        with initialize_config_dir(config_dir=folder, version_base=None):
            loader = GlobalHydra.instance().config_loader()
            for key, group in tables.load(release, name).groups.items():
                known = loader.get_group_options(os.path.normpath(key.partition("@")[0]))
                assert group.options == sorted(known)


@pytest.mark.wheels
@pytest.mark.parametrize("release", CHECKED)
def test_hydra_sets_every_key_with_equals(release: str) -> None:
    # Interpolations to a node above would be followed; verl has none.
    table = tables.load(release)
    words = [f"{key}=7" for key in table.keys if key != "model_engine"]
    assert set(wheels.flattened(wheels.composed(release, words))) == set(table.keys)


@pytest.mark.wheels
@pytest.mark.parametrize("release", ["0.6.1", "0.9.1"])
@pytest.mark.parametrize(
    "key",
    [
        "trainer.nnodes",
        "trainer.total_training_steps",
        "trainer.logger.0",
        "trainer.total_training_steps.sub",
        "trainer.nnodes.sub",
        "trainer.no_such",
        "no_such",
        "no.such",
        "actor_rollout_ref.model.override_config",
        "actor_rollout_ref.model.override_config.rope",
        "actor_rollout_ref.actor.ppo_infer_max_token_len_per_gpu",
        "actor_rollout_ref.actor.strategy",
    ],
)
def test_the_operator_is_what_hydra_demands(release: str, key: str) -> None:
    from hydra.errors import ConfigCompositionException

    plain = tables.load(release).operator(key) == "="
    if plain:
        wheels.composed(release, [f"{key}=7"])
    else:
        wheels.composed(release, [f"+{key}=7"])
        with pytest.raises(ConfigCompositionException):
            wheels.composed(release, [f"{key}=7"])


@pytest.mark.wheels
@pytest.mark.parametrize("release", ["0.4.1", "0.6.1"])
def test_the_same_wheel_gives_the_same_bytes(release: str) -> None:
    expected = Path(tables.published_path(release)).read_bytes()
    assert published.data_bytes(release) == expected


@pytest.mark.wheels
def test_a_folder_gives_what_its_wheel_gives() -> None:
    content = run.extract_path(wheels.unpacked("0.4.1"))
    first, _, rest = content.partition(b"\n")
    wheel = Path(tables.published_path("0.4.1")).read_bytes().partition(b"\n")
    assert rest == wheel[2]
    theirs, ours = json.loads(first), json.loads(wheel[0])
    assert theirs["kind"] == "folder"
    assert {**theirs, "kind": 0, "sha256": 0} == {**ours, "kind": 0, "sha256": 0}


@pytest.mark.wheels
@pytest.mark.parametrize("release", CHECKED)
def test_no_comment_and_no_docstring_is_copied(release: str) -> None:
    content = Path(tables.published_path(release)).read_text(encoding="utf-8")
    remarks: set[str] = set()
    for path in source.fact_files(wheels.unpacked(release) / "verl"):
        text = path.read_text(encoding="utf-8")
        remarks.update(match.strip() for match in re.findall(r"#\s*(\S.{29,})", text))
        if path.suffix == ".py":
            remarks.update(_docstring_lines(text))
    assert len(remarks) > 500
    assert [remark for remark in remarks if remark in content] == []


def _docstring_lines(text: str) -> list[str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(text)
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    found = [ast.get_docstring(node) or "" for node in ast.walk(tree) if isinstance(node, kinds)]
    return [line.strip() for doc in found for line in doc.splitlines() if len(line.strip()) > 30]


@pytest.mark.wheels
def test_another_wheel_of_the_name_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VERLGEN_WHEELS", str(tmp_path))
    (tmp_path / published.wheels()["0.2"].file).write_bytes(b"something else")
    with pytest.raises(UserError, match="sha256"):
        published.wheel("0.2")


@pytest.mark.wheels
def test_the_developers_command_checks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wheels.wheel("0.2")
    assert command.main(["--check", "--jobs", "1", "0.2"]) == 0
    other = tmp_path / "0.2.jsonl"
    other.write_bytes(b"")
    monkeypatch.setattr(tables, "published_path", lambda release: str(other))
    assert command.main(["--check", "--jobs", "1", "0.2"]) == 1
    assert "0.2: " in capsys.readouterr().out
    assert command.main(["--jobs", "1", "0.2"]) == 0
    assert other.stat().st_size > 20_000
    assert command.main(["0.99"]) == 2


def test_wheels_and_data_files_are_the_same_releases() -> None:
    listed = published.wheels()
    assert list(listed) == tables.published()
    for release in listed:
        assert tables.header(release)["sha256"] == listed[release].sha256
        assert tables.header(release)["release"] == release


# --- a small checkout with every oddity ---------------------------------------------------------


def test_a_checkout_is_named_by_its_version(fake: str) -> None:
    assert fake == "0.10.0.dev"
    assert tables.header(fake)["kind"] == "folder"


def test_values_are_facts_as_written(fake: str) -> None:
    keys = tables.load(fake).keys
    trainer = {
        key.removeprefix("trainer."): value
        for key, value in keys.items()
        if key.startswith("trainer.")
    }
    assert trainer == {
        "nnodes": 1,
        "name": "???",
        "dir": "out/${trainer.nnodes}",
        "half": "${.nnodes}",
        "steps": None,
        "lr": 1e-6,
        "empty": {},
        "nothing": [],
        "stages": [{"a": 1}, {"b": "${trainer.nnodes}"}],
        "odd": {"1": "one", "a.b": "two"},
    }
    assert isinstance(trainer["lr"], float)
    table = tables.load(fake)
    assert table.type_of("trainer.half") == "int"
    assert table.exists("trainer.stages.1.b")
    assert not table.exists("trainer.stages.1.c")
    assert table.exists("trainer.odd.1")


def test_what_does_not_compose_is_recorded_with_the_reason(fake: str, checkout: Path) -> None:
    broken = {
        (name.config, *name.choices.values()): name.problem
        for name in tables.table_names(fake)
        if name.problem
    }
    assert set(broken) == {("ppo_trainer", "lost"), ("late_trainer", "lost"), ("torn",)}
    assert "line 2" in broken[("torn",)]
    assert "lost_actor" in broken["ppo_trainer", "lost"]
    assert str(checkout) not in str(broken)
    with pytest.raises(UserError, match=r"does not compose: .*lost_actor"):
        tables.load(fake, engine="lost")
    with pytest.raises(UserError, match="known: dp, lost, mega"):
        tables.load(fake, engine="what")


def test_configs_on_a_search_path_and_their_engines(fake: str) -> None:
    late = tables.load(fake, "late_trainer", "mega")
    assert late.config_path == "verl/experimental/late/config"
    assert late.keys["late.x"] == 1
    assert late.keys["actor_rollout_ref.actor.lr"] == 0.2
    assert tables.entrypoints(fake)["verl.experimental.late.main"] == (
        "late_trainer",
        "verl/experimental/late/config",
    )


def test_package_directives_are_read_as_hydra_reads_them(fake: str) -> None:
    # A remark in front of the directive hides it from Hydra.
    assert tables.load(fake, engine="mega").keys["model_engine.x"] == "mega"
    files = tables.files(fake)["verl/trainer/config"]
    assert "package" not in files["model_engine/mega"]
    assert files["model_engine/dp"]["package"] == "_global_"


def test_groups_that_are_left_out(fake: str) -> None:
    groups = tables.load(fake).groups
    assert [key for key, group in groups.items() if not group.overridable] == [
        "actor/../optim@actor_rollout_ref.actor.optim"
    ]
    assert groups["actor@actor_rollout_ref.actor"].options == ["dp_actor", "mega_actor"]


def test_dataclass_fields_types_and_defaults(fake: str) -> None:
    table = tables.load(fake)
    actor = "actor_rollout_ref.actor."
    types = {
        key.removeprefix(actor): kind for key, kind in table.types.items() if key.startswith(actor)
    }
    assert types == {
        "lr": "float",
        "inner": "Inner",
        "inner.a": "int",
        "plain": "base.Inner",
        "plain.a": "int",
    }
    owner = "verl.workers.config.actor.DPActorConfig"
    inner = "verl.workers.config.base.Inner"
    plus = {key.removeprefix(actor): field for key, field in table.plus.items() if actor in key}
    assert plus == {
        "base": ("list[int]", [], True, owner, True),
        "mode": ("Literal['a', 'b']", "a", True, owner, True),
        "kinds": ("Optional[Union[int, str]]", None, True, owner, True),
        "more": ("Optional[int]", 2, True, owner, True),
        "table": ("dict[str, Any]", {"k": [1, 2]}, True, owner, True),
        "computed": ("int", None, False, owner, True),
        "needed": ("str", None, False, owner, True),
        "missing": ("str", "???", True, owner, True),
        "inner.b": ("Optional[int]", None, True, inner, True),
        "inner.again": ("Optional[Inner]", None, True, inner, True),
        "plain.b": ("Optional[int]", None, True, inner, False),
        "plain.again": ("Optional[Inner]", None, True, inner, False),
        "absent": ("Optional[Inner]", None, True, owner, True),
        "absent.a": ("int", 1, True, inner, False),
        "absent.b": ("Optional[int]", None, True, inner, False),
        "absent.again": ("Optional[Inner]", None, True, inner, False),
    }


def test_a_target_without_a_class_is_recorded(fake: str) -> None:
    file = tables._file(fake)
    facts = file.line(file.header["classes"])
    assert facts["targets"]["verl.no.Such"] is None
    assert facts["classes"]["verl.workers.config.actor.DPActorConfig"]["bases"] == [
        "verl.workers.config.base.Base",
        "unknown.Mixin",
    ]


def test_no_remark_is_in_the_file(fake: str) -> None:
    content = Path(tables.added_path(fake)).read_text(encoding="utf-8")
    for remark in ("nobody", "how many", "Copyright", "Words of"):
        assert remark not in content


def test_a_wheel_is_read_like_a_folder(checkout: Path, tmp_path: Path) -> None:
    wheel = tmp_path / "verl-0.10.0.dev-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for path in sorted(checkout.rglob("*")):
            archive.write(path, path.relative_to(checkout))
    added = adding.add(wheel, name="from-wheel")
    assert added.release == "from-wheel"
    folder = run.extract_path(checkout).partition(b"\n")[2]
    assert Path(added.path).read_bytes().partition(b"\n")[2] == folder


def test_the_folder_verl_itself_may_be_named(checkout: Path) -> None:
    assert run.extract_path(checkout / "verl") == run.extract_path(checkout)


@pytest.mark.parametrize("kind", ["missing", "no verl", "no wheel", "no version", "no config"])
def test_what_is_no_verl_is_refused(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "thing"
    if kind == "no wheel":
        path.write_text("text")
    elif kind != "missing":
        path.mkdir()
    if kind in ("no version", "no config"):
        (path / "verl/version").mkdir(parents=True)
    if kind == "no config":
        (path / "verl/version/version").write_text("1.0\n")
    with pytest.raises(UserError):
        adding.add(path)
    assert tables.added() == []


@pytest.mark.parametrize("name", ["../x", "a/b", "", ".hidden", "-x", "a b"])
def test_a_name_that_is_no_file_name_is_refused(name: str, checkout: Path) -> None:
    with pytest.raises(UserError, match="cannot name a release"):
        adding.add(checkout, name=name or "\n")


# --- parts --------------------------------------------------------------------------------------

_KEYS = st.dictionaries(
    st.text("abcd", min_size=1, max_size=2),
    st.sampled_from([0, 1, 1.0, True, None, "x", [], {}]),
    max_size=12,
)


@given(_KEYS, _KEYS)
def test_changes_to_a_table_give_the_other_table(
    base: dict[str, Any], keys: dict[str, Any]
) -> None:
    changes = json.loads(json.dumps(store.difference(base, keys)))
    assert json.dumps(tables.apply_changes(dict(base), changes)) == json.dumps(keys)


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        ("int|None", "Optional[int]"),
        ("Union[int, None]", "Optional[int]"),
        ("typing.Optional[typing.List[int]]", "Optional[list[int]]"),
        ("None | int | str", "Optional[Union[int, str]]"),
        ("Optional[int | str]", "Optional[Union[int, str]]"),
        ("Dict[str, Union[int, str]]", "dict[str, Union[int, str]]"),
        ("Literal['a', 'b']", "Literal['a', 'b']"),
        ("Any", "Any"),
    ],
)
def test_annotations_have_one_spelling(annotation: str, expected: str) -> None:
    assert classes.normalised(ast.parse(annotation, mode="eval").body) == expected


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        (["file://verl/trainer/config"], ["verl/trainer/config"]),
        (["pkg://verl.trainer.config"], ["verl/trainer/config"]),
        (["file://./verl/trainer/config/"], ["verl/trainer/config"]),
        (["../../verl/trainer/config"], ["verl/trainer/config"]),
        (["file:///etc", "file://../../..", "structured://a", "pkg://no.such", 3], []),
        ("no list", None),
    ],
)
def test_search_paths_stay_below_the_source(
    entries: object, expected: list[str] | None, tmp_path: Path
) -> None:
    (tmp_path / "verl/trainer/config").mkdir(parents=True)
    values = {"hydra": {"searchpath": entries}}
    assert configs.search_path(tmp_path, "examples/one/config", values) == expected


def test_a_file_appears_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "new" / "x.jsonl"
    store.write(target, b"one")
    monkeypatch.setattr(os, "replace", _fail)
    with pytest.raises(UserError, match="cannot write"):
        store.write(target, b"two")
    assert target.read_bytes() == b"one"
    assert list(target.parent.iterdir()) == [target]


def _fail(*_: object) -> None:
    raise OSError(28, "No space left on device")
