"""Redirections and here-documents."""

from __future__ import annotations

import re

from verlgen.script.read.parser import contexts
from verlgen.script.read.parser.cursor import Document
from verlgen.script.read.parser.expansions import Expansions
from verlgen.script.read.parser.problem import SyntaxProblem
from verlgen.script.read.syntax import (
    BadSubstitution,
    Command,
    DoubleQuoted,
    Literal,
    Part,
    Quoted,
    Redirection,
    Word,
)

_REDIRECTION = re.compile(
    r"([0-9]+|\{[A-Za-z_][A-Za-z0-9_]*(?:\[[^\]\s]*\])?\})?"
    r"(?=[<>])|(?=&(?:\\\n)*>)"
)
_OPERATORS = frozenset(["<", ">", ">>", ">|", "<>", "<&", ">&", "&>", "&>>", "<<", "<<-", "<<<"])
_BEGINNINGS = frozenset("<>&{0123456789")
_TABS = re.compile(r"\t*")


class Redirections(Expansions):
    """Reads redirections, and the bodies of here-documents once their line is over."""

    def redirection(self) -> Redirection | None:
        """The redirection that begins here, or None."""
        start = self.pos
        char = self.peek()
        if not char or char not in _BEGINNINGS:
            return None
        match = _REDIRECTION.match(self.text, start, self.end)
        if match is None:
            return None
        self.pos = match.end()
        operator, end = self.operator()
        if operator not in _OPERATORS or (
            operator in ("<", ">") and self.text.startswith("(", self.joins(end), self.end)
        ):
            self.pos = start
            return None
        self.pos = end
        self.blanks()
        if (operator not in ("<&", ">&") and self.at_number()) or not self.at_word():
            self.unexpected()
        target = self.word()
        descriptor = match.group(1) or ""
        found = Redirection(start, target.end, descriptor, operator, target)
        if operator in ("<<", "<<-"):
            self._await(found)
        return found

    def redirections(self, command: Command) -> bool:
        """Read the redirections behind a compound command; whether there are any."""
        self.blanks()
        while (found := self.redirection()) is not None:
            command.redirections.append(found)
            command.end = found.end
            self.blanks()
        return bool(command.redirections)

    def implied(self, command: Command, start: int, end: int) -> None:
        """The `2>&1` that `|&` means; its place is the operator's."""
        target = Word(start, end, [Literal(start, end, "1")])
        command.redirections.append(Redirection(start, end, "2", ">&", target))

    # --- here-documents -----------------------------------------------------------------------

    def _await(self, redirection: Redirection) -> None:
        word = redirection.target
        delimiter = "".join(self._plain(part) for part in word.parts)
        quoted = any(isinstance(part, (Quoted, DoubleQuoted)) for part in word.parts)
        redirection.target = Word(word.end, word.end, [])
        tabs, tail = redirection.operator == "<<-", self.substitutions > 0
        self.documents.append(Document(redirection, delimiter, quoted, tabs, tail))

    def _plain(self, part: Part) -> str:
        """A part of a delimiter: quotes go, expansions stay as they are written."""
        if isinstance(part, (Literal, Quoted)):
            return part.text
        if isinstance(part, DoubleQuoted):
            return "".join(self._plain(inner) for inner in part.parts)
        return self.text[part.start : part.end].replace("\\\n", "")

    def read_documents(self) -> None:
        """Read the bodies that begin here, in the order of their redirections."""
        waiting, self.documents = self.documents, []
        for document in waiting:
            self._read(document)

    def _read(self, document: Document) -> None:
        start = self.pos
        begin, stop, after = self._delimiter(document)
        self.pos = after
        document.redirection.target = self._body(document, start, begin if stop else self.end)

    def _delimiter(self, document: Document) -> tuple[int, bool, int]:
        """Where the line of the delimiter begins, whether there is one, and where it ends."""
        name = re.escape(document.delimiter)
        tail = r"|[^\n]*\)" if document.tail else ""
        pattern = re.compile(("^\t*" if document.tabs else "^") + f"({name})(?=\n|\\Z{tail})", re.M)
        pos = self.pos
        match = pattern.search(self.text, pos, self.end)
        limit = match.start() if match else self.end
        if not document.quoted and self.text.find("\\\n", pos, limit) >= 0:
            return self._delimiter_among_joined(document)
        if match is None:
            return self.end, False, self.end
        after = match.end()
        return match.start(), True, after + self.text.startswith("\n", after, self.end)

    def _delimiter_among_joined(self, document: Document) -> tuple[int, bool, int]:
        """The same line by line: lines that a backslash joins are one, and may be the delimiter."""
        pos = self.pos
        delimiter = document.delimiter
        while pos < self.end:
            begin = self._untabbed(document, pos)
            line, after = self._line(begin)
            if line == delimiter:
                return pos, True, after
            if document.tail and line.startswith(delimiter) and ")" in line[len(delimiter) :]:
                return pos, True, begin + len(delimiter)
            pos = after
        return self.end, False, self.end

    def _untabbed(self, document: Document, pos: int) -> int:
        if not document.tabs:
            return pos
        match = _TABS.match(self.text, pos, self.end)
        return match.end() if match else pos

    def _line(self, begin: int) -> tuple[str, int]:
        """The line at an offset, joined with those it continues in, and the offset behind it."""
        pieces: list[str] = []
        while True:
            found = self.text.find("\n", begin, self.end)
            stop = self.end if found < 0 else found
            line = self.text[begin:stop]
            continued = (len(line) - len(line.rstrip("\\"))) % 2 and found >= 0
            if not continued:
                return "".join([*pieces, line]), min(stop + 1, self.end)
            pieces.append(line[:-1])
            begin = stop + 1

    def _body(self, document: Document, start: int, stop: int) -> Word:
        if document.quoted:
            parts = self._verbatim(document, start, stop)
        elif document.tabs:
            parts = self._untabbed_parts(document, start, stop)
        else:
            parts = self.bounded(start, stop, contexts.DOCUMENT)
        if stop == self.end and stop > start and self.text[stop - 1] != "\n":
            parts = self._ended(parts, stop)
        return Word(start, stop, parts)

    def _ended(self, parts: list[Part], stop: int) -> list[Part]:
        """A body that the end of the text cuts off: bash sees a line end there."""
        last = parts[-1] if parts else None
        if len(parts) == 1 and isinstance(last, Quoted):
            return [Quoted(last.start, last.end, last.text + "\n", None)]
        return [*parts, Literal(stop, stop, "\n")]

    def _verbatim(self, document: Document, start: int, stop: int) -> list[Part]:
        text = self.text[start:stop]
        if not document.tabs:
            return [Quoted(start, stop, text, start)]
        stripped = "".join(line.lstrip("\t") for line in text.splitlines(keepends=True))
        return [Quoted(start, stop, stripped, start if stripped == text else None)]

    def _untabbed_parts(self, document: Document, start: int, stop: int) -> list[Part]:
        """The parts of a `<<-` body, line by line where lines begin with tabs."""
        parts: list[Part] = []
        saved = self.narrow(start, stop)
        try:
            while self.pos < stop:
                self.pos = self._untabbed(document, self.pos)
                self.parts(contexts.DOCUMENT_LINE, parts)
                if self.pos < stop:
                    parts.append(Literal(self.pos, self.pos + 1, "\n"))
                    self.pos += 1
        except SyntaxProblem as problem:
            parts = [BadSubstitution(start, stop, self.text[start:stop], problem.message)]
        finally:
            self.widen(saved)
        return parts
