"""The key table of each verl release: what keys a config has, with defaults, types and choices.

A release is one data file that `verlgen.verl.extract` makes from the published wheel. A file's
first line tells where the other lines are, so that loading parses that line and one table. What
comes back is cached and shared: nobody may change it.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from verlgen.errors import UserError
from verlgen.suggest import nearest
from verlgen.verl.annotations import Annotated, PlusField, annotate

FORMAT = "verlgen.verl/1"
MAIN_CONFIG = "ppo_trainer"
SUFFIX = ".jsonl"

_PUBLISHED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "releases")
_VERSION = re.compile(r"v?(\d+(?:\.\d+)*)(?:[._-]?(dev|a|alpha|b|beta|rc|post)[._-]?(\d*))?(.*)")
_PHASES = {"dev": -4, "a": -3, "alpha": -3, "b": -2, "beta": -2, "rc": -1, None: 0, "post": 1}
_REFERENCE = re.compile(r"\$\{(?:oc\.select:)?\s*(\.*[A-Za-z_][\w.]*)\s*(?:,.*)?\}", re.DOTALL)
_TYPE_NAMES = {bool: "bool", int: "int", float: "float", str: "str", list: "list", dict: "dict"}


class Group(NamedTuple):
    """One config group choice in a table's defaults list.

    Attributes:
        chosen: The option that the table was composed with, or None where the group is left out.
        options: Every option, sorted.
        overridable: Whether `key=option` on the command line works. Hydra cannot parse a key with
            `..` in it, which is what verl's nested choices have.
        append: `folder@package`: after a `+`, adds an option on top of everything (this works for
            nested choices as well, but keeps the keys of the chosen one).
    """

    chosen: str | None
    options: list[str]
    overridable: bool
    append: str


class EntryPoint(NamedTuple):
    """What `@hydra.main` of a module names.

    Attributes:
        config: Name of the primary config.
        path: Its folder below the one that holds `verl/`.
    """

    config: str
    path: str


class TableName(NamedTuple):
    """A table of a release.

    Attributes:
        config: Name of the primary config.
        path: Its folder below the one that holds `verl/`.
        engine: Option of `model_engine` (or `engine`, for sft); None without such a group.
        choices: Group overrides that lead to the table; empty for the config as it is.
        key_count: Number of keys; None when it does not compose.
        problem: Why it does not compose, or None.
    """

    config: str
    path: str
    engine: str | None
    choices: dict[str, str]
    key_count: int | None
    problem: str | None


class Table:
    """The keys of one config of one release under one choice of groups.

    Attributes:
        release: Release, as text.
        config: Name of the primary config.
        config_path: Its folder below the one that holds `verl/`.
        engine: Option of the engine group, or None without one.
        choices: Group overrides that lead here; empty for the config as it is.
        keys: Dotted key to default, in Hydra's order. Interpolations are text (`${a.b}`),
            mandatory values `???`. A value is a scalar, None, a list, or an empty dict.
    """

    def __init__(
        self, file: _File, name: TableName, keys: dict[str, Any], groups: list[list[Any]]
    ) -> None:
        self.release: str = file.header["release"]
        self.config = name.config
        self.config_path = name.path
        self.engine = name.engine
        self.choices = name.choices
        self.keys = keys
        self._file = file
        self._groups = groups
        self._nodes: dict[str, list[str]] | None = None
        self._typed: Annotated | None = None

    def __repr__(self) -> str:
        return f"Table({self.release!r}, {self.config!r}, {self.choices!r})"

    @property
    def groups(self) -> dict[str, Group]:
        """Group key, as Hydra names it, to the choice."""
        options = self._file.header["options"].get(self.config_path, {})
        return {
            key: Group(chosen, options.get(folder, []), overridable, _append(key, folder))
            for key, chosen, folder, overridable in self._groups
        }

    @property
    def types(self) -> dict[str, str]:
        """Key or node to its dataclass annotation, where it has one (`Optional[int]`)."""
        return self._annotated()[0]

    @property
    def plus(self) -> dict[str, PlusField]:
        """Dotted key to a dataclass field that only `+` reaches."""
        return self._annotated()[1]

    def is_leaf(self, key: str) -> bool:
        """Tells whether `keys` has the key; an empty dict is a leaf and a node."""
        return key in self.keys

    def is_node(self, key: str) -> bool:
        """Tells whether the key holds a dict, an empty one included, but not null."""
        return (key != "" and key in self._tree()) or self.keys.get(key) == {}

    def exists(self, key: str) -> bool:
        """Tells whether the config has the key: a leaf, a node, or an item of a list."""
        if key in self.keys or (key != "" and key in self._tree()):
            return True
        return "." in key and _inside(*self._nearest_leaf(key))

    def operator(self, key: str) -> str:
        """Returns what Hydra demands in front of a scalar for this key: `=` or `+`."""
        return "=" if self.exists(key) else "+"

    def type_of(self, key: str) -> str | None:
        """Returns the annotation, else the type of the default; None for an unknown key.

        `Any` stands for null, `???` and interpolations that no other key answers.
        """
        annotation = self.types.get(key)
        if annotation is not None:
            return annotation
        if key in self.plus:
            return self.plus[key].type
        if key in self.keys:
            return self._type_of_default(key, 8)
        return "dict" if self.is_node(key) else None

    def children(self, prefix: str = "") -> list[str]:
        """Returns the names right below a node in order; the top for `""`; none for a leaf."""
        return self._tree().get(prefix, [])

    def _tree(self) -> dict[str, list[str]]:
        """Returns inner node to the names right below it, the top as `""`."""
        if self._nodes is None:
            nodes: dict[str, list[str]] = {"": []}
            for key in self.keys:
                while True:
                    parent, _, name = key.rpartition(".")
                    known = parent in nodes
                    nodes.setdefault(parent, []).append(name)
                    if known:
                        break
                    key = parent
            self._nodes = nodes
        return self._nodes

    def _nearest_leaf(self, key: str) -> tuple[Any, list[str]]:
        parts = key.split(".")
        for length in range(len(parts) - 1, 0, -1):
            prefix = ".".join(parts[:length])
            if prefix in self.keys:
                return self.keys[prefix], parts[length:]
        return None, parts

    def _type_of_default(self, key: str, depth: int) -> str:
        value = self.keys[key]
        if value is None or value == "???":
            return "Any"
        if not isinstance(value, str) or "${" not in value:
            return _TYPE_NAMES[type(value)]
        match = _REFERENCE.fullmatch(value)
        if match is None:
            return "Any" if value.startswith("${") and value.endswith("}") else "str"
        target = _absolute(match.group(1), key)
        if target in self.types:
            return self.types[target]
        return self._type_of_default(target, depth - 1) if depth and target in self.keys else "Any"

    def _annotated(self) -> Annotated:
        if self._typed is None:
            self._typed = annotate(self, self._file.line(self._file.header["classes"]))
        return self._typed


def releases() -> list[str]:
    """Returns every known release, oldest first: published ones and those that the user added."""
    return sorted({*published(), *added()}, key=sort_key)


def published() -> list[str]:
    """Returns the releases that come with verlgen, oldest first."""
    return sorted(_listed(_PUBLISHED), key=sort_key)


def added() -> list[str]:
    """Returns the releases that the user added with `verlgen schema add`, oldest first."""
    return sorted(_listed(added_folder()), key=sort_key)


def newest() -> str:
    """Returns the newest published release."""
    return published()[-1]


def added_folder() -> str:
    """Returns the folder of the user's own releases.

    `$VERLGEN_DATA_HOME`, else `$XDG_DATA_HOME/verlgen`, else `~/.local/share/verlgen`.
    """
    base = os.environ.get("VERLGEN_DATA_HOME")
    if not base:
        share = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
        base = os.path.join(share, "verlgen")
    return os.path.join(base, "releases")


def published_path(release: str) -> str:
    """Returns where the data file of a published release is, or would be."""
    return os.path.join(_PUBLISHED, release + SUFFIX)


def added_path(release: str) -> str:
    """Returns where the data file of an added release is, or would be."""
    return os.path.join(added_folder(), release + SUFFIX)


def sort_key(release: str) -> tuple[object, ...]:
    """Orders releases as text cannot: 0.2 < 0.2.0.post1 < 0.9.1 < 0.10.0.dev < 0.10.0."""
    match = _VERSION.fullmatch(release)
    if match is None:
        return (1, (), 0, 0, release)
    numbers = [int(part) for part in match.group(1).split(".")]
    while numbers and not numbers[-1]:
        numbers.pop()
    serial = int(match.group(3)) if match.group(3) else 0
    return (0, tuple(numbers), _PHASES[match.group(2)], serial, match.group(4))


def header(release: str) -> Mapping[str, Any]:
    """Returns the first line of a release's data file.

    Raises:
        UserError: No such release.
    """
    return _file(release).header


def files(release: str) -> Mapping[str, Any]:
    """Returns every config file of a release as data.

    Returns:
        Config path to file name (`actor/dp_actor`) to `package`, `defaults` and `values`.

    Raises:
        UserError: No such release.
    """
    file = _file(release)
    lines: Mapping[str, Any] = file.line(file.header["files"])
    return lines


def entrypoints(release: str) -> dict[str, EntryPoint]:
    """Returns module (`verl.trainer.main_ppo`) to what its `@hydra.main` names.

    Raises:
        UserError: No such release.
    """
    found = header(release)["entrypoints"]
    return {module: EntryPoint(name, path) for module, (path, name) in found.items()}


def table_names(release: str) -> list[TableName]:
    """Returns every table of a release, those that do not compose included.

    Raises:
        UserError: No such release.
    """
    return _file(release).names()


def load(
    release: str,
    config: str = MAIN_CONFIG,
    engine: str | None = None,
    *,
    choices: Mapping[str, str] | None = None,
) -> Table:
    """Loads one table.

    Args:
        release: Release, such as `0.9.1`.
        config: Primary config by name, or by path and name (`verl/trainer/config/ppo_trainer`).
        engine: Option of the config's `model_engine` (or `engine`) group; None for its default.
        choices: Further group choices of a stored table: `{"optim": "megatron"}` of sft.

    Raises:
        UserError: Unknown release, config, engine or choice, or one that does not compose.
    """
    return _load(_file(release), config, engine, tuple(sorted((choices or {}).items())))


class _File:
    """A data file: its header parsed, its other lines as bytes."""

    def __init__(self, content: bytes, path: str) -> None:
        first, _, self._rest = content.partition(b"\n")
        try:
            self.header: dict[str, Any] = json.loads(first)
            form = self.header["format"]
        except (ValueError, KeyError, TypeError):
            raise UserError(f"{path} is no data file of a verl release") from None
        if form != FORMAT:
            raise UserError(
                f"{path} has the form {form!r}; this verlgen reads {FORMAT!r}",
                remedy="add the release again: verlgen schema add PATH_OR_WHEEL --force",
            )

    def line(self, place: list[int]) -> Any:
        """Parses one line, given as offset behind the header and length in bytes."""
        return json.loads(self._rest[place[0] : place[0] + place[1]])

    def names(self) -> list[TableName]:
        return [
            TableName(
                entry["config"],
                entry["path"],
                entry.get("engine"),
                entry.get("choices", {}),
                entry.get("keys"),
                entry.get("problem"),
            )
            for entry in self.header["tables"]
        ]

    def keys(self, number: int) -> tuple[dict[str, Any], list[list[Any]]]:
        """Returns the keys of a table and its groups."""
        entry = self.header["tables"][number]
        line = self.line(entry["line"])
        base = entry.get("base")
        keys = line["keys"] if base is None else apply_changes(self.keys(base)[0], line)
        return keys, line["groups"]


def apply_changes(base: dict[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the keys of a table that is stored as changes (`set`, `drop`, `insert`) to another.

    Args:
        base: Keys of the other table; changed in place where nothing is inserted or dropped.
        changes: New values, keys that go, and keys that come behind a kept key (None: on top).
    """
    base.update(changes.get("set", {}))
    inserted = dict(changes.get("insert", ()))
    dropped = set(changes.get("drop", ()))
    if not inserted and not dropped:
        return base
    keys: dict[str, Any] = dict(inserted.get(None, {}))
    for key, value in base.items():
        if key not in dropped:
            keys[key] = value
        if key in inserted:
            keys.update(inserted[key])
    return keys


def _listed(folder: str) -> list[str]:
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    return [
        name.removesuffix(SUFFIX)
        for name in names
        if name.endswith(SUFFIX) and not name.startswith(".")
    ]


def _file(release: str) -> _File:
    if os.path.basename(release) != release:
        raise _unknown("verl release", release, releases())
    own = _read_if_there(added_path(release))
    if own is not None and own.header.get("hides"):
        return own
    # A release that was added before verlgen knew it gives way to the published one.
    file = _read_if_there(published_path(release)) or own
    if file is None:
        raise _unknown("verl release", release, releases(), near=_neighbour(release))
    return file


def _read_if_there(path: str) -> _File | None:
    try:
        state = os.stat(path)
    except (OSError, ValueError):  # ValueError: a NUL in the name
        return None
    return _read(path, state.st_mtime_ns, state.st_ino)


@lru_cache(maxsize=32)
def _read(path: str, modified: int, inode: int) -> _File:
    del modified, inode  # parts of the cache's key only
    try:
        with open(path, "rb") as stream:
            return _File(stream.read(), path)
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from None


@lru_cache(maxsize=64)
def _load(
    file: _File, config: str, engine: str | None, choices: tuple[tuple[str, str], ...]
) -> Table:
    release = file.header["release"]
    names = file.names()
    path, _, bare = config.rpartition("/")
    same = [
        (number, name)
        for number, name in enumerate(names)
        if name.config == bare and (not path or name.path == path)
    ]
    if not same:
        known = list(dict.fromkeys(name.config for name in names))
        raise _unknown(f"config of verl {release}", config, known)
    # Two roots may have configs of one name; the main root comes first.
    same = [(number, name) for number, name in same if name.path == same[0][1].path]
    default = same[0][1]
    if engine is not None and engine != default.engine:
        options = list(dict.fromkeys(name.engine for _, name in same if name.engine))
        if not options:
            raise UserError(
                f"config {config} of verl {release} has no engine group, so engine {engine!r}"
                " cannot be chosen",
                remedy=_other_config(names, engine),
            )
        if engine not in options:
            raise _unknown(f"engine of {config} of verl {release}", engine, options)
    wanted = dict(choices)
    if engine is not None and engine != default.engine:
        wanted.update({key: engine for _, name in same for key in list(name.choices)[:1]})
    elif default.problem is None:
        chosen = {key: option for key, option, *_ in file.keys(same[0][0])[1]} if wanted else {}
        wanted = {key: option for key, option in wanted.items() if chosen.get(key) != option}
    for number, name in same:
        if name.choices == wanted:
            if name.problem is not None:
                raise UserError(f"{config} of verl {release} does not compose: {name.problem}")
            return Table(file, name, *file.keys(number))
    words = " ".join(f"{key}={option}" for key, option in wanted.items())
    raise UserError(f"there is no table for {config} of verl {release} with {words}")


def _other_config(names: list[TableName], engine: str) -> str | None:
    other = [name.config for name in names if engine in name.config]
    return f"its config for {engine} is {other[0]}" if other else None


def _unknown(kind: str, given: str, known: list[str], near: str | None = None) -> UserError:
    if near is None:
        near = next(iter(nearest(given, known)), None)
    remedy = f"the nearest is {near}\n" if near else ""
    return UserError(f"unknown {kind}: {given!r}", remedy=f"{remedy}known: {', '.join(known)}")


def _neighbour(release: str) -> str | None:
    """Returns the newest release up to the given one, for a text that is a version at all."""
    if _VERSION.fullmatch(release) is None:
        return None
    known = releases()
    older = [name for name in known if sort_key(name) <= sort_key(release)]
    return older[-1] if older else next(iter(known), None)


def _append(key: str, folder: str) -> str:
    package = key.partition("@")[2]
    return f"{folder}@{package}" if package else folder


def _inside(value: Any, parts: list[str]) -> bool:
    """Tells whether a path leads to something inside a leaf: an item of a list, a key of a dict."""
    for part in parts:
        if isinstance(value, list) and part.isdecimal() and int(part) < len(value):
            value = value[int(part)]
        elif isinstance(value, dict) and part in value:
            value = value[part]
        else:
            return False
    return True


def _absolute(reference: str, key: str) -> str:
    """Returns the key that a reference means, relative ones (`.x`, `..x`) from `key`."""
    name = reference.lstrip(".")
    dots = len(reference) - len(name)
    if not dots:
        return name
    parts = key.split(".")[:-dots]
    return ".".join([*parts, name])
