"""No value can break out of a script, and none is changed by it.

Real bash runs each script with a stub `python3`; what it is given is read by Hydra's own parser and
has to be the value that was asked for, by type and all. Code that a value smuggled in would create
the file `canary`; any file, complaint or second call fails a test (`Ran.launch`).

Many values go into one script, so that thousands are tried in a few seconds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests import shell
from tests.hydra_words import Said, said, typed
from verlgen.cli.main import run
from verlgen.compose.generate import generate
from verlgen.errors import ExitCode, UserError
from verlgen.overrides import OverrideError, dump, dump_value, parse
from verlgen.report.generated import script_text

RELEASE = "verl=0.9.1"

# What has a meaning to bash, to Hydra or to jinja2, alone and as whole attacks.
TOKENS = [
    *"'\"`$\\(){}[]<>|&;!#~*?=+-,.:/@%^ \t\n\r\x01\x7f\x1b\x85\u2028é😀",
    *("a", "1", "e5", "''", '"', '""', "\\'", "\\\\", '\\"', "\\\n", "'\"'\"'", "$'", '$"'),
    *("$HOME", "${HOME}", "${X}", '"${X}"', "${X:-", "${a.b}", "${oc.env:HOME}", "$0", "$@", "$1"),
    *("}", "}}", "{{ x }}", "{% x %}", "{name}", "%s", "\\n", "--", "-n", "-e", "~/", "=(", "EOF"),
    *("null", "true", "1_0", "nan", "[a]", "{a: 1}", "[", "]", "choice(1,2)", "int("),
    *(
        "$(touch canary)",
        "`touch canary`",
        "; touch canary;",
        "\ntouch canary\n",
        "<(touch canary)",
    ),
    *("'; touch canary; '", '"; touch canary; "', "'\ntouch canary\n'", ")\ntouch canary\n("),
    *("}; touch canary; {", "')\"; touch canary; #", "$(\ntouch canary\n)", "|| touch canary"),
    *("\n# ", "# \ntouch canary\n", "\\\ntouch canary", "!!", "a[$(touch canary)]", "{a,b}"),
]
# NUL is in no argument and in no variable of a process.
CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
TEXT = st.one_of(
    st.lists(st.sampled_from(TOKENS), max_size=6).map("".join),
    st.text(CHARACTERS, max_size=8),
    st.lists(st.sampled_from(["\\", "'", "a"]), max_size=8).map("".join),
)
SCALARS = st.one_of(TEXT, TEXT, TEXT, st.integers(), st.floats(), st.booleans(), st.none())
NAMES = st.sampled_from(["a", "b_1", "two words", "x:y", "$HOME", "a,b", "-k"])
VALUES = st.one_of(
    SCALARS,
    st.recursive(
        SCALARS,
        lambda inner: st.one_of(
            st.lists(inner, max_size=3), st.dictionaries(NAMES, inner, max_size=3)
        ),
        max_leaves=6,
    ),
)
LOCALES = st.sampled_from([{}, {"LC_ALL": "C.UTF-8"}])

# Each of these starts processes and composes presets, so few examples of many values.
slow = settings(
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def script_of(words: Sequence[str], folders: Sequence[str] = ()) -> str:
    words = [*words, RELEASE]
    script = script_text(generate(words, preset_folders=folders), words)
    assert shell.syntax_error(script) == ""
    head, marker, _ = script.partition("\nset -euo pipefail\n")
    assert marker
    assert all(line.startswith("#") for line in head.split("\n")), head
    return script


def passed(script: str, env: Mapping[str, str] | None = None) -> dict[str, str]:
    """Returns the words that bash passes, by key, as they are."""
    found = {}
    for word in shell.run(script, env=env).launch().argv[2:]:
        key = word.partition("=")[0]
        assert key not in found, f"{key} is passed twice"
        found[key] = word
    return found


def values(words: Mapping[str, str], keys: Sequence[str]) -> dict[str, Any]:
    """Returns what Hydra reads in the words of some keys."""
    return {key: said(words[key]).value for key in keys}


def wanted(asked: Mapping[str, Any]) -> dict[str, Any]:
    return {key: typed(value) for key, value in asked.items()}


@slow
@given(st.lists(VALUES, min_size=1, max_size=40), LOCALES)
def test_a_users_value(asked: list[Any], locale: dict[str, str]) -> None:
    by_key = {f"+probe.k{number}": value for number, value in enumerate(asked)}
    words = [dump("+", key[1:], value) for key, value in by_key.items()]
    found = passed(script_of(["algo=grpo", *words]), locale)
    assert values(found, list(by_key)) == wanted(by_key)


@st.composite
def raw_words(draw: st.DrawFn) -> list[str]:
    """Words as people type them: whatever of the tokens Hydra's grammar has a place for."""
    words = []
    for number in range(40):
        operator = draw(st.sampled_from(["+", "++"]))
        word = f"{operator}probe.k{number}=" + draw(TEXT)
        try:
            if not parse(word).sweep:
                words.append(word)
        except OverrideError:
            continue
    return words


@slow
@given(raw_words())
def test_a_users_word_goes_through_as_typed(words: list[str]) -> None:
    found = passed(script_of(["algo=grpo", *words]))
    assert [found[word.partition("=")[0]] for word in words] == words


# Keys that the script has as shell variables, under verl's name and under ours.
KNOBS = {
    "model.path": "actor_rollout_ref.model.path",
    "critic.model.path": "critic.model.path",
    "data.train_files": "data.train_files",
    "data.val_files": "data.val_files",
    "trainer.nnodes": "trainer.nnodes",
    "trainer.n_gpus_per_node": "trainer.n_gpus_per_node",
    "trainer.project_name": "trainer.project_name",
    "trainer.experiment_name": "trainer.experiment_name",
}
VARIABLE_COUNTS = ["trainer.nnodes", "trainer.n_gpus_per_node"]
# Text is refused where verl counts, unless verl is to resolve it.
COUNTS = st.sampled_from([8, 16, None, "${oc.env:N}", "${trainer.'}$(touch canary)"])
VARIABLES = {
    "MODEL_PATH": ["actor_rollout_ref.model.path", "critic.model.path"],
    "TRAIN_FILES": ["data.train_files"],
    "VAL_FILES": ["data.val_files"],
    "NNODES": ["trainer.nnodes"],
    "N_GPUS_PER_NODE": ["trainer.n_gpus_per_node"],
    "PROJECT_NAME": ["trainer.project_name"],
    "EXPERIMENT_NAME": ["trainer.experiment_name"],
}


@slow
@given(
    st.fixed_dictionaries(
        {name: COUNTS if KNOBS[name] in VARIABLE_COUNTS else VALUES for name in KNOBS}
    ),
    LOCALES,
)
def test_a_users_value_as_default_of_a_shell_variable(
    asked: dict[str, Any], locale: dict[str, str]
) -> None:
    words = [dump("=", name, value) for name, value in asked.items() if value is not None]
    found = passed(script_of(words), locale)
    expected = {KNOBS[name]: value for name, value in asked.items() if value is not None}
    assert values(found, list(expected)) == wanted(expected)


INTERPOLATIONS = [
    "${x}",
    "${oc.env:NO_SUCH}/a",
    "\\${x}",
    "a\\\\${x}",
    ["${x}"],
    {"a": "${x}"},
    "${",
]


@pytest.mark.parametrize("value", INTERPOLATIONS)
def test_an_interpolation_is_left_to_verl(value: Any) -> None:
    found = passed(script_of([dump("=", name, value) for name in KNOBS]))
    assert values(found, list(KNOBS.values())) == dict.fromkeys(KNOBS.values(), typed(value))


@cache
def standard_script(data: str) -> str:
    return script_of(["algo=ppo", f"data={data}"])


ENVIRONMENT = st.text(CHARACTERS, min_size=1, max_size=8) | TEXT.filter(bool)


@settings(slow, max_examples=200)
@given(
    st.sampled_from(["gsm8k", "gsm8k_math"]),
    st.fixed_dictionaries({}, optional=dict.fromkeys(VARIABLES, ENVIRONMENT)),
    LOCALES,
)
def test_what_the_environment_sets(data: str, env: dict[str, str], locale: dict[str, str]) -> None:
    found = passed(standard_script(data), {**env, **locale})
    for name, text in env.items():
        as_hydra_writes_it = name.startswith("N") or (
            name.endswith("_FILES") and text.startswith("[") and text.endswith("]")
        )
        for key in VARIABLES[name]:
            if as_hydra_writes_it:
                # A number or a list, which Hydra reads: the one word that it is, whatever it holds.
                assert found[key] == f"{key}={text}"
            else:
                assert said(found[key]) == Said("=", key, typed(text))


@pytest.mark.parametrize("name", sorted(VARIABLES))
def test_an_empty_variable_is_as_good_as_none(name: str) -> None:
    script = standard_script("gsm8k")
    assert passed(script, {name: ""}) == passed(script)


@pytest.mark.parametrize("locale", [{}, {"LC_ALL": "C.UTF-8"}])
def test_bytes_that_are_no_utf8_stay_what_they_are(locale: dict[str, str]) -> None:
    odd = b"/a\xff'\xc3\\'\xe2\x82".decode("utf-8", "surrogateescape")
    found = passed(standard_script("gsm8k"), {"EXPERIMENT_NAME": odd, **locale})
    assert said(found["trainer.experiment_name"]).value == typed(odd)


def test_a_word_that_is_no_utf8_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["trainer.experiment_name=\udcff"]) == ExitCode.USAGE
    out, err = capsys.readouterr()
    assert out == ""
    assert "not UTF-8" in err


@settings(slow, max_examples=100)
@given(ENVIRONMENT, LOCALES)
def test_a_home_folder_of_any_name(home: str, locale: dict[str, str]) -> None:
    one, many = (
        passed(standard_script(data), {"HOME": home, **locale}) for data in ("gsm8k", "gsm8k_math")
    )
    gsm8k, math = f"{home}/data/gsm8k/train.parquet", f"{home}/data/math/train.parquet"
    assert said(one["data.train_files"]).value == typed(gsm8k)
    assert said(many["data.train_files"]).value == typed([gsm8k, math])


# Keys of the release that no preset or rule of ours reads, so that any value may stand there.
PLAIN_KEYS = [
    "data.tokenizer",
    "data.prompt_key",
    "data.reward_fn_key",
    "data.image_key",
    "data.video_key",
    "data.custom_cls.path",
    "data.custom_cls.name",
    "trainer.rollout_data_dir",
    "trainer.validation_data_dir",
    "trainer.resume_from_path",
    "trainer.default_hdfs_dir",
    "trainer.default_local_dir",
    "actor_rollout_ref.rollout.prometheus.file",
]
_VARIABLE = re.compile(r"\$[A-Za-z_]\w*", re.ASCII)
PRESET_HOME = "/home/it's \\'$(touch canary)\" [x]/"


def _preset_text(text: str) -> str:
    """A text without what has a meaning in a preset, but for $HOME, which bash is to expand."""
    text = _VARIABLE.sub("$HOME/", text.replace("${", "$ {"))
    return "" if text == "???" else text


PRESET_TEXT = TEXT.map(_preset_text)
PRESET_VALUES = st.recursive(
    st.one_of(PRESET_TEXT, PRESET_TEXT, st.integers(), st.floats(), st.booleans(), st.none()),
    # A mapping at the top of a value would be more keys, so it stands in a list.
    lambda inner: st.lists(
        st.one_of(inner, st.dictionaries(st.sampled_from(["a", "b c"]), inner, max_size=2)),
        max_size=3,
    ),
    max_leaves=5,
)


def expanded(value: Any, home: str) -> Any:
    if isinstance(value, str):
        return value.replace("$HOME", home)
    if isinstance(value, list):
        return [expanded(item, home) for item in value]
    if isinstance(value, dict):
        return {key: expanded(item, home) for key, item in value.items()}
    return value


def nested(flat: Mapping[str, Any]) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    for key, value in flat.items():
        *parents, last = key.split(".")
        node = tree
        for parent in parents:
            node = node.setdefault(parent, {})
        node[last] = value
    return tree


def preset(folder: Path, name: str, flat: Mapping[str, Any]) -> str:
    file = folder / f"{name}.yaml"
    file.parent.mkdir(parents=True, exist_ok=True)
    # Quoted throughout: what YAML makes of a bare 1e5 is not what is tested here.
    text = yaml.safe_dump(nested(flat), default_style='"', width=10**6, sort_keys=False)
    file.write_text("# @package _global_\n" + text, encoding="utf-8")
    return str(folder)


@slow
@given(
    st.fixed_dictionaries(
        dict.fromkeys(PLAIN_KEYS, PRESET_VALUES),
        optional={key: PRESET_VALUES for key in KNOBS.values() if not key.endswith("model.path")},
    ),
    st.lists(PRESET_VALUES, max_size=3),
    LOCALES,
)
def test_a_value_in_a_preset(
    tmp_path_factory: pytest.TempPathFactory,
    asked: dict[str, Any],
    homeless: list[Any],
    locale: dict[str, str],
) -> None:
    folder = tmp_path_factory.mktemp("presets")
    # The release has no such keys, so they end up in a comment.
    left_out = {f"probe.k{number}": value for number, value in enumerate(homeless)}
    files = {"data.train_files": "/a", "data.val_files": "/b"}
    place = preset(folder, "data/odd", {**files, **asked, **left_out})
    script = script_of(["data=odd"], [place])
    found = passed(script, {"HOME": PRESET_HOME, **locale})
    assert values(found, list(asked)) == wanted(
        {key: expanded(value, PRESET_HOME) for key, value in asked.items()}
    )
    assert not [key for key in found if "probe" in key]
    assert all(f"# {key}=" in script for key in left_out)


def test_a_preset_text_in_brackets_is_no_list(tmp_path: Path) -> None:
    files = {"data.train_files": "[$HOME/a,b]", "data.val_files": ["[$HOME]", "c"]}
    found = passed(script_of(["data=odd"], [preset(tmp_path, "data/odd", files)]))
    assert values(found, list(files)) == {
        "data.train_files": typed(f"[{shell.HOME}/a,b]"),
        "data.val_files": typed([f"[{shell.HOME}]", "c"]),
    }


def test_what_bash_doubles_in_double_quotes(tmp_path: Path) -> None:
    files = {
        "data.train_files": ["$HOME/\x01\x7f", "\x7f\x01"],
        "data.val_files": "\x7f$HOME\x01'\x01",
        "data.image_key": [{"a": "$HOME\x7f"}, "\x01\x01"],
    }
    found = passed(script_of(["data=odd"], [preset(tmp_path, "data/odd", files)]))
    asked = {key: typed(expanded(value, shell.HOME)) for key, value in files.items()}
    assert values(found, list(files)) == asked


def test_a_preset_dict_that_no_word_can_hold_is_refused(tmp_path: Path) -> None:
    place = preset(tmp_path, "data/odd", {"trainer.default_local_dir": [{"it's": 1}]})
    with pytest.raises(UserError, match="cannot be a key") as caught:
        script_of(["data=odd", "data.train_files=/a", "data.val_files=/b"], [place])
    assert "odd.yaml:3:" in str(caught.value)


@pytest.mark.parametrize("value", ["a\0b", ["x", "\0"], [{"a": "\0"}]])
def test_nul_in_a_preset_is_refused(tmp_path: Path, value: Any) -> None:
    place = preset(tmp_path, "data/odd", {"trainer.default_local_dir": value})
    with pytest.raises(UserError, match="NUL") as caught:
        script_of(["data=odd", "data.train_files=/a", "data.val_files=/b"], [place])
    assert "odd.yaml:3:" in str(caught.value)


COMMENTS = ["$(touch canary)", "`touch canary`", "a\rtouch canary", "it's \\", "\x85touch canary"]


@pytest.mark.parametrize("comment", COMMENTS)
def test_a_comment_in_a_preset(tmp_path: Path, comment: str) -> None:
    file = tmp_path / "data" / "odd.yaml"
    file.parent.mkdir()
    lines = [
        "# @package _global_",
        "data:",
        f"  train_files: /a # {comment}",
        "  val_files: /b",
        f"  image_key: c # {comment}",
    ]
    file.write_bytes("\n".join(lines).encode())
    try:
        script = script_of(["data=odd"], [str(tmp_path)])
    except UserError:
        return  # some of these end a line in YAML's eyes, and what follows is no YAML
    assert said(passed(script)["data.image_key"]).value == typed("c")


FOLDERS = [
    "it's",
    "\\",
    "\\'",
    "a,b=[c]",
    "two words",
    "$HOME",
    "${x}",
    "$(touch canary)",
    "line\ntouch canary",
    "é😀",
    "#%41?",
    '"',
]


@pytest.mark.parametrize("name", FOLDERS)
def test_a_presets_folder_of_any_name(tmp_path: Path, name: str) -> None:
    place = preset(tmp_path / name, "data/odd", {"data.train_files": "/a", "data.val_files": "/b"})
    words = [f"--presets={place}", "data=odd"]
    script = script_text(generate(words[1:], preset_folders=[place]), words)
    assert said(passed(script)["data.train_files"]).value == typed("/a")
    assert header_command(script) == words


def header_command(script: str) -> list[str]:
    """Returns what bash makes of the command line in a script's header."""
    (line,) = [line for line in script.split("\n") if line.startswith("# verlgen ")]
    command = line.partition(": ")[2]
    # Bash turns \u2028 and the like back into what it was only where the locale is UTF-8.
    ran = shell.run(command, env={"LC_ALL": "C.UTF-8"}, programs=["verlgen"])
    return ran.launch().argv


@slow
@given(st.lists(TEXT, min_size=1, max_size=20))
def test_the_header_names_the_command(texts: list[str]) -> None:
    words = [f"+probe.k{number}={dump_value(text)}" for number, text in enumerate(texts)]
    script = script_of(words)
    assert header_command(script) == [*words, RELEASE]


KEYS = ["$x", "a-b", "a/b@c", "$HOME", "0", "x.y.z", "a.b@c.d"]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("operator", ["+", "++"])
def test_a_key_of_any_name(key: str, operator: str) -> None:
    word = f"{operator}probe_{key}=1"
    assert word in shell.run(script_of([word])).launch().argv
