"""`verlgen algo=grpo hw=8xA100`: presets and overrides -> a launch script."""

from __future__ import annotations

import click

from verlgen.cli.options import output_file, preset_folders
from verlgen.errors import UserError

FORMATS = ("sh", "yaml", "json")

_EPILOG = """\b
Examples:
  verlgen algo=grpo hw=8xA100 > run.sh
  verlgen -o run.sh algo=grpo model=qwen2.5-0.5b hw=1x4090
  verlgen algo=ppo data.train_files=/data/a.parquet data.val_files=/data/b.parquet
  verlgen --format yaml recipe=deepseek7b-gsm8k algo=grpo verl=0.6.1
"""


@click.command(epilog=_EPILOG)
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
@output_file
@click.option(
    "--format",
    "format_",
    type=click.Choice(FORMATS),
    default="sh",
    show_default=True,
    help="A script, or the composed settings with their origins.",
)
@click.option("--verl", "release", metavar="RELEASE", help="The verl release to write for.")
@preset_folders
@click.option("-m", "--multirun", is_flag=True, help="Sweep (not built yet).")
def generate(
    words: tuple[str, ...],
    output: str | None,
    force: bool,
    format_: str,
    release: str | None,
    folders: tuple[str, ...],
    multirun: bool,
) -> None:
    """Write a launch script from presets and overrides.

    WORDS are group=option (`verlgen presets` lists them), verl=RELEASE, our knobs model.path=,
    hw.tp=, hw.mem=, and any override of verl's in Hydra's grammar.
    """
    if multirun:
        raise UserError("sweeps are not built yet", where="-m", remedy="write one script a point")
    from verlgen.cli.output import put
    from verlgen.compose.generate import generate as compose
    from verlgen.compose.places import own_folders
    from verlgen.report.generated import json_text, script_text, yaml_text

    own = own_folders(folders)
    composed = compose(words, release=release, preset_folders=own)
    for note in composed.notes:
        click.echo(f"verlgen: note: {note}", err=True)
    if format_ == "json":
        text = json_text(composed)
    elif format_ == "yaml":
        text = yaml_text(composed)
    else:
        options = [f"--verl={release}"] if release else []
        options += [f"--presets={folder}" for folder in own]
        text = script_text(composed, [*options, *words] or ["generate"])
    count = len(composed.placed) + len(composed.extra)
    chosen = composed.release
    put(
        text,
        output,
        force=force,
        executable=format_ == "sh",
        what=f"{count} overrides, verl {chosen.release} ({chosen.reason})",
    )
