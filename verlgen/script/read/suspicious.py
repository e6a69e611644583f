"""The silent bugs of a launch: each a problem with its line and a remedy."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from verlgen.script.read.symbols import has_symbol
from verlgen.script.read.syntax import Node
from verlgen.script.read.text import Text, place_of

if TYPE_CHECKING:
    from verlgen.script.read.interpreter import Interpreter

_TYPOGRAPHIC = {
    "\u201c": "a typographic quote",
    "\u201d": "a typographic quote",
    "\u2018": "a typographic quote",
    "\u2019": "a typographic quote",
    "\u00a0": "a non-breaking space",
    "\u3000": "a full-width space",
    "\u200b": "an invisible space",
    "\ufeff": "a byte order mark",
    "\u2013": "a long dash",
    "\u2014": "a long dash",
}
_COMMENT = re.compile(r"\s+#")
_FULL_WIDTH = re.compile("[\uff01-\uff5e]")
_ODD = re.compile("[" + "".join(_TYPOGRAPHIC) + "\uff01-\uff5e]")


def examine(
    shell: Interpreter,
    node: Node,
    overrides: list[str],
    other: list[str],
    *,
    hydra: bool,
    sweeps: bool,
) -> None:
    """Report what is wrong with the words of a launch.

    Args:
        shell: Who is reading.
        node: The command.
        overrides: Its override words.
        other: What is none.
        hydra: Whether the program is one that knows no options but Hydra's.
        sweeps: Whether Hydra is told to run several times (`-m`).
    """
    seen: dict[str, str] = {}
    for word in overrides:
        key, _, value = word.partition("=")
        _examine_word(shell, node, word, key, value, sweeps=sweeps)
        name = key.lstrip("+")
        if name in seen and seen[name] != value and not name.startswith("~"):
            _report(
                shell,
                node,
                word,
                "same-key",
                f"{name} is given twice, {_shown(shell, seen[name])} and "
                f"{_shown(shell, value)}; Hydra takes the last",
                "leave one of them out",
            )
        seen[name] = value
    option = False  # the word before is an option of the program's own, this may be its value
    for word in other:
        if _COMMENT.match(word):
            _report(
                shell,
                node,
                word,
                "comment-argument",
                "a comment behind a backslash is none: its words are passed on as arguments, "
                "and the command may end here",
                "put the comment on a line of its own above the command",
            )
            return  # what follows are its words
        if word.startswith("-"):
            option = not hydra and "=" not in word
            if hydra:
                _report(
                    shell,
                    node,
                    word,
                    "unknown-option",
                    f"{_shown(shell, word)} is no option that Hydra knows",
                    "write key=value, or take it away",
                )
        else:
            if not option:
                _examine_other(shell, node, word)
            option = False


def odd_command(shell: Interpreter, node: Node, words: list[str]) -> None:
    """Report characters that only look like what is meant in front of the overrides."""
    for word in words:
        _odd_characters(shell, node, word)


def _examine_word(
    shell: Interpreter, node: Node, word: str, key: str, value: str, *, sweeps: bool
) -> None:
    if isinstance(word, Text):
        if value == "" and word.unset:
            name = word.unset[0]
            what = f"argument ${name} is not given" if name.isdigit() else f"{name} is not set"
            remedy = "give it" if name.isdigit() else f"set {name}"
            _report(
                shell,
                node,
                word,
                "empty-value",
                f"{key} is empty, since {what}",
                f"{remedy}, or write a default: ${{{name}:-…}}",
            )
        if word.cut and word.cut != "*":
            _cut(shell, node, word)
    _odd_characters(shell, node, word)
    if word.endswith("\r"):
        return  # reported once, of the file
    if not has_symbol(word):
        _grammar(shell, node, word, sweeps=sweeps)


def _examine_other(shell: Interpreter, node: Node, word: str) -> None:
    shown = _shown(shell, word)
    if isinstance(word, Text) and word.cut and word.cut != "*":
        _cut(shell, node, word)
    elif word.strip() == "" and word:
        _report(
            shell,
            node,
            word,
            "blank-argument",
            "a backslash followed by a blank passes a blank on as an argument; the line ends here",
            "take the blank behind the backslash away",
        )
    else:
        _report(
            shell,
            node,
            word,
            "no-override",
            f"{shown} is no override: it has no =",
            "write key=value",
        )
    _odd_characters(shell, node, word)


def _cut(shell: Interpreter, node: Node, word: Text) -> None:
    program = word.cut.startswith(("$", "`"))
    _report(
        shell,
        node,
        word,
        "split-word",
        f"{word.cut if program else '$' + word.cut} without quotes is broken at its blanks: "
        f"{_shown(shell, word)} is one piece",
        "put the whole word in quotes" if program else f'write "${{{word.cut}}}" in quotes',
    )


def _odd_characters(shell: Interpreter, node: Node, word: str) -> None:
    found = _ODD.search(word)
    if found is None:
        return
    kind = _TYPOGRAPHIC.get(found[0], "a full-width character")
    _report(
        shell,
        node,
        word,
        "odd-character",
        f"{_shown(shell, word)} holds {kind} ({found[0]!r}), as web pages and editors put in",
        "type it anew as plain ASCII",
    )


def _grammar(shell: Interpreter, node: Node, word: str, *, sweeps: bool) -> None:
    from verlgen.overrides import OverrideError, parse

    try:
        said = parse(word)
    except OverrideError as error:
        _report(
            shell,
            node,
            word,
            "hydra-grammar",
            f"Hydra cannot read {_shown(shell, word)}: {error.what}",
            error.remedy or "",
        )
        return
    if said.sweep and not sweeps:
        _report(
            shell,
            node,
            word,
            "sweep",
            f"{_shown(shell, word)} names several values, which Hydra refuses without -m",
            "quote the value once more, or put it in [ ]",
        )


def why_ended(shell: Interpreter, node: Node) -> tuple[str, str]:
    """Return why the command before `node` ended, and what to do, from the text between them."""
    text = shell.source.text
    line_start = text.rfind("\n", 0, node.start) + 1
    above = text[:line_start].split("\n")[-9:-1]
    for line in reversed(above):
        stripped = line.strip()
        if not stripped:
            return "a blank line ends the command above", "take the blank line away"
        if stripped.startswith("#"):
            return (
                "a comment among continued lines ends the command above",
                "put the comment above the command",
            )
        if re.search(r"\\[ \t]+$", line):
            return (
                "a blank behind the backslash ends the command above",
                "take the blank away",
            )
        if re.search(r"\\\r$", line):
            return "the file has CRLF line ends", "convert it: sed -i 's/\\r$//' FILE"
        if not stripped.endswith("\\"):
            return "the line above has no backslash at its end", "put a backslash there"
    return "the command above has ended", "put a backslash at the end of the line above"


def at_the_end(shell: Interpreter) -> None:
    """Report what only shows when the whole script has been read."""
    text = shell.main.text
    trainers = [found for found in shell.launches if found.kind == "trainer"]
    if "\r\n" in text:
        first = Node(text.index("\r\n"), text.index("\r\n") + 2)
        shell.source = shell.main
        shell.problem(
            "crlf",
            first,
            "the file has CRLF line ends, which bash takes for part of the words",
            "convert it: sed -i 's/\\r$//' FILE",
        )
    if not trainers or shell.last_launch is None:
        return
    uses = shell.argument_uses
    passes = bool(uses & {"@", "*"})
    if not uses:
        shell.source = shell.main
        shell.problem(
            "no-arguments",
            shell.last_launch,
            "arguments given to the script are dropped: it has no $@",
            'end the command with "$@"',
        )
    elif "1" in uses and passes and not uses & {"shift", "getopts"}:
        shell.problem(
            "switch-passed-on",
            shell.last_launch,
            "$1 is read as a switch and passed on with $@ as an override too",
            "shift it away before the command",
        )


def _shown(shell: Interpreter, text: str) -> str:
    written = shell.symbols.written(text)
    return written if len(written) <= 90 else written[:87] + "…"


def _report(
    shell: Interpreter, node: Node, word: str, code: str, message: str, remedy: str
) -> None:
    place = place_of(word)
    if place is None:
        shell.problem(code, node, message, remedy)
        return
    before, shell.source = shell.source, shell.sources[place.source]
    try:
        shell.problem(code, Node(place.start, place.end), message, remedy)
    finally:
        shell.source = before
