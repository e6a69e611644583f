"""Walking over the options of a program up to the command that it starts."""

from __future__ import annotations

from typing import NamedTuple

from verlgen.script.read.text import cat, cut


class Options(NamedTuple):
    """Which options of a program take a value as a word of their own.

    Attributes:
        valued: Those that do.
        flags: If given, those that do not; every other one does, and `valued` is not asked.
        two: Those that take two (`mpirun -mca KEY VALUE`).
        whole: Whether `-np` is one option, as in `mpirun -np 8`, and not `-n` with `p` behind it.
        dashes: Whether `_` and `-` in a name are the same (torchrun).
    """

    valued: frozenset[str] = frozenset()
    flags: frozenset[str] | None = None
    two: frozenset[str] = frozenset()
    whole: bool = False
    dashes: bool = False

    def takes_value(self, name: str) -> bool:
        """Tell whether an option's value is the next word, when it is not in its own."""
        return name in self.valued if self.flags is None else name not in self.flags


class Option(NamedTuple):
    """An option that was met.

    Attributes:
        name: Its name.
        value: Its value; None for a flag.
        place: Which word of argv the value is in, or the flag.
    """

    name: str
    value: str | None
    place: int


def names(words: str) -> frozenset[str]:
    """Return the words of a table of names."""
    return frozenset(words.split())


def walk(argv: list[str], start: int, spec: Options) -> tuple[int, list[Option]]:
    """Return where the options from `start` on end, and the options.

    A lone `--` ends them and is passed over.
    """
    found: list[Option] = []
    place = start
    while place < len(argv):
        word = argv[place]
        if word == "--":
            return place + 1, found
        if not word.startswith("-") or word == "-":
            break
        if word.startswith("--") or spec.whole:
            place = _long(argv, place, spec, found)
        else:
            place = _short(argv, place, spec, found)
    return place, found


def _long(argv: list[str], place: int, spec: Options, found: list[Option]) -> int:
    word = argv[place]
    name, equals, _ = word.partition("=")
    if spec.dashes:
        name = name.replace("_", "-")
    if equals:
        found.append(Option(name, cut(word, len(name) + 1, len(word)), place))
        return place + 1
    if name in spec.two:
        found.append(Option(name, "=".join(argv[place + 1 : place + 3]), place + 1))
        return place + 3
    return _next(argv, place, name, spec, found)


def _short(argv: list[str], place: int, spec: Options, found: list[Option]) -> int:
    """Walk over `-x`, `-xVALUE`, `-xyz` and `-xy VALUE`."""
    word = argv[place]
    for position, letter in enumerate(word[1:], 1):
        name = f"-{letter}"
        if not spec.takes_value(name):
            found.append(Option(name, None, place))
        elif position + 1 < len(word):
            found.append(Option(name, cut(word, position + 1, len(word)), place))
            break
        else:
            return _next(argv, place, name, spec, found)
    return place + 1


def joined(words: list[str]) -> str:
    """Return words joined by blanks; text keeps its places in the script."""
    parts: list[str] = []
    for word in words:
        parts += (" ", word) if parts else (word,)
    return cat(parts)


def _next(argv: list[str], place: int, name: str, spec: Options, found: list[Option]) -> int:
    if not spec.takes_value(name):
        found.append(Option(name, None, place))
        return place + 1
    value = argv[place + 1] if place + 1 < len(argv) else None
    found.append(Option(name, value, place + 1))
    return place + 2
