"""`verlgen write SOURCE [key=value …]`: any launch in our own form, changed as asked."""

from __future__ import annotations

import click

from verlgen.cli.options import output_file, script_start
from verlgen.errors import UserError

_EPILOG = """\b
Examples:
  verlgen write run.sh > tidy.sh
  verlgen write -o tidy.sh run.sh data.train_batch_size=256 trainer.nnodes=2
  verlgen write "sweep.sh#2"
"""


@click.command(epilog=_EPILOG)
@click.argument("source", metavar="SOURCE")
@click.argument("changes", metavar="[KEY=VALUE]…", nargs=-1, type=click.UNPROCESSED)
@output_file
@click.option("--verl", "release", metavar="RELEASE", help="The verl release it is for.")
@script_start
def write(
    source: str,
    changes: tuple[str, ...],
    output: str | None,
    force: bool,
    release: str | None,
    env: tuple[str, ...],
    args: str | None,
) -> None:
    """Write the launch of SOURCE as a script of our own form, changed as asked."""
    import shlex

    from verlgen.cli.output import put
    from verlgen.read import pairs, parameters, read_all
    from verlgen.report.written import script_text

    named = shlex.join([source, *changes]) if changes else source
    (result,) = read_all([named], pairs(env), parameters(args), release)
    if isinstance(result, UserError):
        raise result
    for problem in result.problems:
        line = "" if problem.line is None else f":{problem.line}"
        click.echo(f"verlgen: note: {source}{line}: {problem.message}", err=True)
    text = script_text(source, result, ["write", source, *changes])
    put(text, output, force=force, executable=True, what="a script")
