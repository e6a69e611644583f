"""The texts that a reading takes in, and where in the user's files their characters stand."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from verlgen.script.read.text import Place, Text


class Where(NamedTuple):
    """A place as the user counts it.

    Attributes:
        file: Name of the file, or None for the named source itself.
        line: 1-based line.
        column: 1-based column, in characters.
        length: Bytes in UTF-8.
    """

    file: str | None
    line: int
    column: int
    length: int


class Source:
    """A text being interpreted.

    Attributes:
        number: Its number in places.
        text: The text.
        file: Name of the file it was read from, or None for the named source itself.
        made_of: For text that the script itself put together (`eval`, `bash -c`): that text, whose
            spans lead back to where it was written.
    """

    def __init__(
        self,
        number: int,
        text: str,
        *,
        file: str | None = None,
        made_of: str | None = None,
        first_line: int = 1,
        column_offset: int = 0,
    ) -> None:
        self.number = number
        self.text = text
        self.file = file
        self.made_of = made_of
        self._first_line = first_line
        self._column_offset = column_offset
        self._lines: list[int] | None = None

    def line(self, offset: int) -> int:
        """Return the 1-based line of an offset."""
        return self.position(offset)[0]

    def position(self, offset: int) -> tuple[int, int]:
        """Return the 1-based line and column of an offset."""
        if self._lines is None:
            self._lines = [0]
            at = self.text.find("\n")
            while at >= 0:
                self._lines.append(at + 1)
                at = self.text.find("\n", at + 1)
        row = bisect_right(self._lines, offset) - 1
        return self._first_line + row, offset - self._lines[row] + 1 + self._column_offset


class Sources:
    """All sources of one reading, by number."""

    def __init__(self) -> None:
        self._all: list[Source] = []

    def __getitem__(self, number: int) -> Source:
        return self._all[number]

    def add(
        self,
        text: str,
        *,
        file: str | None = None,
        made_of: str | None = None,
        first_line: int = 1,
        column_offset: int = 0,
    ) -> Source:
        """Take in a text."""
        source = Source(
            len(self._all),
            text,
            file=file,
            made_of=made_of,
            first_line=first_line,
            column_offset=column_offset,
        )
        self._all.append(source)
        return source

    def where(self, place: Place | None) -> Where | None:
        """Return a place as the user counts it; None where it cannot be traced to a file."""
        for _ in range(32):
            if place is None:
                return None
            source = self._all[place.source]
            if source.made_of is None:
                line, column = source.position(place.start)
                length = len(source.text[place.start : place.end].encode("utf-8", "replace"))
                return Where(source.file, line, column, length)
            place = _traced(source.made_of, place)
        return None


def _traced(made_of: str, place: Place) -> Place | None:
    """Return where the characters of a made text were written."""
    if not isinstance(made_of, Text):
        return None
    start = end = None
    number = 0
    for span in made_of.spans:
        if start is None and span.at <= place.start < span.at + span.length:
            number, start = span.source, span.offset + place.start - span.at
        if (
            start is not None
            and span.source == number
            and span.at < place.end <= span.at + span.length
        ):
            end = span.offset + place.end - span.at
    if start is None:
        return made_of.word
    return Place(number, start, end if end is not None and end > start else start + 1)
