"""Compound commands."""

from __future__ import annotations

import re

from verlgen.script.read.parser import contexts
from verlgen.script.read.parser.commands import Commands
from verlgen.script.read.parser.cursor import RESERVED
from verlgen.script.read.syntax import (
    ArithmeticCommand,
    ArithmeticFor,
    Case,
    Command,
    For,
    Function,
    Group,
    If,
    Statement,
    Subshell,
    While,
    Word,
)

_COPROC_NAME = re.compile(
    r"[^ \t\n;&|()<>\\'\"`$]+[ \t]+(?=\(|(?:[{!]|\[\[|[a-z]+)(?:[ \t\n;&|()<>]|\Z))"
)
_COMPOUND = frozenset(["if", "case", "for", "select", "while", "until", "{", "[["])
_CALL = re.compile(r"\([ \t]*\)")


class Compounds(Commands):
    """Reads compound commands."""

    def compound(self) -> Command | None:
        """The compound command that begins here, with its redirections, or None."""
        word, end = self.keyword()
        if word:
            found = self._reserved(word, self.pos, end)
        elif self.peek() == "(":
            found = self._parenthesis()
        else:
            return None
        if word not in ("function", "coproc"):
            self.reserved_next = not self.redirections(found)
        return found

    def _reserved(self, word: str, start: int, end: int) -> Command:
        """The command that a reserved word begins."""
        if word not in _COMPOUND and word not in ("function", "coproc"):
            self.unexpected()
        self.pos = end
        if word == "if":
            return self._if(start)
        if word == "{":
            body = self._block(start, "}", "{")
            return Group(start, self.pos, body)
        if word in ("while", "until"):
            return self._while(start, word)
        if word in ("for", "select"):
            return self._for(start, word)
        if word == "case":
            return self._case(start)
        if word == "[[":
            return self.test(start)
        return self._function_word(start) if word == "function" else self._coproc(start)

    def expect(self, *words: str) -> str:
        """Read one of these reserved words."""
        word, end = self.keyword()
        if word not in words:
            self.unexpected()
        self.pos = end
        return word

    def _block(self, start: int, close: str, what: str) -> list[Statement]:
        """Commands up to and including a closing reserved word."""
        self.enter(what, start)
        body = self.body()
        self.expect(close)
        self.leave()
        return body

    def _if(self, start: int) -> Command:
        self.enter("if", start)
        branches: list[tuple[list[Statement], list[Statement]]] = []
        otherwise: list[Statement] | None = None
        word = "elif"
        while word == "elif":
            condition = self.body()
            self.expect("then")
            branches.append((condition, self.body()))
            word = self.expect("elif", "else", "fi")
        if word == "else":
            otherwise = self.body()
            self.expect("fi")
        self.leave()
        return If(start, self.pos, branches, otherwise)

    def _while(self, start: int, word: str) -> Command:
        self.enter(word, start)
        condition = self.body()
        do = self.pos
        self.expect("do")
        body = self._block(do, "done", "do")
        self.leave()
        return While(start, self.pos, condition, body, word == "until")

    # --- for, select --------------------------------------------------------------------------

    def _for(self, start: int, word: str) -> Command:
        self.enter(word, start)
        self.blanks()
        if word == "for" and self.peek() == "(":
            found = self._arithmetic_for(start)
        else:
            found = self._for_words(start, word == "select")
        self.leave()
        return found

    def _for_words(self, start: int, select: bool) -> Command:
        if not self.at_word() or self.at_number():
            self.unexpected()
        name = self.word()
        text = self.text[name.start : name.end].replace("\\\n", "")
        self.blanks()
        words: list[Word] | None = None
        if self.operator()[0] == ";":
            self.pos = self.operator()[1]
            self.newlines()
            body = self._do("do", "{")
        else:
            # A brace is a reserved word only behind a line end.
            closers = ("do", "{") if self.newlines() else ("do",)
            if self.keyword()[0] == "in":
                self.expect("in")
                words = self._for_list()
                closers = ("do", "{")
            body = self._do(*closers)
        return For(start, self.pos, text, words, body, select)

    def _for_list(self) -> list[Word]:
        """The words behind `in`, with the `;` or line end behind them."""
        words: list[Word] = []
        self.blanks()
        while self.at_word():
            if self.at_number():
                self.unexpected()
            words.append(self.word())
            self.blanks()
        operator, end = self.operator()
        if operator == ";":
            self.pos = end
        elif self.peek() != "\n":
            self.unexpected()
        self.newlines()
        return words

    def _do(self, *openers: str) -> list[Statement]:
        """`do … done` or `{ … }`."""
        start = self.pos
        word = self.expect(*openers)
        return self._block(start, "done" if word == "do" else "}", word)

    def _arithmetic_for(self, start: int) -> Command:
        begin = self.pos
        second = self.joins(begin + 1)
        if not self.text.startswith("(", second, self.end):
            self.pos = second
            self.unexpected()
        self.pos = second + 1
        sections = [self._section(begin, ";"), self._section(begin, ";"), self._section(begin, ")")]
        if self.peek() != ")":
            self.unexpected()
        self.pos += 1
        self.blanks()
        if self.operator()[0] == ";":
            self.pos = self.operator()[1]
        self.newlines()
        body = self._do("do", "{")
        return ArithmeticFor(start, self.pos, sections[0], sections[1], sections[2], body)

    def _section(self, begin: int, close: str) -> Word | None:
        """One of the three expressions, with the character behind it."""
        while self.peek() and self.peek() in " \t\n":
            self.pos += 1
        word = self.region(contexts.FOR_ARITHMETIC)
        if not self.peek():
            self.unclosed("((", begin)
        if self.peek() != close:
            self.unexpected()
        self.pos += 1
        return word if word.parts else None

    # --- case ---------------------------------------------------------------------------------

    def _case(self, start: int) -> Command:
        self.enter("case", start)
        self.blanks()
        if not self.at_word() or self.at_number():
            self.unexpected()
        word = self.word()
        self.newlines()
        self.expect("in")
        items: list[tuple[list[Word], list[Statement], str]] = []
        while True:
            self.newlines()
            if self.keyword()[0] == "esac":
                break
            items.append((self._patterns(), self.sequence(), self._item_end()))
            if not items[-1][2]:
                items[-1] = (*items[-1][:2], ";;")
                break
        self.expect("esac")
        self.leave()
        return Case(start, self.pos, word, items)

    def _patterns(self) -> list[Word]:
        """The patterns of an item, with the parentheses around them."""
        if self.peek() == "(":
            self.pos += 1
            self.blanks()
        patterns: list[Word] = []
        while True:
            if not self.at_word() or self.at_number():
                self.unexpected()
            patterns.append(self.word())
            self.blanks()
            operator, end = self.operator()
            if operator not in ("|", ")"):
                self.unexpected()
            self.pos = end
            if operator == ")":
                return patterns
            self.blanks()

    def _item_end(self) -> str:
        """The operator that ends an item, or "" where only `esac` does."""
        operator, end = self.operator()
        if operator not in (";;", ";&", ";;&"):
            return ""
        self.pos = end
        return operator

    # --- parentheses --------------------------------------------------------------------------

    def _parenthesis(self) -> Command:
        """`((…))` or `(…)`."""
        start = self.pos
        second = self.joins(start + 1)
        if self.text.startswith("(", second, self.end) and start not in self.not_arithmetic:
            found = self._arithmetic(start, second)
            if found is not None:
                return found
        self.pos = start + 1
        self.enter("(", start)
        body = self.body()
        if self.peek() != ")":
            self.unexpected()
        self.pos += 1
        self.leave()
        return Subshell(start, self.pos, body)

    def _arithmetic(self, start: int, second: int) -> Command | None:
        self.enter("((", start)
        self.pos = second + 1
        expression = self.region(contexts.ARITHMETIC)
        if self.pos >= self.end:
            self.unclosed("((", start)
        self.leave()
        close = self.joins(self.pos + 1)
        if not self.text.startswith(")", close, self.end):
            self.not_arithmetic[start] = self.pos
            return None
        self.pos = close + 1
        return ArithmeticCommand(start, self.pos, expression)

    # --- function, coproc -----------------------------------------------------------------------

    def _function_word(self, start: int) -> Command:
        self.blanks()
        if not self.at_word() or self.at_number():
            self.unexpected()
        name = self.word()
        self.blanks()
        match = _CALL.match(self.text, self.pos, self.end)
        if match:
            self.pos = match.end()
        return self.function_body(start, name)

    def _coproc(self, start: int) -> Command:
        """`coproc [NAME] command`: the command itself stands for it."""
        self.blanks()
        named = _COPROC_NAME.match(self.text, self.pos, self.end)
        word = self.keyword()[0]
        if named and word not in RESERVED:
            begin = self.pos
            self.pos = named.end()
            if self.keyword()[0] == "!":
                self.unexpected()
            if self.keyword()[0] not in _COMPOUND and self.peek() != "(":
                self.pos = begin
        elif word == "time":
            return self.simple()
        elif word in ("function", "coproc"):
            self.unexpected()
        found = self.command()
        if isinstance(found, Function):
            self.pos = found.start  # bash takes the name for that of the coprocess
            self.unexpected()
        found.start = start
        return found
