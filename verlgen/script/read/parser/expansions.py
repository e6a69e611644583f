"""`$…` and backquotes."""

from __future__ import annotations

import re

from verlgen.script.read.parser import contexts
from verlgen.script.read.parser.contexts import Context
from verlgen.script.read.parser.problem import SyntaxProblem
from verlgen.script.read.parser.words import LITERAL, Special, Words
from verlgen.script.read.syntax import (
    Arithmetic,
    BadSubstitution,
    CommandSubstitution,
    Literal,
    Parameter,
    Part,
    Quoted,
    Statement,
    Word,
)

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NAME_REST = re.compile(r"[A-Za-z0-9_]*")
_DIGITS = re.compile(r"[0-9]+")
_WHOLE = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")
_OPERATOR = re.compile(r":(?:\\\n)*[-=?+]|[-=?+:@]|##?|%%?|\^\^?|,,?|~~?|/[/#%]?")
_BACKQUOTES = re.compile(r"`([^`\\]*(?:\\.[^`\\]*)*)`", re.DOTALL)
# A backslash-newline pair goes too, even where it stands in single quotes there.
_UNESCAPE = re.compile(r"\\(?:([$`\\])|\n)")
_UNESCAPE_QUOTED = re.compile(r"\\(?:([$`\\\"])|\n)")
_AGAIN = re.compile(r"[$`\"'\\}]")
_SPECIAL = frozenset("@*#?-$!")
_DOUBLED = frozenset(["##", "%%", "//", "/#", "/%", "^^", ",,", "~~"])
_DEFAULTS = frozenset("-=?+")
_PATTERNS = frozenset("#%^,~")


class Expansions(Words):
    """Reads expansions."""

    def __init__(self, text: str, start: int, depth: int) -> None:
        super().__init__(text, start, depth)
        # Offsets of `((` that turned out to be no arithmetic, with where it ended: without this
        # each level would be read twice, and so the innermost of n levels 2**n times.
        self.not_arithmetic: dict[int, int] = {}

    def dollar(self, context: Context) -> Special:
        """What the `$` here begins."""
        start = self.pos
        text, end = self.text, self.end
        pos = start + 1
        if pos < end and text[pos] == "\\":
            pos = self.joins(pos)
        char = text[pos] if pos < end else ""
        self.pos = pos
        match = _NAME.match(text, pos, end)
        if match:
            name = self._name_from(match)
            return Parameter(start, self.pos, name)
        if char == "{":
            return self._brace(start, context.quoted)
        if char == "(":
            return self._dollar_parenthesis(start, context.quoted)
        if char and (char in _SPECIAL or "0" <= char <= "9"):
            self.pos = pos + 1
            return Parameter(start, pos + 1, char)
        if char == "[":
            return self._old_arithmetic(start)
        if char == "'" and context is contexts.QUOTED_BRACE:
            return self._ansi_in_brace(start)
        if char == "'" and (not context.quoted or context.apostrophes):
            part = self.ansi(start)
            return LITERAL if context.quoted else part  # an error, in arithmetic
        if char == '"' and (not context.quoted or context is contexts.QUOTED_BRACE):
            return self.double(start, context.inner or contexts.DOUBLE)
        self.pos = start + 1
        return LITERAL

    def _ansi_in_brace(self, start: int) -> Part:
        """`$'…'` in `"${X:-…}"`, where bash reads what it decodes to as if it were written."""
        part = self.ansi(start)
        if isinstance(part, Quoted) and _AGAIN.search(part.text):
            text = self.text[start : self.pos]
            return BadSubstitution(start, self.pos, text, "bash reads what this means once more")
        return part

    def _name_from(self, match: re.Match[str]) -> str:
        """The name that a match begins, which backslash-newline pairs may interrupt."""
        name, pos = match.group(), match.end()
        while pos < self.end and self.text[pos] == "\\" and (after := self.joins(pos)) != pos:
            more = _NAME_REST.match(self.text, after, self.end)
            if not more or not more.group():
                break
            name, pos = name + more.group(), more.end()
        self.pos = pos
        return name

    # --- ${…} ---------------------------------------------------------------------------------

    def _brace(self, start: int, quoted: bool) -> Part:
        """`${…}`, from its brace."""
        match = _WHOLE.match(self.text, self.pos, self.end)
        if match:
            self.pos = match.end()
            return Parameter(start, self.pos, match.group(1), braces=True)
        self.enter("${", start)
        self.pos = self.joins(self.pos + 1)
        part = self._braced(start, quoted)
        if part is None:
            part = self._bad(start, quoted)
        self.leave()
        return part

    def _bad(self, start: int, quoted: bool) -> Part:
        """A `${…}` that means nothing: bash says so only when it expands it."""
        self.region(contexts.QUOTED_BRACE if quoted else contexts.BRACE)
        if self.pos >= self.end:
            self.unclosed("${", start)
        self.pos += 1
        text = self.text[start : self.pos]
        return BadSubstitution(start, self.pos, text, "bad substitution")

    def _closing(self, start: int) -> bool:
        """Step over the closing brace if it stands here."""
        if self.pos >= self.end:
            self.unclosed("${", start)
        if self.text[self.pos] != "}":
            return False
        self.pos += 1
        return True

    def _after(self, pos: int) -> str:
        """The character at an offset, behind backslash-newline pairs."""
        pos = self.joins(pos)
        return self.text[pos] if pos < self.end else ""

    def _braced(self, start: int, quoted: bool) -> Part | None:
        """What stands in `${…}`, closing brace included; None leaves the rest to `_bad`."""
        if self.pos >= self.end:
            self.unclosed("${", start)
        first = self.text[self.pos]
        second = self._after(self.pos + 1)
        length = indirect = False
        if first == "#" and self._is_length(second):
            length = True
            self.pos = self.joins(self.pos + 1)
        elif first == "!" and self._is_indirect(second):
            indirect = True
            self.pos = self.joins(self.pos + 1)
        begin = self.pos
        name = self._parameter_name()
        if name is None:
            return None
        part = Parameter(start, start, name, length=length, indirect=indirect, braces=True)
        self.pos = self.joins(self.pos)
        if self.peek() == "[" and (name[0].isalpha() or name[0] == "_"):
            self.pos += 1
            part.index = self.region(contexts.BRACE_INDEX)
            if self.peek() != "]" or part.index.start == self.pos:
                return None
            self.pos = self.joins(self.pos + 1)
        if self._closing(start) or self._all_names(part):
            part.end = self.pos
            return part
        if part.index is None and not _OPERATOR.match(self.text, self.pos, self.end):
            self.pos = begin  # what seemed a name may begin an expansion, as in `${${X}}`
            return None
        if length or not self._operation(part, quoted):
            return None
        part.end = self.pos
        return part

    def _is_length(self, second: str) -> bool:
        """Whether the `#` here asks for a length rather than being `$#`."""
        if not second:
            return False
        if second in _SPECIAL:
            return self._after(self.joins(self.pos + 1) + 1) == "}"
        return second == "_" or (second.isascii() and second.isalnum())

    def _is_indirect(self, second: str) -> bool:
        """Whether the `!` here is an indirection rather than `$!`."""
        if not second:
            return False
        if second in "#?@*":
            third = self._after(self.joins(self.pos + 1) + 1)
            return third in "}:-=+%/" or (second != "?" and third == "#")
        return second == "_" or (second.isascii() and second.isalnum())

    def _parameter_name(self) -> str | None:
        """The name in `${…}`."""
        match = _NAME.match(self.text, self.pos, self.end)
        if match:
            return self._name_from(match)
        match = _DIGITS.match(self.text, self.pos, self.end)
        if match:
            self.pos = match.end()
            return match.group()
        char = self.peek()
        if char and char in _SPECIAL:
            self.pos += 1
            return char
        return None

    def _operation(self, part: Parameter, quoted: bool) -> bool:
        """The operator and what stands behind it, closing brace included."""
        match = _OPERATOR.match(self.text, self.pos, self.end)
        if match is None:
            return False
        operator = match.group().replace("\\\n", "")
        self.pos = match.end()
        if self.text.startswith("\\\n", self.pos, self.end):  # `#\<newline>#` is `##`
            after = self.joins(self.pos)
            if self.text[after : after + 1] and operator + self.text[after] in _DOUBLED:
                operator, self.pos = operator + self.text[after], after + 1
        if part.name == "#" and operator in (":", "%", "=", "+", "/") and self.peek() == "}":
            return False
        part.operator = operator
        if operator == ":":
            return self._substring(part)
        kind = operator[-1] if operator[0] == ":" else operator[0]
        if kind in _DEFAULTS or kind == "@":
            context = contexts.QUOTED_BRACE if quoted else contexts.BRACE
        else:
            context = contexts.BRACE if kind in _PATTERNS else contexts.BRACE_PATTERN
        part.argument = self.region(context)
        if context is contexts.BRACE_PATTERN and self.peek() == "/":
            self.pos += 1
            part.second = self.region(contexts.BRACE)
        return self._closing(part.start)

    def _all_names(self, part: Parameter) -> bool:
        """`@}` or `*}` behind `${!X`: the names that begin with X."""
        if not part.indirect or part.index or not (part.name[0].isalpha() or part.name[0] == "_"):
            return False
        if not self.text.startswith(("@}", "*}"), self.pos, self.end):
            return False
        part.prefix = self.text[self.pos]
        self.pos += 2
        return True

    def _substring(self, part: Parameter) -> bool:
        """Offset and length, behind the colon."""
        if self.peek() == "}":
            return False
        part.argument = self.region(contexts.OFFSET)
        if self.peek() == ":":
            self.pos += 1
            part.second = self.region(contexts.OFFSET)
            while self.peek() == ":":  # bash takes the rest for one expression that is an error
                self.pos += 1
                self.region(contexts.OFFSET)
                part.second = Word(part.second.start, self.pos, part.second.parts)
        return self._closing(part.start)

    # --- $(…), $((…)), $[…] and backquotes ------------------------------------------------------

    def statements(self, text: str) -> list[Statement]:
        """The commands of another text, inside of this one."""
        raise NotImplementedError

    def _dollar_parenthesis(self, start: int, quoted: bool) -> Part:
        """`$(…)` or `$((…))`, from its first parenthesis."""
        inside = self.pos + 1
        second = self.joins(inside)
        if second < self.end and self.text[second] == "(":
            return self._double_parenthesis(start, inside, second)
        self.pos = inside
        body = self.substitution("$(", start)
        return CommandSubstitution(start, self.pos, self.text[inside : self.pos - 1], body)

    def _double_parenthesis(self, start: int, inside: int, second: int) -> Part:
        """`$((…))`, or a `$(` whose commands begin with a parenthesis."""
        stop = self.not_arithmetic.get(start)
        if stop is None:
            self.enter("$((", start)
            self.pos = second + 1
            expression = self._expression("$((", start)
            close = self.joins(self.pos + 1)
            if close < self.end and self.text[close] == ")":
                self.pos = close + 1
                self.leave()
                return Arithmetic(start, self.pos, expression)
            # Bash takes what it has read so far, up to the parenthesis that closes `$(`, and
            # looks at the commands in it only when it expands them.
            self.pos += 1
            self._expression("$(", start)
            self.leave()
            stop = self.not_arithmetic[start] = self.pos
        text = self.text[inside:stop]
        saved = self.narrow(inside, stop + 1)
        try:
            body = self.substitution("$(", start)
            complete = self.pos == stop + 1
            message = "unexpected `)`"
        except SyntaxProblem as problem:
            complete, message = False, problem.message
        finally:
            self.widen(saved)
        self.pos = stop + 1
        if not complete:
            return BadSubstitution(start, self.pos, self.text[start : self.pos], message)
        return CommandSubstitution(start, self.pos, text, body)

    def _expression(self, what: str, start: int) -> Word:
        """An arithmetic expression up to the `)` that closes it, which is not read."""
        word = self.region(contexts.ARITHMETIC)
        if self.pos >= self.end:
            self.unclosed(what, start)
        return word

    def _old_arithmetic(self, start: int) -> Part:
        """`$[…]`, from its bracket."""
        self.enter("$[", start)
        self.pos += 1
        expression = self.region(contexts.OLD_ARITHMETIC)
        if self.pos >= self.end:
            self.unclosed("$[", start)
        self.pos += 1
        self.leave()
        return Arithmetic(start, self.pos, expression)

    def backquotes(self, quoted: bool) -> Part:
        """Commands between backquotes."""
        start = self.pos
        match = _BACKQUOTES.match(self.text, start, self.end)
        if match is None:
            self.unclosed("backquote", start)
        text = match.group(1)
        self.pos = match.end()
        pattern = _UNESCAPE_QUOTED if quoted else _UNESCAPE
        self.enter("backquote", start)
        try:
            body = self.statements(pattern.sub(r"\1", text))
        except SyntaxProblem as problem:
            self.leave()
            whole = self.text[start : self.pos]
            return BadSubstitution(start, self.pos, whole, problem.message)
        self.leave()
        return CommandSubstitution(start, self.pos, text, body, offsets=False)


def literal(word: Word) -> str | None:
    """The text of a word of nothing but unquoted text, else None."""
    if len(word.parts) == 1 and isinstance(word.parts[0], Literal):
        return word.parts[0].text
    if all(isinstance(part, Literal) for part in word.parts):
        return "".join(part.text for part in word.parts if isinstance(part, Literal))
    return None
