"""The words of a generate command, told apart: groups, our knobs, the release, verl's own words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from verlgen.compose import presets
from verlgen.errors import UserError
from verlgen.overrides import ParsedOverride, dump_value, parse
from verlgen.suggest import did_you_mean


class Words(NamedTuple):
    """A generate command's words.

    Attributes:
        choices: Group -> option.
        knobs: Our own dotted knob -> value.
        release: What `verl=` names, or None.
        verl: verl's words with what they say, in order.
    """

    choices: dict[str, str]
    knobs: dict[str, object]
    release: str | None
    verl: list[tuple[str, ParsedOverride]]

    def for_hydra(self) -> list[str]:
        """Return the words that Hydra composes."""
        known = presets.defaults()
        groups = [
            f"{'' if group in known else '+'}{group}={dump_value(option)}"
            for group, option in self.choices.items()
        ]
        return groups + [f"{knob}={_dumped(_literal(value))}" for knob, value in self.knobs.items()]


def split(words: Sequence[str], places: Sequence[str]) -> Words:
    """Tell the words apart.

    Args:
        words: Words of the command line, in order.
        places: Preset folders.

    Raises:
        UserError: A word is no override, or names a group or option that does not exist.
    """
    groups = presets.groups(places)
    knobs = presets.knobs()
    found = Words({}, {}, None, [])
    release: str | None = None
    for word in words:
        said = parse(word)
        plain = said.operator == "=" and said.package is None
        if said.sweep:
            raise UserError(
                "names several values",
                where=word,
                remedy=f"quote it if it is one value: {said.key}='{said.value_text}'; "
                "sweeps are not built yet",
            )
        if plain and said.key == "verl":
            # The text itself: 0.10 is a release, not the number 0.1.
            release = (said.value_text or "").strip("'\"")
        elif plain and said.key in groups:
            option = _option(word, said, places)
            found.choices.pop(said.key, None)
            if option is not None:
                found.choices[said.key] = option
        elif said.key in groups and "." not in said.key:
            raise UserError(
                "a group of presets is chosen with `=`",
                where=word,
                remedy=f"write {said.key}=OPTION; options: {_options(places, said.key)}",
            )
        elif plain and said.key in knobs:
            found.knobs[said.key] = said.value
        elif said.key in knobs or said.key.partition(".")[0] in _owners(knobs):
            raise UserError(
                "our knobs are set with `=`" if said.key in knobs else f"no knob '{said.key}'",
                where=word,
                remedy="knobs: " + ", ".join(f"{knob}=" for knob in knobs),
            )
        else:
            found.verl.append((word, said))
    return found._replace(release=release)


def _owners(knobs: Iterable[str]) -> set[str]:
    """Return the groups whose dotted names are all ours, as no key of verl's begins so."""
    return {knob.partition(".")[0] for knob in knobs}


def _option(word: str, said: ParsedOverride, places: Sequence[str]) -> str | None:
    option = (said.value_text or "").strip("'\"")
    if said.key == presets.MACHINES_GROUP:
        from verlgen.catalog.gpus import parse as parse_machines

        parse_machines(option)
        return option
    names = presets.option_names(places, said.key)
    if option in names:
        return option
    if option == "null" and presets.defaults().get(said.key) is None:
        return None
    guess = did_you_mean(option, names)
    raise UserError(
        f"group '{said.key}' has no option '{option}'" if option else "names no option",
        where=word,
        remedy=(f"{guess}\n" if guess else "")
        + f"options: {', '.join(names) or 'none'}"
        + (f"\nany other hub id or path: model.path={option}" if said.key == "model" else "")
        + "\nverlgen presets lists all groups",
    )


def _options(places: Sequence[str], group: str) -> str:
    if group == presets.MACHINES_GROUP:
        return "[NODESx]GPUSxTYPE[-MEM]"
    return ", ".join(presets.option_names(places, group))


def _literal(value: object) -> object:
    """Return a value such that OmegaConf takes no `${` in it as its own: verl is to resolve it."""
    if isinstance(value, str):
        return re.sub(r"(\\*)\$\{", r"\1\1\\${", value)
    if isinstance(value, list):
        return [_literal(item) for item in value]
    if isinstance(value, dict):
        return {key: _literal(item) for key, item in value.items()}
    return value


def _dumped(value: object) -> str:
    return dump_value(value)  # type: ignore[arg-type]
