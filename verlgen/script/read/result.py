"""What a reading gives: launches with places, and problems."""

from __future__ import annotations

from typing import NamedTuple

from verlgen.script.read.sources import Where


class Problem(NamedTuple):
    """Something the user should know of a script.

    Attributes:
        line: 1-based line, or None where it has none.
        code: Stable short name of the kind.
        message: What is wrong, in one sentence.
        remedy: What would be right, or "".
        uncertain: Whether the reader itself was not sure what bash would do.
        file: File it stands in, or None for the source itself.
    """

    line: int | None
    code: str
    message: str
    remedy: str = ""
    uncertain: bool = False
    file: str | None = None


class Found(NamedTuple):
    """A trainer or tool command that the script runs.

    Attributes:
        kind: `trainer` or `tool`.
        entrypoint: Module or Python file.
        launcher: Names of the programs that place it or start its Python.
        prefix: All words before the entry point.
        hydra_flags: Hydra's own flags, text with symbols.
        overrides: Override words, text with symbols and places.
        other_args: Other words.
        env: Exported beyond the start, text with symbols.
        where: Place of the command.
        because: Why bash would not get here, or None.
    """

    kind: str
    entrypoint: str
    launcher: list[str]
    prefix: list[str]
    hydra_flags: list[str]
    overrides: list[str]
    other_args: list[str]
    env: dict[str, str]
    where: Where | None
    because: str | None
