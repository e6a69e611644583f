"""The published verl wheels as the referee: download, unpack, compose.

Wheels come from PyPI with pip on first use and are kept in `$VERLGEN_WHEELS`, else `.wheels/` of the
checkout; their sha256 is checked on each run. Mark a test that uses this `@pytest.mark.wheels`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from verlgen.verl.extract import published

# Written down here and not taken from the extractor, which is what this is the referee of.
_SEARCH_PATH = "verl/trainer/config"
_MAIN_PATH = "verl/trainer/config"


@lru_cache(maxsize=None)
def wheel(release: str) -> Path:
    """Returns the wheel file of a published release."""
    return published.wheel(release)


@lru_cache(maxsize=None)
def unpacked(release: str) -> Path:
    """Returns the folder of an unpacked published release: it holds `verl/`. Change nothing in it."""
    return published.unpacked(release)


def composed(
    release: str,
    overrides: Sequence[str] = (),
    *,
    config: str = "ppo_trainer",
    path: str = _MAIN_PATH,
    hydra: bool = False,
) -> Any:
    """Composes a release's own config with the real Hydra, as its entry point would.

    Args:
        release: Published release.
        overrides: Words as on the command line.
        config: Primary config.
        path: Its folder below the one that holds `verl/`.
        hydra: Whether to leave the node `hydra` in (`hydra.runtime.choices`).

    Returns:
        The DictConfig, in struct mode as the entry point gets it.
    """
    from hydra import compose, initialize_config_dir

    root = unpacked(release)
    words = list(overrides)
    if path != _MAIN_PATH:
        # The experimental configs find the main ones by working directory or by import.
        words.append(f"hydra.searchpath=[file://{root / _SEARCH_PATH}]")
    with initialize_config_dir(config_dir=str(root / path), version_base=None):
        return compose(config, overrides=words, return_hydra_config=hydra)


def flattened(config: Any) -> Mapping[str, Any]:
    """Returns dotted key to leaf of a composed config, in order, interpolations as text."""
    from omegaconf import OmegaConf

    leaves: dict[str, Any] = {}

    def walk(node: Any, prefix: str) -> None:
        if isinstance(node, dict) and (node or not prefix):
            for key, value in node.items():
                walk(value, f"{prefix}.{key}" if prefix else key)
        else:
            leaves[prefix] = node

    walk(OmegaConf.to_container(config, resolve=False), "")
    return leaves
