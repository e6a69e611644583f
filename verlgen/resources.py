"""Where the shipped presets and templates lie.

A wheel holds them inside the package; a checkout (and an editable install, which reads the
package from the checkout) holds them beside it. The package's own folder is asked first, by
`__file__` rather than importlib.resources: Hydra needs real folders, and importing
importlib.resources costs more than the rest of start-up.
"""

from __future__ import annotations

import os

_PACKAGE = os.path.dirname(os.path.abspath(__file__))


def presets_dir() -> str:
    """Return the folder of the shipped presets."""
    return _folder("presets")


def templates_dir() -> str:
    """Return the folder of the shipped templates."""
    return _folder("templates")


def _folder(name: str) -> str:
    checkout = os.path.join(os.path.dirname(_PACKAGE), name)
    if os.path.isfile(os.path.join(os.path.dirname(_PACKAGE), "pyproject.toml")) and os.path.isdir(
        checkout
    ):
        return checkout
    return os.path.join(_PACKAGE, name)
