"""The syntax tree of bash, as the parser builds it and the interpreter walks it.

Offsets are character offsets into the source text the node was parsed from; `end` is exclusive.
Plain classes with slots: a 300-line script has thousands of these.
"""

from __future__ import annotations


class Node:
    """Anything with a place in the source.

    Attributes:
        start: Offset of its first character.
        end: Offset behind its last character.
    """

    __slots__ = ("end", "start")

    def __init__(self, start: int, end: int) -> None:
        self.start = start
        self.end = end

    def __repr__(self) -> str:
        names = [n for c in type(self).__mro__ for n in getattr(c, "__slots__", ())]
        shown = ", ".join(f"{n}={getattr(self, n)!r}" for n in names if n not in ("start", "end"))
        return f"{type(self).__name__}({shown})"


# --- parts of words ---------------------------------------------------------------------------


class Literal(Node):
    """Unquoted text, as written; a glob character or `{a,b}` in it means what it says.

    A backslash-newline pair inside a word ends one Literal and begins the next.
    """

    __slots__ = ("text",)

    def __init__(self, start: int, end: int, text: str) -> None:
        super().__init__(start, end)
        self.text = text


class Quoted(Node):
    r"""Text that stands for itself: `'…'`, `$'…'` (decoded), `\c` outside quotes (one character).

    `verbatim` tells where the text is a copy of the source: the offset of its first character
    there, or None (an ANSI-C string with escapes).
    """

    __slots__ = ("text", "verbatim")

    def __init__(self, start: int, end: int, text: str, verbatim: int | None) -> None:
        super().__init__(start, end)
        self.text = text
        self.verbatim = verbatim


class DoubleQuoted(Node):
    r"""`"…"` (and `$"…"`): Literal parts here are quoted text with `\$`, `\\` and so on resolved.

    A resolved escape is a Quoted part of one character; a backslash-newline pair is dropped.
    """

    __slots__ = ("parts",)

    def __init__(self, start: int, end: int, parts: list[Part]) -> None:
        super().__init__(start, end)
        self.parts = parts


class Parameter(Node):
    """`$X`, `${X}`, `${X[i]}`, `${X:-w}`, `${#X}`, `${!X}`, `${!X@}`, `${!X[@]}` and so on.

    Attributes:
        name: Variable, a positional number as text, or one of `@*#?-$!_0`.
        index: The subscript as a Word (`@` and `*` come as a one-Literal word), or None.
        length: True for `${#X}`.
        indirect: True for `${!X…}` (with `prefix`, the names that begin so; with index `@` or `*`
            and no operator, the keys of the array).
        prefix: `@` or `*` for `${!X@}` and `${!X*}`, else "".
        operator: "" or one of `:-` `-` `:=` `=` `:+` `+` `:?` `?` `#` `##` `%` `%%` `/` `//`
            `/#` `/%` `^` `^^` `,` `,,` `~` `~~` `:` (substring) `@` (transformation).
        argument: Word behind the operator (default, pattern, offset; the letter of `@Q`), or None.
        second: Word of the replacement (`/`) or the length (`:`), or None where there is none.
        braces: Whether it was written with braces.
    """

    __slots__ = (
        "argument",
        "braces",
        "index",
        "indirect",
        "length",
        "name",
        "operator",
        "prefix",
        "second",
    )

    def __init__(
        self,
        start: int,
        end: int,
        name: str,
        *,
        index: Word | None = None,
        length: bool = False,
        indirect: bool = False,
        prefix: str = "",
        operator: str = "",
        argument: Word | None = None,
        second: Word | None = None,
        braces: bool = False,
    ) -> None:
        super().__init__(start, end)
        self.name = name
        self.index = index
        self.length = length
        self.indirect = indirect
        self.prefix = prefix
        self.operator = operator
        self.argument = argument
        self.second = second
        self.braces = braces


class CommandSubstitution(Node):
    """`$(…)` or backquotes.

    Attributes:
        text: As written.
        body: Its commands.
        offsets: Whether the body's offsets are those of the source; not so for backquotes, whose
            text is unescaped first.
    """

    __slots__ = ("body", "offsets", "text")

    def __init__(
        self, start: int, end: int, text: str, body: list[Statement], offsets: bool = True
    ) -> None:
        super().__init__(start, end)
        self.text = text
        self.body = body
        self.offsets = offsets


class Arithmetic(Node):
    """`$((…))` or `$[…]`: the expression as a Word whose parts are as between double quotes."""

    __slots__ = ("expression",)

    def __init__(self, start: int, end: int, expression: Word) -> None:
        super().__init__(start, end)
        self.expression = expression


class ProcessSubstitution(Node):
    """`<(…)` or `>(…)`; `text` is as written."""

    __slots__ = ("body", "text")

    def __init__(self, start: int, end: int, text: str, body: list[Statement]) -> None:
        super().__init__(start, end)
        self.text = text
        self.body = body


class BadSubstitution(Node):
    """What bash accepts as it reads a script and fails at when it expands it.

    `${a b}`, backquotes around a syntax error, `$(` without an end in a here-document.
    """

    __slots__ = ("message", "text")

    def __init__(self, start: int, end: int, text: str, message: str) -> None:
        super().__init__(start, end)
        self.text = text
        self.message = message


Part = (
    Literal
    | Quoted
    | DoubleQuoted
    | Parameter
    | CommandSubstitution
    | Arithmetic
    | ProcessSubstitution
    | BadSubstitution
)


class Word(Node):
    """One shell word: its parts in order. Tilde, braces and globs are the expander's to see."""

    __slots__ = ("parts",)

    def __init__(self, start: int, end: int, parts: list[Part]) -> None:
        super().__init__(start, end)
        self.parts = parts


# --- commands ---------------------------------------------------------------------------------


class Assignment(Node):
    """`X=w`, `X+=w`, `X[i]=w`, `X=(…)`.

    Attributes:
        name: Variable.
        index: Subscript, or None.
        append: True for `+=`.
        value: Word (empty word for `X=`), or None for an array.
        elements: For an array: (subscript word or None, `+=`?, word) for each element, else None.
    """

    __slots__ = ("append", "elements", "index", "name", "value")

    def __init__(
        self,
        start: int,
        end: int,
        name: str,
        index: Word | None,
        append: bool,
        value: Word | None,
        elements: list[tuple[Word | None, bool, Word]] | None,
    ) -> None:
        super().__init__(start, end)
        self.name = name
        self.index = index
        self.append = append
        self.value = value
        self.elements = elements


class Redirection(Node):
    """`2>&1`, `>file`, `<<EOF`, `<<<word` and so on.

    Attributes:
        descriptor: Number or `{name}` as text in front, or "" for none.
        operator: `<` `>` `>>` `>|` `<>` `<&` `>&` `&>` `&>>` `<<` `<<-` `<<<`.
        target: Word behind it; for a here-document its body: one Quoted part where the delimiter
            was quoted, else parts as between double quotes.
    """

    __slots__ = ("descriptor", "operator", "target")

    def __init__(self, start: int, end: int, descriptor: str, operator: str, target: Word) -> None:
        super().__init__(start, end)
        self.descriptor = descriptor
        self.operator = operator
        self.target = target


class Command(Node):
    """Base of what a pipeline consists of.

    Attributes:
        redirections: In order.
    """

    __slots__ = ("redirections",)

    def __init__(self, start: int, end: int) -> None:
        super().__init__(start, end)
        self.redirections: list[Redirection] = []


class Simple(Command):
    """Assignments and words.

    For `declare`, `local`, `export`, `readonly` and `typeset` the arguments that have the form of
    assignments are Assignment nodes among `words`.
    """

    __slots__ = ("assignments", "words")

    def __init__(
        self, start: int, end: int, assignments: list[Assignment], words: list[Word | Assignment]
    ) -> None:
        super().__init__(start, end)
        self.assignments = assignments
        self.words = words


class Group(Command):
    """`{ …; }`."""

    __slots__ = ("body",)

    def __init__(self, start: int, end: int, body: list[Statement]) -> None:
        super().__init__(start, end)
        self.body = body


class Subshell(Command):
    """`( … )`."""

    __slots__ = ("body",)

    def __init__(self, start: int, end: int, body: list[Statement]) -> None:
        super().__init__(start, end)
        self.body = body


class If(Command):
    """`if`/`elif` as (condition, body) pairs, and the `else` body or None."""

    __slots__ = ("branches", "otherwise")

    def __init__(
        self,
        start: int,
        end: int,
        branches: list[tuple[list[Statement], list[Statement]]],
        otherwise: list[Statement] | None,
    ) -> None:
        super().__init__(start, end)
        self.branches = branches
        self.otherwise = otherwise


class While(Command):
    """`while`, or `until` where `until` is True."""

    __slots__ = ("body", "condition", "until")

    def __init__(
        self,
        start: int,
        end: int,
        condition: list[Statement],
        body: list[Statement],
        until: bool,
    ) -> None:
        super().__init__(start, end)
        self.condition = condition
        self.body = body
        self.until = until


class For(Command):
    """`for x in words`; `words` is None for `for x` alone, which means `"$@"`. Also `select`."""

    __slots__ = ("body", "name", "select", "words")

    def __init__(
        self,
        start: int,
        end: int,
        name: str,
        words: list[Word] | None,
        body: list[Statement],
        select: bool = False,
    ) -> None:
        super().__init__(start, end)
        self.name = name
        self.words = words
        self.body = body
        self.select = select


class ArithmeticFor(Command):
    """`for ((init; test; step))`; each a Word as in Arithmetic, or None where it is empty."""

    __slots__ = ("body", "init", "step", "test")

    def __init__(
        self,
        start: int,
        end: int,
        init: Word | None,
        test: Word | None,
        step: Word | None,
        body: list[Statement],
    ) -> None:
        super().__init__(start, end)
        self.init = init
        self.test = test
        self.step = step
        self.body = body


class Case(Command):
    """`case word in …`: items of (patterns, body, how it ends: `;;`, `;&` or `;;&`)."""

    __slots__ = ("items", "word")

    def __init__(
        self,
        start: int,
        end: int,
        word: Word,
        items: list[tuple[list[Word], list[Statement], str]],
    ) -> None:
        super().__init__(start, end)
        self.word = word
        self.items = items


class ArithmeticCommand(Command):
    """`((…))`."""

    __slots__ = ("expression",)

    def __init__(self, start: int, end: int, expression: Word) -> None:
        super().__init__(start, end)
        self.expression = expression


class Test(Command):
    """`[[ … ]]`."""

    __slots__ = ("condition",)

    def __init__(self, start: int, end: int, condition: Condition) -> None:
        super().__init__(start, end)
        self.condition = condition


class Condition(Node):
    """An expression inside `[[ ]]`.

    Attributes:
        operator: `&&`, `||`, `!`, a unary test (`-z`, `-f`, …), a binary test (`=`, `==`, `!=`,
            `=~`, `<`, `>`, `-eq`, `-nt`, …), or "" for a lone word.
        operands: Conditions for `&&`, `||`, `!`; Words otherwise.
    """

    __slots__ = ("operands", "operator")

    def __init__(
        self, start: int, end: int, operator: str, operands: list[Condition | Word]
    ) -> None:
        super().__init__(start, end)
        self.operator = operator
        self.operands = operands


class Function(Command):
    """`name() body` or `function name body`; the body is a compound command."""

    __slots__ = ("body", "name")

    def __init__(self, start: int, end: int, name: str, body: Command) -> None:
        super().__init__(start, end)
        self.name = name
        self.body = body


class Pipeline(Node):
    """Commands joined by `|` or `|&`, with `!` or `time` in front.

    Attributes:
        commands: At least one, but for a lone `!` or `time`.
        negated: Whether an odd number of `!` stands in front.
        timed: Whether `time` stands in front.
    """

    __slots__ = ("commands", "negated", "timed")

    def __init__(
        self, start: int, end: int, commands: list[Command], negated: bool, timed: bool
    ) -> None:
        super().__init__(start, end)
        self.commands = commands
        self.negated = negated
        self.timed = timed


class Statement(Node):
    """Pipelines joined by `&&` and `||`, ended by newline, `;` or `&`.

    Attributes:
        pipelines: In order.
        operators: The `&&` or `||` before each but the first.
        background: Whether it ends in `&`.
    """

    __slots__ = ("background", "operators", "pipelines")

    def __init__(
        self,
        start: int,
        end: int,
        pipelines: list[Pipeline],
        operators: list[str],
        background: bool,
    ) -> None:
        super().__init__(start, end)
        self.pipelines = pipelines
        self.operators = operators
        self.background = background
