"""The parser: bash's grammar, read the way that bash reads it, one complete command at a time."""

from __future__ import annotations

from verlgen.script.read.parser.compounds import Compounds
from verlgen.script.read.parser.places import Places
from verlgen.script.read.parser.problem import SyntaxProblem
from verlgen.script.read.syntax import Statement

__all__ = ["Parser", "SyntaxProblem", "parse"]


class _Reader(Compounds):
    """The grammar from the outside in."""

    def complete(self) -> list[Statement] | None:
        """The next complete command, or None."""
        self.newlines()
        if self.pos >= self.end:
            return None
        statements: list[Statement] = []
        while True:
            statement = self.statement()
            statements.append(statement)
            operator, end = self.operator()
            if operator in (";", "&"):
                self.pos = end
                statement.background = operator == "&"
                self.blanks()
            elif operator or self.peek() not in ("", "\n"):
                self.unexpected()
            if self.pos >= self.end:
                self.read_documents()
                return statements
            if self.text[self.pos] == "\n":
                self.newline()
                return statements

    def substitution(self, what: str, start: int) -> list[Statement]:
        """The commands of `$(` or `<(` up to and including the `)`."""
        waiting, self.documents = self.documents, []
        command_word, self._command_word = self._command_word, -1
        self.substitutions += 1
        self.enter(what, start)
        self.blanks()
        self.no_time = self.pos
        body = self.sequence()
        if self.peek() != ")":
            self.unexpected()
        self.pos += 1
        self.leave()
        self.substitutions -= 1
        self._command_word = command_word
        # Bodies that have not come inside come behind the line outside.
        self.documents = waiting + self.documents
        return body

    def statements(self, text: str) -> list[Statement]:
        """The commands of another text, inside of this one."""
        inner = _Reader(text, 0, self.depth)
        inner.extglob = self.extglob
        return _all(inner)


def _all(reader: _Reader) -> list[Statement]:
    statements: list[Statement] = []
    while (found := reader.complete()) is not None:
        statements += found
    return statements


class Parser:
    """Reads a script command by command.

    Attributes:
        text: The script.
    """

    def __init__(self, text: str, *, start: int = 0) -> None:
        self.text = text
        self._places = Places(text) if "\0" in text else None
        if self._places:
            text, start = self._places.text, self._places.without(start)
        # Bash sees a line end at the end of a file. That matters behind a backslash only.
        self._reader = _Reader(text + "\n" if text.endswith("\\") else text, start, 0)

    @property
    def position(self) -> int:
        """Where the next call of `next` begins."""
        pos = self._reader.pos
        return min(self._places.start(pos) if self._places else pos, len(self.text))

    def next(self, *, extglob: bool = True) -> list[Statement] | None:
        """The statements of the next complete command, or None at the end of the text.

        As in bash that is a line, or as many lines as its constructs need, with the bodies of
        its here-documents. Blank lines and comments in front of it are skipped.

        Args:
            extglob: Whether `@(…)` and the like are patterns, as by `shopt -s extglob`.

        Raises:
            SyntaxProblem: Bash would refuse the command. Everything before it has run by then.
        """
        self._reader.extglob = extglob
        try:
            found = self._reader.complete()
        except RecursionError:
            raise SyntaxProblem("too many constructs inside each other", self.position) from None
        except SyntaxProblem as problem:
            if self._places:
                problem.offset = self._places.start(problem.offset)
            problem.offset = min(problem.offset, len(self.text))
            raise
        if self._places and found:
            self._places.move(found)
        return found


def parse(text: str) -> list[Statement]:
    """The statements of a text that is no file: that of `$(…)`, `eval`, `bash -c` or a trap.

    Raises:
        SyntaxProblem: Bash would refuse the text, or a part of it.
    """
    places = Places(text) if "\0" in text else None
    try:
        found = _all(_Reader(places.text if places else text, 0, 0))
    except RecursionError:
        raise SyntaxProblem("too many constructs inside each other", 0) from None
    except SyntaxProblem as problem:
        if places:
            problem.offset = places.start(problem.offset)
        raise
    if places:
        places.move(found)
    return found
