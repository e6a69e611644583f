"""Hydra's part of composition: the choices of groups and our knobs in, one tree of settings out.

The only module of this room that imports Hydra and OmegaConf. Hydra sees nothing but our own
preset tree: verl's words stay outside, since compose would refuse `a.b=1`, `~x` and
`model_engine=megatron` against it.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, NamedTuple

from hydra import compose, initialize_config_dir
from hydra.core.default_element import ResultDefault
from hydra.core.global_hydra import GlobalHydra
from hydra.core.object_type import ObjectType
from hydra.core.plugins import Plugins
from hydra.errors import HydraException
from hydra.plugins.config_source import ConfigLoadError, ConfigResult, ConfigSource
from hydra.types import RunMode
from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException

from verlgen.errors import UserError


class PresetFile(NamedTuple):
    """A preset that took part.

    Attributes:
        name: Group and option (`algo/grpo`).
        package: Dotted place of its settings in the tree, empty for the top.
    """

    name: str
    package: str


class Tree(NamedTuple):
    """What Hydra composed.

    Attributes:
        values: Nested settings, interpolations resolved.
        choices: Group -> chosen option.
        files: The presets in the order in which they were merged: a later one wins.
    """

    values: dict[str, Any]
    choices: dict[str, str]
    files: list[PresetFile]


class _Machines(ConfigSource):
    """Answers for every option of the group `hw`, so that no file a combination is needed.

    What the option means is for verlgen.catalog.gpus to say, which has also checked it by now.
    """

    @staticmethod
    def scheme() -> str:
        return "machines"

    def available(self) -> bool:
        return True

    def load_config(self, config_path: str) -> ConfigResult:
        if not self.is_config(config_path):
            raise ConfigLoadError(config_path)
        option = config_path.removeprefix("hw/").removesuffix(".yaml")
        return ConfigResult(
            config=OmegaConf.create({"machines": option}),
            path=f"{self.scheme()}://",
            provider=self.provider,
            header={"package": None},
        )

    def is_group(self, config_path: str) -> bool:
        return config_path.strip("/") == "hw"

    def is_config(self, config_path: str) -> bool:
        return config_path.startswith("hw/")

    def list(self, config_path: str, results_filter: ObjectType | None) -> list[str]:
        return []


def compose_tree(primary: str, folders: Sequence[str], words: Sequence[str]) -> Tree:
    """Compose the presets.

    Args:
        primary: Folder that holds config.yaml and nothing else.
        folders: Folders of presets, the first one's preset of a name winning.
        words: `group=option` and `knob=value` words in Hydra's grammar.

    Raises:
        UserError: A preset file is at fault; Hydra's own words say how.
    """
    plugins = Plugins.instance()
    if _Machines not in plugins.discover(ConfigSource):
        plugins.register(_Machines)
    # Hydra's searchpath is a list in its grammar: quoted, a folder may have any name but one with
    # both a quote and a backslash before it.
    places = [*(f"file://{folder}" for folder in folders), "machines://"]
    quoted = ",".join("'" + place.replace("'", "\\'") + "'" for place in places)
    overrides = [f"hydra.searchpath=[{quoted}]", *words]
    GlobalHydra.instance().clear()
    try:
        with initialize_config_dir(os.path.abspath(primary), version_base=None):
            config = compose("config", overrides=overrides)
            loader = GlobalHydra.instance().config_loader()
            merged = loader.compute_defaults_list("config", overrides, RunMode.RUN).defaults
            values = OmegaConf.to_container(config, resolve=True)
    except (HydraException, OmegaConfBaseException) as error:
        raise UserError(str(error).splitlines()[0], where="presets", remedy=_rest(error)) from error
    assert isinstance(values, dict)
    return Tree(
        {str(key): value for key, value in values.items()}, _choices(merged), _files(merged)
    )


def _rest(error: Exception) -> str | None:
    return "\n".join(line for line in str(error).splitlines()[1:] if line.strip()) or None


def _choices(merged: Sequence[ResultDefault]) -> dict[str, str]:
    chosen = {}
    for item in merged:
        if item.parent == "config" and item.config_path and item.config_path != "config":
            group, _, option = item.config_path.rpartition("/")
            chosen[group] = option
    return chosen


def _files(merged: Sequence[ResultDefault]) -> list[PresetFile]:
    return [
        PresetFile(item.config_path, item.package or "")
        for item in merged
        if item.config_path and not item.config_path.startswith(("hydra/", "hw/"))
    ]
