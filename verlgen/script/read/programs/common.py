"""What the programs share: options, and text as lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from verlgen.script.read.doubt import Unknown
from verlgen.script.read.symbols import has_symbol

MOST_INPUT = 1_000_000
MOST_OUTPUT = 1_000_000


class Options(NamedTuple):
    """Options and operands of a command.

    Attributes:
        given: Letters with their values, in order.
        operands: The other words.
    """

    given: list[tuple[str, str]]
    operands: list[str]

    def has(self, letter: str) -> bool:
        """Tell whether an option was given."""
        return any(letter == name for name, _ in self.given)

    def last(self, letter: str, default: str = "") -> str:
        """Return the last value of an option."""
        return next((value for name, value in reversed(self.given) if name == letter), default)


def be_known(program: str, *texts: str) -> None:
    """Check that nothing a program looks into is a symbol.

    Raises:
        Unknown: Something is, or it is very long.
    """
    for text in texts:
        if has_symbol(text):
            raise Unknown(f"{program} works on a part that is not known")
        if len(text) > MOST_INPUT:
            raise Unknown(f"{program} works on a very long text")


def options(
    program: str,
    arguments: list[str],
    flags: str,
    valued: str = "",
    long: dict[str, str] | None = None,
) -> Options:
    """Split a command's words as GNU's getopt does.

    Args:
        program: Name of the program.
        arguments: Its words.
        flags: Letters of options without a value.
        valued: Letters of options with a value.
        long: Names of long options, each with the letter that means the same.

    Raises:
        Unknown: An option is none of those, or is a symbol.
    """
    given: list[tuple[str, str]] = []
    operands: list[str] = []
    words = iter(arguments)
    for word in words:
        if word == "--":
            operands.extend(words)
        elif word.startswith("--"):
            name, equals, value = word[2:].partition("=")
            letter = (long or {}).get(name, "")
            if not letter or (letter in valued) != bool(equals):
                raise Unknown(f"{program} has an option that is not read: {word}")
            given.append((letter, value))
        elif word.startswith("-") and len(word) > 1:
            _letters(program, word, flags, valued, words, given)
        else:
            operands.append(word)
    return Options(given, operands)


def _letters(
    program: str,
    word: str,
    flags: str,
    valued: str,
    words: Iterator[str],
    given: list[tuple[str, str]],
) -> None:
    for index, letter in enumerate(word[1:], 1):
        if letter in flags:
            given.append((letter, ""))
        elif letter in valued:
            value = word[index + 1 :] or next(words, "")
            if not value:
                raise Unknown(f"{program} has an option without its value: {word}")
            given.append((letter, value))
            return
        else:
            raise Unknown(f"{program} has an option that is not read: {word}")


def only_stdin(program: str, operands: list[str]) -> None:
    """Check that a program reads no file.

    Raises:
        Unknown: It does.
    """
    if operands not in ([], ["-"]):
        raise Unknown(f"{program} reads a file")


def split_lines(text: str) -> tuple[list[str], bool]:
    """Return the lines of a text, and whether the last one is ended by a newline."""
    if not text:
        return [], True
    ended = text.endswith("\n")
    return (text[:-1] if ended else text).split("\n"), ended


def join_lines(lines: list[str], ended: bool = True) -> str:
    """Return lines as text, the last one with a newline or without."""
    if not lines:
        return ""
    return "\n".join(lines) + ("\n" if ended else "")


def count(program: str, text: str) -> int:
    """Return the value of a plain decimal number.

    Raises:
        Unknown: It is none.
    """
    if not (text.isascii() and text.isdecimal()) or len(text) > 9:
        raise Unknown(f"{program} has a number that is not read: {text}")
    return int(text)
