"""Where presets are looked for: `--presets`, VERLGEN_PRESETS, the project, what is shipped."""

from __future__ import annotations

import os
from collections.abc import Sequence

from verlgen.verl.choose import project_file, project_settings


def own_folders(named: Sequence[str] = ()) -> list[str]:
    """Return the user's own preset folders, the strongest first.

    Args:
        named: What `--presets` names.

    Raises:
        UserError: The project's verlgen.yaml is broken.
    """
    from_environment = os.environ.get("VERLGEN_PRESETS", "").split(os.pathsep)
    folders = [*named, *(folder for folder in from_environment if folder)]
    path = project_file()
    said = project_settings(path).get("presets")
    if path is not None and said:
        base = os.path.dirname(path)
        of_project = [said] if isinstance(said, str) else said
        folders += [os.path.relpath(os.path.join(base, folder)) for folder in of_project]
    return folders
