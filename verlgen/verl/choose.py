"""Which verl release a command speaks of, and why."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from verlgen.errors import UserError
from verlgen.verl import tables


class Choice(NamedTuple):
    """A release and the reason for it.

    Attributes:
        release: Release as text.
        reason: Why this one, in a few words.
    """

    release: str
    reason: str


def choose(
    *,
    wanted: Iterable[tuple[str | None, str]],
    accepts: Callable[[str], bool] | None = None,
    searched: Iterable[str] | None = None,
) -> Choice:
    """Choose the release.

    Args:
        wanted: What may name a release, strongest first, each with the reason to give; None where
            it names none.
        accepts: Tells whether a release's table takes all overrides of the command; None when
            there is nothing to judge by.
        searched: Folders searched for an installed verl; those Python imports from by default.

    Raises:
        UserError: A release that is named does not exist.
    """
    for release, reason in wanted:
        if release is not None:
            return Choice(check(release, reason), reason)
    installed = installed_release(sys.path if searched is None else searched)
    if installed is not None and installed in tables.releases():
        return Choice(installed, "installed here")
    newest = tables.newest()
    if accepts is None or accepts(newest):
        return Choice(newest, "newest")
    for release in reversed(tables.published()):
        if accepts(release):
            return Choice(release, "newest that has all keys")
    return Choice(newest, "newest")


def check(release: str, where: str) -> str:
    """Return the release as the tables name it.

    Raises:
        UserError: There is no such release; the message names the nearest.
    """
    name = release.removeprefix("v")
    known = tables.releases()
    if name in known:
        return name
    begun = [other for other in known if other.startswith(f"{name}.")]
    guess = f"did you mean {' or '.join(begun)}?\n" if begun and name else ""
    raise UserError(
        f"verlgen knows no verl release '{release}'",
        where=where,
        remedy=f"{guess}known are {', '.join(known)}\n"
        "add a development checkout with: verlgen schema add PATH_OR_WHEEL",
    )


def installed_release(folders: Iterable[str]) -> str | None:
    """Return the version of a verl installed in one of the folders, or None.

    Reads folder names only: importlib.metadata costs more than a whole command may.
    """
    for folder in folders:
        try:
            names = os.listdir(folder or ".")
        except OSError:
            continue
        for name in names:
            if name.startswith("verl-") and name.endswith(".dist-info"):
                return name[len("verl-") : -len(".dist-info")]
    return None


def project_file(start: str | None = None) -> str | None:
    """Return the project's verlgen.yaml: in this folder or one above it, up to the git root."""
    try:
        folder = os.path.abspath(start or os.getcwd())
    except OSError:  # the current folder is gone
        return None
    while True:
        path = os.path.join(folder, "verlgen.yaml")
        if os.path.isfile(path):
            return path
        parent = os.path.dirname(folder)
        if parent == folder or os.path.exists(os.path.join(folder, ".git")):
            return None
        folder = parent


def project_settings(path: str | None) -> Mapping[str, Any]:
    """Return what a verlgen.yaml says: `verl` and `presets`, every value as text.

    Raises:
        UserError: It is no mapping, or has another key.
    """
    if path is None:
        return {}
    import yaml

    try:
        with open(path, encoding="utf-8") as file:
            # BaseLoader: a release is text, and 0.10 is not 0.1.
            loaded = yaml.load(file, Loader=yaml.BaseLoader)
    except yaml.YAMLError as error:
        raise UserError("not YAML", where=path, remedy=str(error)) from error
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise UserError(f"cannot read it: {reason}", where=path) from error
    if not loaded:
        return {}
    if not isinstance(loaded, dict):
        raise UserError("holds `key: value` lines", where=path)
    for key, value in loaded.items():
        if key not in {"verl", "presets"}:
            raise UserError(f"unknown key '{key}'", where=path, remedy="known are verl and presets")
        many = key == "presets" and isinstance(value, list)
        if not all(isinstance(item, str) for item in (value if many else [value])):
            raise UserError(f"{key} is a text", where=path, remedy=f"write {key}: VALUE")
    return loaded
