"""Where a command's result goes: stdout, or a file that appears whole."""

from __future__ import annotations

import click


def put(text: str, output: str | None, *, force: bool, executable: bool, what: str) -> None:
    """Write a result.

    Args:
        text: All of it.
        output: The file, or None (or `-`) for stdout.
        force: Whether a file that is there may be replaced.
        executable: Whether the file is to be run.
        what: What it is, for the note that says it was written.

    Raises:
        UserError: The file exists or cannot be written.
    """
    if output is None or output == "-":
        click.echo(text, nl=False)
        return
    from verlgen.files import write_whole

    write_whole(output, text, executable=executable, force=force)
    click.echo(f"wrote {output}: {what}", err=True)
