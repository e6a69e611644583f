"""Bash's builtin commands, by name.

A builtin takes the shell, its arguments (expanded, its own name left out) and the node it stands
at; it returns its status.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from verlgen.script.read.builtins.declaring import DECLARATIONS, declare
from verlgen.script.read.syntax import Literal, Node, Word

if TYPE_CHECKING:
    from verlgen.script.read.interpreter import Interpreter

Builtin = Callable[["Interpreter", list[str], Node], int]


def find(name: str) -> Builtin | None:
    """Return the builtin of a name, or None."""
    from verlgen.script.read.builtins import flow, folders, output, variables

    for module in (flow, folders, output, variables):
        found: Builtin | None = module.BUILTINS.get(name)
        if found is not None:
            return found
    return None


def is_declaration(words: Sequence[Word]) -> bool:
    """Tell whether a command declares variables (`export`, `local`, …), maybe behind `command`."""
    for word in words:
        if len(word.parts) != 1 or not isinstance(word.parts[0], Literal):
            return False
        if word.parts[0].text not in ("builtin", "command"):
            return word.parts[0].text in DECLARATIONS
    return False


__all__ = ["Builtin", "declare", "find", "is_declaration"]
