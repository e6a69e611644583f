"""What the options and arguments of commands take."""

from __future__ import annotations

from collections.abc import Callable

import click

from verlgen.cli.complete import keys, ours
from verlgen.cli.complete.facts import Facts
from verlgen.cli.complete.found import Candidates


def parameter_values(parameter: click.Parameter, facts: Facts, typed: str) -> Candidates:
    """Return what an option or argument may be; nothing for one that we know nothing of."""
    if isinstance(parameter.type, click.Choice):
        return [(str(choice), "") for choice in parameter.type.choices]
    values = _VALUES.get((parameter.metavar or parameter.opts[0]).strip("[]").lower())
    return [] if values is None else values(facts, typed)


def _releases(facts: Facts, typed: str) -> Candidates:
    return ours.releases()


def _added(facts: Facts, typed: str) -> Candidates:
    from verlgen.verl import tables

    return [(name, "added with schema add") for name in reversed(tables.added())]


def _presets(facts: Facts, typed: str) -> Candidates:
    """Return `group/` until there is one, then the group's options."""
    from verlgen.compose import presets

    group, slash, option = typed.partition("/")
    if not slash:
        return [(f"{name}/", about) for name, about in ours.groups(facts)]
    if group not in presets.groups(facts.places):
        return []
    options = ours.group_options(facts, group, option)
    return [(f"{group}/{name}", about) for name, about in options]


def _key_globs(facts: Facts, typed: str) -> Candidates:
    return [(text.rstrip("="), about) for text, about in keys.below(facts.table, "+", typed)]


def _configs(facts: Facts, typed: str) -> Candidates:
    from verlgen.verl import tables

    names = (name.config for name in tables.table_names(facts.release))
    return [(name, "") for name in dict.fromkeys(names)]


def _engines(facts: Facts, typed: str) -> Candidates:
    from verlgen.verl import tables

    wanted = facts.option("config") or tables.MAIN_CONFIG
    names = tables.table_names(facts.release)
    engines = (name.engine for name in names if name.engine and name.config == wanted)
    return [(name, "") for name in dict.fromkeys(engines)]


_VALUES: dict[str, Callable[[Facts, str], Candidates]] = {
    "release": _releases,
    "name": _added,
    "group/option": _presets,
    "key_glob": _key_globs,
    "--config": _configs,
    "--engine": _engines,
}
"""Metavar of a parameter, else its name as the line has it (`name` is no `--name`) -> its values.

All others are left to the shell: files.
"""
