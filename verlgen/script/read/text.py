"""Text that knows where it was written.

A Text is an ordinary str, so everything that computes with strings takes it. What computes *new*
text gives a plain str, whose place is lost; joining, cutting and splitting through the functions
here keeps it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Place(NamedTuple):
    """A piece of a source.

    Attributes:
        source: Number of the source.
        start: Character offset of the first character.
        end: Offset behind the last.
    """

    source: int
    start: int
    end: int


class Span(NamedTuple):
    """Characters of a text that are a verbatim copy of a source.

    Attributes:
        at: Offset in the text.
        length: How many characters.
        source: Number of the source.
        offset: Offset in the source.
    """

    at: int
    length: int
    source: int
    offset: int


class Text(str):
    """Text with its places.

    Attributes:
        spans: Verbatim pieces, in order.
        word: Place of the whole word as it was written, quotes and all, or None.
        unset: Names of unset variables that took part and were empty.
        cut: Name of the variable at which an unquoted expansion broke a word, or "".
    """

    spans: tuple[Span, ...]
    word: Place | None
    unset: tuple[str, ...]
    cut: str

    def __new__(
        cls,
        text: str,
        spans: tuple[Span, ...] = (),
        word: Place | None = None,
        unset: tuple[str, ...] = (),
        cut: str = "",
    ) -> Text:
        """Make a text; `text` may itself be one, whose places are then not taken over."""
        self = super().__new__(cls, text)
        self.spans = spans
        self.word = word
        self.unset = unset
        self.cut = cut
        return self


def written(text: str, source: int, offset: int) -> Text:
    """Return text that is a verbatim copy of a source from `offset` on."""
    return Text(text, (Span(0, len(text), source, offset),) if text else ())


def cat(parts: Iterable[str]) -> Text:
    """Return the parts joined, with their places."""
    pieces: list[str] = []
    spans: list[Span] = []
    unset: tuple[str, ...] = ()
    at = 0
    for part in parts:
        if isinstance(part, Text):
            for span in part.spans:
                spans.append(span._replace(at=span.at + at))
            if part.unset:
                unset += tuple(name for name in part.unset if name not in unset)
        pieces.append(part)
        at += len(part)
    return Text("".join(pieces), tuple(spans), None, unset)


def cut(text: str, start: int, end: int) -> Text:
    """Return `text[start:end]` with its places; 0 <= start <= end <= len(text)."""
    if not isinstance(text, Text):
        return Text(text[start:end])
    if start == 0 and end == len(text):
        return text
    spans = []
    for span in text.spans:
        first = max(span.at, start)
        last = min(span.at + span.length, end)
        if first < last:
            offset = span.offset + first - span.at
            spans.append(Span(first - start, last - first, span.source, offset))
    return Text(text[start:end], tuple(spans), None, text.unset)


def with_word(text: str, word: Place) -> Text:
    """Return the text with the place of the word it was written as."""
    if isinstance(text, Text):
        return Text(text, text.spans, word, text.unset, text.cut)
    return Text(text, (), word)


def place_of(text: str) -> Place | None:
    """Return where a text was written: its word, else the extent of its first source's spans."""
    if not isinstance(text, Text):
        return None
    if text.word is not None or not text.spans:
        return text.word
    first = text.spans[0]
    end = first.offset + first.length
    for span in text.spans[1:]:
        if span.source == first.source and span.offset >= end:
            end = span.offset + span.length
    return Place(first.source, first.offset, end)
