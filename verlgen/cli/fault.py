"""What happens when verlgen itself is at fault: a report to send, and how to see more."""

from __future__ import annotations

import os
import platform
import shlex
import tempfile
import traceback
from collections.abc import Sequence

from verlgen import __version__


def report(error: BaseException, arguments: Sequence[str]) -> str:
    """Write a report file and return the message that names it."""
    trace = "".join(traceback.format_exception(error))
    text = (
        f"# verlgen {__version__}: a fault\n\n"
        f"- command: `verlgen {shlex.join(arguments)}`\n"
        f"- Python {platform.python_version()} on {platform.platform()}\n\n"
        f"```\n{trace}```\n"
    )
    handle, path = tempfile.mkstemp(prefix="verlgen-fault-", suffix=".md")
    with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
        file.write(text)
    return (
        f"verlgen: a fault of verlgen's: {type(error).__name__}: {error}\n"
        f"  please report it with the file {path}\n"
        "  VERLGEN_FULL_ERROR=1 shows the traceback here"
    )
