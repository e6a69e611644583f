"""Our parser and writer of override words against Hydra's own."""

from __future__ import annotations

import json
import math
import subprocess
import sys
import warnings
from typing import Any

import pytest
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import ChoiceSweep, Glob, Override, OverrideType, Sweep
from hypothesis import given, settings
from hypothesis import strategies as st

from verlgen.launch import Operator
from verlgen.overrides import (
    OverrideError,
    ParsedOverride,
    Value,
    dump,
    dump_value,
    parse,
    parse_value,
)

HYDRA = OverridesParser.create()
OPERATORS = {
    OverrideType.CHANGE: "=",
    OverrideType.ADD: "+",
    OverrideType.FORCE_ADD: "++",
    OverrideType.DEL: "~",
}
REFUSED = "refused"


def typed(value: Any) -> Any:
    """A value whose equality tells True from 1, 1 from 1.0, and knows nan and -0.0."""
    if isinstance(value, list):
        return ["list", *map(typed, value)]
    if isinstance(value, dict):
        return ["dict", *((typed(key), typed(item)) for key, item in value.items())]
    return (type(value).__name__, repr(value))


def holds_a_sweep(value: Any) -> bool:
    if isinstance(value, list):
        return any(map(holds_a_sweep, value))
    if isinstance(value, dict):
        return any(map(holds_a_sweep, value.values()))
    return isinstance(value, (Sweep, Glob))


def hydra_says(word: str) -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parsed = HYDRA.parse_override(word)
    except Exception:
        return REFUSED
    text = word.partition("=")[2] if "=" in word else None
    value: Any = parsed.value()
    sweep = parsed.is_sweep_override()
    if isinstance(value, ChoiceSweep) and not value.shuffle:
        value = [Override._convert_value(point) for point in value.list]
    elif sweep:
        value = text
    if holds_a_sweep(value):
        return REFUSED
    operator = OPERATORS[parsed.type]
    return (operator, parsed.key_or_group, parsed.package, typed(value), text, sweep)


def we_say(word: str) -> Any:
    try:
        parsed = parse(word)
    except OverrideError as error:
        refusal = error
    else:
        return parsed._replace(value=typed(parsed.value))
    assert refusal.word == word
    assert 1 <= (refusal.column or 0) <= len(word) + 1
    return REFUSED


def same(word: str) -> None:
    assert we_say(word) == hydra_says(word)


# What a reader can learn the grammar from. Only the value is given for `key=…`.
VALUES: list[tuple[str, Value]] = [
    ("", ""),
    ("null", None),
    ("NULL", None),
    ("True", True),
    ("false", False),
    ("10", 10),
    ("+3", 3),
    ("1_000", 1000),
    ("1__000", "1__000"),
    ("007", "007"),
    ("1e-6", 1e-6),
    (".5", 0.5),
    ("1.", 1.0),
    ("-inf", -math.inf),
    ("nan", math.nan),
    ("1.5x", "1.5x"),
    ("two words ", "two words"),
    ("s3://bucket/a-b?c=", REFUSED),
    ("s3://bucket/a-b?c", "s3://bucket/a-b?c"),
    ("a : b", "a : b"),
    ("a: ", "a: "),
    (r"a\,b\=c\ ", "a,b=c "),
    (r"C:\dir\file", r"C:\dir\file"),
    (r"two\\", "two\\"),
    ("$HOME", "$HOME"),
    ("${a.b}", "${a.b}"),
    ("x_${oc.env:X,a b}.y", "x_${oc.env:X,a b}.y"),
    ("${a.${b}}", REFUSED),
    ("'${a.${b}}'", "${a.${b}}"),
    ("'1'", "1"),
    ('"it\'s"', "it's"),
    (r"'it\'s'", "it's"),
    (r"'back\slash'", r"back\slash"),
    (r"'end\\'", "end\\"),
    ("'é, 😀 and \x00'", "é, 😀 and \x00"),
    ("é", REFUSED),
    ("a#b", REFUSED),
    ("a=b", REFUSED),
    ("it's", REFUSED),
    ("'a' ", REFUSED),
    ("[]", []),
    ('["console", "wandb"]', ["console", "wandb"]),
    ("[ a b , 1 ]", ["a b", 1]),
    ("[[1,[]],{}]", [[1, []], {}]),
    ("[1,]", REFUSED),
    ("{a: 1, b c: x:y}", {"a": 1, "b c": "x:y"}),
    ("{2:a,true:b,null:c,1.5:d}", {2: "a", True: "b", None: "c", 1.5: "d"}),
    (r"{a\:b\ :1}", {"a:b ": 1}),
    ("{'a':1}", REFUSED),
    ("{${a}:1}", REFUSED),
    ("int('3')", 3),
    ("[str(4),float(1)]", ["4", 1.0]),
    ("nofunction(1)", REFUSED),
]


@pytest.mark.parametrize(("text", "value"), VALUES)
def test_a_value_by_example(text: str, value: Value) -> None:
    same(f"key={text}")
    if value is REFUSED:
        with pytest.raises(OverrideError):
            parse_value(text)
    else:
        assert typed(parse_value(text)) == typed(value)


WORDS: list[tuple[str, tuple[Any, ...]]] = [
    ("a.b=1", ("=", "a.b", None, 1, "1", False)),
    ("+a=x", ("+", "a", None, "x", "x", False)),
    ("++a= x ", ("++", "a", None, "x", " x ", False)),
    ("~a", ("~", "a", None, None, None, False)),
    ("~a=", ("~", "a", None, "", "", False)),
    ("~a=null", ("~", "a", None, None, "null", False)),
    ("db/engine@src.x=mysql", ("=", "db/engine", "src.x", "mysql", "mysql", False)),
    ("~db@x", ("~", "db", "x", None, None, False)),
    ("db@=x", ("=", "db", "", "x", "x", False)),
    ("=x", ("=", "", None, "x", "x", False)),
    ("layers.0.$x-y=1", ("=", "layers.0.$x-y", None, 1, "1", False)),
    ("a=1,[2],b c", ("=", "a", None, [1, [2], "b c"], "1,[2],b c", True)),
    ("a=choice(1,2)", ("=", "a", None, [1, 2], "choice(1,2)", True)),
    ("a=range(1,3)", ("=", "a", None, "range(1,3)", "range(1,3)", True)),
    ("a=glob(*)", ("=", "a", None, "glob(*)", "glob(*)", True)),
]


@pytest.mark.parametrize(("word", "parts"), WORDS)
def test_a_word_by_example(word: str, parts: tuple[Any, ...]) -> None:
    same(word)
    assert parse(word) == ParsedOverride(*parts)


TOKENS = [
    *"ab10_-.eE+{}[],:=() \t\\'\"/$*%@?|~!#\n\x00é😀\u0660",
    *("${", "${a.b}", "\\\\", "\\,", "\\ ", "\\'", "inf", "nan", "null", "true"),
    *("1_0", "1e5", ".5", "'x'", '"y"', "[a,b]", "{a:1}", "k=", "a.b="),
    *("int(", "choice(", " , ", " : "),
]
NASTY = st.lists(st.sampled_from(TOKENS), max_size=9).map("".join)
QUOTED = st.builds(
    lambda mark, inner: mark + "".join(inner) + mark,
    st.sampled_from("'\""),
    st.lists(st.sampled_from(["'", '"', "\\", "a", " ", "\\\\", "\\'", '\\"', "é"]), max_size=8),
)
NAME = st.sampled_from(["a", "b1", "A-b", "_", "$", "$x", "0", "10", "1_0", "01", "-c", "1b"])
KEY = st.builds(
    lambda parts, mark, package: mark.join(parts) + package,
    st.lists(NAME, min_size=1, max_size=3),
    st.sampled_from("./"),
    st.one_of(st.just(""), NAME.map("@".__add__), NAME.map("@a.".__add__), st.just("@x:y")),
)
BLANK = st.sampled_from(["", "", " ", "\t "])


def _list(items: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(
        lambda blank, parts, comma: "[" + blank + comma.join(parts) + blank + "]",
        BLANK,
        st.lists(items, max_size=3),
        st.sampled_from([",", " , "]),
    )


def _dict(items: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    names = ["a", "a b", "1", "1.5", "null", "-x", "\\:k", "k\\ ", "$", "'q'", "${a}"]
    key = st.sampled_from(names)
    pair = st.builds("{}{}{}".format, key, st.sampled_from([":", " : "]), items)
    return st.builds(
        lambda blank, parts: "{" + blank + ",".join(parts) + blank + "}",
        BLANK,
        st.lists(pair, max_size=3),
    )


SCALAR = st.one_of(
    st.sampled_from([text for text, value in VALUES if not isinstance(value, (list, dict))]),
    st.from_regex(r"[+-]?[0-9_]{0,4}\.?[0-9_]{0,4}([eE][+-]?[0-9_]{1,3})?", fullmatch=True),
    QUOTED,
    NASTY,
)
ELEMENT = st.recursive(SCALAR, lambda items: st.one_of(_list(items), _dict(items)), max_leaves=6)
STRUCTURED = st.builds(
    lambda operator, key, equals, values: operator + key + equals + ",".join(values),
    st.sampled_from(["", "+", "++", "~", "+++"]),
    KEY,
    st.sampled_from(["=", "=", "=", "= ", " =", ""]),
    st.lists(ELEMENT, min_size=1, max_size=2),
)
REAL = [
    "actor_rollout_ref.actor.optim.lr=1e-6",
    "algorithm.adv_estimator=grpo",
    "trainer.logger=['console','wandb']",
    'trainer.logger=["console", "swanlab"]',
    "data.train_files=[/root/data/gsm8k/train.parquet,/root/data/math/train.parquet]",
    "+actor_rollout_ref.rollout.engine_kwargs.vllm.disable_mm_preprocessor_cache=True",
    "++actor_rollout_ref.model.override_config={rope_scaling:{type: yarn, factor: 4.0}}",
    "trainer.default_local_dir=checkpoints/${trainer.project_name}/${oc.env:RUN,a b}",
    "~actor_rollout_ref.rollout.limit_images=null",
    "model@actor_rollout_ref.model=hf_model",
    "data.custom_cls.path='pkg://verl, it\\'s'",
]


@st.composite
def mutated(draw: st.DrawFn) -> str:
    word = draw(st.sampled_from(REAL))
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, len(word)))
        end = draw(st.integers(start, min(start + 2, len(word))))
        word = word[:start] + draw(st.sampled_from(["", *TOKENS])) + word[end:]
    return word


many = settings(max_examples=1000, deadline=None, database=None)


# `shuffle` gives another answer each time.
@many
@given(NASTY.filter(lambda word: "shuffle" not in word))
def test_any_text_is_what_hydra_says(word: str) -> None:
    same(word)
    same(f"k={word}")


@many
@given(QUOTED)
def test_a_quoted_text_is_what_hydra_says(text: str) -> None:
    same(f"k={text}")
    same(f"k=[{text}, {text}]")


@many
@given(STRUCTURED)
def test_a_structured_word_is_what_hydra_says(word: str) -> None:
    same(word)


@many
@given(mutated())
def test_a_damaged_real_word_is_what_hydra_says(word: str) -> None:
    same(word)


@settings(max_examples=500, deadline=None, database=None)
@given(st.one_of(NASTY, ELEMENT))
def test_a_value_alone_is_what_hydra_says(text: str) -> None:
    whole = hydra_says(f"_={text}")
    try:
        ours = typed(parse_value(text))
    except OverrideError:
        ours = REFUSED
    assert ours == (REFUSED if whole == REFUSED or whole[5] else whole[3])


def test_depth_and_length_are_bounded() -> None:
    assert parse_value("[" * 60 + "]" * 60) == parse("a=" + "[" * 60 + "]" * 60).value
    hostile = ["[" * 300, "[" * 100_000, "[{a:f(" * 9_000, "9" * 100_000, "'\\" * 100_000]
    for word in map("a=".__add__, hostile):
        with pytest.raises(OverrideError):
            parse(word)


TEXT = st.one_of(
    st.text(max_size=6),
    NASTY,
    QUOTED,
    st.sampled_from([text for text, _ in VALUES]),
)
LEAF = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), TEXT)
ANY_VALUE = st.recursive(
    LEAF,
    lambda items: st.one_of(st.lists(items, max_size=4), st.dictionaries(LEAF, items, max_size=3)),
    max_leaves=8,
)


def has_unwritable_key(value: Value) -> bool:
    if isinstance(value, list):
        return any(map(has_unwritable_key, value))
    if isinstance(value, dict):
        return any(map(is_unwritable, value)) or any(map(has_unwritable_key, value.values()))
    return False


def is_unwritable(key: Value) -> bool:
    """Ask Hydra whether any escaping makes a key of this."""
    if not isinstance(key, str):
        return False
    escaped = "".join("\\" + char if char in "\\()[]{}:=, \t" else char for char in key)
    answer = hydra_says(f"k={{{escaped}:1}}")
    return bool(answer == REFUSED or answer[3] != typed({key: 1}))


@many
@given(ANY_VALUE)
def test_what_is_written_hydra_reads_back(value: Value) -> None:
    try:
        text = dump_value(value)
    except OverrideError:
        assert has_unwritable_key(value)
        return
    assert not has_unwritable_key(value)
    assert text == dump_value(value)
    answer = hydra_says(f"k={text}")
    assert answer != REFUSED
    assert answer[3] == typed(value)
    assert not answer[5]
    assert typed(parse_value(text)) == typed(value)


@many
@given(st.text(alphabet="'\"\\ a,${}", max_size=12))
def test_any_text_can_be_written(text: str) -> None:
    assert hydra_says(f"k=[{dump_value(text)}]")[3] == typed([text])


WRITTEN: list[tuple[Value, str]] = [
    (None, "null"),
    (True, "True"),
    (1e-6, "1e-6"),
    (1e-05, "1e-5"),
    (1.5e-10, "1.5e-10"),
    (0.4, "0.4"),
    (1e16, "1e16"),
    (-math.inf, "-inf"),
    ("", "''"),
    ("grpo", "grpo"),
    ("1", "'1'"),
    ("True", "'True'"),
    ("1e-6", "'1e-6'"),
    ("a b", "a b"),
    (" a", "' a'"),
    ("a,b", "'a,b'"),
    ("it's", '"it\'s"'),
    ("'\"", "'\\'\"'"),
    ("é", "'é'"),
    ("end\\", "'end\\\\'"),
    ("/data/x-y.parquet", "/data/x-y.parquet"),
    ("${a.b}/x", "${a.b}/x"),
    ("${a.${b}}", "'${a.${b}}'"),
    (["console", "wandb"], "[console,wandb]"),
    (["", ["x=y"], {}], "['',['x=y'],{}]"),
    ({"a b": 1, "c:d ": None, 1: "1"}, "{a b:1,c\\:d\\ :null,1:'1'}"),
]


@pytest.mark.parametrize(("value", "text"), WRITTEN)
def test_a_value_is_written_as_people_do(value: Value, text: str) -> None:
    assert dump_value(value) == text


@pytest.mark.parametrize("key", ["", "1", "null", "é", "it's", "a#"])
def test_a_dict_key_that_hydra_cannot_hold_is_refused(key: str) -> None:
    with pytest.raises(OverrideError, match="cannot be a key of a dict") as caught:
        dump_value({key: 1})
    assert caught.value.remedy


def test_a_whole_word_is_written() -> None:
    assert dump("=", "a.b", 1e-6) == "a.b=1e-6"
    assert dump("+", "db@x", "mysql") == "+db@x=mysql"
    assert dump("++", "a", None) == "++a=null"
    assert dump("~", "a") == "~a"
    assert dump("~", "a", None) == "~a=null"


@pytest.mark.parametrize(
    ("operator", "key", "value"), [("=", "a b", [1]), ("=", "a=b", [1]), ("+", "a", [])]
)
def test_a_word_that_hydra_could_not_read_is_refused(
    operator: Operator, key: str, value: list[Value]
) -> None:
    with pytest.raises(OverrideError):
        dump(operator, key, *value)


# The word, the column, a part of what is wrong, a part of the remedy.
MISTAKES = [
    ("trainer.nnodes", 15, "equals sign is missing", "trainer.nnodes=value"),
    ("lr = 1", 3, "a blank after the key", "write lr=1"),
    ("--lr=1", 1, "dash", "write lr=1"),
    ("a[0]=1", 2, "bracket", "write a.0=1"),
    ("a..b=1", 3, "empty", "extra dot"),
    ("a.01=1", 3, "'01'", "leading zeros"),
    (" lr=1", 1, "a blank before the key", "write lr=1"),
    ("a b=1", 2, "a key cannot hold a blank", None),
    ("a!=1", 2, "'!'", "letters"),
    ("+++a=1", 1, "no operator", "++key"),
    ("m@a:b=x", 4, "version 1.1", "m@b=x"),
    ("m@a/b=x", 4, "dots", "m@a.b=x"),
    ("m@a@b=x", 4, "second package", "group@package"),
    ("a/b.c=1", 4, "config group", "slashes"),
    ("a='x", 3, "quote ' is never closed", "add '"),
    ("a=it's", 5, "quote ' inside", 'a="it\'s"'),
    ("a='it's'", 7, "follows the closing '", "\\'"),
    ("a=[1,[2]", 3, "bracket [ is never closed", "add ]"),
    ("a={b:1", 3, "bracket { is never closed", "add }"),
    ("a=[1]]", 6, "bracket ] closes nothing", "a='[1]]'"),
    ("a=[1,]", 6, "after the comma", "take it out"),
    ("a=[,1]", 4, "before the comma", "take it out"),
    ("a=1,", 5, "after the comma", "take it out"),
    ("a=,1", 3, "before the comma", "quote"),
    ("a={b}", 5, "no colon", "{key:value"),
    ("a={b=1}", 5, "no colon", "{key:value"),
    ("a={:1}", 4, "before the colon", "take it out"),
    ("a={b:}", 6, "after the colon", "''"),
    ("a={'b':1}", 4, "cannot be quoted", "b:"),
    ("a={${b}:1}", 4, "interpolation", "as one text"),
    ("a=b=c", 4, "second equals sign", "a='b=c'"),
    ("a=x[1]", 4, "'['", "a='x[1]'"),
    ("a=[1] x", 7, "follows the closing ]", "a='[1] x'"),
    ("a=${b.${c}}", 11, "closes nothing", "a='${b.${c}}'"),
    ("a=${}", 3, "empty", "a='${}'"),
    ("a=${b", 3, "never closed", "a='${b'"),
    ("a=f(x)", 4, "unknown function 'f'", "a='f(x)'"),
    ("a=(x)", 3, "functions", "a='(x)'"),
    ("a=naïve", 5, "'ï' must be quoted", "a='naïve'"),
    ("a=[choice(1,2)]", 10, "sweep cannot stand inside", "[1],[2]"),
]


@pytest.mark.parametrize(("word", "column", "what", "remedy"), MISTAKES)
def test_a_mistake_is_explained(word: str, column: int, what: str, remedy: str | None) -> None:
    assert hydra_says(word) == REFUSED
    with pytest.raises(OverrideError) as caught:
        parse(word)
    error = caught.value
    assert error.where == f"{word} (column {column})"
    assert error.column == column
    assert what in error.what
    assert error.what[0].islower() or not error.what[0].isalpha()
    assert not error.what.endswith(".")
    assert (remedy is None) == (error.remedy is None)
    assert remedy is None or remedy in str(error.remedy)


def test_one_value_is_not_a_sweep() -> None:
    with pytest.raises(OverrideError, match="sweep") as caught:
        parse_value("[1,2] , 3")
    assert caught.value.column == 7
    assert "[[1,2] , 3]" in str(caught.value.remedy)
    with pytest.raises(OverrideError, match="sweep"):
        parse_value("range(1,3)")


def test_a_long_or_odd_word_is_shown_on_one_short_line() -> None:
    for word in ("a=\n" + "x" * 1000, "9" * 1000 + "=1", "a=['" + "\\" * 100_000 + "' #]"):
        with pytest.raises(OverrideError) as caught:
            parse(word)
        assert "\n" not in str(caught.value.where)
        assert len(str(caught.value)) < 500


def test_ordinary_words_do_not_import_hydra() -> None:
    words = [*REAL, *(word for word, parts in WORDS if "(" not in word)]
    words += [f"k={text}" for text, value in VALUES if value is not REFUSED and "(" not in text]
    code = (
        "import json, sys\n"
        "from verlgen.overrides import dump_value, parse\n"
        "for word in json.load(sys.stdin): dump_value(parse(word).value)\n"
        "print(json.dumps([name.partition('.')[0] for name in sys.modules]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=json.dumps(words),
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = json.loads(done.stdout)
    assert {"hydra", "omegaconf", "antlr4", "yaml"}.isdisjoint(loaded)
    assert "verlgen" in loaded
