"""What is taken to be true of the machine: CUDA GPUs, no NPUs.

A script that asks Python which device it runs on must get an answer for anything to be said.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from verlgen.script.read.doubt import Unknown
from verlgen.script.read.syntax import Node

if TYPE_CHECKING:
    from verlgen.script.read.interpreter import Interpreter

_PYTHON = re.compile(r"python(?:\d+(?:\.\d+)*)?")
_IMPORTS_NPU = re.compile(r"^\s*(?:import|from)\s+torch_npu\b|;\s*import\s+torch_npu\b", re.M)
_DEVICE_NAME = re.compile(r"\bget_device_name\b")


def _base(word: str) -> str:
    return word.rpartition("/")[2]


def python(
    shell: Interpreter, name: str, arguments: list[str], node: Node
) -> tuple[str, int] | None:
    """Return output and status of a Python snippet that can be told; None of any other."""
    words = [name, *arguments]
    at = next((n for n, word in enumerate(words) if _PYTHON.fullmatch(_base(word))), None)
    if at is None:
        return None
    arguments = words[at + 1 :]
    if arguments[:1] == ["-c"] and len(arguments) > 1:
        code = arguments[1]
    elif arguments[:1] in (["-"], []) and shell.stdin is not None:
        code = shell.stdin
    else:
        return None
    if _IMPORTS_NPU.search(code):
        return "", 1
    if _DEVICE_NAME.search(code) and "print" in code and code.count("print") == 1:
        shell.uncertain("device", node, "asks Python for the device; taken to be cuda")
        return "cuda\n", 0
    from verlgen.script.read.programs import PROGRAMS

    try:
        return PROGRAMS["python3"](["-c", code], "")
    except (Unknown, KeyError):
        return None
