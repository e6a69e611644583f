"""The settings that a composition gathers, each with its place, reason and rank."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from enum import IntEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from verlgen.launch import Origin, Symbol, Word

if TYPE_CHECKING:
    from verlgen.compose.judge import Judged


class Layer(IntEnum):
    """Who set it: a higher one wins over a lower one."""

    RULE = 0
    PRESET = 1
    RECIPE = 2
    KNOB = 3
    USER = 4


class Setting(NamedTuple):
    """One key with its value.

    Attributes:
        key: Dotted key under the newest release's name, or the user's own.
        value: Python value as Hydra would parse it; a Word where a preset asks for expansion.
        origin: Place and reason.
        layer: Its rank.
        verdict: The user's own word as it was judged, or None where it is not a user's.
    """

    key: str
    value: Any
    origin: Origin
    layer: Layer
    verdict: Judged | None = None


class Settings:
    """Settings by key, in the order in which keys first came."""

    def __init__(self, default: Callable[[str], Any]) -> None:
        self._default = default
        self._by_key: dict[str, Setting] = {}
        self._assumed: dict[str, Any] = {}

    def __iter__(self) -> Iterator[Setting]:
        return iter(self._by_key.values())

    def __contains__(self, key: str) -> bool:
        """Tell whether somebody has set the key, or a key above it."""
        while key:
            if key in self._by_key or key in self._assumed:
                return True
            key = key.rpartition(".")[0]
        return False

    def get(self, key: str) -> Setting | None:
        """Return the setting of the key, or None where nobody set it."""
        return self._by_key.get(key)

    def value(self, key: str) -> Any:
        """Return what the release will see: the set value, else the release's default."""
        setting = self._by_key.get(key)
        if setting is not None:
            return setting.value
        return self._assumed[key] if key in self._assumed else self._default(key)

    def put(self, setting: Setting) -> bool:
        """Take a setting unless a higher layer has set the key; tell whether it was taken."""
        before = self._by_key.get(setting.key)
        if before is not None and before.layer > setting.layer:
            return False
        self._by_key[setting.key] = setting
        return True

    def assume(self, key: str, value: Any) -> None:
        """Take note of what a word outside the settings sets, so that nothing fills it."""
        self._by_key.pop(key, None)
        self._assumed[key] = value

    def drop(self, key: str) -> None:
        """Forget the key and all below it."""
        for name in [n for n in self._by_key if n == key or n.startswith(key + ".")]:
            del self._by_key[name]


def flatten(tree: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield dotted key and value of every leaf; an empty mapping is a leaf."""
    for name, value in tree.items():
        key = f"{prefix}.{name}" if prefix else str(name)
        if isinstance(value, Mapping) and value:
            yield from flatten(value, key)
        else:
            yield key, value


def put(tree: dict[str, Any], key: str, value: Any) -> None:
    """Set a dotted key in a tree, as merging does: a mapping gives way to what is no mapping."""
    *parents, last = key.split(".")
    for name in parents:
        below = tree.get(name)
        if not isinstance(below, dict):
            below = tree[name] = {}
        tree = below
    if value != {} or not isinstance(tree.get(last), dict):
        tree[last] = value


_VARIABLE = re.compile(r"\$([A-Za-z_][A-Za-z0-9_]*)")


def expand(value: Any) -> Any:
    """Return a preset's value with `$NAME` in its text turned into symbols.

    Only presets may ask for expansion; what a user types is taken as it is.
    """
    if isinstance(value, list):
        return [expand(item) for item in value]
    if isinstance(value, dict):
        return {key: expand(item) for key, item in value.items()}
    if not isinstance(value, str) or not _VARIABLE.search(value):
        return value
    pieces = _VARIABLE.split(value)
    parts = [Symbol(f"${p}") if odd % 2 else p for odd, p in enumerate(pieces)]
    word: Word = tuple(part for part in parts if part != "")
    return word
