"""SOURCE -> Launches: loads what the user names, reads it, and settles the release.

What every command that takes a SOURCE begins with.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import IO, TYPE_CHECKING, NamedTuple

from verlgen.errors import UserError
from verlgen.launch import Launch, Operator, Origin, Override, Word, text
from verlgen.verl.choose import Choice, choose, project_file, project_settings

if TYPE_CHECKING:
    from verlgen.script.containers.embedded import Embedded
    from verlgen.script.read.reading import Reading
    from verlgen.script.read.result import Found, Problem
    from verlgen.script.read.sources import Where
    from verlgen.sources import Loaded

_OPERATOR = re.compile(r"\+\+|\+|~|")
_HEADER = re.compile(r"^# verlgen \S+ for verl (\S+):", re.MULTILINE)


class ReadLaunch(NamedTuple):
    """A launch that was read.

    Attributes:
        launch: What it asks for.
        words: Its override words as the shell passes them, in order.
        places: Where each was written, or None.
        kind: `trainer` or `tool`.
        line: Line of the command, or None.
        because: Why bash would not get there, or None.
    """

    launch: Launch
    words: tuple[Word, ...]
    places: tuple[Where | None, ...]
    kind: str
    line: int | None
    because: str | None


class Result(NamedTuple):
    """A source that was read.

    Attributes:
        source: As the user gave it.
        release: The verl release and why.
        launches: What would run.
        blocked: What would run beyond a stop.
        problems: What the user should know.
        knobs: Variable -> default as written.
    """

    source: str
    release: Choice
    launches: list[ReadLaunch]
    blocked: list[ReadLaunch]
    problems: list[Problem]
    knobs: dict[str, str]


class _Read(NamedTuple):
    loaded: Loaded
    launches: list[ReadLaunch]
    blocked: list[ReadLaunch]
    problems: list[Problem]
    knobs: dict[str, str]


def read_all(
    sources: Sequence[str],
    environment: Mapping[str, str],
    arguments: Sequence[str],
    release: str | None,
    *,
    stdin: IO[bytes] | None = None,
) -> Iterator[Result | UserError]:
    """Read sources; one that cannot be read gives its UserError, and the others are still done.

    Args:
        sources: As the user names them.
        environment: Variables to set beyond a clean start.
        arguments: Positional parameters of scripts.
        release: What `--verl` names.
        stdin: Where `-` reads from.

    Raises:
        UserError: The release that is named does not exist.
    """
    if release is not None:
        from verlgen.verl.choose import check

        check(release, f"--verl {release}")
    read: list[_Read | UserError] = []
    for source in sources:
        try:
            read.append(_read(source, environment, arguments, stdin))
        except UserError as error:
            read.append(_named(error, source))
    chosen = _Chooser([item for item in read if isinstance(item, _Read)], release)
    for source, item in zip(sources, read, strict=True):
        if isinstance(item, UserError):
            yield item
        else:
            yield Result(source, chosen.of(item), *item[1:])


def _named(error: UserError, source: str) -> UserError:
    """Return the error with the source's name in front, where it does not have it."""
    if error.where is None or source not in error.where:
        error.where = f"{source}: {error.where}" if error.where else source
    error.source = source
    return error


def _read(
    source: str, environment: Mapping[str, str], arguments: Sequence[str], stdin: IO[bytes] | None
) -> _Read:
    from verlgen.sources import load

    loaded = load(source, stdin=stdin)
    if loaded.contents.kind == "presets":
        read = _Read(loaded, [_composed(loaded.presets)], [], [], {})
    elif loaded.contents.words:
        read = _Read(loaded, [_listed(loaded)], [], [], {})
    else:
        read = _Read(loaded, [], [], [], {})
        for script in loaded.contents.scripts:
            _add_script(read, script, environment, arguments)
    if loaded.changes:
        read = read._replace(
            launches=[_changed(launch, loaded.changes) for launch in read.launches],
            blocked=[_changed(launch, loaded.changes) for launch in read.blocked],
        )
    if loaded.pick is not None:
        every = [*read.launches, *read.blocked]
        if loaded.pick > len(every):
            raise UserError(
                f"has {len(every)} launch{'' if len(every) == 1 else 'es'}", where=source
            )
        picked = every[loaded.pick - 1]
        blocked = picked.because is not None
        read = read._replace(
            launches=[] if blocked else [picked], blocked=[picked] if blocked else []
        )
    return read


def _add_script(
    read: _Read, script: Embedded, environment: Mapping[str, str], arguments: Sequence[str]
) -> None:
    from verlgen.script.read.reading import read as read_script

    loaded = read.loaded
    reading = read_script(
        script.text,
        name=loaded.path or loaded.name,
        file=loaded.path if loaded.revision is None else None,
        environment={**script.env, **environment},
        arguments=arguments or script.args,
        first_line=script.first_line,
        column_offset=script.column_offset,
    )
    read.launches.extend(_converted(found, reading) for found in reading.launches)
    read.blocked.extend(_converted(found, reading) for found in reading.blocked)
    read.problems.extend(reading.problems)
    read.knobs.update(reading.knobs)


def _converted(found: Found, reading: Reading) -> ReadLaunch:
    word = reading.symbols.word
    words = tuple(word(override) for override in found.overrides)
    places = tuple(reading.where(override) for override in found.overrides)
    launch = Launch(
        reading.symbols.written(found.entrypoint),
        tuple(reading.symbols.written(name) for name in found.launcher),
        tuple(word(flag) for flag in found.hydra_flags),
        tuple(override_of(one, _origin(place)) for one, place in zip(words, places, strict=True)),
        tuple(word(other) for other in found.other_args),
        {name: word(value) for name, value in sorted(found.env.items())},
        tuple(word(one) for one in found.prefix),
    )
    line = None if found.where is None else found.where.line
    return ReadLaunch(launch, words, places, found.kind, line, found.because)


def _origin(place: Where | None) -> Origin:
    if place is None:
        return Origin("script")
    return Origin(place.file or "script", place.line, place.column, place.length)


def override_of(word: Word, origin: Origin) -> Override:
    """Return an override word taken apart at its first known `=`."""
    head: list[str] = []
    for number, part in enumerate(word):
        if isinstance(part, str) and "=" in part:
            before, _, after = part.partition("=")
            rest = word[number + 1 :]
            return _override("".join([*head, before]), (after, *rest) if after else rest, origin)
        head.append(part if isinstance(part, str) else part.text)
    return _override("".join(head), None, origin)


def _override(head: str, value: Word | None, origin: Origin) -> Override:
    match = _OPERATOR.match(head)
    operator = match[0] if match else ""
    named: Operator = operator or "="  # type: ignore[assignment]
    return Override(named, head[len(operator) :], value, origin)


def _changed(read: ReadLaunch, changes: Sequence[str]) -> ReadLaunch:
    """Return a launch with words on top: one for a key that is set plainly takes its place."""
    words, places = list(read.words), list(read.places)
    overrides = list(read.launch.overrides)
    flags = list(read.launch.hydra_flags)
    origin = Origin("command line")
    for change in changes:
        if change.startswith("-"):
            flags.append((change,))
            continue
        made = override_of((change,), origin)
        spot = next(
            (
                number
                for number in reversed(range(len(overrides)))
                if overrides[number].key == made.key
                and overrides[number].operator != "~"
                and made.operator in ("=", overrides[number].operator)
            ),
            None,
        )
        if spot is None:
            words.append((change,))
            places.append(None)
            overrides.append(made)
        else:
            kept = made._replace(operator=overrides[spot].operator)
            overrides[spot], words[spot], places[spot] = kept, kept.word(), None
    launch = Launch(
        read.launch.entrypoint,
        read.launch.launcher,
        tuple(flags),
        tuple(overrides),
        read.launch.other_args,
        read.launch.env,
        read.launch.prefix,
    )
    return read._replace(launch=launch, words=tuple(words), places=tuple(places))


def _composed(words: Sequence[str]) -> ReadLaunch:
    from verlgen.compose.generate import generate
    from verlgen.compose.places import own_folders
    from verlgen.report.generated import launch as launch_of

    launch = launch_of(generate(words, preset_folders=own_folders()))
    made = tuple(override.word() for override in launch.overrides)
    return ReadLaunch(launch, made, (None,) * len(made), "trainer", None, None)


def _listed(loaded: Loaded) -> ReadLaunch:
    """Return the launch of a file that lists its overrides."""
    from verlgen.script.read.sources import Where

    contents = loaded.contents
    words = tuple((written.text,) for written in contents.words)
    places = tuple(
        Where(None, written.line, written.column, written.length) for written in contents.words
    )
    launch = Launch(
        contents.entrypoint or "verl.trainer.main_ppo",
        ("python3",),
        tuple((flag,) for flag in contents.hydra_flags),
        tuple(override_of(one, _origin(place)) for one, place in zip(words, places, strict=True)),
    )
    return ReadLaunch(launch, words, places, "trainer", None, None)


class _Chooser:
    """Settles the release: what a source itself names, else one for all sources together."""

    def __init__(self, read: Sequence[_Read], release: str | None) -> None:
        self._read = read
        self._wanted = release
        self._common: Choice | None = None
        self._project = project_settings(project_file()).get("verl")

    def of(self, item: _Read) -> Choice:
        """Return the release of a source."""
        if self._wanted is not None:
            return choose(wanted=[(self._wanted, f"--verl {self._wanted}")])
        named = _said(item.loaded.presets) or _header(item.loaded.text)
        if named is not None:
            return choose(wanted=[named])
        if self._common is None:
            self._common = self._settled()
        return self._common

    def _settled(self) -> Choice:
        from verlgen.verl.fits import fits

        launches = [
            (
                one.launch.entrypoint,
                [text(flag) for flag in one.launch.hydra_flags],
                [text(word) for word in one.words],
            )
            for item in self._read
            for one in (*item.launches, *item.blocked)
            if one.kind == "trainer"
        ]
        return choose(
            wanted=[(self._project, "verlgen.yaml")],
            accepts=lambda release: fits(release, launches),
        )


def _said(words: Sequence[str]) -> tuple[str, str] | None:
    for word in reversed(words):
        if word.startswith("verl="):
            return word[5:].strip("'\""), word
    return None


def _header(script: str) -> tuple[str, str] | None:
    from verlgen.verl import tables

    match = _HEADER.search(script[:4000])
    if match and match[1] in tables.releases():
        return match[1], "the script's header"
    return None


def pairs(words: Sequence[str]) -> dict[str, str]:
    """Return `K=V` words as a mapping; `K` alone takes the value it has here.

    Raises:
        UserError: A word is none.
    """
    made: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not re.fullmatch(r"[A-Za-z_]\w*", name):
            raise UserError("no variable", where=f"--env {word}", remedy="write --env NAME=VALUE")
        made[name] = value if equals else os.environ.get(name, "")
    return made


def parameters(words: str | None) -> list[str]:
    """Return the words of one text as positional parameters.

    Raises:
        UserError: A quote in it is never closed.
    """
    try:
        return shlex.split(words or "")
    except ValueError as error:
        raise UserError(f"cannot be split: {str(error).lower()}", where="--args") from error
