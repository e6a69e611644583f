"""The shared form: what one command line asks for. Imports nothing of verlgen.

Both sides of verlgen meet here: presets and overrides are composed into a Launch, a script is read
into one, and a Launch is written as a script.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

Operator = Literal["=", "+", "++", "~"]
"""Hydra's four: `key=value`, `+key=value`, `++key=value`, `~key` (or `~key=value`)."""


class Symbol(NamedTuple):
    """A part of a word that only running the script could tell, such as `$HOME`.

    Attributes:
        text: The part as the shell reads it (`$HOME`, `$(date +%s)`).
    """

    text: str


Part = str | Symbol
Word = tuple[Part, ...]
"""One argument as the shell would pass it: known text and symbols in order."""


class Origin(NamedTuple):
    """Where a setting was written and why it has its value.

    Attributes:
        source: File as the user knows it, `command line`, or the rule's name.
        line: 1-based line, or None where there is no file.
        column: 1-based column in characters, or None.
        length: Length of the written word in bytes (UTF-8), or None.
        reason: Why this value, in a few words, or None when it is obvious or unknown.
    """

    source: str
    line: int | None = None
    column: int | None = None
    length: int | None = None
    reason: str | None = None

    def __str__(self) -> str:
        place = self.source
        if self.line is not None:
            place += f":{self.line}"
            if self.column is not None:
                place += f":{self.column}"
        return place


class Override(NamedTuple):
    """One Hydra override word.

    Attributes:
        operator: One of `=`, `+`, `++`, `~`.
        key: Dotted key or config group, with `@package` when the word has one.
        value: The text after the equals sign in Hydra's grammar, unparsed, as the shell passes it;
            None for `~key` without a value.
        origin: Where it was written.
    """

    operator: Operator
    key: str
    value: Word | None
    origin: Origin

    def word(self) -> Word:
        """Return the whole word as the shell passes it."""
        head = self.key if self.operator == "=" else self.operator + self.key
        if self.value is None:
            return (head,)
        return join((head + "=",), self.value)


class Launch(NamedTuple):
    """What one command line asks for.

    Attributes:
        entrypoint: Module (`verl.trainer.main_ppo`) or path of the Python file that is run.
        launcher: The words before it that start Python (`python3`, or `torchrun --nnodes=1 …`).
        hydra_flags: Hydra's own flags (`--config-name=…`), in order.
        overrides: The override words, in order: the last of two for one key wins.
        other_args: Words that are neither flags nor overrides.
        env: Environment variables set for it beyond those it is started with.
        prefix: All words before the entry point (`torchrun --nnodes=1 -m`), `python3 -m` if empty.
    """

    entrypoint: str
    launcher: tuple[str, ...] = ("python3",)
    hydra_flags: tuple[Word, ...] = ()
    overrides: tuple[Override, ...] = ()
    other_args: tuple[Word, ...] = ()
    env: Mapping[str, Word] = MappingProxyType({})
    prefix: tuple[Word, ...] = ()


def join(*words: Word) -> Word:
    """Return the words set together as one, neighbouring known text merged."""
    parts: list[Part] = []
    for word in words:
        for part in word:
            if isinstance(part, str) and parts and isinstance(parts[-1], str):
                parts[-1] += part
            elif part != "":
                parts.append(part)
    return tuple(parts)


def text(word: Word) -> str:
    """Return a word as people read it: symbols stand as they were written."""
    return "".join(part if isinstance(part, str) else part.text for part in word)
