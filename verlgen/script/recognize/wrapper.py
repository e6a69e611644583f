"""How a program leads to the command behind its options."""

from __future__ import annotations

from typing import NamedTuple

from verlgen.script.recognize.options import Options, names


class Wrapper(NamedTuple):
    """How a program's command line leads to the command that it starts.

    Attributes:
        options: Its options.
        sub: Subcommands of which one must come first; `record` for `py-spy record`. Options may
            stand before it.
        operands: How many words stand between options and command (`timeout 10m`, an image).
        named: Whether people see it in the launcher. What only adjusts a process is left out.
        label: The name in the launcher, if not the program's.
        env: Options whose value sets a variable of the environment.
        commas: Whether such a value may be several, parted by commas.
        assigns: Whether `A=1` may stand before the command.
        shell: Options whose value is shell text (`script -c TEXT`).
        joins: Whether the words of the command are joined for a second shell, as ssh does:
            `always`, or `one` when that only matters for a single word (ray).
        python: Whether the command may be a Python file or `-m MODULE` without an interpreter.
        only_python: Whether it can be nothing else (torchrun).
    """

    options: Options = Options()
    sub: frozenset[str] = frozenset()
    operands: int = 0
    named: bool = True
    label: str | None = None
    env: frozenset[str] = frozenset()
    commas: bool = False
    assigns: bool = False
    shell: frozenset[str] = frozenset()
    joins: str = ""
    python: bool = False
    only_python: bool = False


def plain(valued: str = "", operands: int = 0) -> Wrapper:
    """Return a wrapper that people do not see in the launcher."""
    return Wrapper(Options(names(valued)), operands=operands, named=False)
