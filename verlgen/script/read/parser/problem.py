"""The one exception of the parser."""

from __future__ import annotations


class SyntaxProblem(Exception):
    """What bash would refuse as a syntax error.

    Attributes:
        message: What is wrong, lower case, without the place.
        offset: Where, as an offset into the text.
        end_of_input: Whether the text ended too early (more text could repair it).
    """

    def __init__(self, message: str, offset: int, end_of_input: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset
        self.end_of_input = end_of_input
