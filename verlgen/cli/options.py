"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


def preset_folders(command: F) -> F:
    """Add `--presets DIR`, repeatable."""
    return click.option(
        "--presets",
        "folders",
        metavar="DIR",
        multiple=True,
        help="A folder of your own presets, which come first. Also VERLGEN_PRESETS.",
    )(command)


def text_or_json(command: F) -> F:
    """Add `--format text|json`."""
    return click.option(
        "--format",
        "format_",
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
    )(command)


def output_file(command: F) -> F:
    """Add `-o FILE` and `--force`."""
    command = click.option(
        "-f", "--force", is_flag=True, help="Let -o replace a file that exists."
    )(command)
    return click.option(
        "-o", "--output", metavar="FILE", help="Write FILE, executable, instead of stdout."
    )(command)


def script_start(command: F) -> F:
    """Add what a script is started with: `--env K=V` and `--args`."""
    command = click.option(
        "--args", "args", metavar="WORDS", help="The script's arguments, as one text."
    )(command)
    return click.option(
        "--env", "env", metavar="K=V", multiple=True, help="Set a variable. Repeatable."
    )(command)
