"""What may stand where the cursor is: the engine of shell completion.

Shells differ in what they take for a word and in what they replace, so this answers with whole
words; each shell's script (templates/completion.*) fits them to its shell. It runs at every press
of Tab: nothing here imports Hydra, OmegaConf, Jinja or rich, and a table or a YAML file is read
only when the word asks for it.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import click

from verlgen.cli.main import COMMANDS, cli
from verlgen.cli.options import all_folders

if TYPE_CHECKING:
    from verlgen.verl.tables import PlusField, Table

Candidates = list[tuple[str, str]]
"""Whole words, each with a short description. One that ends in `=`, `.` or `/` is unfinished."""

_IMPLIED = "generate"
"""The command that words without a command mean."""

# Patterns are text, compiled when first used: compiling them all would cost more than an answer.
_WORD = r"""(?:[^\s'"\\]|\\[\s\S]|'[^']*'|"(?:\\[\s\S]|[^"\\])*")+"""
_QUOTED = r"""\\([\s\S])|'([^']*)'|"((?:\\[\s\S]|[^"\\])*)\""""
_ASSIGNMENT = r"[A-Za-z_]\w*\+?="
_REDIRECTION = r"(\d*|&)[<>]+[&|]?"
_LITERAL = r"Literal\[(.*?)\]"
_CHOICE = r"""(['"])(.*?)\1|(-?\d+|True|False|None)"""

_SAFE_VALUE = r"[\w./:@%+,~-]+"
"""A value that neither a shell nor Hydra takes for something else."""

_LEFT_TO_THE_SHELL = frozenset("'\"\\$`<>|&;()")
"""A word under the cursor that has one of these means something else than it says."""

_LONGEST_ABOUT = 70
_MOST_FOUND = 40
_KNOB_VALUES = {"hw.tp": ("1", "2", "4", "8"), "hw.mem": ("0.4", "0.5", "0.6", "0.7", "0.8")}


def candidates(line: str) -> Candidates:
    """Return what the word at the end of a command line may become, best first.

    Where nothing begins with the word, keys whose end it is may come instead (`train_batch` for
    `data.train_batch_size=`). Nothing at all means that the shell may complete a file.

    Args:
        line: The command line up to the cursor, the program's name first.
    """
    words = _split(line)
    if words is None or len(words) < 2:
        return []
    *before, word = words[1:]
    given = _read(before)
    return [] if given is None else [(text, _short(about)) for text, about in _find(given, word)]


def _split(line: str) -> list[str] | None:
    """Return the words of a command, the one under the cursor last; None if that one is quoted."""
    if re.sub(_WORD, "", line).strip():  # a quotation that is still open
        return None
    found = list(re.finditer(_WORD, line))
    last = found.pop()[0] if found and found[-1].end() == len(line) else ""
    if not _LEFT_TO_THE_SHELL.isdisjoint(last):
        return None
    kept: list[str] = []
    into_file = False
    for match in found:
        word = match[0]
        redirection = re.match(_REDIRECTION, word) if "<" in word or ">" in word else None
        if redirection is None and not into_file and (kept or not re.match(_ASSIGNMENT, word)):
            kept.append(_unquote(word))
        into_file = redirection is not None and redirection.end() == len(word)
    return None if into_file else [*kept, last]


def _unquote(word: str) -> str:
    if _LEFT_TO_THE_SHELL.isdisjoint(word):
        return word
    return re.sub(_QUOTED, _unquoted, word)


def _unquoted(match: re.Match[str]) -> str:
    escaped, single, double = match.groups()
    return escaped or single or re.sub(r'\\([\\"$`])', r"\1", double or "")


class _Given(NamedTuple):
    """What stands before the cursor.

    Attributes:
        context: The command in force.
        named: Whether a command was named or implied; false at the very first word.
        pending: The option whose value comes next, or None.
        closed: Whether `--` has ended the options.
        options: Name of an option or argument -> its values so far.
        arguments: Words that are no options.
    """

    context: click.Context
    named: bool
    pending: click.Option | None
    closed: bool
    options: dict[str, list[str]]
    arguments: list[str]


def _read(words: list[str]) -> _Given | None:
    """Return what the words before the cursor mean; None if they name no command."""
    context = click.Context(cli, info_name="verlgen", **cli.context_settings)
    if not words:
        return _Given(context, False, None, False, {}, [])
    if words[0] not in COMMANDS:
        if "=" not in words[0] and not words[0].startswith(("-", "+", "~")):
            return None  # no command: see verlgen.cli.main
        words = [_IMPLIED, *words]
    options: dict[str, list[str]] = {}
    arguments: list[str] = []
    pending: click.Option | None = None
    closed = False
    for word in words:
        if pending is not None:
            options.setdefault(pending.name or "", []).append(word)
            pending = None
        elif word == "--" and not closed:
            closed = True
        elif word.startswith("-") and word != "-" and not closed:
            option, value = _option(context, word)
            if option is not None and value is None and _takes_value(option):
                pending = option
            elif option is not None:
                options.setdefault(option.name or "", []).append(value or "")
        elif isinstance(context.command, click.Group):
            below = context.command.get_command(context, word)
            if below is None:
                return None
            context = click.Context(below, info_name=word, parent=context)
        else:
            argument = _argument(context.command, len(arguments))
            if argument is not None:
                options.setdefault(argument.name or "", []).append(word)
            arguments.append(word)
    return _Given(context, True, pending, closed, options, arguments)


def _options(context: click.Context) -> list[click.Option]:
    parameters = context.command.get_params(context)
    return [one for one in parameters if isinstance(one, click.Option) and not one.hidden]


def _takes_value(option: click.Option) -> bool:
    return not option.is_flag and not option.count


def _option(context: click.Context, word: str) -> tuple[click.Option | None, str | None]:
    """Return the option that a word names, and the value within the word or None."""
    name, equals, value = word.partition("=")
    by_name = {name: one for one in _options(context) for name in one.opts}
    if word.startswith("--"):
        return by_name.get(name), value if equals else None
    for at, letter in enumerate(word[1:], start=2):  # -fo FILE, -oFILE
        option = by_name.get(f"-{letter}")
        if option is None or _takes_value(option) or at == len(word):
            return option, word[at:] or None
    return None, None


def _find(given: _Given, word: str) -> Candidates:
    facts = _Facts(given)
    command = given.context.command
    if given.pending is not None:
        return _beginning(word, _parameter_values(given.pending, facts, word))
    if word.startswith("-") and not given.closed:
        return _option_words(given, facts, word)
    if not given.named:
        return _first_words(facts, word)
    if isinstance(command, click.Group):
        return _beginning(word, _subcommands(given.context, command))
    argument = _argument(command, len(given.arguments))
    if argument is None:
        return []
    if argument.name == "words":
        return _override_words(facts, word, [])
    return _beginning(word, _parameter_values(argument, facts, word))


def _argument(command: click.Command, position: int) -> click.Argument | None:
    """Return the argument that the word at a position belongs to."""
    for one in command.params:
        if isinstance(one, click.Argument):
            if one.nargs < 0 or position < one.nargs:
                return one
            position -= one.nargs
    return None


def _first_words(facts: _Facts, word: str) -> Candidates:
    return _override_words(facts, word, [(name, entry.about) for name, entry in COMMANDS.items()])


def _subcommands(context: click.Context, group: click.Group) -> Iterator[tuple[str, str]]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is not None and not command.hidden:
            yield name, command.get_short_help_str(_LONGEST_ABOUT)


def _option_words(given: _Given, facts: _Facts, word: str) -> Candidates:
    context = given.context
    if not given.named:
        # A first word with a dash means `generate`, apart from help and version.
        generate = cli.get_command(context, _IMPLIED)
        assert generate is not None
        context = click.Context(generate, info_name=_IMPLIED, parent=context)
    name, equals, value = word.partition("=")
    if equals:
        option, _ = _option(context, word)
        if option is None or not word.startswith("--"):
            return []
        values = _parameter_values(option, facts, value)
        return _beginning(word, ((f"{name}={text}", about) for text, about in values))
    offered = _options(context) if given.named else [*_options(context), *_options(given.context)]
    names = {
        name: one.help or ""
        for one in offered
        if one.multiple or one.name not in given.options
        for name in (*one.opts, *one.secondary_opts)
    }
    return _beginning(word, names.items())


def _parameter_values(parameter: click.Parameter, facts: _Facts, typed: str) -> Candidates:
    """Return what an option or argument may be; nothing for one that we know nothing of."""
    if isinstance(parameter.type, click.Choice):
        return [(str(choice), "") for choice in parameter.type.choices]
    values = _VALUES.get((parameter.metavar or parameter.name or "").strip("[]").lower())
    return [] if values is None else values(facts, typed)


def _releases(facts: _Facts, typed: str) -> Candidates:
    from verlgen.verl import tables

    newest = tables.newest()
    return [(name, "newest" if name == newest else "") for name in reversed(tables.releases())]


def _presets(facts: _Facts, typed: str) -> Candidates:
    """Return `group/` until there is one, then the group's options."""
    from verlgen.compose import presets

    group, slash, option = typed.partition("/")
    if not slash:
        return [(f"{name}/", about) for name, about in _groups(facts)]
    if group not in presets.groups(facts.places):
        return []
    return [(f"{group}/{name}", about) for name, about in _group_options(facts, group, option)]


def _key_globs(facts: _Facts, typed: str) -> Candidates:
    return [(text.rstrip("="), about) for text, about in _keys(facts.table, "+", typed)]


def _configs(facts: _Facts, typed: str) -> Candidates:
    from verlgen.verl import tables

    names = (name.config for name in tables.table_names(facts.release))
    return [(name, "") for name in dict.fromkeys(names)]


def _engines(facts: _Facts, typed: str) -> Candidates:
    from verlgen.verl import tables

    wanted = facts.option("config") or tables.MAIN_CONFIG
    names = tables.table_names(facts.release)
    engines = (name.engine for name in names if name.engine and name.config == wanted)
    return [(name, "") for name in dict.fromkeys(engines)]


_VALUES: dict[str, Callable[[_Facts, str], Candidates]] = {
    "release": _releases,
    "group/option": _presets,
    "key_glob": _key_globs,
    "config": _configs,
    "engine": _engines,
}
"""Metavar, else name, of a parameter -> its values. All others are left to the shell: files."""


class _Facts:
    """What the candidates depend on, each read when it is asked for."""

    def __init__(self, given: _Given) -> None:
        self._given = given

    def option(self, name: str) -> str | None:
        """Return the last value of a command's option or argument, or None."""
        values = self._given.options.get(name)
        return values[-1] if values else None

    def word(self, key: str) -> str | None:
        """Return what the last `key=value` before the cursor says, or None."""
        for word in reversed(self._given.arguments):
            name, equals, value = word.partition("=")
            if equals and name == key:
                return value
        return None

    @cached_property
    def _project(self) -> tuple[str, dict[str, str]]:
        """The folder of the project's verlgen.yaml, and what that says."""
        from verlgen.verl.choose import project_file, project_settings

        path = project_file()
        return os.path.dirname(path or ""), dict(project_settings(path))

    @cached_property
    def places(self) -> list[str]:
        """Preset folders, in the order in which `generate` asks them."""
        from verlgen.compose import presets

        folder, settings = self._project
        told = [os.path.expanduser(path) for path in self._given.options.get("folders", ())]
        extra = all_folders(tuple(told))
        if settings.get("presets"):
            extra.append(os.path.join(folder, settings["presets"]))
        return presets.folders([path for path in extra if os.path.isdir(path)])

    @cached_property
    def release(self) -> str:
        """The release in force; the newest where the line names one that does not exist."""
        from verlgen.errors import UserError
        from verlgen.verl import tables
        from verlgen.verl.choose import choose

        told = (self.option("release"), self.word("verl"), self._project[1].get("verl"))
        try:
            return choose(wanted=[(name, "") for name in told]).release
        except UserError:
            return tables.newest()

    @cached_property
    def table(self) -> Table:
        """The keys in force, or those of the release's default where the choice has none."""
        from verlgen.errors import UserError
        from verlgen.verl import tables

        config = self.option("config") or tables.MAIN_CONFIG
        engine = self.option("engine") or self.word("model_engine")
        with contextlib.suppress(UserError):
            return tables.load(self.release, config, engine)
        return tables.load(self.release)


def _override_words(facts: _Facts, word: str, more: Candidates) -> Candidates:
    """Return overrides: groups, knobs and verl's keys, or the values of one.

    Args:
        facts: What they depend on.
        word: The word under the cursor.
        more: Candidates that come first.
    """
    head, equals, _ = word.partition("=")
    operator, key = _operator(head)
    if equals:
        values = _values(facts, operator, key, word[len(head) + 1 :])
        return _beginning(word, ((f"{head}={text}", about) for text, about in values))
    found = _beginning(word, more)
    if not operator and ("." not in word or _may_be_knob(word)):
        found += _beginning(word, _our_words(facts, typed=word))
    if word:  # all of verl's names would bury ours
        keys = _keys(facts.table, operator, key) or ([] if found else _search(facts, operator, key))
        found += [(operator + text, about) for text, about in keys]
    return found


def _operator(head: str) -> tuple[str, str]:
    operator = next((sign for sign in ("++", "+", "~") if head.startswith(sign)), "")
    return operator, head[len(operator) :]


def _our_words(facts: _Facts, typed: str) -> Iterator[tuple[str, str]]:
    from verlgen.compose import presets

    ours = [(f"{group}=", about) for group, about in _groups(facts)]
    ours += [(f"{knob}=", about) for knob, about in presets.knobs().items()]
    ours.append(("verl=", "release of verl to write for"))
    for text, about in ours:
        # What was said is not offered again, unless it is asked for.
        if typed or facts.word(text[:-1]) is None:
            yield text, about


def _groups(facts: _Facts) -> Candidates:
    from verlgen.compose import presets

    defaults = presets.defaults()
    return [
        (group, f"preset; {defaults[group]} when not said" if defaults.get(group) else "preset")
        for group in presets.groups(facts.places)
    ]


def _may_be_knob(key: str) -> bool:
    """Tell whether a dotted name may be a knob: they are named after the groups we ship.

    Most keys are not, and PyYAML is not imported for them.
    """
    from verlgen.resources import presets_dir

    group, dot, _ = key.partition(".")
    return bool(dot) and (group == "hw" or os.path.isdir(os.path.join(presets_dir(), group)))


def _is_knob(key: str) -> bool:
    from verlgen.compose import presets

    return key in presets.knobs()


def _values(facts: _Facts, operator: str, key: str, typed: str) -> Candidates:
    if not operator:
        if key == "verl":
            return _releases(facts, typed)
        if key in _KNOB_VALUES:
            return [(value, "") for value in _KNOB_VALUES[key]]
        if _may_be_knob(key) and _is_knob(key):
            return []
        options = _group_options(facts, key, typed) if "." not in key else []
        if options:
            return options
    return _key_values(facts.table, key)


def _group_options(facts: _Facts, group: str, typed: str) -> Candidates:
    from verlgen.compose import presets

    if group == presets.MACHINES_GROUP:
        return _machines(typed)
    if group == presets.PRIMARY or group not in presets.groups(facts.places):
        return []
    return [(option.name, option.about) for option in presets.options(facts.places, group)]


def _machines(typed: str) -> Candidates:
    """Return machines `[NODESx]GPUSxTYPE[-MEM]` that go on from what is typed."""
    from verlgen.catalog import gpus

    counts = re.match(r"(\d+x){0,2}", typed)
    said = counts[0] if counts else ""
    rest = typed[len(said) :]
    if not said and rest.isdigit():
        said, rest = f"{rest}x", ""
    elif said.count("x") == 1 and rest.isdigit():
        said, rest = f"{said}{rest}x", ""
    found: Candidates = []
    for type_, row in gpus.table().items():
        about = f"{row['default']}B a GPU, {row['per_node']} GPUs a node"
        starts = [said] if said else list(dict.fromkeys((f"{row['per_node']}x", "1x")))
        found += [(f"{start}{type_}", about) for start in starts]
        if said:
            # The usual memory needs no name until there is a dash.
            sizes = [size for size in row["memory"] if size != row["default"] or "-" in rest]
            found += [(f"{said}{type_}-{size}", f"{size}B a GPU") for size in sizes]
            found += [(f"{said}{name}", about) for name in row["aliases"] if name.startswith("RTX")]
    return found


def _keys(table: Table, operator: str, typed: str) -> Candidates:
    """Return the names that go on from a key, one segment on: `node.`, `leaf=`."""
    base, _, last = typed.rpartition(".")
    stem = f"{base}." if base else ""
    found = {
        stem + name: _key(table, operator, stem + name)
        for name in table.children(base)
        if name.startswith(last) and (name != "_target_" or last)
    }
    if operator in ("+", "++"):
        for key, field in table.plus.items():
            if key.startswith(typed):
                name, dot, _ = key[len(stem) :].partition(".")
                known = found.get(stem + name)
                if known is None or (dot and not known[0].endswith(".")):
                    found[stem + name] = (f"{stem}{name}.", "") if dot else _plus(key, field)
    groups = _verl_groups(table, typed) if "@" in typed else []
    return [*found.values(), *groups]


def _key(table: Table, operator: str, key: str) -> tuple[str, str]:
    below = table.children(key)
    if below:
        return f"{key}.", ", ".join(name for name in below if name != "_target_")
    about = _about(table.type_of(key) or "Any", table.keys.get(key), True)
    return (key if operator == "~" else f"{key}="), about


def _plus(key: str, field: PlusField) -> tuple[str, str]:
    return f"{key}=", _about(field.type, field.default, field.known)


def _verl_groups(table: Table, typed: str) -> Candidates:
    """Return verl's own config groups that have a choice: `actor@actor_rollout_ref.actor=`."""
    return [
        (f"{name}=", f"config group of verl; {group.chosen} when not said")
        for name, group in table.groups.items()
        if name.startswith(typed) and group.overridable and len(group.options) > 1
    ]


def _search(facts: _Facts, operator: str, typed: str) -> Candidates:
    """Return keys whose last segment, or last few (`rollout.n`), begin with the typed text."""
    if len(typed) < 2:
        return []
    table = facts.table
    needle = f".{typed}"
    pool = [*table.keys, *(table.plus if operator in ("+", "++") else ())]
    found: list[str] = []
    for key in pool:
        at = f".{key}".rfind(needle)
        if at >= 0 and "." not in key[at + len(typed) :] and not key.endswith("._target_"):
            found.append(key)
    found.sort(key=lambda key: not f".{key}".endswith(needle))
    return [
        _key(table, operator, key) if key in table.keys else _plus(key, table.plus[key])
        for key in found[:_MOST_FOUND]
    ]


def _key_values(table: Table, key: str) -> Candidates:
    """Return the values that verl's key or config group is known to take, or its default."""
    group = table.groups.get(key)
    if group is not None and group.overridable:
        return [
            (name, "default" if name == group.chosen else "config group of verl")
            for name in group.options
        ]
    kind = table.type_of(key) or ""
    field = table.plus.get(key)
    default = table.keys.get(key) if field is None else field.default
    choices = _choices(kind)
    written = _written(default)
    if choices:
        return [(text, "default" if text == written else "") for text in choices]
    return [] if written is None else [(written, f"{kind}, default")]


def _choices(kind: str) -> list[str]:
    literal = re.search(_LITERAL, kind)
    if literal is not None:
        found = [match[2] or match[3] or "" for match in re.finditer(_CHOICE, literal[1])]
    elif kind in ("bool", "Optional[bool]"):
        found = ["True", "False"]
    else:
        return []
    if kind.startswith("Optional[") or "None" in found:
        found = [*(text for text in found if text != "None"), "null"]
    return [text for text in found if re.fullmatch(_SAFE_VALUE, text)]


def _written(value: object) -> str | None:
    """Return a default as a word holds it; None for what nobody would type, such as null."""
    from verlgen.overrides import dump_value

    if not isinstance(value, bool | int | float | str) or value == "???":
        return None
    text = str(value) if isinstance(value, bool) else dump_value(value)
    return text if re.fullmatch(_SAFE_VALUE, text) else None


def _about(kind: str, default: object, known: bool) -> str:
    if not known or default == "???":
        return kind
    return f"{kind}, default {'null' if default is None else default}"


def _beginning(word: str, found: Iterable[tuple[str, str]]) -> Candidates:
    return [(text, about) for text, about in found if text.startswith(word)]


def _short(about: str) -> str:
    """Return a description as one line without tabs that fits beside a candidate."""
    line = " ".join(about.split())
    return line if len(line) <= _LONGEST_ABOUT else f"{line[: _LONGEST_ABOUT - 1]}…"
