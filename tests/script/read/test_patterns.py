import itertools
import time

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.script.read.referee import ask, differences, known_share, tried, words
from verlgen.script.read.doubt import Unknown
from verlgen.script.read.patterns import (
    escaped,
    has_glob,
    matches,
    occurrences,
    prefix_length,
    suffix_start,
)
from verlgen.script.read.symbols import Symbols

batches = settings(
    max_examples=4,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)

PATTERNS = [
    *[
        "",
        "*",
        "**",
        "?",
        "??*",
        "a",
        "abc",
        "a*c",
        "*.sh",
        "*/",
        "/*",
        "[abc]",
        "[!abc]",
        "[^abc]",
    ],
    *["[a-c]*", "[]]", "[!]]", "[]a-]", "[a", "[a-", "a[", "[[:digit:]]*", "[[:upper:][:digit:]]"],
    *["[![:space:]]", "[[:foo:]a]", "\\*", "a\\", "[\\]a]", "[a\\-c]", "[z-a]", "[--a]", "[a-]"],
    *["@(a|b)", "*(a|b)c", "+([0-9])", "?(a)b", "!(a)", "!(a*|b)", "*.!(sh|py)", "@(a|@(b|c))x"],
    *[
        "!(!(a))",
        "*(!(a))",
        "+(a|ab)",
        "*(*(a))b",
        "@()",
        "@(|a)",
        "*(?)",
        "a!(*)",
        "!(?)",
        "*([)])",
    ],
    *[
        "[[.a.]]",
        "[[=a=]]",
        "é*",
        "?é",
        "[[:alpha:]]*",
        "*\n*",
        "a|b",
        "(a)",
        "{a,b}",
        "~",
        "-*",
        "+",
    ],
    *["*[0-9]B*", "*-[0-9]*[bB]", "Qwen*([^/])", "*[_-]", "&", "[!!]", "[^^]", "[!a-]"],
]
TEXTS = [
    *[
        "",
        "a",
        "b",
        "c",
        "ab",
        "abc",
        "aab",
        "abab",
        "ababc",
        "a.sh",
        "b.py",
        "run.sh",
        "/a/b",
        "a/b/",
    ],
    *[
        "]",
        "[",
        "[a",
        "-",
        "\\",
        "*",
        "a*",
        "A1",
        "12",
        "1a",
        " ",
        "é",
        "aé",
        "a\nb",
        "a|b",
        "(a)",
        "!",
    ],
    *["Qwen2.5-7B", "Qwen/Qwen2.5-7B-Instruct", "bax", "ax", "{a,b}", "+", "&", "^", "a-", "ccc"],
]


def shell(pattern: str, text: str) -> str:
    return f"""p={words([pattern])} t={words([text])}
[[ $t == $p ]]; printf '%s\\1' $? "${{t#$p}}" "${{t##$p}}" "${{t%$p}}" "${{t%%$p}}" \\
"${{t/$p/<&>}}" "${{t//$p/<&>}}" "${{t/#$p/<&>}}" "${{t/%$p/<&>}}" """


def answers(pattern: str, text: str, extglob: bool = True) -> list[str | Unknown]:
    def cut_head(longest: bool) -> str:
        return text[prefix_length(pattern, text, longest, extglob=extglob) or 0 :]

    def cut_tail(longest: bool) -> str:
        return text[: suffix_start(pattern, text, longest, extglob=extglob)]

    def replace(how: str) -> str:
        return replaced(text, occurrences(pattern, text, how, extglob=extglob))

    return [
        tried(lambda: str(int(not matches(pattern, text)))),
        *(tried(lambda longest=longest: cut_head(longest)) for longest in (False, True)),
        *(tried(lambda longest=longest: cut_tail(longest)) for longest in (False, True)),
        *(tried(lambda how=how: replace(how)) for how in ("/", "//", "/#", "/%")),
    ]


def replaced(text: str, spans: list[tuple[int, int]]) -> str:
    result, end = "", 0
    for start, stop in spans:
        result += f"{text[end:start]}<{text[start:stop]}>"
        end = stop
    return result + text[end:]


HOWS = ["==", "#", "##", "%", "%%", "/", "//", "/#", "/%"]


def compare(cases: list[tuple[str, str]], extglob: bool = True) -> float:
    ours = [part for case in cases for part in answers(*case, extglob=extglob)]
    setup = f"shopt -{'s' if extglob else 'u'} extglob"
    found = ask([shell(*case) for case in cases], setup, subshells=False)
    theirs = [part for answer in found for part in split_answer(answer)]
    labels = [(how, *case) for case in cases for how in HOWS]
    assert differences(labels, ours, theirs) == []
    return known_share(ours)


def split_answer(answer: str) -> list[str]:
    parts = answer.split("\1")
    assert len(parts) == len(HOWS) + 1
    return parts[:-1]


def test_table_against_bash():
    assert compare(list(itertools.product(PATTERNS, TEXTS))) > 0.93


def test_without_extended_patterns():
    simple = [p for p in PATTERNS if "(" not in p or p == "(a)"]
    assert compare(list(itertools.product(simple, TEXTS[::2])), extglob=False) > 0.95
    assert prefix_length("?(a)", "x(a)b", False, extglob=False) == 4
    assert prefix_length("?(a)", "ab", True) == 1


pieces = st.sampled_from(
    [
        *["a", "b", "c", "*", "?", "[ab]", "[!a]", "[a-b]", "\\*", "\\a", ".", "-", "]", "["],
        *["[[:digit:]]", "*(", "+(", "?(", "@(", "!(", "|", ")", "(", "1", "[]b]", "!", "^", "\\"],
    ]
)
groups = st.recursive(
    st.lists(pieces.filter(lambda p: "(" not in p and p not in ("[", "\\", ")")), max_size=3).map(
        "".join
    ),
    lambda inner: st.builds(
        lambda kind, parts, tail: f"{kind}({'|'.join(parts)}){tail}",
        st.sampled_from("*+?@!"),
        st.lists(inner, min_size=1, max_size=3),
        inner,
    ),
    max_leaves=3,
)
small_texts = st.text("abc1.-*[]!", max_size=5)


@batches
@given(st.lists(st.tuples(groups, small_texts), min_size=150, max_size=200))
def test_made_extended_patterns_against_bash(cases):
    assert compare(cases) > 0.7


@batches
@given(
    st.lists(
        st.tuples(st.lists(pieces, max_size=5).map("".join), small_texts),
        min_size=150,
        max_size=200,
    )
)
def test_made_odd_patterns_against_bash(cases):
    compare(cases)


@given(st.text(max_size=12))
def test_escaped_text_matches_itself(text):
    assert matches(escaped(text), text) or max(text) >= "\udc80"


@settings(max_examples=300)
@given(st.text("ab*?[]!(|)@+\\:^-\U00100000", max_size=20), st.text("ab\U00100000", max_size=12))
def test_nothing_but_unknown_is_raised(pattern, text):
    answers(pattern, text)


# --- symbols ----------------------------------------------------------------------------------


@pytest.fixture
def symbols():
    return Symbols()


def test_what_symbols_leave_known(symbols):
    home = symbols.new("$HOME", plain=True)
    date = symbols.new("$(date)")
    plain = symbols.is_plain
    assert prefix_length("*/", f"{home}/models/x", True) == 9
    assert prefix_length("*/", f"{date}/x", True) == 2
    assert suffix_start("/*", f"{home}/models/x", False) == 8
    assert suffix_start(".sh", f"{date}.sh", False) == 1
    assert suffix_start(".py", f"{date}.sh", False) is None
    assert occurrences(" ", f"{home} a", "//", plain=plain) == [(1, 2)]
    assert prefix_length(f"\\{home}/", f"{home}/m", True) == 2
    assert suffix_start(f"\\{date}", f"a{date}", False) == 1
    assert matches("*.sh", f"{date}.sh")
    assert not matches("*.py", f"{date}.sh")
    assert not matches("", home, plain=plain)
    assert matches(f"{home}/*", f"{home}/x", plain=plain)
    assert matches("!(*.py)", f"{date}.sh")


@pytest.mark.parametrize(
    ("pattern", "text"),
    [("/root", "H"), ("*x*", "H"), ("", "D"), ("D", "a"), ("?", "H"), ("!(a)", "D"), ("[H]", "a")],
)
def test_what_symbols_leave_unknown(symbols, pattern, text):
    stand_ins = {ord("H"): symbols.new("$HOME", plain=True), ord("D"): symbols.new("$(date)")}
    with pytest.raises(Unknown):
        matches(pattern.translate(stand_ins), text.translate(stand_ins), plain=symbols.is_plain)


VALUES = ["", "a", "b", "/", "a/b", "ab", "x.sh", "a-b", "1"]


@settings(max_examples=80, deadline=None)
@given(groups, st.text("ab/.\U00100000\U00100001", min_size=1, max_size=5))
def test_what_is_known_of_symbols_holds_for_every_value(pattern, text):
    """Whatever stands for the symbols, the answer is the same as the one that was given."""
    found = [
        tried(lambda: matches(pattern, text)),
        *(
            tried(lambda how=how: cut(pattern, text, how))
            for how in ("#", "##", "%", "%%", "/", "//")
        ),
    ]
    for first, second in itertools.product(VALUES, VALUES):
        values = {0x100000: first, 0x100001: second}
        known = text.translate(values)
        assert isinstance(found[0], Unknown) or found[0] == matches(pattern, known)
        for how, ours in zip(("#", "##", "%", "%%", "/", "//"), found[1:], strict=True):
            right = tried(lambda known=known, how=how: cut(pattern, known, how))
            if not isinstance(ours, Unknown) and not isinstance(right, Unknown):
                assert [part.translate(values) for part in ours] == right


def cut(pattern: str, text: str, how: str) -> list[str]:
    longest = len(how) == 2
    if how[0] == "#":
        return [text[prefix_length(pattern, text, longest) or 0 :]]
    if how[0] == "%":
        return [text[: suffix_start(pattern, text, longest)]]
    return [replaced(text, occurrences(pattern, text, how))]


# --- bounds -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("*a" * 30 + "b", "a" * 15_000),
        ("+(+(+(a)))b", "a" * 5_000),
        ("!(*a*)!(*b*)!(*c*)", "ab" * 5_000),
        ("@(" * 50 + "a" + ")" * 50, "a"),
        ("*(?|??|???)x", "a" * 3_000),
        ("a" * 5_000, "a" * 5_000),
        ("*", "a" * 200_000),
        ("*(" * 3_000, "a"),
    ],
)
def test_hostile_patterns_are_bounded(pattern, text):
    begun = time.perf_counter()
    tried(lambda: matches(pattern, text))
    tried(lambda: occurrences(pattern, text, "//"))
    tried(lambda: suffix_start(pattern, text, False))
    assert time.perf_counter() - begun < 5


def test_patterns_for_file_names():
    assert [has_glob(text) for text in ("a*", "a?", "[ab]", "[", "a\\*", "a]", "@(a)")] == [
        *[True, True, True, False, False, False, False]
    ]
    assert has_glob("@(a)", extglob=True)
