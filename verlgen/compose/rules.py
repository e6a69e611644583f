"""The rules pass: values that follow from several groups, each with its reason.

The rules are data (presets/rules.yaml); this reads them, in order, over the quantities of
verlgen.compose.sizes.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from verlgen.compose.expressions import evaluate
from verlgen.compose.presets import load_rows
from verlgen.compose.settings import Layer, Setting, Settings
from verlgen.compose.sizes import Sizes
from verlgen.errors import UserError
from verlgen.launch import Origin
from verlgen.resources import presets_dir


def apply(settings: Settings, sizes: Sizes, *, tuned: bool) -> list[str]:
    """Fill what nobody set, and stop at what cannot work.

    Args:
        settings: Filled in place, at the lowest layer.
        sizes: The quantities; they see the settings as they grow.
        tuned: Whether a recipe brings its own tuning block, so that tuning rules are skipped.

    Returns:
        Warnings, a line each.

    Raises:
        UserError: A rule refuses; the message names the key and the remedy.
    """
    warnings: list[str] = []
    names = _Names(sizes)
    for rule in _rules():
        if rule.get("tuning") and tuned:
            continue
        if "set" in rule and (rule["set"] in settings or not _placeable(rule, sizes)):
            continue
        if "when" in rule and not evaluate(rule["when"], names.__getitem__, sizes.functions):
            continue
        if "refuse" in rule:
            raise _refusal(rule, settings, names)
        if "warn" in rule:
            warnings.append(rule["warn"].format_map(names))
        else:
            _fill(settings, rule, sizes, names)
    return warnings


class _Names(Mapping[str, Any]):
    """The public attributes of Sizes as a mapping, which `format_map` and expressions take."""

    def __init__(self, sizes: Sizes) -> None:
        self._sizes = sizes

    def __getitem__(self, name: str) -> Any:
        if name.startswith("_"):
            raise KeyError(name)
        return getattr(self._sizes, name)

    def __iter__(self) -> Any:
        return (name for name in dir(self._sizes) if not name.startswith("_"))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _placeable(rule: Mapping[str, Any], sizes: Sizes) -> bool:
    """Tell whether the release has a place for the key, or its lack must be said (`needed`)."""
    return bool(rule.get("needed")) or sizes.has(rule["set"])


def _fill(
    settings: Settings, rule: Mapping[str, Any], sizes: Sizes, names: Mapping[str, Any]
) -> None:
    if "text" in rule:
        value = rule["text"].format_map(names)
    else:
        value = evaluate(rule["value"], names.__getitem__, sizes.functions)
    origin = Origin(f"presets/{_FILE}", rule["line"], 1)
    settings.put(Setting(rule["set"], value, origin, Layer.RULE))
    if "reason" in rule:  # which may speak of what has just been set
        reason = rule["reason"].format_map(names)
        settings.put(Setting(rule["set"], value, origin._replace(reason=reason), Layer.RULE))


def _refusal(rule: Mapping[str, Any], settings: Settings, names: Mapping[str, Any]) -> UserError:
    setting = settings.get(rule["key"])
    where = None
    if setting is not None:
        from verlgen.launch import text
        from verlgen.overrides import dump_value

        value = setting.value
        shown = text(value) if isinstance(value, tuple) else dump_value(value)
        if setting.layer is Layer.KNOB:
            where = f"{setting.origin.reason}{shown}"
        else:
            where = f"{rule['key']}={shown}"
        if setting.layer < Layer.KNOB:
            where += f" ({setting.origin})"
    remedy = rule["remedy"].format_map(names) if "remedy" in rule else None
    return UserError(rule["refuse"].format_map(names), where=where, remedy=remedy)


_FILE = "rules.yaml"


@lru_cache(maxsize=1)
def _rules() -> list[dict[str, Any]]:
    return load_rows(os.path.join(presets_dir(), _FILE))
