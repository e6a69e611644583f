"""The form of what is found, and how it is narrowed down and shown."""

from __future__ import annotations

from collections.abc import Iterable

Candidates = list[tuple[str, str]]
"""Whole words, each with a short description. One that ends in `=`, `.` or `/` is unfinished."""

LONGEST_ABOUT = 70
"""Characters of a description that fit beside a candidate."""


def beginning(word: str, found: Iterable[tuple[str, str]]) -> Candidates:
    """Return those candidates that begin with a word."""
    return [(text, about) for text, about in found if text.startswith(word)]


def shortened(about: str) -> str:
    """Return a description as one line without tabs that fits beside a candidate."""
    line = " ".join(about.split())
    return line if len(line) <= LONGEST_ABOUT else f"{line[: LONGEST_ABOUT - 1]}…"
