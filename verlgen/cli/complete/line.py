"""A command line up to the cursor -> its words, as a shell would read them."""

from __future__ import annotations

import re

# Patterns are text, compiled when first used: compiling them all would cost more than an answer.
_WORD = r"""(?:[^\s'"\\]|\\[\s\S]|'[^']*'|"(?:\\[\s\S]|[^"\\])*")+"""
_QUOTED = r"""\\([\s\S])|'([^']*)'|"((?:\\[\s\S]|[^"\\])*)\""""
_ASSIGNMENT = r"[A-Za-z_]\w*\+?="
_REDIRECTION = r"(\d*|&)[<>]+[&|]?"

_LEFT_TO_THE_SHELL = frozenset("'\"\\$`<>|&;()")
"""A word under the cursor that has one of these means something else than it says."""


def split(line: str) -> list[str] | None:
    """Return the words of a command, the one under the cursor last; None if that one is quoted."""
    if re.sub(_WORD, "", line).strip():  # a quotation that is still open
        return None
    found = list(re.finditer(_WORD, line))
    last = found.pop()[0] if found and found[-1].end() == len(line) else ""
    if not _LEFT_TO_THE_SHELL.isdisjoint(last):
        return None
    kept: list[str] = []
    into_file = False
    for match in found:
        word = match[0]
        redirection = re.match(_REDIRECTION, word) if "<" in word or ">" in word else None
        if redirection is None and not into_file and (kept or not re.match(_ASSIGNMENT, word)):
            kept.append(_unquote(word))
        into_file = redirection is not None and redirection.end() == len(word)
    return None if into_file else [*kept, last]


def _unquote(word: str) -> str:
    if _LEFT_TO_THE_SHELL.isdisjoint(word):
        return word
    return re.sub(_QUOTED, _unquoted, word)


def _unquoted(match: re.Match[str]) -> str:
    escaped, single, double = match.groups()
    return escaped or single or re.sub(r'\\([\\"$`])', r"\1", double or "")
