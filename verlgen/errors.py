"""What may go wrong, and the exit codes that every command shares."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """Exit codes, the same for every command."""

    OK = 0
    """Done; no effective difference, no finding at `--fail-on`."""
    FOUND = 1
    """Done; there are differences or findings."""
    USAGE = 2
    """Could not do it: the command line or an input is at fault."""
    FAULT = 3
    """A fault of verlgen itself; a report file was written."""
    INTERRUPTED = 130
    """Stopped by Ctrl-C."""


class UserError(Exception):
    """Something that the user can mend.

    Args:
        what: What is wrong, naming the thing as the user wrote it. Lower case, no full stop.
        where: `file:line:column`, a word of the command line, or None.
        remedy: What would be right, as one or more lines, or None when `what` says it all.

    Attributes:
        source: The SOURCE of the command line that it is about, where a command takes several.
    """

    exit_code = ExitCode.USAGE

    def __init__(self, what: str, *, where: str | None = None, remedy: str | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.remedy = remedy
        self.source: str | None = None

    def __str__(self) -> str:
        text = f"{self.where}: {self.what}" if self.where else self.what
        if self.remedy:
            text += "".join(f"\n  {line}" for line in self.remedy.splitlines())
        return text
