"""Any launch that was read, as a script of our own form."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from verlgen.errors import UserError
from verlgen.launch import Launch, Override, Symbol, Word, text
from verlgen.read import ReadLaunch, Result
from verlgen.script.layout import Item, lay_out
from verlgen.script.quoting import shell_word
from verlgen.script.render import render

_NAME = re.compile(r"\$\{?[!#]?([A-Za-z_]\w*)")
_ANYWHERE = frozenset(
    {"HOME", "USER", "PATH", "PWD", "RANDOM", "SECONDS", "HOSTNAME", "UID", "EUID"}
)
"""Variables that mean the same in every script."""


def script_text(source: str, result: Result, command: Sequence[str]) -> str:
    """Return the script for the one launch of a source.

    Args:
        source: The source as the user named it, without changes.
        result: The source as it was read.
        command: The words of the command line that asks for it, for the header.

    Raises:
        UserError: There is no launch, or several, or one that hangs on its script.
    """
    read = _only(source, result)
    _refuse_strangers(source, read.launch)
    launch = _hoisted(read.launch)
    plain, ordered = _sorted(launch.launch.overrides)
    return render(
        lay_out([_item(one) for one in plain], [_item(one) for one in ordered]),
        title=read.launch.entrypoint,
        command=command,
        release=result.release.release,
        about=_about(source, read),
        prelude=[*launch.lines, *_exports(launch.launch)],
        start=_start(launch.launch),
    )


def _only(source: str, result: Result) -> ReadLaunch:
    every = [*result.launches, *result.blocked]
    trainers = [read for read in every if read.kind == "trainer"] or every
    if not trainers:
        raise UserError("holds no launch", where=source)
    if len(trainers) > 1:
        raise UserError(
            f"holds {len(trainers)} launches",
            where=source,
            remedy=f"name one of them: {source}#1 to {source}#{len(trainers)}",
        )
    return trainers[0]


class _Hoisted:
    """A launch in which what is run once is run once: `$(date)` in two words is one variable."""

    def __init__(self, launch: Launch, lines: list[str]) -> None:
        self.launch = launch
        self.lines = lines


def _hoisted(launch: Launch) -> _Hoisted:
    counts = Counter(
        part.text
        for word in _words(launch)
        for part in word
        if isinstance(part, Symbol) and part.text.startswith(("$(", "`"))
    )
    names = {
        shell: f"RUN_{number}"
        for number, shell in enumerate((s for s, n in counts.items() if n > 1), 1)
    }
    if not names:
        return _Hoisted(launch, [])

    def put(word: Word) -> Word:
        return tuple(
            Symbol(f"${{{names[part.text]}}}")
            if isinstance(part, Symbol) and part.text in names
            else part
            for part in word
        )

    changed = Launch(
        launch.entrypoint,
        launch.launcher,
        tuple(put(word) for word in launch.hydra_flags),
        tuple(
            one._replace(value=None if one.value is None else put(one.value))
            for one in launch.overrides
        ),
        tuple(put(word) for word in launch.other_args),
        {name: put(value) for name, value in launch.env.items()},
        tuple(put(word) for word in launch.prefix),
    )
    return _Hoisted(changed, [f"{name}={shell}" for shell, name in names.items()])


def _words(launch: Launch) -> Iterable[Word]:
    yield from launch.hydra_flags
    yield from (one.word() for one in launch.overrides)
    yield from launch.other_args
    yield from launch.env.values()
    yield from launch.prefix


def _refuse_strangers(source: str, launch: Launch) -> None:
    """Refuse a value that hangs on a variable of the script it was read from."""
    for word in _words(launch):
        for part in word:
            if not isinstance(part, Symbol):
                continue
            strange = {name for name in _NAME.findall(part.text) if name not in _ANYWHERE}
            if strange:
                names = ", ".join(sorted(strange))
                raise UserError(
                    f"{part.text} hangs on {names}, which only the script sets",
                    where=source,
                    remedy=f"give it: --env {min(strange)}=VALUE",
                )


def _sorted(overrides: Sequence[Override]) -> tuple[list[Override], list[Override]]:
    """Tell plain settings from those whose order counts, both in their order."""
    keys = Counter(one.key for one in overrides)
    plain: list[Override] = []
    ordered: list[Override] = []
    for one in overrides:
        entangled = keys[one.key] > 1 or any(
            other.startswith(one.key + ".") or one.key.startswith(other + ".") for other in keys
        )
        simple = one.value is not None and "@" not in one.key and "/" not in one.key
        (ordered if entangled or not simple or one.operator == "~" else plain).append(one)
    return plain, ordered


def _item(one: Override) -> Item:
    return Item(one.operator, one.key, None, one.value)


def _exports(launch: Launch) -> list[str]:
    return [f"export {name}={shell_word(value)}" for name, value in launch.env.items()]


def _start(launch: Launch) -> list[str]:
    prefix = " ".join(shell_word(word) for word in launch.prefix) or "python3 -m"
    lines = [f"{prefix} {shell_word((launch.entrypoint,))}"]
    lines += [shell_word(word) for word in launch.hydra_flags]
    lines += [shell_word(word) for word in launch.other_args if text(word).strip()]
    return lines


def _about(source: str, read: ReadLaunch) -> list[str]:
    lines = ["", f"Written from {source}"]
    if read.because is not None:
        lines.append(f"There bash would stop before it: {read.because}.")
    return lines
