"""The one way in which the reader says that only running the script could tell."""

from __future__ import annotations


class Unknown(Exception):
    """The answer hangs on something that is not known, or is more work than reading may cost.

    Args:
        reason: Why, as the end of a sentence. Lower case, no full stop.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
