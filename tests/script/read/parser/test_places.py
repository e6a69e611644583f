"""Every node knows its place."""

from __future__ import annotations

import pytest

from tests.script.read.parser.shapes import nodes, read, shape
from tests.script.read.parser.snippets import ACCEPTED
from verlgen.script.read import syntax
from verlgen.script.read.parser import Parser, SyntaxProblem, contexts
from verlgen.script.read.parser import _Reader as Reader


def again(text: str) -> list[syntax.Part]:
    """The parts of a word that stands alone."""
    reader = Reader(text, 0, 0)
    parts: list[syntax.Part] = []
    reader.parts(contexts.WORD, parts)
    assert reader.pos == len(text)
    return parts


@pytest.mark.parametrize("text", ACCEPTED)
def test_nodes_say_where_they_are(text: str) -> None:
    for node in nodes(read(text)):
        assert 0 <= node.start <= node.end <= len(text)
        written = text[node.start : node.end]
        if isinstance(node, syntax.Parameter):
            written = written.replace("\\\n", "")
        if isinstance(node, syntax.Literal) and node.end > node.start and written != "|&":
            assert written == node.text
        if isinstance(node, syntax.Quoted) and node.verbatim is not None:
            assert text[node.verbatim : node.verbatim + len(node.text)] == node.text
        if isinstance(node, syntax.Parameter):
            assert written.startswith("${" if node.braces else "$")
            assert written.endswith("}" if node.braces else node.name[-1])
        if isinstance(node, syntax.DoubleQuoted):
            assert written.endswith('"')
        if isinstance(node, syntax.CommandSubstitution):
            assert node.text in written


@pytest.mark.parametrize("text", ACCEPTED)
def test_words_mean_the_same_alone(text: str) -> None:
    for node in nodes(read(text)):
        if isinstance(node, syntax.Simple):
            for word in node.words:
                written = text[word.start : word.end]
                if isinstance(word, syntax.Word) and "=(" not in written and "<<E" not in written:
                    assert "".join(map(shape, again(written))) == shape(word)
                elif isinstance(word, syntax.Assignment):
                    assert written.startswith(word.name)


@pytest.mark.parametrize("text", ACCEPTED)
def test_commands_mean_the_same_alone(text: str) -> None:
    for node in nodes(read(text)):
        if isinstance(node, syntax.Statement):
            written = text[node.start : node.end]
            if "<<" in written or written.endswith("\\"):
                continue  # the body stands elsewhere
            alone = read(written)
            assert shape(alone) == shape(node).removesuffix(" &")


def test_one_line_at_a_time() -> None:
    text = "\n# c\na; b\nif c\nthen d; fi; e <<E\nx\nE\n\nf\n"
    parser = Parser(text)
    assert shape(parser.next()) == "<a>; <b>"
    assert text[parser.position :].startswith("if c")
    assert shape(parser.next()) == "if <c> then <d> fi; <e> <<'x\\n'"
    assert text[parser.position :].startswith("\nf")
    later = Parser(text, start=parser.position)
    for each in (parser, later):
        found = each.next()
        assert found is not None
        assert text[found[0].start : found[0].end] == "f"
        assert each.next() is None
        assert each.next() is None
        assert each.position == len(text)


def test_a_problem_leaves_what_stands_before() -> None:
    parser = Parser("a\nb; )\nc\n")
    assert shape(parser.next()) == "<a>"
    with pytest.raises(SyntaxProblem) as caught:
        parser.next()
    assert (caught.value.message, caught.value.offset) == ("unexpected `)`", 5)
    assert not caught.value.end_of_input


@pytest.mark.parametrize(
    ("text", "message", "offset"),
    [
        ('a\necho "b', 'unexpected end: the quote " opened in line 2 is never closed', 9),
        ("echo 'b", "unexpected end: the quote ' opened in line 1 is never closed", 7),
        ("if a; then\nb\n", "unexpected end: the if opened in line 1 is never closed", 13),
        ("echo $(a", "unexpected end: the $( opened in line 1 is never closed", 8),
        ("a &&\n", "unexpected end", 5),
        ("a\ndone\n", "unexpected `done`", 2),
        ("a >\n", "unexpected end of line", 3),
        ("for x in a; b", "unexpected `b`", 12),
        ("a;;b", "unexpected `;;`", 1),
    ],
)
def test_problems(text: str, message: str, offset: int) -> None:
    with pytest.raises(SyntaxProblem) as caught:
        read(text)
    assert (caught.value.message, caught.value.offset) == (message, offset)
    assert caught.value.end_of_input == message.startswith("unexpected end:") or offset == len(text)


def test_places_with_nul_characters() -> None:
    text = "\0a\0\0 'b\0c' \"d\0\"\0 $(e\0f)\n\0g ''\0\n"
    found = read(text)
    places = [
        (type(node).__name__, text[node.start : node.end].replace("\0", "0"))
        for node in nodes(found)
        if not isinstance(node, (syntax.Statement, syntax.Pipeline, syntax.Simple, syntax.Word))
    ]
    assert places == [
        ("Literal", "a"),
        ("Quoted", "'b0c'"),
        ("DoubleQuoted", '"d0"'),
        ("Literal", "d"),
        ("CommandSubstitution", "$(e0f)"),
        ("Literal", "e0f"),
        ("Literal", "g"),
        ("Quoted", "''"),
    ]
    parser = Parser(text)
    parser.next()
    assert parser.position == text.index("g") - 1 or text[parser.position] == "g"
    with pytest.raises(SyntaxProblem) as caught:
        read("a\0\0 b\0 )")
    assert caught.value.offset == 7
