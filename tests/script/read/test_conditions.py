import itertools

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.script.read.referee import ask, differences, known_share, tried, words
from verlgen.script.read import conditions
from verlgen.script.read.arithmetic import ArithmeticProblem
from verlgen.script.read.conditions import Answer, Asked, binary, regex_match, regex_matches, unary
from verlgen.script.read.doubt import Unknown
from verlgen.script.read.symbols import Symbols

batches = settings(
    max_examples=3,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


class Variables:
    def __init__(self):
        self.values = {"x": "5", "y": "-3", "e": ""}

    def is_associative(self, name):
        return False

    def get(self, name, index):
        return self.values.get(name, "")

    def set(self, name, index, value):
        self.values[name] = value


SETUP = "x=5 y=-3 e="
ASKED = Asked(
    files=lambda operator, path: False,
    is_set=lambda name: name in ("x", "y", "e"),
    option=lambda name: False,
    variables=Variables(),
)


def compare_test(cases):
    ours = [
        tried(lambda case=case: str(conditions.test(list(case), ASKED).status)) for case in cases
    ]
    shell = [f"test {words(case)}; printf %s $?" for case in cases]
    assert differences(cases, ours, ask(shell, SETUP, subshells=False)) == []
    return known_share(ours)


WORDS = [
    "",
    "a",
    "b",
    "5",
    "05",
    "-3",
    " 5 ",
    "5x",
    "!",
    "(",
    ")",
    "-n",
    "-z",
    "-a",
    "-o",
    "=",
    "-eq",
]


def test_few_words_against_bash():
    cases = [()]
    for count in (1, 2, 3):
        cases += itertools.product(WORDS, repeat=count)
    assert compare_test(cases) > 0.98


def test_operators_against_bash():
    operators = [
        "=",
        "==",
        "!=",
        "<",
        ">",
        "-eq",
        "-ne",
        "-lt",
        "-le",
        "-gt",
        "-ge",
        "-nt",
        "-ot",
        "-ef",
    ]
    texts = [
        "",
        "a",
        "ab",
        "A",
        "b",
        "é",
        "1",
        "2",
        "10",
        "01",
        "+1",
        "-1",
        "1 ",
        "\t1",
        "1\n",
        "0x1",
    ]
    texts += ["9223372036854775807", "9223372036854775808", "no/such/file", "*", "[a]"]
    compare_test([(a, o, b) for a, o, b in itertools.product(texts, operators, texts)])


def test_unary_operators_against_bash():
    operators = [f"-{letter}" for letter in "abcdefghknprsuvwxzGLNOSR"] + ["-q", "-zz", "--", "-"]
    compare_test(
        [(o, t) for o, t in itertools.product(operators, ["", "x", "nothere", "e", "no/way"])]
    )


@batches
@given(
    st.lists(
        st.lists(
            st.sampled_from([*WORDS, "-lt", "!=", "x", "1", "2", "<", "-f", "-d"]), max_size=9
        ).map(tuple),
        min_size=300,
        max_size=400,
    )
)
def test_made_tests_against_bash(cases):
    compare_test(cases)


terms = st.one_of(
    st.sampled_from(WORDS).map(lambda word: [word]),
    st.builds(lambda o, a: [o, a], st.sampled_from(["-n", "-z", "-f"]), st.sampled_from(WORDS)),
    st.builds(
        lambda a, o, b: [a, o, b],
        st.sampled_from(WORDS),
        st.sampled_from(["=", "!=", "-eq", "-lt", ">"]),
        st.sampled_from(WORDS),
    ),
)
sentences = st.recursive(
    terms,
    lambda inner: st.one_of(
        inner.map(lambda words: ["!", *words]),
        inner.map(lambda words: ["(", *words, ")"]),
        st.builds(lambda a, o, b: [*a, o, *b], inner, st.sampled_from(["-a", "-o"]), inner),
    ),
    max_leaves=4,
)


@batches
@given(st.lists(sentences.map(tuple), min_size=300, max_size=400))
def test_made_sentences_against_bash(cases):
    compare_test(cases)


# --- [[ ]] ------------------------------------------------------------------------------------


def double(operator, left, right):
    try:
        return str(int(not binary(operator, left, right, ASKED)))
    except ArithmeticProblem:
        return "1"


def test_double_brackets_against_bash():
    operators = ["==", "!=", "=", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot"]
    texts = [
        "",
        "a",
        "ab",
        "A",
        "b",
        "1",
        "x",
        "y+1",
        "10",
        "010",
        "0x1",
        "(1)",
        "a*",
        "[ab]",
        "x=",
    ]
    cases = list(itertools.product(operators, texts, texts))
    ours = [tried(lambda case=case: double(*case)) for case in cases]
    shell = [f"l={words([a])} r={words([b])}; [[ $l {o} $r ]]; printf %s $?" for o, a, b in cases]
    assert differences(cases, ours, ask(shell, SETUP, subshells=False)) == []
    assert known_share(ours) > 0.98


REGEXES = [
    *[
        "",
        "a",
        "^a",
        "a$",
        "^$",
        "a*",
        "a+b",
        "a?b",
        ".",
        "[0-9]+",
        "^[0-9]+$",
        "(a)(b)?",
        "a|b",
        "(a|ab)(c|bcd)",
    ],
    *[
        "^v?([0-9]+)\\.([0-9]+)(\\.([0-9]+))?$",
        "(.*)-([0-9]+)[bB]",
        "[^/]+$",
        "^(.*)/([^/]*)$",
        "a{2}",
        "a{1,2}b",
    ],
    *[
        "a{,2}b",
        "a{1,}",
        "(ab)*",
        "(a*)*",
        "(a|b)*c",
        "\\.",
        "\\bfoo\\b",
        "[[:alpha:]_]+",
        "^[A-Za-z_][A-Za-z0-9_]*=",
    ],
    *[
        "()",
        "a||b",
        "(|a)b",
        "[]a]",
        "[^]a]",
        "a.c",
        "^(true|false)$",
        "(a+)(b+)",
        "(x)?(y)?",
        "([ab])\\1",
        "*a",
    ],
    *[
        "a**",
        "(",
        ")",
        "[",
        "a{2,1}",
        "{",
        "\\w+",
        "x*",
        "\\$",
        "a\\|b",
        "^^a",
        "a$b",
        "(^a|b$)",
        "((a)|b)+",
        "é+",
    ],
    *[
        "[a-c]{2}",
        "(a|b|ab)(c)",
        "(Qwen|Llama).*-([0-9.]+)B",
        "gpu",
        "\\<a",
        "a\\>",
        "[.]sh$",
        "(a?)(ab)?",
    ],
]
SUBJECTS = [
    "",
    "a",
    "b",
    "ab",
    "abc",
    "abcd",
    "aab",
    "a-7b",
    "v0.7.1",
    "0.7",
    "a/b/c",
    "foo bar",
    "x=1",
    "true",
]
SUBJECTS += [
    "aabb",
    "xy",
    "a{2}",
    "Qwen2.5-7B",
    "a$b",
    "(a)",
    "a|b",
    "éé",
    "a\nb",
    "ba",
    "abab",
    "]",
    "run.sh",
]


def regex_answer(regex, text):
    found = regex_match(text, regex)
    assert (found is not None) == regex_matches(text, regex)
    return "1" if found is None else "".join(["0", *(f"|{part}" for part in found)])


def compare_regexes(cases):
    ours = [tried(lambda case=case: regex_answer(*case)) for case in cases]
    shell = [
        f"r={words([r])} t={words([t])}; [[ $t =~ $r ]]; s=$?; printf %s $s; "
        f'[ $s != 0 ] || printf "|%s" "${{BASH_REMATCH[@]}}"'
        for r, t in cases
    ]
    assert differences(cases, ours, ask(shell, subshells=False)) == []
    return known_share(ours)


def test_regexes_against_bash():
    assert compare_regexes(list(itertools.product(REGEXES, SUBJECTS))) > 0.85


atoms = st.sampled_from(["a", "b", "c", ".", "[ab]", "[^a]", "\\.", "1", "^", "$"])
regexes = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map("".join),
        st.builds(lambda a, q: f"({a}){q}", inner, st.sampled_from(["", "*", "+", "?", "{1,2}"])),
        st.builds(lambda a, q: f"{a}{q}", atoms, st.sampled_from(["*", "+", "?"])),
        st.builds(lambda a, b: f"({a}|{b})", inner, inner),
    ),
    max_leaves=4,
)


@batches
@given(st.lists(st.tuples(regexes, st.text("abc1.", max_size=6)), min_size=300, max_size=400))
def test_made_regexes_against_bash(cases):
    assert compare_regexes(cases) > 0.5


@settings(max_examples=150)
@given(
    st.text("ab.*+?()[]{}|\\^$1,-\U00100000", max_size=20), st.text("ab1\U00100000", max_size=10)
)
def test_nothing_else_is_raised_of_regexes(regex, text):
    tried(lambda: regex_answer(regex, text))


@settings(max_examples=150)
@given(st.lists(st.sampled_from([*WORDS, "\U00100000", "\U00100000x", "é"]), max_size=8))
def test_nothing_else_is_raised_of_tests(case):
    tried(lambda: conditions.test(case, ASKED))


# --- symbols ----------------------------------------------------------------------------------

_made = Symbols()
HOME = _made.new("$HOME", plain=True)
DATE = _made.new("$(date)")
PLAIN = ASKED._replace(plain=_made.is_plain)


@pytest.mark.parametrize(
    ("case", "status"),
    [
        (["-z", HOME], 1),
        (["-n", HOME], 0),
        ([HOME], 0),
        (["-n", f"{DATE}x"], 0),
        ([f"{HOME}/x", "=", ""], 1),
        ([f"{HOME}/x", "=", "x"], 1),
        ([f"{HOME}/x", "!=", f"{HOME}/y"], 0),
        ([DATE, "=", DATE], 0),
        ([f"a{DATE}", "=", f"b{DATE}"], 1),
        (["a b", "=", HOME], 1),
        (["-f", f"{HOME}/x"], 1),
        (["x", "-eq", DATE], 2),
    ],
)
def test_what_is_known_of_symbols(case, status):
    assert conditions.test(case, PLAIN).status == status


@pytest.mark.parametrize(
    "case",
    [
        ["-z", DATE],
        [DATE],
        [HOME, "=", "/root"],
        [HOME, "!=", "/root"],
        [HOME, "=", f"{HOME}{DATE}"],
        [DATE, "=", ""],
        ["1", "-eq", DATE],
        [DATE, "x"],
        ["a", DATE, "b"],
        ["a", "<", DATE],
        ["-v", DATE],
    ],
)
def test_what_symbols_leave_unknown(case):
    with pytest.raises(Unknown):
        conditions.test(case, PLAIN)


def test_files_that_cannot_be_known():
    asked = Asked(files=lambda operator, path: None)
    for case in (["-f", "x"], ["x", "-nt", "y"], ["-d", DATE]):
        with pytest.raises(Unknown):
            conditions.test(case, asked)
    assert conditions.test(["-f", ""], asked).status == 1
    assert not unary("-e", "", asked)


def test_mistakes_have_words():
    assert conditions.test(["a", "-eq", "1"], ASKED) == Answer(2, "a: integer expression expected")
    assert conditions.test(["a", "b", "c"], ASKED).problem == "b: binary operator expected"


def test_regexes_with_symbols():
    assert regex_matches(f"{DATE}/qwen", "qwen")
    assert regex_match(f"{HOME}/7b", "/([0-9]+)b$") == ["/7b", "7"]
    assert regex_match("abc", "x") is None
    for regex in ("^/root", "qwen$", DATE):
        with pytest.raises(Unknown):
            regex_matches(f"{DATE}", regex)


VALUES = ["", "a", "b", "/", "a b", "ab", "1", "-n"]


@settings(max_examples=150, deadline=None)
@given(
    st.tuples(
        st.text("ab\U00100000\U00100001", max_size=3), st.text("ab\U00100000\U00100001", max_size=3)
    ),
    st.sampled_from(["=", "!=", "<", ">"]),
)
def test_what_is_known_holds_for_every_value(texts, operator):
    ours = tried(lambda: conditions.test([texts[0], operator, texts[1]], ASKED))
    if isinstance(ours, Unknown):
        return
    for first, second in itertools.product(VALUES, VALUES):
        values = {0x100000: first, 0x100001: second}
        known = [texts[0].translate(values), operator, texts[1].translate(values)]
        assert conditions.test(known, ASKED) == ours


@settings(max_examples=150, deadline=None)
@given(regexes, st.text("ab\U00100000\U00100001", min_size=1, max_size=4))
def test_what_is_known_of_matches_holds_for_every_value(regex, text):
    ours = tried(lambda: regex_matches(text, regex))
    groups = tried(lambda: regex_match(text, regex))
    for first, second in itertools.product(VALUES, VALUES):
        values = {0x100000: first, 0x100001: second}
        known = text.translate(values)
        assert isinstance(ours, Unknown) or regex_matches(known, regex) == ours
        if not isinstance(groups, Unknown):
            right = tried(lambda known=known: regex_match(known, regex))
            if not isinstance(right, Unknown):
                assert right == (groups and [part.translate(values) for part in groups])
