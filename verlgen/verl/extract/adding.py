"""Releases that the user adds: a development checkout, or a wheel that verlgen does not know."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from verlgen.errors import UserError
from verlgen.verl import tables
from verlgen.verl.extract import run, source, store


class Added(NamedTuple):
    """What was added.

    Attributes:
        release: Name that it has from now on.
        path: Its data file.
        tables: Number of tables that compose.
        problems: One line for each config that does not.
    """

    release: str
    path: str
    tables: int
    problems: list[str]


def add(path: Path, *, name: str | None = None, force: bool = False) -> Added:
    """Extracts a wheel or checkout into the user's data folder.

    Args:
        path: Wheel file, or folder that holds `verl/`.
        name: Name for it, or None for the version that it calls itself.
        force: Whether it may hide a published release or replace an added one.

    Raises:
        UserError: `path` is no verl, the name is taken, or the folder cannot be written.
    """
    with source.opened(path) as verl:
        release = source.check_name(name or verl.name)
        if not force:
            _refuse_clash(release)
        content = run.extract(verl, release=release, hides=release in tables.published())
    target = tables.added_path(release)
    store.write(Path(target), content)
    names = tables.table_names(release)
    problems = [
        " ".join([f"{table.path}/{table.config}", *_words(table.choices)]) + f": {table.problem}"
        for table in names
        if table.problem is not None
    ]
    return Added(release, target, len(names) - len(problems), problems)


def remove(release: str) -> str:
    """Removes an added release and returns the path of the deleted file.

    Raises:
        UserError: No such added release; published ones cannot be removed.
    """
    if release not in tables.added():
        known = ", ".join(tables.added()) or "none"
        why = "comes with verlgen" if release in tables.published() else "was never added"
        raise UserError(
            f"cannot remove verl {release}: it {why}", remedy=f"added releases: {known}"
        )
    path = tables.added_path(release)
    try:
        os.unlink(path)
    except OSError as error:
        raise UserError(f"cannot remove {path}: {error.strerror}") from None
    return path


def _refuse_clash(release: str) -> None:
    if release in tables.published():
        raise UserError(
            f"verl {release} is a published release that verlgen knows already",
            remedy="give the checkout a name of its own with --name, or hide the published one"
            " with --force",
        )
    if release in tables.added():
        raise UserError(
            f"verl {release} was added before",
            remedy="replace it with --force, or give this one another name with --name",
        )


def _words(choices: dict[str, str]) -> list[str]:
    return [f"{key}={option}" for key, option in choices.items()]
