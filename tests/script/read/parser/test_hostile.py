"""Nothing but a SyntaxProblem, whatever the text."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.script.read.parser.shapes import read
from tests.script.read.parser.snippets import ACCEPTED
from verlgen.script.read.parser import Parser, SyntaxProblem, parse

OPENERS = [
    "(", "((", "$(", "$((", "$( (", "${", "${X:-", '"${X:-', '"$(', "`", '"', "'", "{ ", "{", "[[ ",
    "[[ ( ", "[[ ! ", "[[ a && ", "[[ a =~ (", "if ", "while ", "for x in ", "case x in ",
    "case x in a) ", "f() ", "function f ", "! ", "time ", "coproc a ", "a=(", "a[", "${a[", "$[",
    "@(", "a@(", "<(", "<<a ", "<<a\n", "a <<E\n$(", "a <<E\n${", "$(<<E\n", "\\", "\\\n", "#", "|",
    "a|", "a&&", "$'", '$"', "${X/", "${X:", "${!", "${#", "$((1) ", "((a) ", "$((`", "${X[$((",
    "a=($(a=(", "declare a[$(", "\"${X:-'", "coproc $(", "(( $(( ", "\0", "\ud800", "\x01",
]  # fmt: skip


def attempt(reader: Callable[[str], object], text: str) -> None:
    """Read a text; a SyntaxProblem is an answer, and says where."""
    offset = 0
    try:
        reader(text)
    except SyntaxProblem as problem:
        offset = problem.offset
    assert 0 <= offset <= len(text)


@pytest.mark.parametrize("opener", OPENERS)
def test_many_of_one_kind(opener: str) -> None:
    for count in (60, 3000):
        many = opener * count
        for text in (many, many + "x" + ") " * count, many + "}" * count):
            attempt(read, text)
            attempt(parse, text)


def _nested(opener: str, closer: str, count: int) -> str:
    return opener * count + "x" + closer * count


@pytest.mark.parametrize(
    ("opener", "closer"),
    [
        ("$((", ") )"),
        ("((", ") )"),
        ("$(( $(", ")) )"),
        ("${X[", "}"),
        ("${a ", "}"),
        ("a=($(", ")b)"),
    ],
)
def test_second_looks_do_not_multiply(opener: str, closer: str) -> None:
    # Each level is looked at twice; a naive parser looks at the innermost 2**40 times.
    attempt(read, "echo " + _nested(opener, closer, 40))


def test_depth() -> None:
    assert read(_nested("( ", " )", 90))
    with pytest.raises(SyntaxProblem, match="inside each other"):
        read(_nested("( ", " )", 101))


def test_a_deep_caller() -> None:
    def descend(levels: int) -> None:
        if levels:
            descend(levels - 1)
            return
        for opener, closer in (("( ", " )"), ("$(", ")"), ("`", "`")):
            with pytest.raises(SyntaxProblem):
                read("echo " + _nested(opener, closer, 95) + " )")
            with pytest.raises(SyntaxProblem):
                parse("echo " + _nested(opener, closer, 95) + " )")

    frame, depth = sys._getframe(), 0
    while frame.f_back is not None:
        frame, depth = frame.f_back, depth + 1
    descend(sys.getrecursionlimit() - depth - 150)


def _all_of(text: str) -> None:
    parser = Parser(text)
    last = -1
    while parser.next() is not None:
        assert parser.position > last
        last = parser.position


def _read_anything(text: str) -> None:
    attempt(_all_of, text)


@settings(max_examples=400, deadline=None)
@given(st.text(st.sampled_from("()[]{}<>|&;$`'\"\\!#=+-*?@:/%^,~ \t\n\0ab1"), max_size=60))
def test_shell_characters(text: str) -> None:
    _read_anything(text)


@settings(max_examples=200, deadline=None)
@given(st.text(st.characters(), max_size=40))
def test_any_text(text: str) -> None:
    _read_anything(text)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=80))
def test_any_bytes(raw: bytes) -> None:
    _read_anything(raw.decode("utf-8", "surrogateescape"))


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(ACCEPTED), st.sampled_from(ACCEPTED), st.data())
def test_spliced_snippets(one: str, two: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(one)))
    start = data.draw(st.integers(0, len(two)))
    _read_anything(one[:at] + two[start:] + one[at:])
