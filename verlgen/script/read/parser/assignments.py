"""Assignments and arrays."""

from __future__ import annotations

import re

from verlgen.script.read.parser import contexts
from verlgen.script.read.parser.conditions import Conditions
from verlgen.script.read.parser.words import merged
from verlgen.script.read.syntax import (
    Assignment,
    BadSubstitution,
    Literal,
    Part,
    Word,
)

_NAME = re.compile(r"([A-Za-z_](?:[A-Za-z0-9_]|\\\n)*)(?:(\+)?(?:\\\n)*(=)|(\[))")
_EQUALS = re.compile(r"(?:\\\n)*(\+)?(?:\\\n)*=")


class Assignments(Conditions):
    """Reads assignments."""

    def assignment(self, argument: bool, arrays: bool) -> Assignment | Word | None:
        """The assignment that begins here, or None.

        A Word comes back where something like `a[b c` turned out to be none: bash has read the
        subscript by then. `argument` tells that it stands behind `declare` or the like, `arrays`
        that it may be an array.
        """
        match = _NAME.match(self.text, self.pos, self.end)
        if match is None:
            return None
        start = self.pos
        name = match.group(1).replace("\\\n", "")
        self.pos = match.end()
        if match.group(3):
            return self._value(start, name, None, match.group(2) is not None, arrays)
        context = contexts.ARGUMENT_INDEX if argument else contexts.INDEX
        index = self.region(context)
        if self.peek() != "]":
            if not argument:
                self.unclosed("[", match.start(4))
            return self._no_assignment(start, index)
        equals = _EQUALS.match(self.text, self.pos + 1, self.end)
        if equals is None:
            return self._no_assignment(start, index)
        self.pos = equals.end()
        return self._value(start, name, index, equals.group(1) is not None, arrays)

    def _no_assignment(self, start: int, index: Word) -> Word:
        """The word that begins with what looked like a subscript."""
        parts: list[Part] = [Literal(start, index.start, self.text[start : index.start])]
        parts += index.parts
        self.parts(contexts.WORD, parts)
        return self.finish(start, merged(parts))

    def _value(
        self, start: int, name: str, index: Word | None, append: bool, arrays: bool
    ) -> Assignment:
        """What stands behind the `=`."""
        begin = self.joins(self.pos)
        if arrays and self.text.startswith("(", begin, self.end):
            return self._array(start, begin, name, index, append)
        value = self._scalar([])
        end = max(value.end, self.pos if not value.parts else 0)
        return Assignment(start, end, name, index, append, value, None)

    def _scalar(self, parts: list[Part]) -> Word:
        """The value up to the end of the word, behind any parts of it."""
        start = parts[0].start if parts else self.pos
        self.parts(contexts.WORD, parts)
        return self.finish(start, parts)

    def _array(
        self, start: int, begin: int, name: str, index: Word | None, append: bool
    ) -> Assignment:
        self.pos = begin + 1
        elements = self._elements(begin)
        if self.at_word() or self.peek() == "(":
            # `a=(b)c` is a plain value in bash, parentheses and all.
            text = self.text[begin : self.pos]
            odd = BadSubstitution(begin, self.pos, text, "text behind an array")
            value = self._scalar([odd])
            return Assignment(start, value.end, name, index, append, value, None)
        return Assignment(start, self.pos, name, index, append, None, elements)

    def _elements(self, begin: int) -> list[tuple[Word | None, bool, Word]]:
        """The elements of an array, its closing parenthesis included."""
        self.enter("(", begin)
        elements: list[tuple[Word | None, bool, Word]] = []
        while True:
            self.newlines()
            char = self.peek()
            if char == ")":
                break
            if not self.at_word() or self.at_number():
                self.unexpected()
            elements.append(self._element(char))
        self.pos += 1
        self.leave()
        return elements

    def _element(self, char: str) -> tuple[Word | None, bool, Word]:
        if char != "[":
            return None, False, self.word()
        start = self.pos
        self.pos += 1
        index = self.region(contexts.INDEX)
        if self.peek() != "]":
            self.unclosed("[", start)
        equals = _EQUALS.match(self.text, self.pos + 1, self.end)
        if equals is None:
            return None, False, self._no_assignment(start, index)
        self.pos = equals.end()
        return index, equals.group(1) is not None, self._scalar([])

    def array_text(self) -> Word | None:
        """`a=(b c)` behind `eval` and the like: one word of text."""
        match = _NAME.match(self.text, self.pos, self.end)
        if match is None or not match.group(3):
            return None
        start = self.pos
        begin = self.joins(match.end())
        if not self.text.startswith("(", begin, self.end):
            return None
        self.pos = begin + 1
        parts: list[Part] = [Literal(start, begin + 1, f"{match.group(1)}{match.group(2) or ''}=(")]
        for index, _, value in self._elements(begin):
            if index is not None:
                parts += [self._gap(parts[-1].end, index.start), *index.parts]
            parts += [self._gap(parts[-1].end, value.start), *value.parts]
        parts.append(self._gap(parts[-1].end, self.pos))
        self.parts(contexts.WORD, parts)
        return self.finish(start, merged(parts))

    def _gap(self, start: int, end: int) -> Literal:
        """What stands between elements, as text; a comment is no part of it."""
        text = self.text[start:end]
        if "#" in text or "\n" in text:
            text = text[-1] if text[-1] in "[)" else " "
        return Literal(start, end, text)
