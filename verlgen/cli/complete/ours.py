"""Words that are verlgen's own: groups of presets, knobs, releases."""

from __future__ import annotations

import os
from collections.abc import Iterator

from verlgen.cli.complete.facts import Facts
from verlgen.cli.complete.found import Candidates

_KNOB_VALUES = {"hw.tp": ("1", "2", "4", "8"), "hw.mem": ("0.4", "0.5", "0.6", "0.7", "0.8")}


def words(facts: Facts, typed: str) -> Iterator[tuple[str, str]]:
    """Yield `group=`, `knob=` and `verl=`, without what was said before.

    Args:
        facts: What they depend on.
        typed: The word under the cursor; a name that it asks for comes though it was said.
    """
    from verlgen.compose import presets

    ours = [(f"{group}=", about) for group, about in groups(facts)]
    ours += [(f"{knob}=", about) for knob, about in presets.knobs().items()]
    ours.append(("verl=", "release of verl to write for"))
    for text, about in ours:
        if typed or facts.word(text[:-1]) is None:
            yield text, about


def values(facts: Facts, name: str, typed: str) -> Candidates | None:
    """Return the values of a group, a knob or `verl`; None for a name that is none of these.

    Args:
        facts: What they depend on.
        name: What stands before the `=`.
        typed: What stands behind it so far.
    """
    if name == "verl":
        return releases()
    if name in _KNOB_VALUES:
        return [(value, "") for value in _KNOB_VALUES[name]]
    if may_be_knob(name) and _is_knob(name):
        return []
    return None if "." in name else group_options(facts, name, typed) or None


def releases() -> Candidates:
    """Return the releases of verl, the newest first."""
    from verlgen.verl import tables

    newest = tables.newest()
    return [(name, "newest" if name == newest else "") for name in reversed(tables.releases())]


def groups(facts: Facts) -> Candidates:
    """Return the names of the groups of presets."""
    from verlgen.compose import presets

    defaults = presets.defaults()
    return [
        (group, f"preset; {defaults[group]} when not said" if defaults.get(group) else "preset")
        for group in presets.groups(facts.places)
    ]


def group_options(facts: Facts, group: str, typed: str) -> Candidates:
    """Return the options of a group; nothing if there is no such group."""
    from verlgen.compose import presets

    if group == presets.MACHINES_GROUP:
        from verlgen.cli.complete.machines import machines

        return machines(typed)
    if group == presets.PRIMARY or group not in presets.groups(facts.places):
        return []
    return [(option.name, option.about) for option in presets.options(facts.places, group)]


def may_be_knob(key: str) -> bool:
    """Tell whether a dotted name may be a knob: they are named after the groups we ship.

    Most keys are not, and PyYAML is not imported for them.
    """
    from verlgen.resources import presets_dir

    group, dot, _ = key.partition(".")
    return bool(dot) and (group == "hw" or os.path.isdir(os.path.join(presets_dir(), group)))


def _is_knob(key: str) -> bool:
    from verlgen.compose import presets

    return key in presets.knobs()
