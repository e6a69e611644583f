"""Bash and the parser accept and refuse the same scripts."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.script.read.parser.referee import EXTENDED, reads
from tests.script.read.parser.shapes import read
from tests.script.read.parser.snippets import ACCEPTED, REFUSED
from verlgen.script.read.parser import SyntaxProblem

# Where we differ from bash, and mean to: it takes each, and makes an error of it later or has
# stopped reading without saying so.
DELIBERATE = [
    "declare -A a=([k]=(1))",  # an array in an array
    'echo "${X-<(a}"',  # it seeks the end of `<(` even there
    "(( ${1 ))\n",  # it seeks no end of `${` in arithmetic
]


def accepted(text: str) -> bool:
    try:
        read(text)
    except SyntaxProblem:
        return False
    return True


def agree(text: str) -> bool:
    mine = accepted(text)
    if reads(text) == mine:
        return True
    return EXTENDED.search(text) is not None and (mine or reads(text, "-O", "extglob") == mine)


@pytest.mark.parametrize("text", ACCEPTED)
def test_accepted(text: str) -> None:
    assert reads(text)
    assert accepted(text)


@pytest.mark.parametrize("text", REFUSED)
def test_refused(text: str) -> None:
    assert not reads(text)
    assert not accepted(text)


@pytest.mark.parametrize("text", DELIBERATE)
def test_deliberate_differences(text: str) -> None:
    assert not agree(text)


# --- scripts by grammar ---------------------------------------------------------------------

NAMES = st.sampled_from(
    ["a", "b1", "X", "if", "done", "in", "time", "f-g", "1", "-p", "]]", "esac"]
)
VARIABLES = st.sampled_from(["X", "a", "_y"])


def _joined(
    items: st.SearchStrategy[str], between: str = " ", **sizes: int
) -> st.SearchStrategy[str]:
    return st.lists(items, **sizes).map(between.join)


def _words(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    operand = st.one_of(
        NAMES, st.sampled_from(["'q}'", '"d }"', "\\}", "a b", "", "$X", "*/"]), inner
    )
    piece = st.one_of(
        NAMES,
        st.sampled_from(["'a b'", '"c $X"', "\\ ", "$X", "$?", "~", "*", "{a,b}", "$'\\n'", "a#b"]),
        st.sampled_from(
            ["$((1+(2)))", "$[1]", "${#X}", "${!X}", "`a b`", "\\\n", '$"x"', "[x]", "="]
        ),
        st.tuples(
            VARIABLES,
            st.sampled_from([":-", "-", "=", "+", "#", "%%", "/", "//", ":", "^^", "@"]),
            operand,
        ).map(lambda t: f"${{{t[0]}{t[1]}{t[2]}}}"),
        inner.map(lambda t: f"$({t})"),
        inner.map(lambda t: f'"{t.replace(chr(34), "")}"'),
        inner.map(lambda t: f'"$({t}\n)"'),
        inner.map(lambda t: f"<({t})"),
    )
    return _joined(piece, "", min_size=1, max_size=3)


def _commands(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    words = _words(inner)
    redirection = st.one_of(
        st.tuples(
            st.sampled_from([">", "2>", "<", ">>", "&>", ">|", "<<<", ">&", "{v}>"]), words
        ).map("".join),
        st.sampled_from(["2>&1", ">&-", "<&3"]),
    )
    assignment = st.one_of(
        st.tuples(VARIABLES, st.sampled_from(["=", "+="]), words).map("".join),
        _joined(words, max_size=3).map(lambda t: f"A=({t})"),
        words.map(lambda t: f"A[1]={t}"),
    )
    simple = _joined(st.one_of(words, words, redirection, assignment), min_size=1, max_size=4)
    end = st.sampled_from([";", "\n", " &", " # c\n", ";\n\n"])
    body = st.lists(st.tuples(inner, end).map("".join), min_size=1, max_size=2).map(" ".join)
    test = st.one_of(
        words.map(lambda t: f"[[ -n {t} ]]"),
        st.tuples(words, st.sampled_from(["==", "!=", "=~", "<", "-lt"]), words).map(
            lambda t: f"[[ {' '.join(t)} ]]"
        ),
        st.tuples(words, words).map(lambda t: f"[[ ! ( {t[0]} && -z {t[1]} ) ]]"),
    )
    return st.one_of(
        simple,
        simple,
        st.tuples(inner, st.sampled_from(["|", "&&", "||", "|&", "| \n", ";", "\n"]), inner).map(
            " ".join
        ),
        body.map(lambda t: f"{{ {t} }}"),
        inner.map(lambda t: f"({t})"),
        st.tuples(body, body, body).map(lambda t: f"if {t[0]} then {t[1]} else {t[2]} fi"),
        st.tuples(body, body).map(lambda t: f"while {t[0]} do {t[1]} done"),
        st.tuples(VARIABLES, _joined(words, max_size=2), end, body).map(
            lambda t: f"for {t[0]} in {t[1]}{t[2]} do {t[3]} done"
        ),
        body.map(lambda t: f"for ((i=0; i<3; i++)); do {t} done"),
        st.tuples(words, words, inner, inner).map(
            lambda t: f"case {t[0]} in {t[1]}|b) {t[2]};; (*) {t[3]}\nesac"
        ),
        body.map(lambda t: f"f() {{ {t} }} >g"),
        inner.map(lambda t: f"function h ( {t} )"),
        inner.map(lambda t: f"! {t}"),
        inner.map(lambda t: f"time {t}"),
        test,
        st.tuples(simple, words, inner).map(lambda t: f"{t[0]} <<E\n{t[1]}\nE\n{t[2]}"),
        _joined(st.one_of(words, assignment), max_size=3).map(lambda t: f"declare {t}"),
        st.sampled_from(["((x+1))", "((a); (b))", "(( 1 ) )"]),
    )


SCRIPTS = st.recursive(
    st.sampled_from(["a", "X=1", "echo b c", ":", "a >f"]), _commands, max_leaves=6
)

TOKENS = st.sampled_from(
    [
        "(", ")", "{", "}", "[", "]", "[[", "]]", "((", "))", "$", "$(", "${", "$((", "'", '"', "`",
        "\\", ";", ";;", "&", "&&", "|", "||", "<", ">", "<<E", "!", "#", "=", "a=(", "+=", "a[",
        "2", "{v}", "==", "=~", "if", "then", "fi", "else", "elif", "do", "done", "for", "in",
        "case", "esac", "while", "time", "function", "coproc", "select", ":", "/", "-", "<(", ">(",
        "declare", "eval", "&>", "|&", ";&", "f()", "x", "\n", "\\\n", "\nE\n", "-f", "-n",
    ]
)  # fmt: skip


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A snippet with a few tokens put in or pieces taken out."""
    text = draw(st.one_of(st.sampled_from(ACCEPTED), SCRIPTS))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(text)))
        if draw(st.booleans()):
            blank = draw(st.sampled_from(["", " "]))
            text = text[:at] + blank + draw(TOKENS) + blank + text[at:]
        else:
            text = text[:at] + text[at + draw(st.integers(1, 6)) :]
    return text


def _known(text: str) -> bool:
    """Whether a text falls under one of the deliberate differences."""
    if "((" in text and re.search(r"\$[{\['\"]", text):
        return True
    return "]=(" in text or ('"${' in text and "(" in text) or "=~&" in text


THOROUGH = settings(max_examples=250, deadline=None, suppress_health_check=list(HealthCheck))


@THOROUGH
@given(SCRIPTS)
def test_scripts_by_grammar(text: str) -> None:
    assert agree(text) or _known(text)


@THOROUGH
@given(mutated())
def test_mutated_scripts(text: str) -> None:
    assert agree(text) or _known(text)
