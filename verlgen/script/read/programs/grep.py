"""`grep` on its input."""

from __future__ import annotations

from collections.abc import Callable

from verlgen.script.read.doubt import Unknown
from verlgen.script.read.matching import Subject, bits, search
from verlgen.script.read.nodes import CLASSES, Choice, Node, Sequence, one
from verlgen.script.read.programs.common import (
    be_known,
    count,
    join_lines,
    only_stdin,
    options,
    split_lines,
)
from verlgen.script.read.regexes import parsed

_LONG = {
    "quiet": "q",
    "silent": "q",
    "only-matching": "o",
    "extended-regexp": "E",
    "fixed-strings": "F",
    "basic-regexp": "G",
    "invert-match": "v",
    "ignore-case": "i",
    "count": "c",
    "word-regexp": "w",
    "line-regexp": "x",
    "regexp": "e",
    "max-count": "m",
    "line-buffered": "u",
    "color": "u",
    "no-filename": "h",
    "text": "a",
}


def grep(arguments: list[str], stdin: str) -> tuple[str, int]:
    """Return the lines that a pattern matches."""
    return _grep(arguments, stdin, "G")


def egrep(arguments: list[str], stdin: str) -> tuple[str, int]:
    """Return the lines that an extended pattern matches."""
    return _grep(arguments, stdin, "E")


def fgrep(arguments: list[str], stdin: str) -> tuple[str, int]:
    """Return the lines that hold a text."""
    return _grep(arguments, stdin, "F")


def _grep(arguments: list[str], stdin: str, kind: str) -> tuple[str, int]:
    be_known("grep", stdin, *arguments)
    words = [word for word in arguments if word not in ("--color=never", "--color=auto")]
    given = options("grep", words, "qoEFGviIcwxhas", "em", _LONG)
    patterns = [value for letter, value in given.given if letter == "e"]
    operands = given.operands
    if not patterns:
        if not operands:
            raise Unknown("grep has no pattern")
        patterns, operands = operands[:1], operands[1:]
    only_stdin("grep", operands)
    kinds = [letter for letter, _ in given.given if letter in "EFG"] or [kind]
    if len(set(kinds)) > 1 or "\0" in stdin or (given.has("w") and given.has("x")):
        raise Unknown("grep is used in a way that is not read")
    node = _node([line for text in patterns for line in text.split("\n")], kinds[0])
    finder = _Finder(node, given.has("i"), given.has("w"), given.has("x"))
    most = count("grep", given.last("m")) if given.has("m") else None
    selected: list[str] = []
    lines, _ = split_lines(stdin)
    for line in lines:
        if most is not None and len(selected) >= most:
            break
        if finder.finds(line) != given.has("v"):
            selected.append(line)
    return _printed(given.has, finder, selected), 0 if selected else 1


def _printed(has: Callable[[str], bool], finder: _Finder, selected: list[str]) -> str:
    if has("q"):
        return ""
    if has("c"):
        return f"{len(selected)}\n"
    if has("o"):
        if has("v"):
            return ""
        selected = [part for line in selected for part in finder.parts(line)]
    return join_lines(selected)


def _node(patterns: list[str], kind: str) -> Node:
    if kind == "F":
        nodes: list[Node] = [Sequence(tuple(map(one, text))) for text in patterns]
    else:
        nodes = [parsed(text, extended=kind == "E").node for text in patterns]
    return Choice(tuple(nodes))


class _Finder:
    """Looks for a pattern in lines."""

    def __init__(self, node: Node, ignore_case: bool, words: bool, whole_lines: bool) -> None:
        self._node = node
        self._ignore_case = ignore_case
        self._words = words
        self._whole_lines = whole_lines

    def finds(self, line: str) -> bool:
        """Tell whether a line has a match."""
        return self._next(self._subject(line), 0) is not None

    def parts(self, line: str) -> list[str]:
        """Return the matches in a line that are not empty."""
        subject = self._subject(line)
        found: list[str] = []
        position = 0
        while position <= len(line):
            span = self._next(subject, position)
            if span is None:
                break
            if span[1] > span[0]:
                found.append(line[span[0] : span[1]])
            position = max(span[1], span[0] + 1)
        return found

    def _subject(self, line: str) -> Subject:
        return Subject(line, ignore_case=self._ignore_case)

    def _next(self, subject: Subject, start: int) -> tuple[int, int] | None:
        if self._whole_lines:
            last = subject.end
            found = start == 0 and subject.run(self._node, 1, True) >> last & 1
            return (0, last) if found else None
        if not self._words:
            return search(self._node, subject, start)
        for first in range(start, subject.end + 1):
            if first and _is_word(subject.text[first - 1]):
                continue
            ends = subject.run(self._node, 1 << first, True)
            for end in sorted(bits(ends), reverse=True):
                if end == subject.end or not _is_word(subject.text[end]):
                    return first, end
        return None


def _is_word(character: str) -> bool:
    return CLASSES["word"](character)
