"""What a file turns out to hold."""

from __future__ import annotations

from typing import Literal, NamedTuple

Kind = Literal[
    "script",
    "sbatch",
    "markdown",
    "overrides",
    "config",
    "skypilot",
    "kubernetes",
    "compose",
    "arguments",
    "presets",
]
"""What a source is: a shell script, one with `#SBATCH` headers, a document with fenced scripts,
Hydra's overrides.yaml, a whole composed config, manifests, a recorded command line, or words for
presets."""


class Embedded(NamedTuple):
    """Shell text that stands in a file.

    Attributes:
        text: The text.
        name: Where in the file, as people call it (`run`, `spec.entrypoint`, `block 2`), or "".
        first_line: 1-based line of the file that the text begins in.
        column_offset: Characters of the file that stand before every line of the text.
        exact: Whether lines and columns of the text lead to those of the file. If not, all that is
            known is that it begins in `first_line`.
        env: Environment that the file sets for it.
        args: `$1`, `$2`, … that the file sets for it.
    """

    text: str
    name: str = ""
    first_line: int = 1
    column_offset: int = 0
    exact: bool = True
    env: dict[str, str] = {}  # noqa: RUF012 (nobody writes to it)
    args: tuple[str, ...] = ()


class Written(NamedTuple):
    """A word that a file lists, with its place.

    Attributes:
        text: The word as it is passed.
        line: 1-based line.
        column: 1-based column in characters.
        length: Length of what is written there, in bytes (UTF-8).
    """

    text: str
    line: int
    column: int
    length: int


class Topology(NamedTuple):
    """What a file asks of the cluster.

    Attributes:
        nodes: Number of nodes, or None where it does not say.
        gpus_per_node: GPUs on each, or None.
        accelerator: Their name, or None.
        env: What the scheduler would set for the script, as far as it follows from the file.
    """

    nodes: int | None = None
    gpus_per_node: int | None = None
    accelerator: str | None = None
    env: dict[str, str] = {}  # noqa: RUF012 (nobody writes to it)


class Contents(NamedTuple):
    """What a file holds.

    Attributes:
        kind: What it is.
        scripts: Its shell texts, in the order in which they run.
        words: For a file that lists settings: override words, in order.
        entrypoint: For such a file: the module it was for, if known.
        hydra_flags: For such a file: Hydra's flags.
        complete: Whether the words are a whole config, defaults and all, not what somebody set.
        topology: What it asks of the cluster.
    """

    kind: Kind
    scripts: tuple[Embedded, ...] = ()
    words: tuple[Written, ...] = ()
    entrypoint: str | None = None
    hydra_flags: tuple[str, ...] = ()
    complete: bool = False
    topology: Topology = Topology()
