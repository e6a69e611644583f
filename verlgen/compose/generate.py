"""From the words of a generate command to a Launch: the order of composition.

Release default < rule < group presets < recipe < our knobs < raw verl keys.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from verlgen.catalog import gpus, models
from verlgen.compose import presets, rules
from verlgen.compose.judge import Judged, accepts, choose_engine, judge, refuse_secret
from verlgen.compose.settings import Layer, Setting, Settings, expand, flatten
from verlgen.compose.sizes import Sizes
from verlgen.compose.words import Words, split
from verlgen.errors import UserError
from verlgen.launch import Operator, Origin
from verlgen.overrides import OverrideError, dump_value
from verlgen.verl import history, tables
from verlgen.verl.choose import Choice, choose, project_file, project_settings
from verlgen.verl.tables import Table

if TYPE_CHECKING:
    from verlgen.compose.tree import Tree

ENTRYPOINT = "verl.trainer.main_ppo"

MODEL_PATH = "actor_rollout_ref.model.path"

_KNOB_KEYS = {
    "model.path": MODEL_PATH,
    "hw.tp": "actor_rollout_ref.rollout.tensor_model_parallel_size",
    "hw.mem": "actor_rollout_ref.rollout.gpu_memory_utilization",
}
_OURS = {"model", "hw", "tuning"}
"""Top-level names of the composed tree that are not verl's."""


class Placed(NamedTuple):
    """A setting under the name and operator of the chosen release.

    Attributes:
        operator: `=` or `+`, as the release demands; a user's own operator otherwise.
        key: Name in the release.
        value: Python value, or a Word where a preset asks for expansion.
        text: The user's own text for the value, or None where the value is to be written.
        origin: Place and reason.
        layer: Its rank.
    """

    operator: Operator
    key: str
    value: Any
    text: str | None
    origin: Origin
    layer: Layer


class LeftOut(NamedTuple):
    """A preset's setting that the release has no home for.

    Attributes:
        key: Name in the newest release that has it.
        value: Its value.
        why: What became of it.
    """

    key: str
    value: Any
    why: str


class Composed(NamedTuple):
    """Everything a script, or a listing of settings, is made from.

    Attributes:
        release: The verl release and why.
        choices: Group -> option.
        machines: Nodes and GPUs.
        model: The policy model.
        algorithm: The algorithm as a name.
        data: The data as a name.
        placed: Settings in order of first mention.
        extra: The user's words that are no plain setting (groups, deletions, dicts), in order.
        left_out: What the release has no home for.
        notes: What the user should know, a line each.
    """

    release: Choice
    choices: dict[str, str]
    machines: gpus.Machines
    model: models.Shape
    algorithm: str
    data: str
    placed: list[Placed]
    extra: list[Judged]
    left_out: list[LeftOut]
    notes: list[str]


def generate(
    words: Sequence[str], *, release: str | None = None, preset_folders: Sequence[str] = ()
) -> Composed:
    """Compose a launch.

    Args:
        words: Words of the command line: groups, knobs, `verl=`, verl's own.
        release: What `--verl` names; stronger than `verl=`.
        preset_folders: The user's own preset folders, first come first served, those of his
            project among them (`verlgen.compose.places`).

    Raises:
        UserError: Anything in them that cannot work, with the remedy.
    """
    project = project_settings(project_file())
    places = presets.folders(preset_folders)
    told = split(words, places)
    chosen = choose(
        wanted=(
            (release, f"--verl {release}"),
            (told.release, f"verl={told.release}"),
            (project.get("verl"), "verlgen.yaml"),
        ),
        accepts=lambda name: accepts(name, told.verl),
    )
    table = tables.load(chosen.release, engine=choose_engine(told.verl))
    judged = judge(told.verl, table, ours=(*presets.groups(places), *presets.knobs(), "verl"))
    return _compose(told, judged, chosen, table, places)


def _compose(
    told: Words, judged: Sequence[Judged], chosen: Choice, table: Table, places: Sequence[str]
) -> Composed:
    from verlgen.compose.tree import compose_tree

    tree = compose_tree(presets.primary_folder(), places, told.for_hydra())
    machines = _counted(gpus.parse(tree.values["hw"]["machines"]), judged)
    settings = Settings(lambda key: table.keys.get(history.backward(key, table.release)))
    _put_presets(settings, tree)
    _put_knobs(settings, told, tree)
    extra = _put_user(settings, judged, table)
    _refuse_missing(settings)
    path = settings.value(MODEL_PATH)
    shape = models.shape(path if isinstance(path, str) else "")
    meant = _meant_for(tree.choices, places)
    tuned = meant is not None and (meant.machines, meant.model) == (str(machines), shape.name)
    if tuned:
        _put_tuning(settings, tree)
    elif meant is not None:
        _drop_names(settings, meant, shape, tree.choices)
    sizes = Sizes(settings, machines, shape, tree.choices, table)
    warnings = rules.apply(settings, sizes, tuned=tuned)
    placed, left_out, unknown = _place(settings, table)
    notes = [verdict.note for verdict in judged if verdict.note] + unknown + warnings
    return Composed(
        chosen,
        tree.choices,
        machines,
        shape,
        sizes.algo_name,
        sizes.data_name,
        placed,
        extra,
        left_out,
        notes,
    )


class _Meant(NamedTuple):
    """What a recipe is written for."""

    machines: str
    model: str
    data: str | None


def _meant_for(choices: Mapping[str, str], places: Sequence[str]) -> _Meant | None:
    """Return the machines, model and data that the chosen recipe overrides groups with."""
    name = choices.get("recipe")
    file = presets.find(places, f"recipe/{name}") if name else None
    if file is None:
        return None
    machines = presets.override_in(file, presets.MACHINES_GROUP)
    model = presets.override_in(file, "model")
    model_file = presets.find(places, f"model/{model}") if model else None
    if machines is None or model_file is None:
        return None
    paths = [line.value for line in presets.walk(model_file) if line.key == MODEL_PATH]
    shape = models.shape(str(paths[-1]) if paths else "")
    return _Meant(str(gpus.parse(machines)), shape.name, presets.override_in(file, "data"))


def _drop_names(
    settings: Settings, meant: _Meant, shape: models.Shape, choices: Mapping[str, str]
) -> None:
    """Forget a recipe's names for its run where it is a run of another model or data."""
    if shape.name == meant.model and choices.get("data") == meant.data:
        return
    for key in ("trainer.project_name", "trainer.experiment_name"):
        setting = settings.get(key)
        if setting is not None and setting.layer is Layer.RECIPE:
            settings.drop(key)


def _counted(machines: gpus.Machines, judged: Sequence[Judged]) -> gpus.Machines:
    """Return the machines with the numbers that the user gives under verl's own keys."""
    counts = {"trainer.nnodes": "nodes", "trainer.n_gpus_per_node": "gpus"}
    for verdict in judged:
        field = counts.get(verdict.said.key)
        value = verdict.sets.get(verdict.said.key)
        if field is None or not isinstance(value, int) or isinstance(value, bool):
            continue
        if not 1 <= value <= gpus.MOST:
            raise UserError("at least one is needed", where=f"{verdict.said.key}={value}")
        if field == "nodes":
            machines = machines._replace(nodes=value)
        else:
            machines = machines._replace(gpus=value)
    return machines


def _put_presets(settings: Settings, tree: Tree) -> None:
    for key, value in flatten({k: v for k, v in tree.values.items() if k not in _OURS}):
        _put_written(settings, key, value, tree.written[key])


def _put_tuning(settings: Settings, tree: Tree) -> None:
    for key, value in flatten(tree.values.get("tuning") or {}):
        _put_written(settings, key, value, tree.written[f"tuning.{key}"])


def _put_written(settings: Settings, key: str, value: Any, line: presets.Written) -> None:
    recipe = line.file.rsplit(os.sep, 2)[-2].startswith("recipe")
    origin = Origin(presets.shown(line.file), line.line, line.column, None, line.comment)
    layer = Layer.RECIPE if recipe else Layer.PRESET
    _refuse_unwritable(value, str(origin))
    refuse_secret(key, value, str(origin))
    settings.put(Setting(key, expand(value), origin, layer))


def _refuse_unwritable(value: Any, where: str) -> None:
    """Stop at what YAML can hold and no command line can; what a user types comes from one."""
    try:
        text = dump_value(value)
    except OverrideError as error:
        raise UserError(error.what, where=where, remedy=error.remedy) from error
    if "\0" in text:
        raise UserError("a NUL character cannot be passed on a command line", where=where)


def _put_knobs(settings: Settings, told: Words, tree: Tree) -> None:
    for knob, key in _KNOB_KEYS.items():
        group, _, name = knob.partition(".")
        value = tree.values[group].get(name)
        if value is None:
            continue
        if knob in told.knobs:
            origin = Origin("command line", reason=f"{knob}=")
            settings.put(Setting(key, told.knobs[knob], origin, Layer.KNOB))
        else:
            _put_written(settings, key, value, tree.written[knob])


def _put_user(settings: Settings, judged: Sequence[Judged], table: Table) -> list[Judged]:
    """Put the user's plain settings; return the words whose order counts, in order.

    Hydra applies words one after the other, so a dict, a deletion, and whatever touches the same
    part of the tree as another word stay in the user's order.
    """
    extra = []
    newest = tables.newest()
    origin = Origin("command line")
    for number, verdict in enumerate(judged):
        said = verdict.said
        name = history.forward(said.key, newest) or said.key
        touched = [history.forward(key, newest) or key for key in (*verdict.sets, said.key)]
        for key in touched:
            if said.operator == "~" or key in verdict.sets or key != said.key:
                settings.drop(key)
        plain = list(verdict.sets) == [said.key] and not any(
            _touch(verdict, other) for other in (*judged[:number], *judged[number + 1 :])
        )
        if plain:
            value = verdict.sets[said.key]
            settings.put(Setting(name, value, origin, Layer.USER, verdict))
            continue
        extra.append(verdict)
        if verdict.sets:
            for key, value in verdict.sets.items():
                settings.assume(history.forward(key, newest) or key, value)
        if said.operator != "~" and said.package is None and not table.is_node(said.key):
            settings.assume(name, said.value)
    return extra


def _touch(one: Judged, other: Judged) -> bool:
    """Tell whether the order of two words counts: one key is the other, or lies above it."""
    a, b = one.said.key, other.said.key
    if a == b:
        return not (one.operator == other.operator == "=" and list(one.sets) == [a])
    return a.startswith(b + ".") or b.startswith(a + ".")


def _refuse_missing(settings: Settings) -> None:
    for setting in settings:
        if setting.value == "???":
            raise UserError(
                f"{setting.key} is needed",
                where=str(setting.origin),
                remedy=f"give {setting.key}=…",
            )


def _place(settings: Settings, table: Table) -> tuple[list[Placed], list[LeftOut], list[str]]:
    """Give every setting the name and operator that the release demands.

    Returns:
        What is written, what the release has no place for, and notes on keys that no release has.
    """
    placed: list[Placed] = []
    left_out: list[LeftOut] = []
    notes: list[str] = []
    for setting in settings:
        key, value, origin, layer, verdict = setting
        if verdict is not None:
            said = verdict.said
            placed.append(Placed(verdict.operator, said.key, value, verdict.text, origin, layer))
            continue
        name = history.backward(key, table.release)
        if table.exists(name):
            placed.append(Placed("=", name, value, None, origin, layer))
        elif name in table.plus:
            placed.append(Placed("+", name, value, None, origin, layer))
        else:
            left_out.append(LeftOut(key, value, _why_left_out(key, table.release)))
            if not _known_somewhere(key):
                notes.append(_unheard_of(key, origin))
    return placed, left_out, notes


def _known_somewhere(key: str) -> bool:
    return history.dropped(key) is not None or any(
        table.exists(history.backward(key, release)) or key in table.plus
        for release in reversed(tables.published())
        for table in (tables.load(release),)
    )


def _unheard_of(key: str, origin: Origin) -> str:
    from verlgen.suggest import did_you_mean

    guess = did_you_mean(key, tables.load(tables.newest()).keys)
    return f"{origin}: no release of verl has {key}, so it is left out" + (
        f"; {guess}" if guess else ""
    )


def _why_left_out(key: str, release: str) -> str:
    gone = history.dropped(key)
    if gone is not None and tables.sort_key(gone.since) <= tables.sort_key(release):
        return f"went with verl {gone.since}: {gone.why}"
    return f"verl {release} does not have it"
