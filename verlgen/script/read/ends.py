"""How walking commands ends before the last one, and how far it goes at the most."""

from __future__ import annotations

MOST_STEPS = 60_000
MOST_ROUNDS = 2_000
MOST_DEPTH = 60
MOST_TEXT = 1_000_000
MOST_LAUNCHES = 2_000


class Stop(Exception):
    """The reading has gone on for too long."""


class Exit(Exception):
    """The shell, or the subshell, ends."""


class Return(Exception):
    """A function or a sourced file ends."""


class Jump(Exception):
    """`break` or `continue`, with the number of loops."""

    def __init__(self, kind: str, levels: int) -> None:
        super().__init__(kind)
        self.kind = kind
        self.levels = levels
