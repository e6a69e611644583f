"""`verlgen show SOURCE…`: what bash would hand to the trainer, without running anything."""

from __future__ import annotations

import click

from verlgen.cli.options import script_start
from verlgen.errors import ExitCode, UserError

_EPILOG = """\b
Examples:
  verlgen show run.sh
  verlgen show "run.sh data.train_batch_size=256"
  verlgen show --format json scripts/*.sh
  verlgen show --env NNODES=4 --args "qwen3 fast" run.sh
"""


@click.command(epilog=_EPILOG)
@click.argument("sources", metavar="SOURCE…", nargs=-1, required=True)
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="A page for people, or one JSON object a line and source.",
)
@click.option("--verl", "release", metavar="RELEASE", help="The verl release to read it for.")
@script_start
def show(
    sources: tuple[str, ...],
    format_: str,
    release: str | None,
    env: tuple[str, ...],
    args: str | None,
) -> int:
    """Show what each SOURCE launches.

    SOURCE is a path, - for standard input, GIT_REV:path, or words for presets in one argument; a
    path may carry overrides behind it, and #N picks one of several launches.
    """
    import json

    from verlgen.read import pairs, parameters, read_all
    from verlgen.report import show as report

    status = ExitCode.OK
    for result in read_all(sources, pairs(env), parameters(args), release):
        if isinstance(result, UserError):
            status = ExitCode.USAGE
            document = report.failure(result.source or "", str(result))
            if format_ == "text":
                click.echo(f"verlgen: {result}", err=True)
        else:
            document = report.document(result)
        if format_ == "json":
            click.echo(json.dumps(document, ensure_ascii=False))
        elif not isinstance(result, UserError):
            click.echo(report.page(document), nl=False)
    return status
