"""What a simple command can turn out to be."""

from __future__ import annotations

from typing import Literal, NamedTuple

Kind = Literal["trainer", "tool"]


class Recognized(NamedTuple):
    """A Python program that is started.

    Attributes:
        kind: `trainer` for whatever is handed Hydra overrides, else `tool`; Hydra's tools of verl
            (generation, evaluation) are tools with overrides.
        entrypoint: The module or the file, as it is written.
        launcher: Names of the programs that place it or start its Python, outermost first:
            `["uv", "python3"]`, `["ray job submit", "python3"]`, `["torchrun"]`.
        hydra_flags: Hydra's own flags in order; one whose value is a word of its own is joined
            with it by a blank.
        overrides: Indices into argv of the override words.
        other_args: Indices into argv of all other words behind the entry point.
        env: What the command itself sets for it (`env A=1`, `docker run -e A=1`).
        start: Index into argv of the entry point; `argv[:start]` is all that stands before it.
    """

    kind: Kind
    entrypoint: str
    launcher: list[str]
    hydra_flags: list[str]
    overrides: list[int]
    other_args: list[int]
    env: dict[str, str]
    start: int


class Inner(NamedTuple):
    """Text that a second shell reads as a command.

    Attributes:
        text: The shell text.
        args: What its `$0`, `$1`, … are; empty where it gets none.
        place: Which word of argv the text is, or the first of those joined to it.
        env: What the command itself sets for it.
        launcher: Names of the programs before the second shell (`["ssh"]`, `["docker"]`).
        joined: Whether the text was several words, which the shell sees joined by blanks.
    """

    text: str
    args: list[str]
    place: int
    env: dict[str, str]
    launcher: list[str]
    joined: bool = False


class OtherScript(NamedTuple):
    """Another shell script that is run, whose text is not in the command.

    Attributes:
        path: Its path as written.
        args: Its arguments.
        place: Which word of argv the path is.
        env: What the command itself sets for it.
        launcher: Names of the programs before it (`["sbatch"]`, `["srun", "bash"]`).
    """

    path: str
    args: list[str]
    place: int
    env: dict[str, str]
    launcher: list[str]


class FromInput(NamedTuple):
    """A second shell that reads its commands from standard input (`ssh host bash -s <<EOF`).

    Attributes:
        args: Its `$1`, `$2`, ….
        env: What the command itself sets for it.
        launcher: Names of the programs before it.
    """

    args: list[str]
    env: dict[str, str]
    launcher: list[str]


Found = Recognized | Inner | OtherScript | FromInput
