"""`[[ … ]]`, which has a grammar of its own."""

from __future__ import annotations

import re

from verlgen.script.read.parser import contexts
from verlgen.script.read.parser.expansions import literal
from verlgen.script.read.parser.redirections import Redirections
from verlgen.script.read.syntax import Condition, Part, Test, Word

_UNARY = frozenset(f"-{letter}" for letter in "abcdefghknoprstuvwxzGLNORS")
_BINARY = frozenset(
    ["=", "==", "!=", "=~", "-nt", "-ot", "-ef", "-eq", "-ne", "-lt", "-le", "-gt", "-ge"]
)
_CLOSE = re.compile(r"\]\](?:\\\n)*(?=[ \t\n;&|()<>]|\Z)")
_NOT = re.compile(r"!(?:\\\n)*(?=[ \t\n;&|()<>]|\Z)")


class Conditions(Redirections):
    """Reads `[[ … ]]`."""

    def test(self, start: int) -> Test:
        """`[[ … ]]`, behind its opening brackets."""
        self.enter("[[", start)
        extglob, self.extglob = self.extglob, True
        condition = self._or()
        self.extglob = extglob
        self.blanks()
        match = _CLOSE.match(self.text, self.pos, self.end)
        if match is None:
            self.unexpected()
        self.pos = match.end()
        self.leave()
        return Test(start, self.pos, condition)

    def _or(self) -> Condition:
        return self._chain("||")

    def _chain(self, operator: str) -> Condition:
        """Conditions joined by one operator, as one node."""
        self.newlines()
        start = self.pos
        operands: list[Condition | Word] = []
        while True:
            operands.append(self._chain("&&") if operator == "||" else self._term())
            self.blanks()
            found, end = self.operator()
            if found != operator:
                break
            self.pos = end
            self.newlines()
        first = operands[0]
        if len(operands) == 1 and isinstance(first, Condition):
            return first
        return Condition(start, operands[-1].end, operator, operands)

    def _term(self) -> Condition:
        """One condition, with any `!` in front of it."""
        start = self.pos
        negations: list[int] = []
        while match := _NOT.match(self.text, self.pos, self.end):
            negations.append(self.pos)
            self.pos = match.end()
            self.newlines()
        condition = self._parenthesized() if self.peek() == "(" else self._primary()
        if len(negations) % 2:
            condition = Condition(start, condition.end, "!", [condition])
        elif negations:
            condition.start = start
        return condition

    def _parenthesized(self) -> Condition:
        start = self.pos
        self.enter("(", start)
        self.pos += 1
        inner = self._or()
        self.newlines()
        if self.peek() != ")":
            self.unexpected()
        self.pos += 1
        self.leave()
        inner.start, inner.end = start, self.pos
        self.newlines()
        return inner

    def _primary(self) -> Condition:
        """A unary or binary test, or a lone word."""
        first = self._operand()
        text = literal(first)
        if text in _UNARY:
            self.blanks()
            operand = self._operand()
            self.newlines()
            return Condition(first.start, operand.end, text or "", [operand])
        self.blanks()
        operator = self._operator()
        if not operator:
            found = self.operator()[0]
            if found not in ("&&", "||", ")") and not _CLOSE.match(self.text, self.pos, self.end):
                self.unexpected()
            return Condition(first.start, first.end, "", [first])
        self.blanks()
        second = self._regex() if operator == "=~" else self._operand()
        self.newlines()
        return Condition(first.start, second.end, operator, [first, second])

    def _operator(self) -> str:
        """The binary operator that stands here, if there is one."""
        found, end = self.operator()
        if found in ("<", ">") and not self.at_word():
            self.pos = end
            return found
        if found or not self.at_word() or _CLOSE.match(self.text, self.pos, self.end):
            return ""
        operator = literal(self.word())
        if operator not in _BINARY:
            self.unexpected()
        return operator or ""

    def _operand(self) -> Word:
        if not self.at_word() or self.at_number() or _CLOSE.match(self.text, self.pos, self.end):
            self.unexpected()
        return self.word()

    def _regex(self) -> Word:
        """The right side of `=~`: parentheses and bars belong to it."""
        start = self.pos
        if _CLOSE.match(self.text, start, self.end):
            self.unexpected()
        parts: list[Part] = []
        self.parts(contexts.REGEX, parts)
        if not parts:
            self.unexpected()
        return self.finish(start, parts)
