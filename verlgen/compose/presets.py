"""Which presets there are, and what one file sets, with places and reasons.

Read with PyYAML's C loader and by position, without Hydra: this serves listings, completion,
messages, and the origins that Hydra's composition does not keep.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

import yaml

from verlgen.errors import UserError
from verlgen.resources import presets_dir

PRIMARY = "primary"
"""Folder of config.yaml: the defaults list and our own knobs."""

_FLOAT = re.compile(
    r"(?:[-+]?(?:[0-9][0-9_]*)\.[0-9_]*(?:[eE][-+]?[0-9]+)?|[-+]?[0-9][0-9_]*[eE][-+]?[0-9]+"
    r"|\.[0-9_]+(?:[eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*"
    r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))\Z"
)

_NOT_CHOSEN = {PRIMARY, "recipe_algo"}
"""Folders that are no groups a user picks from."""

MACHINES_GROUP = "hw"
"""The one group whose options are not files."""


class Written(NamedTuple):
    """One value in a preset file.

    Attributes:
        key: Dotted key in the composed tree.
        value: Python value, interpolations unresolved.
        text: The value as the file writes it.
        file: Path of the file.
        line: 1-based line of the key.
        column: 1-based column of the key, in characters.
        comment: What stands behind the value as a comment, or None.
    """

    key: str
    value: Any
    text: str
    file: str
    line: int
    column: int
    comment: str | None


class Option(NamedTuple):
    """One option of a group.

    Attributes:
        group: Name of the group.
        name: Name of the option.
        file: Path of its file.
        about: The one line that says what it is.
    """

    group: str
    name: str
    file: str
    about: str


def folders(extra: Sequence[str] = ()) -> list[str]:
    """Return the preset folders, first come first served.

    Raises:
        UserError: A folder of the user's does not exist.
    """
    found: list[str] = []
    for folder in extra:
        if not os.path.isdir(folder):
            raise UserError("no such presets directory", where=folder)
        found.append(os.path.abspath(folder))
    return [*found, presets_dir()]


def primary_folder() -> str:
    """Return the folder that Hydra composes from."""
    return os.path.join(presets_dir(), PRIMARY)


def groups(places: Sequence[str]) -> list[str]:
    """Return the groups in the order of the defaults list, those of the user's own after them."""
    order = list(defaults())
    found = {MACHINES_GROUP, *order}
    for place in places:
        found.update(
            entry.name
            for entry in os.scandir(place)
            if entry.is_dir()
            and entry.name not in _NOT_CHOSEN
            and not entry.name.startswith((".", "_"))
        )
    return order + sorted(found.difference(order))


def options(places: Sequence[str], group: str) -> list[Option]:
    """Return a group's options sorted by name; a name in two folders counts once, the first."""
    found: dict[str, Option] = {}
    for place in places:
        folder = os.path.join(place, group)
        for file in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
            name, ending = os.path.splitext(file)
            path = os.path.join(folder, file)
            if ending == ".yaml" and name not in found and os.path.isfile(path):
                found[name] = Option(group, name, path, about(path))
    return sorted(found.values(), key=lambda option: option.name)


def option_names(places: Sequence[str], group: str) -> list[str]:
    """Return the names alone, without opening a file."""
    names: set[str] = set()
    for place in places:
        folder = os.path.join(place, group)
        if os.path.isdir(folder):
            names.update(file[:-5] for file in os.listdir(folder) if file.endswith(".yaml"))
    return sorted(names)


def find(places: Sequence[str], name: str) -> str | None:
    """Return the file of `group/option`, from the first folder that has it."""
    for place in places:
        path = os.path.join(place, f"{name}.yaml")
        if os.path.isfile(path):
            return path
    return None


def defaults() -> dict[str, str | None]:
    """Return group -> default option, in the order of the defaults list."""
    chosen: dict[str, str | None] = {}
    for item in _load(_config_file()).get("defaults", []):
        if isinstance(item, dict):
            ((name, option),) = item.items()
            group = str(name).removeprefix("optional ").partition("@")[0]
            if group not in _NOT_CHOSEN:
                chosen[group] = option
    return chosen


def knobs() -> dict[str, str]:
    """Return our own dotted knobs, each with its description."""
    return {
        written.key: written.comment or ""
        for written in walk(_config_file())
        if written.key.partition(".")[0] in defaults()
    }


def about(file: str) -> str:
    """Return the first comment line of a preset that is no directive of Hydra's."""
    with open(file, encoding="utf-8", errors="replace") as text:
        for line in text:
            if not line.startswith("#"):
                break
            words = line.lstrip("#").strip()
            if words and not words.startswith("@"):
                return words
    return ""


def walk(file: str, package: str = "") -> list[Written]:
    """Return what a preset file sets, in order, leaves only.

    Args:
        file: The preset.
        package: Dotted place of its settings, empty for the top.

    Raises:
        UserError: The file is not YAML or not a mapping.
    """
    source = _text(file)
    loader = _loader()(source)
    try:
        node = loader.get_single_node()
        if node is None:
            return []
        if node.id != "mapping":
            raise UserError("a preset holds `key: value` lines", where=f"{file}:1")
        return list(_leaves(loader, node, package, file, source))
    except yaml.YAMLError as error:
        raise not_yaml(file, error) from error
    finally:
        loader.dispose()


def _text(file: str) -> str:
    try:
        with open(file, encoding="utf-8") as opened:
            text = opened.read()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise UserError(f"cannot read this preset: {reason}", where=shown(file)) from error
    if text.startswith("\ufeff"):
        raise UserError(
            "begins with a byte order mark, which hides its first line from Hydra",
            where=shown(file),
            remedy="save it as UTF-8 without one",
        )
    return text


def load_rows(file: str) -> list[dict[str, Any]]:
    """Return the mappings of a YAML list, each with the `line` it begins on (1-based)."""
    with open(file, encoding="utf-8") as opened:
        loader = _loader()(opened)
        try:
            node = loader.get_single_node()
            rows = loader.construct_document(node)
        finally:
            loader.dispose()
    for row, item in zip(rows, node.value, strict=True):
        row["line"] = item.start_mark.line + 1
    return list(rows)


def override_in(file: str, group: str) -> str | None:
    """Return what a preset's defaults list overrides a group with, or None."""
    for item in _load(file).get("defaults", []):
        if isinstance(item, dict):
            for name, option in item.items():
                if str(name).removeprefix("override ").lstrip("/") == group:
                    return str(option)
    return None


def shown(file: str) -> str:
    """Return a preset file as people know it: the shipped ones from `presets/` on."""
    base = os.path.dirname(presets_dir())
    if file.startswith(presets_dir() + os.sep):
        return os.path.relpath(file, base)
    here = os.path.relpath(file)
    return file if here.startswith("..") else here


def _leaves(loader: Any, node: Any, prefix: str, file: str, source: str) -> Iterator[Written]:
    for name, value in node.value:
        key = f"{prefix}.{name.value}" if prefix else str(name.value)
        if key == "defaults":
            continue
        if value.id == "mapping" and value.value:
            yield from _leaves(loader, value, key, file, source)
            continue
        start, end = value.start_mark.index, value.end_mark.index
        behind = source[end:].partition("\n")[0].strip()
        comment = behind.lstrip("#").strip() if behind.startswith("#") else None
        mark = name.start_mark
        yield Written(
            key,
            loader.construct_object(value, deep=True),
            source[start:end],
            file,
            mark.line + 1,
            mark.column + 1,
            comment or None,
        )


def _load(file: str) -> dict[str, Any]:
    try:
        loaded = yaml.load(_text(file), Loader=_loader())
    except yaml.YAMLError as error:
        raise not_yaml(file, error) from error
    return loaded if isinstance(loaded, dict) else {}


@lru_cache(maxsize=1)
def _loader() -> Any:
    """Return a loader that reads scalars as OmegaConf does: `1e-6` is a number, a date is text.

    OmegaConf's own loader is the pure Python one, ten times as slow.
    """

    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
        yaml_implicit_resolvers: ClassVar = {
            start: [rule for rule in rules if rule[0] != "tag:yaml.org,2002:timestamp"]
            for start, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()
        }

    Loader.add_implicit_resolver("tag:yaml.org,2002:float", _FLOAT, list("-+0123456789."))
    return Loader


def not_yaml(file: str, error: yaml.YAMLError) -> UserError:
    """Return the refusal of a file that is not YAML, with the place where reading stopped."""
    mark = getattr(error, "problem_mark", None)
    if mark and os.path.isfile(mark.name):  # Hydra reads files by name, verlgen by their text
        file = mark.name
    where = f"{file}:{mark.line + 1}:{mark.column + 1}" if mark else file
    return UserError(getattr(error, "problem", None) or "not YAML", where=where)


def _config_file() -> str:
    return os.path.join(primary_folder(), "config.yaml")
