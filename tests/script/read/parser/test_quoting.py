"""Quotes and escapes mean what they mean to bash: words that a tiny evaluator can expand."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.script.read.parser.shapes import read
from tests.script.read.referee import ask
from verlgen.script.read import syntax
from verlgen.script.read.parser import SyntaxProblem

VARIABLES = {"X": "aXb/c", "Y": "d'e", "E": ""}
SETUP = "X='aXb/c' Y=$'d\\'e' E="


class NotForUs(Exception):
    """Something beyond the tiny evaluator."""


def evaluate(parts: list[syntax.Part]) -> str:
    return "".join(map(_part, parts))


def _part(part: syntax.Part) -> str:
    if isinstance(part, (syntax.Literal, syntax.Quoted)):
        return part.text
    if isinstance(part, syntax.DoubleQuoted):
        return evaluate(part.parts)
    if isinstance(part, syntax.CommandSubstitution):
        return _output(part.body).rstrip("\n")
    if isinstance(part, syntax.Parameter):
        return _parameter(part)
    raise NotForUs


def _output(body: list[syntax.Statement]) -> str:
    """What `printf %s WORD` prints."""
    if not body:
        return ""
    command = body[0].pipelines[0].commands[0]
    if len(body) > 1 or len(body[0].pipelines) > 1 or not isinstance(command, syntax.Simple):
        raise NotForUs
    word = command.words[-1]
    if len(body[0].pipelines[0].commands) > 1 or not isinstance(word, syntax.Word):
        raise NotForUs
    if len(command.words) != 3:
        raise NotForUs
    for part in word.parts:
        splits = not isinstance(part, (syntax.Literal, syntax.Quoted, syntax.DoubleQuoted))
        if splits and len(f"<{_part(part)}>".split()) > 1:
            raise NotForUs
    return evaluate(word.parts)


def _parameter(node: syntax.Parameter) -> str:
    if node.index is not None or node.indirect or node.name not in ("X", "Y", "E", "U"):
        raise NotForUs
    value = VARIABLES.get(node.name)
    if node.length:
        return str(len(value or ""))
    argument = node.argument.parts if node.argument else []
    second = node.second.parts if node.second else []
    if node.operator.endswith("-"):
        unset = not value if node.operator[0] == ":" else value is None
        return evaluate(argument) if unset else value or ""
    if node.operator.endswith("+"):
        unset = not value if node.operator[0] == ":" else value is None
        return "" if unset else evaluate(argument)
    value = value or ""
    if node.operator == "#":
        return value.removeprefix(evaluate(argument))
    if node.operator == "/":
        pattern = evaluate(argument)
        return value.replace(pattern, evaluate(second), 1) if pattern else value
    if node.operator:
        raise NotForUs
    return value


# `$X.` and not `$X`: bash takes away quotes in `"${U:-$X"b"}"` first, and sees `$Xb`.
PIECES = [
    "a", "X", "b c", " ", "'", '"', "\\", "$X.", "${Y}", "${E}", "}", "{", "/", "\\}", "\\'", '\\"',
    "\\$", "\\\\", "\\n", "\\\n", "'q r'", "'$X.'", "'}'", '"s  ${Y}"', '"\'"', "$'t z'",
    "`printf %s a`", '$(printf %s "b}")', "$", "#", "|", ";", "(", ")",
]  # fmt: skip
OPENERS = [
    "${U:-", "${U-", "${X:+", "${X#", "${X/a/", "${X/", '"${U:-', '"${X+', '"${X#', '"${X/a/',
    '"${X/', '"', "'", "$(printf %s ", '"$(printf %s ', "`printf %s ", '"`printf %s ', "${#",
]  # fmt: skip
CLOSERS = {"${": "}", '"${': '}"', '"': '"', "'": "'", "$(": ")", '"$(': ')"', "`": "`", '"`': '`"'}


def _closed(opener: str, inner: str) -> str:
    for begin in sorted(CLOSERS, key=len, reverse=True):
        if opener.startswith(begin):
            return opener + inner + CLOSERS[begin]
    raise AssertionError(opener)


TEXTS = st.recursive(
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=3).map("".join),
    lambda inner: st.one_of(
        st.builds(_closed, st.sampled_from(OPENERS), inner), st.tuples(inner, inner).map("".join)
    ),
    max_leaves=5,
)


def _expected(text: str) -> str | None:
    """The value by the parser and the tiny evaluator, or None for what neither can judge."""
    try:
        statements = read(f"v={text}\n")
    except SyntaxProblem:
        return None
    if len(statements) != 1 or len(statements[0].pipelines) != 1:
        return None
    if len(statements[0].pipelines[0].commands) != 1:
        return None
    command = statements[0].pipelines[0].commands[0]
    if not isinstance(command, syntax.Simple) or command.words or command.redirections:
        return None
    if len(command.assignments) != 1 or command.assignments[0].value is None:
        return None
    try:
        return evaluate(command.assignments[0].value.parts)
    except NotForUs:
        return None


@settings(max_examples=30, deadline=None)
@given(st.lists(TEXTS, min_size=10, max_size=30))
def test_words_in_bash(texts: list[str]) -> None:
    kept = [(text, value) for text in texts if (value := _expected(text)) is not None]
    # A backslash at the end would join the next line.
    kept = [(text, value) for text, value in kept if not text.endswith("\\")]
    answers = ask([f"v={text}\nprintf '<%s>' \"$v\"" for text, _ in kept], SETUP)
    assert [(text, f"<{value}>") for text, value in kept] == [
        (text, answer) for (text, _), answer in zip(kept, answers, strict=True)
    ]
