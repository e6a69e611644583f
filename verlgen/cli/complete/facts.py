"""What the candidates depend on beyond the word: presets folders, the release, its keys."""

from __future__ import annotations

import contextlib
import os
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verlgen.cli.complete.given import Given
    from verlgen.verl.tables import Table


class Facts:
    """What the candidates depend on, each read when it is asked for.

    Args:
        given: What stands before the cursor.
    """

    def __init__(self, given: Given) -> None:
        self._given = given

    def option(self, name: str) -> str | None:
        """Return the last value of a command's option or argument, or None."""
        values = self._given.options.get(name)
        return values[-1] if values else None

    def word(self, key: str) -> str | None:
        """Return what the last `key=value` before the cursor says, or None."""
        for word in reversed(self._given.arguments):
            name, equals, value = word.partition("=")
            if equals and name == key:
                return value
        return None

    @cached_property
    def _project(self) -> dict[str, str]:
        """What the project's verlgen.yaml says."""
        from verlgen.verl.choose import project_file, project_settings

        return dict(project_settings(project_file()))

    @cached_property
    def places(self) -> list[str]:
        """Preset folders, in the order in which `generate` asks them."""
        from verlgen.compose import presets
        from verlgen.compose.places import own_folders

        told = [os.path.expanduser(path) for path in self._given.options.get("folders", ())]
        extra = own_folders(told)
        return presets.folders([path for path in extra if os.path.isdir(path)])

    @cached_property
    def release(self) -> str:
        """The release in force; the newest where the line names one that does not exist."""
        from verlgen.errors import UserError
        from verlgen.verl import tables
        from verlgen.verl.choose import choose

        told = (self.option("release"), self.word("verl"), self._project.get("verl"))
        try:
            return choose(wanted=[(name, "") for name in told]).release
        except UserError:
            return tables.newest()

    @cached_property
    def table(self) -> Table:
        """The keys in force, or those of the release's default where the choice has none."""
        from verlgen.errors import UserError
        from verlgen.verl import tables

        config = self.option("config") or tables.MAIN_CONFIG
        engine = self.option("engine") or self.word("model_engine")
        with contextlib.suppress(UserError):
            return tables.load(self.release, config, engine)
        return tables.load(self.release)
