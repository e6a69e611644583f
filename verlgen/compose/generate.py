"""From the words of a generate command to a Launch: the order of composition.

Release default < rule < group presets < recipe < our knobs < raw verl keys.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from verlgen.catalog import gpus, models
from verlgen.compose import presets, rules
from verlgen.compose.judge import Judged, accepts, choose_engine, judge
from verlgen.compose.settings import Layer, Setting, Settings, expand, flatten
from verlgen.compose.sizes import Sizes
from verlgen.compose.words import Words, split
from verlgen.errors import UserError
from verlgen.launch import Operator, Origin
from verlgen.verl import history, tables
from verlgen.verl.choose import Choice, choose
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
        preset_folders: The user's own preset folders, first come first served.

    Raises:
        UserError: Anything in them that cannot work, with the remedy.
    """
    from verlgen.verl.choose import project_file, project_settings

    project_path = project_file()
    project = project_settings(project_path)
    folders = list(preset_folders)
    if project.get("presets") and project_path:
        folders.append(os.path.join(os.path.dirname(project_path), project["presets"]))
    places = presets.folders(folders)
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
    machines = gpus.parse(tree.values["hw"]["machines"])
    settings = Settings(lambda key: table.keys.get(history.backward(key, table.release)))
    _put_presets(settings, tree)
    _put_knobs(settings, told)
    extra = _put_user(settings, judged)
    _refuse_missing(settings)
    path = settings.value(MODEL_PATH)
    shape = models.shape(path if isinstance(path, str) else "")
    tuned = _tuned_for(tree.choices, places) == (str(machines), shape.name)
    if tuned:
        _put_tuning(settings, tree)
    sizes = Sizes(settings, machines, shape, tree.choices, table.release)
    warnings = rules.apply(settings, sizes, tuned=tuned)
    placed, left_out = _place(settings, table)
    notes = [verdict.note for verdict in judged if verdict.note] + warnings
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


def _tuned_for(choices: Mapping[str, str], places: Sequence[str]) -> tuple[str, str] | None:
    """Return the machines and the model that the chosen recipe is tuned for, or None."""
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
    return str(gpus.parse(machines)), models.shape(str(paths[-1]) if paths else "").name


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
    settings.put(Setting(key, expand(value), origin, layer))


def _put_knobs(settings: Settings, told: Words) -> None:
    for knob, value in told.knobs.items():
        if value is not None:
            origin = Origin("command line", reason=f"{knob}=")
            settings.put(Setting(_KNOB_KEYS[knob], value, origin, Layer.KNOB))


def _put_user(settings: Settings, judged: Sequence[Judged]) -> list[Judged]:
    """Put the user's plain settings; return the words that are none."""
    extra = []
    origin = Origin("command line")
    for verdict in judged:
        said = verdict.said
        if said.operator == "~":
            settings.drop(history.forward(said.key, tables.newest()) or said.key)
        plain = verdict.operator in ("=", "+", "++") and list(verdict.sets) == [said.key]
        if not plain:
            extra.append(verdict)
        for key, value in verdict.sets.items():
            name = history.forward(key, tables.newest()) or key
            settings.drop(name)
            if plain:
                settings.put(Setting(name, value, origin, Layer.USER, verdict))
            else:
                settings.assume(name, value)
    return extra


def _refuse_missing(settings: Settings) -> None:
    for setting in settings:
        if setting.value == "???":
            raise UserError(
                f"{setting.key} is needed",
                where=str(setting.origin),
                remedy=f"give {setting.key}=…",
            )


def _place(settings: Settings, table: Table) -> tuple[list[Placed], list[LeftOut]]:
    """Give every setting the name and operator that the release demands."""
    placed: list[Placed] = []
    left_out: list[LeftOut] = []
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
        elif layer is not Layer.RULE:
            left_out.append(LeftOut(key, value, _why_left_out(key, table.release)))
    return placed, left_out


def _why_left_out(key: str, release: str) -> str:
    gone = history.dropped(key)
    if gone is not None and tables.sort_key(gone.since) <= tables.sort_key(release):
        return f"went with verl {gone.since}: {gone.why}"
    return f"verl {release} does not have it"
