"""Options that several commands share."""

from __future__ import annotations

import os
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


def all_folders(folders: tuple[str, ...]) -> list[str]:
    """Return the folders of `--presets`, then those of VERLGEN_PRESETS."""
    from_environment = os.environ.get("VERLGEN_PRESETS", "").split(os.pathsep)
    return [*folders, *(folder for folder in from_environment if folder)]


def text_or_json(command: F) -> F:
    """Add `--format text|json`."""
    return click.option(
        "--format",
        "format_",
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
    )(command)
