"""Parts of text that only running the script could tell, carried as single characters.

A symbol is one character of Unicode's last private plane inside an ordinary `str`, so that text
with symbols passes through every operation that treats it as opaque: joining, splitting, storing.
Whoever looks *into* text (patterns, numbers, comparisons) asks `has_symbol` first.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from verlgen.launch import Part, Symbol, Word

FIRST = 0x100000
LAST = 0x10FFFD
_SYMBOL = re.compile(f"[{chr(FIRST)}-{chr(LAST)}]")


class Meaning(NamedTuple):
    """What is known of a symbol.

    Attributes:
        text: The part as the script writes it (`$HOME`, `$(date +%s)`).
        plain: Whether it can be taken for a non-empty text without blanks, quotes, glob or pattern
            characters and without `=`, as a home folder or a user's name is.
        path: A file-system path that it stands for while reading (for `source`), or None.
    """

    text: str
    plain: bool = False
    path: str | None = None


class Symbols:
    """The symbols of one reading."""

    def __init__(self) -> None:
        self._meanings: list[Meaning] = []
        self._known: dict[Meaning, str] = {}

    def new(self, text: str, *, plain: bool = False, path: str | None = None) -> str:
        """Return the character that stands for a symbol; equal meanings share one."""
        meaning = Meaning(text, plain, path)
        character = self._known.get(meaning)
        if character is None:
            character = chr(FIRST + len(self._meanings))
            self._meanings.append(meaning)
            self._known[meaning] = character
        return character

    def meaning(self, character: str) -> Meaning:
        """Return what a symbol's character means."""
        return self._meanings[ord(character) - FIRST]

    def is_plain(self, text: str) -> bool:
        """Tell whether every symbol in the text is plain (true of text without symbols)."""
        return all(self.meaning(found[0]).plain for found in _SYMBOL.finditer(text))

    def written(self, text: str) -> str:
        """Return the text with symbols as the script writes them."""
        return _SYMBOL.sub(lambda found: self.meaning(found[0]).text, text)

    def word(self, text: str) -> Word:
        """Return the text as a Word of known parts and symbols."""
        parts: list[Part] = []
        end = 0
        for found in _SYMBOL.finditer(text):
            if found.start() > end:
                parts.append(text[end : found.start()])
            parts.append(Symbol(self.meaning(found[0]).text))
            end = found.end()
        if end < len(text):
            parts.append(text[end:])
        return tuple(parts)


def has_symbol(text: str) -> bool:
    """Tell whether a part of the text is not known."""
    return _SYMBOL.search(text) is not None


def without_symbols(source: str) -> str:
    """Return script text in which no character can be taken for a symbol."""
    return _SYMBOL.sub("\ufffd", source)
