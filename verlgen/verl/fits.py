"""Which releases take a launch: its keys and operators held against the key tables."""

from __future__ import annotations

import re
from collections.abc import Sequence

from verlgen.errors import UserError
from verlgen.verl import tables

_KEY = re.compile(r"(~|\+\+|\+|)([A-Za-z_$][\w$./-]*)(@[\w$.:-]*)?(?:=(.*))?", re.DOTALL)
_MAIN = re.compile(r"verl\.trainer\.main_ppo(?:_v0)?")
_FLAG = re.compile(r"(?:--config-name|-cn)[= ](.+)")


def fits(release: str, launches: Sequence[tuple[str, Sequence[str], Sequence[str]]]) -> bool:
    """Tell whether a release's configs take all overrides of all launches.

    Args:
        release: The release.
        launches: Entry point, Hydra flags and override words of each; words may end early where
            they are not known.
    """
    return all(_takes(release, *launch) for launch in launches)


def _takes(release: str, entrypoint: str, flags: Sequence[str], words: Sequence[str]) -> bool:
    table = _table(release, entrypoint, flags, words)
    if table is None:
        return not entrypoint.startswith("verl.")
    added: set[str] = set()
    for word in words:
        match = _KEY.fullmatch(word)
        if match is None:
            continue  # Hydra's grammar is another problem than the release
        operator, key, package, _ = match.groups()
        if key + (package or "") in table.groups or package or key.startswith("hydra."):
            continue
        known = table.exists(key) or key in added
        if operator in ("+", "++"):
            if operator == "+" and known and not _may_repeat(table, key):
                return False
            parts = key.split(".")
            added.update(".".join(parts[:n]) for n in range(1, len(parts) + 1))
        elif not known:
            return False
    return True


def _may_repeat(table: tables.Table, key: str) -> bool:
    """Tell whether `+` on a key that exists goes: null, a dict or a list may be added to."""
    value = table.keys.get(key, {})
    return value is None or isinstance(value, dict | list)


def _table(
    release: str, entrypoint: str, flags: Sequence[str], words: Sequence[str]
) -> tables.Table | None:
    entry = tables.entrypoints(release).get(entrypoint)
    name = entry.config if entry else ("ppo_trainer" if _MAIN.fullmatch(entrypoint) else None)
    for flag in flags:
        match = _FLAG.fullmatch(flag)
        if match:
            name = match[1].removesuffix(".yaml")
    if name is None:
        return None
    engine = next(
        (w.partition("=")[2] for w in reversed(words) if w.startswith("model_engine=")), None
    )
    try:
        return tables.load(release, name, engine)
    except UserError:
        return None
