"""Pages about presets: the listing, and one preset with where each value goes."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from verlgen.catalog import gpus
from verlgen.compose import presets
from verlgen.errors import UserError
from verlgen.suggest import did_you_mean
from verlgen.verl import history, tables
from verlgen.verl.choose import check

if TYPE_CHECKING:
    from verlgen.compose.generate import Composed


class Row(NamedTuple):
    """One value of a preset.

    Attributes:
        key: Name in the release, or None where it has no place for it.
        preset_key: Name in the preset.
        value: As written.
        line: Line in the file, or None for a derived value.
        reason: Why, or None.
    """

    key: str | None
    preset_key: str
    value: str
    line: int | None
    reason: str | None


def listing(places: Sequence[str], *, as_json: bool) -> str:
    """Return all groups with their options."""
    defaults = presets.defaults()
    groups = presets.groups(places)
    if as_json:
        rows = [
            {
                "group": group,
                "option": option.name,
                "default": defaults.get(group) == option.name,
                "about": option.about,
                "file": presets.shown(option.file),
            }
            for group in groups
            for option in presets.options(places, group)
        ]
        document = {"format": "verlgen.presets/1", "presets": rows, "gpus": list(gpus.table())}
        return json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    lines = ["Choose with GROUP=OPTION; * marks what is taken when nothing is said.", ""]
    for group in groups:
        options = presets.options(places, group)
        lines.append(f"{group}=")
        if group == presets.MACHINES_GROUP:
            lines += _machines_lines(defaults.get(group))
        width = max((len(option.name) for option in options), default=0)
        for option in options:
            mark = "*" if defaults.get(group) == option.name else " "
            lines.append(f"  {mark} {option.name:<{width}}  {option.about}".rstrip())
        lines.append("")
    lines.append("Knobs:")
    knobs = presets.knobs()
    width = max(len(knob) for knob in knobs)
    lines += [f"    {knob + '=':<{width + 1}}  {about}" for knob, about in knobs.items()]
    lines.append(f"    {'verl=':<{width + 1}}  release to write for; verlgen schema list")
    return "\n".join(lines) + "\n"


def page(name: str, release: str | None, places: Sequence[str], *, as_json: bool) -> str:
    """Return what `group/option` sets.

    Raises:
        UserError: There is no such preset or release.
    """
    chosen = tables.newest() if release is None else check(release, f"--verl {release}")
    group, _, option = name.partition("/")
    if group == presets.MACHINES_GROUP and option:
        title, source, rows = _machines_rows(option, chosen, places)
    else:
        title, source, rows = _file_rows(name, chosen, places)
    if as_json:
        document = {
            "format": "verlgen.preset/1",
            "preset": name,
            "about": title,
            "source": source,
            "verl": chosen,
            "values": [row._asdict() for row in rows],
        }
        return json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    lines = [f"{name}: {title}", f"{source}, names as in verl {chosen}", ""]
    words = [f"{row.key or row.preset_key}={row.value}" for row in rows]
    width = min(max((len(word) for word in words), default=0), 70)
    for row, word in zip(rows, words, strict=True):
        notes = [] if row.line is None else [f"line {row.line}"]
        if row.key is None:
            notes.append(f"left out: verl {chosen} has no place for it")
        if row.reason:
            notes.append(row.reason)
        lines.append(f"  {word:<{width}}  {': '.join(notes)}".rstrip())
    return "\n".join(lines) + "\n"


def _machines_lines(default: str | None) -> list[str]:
    types = ", ".join(
        "/".join([name, *(f"{name}-{size}" for size in row["memory"] if size != row["default"])])
        for name, row in gpus.table().items()
    )
    lines = [f"  * {default}", "    [NODESx]GPUSxTYPE[-MEM], such as 2x8xH100 or 8xA100-40G, of"]
    line = "      "
    for word in types.split(", "):
        if len(line) + len(word) > 95:
            lines.append(line.rstrip())
            line = "      "
        line += word + ", "
    return [*lines, line.rstrip(", ")]


def _file_rows(name: str, release: str, places: Sequence[str]) -> tuple[str, str, list[Row]]:
    file = presets.find(places, name)
    if file is None or name.startswith(presets.PRIMARY):
        names = [
            f"{option.group}/{option.name}"
            for group in presets.groups(places)
            for option in presets.options(places, group)
        ]
        guess = did_you_mean(name, names)
        raise UserError(
            f"no preset '{name}'",
            remedy=(f"{guess}\n" if guess else "") + "verlgen presets lists them all",
        )
    table = tables.load(release)
    rows = []
    for written in presets.walk(file):
        key = written.key.removeprefix("tuning.")
        there = history.backward(key, release)
        known = table.exists(there) or there in table.plus
        reason = written.comment
        if written.key != key:
            only = presets.override_in(file, presets.MACHINES_GROUP)
            reason = f"{reason + '; ' if reason else ''}only with the recipe's own hw and model"
            reason += f" ({only})" if only else ""
        rows.append(Row(there if known else None, key, written.text, written.line, reason))
    return presets.about(file), presets.shown(file), rows


def _machines_rows(option: str, release: str, places: Sequence[str]) -> tuple[str, str, list[Row]]:
    from verlgen.compose.settings import Layer
    from verlgen.report.generated import shown_value

    machines = gpus.parse(option)
    composed = _composed_on(option, release, places)
    rows = [
        Row(placed.key, placed.key, shown_value(placed.value), None, placed.origin.reason)
        for placed in composed.placed
        if placed.layer is Layer.RULE
    ]
    title = (
        f"{machines.nodes} node{'s' if machines.nodes > 1 else ''} of {machines.gpus} x "
        f"{machines.gpu.type}, {machines.gpu.gib:g} GiB each"
    )
    algo, model = composed.choices["algo"], composed.choices["model"]
    return title, f"presets/rules.yaml with algo={algo} model={model}", rows


def _composed_on(option: str, release: str, places: Sequence[str]) -> Composed:
    """Compose the defaults on the machines, with another model where the default does not fit."""
    from verlgen.compose.generate import generate

    words = [f"hw={option}"]
    try:
        return generate(words, release=release, preset_folders=places[:-1])
    except UserError as error:
        for model in presets.option_names(places, "model"):
            with contextlib.suppress(UserError):
                return generate(
                    [*words, f"model={model}"], release=release, preset_folders=places[:-1]
                )
        raise error
