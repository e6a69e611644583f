from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verlgen.catalog import gpus
from verlgen.cli.complete import candidates
from verlgen.cli.complete.key_values import choices
from verlgen.cli.main import COMMANDS
from verlgen.compose import presets
from verlgen.overrides import parse
from verlgen.verl import tables


@pytest.fixture(autouse=True)
def _clean(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERLGEN_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("VERLGEN_PRESETS", raising=False)
    monkeypatch.chdir(tmp_path)


def texts(line: str) -> list[str]:
    return [text for text, _ in candidates(f"verlgen {line}")]


def abouts(line: str) -> dict[str, str]:
    return dict(candidates(f"verlgen {line}"))


# Commands, options, arguments.


def test_first_word() -> None:
    found = abouts("")
    assert [name for name in found if "=" not in name] == list(COMMANDS)
    assert found["schema"] == COMMANDS["schema"].about
    groups = presets.groups(presets.folders())
    assert {f"{group}=" for group in groups} <= set(found)
    assert {"hw.tp=", "model.path=", "verl="} <= set(found)


def test_commands_only_come_first() -> None:
    assert texts("pre") == ["presets"]
    assert "presets" not in texts("algo=grpo pre")
    assert texts("generate ver") == ["verl="]
    assert texts("nonsense ") == []


def test_groups_that_are_chosen_are_not_offered_again_unless_asked_for() -> None:
    assert "algo=" not in texts("algo=grpo ")
    assert "algo=" in texts("algo=grpo alg")


def test_subcommands() -> None:
    assert set(texts("schema ")) == {"list", "show", "add", "remove"}
    assert abouts("presets ")["show"].startswith("Show what one preset sets")
    assert "words" not in texts("completion ")
    assert texts("presets nonsense ") == []


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("--fo", ["--force", "--format"]),
        ("generate --forma", ["--format"]),
        ("--ver", ["--verl", "--version"]),
        ("generate --vers", []),
        ("algo=grpo --ver", ["--verl"]),
        ("--force --fo", ["--format"]),
        ("--presets . --pres", ["--presets"]),
        ("presets --fo", ["--format"]),
        ("presets show --ve", ["--verl"]),
        ("schema --fo", []),
        ("algo=grpo -- --fo", []),
    ],
)
def test_options(line: str, expected: list[str]) -> None:
    assert texts(line) == expected


def test_options_say_what_they_do() -> None:
    assert abouts("--verl")["--verl"] == "The verl release to write for."


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("--format ", ["sh", "yaml", "json"]),
        ("--format y", ["yaml"]),
        ("--format=j", ["--format=json"]),
        ("presets --format ", ["text", "json"]),
        ("-o ", []),
        ("--output=r", []),
        ("-fo ", []),
        ("-orun.sh alg", ["algo=", "algorithm."]),
        ("-fo run.sh recip", ["recipe="]),
        ("--presets ", []),
        ("--nonsense=", []),
        ("--nonsense recip", ["recipe="]),
    ],
)
def test_values_of_options(line: str, expected: list[str]) -> None:
    assert texts(line) == expected


def test_releases_come_newest_first() -> None:
    newest_first = list(reversed(tables.releases()))
    assert texts("--verl ") == newest_first
    assert texts("--verl=") == [f"--verl={name}" for name in newest_first]
    assert texts("verl=") == [f"verl={name}" for name in newest_first]
    assert texts("schema show ") == newest_first
    assert texts("presets show algo/grpo --verl ") == newest_first
    assert abouts("verl=")[f"verl={tables.newest()}"] == "newest"


def test_releases_to_remove_are_those_that_were_added() -> None:
    assert texts("schema remove ") == []
    Path(tables.added_folder()).mkdir(parents=True)
    for name in ("0.9.1.mine", "0.10.0.dev", tables.newest()):
        Path(tables.added_path(name)).touch()  # one that cannot be read goes too
    newest_first = list(reversed(tables.added()))
    assert len(newest_first) == 3
    assert texts("schema remove ") == newest_first
    assert texts("schema remove 0.10") == ["0.10.0.dev"]
    assert texts("schema remove 0.10.0.dev ") == []
    assert texts("schema add --name ") == []
    assert texts("schema add --name=0") == []


def test_presets_show() -> None:
    assert {"algo/", "hw/"} <= set(texts("presets show "))
    assert {"algo/grpo", "algo/ppo"} <= set(texts("presets show algo/"))
    assert "hw/8xH100" in texts("presets show hw/8xH")
    assert texts("presets show nonsense/") == []
    assert texts("presets show algo/grpo ") == []


def test_schema_show_knows_keys_of_the_release_before_it() -> None:
    assert "data.train_batch_size" in texts("schema show 0.9.1 data.tr")
    old = tables.load("0.2")
    assert all(old.exists(key) or key in old.plus for key in texts("schema show 0.2 data."))


# Groups and their options.


def test_options_of_a_group_say_what_they_are() -> None:
    found = abouts("algo=")
    assert found["algo=grpo"].startswith("GRPO: ")
    assert texts("algo=gr") == [name for name in found if name.startswith("algo=gr")]


def test_a_users_own_presets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "mine"
    (folder / "algo").mkdir(parents=True)
    (folder / "algo" / "my_own.yaml").write_text("# Mine\nx: 1\n", encoding="utf-8")
    assert texts("algo=my") == []
    assert abouts(f"--presets {folder} algo=my") == {"algo=my_own": "Mine"}
    assert texts(f"--presets={folder} algo=my") == ["algo=my_own"]
    assert texts("--presets /nowhere algo=my") == []
    (tmp_path / "verlgen.yaml").write_text("presets: mine\nverl: 0.2\n", encoding="utf-8")
    assert texts("algo=my") == ["algo=my_own"]
    assert abouts("presets show algo/my") == {"algo/my_own": "Mine"}
    assert abouts("data.tr") == abouts("verl=0.2 data.tr")


def test_machines() -> None:
    plain = texts("hw=")
    assert {"hw=8xA100", "hw=1xA100", "hw=1x4090", "hw=2x4090", "hw=4xGB200"} <= set(plain)
    every = {f"hw=8x{name}" for name in gpus.table()}
    assert every <= set(texts("hw=8x"))
    assert "hw=8xA100-40G" in texts("hw=8x")
    assert "hw=8xA100-80G" in texts("hw=8xA100-")
    assert "hw=2x8xH100" in texts("hw=2x8xH")
    assert all(text.startswith("hw=2x8xH") for text in texts("hw=2x8xH"))
    assert "hw=8xH100" in texts("hw=8")
    assert "hw=2x16x910C" in texts("hw=2x16")
    assert texts("hw=8xnonsense") == []


@pytest.mark.parametrize("typed", ["", "1", "8x", "2x8x", "4x8xH", "8xA100-", "16x", "8xRTX"])
def test_machines_that_are_offered_exist(typed: str) -> None:
    found = texts(f"hw={typed}")
    assert found
    for text in found:
        gpus.parse(text.removeprefix("hw="))


def test_knobs() -> None:
    assert texts("hw.") == ["hw.tp=", "hw.mem="]
    assert texts("hw.tp=") == ["hw.tp=1", "hw.tp=2", "hw.tp=4", "hw.tp=8"]
    assert texts("model.path=") == []
    assert "model.path=" in texts("model")


# verl's keys.


def test_keys_come_one_segment_at_a_time() -> None:
    table = tables.load(tables.newest())
    below = [f"actor_rollout_ref.{name}" for name in table.children("actor_rollout_ref")]
    assert [text.rstrip(".=") for text in texts("actor_rollout_ref.")] == below
    assert texts("actor") == ["actor_rollout_ref."]
    assert texts("trainer.total_ep") == ["trainer.total_epochs="]
    assert abouts("trainer.total_ep")["trainer.total_epochs="].startswith("int, default ")
    assert abouts("actor")["actor_rollout_ref."].startswith("actor, ")


def test_top_names_of_verls_wait_for_a_letter() -> None:
    assert not any(text.endswith(".") for text in texts("algo=grpo "))
    assert {"trainer.", "transfer_queue."} <= set(texts("tr"))


def test_every_key_can_be_reached() -> None:
    table = tables.load(tables.newest())
    waiting, leaves = [""], set()
    for typed in waiting:
        for text in texts(f"++{typed}" if typed else "++"):
            plain = text.removeprefix("++")
            (waiting.append if text.endswith(".") else leaves.add)(plain)
        if typed.endswith("._"):
            continue
        if any(name == "_target_" for name in table.children(typed.rstrip("."))):
            leaves.update(text.removeprefix("++") for text in texts(f"++{typed}_"))
    ends = {leaf.rstrip("=") for leaf in leaves}
    nodes = {node.rstrip(".") for node in waiting}
    missing = (set(table.keys) | set(table.plus)) - ends - nodes
    assert missing == set()


def test_operators() -> None:
    assert "+data." in texts("+")
    assert texts("++data.train_b") == ["++data.train_batch_size="]
    assert texts("~data.train_b") == ["~data.train_batch_size"]
    assert "~data." in texts("~")
    assert not any(text.startswith("+algo=") for text in texts("+al"))


def test_plus_offers_what_only_a_dataclass_has() -> None:
    table = tables.load(tables.newest())
    assert "actor_rollout_ref.actor.optim.grad_clip" in table.plus
    assert texts("actor_rollout_ref.actor.optim.grad") == []
    for operator in ("+", "++"):
        key = f"{operator}actor_rollout_ref.actor.optim.grad_clip="
        assert texts(f"{operator}actor_rollout_ref.actor.optim.grad") == [key]
    assert texts("~actor_rollout_ref.actor.optim.grad") == []


def test_release_in_force() -> None:
    newest = texts("actor_rollout_ref.actor.")
    for before in (
        "verl=0.5.0 ",
        "--verl 0.5.0 ",
        "--verl=0.5.0 algo=grpo ",
        "--verl 0.5.0 verl=0.9.1 ",
    ):
        old = [text.rstrip(".=") for text in texts(f"{before}actor_rollout_ref.actor.")]
        table = tables.load("0.5.0")
        children = table.children("actor_rollout_ref.actor")
        assert old == [f"actor_rollout_ref.actor.{name}" for name in children if name != "_target_"]
        assert old != newest
    assert texts("verl=77 actor_rollout_ref.actor.") == newest


def test_engine_in_force() -> None:
    assert texts("actor_rollout_ref.actor.megat") == []
    assert texts("model_engine=megatron actor_rollout_ref.actor.megat") == [
        "actor_rollout_ref.actor.megatron."
    ]
    assert texts("model_engine=nonsense actor_rollout_ref.actor.fsdp") == [
        "actor_rollout_ref.actor.fsdp_config."
    ]


# A key by its end.


def test_search() -> None:
    assert texts("train_batch") == ["data.train_batch_size="]
    assert texts("rollout.n")[0] == "actor_rollout_ref.rollout.n="
    assert texts("lr")[:2] == ["actor_rollout_ref.actor.optim.lr=", "critic.optim.lr="]
    assert texts("~train_batch") == ["~data.train_batch_size"]
    assert "+actor_rollout_ref.actor.optim.grad_clip=" in texts("+grad_c")
    assert texts("zzz") == []


def test_search_waits_until_nothing_begins_with_the_word() -> None:
    assert texts("mod") == ["model=", "model.path=", "model_engine="]
    assert texts("z") == []


# Values of verl's keys.


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("data.shuffle=", ["data.shuffle=True", "data.shuffle=False"]),
        ("++data.shuffle=F", ["++data.shuffle=False"]),
        ("trainer.total_epochs=", ["trainer.total_epochs=30"]),
        ("actor_rollout_ref.actor.optim.lr=", ["actor_rollout_ref.actor.optim.lr=1e-6"]),
        ("actor_rollout_ref.rollout.mode=", ["actor_rollout_ref.rollout.mode=async"]),
        ("critic.optim.lr=7", []),
        # null, ??? and lists: the shell's files may be what is meant
        ("actor_rollout_ref.rollout.name=", []),
        ("data.tokenizer=", []),
        ("trainer.logger=", []),
        ("data.nonsense=", []),
        ("nonsense=", []),
        ("=", []),
        ("model_engine=meg", ["model_engine=megatron"]),
        ("critic=meg", ["critic=megatron_critic"]),
        ("actor@", ["actor@actor_rollout_ref.actor="]),
        ("actor@actor_rollout_ref.actor=dp", ["actor@actor_rollout_ref.actor=dp_actor"]),
        ("actor/../optim@actor_rollout_ref.actor.optim=", []),
    ],
)
def test_values(line: str, expected: list[str]) -> None:
    assert texts(f"verl=0.9.1 {line}") == expected


def test_a_default_is_marked() -> None:
    assert abouts("verl=0.9.1 data.shuffle=T")["data.shuffle=True"] == "default"
    assert abouts("verl=0.9.1 model_engine=")["model_engine=dp"] == "default"


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("bool", ["True", "False"]),
        ("Optional[bool]", ["True", "False", "null"]),
        ("Literal['a', 'b-c']", ["a", "b-c"]),
        ('Optional[Literal["a", 1]]', ["a", "1", "null"]),
        ("Literal['a', None]", ["a", "null"]),
        ("Literal['a b']", []),
        ("Optional[str]", []),
    ],
)
def test_choices_of_an_annotation(kind: str, expected: list[str]) -> None:
    assert choices(kind) == expected


@pytest.mark.parametrize("release", tables.published())
def test_whatever_is_offered_as_a_value_parses(release: str) -> None:
    table = tables.load(release)
    for key in list(table.keys)[::7]:
        for text, _ in candidates(f"verlgen verl={release} {key}="):
            assert parse(text).key == key


# The line around the word.


@pytest.mark.parametrize(
    "line",
    [
        "verlgen recip",
        "  A=1 B='x y' verlgen recip",
        "~/bin/verlgen recip",
        "verlgen 'data.prompt_key=a b' recip",
        'verlgen data.x="a\\"b c" recip',
        "verlgen data.x=a\\ b recip",
        "verlgen algo=grpo > 'run it.sh' recip",
        "verlgen algo=grpo 2>log recip",
    ],
)
def test_words_before(line: str) -> None:
    assert [text for text, _ in candidates(line)] == ["recipe="]


@pytest.mark.parametrize(
    "line",
    [
        "",
        " ",
        "verlgen",
        "A=1 verl",
        "verlgen 'recip",
        'verlgen "algo=grpo recip',
        "verlgen 'recip'",
        "verlgen $recip",
        "verlgen recip\\",
        "verlgen algo=grpo > ",
        "verlgen algo=grpo >recip",
        "verlgen algo=grpo 2>> recip",
    ],
)
def test_words_that_are_left_to_the_shell(line: str) -> None:
    assert candidates(line) == []


_PARTS = (
    "algo=",
    "hw=",
    "8x",
    "verl=",
    "data",
    ".",
    "+",
    "~",
    "=",
    "@",
    "-",
    "--format",
    "--verl",
    "'",
    "\\",
    " ",
)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.one_of(st.sampled_from(_PARTS), st.text(max_size=3)), max_size=8).map("".join))
def test_no_line_is_too_strange(line: str) -> None:
    for text, about in candidates(f"verlgen {line}"):
        assert text
        assert not set(text) & set(" \t\n'\"\\$`;&|<>()")
        assert not set(about) & set("\n\t")


def test_a_hostile_line_ends_soon() -> None:
    before = time.perf_counter()
    for line in ("'" + "a\\" * 20_000, '"' * 20_001, "a=" * 20_000, "\\" * 20_001, "1x" * 9_999):
        candidates(f"verlgen {line}")
    assert time.perf_counter() - before < 5
