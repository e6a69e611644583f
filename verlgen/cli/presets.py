"""`verlgen presets`: which presets there are, and what one of them sets."""

from __future__ import annotations

import click

from verlgen.cli.options import preset_folders, text_or_json

_EPILOG = """\b
Examples:
  verlgen presets
  verlgen presets show algo/grpo
  verlgen presets show hw/8xA100-40G
"""


@click.group(invoke_without_command=True, epilog=_EPILOG)
@preset_folders
@text_or_json
@click.pass_context
def presets(ctx: click.Context, folders: tuple[str, ...], format_: str) -> None:
    """List groups of presets and their options, a line each."""
    if ctx.invoked_subcommand is not None:
        return
    from verlgen.compose import presets as found
    from verlgen.compose.places import own_folders
    from verlgen.report import presets as report

    places = found.folders(own_folders(folders))
    click.echo(report.listing(places, as_json=format_ == "json"), nl=False)


@presets.command()
@click.argument("name", metavar="GROUP/OPTION")
@click.option("--verl", "release", metavar="RELEASE", help="Name keys as this release does.")
@preset_folders
@text_or_json
def show(name: str, release: str | None, folders: tuple[str, ...], format_: str) -> None:
    """Show what one preset sets: each value, its key in verl, and why."""
    from verlgen.compose import presets as found
    from verlgen.compose.places import own_folders
    from verlgen.report import presets as report

    places = found.folders(own_folders(folders))
    click.echo(report.page(name, release, places, as_json=format_ == "json"), nl=False)
