"""Words: literal text, quotes, and the loop that all places with such text share."""

from __future__ import annotations

import re
from typing import Union

from verlgen.script.read.parser import ansi, contexts
from verlgen.script.read.parser.contexts import Context
from verlgen.script.read.parser.cursor import BREAKS, Cursor
from verlgen.script.read.parser.problem import SyntaxProblem
from verlgen.script.read.syntax import (
    BadSubstitution,
    DoubleQuoted,
    Literal,
    Part,
    ProcessSubstitution,
    Quoted,
    Statement,
    Word,
)

_PLAIN = re.compile(r"[^ \t\n;&|()<>\\'\"`$]+")
# Where a plain word may end: `<` and `(` need a second look.
_ENDS = frozenset(" \t\n;&|)")
_SINGLE = re.compile(r"'([^']*)'")
_ANSI = re.compile(r"'((?:[^'\\]|\\.)*)'", re.DOTALL)
_PLAIN_DOUBLE = re.compile(r'"([^"\\$`]+)"')
_SPECIAL_QUOTED = re.compile(r"[\\`$\"]")
_ESCAPABLE = frozenset('$`"\\')
_EMPTY_CALL = re.compile(r"\([ \t]*\)")


class Mark:
    """What a special character can turn out to be besides a part."""


LITERAL = Mark()  # ordinary text up to the position
DROPPED = Mark()  # nothing at all up to the position
END = Mark()  # the end of the text

Special = Union[Part, "list[Part]", Mark]


def merged(parts: list[Part]) -> list[Part]:
    """The parts with neighbouring Literals joined (those with a dropped pair between them not)."""
    out: list[Part] = []
    for part in parts:
        last = out[-1] if out else None
        if isinstance(part, Literal) and isinstance(last, Literal) and last.end == part.start:
            out[-1] = Literal(last.start, part.end, last.text + part.text)
        else:
            out.append(part)
    return out


class Words(Cursor):
    """Reads words and their parts."""

    # Where the first word of the command begins that is being read: `f@()` is a function there.
    _command_word = -1

    def word(self) -> Word:
        """The word that begins here; it must be one."""
        start = self.pos
        match = _PLAIN.match(self.text, start, self.end)
        if match:
            end = match.end()
            if end == self.end or self.text[end] in _ENDS:
                self.pos = end
                return Word(start, end, [Literal(start, end, match.group())])
        parts: list[Part] = []
        self.parts(contexts.WORD, parts)
        if not parts and self.pos == start:
            self.unexpected()
        return self.finish(start, parts)

    def finish(self, start: int, parts: list[Part]) -> Word:
        """A word of these parts; backslash-newline pairs behind the last do not belong to it."""
        return Word(start, parts[-1].end if parts else start, parts)

    def region(self, context: Context) -> Word:
        """The text up to what closes the context, as a Word; the closing character is not read."""
        start = self.pos
        parts: list[Part] = []
        self.parts(context, parts)
        return Word(start, self.pos, parts)

    def parts(self, context: Context, parts: list[Part]) -> None:
        """Read text up to what closes the context or the end, and append its parts."""
        text, end, run = self.text, self.end, context.run
        literal = pos = self.pos
        level = 0
        while True:
            match = run.match(text, pos, end)
            if match:
                pos = match.end()
            if pos >= end:
                break
            char = text[pos]
            if char in context.open:
                level += 1
                pos += 1
                continue
            if level and char in context.pair:
                level -= 1
                pos += 1
                continue
            if char in context.close and not (level and char in context.shallow):
                break
            if char in context.pair or char in context.shallow:
                pos += 1
                continue
            self.pos = pos
            got = self._special(char, context, pos > literal)
            if got is LITERAL:
                pos = self.pos
                continue
            if got is END:
                break
            if literal < pos:
                parts.append(Literal(literal, pos, text[literal:pos]))
            if isinstance(got, list):
                parts.extend(got)
            elif not isinstance(got, Mark):
                parts.append(got)
            pos = literal = self.pos
        if literal < pos:
            parts.append(Literal(literal, pos, text[literal:pos]))
        self.pos = pos

    def _special(self, char: str, context: Context, follows: bool) -> Special:
        """What a special character is the beginning of; `follows` ordinary text or not."""
        if char == "$":
            return self.dollar(context)
        if char == "\\":
            return self._backslash(context)
        if char == "`":
            return self.backquotes(context.quoted)
        if char == '"':
            if not context.quoted:
                return self.double(self.pos, contexts.DOUBLE)
            if context.inner is not None:
                return self.double(self.pos, context.inner)
            self.pos += 1  # between apostrophes, bash just takes it away
            return DROPPED
        if char == "'":
            return self._apostrophes(context) if context.apostrophes else self._single()
        if char == "(":
            return self._group(context, follows)
        return self._angle(context)

    def dollar(self, context: Context) -> Special:
        """What the `$` here begins."""
        raise NotImplementedError

    def backquotes(self, quoted: bool) -> Part:
        """Commands between backquotes."""
        raise NotImplementedError

    def substitution(self, what: str, start: int) -> list[Statement]:
        """The commands of `$(` or `<(` up to and including the `)`."""
        raise NotImplementedError

    # --- quotes -------------------------------------------------------------------------------

    def _backslash(self, context: Context) -> Special:
        pos = self.pos
        if pos + 1 >= self.end:
            # Only in a text without a last line end, such as that of `bash -c`.
            self.pos = pos + 1
            return Quoted(pos, pos + 1, "\\", pos)
        char = self.text[pos + 1]
        self.pos = pos + 2
        if char == "\n":
            return DROPPED
        if not context.quoted or context.bare_escapes or char in _ESCAPABLE:
            # A here-document keeps the backslash of `\"`.
            if char == '"' and context in (contexts.DOCUMENT, contexts.DOCUMENT_LINE):
                return LITERAL
            return Quoted(pos, pos + 2, char, pos + 1)
        if char == "}" and context in contexts.BRACE_ESCAPES:
            return Quoted(pos, pos + 2, char, pos + 1)
        return LITERAL

    def _single(self) -> Part:
        pos = self.pos
        match = _SINGLE.match(self.text, pos, self.end)
        if match is None:
            self.unclosed("quote '", pos)
        self.pos = match.end()
        return Quoted(pos, self.pos, match.group(1), pos + 1)

    def ansi(self, start: int) -> Part:
        """`$'…'`, from the apostrophe that stands here."""
        match = _ANSI.match(self.text, self.pos, self.end)
        if match is None:
            self.unclosed("quote $'", start)
        self.pos = match.end()
        text = match.group(1)
        if "\\" in text:
            return Quoted(start, self.pos, ansi.decode(text), None)
        return Quoted(start, self.pos, text, match.start(1))

    def double(self, start: int, context: Context) -> Part:
        """`"…"`, from the quote that stands here."""
        pos = self.pos
        match = _PLAIN_DOUBLE.match(self.text, pos, self.end)
        if match:
            self.pos = match.end()
            inner: Part = Literal(pos + 1, self.pos - 1, match.group(1))
            return DoubleQuoted(start, self.pos, [inner])
        parts: list[Part] = []
        self.pos = pos + 1
        self.parts(context, parts)
        if self.pos >= self.end:
            self.unclosed('quote "', start)
        self.pos += 1
        return DoubleQuoted(start, self.pos, parts)

    def _apostrophes(self, context: Context) -> Special:
        """Apostrophes that stand for themselves, but hide what would end the text."""
        start = self.pos
        stop = self.text.find("'", start + 1, self.end)
        if stop < 0:
            self.unclosed("quote '", start)
        if not _SPECIAL_QUOTED.search(self.text, start + 1, stop):
            self.pos = stop + 1
            return LITERAL
        parts: list[Part] = [Literal(start, start + 1, "'")]
        brace = context is contexts.QUOTED_BRACE
        inner = contexts.BRACE_APOSTROPHES if brace else contexts.APOSTROPHES
        parts += self.bounded(start + 1, stop, inner)
        parts.append(Literal(stop, stop + 1, "'"))
        self.pos = stop + 1
        return merged(parts)

    def bounded(self, start: int, stop: int, context: Context) -> list[Part]:
        """The parts between two offsets. Bash reads such text only as it expands it."""
        parts: list[Part] = []
        saved = self.narrow(start, stop)
        try:
            self.parts(context, parts)
        except SyntaxProblem as problem:
            parts = [BadSubstitution(start, stop, self.text[start:stop], problem.message)]
        finally:
            self.widen(saved)
        return parts

    # --- what else a character can begin --------------------------------------------------------

    def _group(self, context: Context, follows: bool) -> Special:
        """An extended glob, or a group in a regular expression."""
        pos = self.pos
        if context is contexts.WORD:
            if not follows or not self.extglob or self.text[pos - 1] not in "?*+@!":
                return END
            if self._command_word >= 0 and _EMPTY_CALL.match(self.text, pos, self.end):
                return END
        return self.parentheses()

    def parentheses(self) -> list[Part]:
        """Parenthesized text that belongs to a word, with its parentheses."""
        pos = self.pos
        self.enter("(", pos)
        parts: list[Part] = [Literal(pos, pos + 1, "(")]
        self.pos = pos + 1
        self.parts(contexts.PARENTHESES, parts)
        if self.pos >= self.end:
            self.unclosed("(", pos)
        parts.append(Literal(self.pos, self.pos + 1, ")"))
        self.pos += 1
        self.leave()
        return parts

    def _angle(self, context: Context) -> Special:
        """`<( )` or `>( )`, or a redirection that ends the word."""
        pos = self.pos
        after = self.joins(pos + 1)
        if after >= self.end or self.text[after] != "(":
            if context is contexts.WORD:
                return END
            self.pos = pos + 1
            return LITERAL
        self.pos = after + 1
        body = self.substitution("(", pos)
        return ProcessSubstitution(pos, self.pos, self.text[pos : self.pos], body)

    def at_number(self) -> bool:
        """Whether the digits here belong to a redirection that must not stand here."""
        return _NUMBER.match(self.text, self.pos, self.end) is not None

    def at_word(self) -> bool:
        """Whether a word begins here."""
        char = self.peek()
        if not char:
            return False
        if char in "<>":
            after = self.joins(self.pos + 1)
            return after < self.end and self.text[after] == "("
        return char not in BREAKS


_NUMBER = re.compile(r"(?:[0-9]+|\{[A-Za-z_][A-Za-z0-9_]*(?:\[[^\]\s]*\])?\})[<>](?!\()")
