"""Every Hydra config of a verl: which there are, their files as data, and what Hydra composes."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from verlgen.verl.extract.source import fact_files
from verlgen.verl.tables import MAIN_CONFIG

ENGINE_GROUPS = ("model_engine", "engine")
"""Groups whose every option gets a table of its own, where they stand at the top of a config."""

COMPANION_GROUP = "optim"
"""A group that people set together with `engine`, to the option of the same name."""


class Root(NamedTuple):
    """A folder of primary configs.

    Attributes:
        path: POSIX path below the folder that holds `verl/`, such as `verl/trainer/config`.
        primaries: Names of the configs at its top: `ppo_trainer`, then the others sorted.
    """

    path: str
    primaries: list[str]


class Group(NamedTuple):
    """One choice in a defaults list.

    Attributes:
        key: Hydra's own name of the choice: `actor@actor_rollout_ref.actor`.
        chosen: The option, or None where the group is left out.
        folder: The group's folder below its config root, `..` taken away.
        overridable: Whether Hydra's command line can name the key. It cannot name one with `..`.
    """

    key: str
    chosen: str | None
    folder: str
    overridable: bool


class Composed(NamedTuple):
    """A composed config, or why there is none.

    Attributes:
        config: Name of the primary config.
        path: Its config root.
        choices: Group overrides that lead here, in order.
        tree: Keys with interpolations as text; None when it does not compose.
        groups: Every choice in the defaults list, in Hydra's order.
        problem: Why it does not compose, in one line, else None.
    """

    config: str
    path: str
    choices: dict[str, str]
    tree: dict[str, Any] | None
    groups: list[Group]
    problem: str | None

    @property
    def engine(self) -> str | None:
        """The option of the engine group that it was composed with; None without one."""
        chosen = {group.key: group.chosen for group in self.groups} or self.choices
        return next((chosen[name] for name in ENGINE_GROUPS if name in chosen), None)


def config_roots(root: Path, entrypoints: dict[str, tuple[str, str]]) -> list[Root]:
    """Finds the folders of primary configs: every `config/`, and what an entry point names.

    Args:
        root: Folder that holds `verl/`.
        entrypoints: Module to (config path, config name), as `entrypoints.find` gives them.
    """
    primaries: dict[str, list[str]] = {}
    named = {path for path, _ in entrypoints.values()}
    for file in fact_files(root):
        folder = file.parent.relative_to(root).as_posix()
        if (
            file.suffix == ".yaml"
            and not file.name.startswith("_generated_")
            and (file.parent.name == "config" or folder in named)
        ):
            primaries.setdefault(folder, []).append(file.stem)
    # The main one first: a name that two roots have means this one.
    order = sorted(primaries, key=lambda path: (path != "verl/trainer/config", path))
    return [Root(path, sorted(primaries[path], key=_main_first)) for path in order]


def _main_first(config: str) -> tuple[bool, str]:
    return config != MAIN_CONFIG, config


def config_files(root: Path, config_root: Root) -> dict[str, dict[str, Any]]:
    """Reads every file of a config root as data.

    Returns:
        Name below the root without suffix (`actor/dp_actor`) to `package` (only where the file has
        such a directive), `defaults` (the list as written) and `values` (interpolations as text);
        `problem` instead where it cannot be read.
    """
    base = root / config_root.path
    found: dict[str, dict[str, Any]] = {}
    for file in fact_files(base):
        if file.suffix != ".yaml" or file.name.startswith("_generated_"):
            continue
        name = file.relative_to(base).with_suffix("").as_posix()
        try:
            text = file.read_text(encoding="utf-8")
            tree = _plain(text)
        except Exception as error:  # what a broken file of other people's raises is open
            found[name] = {"values": {}, "problem": _one_line(error, root)}
            continue
        if not isinstance(tree, dict):
            continue  # a list of tools or of agent loops is no Hydra config
        entry: dict[str, Any] = {}
        package = package_directive(text)
        if package is not None:
            entry["package"] = package
        defaults = tree.pop("defaults", None)
        if defaults is not None:
            entry["defaults"] = defaults
        entry["values"] = tree
        found[name] = entry
    return found


def group_options(files: list[dict[str, dict[str, Any]]]) -> dict[str, list[str]]:
    """Returns group folder to sorted options over several roots (own root and search path)."""
    options: dict[str, set[str]] = {}
    for root in files:
        for name in root:
            folder, _, option = name.rpartition("/")
            if folder:
                options.setdefault(folder, set()).add(option)
    return {folder: sorted(options[folder]) for folder in sorted(options)}


def package_directive(text: str) -> str | None:
    """Returns what `# @package X` says, as Hydra reads it: only before any other line."""
    for line in text.splitlines():
        line = line.strip()
        if not line:
            continue
        match = re.match(r"#\s*@package\s+(\S+)\s*$", line)
        if match:
            return match.group(1)
        if not re.match(r"#\s*@", line):
            return None
    return None


def search_path(root: Path, config_path: str, values: dict[str, Any]) -> list[str] | None:
    """Returns the folders that a config's `hydra.searchpath` names.

    verl writes `file://verl/trainer/config` (below the working directory, which is the source's
    folder or that of the example), and `pkg://verl.trainer.config` (which needs an importable
    verl); all mean a folder of the source.

    Args:
        root: Folder that holds `verl/`.
        config_path: The config's folder below it.
        values: The config's own values.

    Returns:
        Folders below `root`, those that are not there left out; None without a search path.
    """
    hydra = values.get("hydra")
    entries = hydra.get("searchpath") if isinstance(hydra, dict) else None
    if not isinstance(entries, list):
        return None
    found = []
    for entry in entries:
        kind, _, place = str(entry).rpartition("://")
        if kind == "pkg":
            place = place.replace(".", "/")
        for start in ("", os.path.dirname(config_path)) if kind in ("", "file", "pkg") else ():
            path = os.path.normpath(os.path.join(start, place)).replace(os.sep, "/")
            if not path.startswith(("/", "..")) and (root / path).is_dir():
                found.append(path)
                break
    return found


def compose_all(
    root: Path,
    config_root: Root,
    files: dict[str, dict[str, Any]],
    options: dict[str, list[str]],
) -> Iterator[Composed]:
    """Composes every primary config of a root, under each option of its engine group.

    Args:
        root: Folder that holds `verl/`.
        config_root: Where the configs are.
        files: The root's files, as `config_files` gives them.
        options: Group to options, over the root and its search path.
    """
    with _Composer(root, config_root.path) as composer:
        for config in config_root.primaries:
            if config not in files:
                continue
            extra = search_path(root, config_root.path, files[config]["values"])
            first = composer.compose(config, {}, extra)
            yield first
            chosen = {group.key: group.chosen for group in first.groups}
            engine = next((name for name in ENGINE_GROUPS if name in chosen), None)
            if engine is None:
                continue
            for option in options.get(engine, []):
                if option != chosen[engine]:
                    yield composer.compose(config, {engine: option}, extra)
            if engine != "engine" or COMPANION_GROUP not in chosen:
                continue
            for option in options.get(COMPANION_GROUP, []):
                if option in options.get(engine, []) and option != chosen[engine]:
                    both = {engine: option, COMPANION_GROUP: option}
                    yield composer.compose(config, both, extra)


def _plain(text: str) -> Any:
    """Parses YAML as Hydra does (floats like 1e-6 included), interpolations kept as text."""
    from omegaconf import OmegaConf

    return OmegaConf.to_container(OmegaConf.create(text), resolve=False)


class _Composer:
    """Hydra, initialised on one config root."""

    def __init__(self, root: Path, path: str) -> None:
        self._root = root
        self._path = path

    def __enter__(self) -> _Composer:
        from hydra import initialize_config_dir

        self._context = initialize_config_dir(
            config_dir=str((self._root / self._path).resolve()), version_base=None
        )
        self._context.__enter__()
        return self

    def __exit__(self, *reason: object) -> None:
        self._context.__exit__(*reason)

    def compose(self, config: str, choices: dict[str, str], extra: list[str] | None) -> Composed:
        from hydra import compose
        from omegaconf import OmegaConf

        overrides = [f"{key}={option}" for key, option in choices.items()]
        if extra is not None:
            places = ",".join(_quoted(f"file://{self._root / path}") for path in extra)
            overrides.append(f"hydra.searchpath=[{places}]")
        try:
            with warnings.catch_warnings():
                # What Hydra deprecates in other people's configs is no news to who reads them.
                warnings.simplefilter("ignore", UserWarning)
                full = compose(config, overrides=overrides, return_hydra_config=True)
        except Exception as error:  # of Hydra, OmegaConf, YAML, …: all mean that it cannot start
            problem = _one_line(error, self._root)
            return Composed(config, self._path, choices, None, [], problem)
        chosen = OmegaConf.to_container(full.hydra.runtime.choices)
        assert isinstance(chosen, dict)
        groups = [
            _group(str(key), option)
            for key, option in chosen.items()
            if not str(key).startswith("hydra/")
        ]
        tree = OmegaConf.to_container(full, resolve=False)
        assert isinstance(tree, dict)
        tree.pop("hydra", None)
        named = {str(key): value for key, value in tree.items()}
        return Composed(config, self._path, choices, named, groups, None)


def _group(key: str, chosen: str | None) -> Group:
    folder = key.partition("@")[0]
    return Group(key, chosen, os.path.normpath(folder).replace(os.sep, "/"), ".." not in folder)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def _one_line(error: Exception, root: Path) -> str:
    """Shortens an error to one line, with no path of this machine in it."""
    mark = getattr(error, "problem_mark", None)
    if mark is not None:
        return f"{getattr(error, 'problem', None) or 'not YAML'} in line {mark.line + 1}"
    first = (str(error).strip().splitlines() or [type(error).__name__])[0]
    return first.replace(f"{root.resolve()}/", "").replace(f"{root}/", "")
