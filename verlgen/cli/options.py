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
