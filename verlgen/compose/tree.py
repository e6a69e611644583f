"""Hydra's part of composition: the choices of groups and our knobs in, one tree of settings out.

The only module of this room that imports Hydra and OmegaConf. Hydra sees nothing but our own
preset tree: verl's words stay outside, since compose would refuse `a.b=1`, `~x` and
`model_engine=megatron` against it.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, NamedTuple

import yaml
from hydra import initialize_config_dir
from hydra.core.default_element import ResultDefault
from hydra.core.global_hydra import GlobalHydra
from hydra.core.object_type import ObjectType
from hydra.core.override_parser.types import Override
from hydra.core.plugins import Plugins
from hydra.errors import HydraException
from hydra.plugins.config_source import ConfigLoadError, ConfigResult, ConfigSource
from hydra.types import RunMode
from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException

from verlgen.compose.presets import MACHINES_GROUP, Written, find, not_yaml, shown, walk
from verlgen.compose.settings import put
from verlgen.errors import UserError
from verlgen.overrides import dump


class Tree(NamedTuple):
    """What Hydra composed.

    Attributes:
        values: Nested settings, interpolations resolved.
        choices: Group -> chosen option.
        written: Dotted key -> where its value was written.
    """

    values: dict[str, Any]
    choices: dict[str, str]
    written: dict[str, Written]


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

    Hydra computes the defaults list: which files, in which order, in which package. The files are
    merged here, in that order, since the places of their values are wanted as well and reading them
    twice would cost as much again; a test holds the outcome equal to Hydra's compose.

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
    overrides = [searchpath(folders), *words]
    GlobalHydra.instance().clear()
    try:
        with initialize_config_dir(os.path.abspath(primary), version_base=None):
            loader = GlobalHydra.instance().config_loader()
            merged = loader.compute_defaults_list("config", overrides, RunMode.RUN)
        return _merge(merged.defaults, merged.config_overrides, [primary, *folders])
    except yaml.YAMLError as error:
        raise not_yaml("presets", error) from error
    except (HydraException, OmegaConfBaseException) as error:
        raise UserError(str(error).splitlines()[0], where="presets", remedy=_rest(error)) from error
    except UserError:
        raise
    except Exception as error:
        # Hydra has no refusal of its own for a defaults list that is none, or that never ends.
        raise UserError(
            f"Hydra cannot compose them: {str(error).splitlines()[0] or type(error).__name__}",
            where="presets",
            remedy="look at the defaults lists of: " + ", ".join(shown(f) for f in folders),
        ) from error


def searchpath(folders: Sequence[str]) -> str:
    """Return the word that makes Hydra look for presets in the folders, then for machines."""
    places = [*(f"file://{folder}" for folder in folders), "machines://"]
    return dump("=", "hydra.searchpath", list(places))


def _merge(
    merged: Sequence[ResultDefault], knobs: Sequence[Override], folders: Sequence[str]
) -> Tree:
    tree: dict[str, Any] = {}
    written: dict[str, Written] = {}
    chosen: dict[str, str] = {}
    for item in merged:
        name = item.config_path
        if name is None or name.startswith("hydra/"):
            continue
        group, _, option = name.rpartition("/")
        if item.parent == "config" and group:
            chosen[group] = option
        if group == MACHINES_GROUP:
            put(tree, f"{group}.machines", option)
            continue
        file = find(folders, name)
        assert file is not None, name  # Hydra has read it
        for line in walk(file, item.package or ""):
            put(tree, line.key, line.value)
            written[line.key] = line
    config = OmegaConf.create(tree)
    for knob in knobs:
        if not knob.key_or_group.startswith("hydra."):
            OmegaConf.update(config, knob.key_or_group, knob.value())
    values = OmegaConf.to_container(config, resolve=True)
    assert isinstance(values, dict)
    return Tree({str(key): value for key, value in values.items()}, chosen, written)


def _rest(error: Exception) -> str | None:
    return "\n".join(line for line in str(error).splitlines()[1:] if line.strip()) or None
