"""Trees of the parser as short text, and walks over them."""

from __future__ import annotations

from collections.abc import Iterator

from verlgen.script.read import syntax
from verlgen.script.read.parser import Parser
from verlgen.script.read.syntax import Node, Statement


def read(text: str) -> list[Statement]:
    """All statements of a script."""
    parser = Parser(text)
    found: list[Statement] = []
    while (more := parser.next()) is not None:
        found += more
    return found


def nodes(item: object) -> Iterator[Node]:
    """All nodes below, but for those between backquotes, whose places are their own."""
    if isinstance(item, (list, tuple)):
        for inner in item:
            yield from nodes(inner)
    if not isinstance(item, Node):
        return
    yield item
    if isinstance(item, syntax.CommandSubstitution) and not item.offsets:
        return
    for kind in type(item).__mro__:
        for name in getattr(kind, "__slots__", ()):
            yield from nodes(getattr(item, name))


def shape(item: object) -> str:
    """A tree as text."""
    if item is None:
        return ""
    if isinstance(item, list):
        return "; ".join(shape(each) for each in item)
    return _SHAPES[type(item)](item)


def word(item: syntax.Word) -> str:
    """Text as written, `'…'` for quoted text and `"…"` for double quotes, `{…}` for parameters."""
    return "".join(shape(part) for part in item.parts)


def _parameter(node: syntax.Parameter) -> str:
    front = "#" * node.length + "!" * node.indirect
    index = "" if node.index is None else f"[{word(node.index)}]"
    argument = "" if node.argument is None else word(node.argument)
    second = "" if node.second is None else f"|{word(node.second)}"
    operator = node.operator and f" {node.operator} "
    return f"{{{front}{node.name}{index}{node.prefix}{operator}{argument}{second}}}"


def _assignment(node: syntax.Assignment) -> str:
    index = "" if node.index is None else f"[{word(node.index)}]"
    front = f"{node.name}{index}{'+' * node.append}="
    if node.elements is None:
        return front + shape(node.value)
    return f"{front}({', '.join(_element(*each) for each in node.elements)})"


def _element(index: syntax.Word | None, append: bool, value: syntax.Word) -> str:
    front = "" if index is None else f"[{word(index)}]{'+' * append}="
    return front + word(value)


def _redirections(node: syntax.Command) -> str:
    return "".join(
        f" {each.descriptor}{each.operator}{word(each.target)!r}" for each in node.redirections
    )


def _simple(node: syntax.Simple) -> str:
    assigned = [_assignment(each) for each in node.assignments]
    return f"<{', '.join([*assigned, *(shape(each) for each in node.words)])}>"


def _if(node: syntax.If) -> str:
    branches = " elif ".join(f"{shape(test)} then {shape(body)}" for test, body in node.branches)
    otherwise = "" if node.otherwise is None else f" else {shape(node.otherwise)}"
    return f"if {branches}{otherwise} fi"


def _for(node: syntax.For) -> str:
    words = "" if node.words is None else f" in {', '.join(map(shape, node.words))}"
    return f"{'select' if node.select else 'for'} {node.name}{words} do {shape(node.body)}"


def _case(node: syntax.Case) -> str:
    items = " ".join(
        f"{'|'.join(map(word, patterns))}) {shape(body)} {end}"
        for patterns, body, end in node.items
    )
    return f"case {word(node.word)} in {items}"


def _condition(node: syntax.Condition) -> str:
    return f"({' '.join([node.operator, *(shape(each) for each in node.operands)]).strip()})"


def _pipeline(node: syntax.Pipeline) -> str:
    front = "time " * node.timed + "! " * node.negated
    return front + " | ".join(shape(each) + _redirections(each) for each in node.commands)


def _statement(node: Statement) -> str:
    text = shape(node.pipelines[0])
    for operator, pipeline in zip(node.operators, node.pipelines[1:], strict=True):
        text += f" {operator} {shape(pipeline)}"
    return text + " &" * node.background


_SHAPES = {
    syntax.Literal: lambda n: n.text,
    syntax.Quoted: lambda n: f"'{n.text}'",
    syntax.DoubleQuoted: lambda n: f'"{"".join(map(shape, n.parts))}"',
    syntax.Parameter: _parameter,
    syntax.CommandSubstitution: lambda n: f"$({shape(n.body)})",
    syntax.Arithmetic: lambda n: f"$(({word(n.expression)}))",
    syntax.ProcessSubstitution: lambda n: f"<({shape(n.body)})",
    syntax.BadSubstitution: lambda n: f"BAD({n.text})",
    syntax.Word: word,
    syntax.Assignment: _assignment,
    syntax.Simple: _simple,
    syntax.Group: lambda n: f"{{ {shape(n.body)} }}",
    syntax.Subshell: lambda n: f"( {shape(n.body)} )",
    syntax.If: _if,
    syntax.While: lambda n: (
        f"{'until' if n.until else 'while'} {shape(n.condition)} do {shape(n.body)}"
    ),
    syntax.For: _for,
    syntax.ArithmeticFor: lambda n: (
        f"for (({shape(n.init)};{shape(n.test)};{shape(n.step)})) do {shape(n.body)}"
    ),
    syntax.Case: _case,
    syntax.ArithmeticCommand: lambda n: f"(({word(n.expression)}))",
    syntax.Test: lambda n: f"[[ {shape(n.condition)} ]]",
    syntax.Condition: _condition,
    syntax.Function: lambda n: f"{n.name}() {shape(n.body)}{_redirections(n.body)}",
    syntax.Pipeline: _pipeline,
    syntax.Statement: _statement,
}
