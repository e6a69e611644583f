"""Launches: a command that starts a trainer is noted, with places and what is wrong with it."""

from __future__ import annotations

import contextlib
import re
import shlex
from typing import TYPE_CHECKING

from verlgen.script.read import effects, paths, suspicious
from verlgen.script.read.result import Found
from verlgen.script.read.state import State, Variable
from verlgen.script.read.symbols import has_symbol
from verlgen.script.read.syntax import Node
from verlgen.script.read.text import Text
from verlgen.script.recognize import FromInput, OtherScript, Recognized, recognize

if TYPE_CHECKING:
    from verlgen.script.read.interpreter import Interpreter

_QUOTED = re.compile(r"""['"\\\s]""")


def note(shell: Interpreter, node: Node, fields: list[str]) -> bool:
    """Note a launch; tell whether the command was one or led to one."""
    argv = _without_unknown(shell, node, fields)
    exported = shell.state.exported()
    found = recognize(argv, exported)
    if found is None:
        return False
    if isinstance(found, Recognized):
        _launch(shell, node, argv, found, exported)
        return True
    if isinstance(found, OtherScript):
        text = shell.files.get(found.path)
        if text is None:
            shown = shell.symbols.written(found.path)
            path = paths.resolved(shell.symbols, found.path)
            shell.uncertain(
                "other-script",
                node,
                f"{shown} is another script; what it starts is not shown here",
                remedy="" if path is None else f"show it too: verlgen show {shlex.quote(path)}",
            )
            return True
        _inner(shell, node, text, [found.path, *found.args], found.env)
    elif isinstance(found, FromInput):
        _inner(shell, node, shell.stdin or "", ["bash", *found.args], found.env)
    else:
        _inner(shell, node, found.text, found.args or ["bash"], found.env)
    return True


def _without_unknown(shell: Interpreter, node: Node, fields: list[str]) -> list[str]:
    """Leave out words that are nothing but an unquoted text that is not known: it may be none."""
    argv = []
    for number, field in enumerate(fields):
        if number and isinstance(field, Text) and field.cut == "*":
            shown = shell.symbols.written(field)
            if not shell.symbols.is_plain(field) and shown.startswith(("$(", "`")):
                if _is_python(fields):
                    shell.uncertain(
                        "unknown-words", node, f"{shown} is not known; taken as no argument"
                    )
                continue
        argv.append(field)
    return argv


def _is_python(fields: list[str]) -> bool:
    return any("python" in field or field.startswith("torchrun") for field in fields[:4])


def _inner(
    shell: Interpreter, node: Node, text: str, arguments: list[str], env: dict[str, str]
) -> None:
    """Walk the commands of a second shell: it knows what is exported, and no more."""
    from verlgen.script.read.ends import Exit

    state = State()
    for name, value in {**shell.state.exported(), **env}.items():
        variable = state.scopes[0][name] = Variable(value)
        variable.exported = True
    state.name = arguments[0]
    state.parameters = list(arguments[1:])
    state.folder = shell.state.folder
    if not text:
        return
    if has_symbol(text) and not shell.symbols.is_plain(text):
        shell.uncertain("inner-shell", node, "a second shell reads a text that is not fully known")

    def walk() -> None:
        shell.state = state
        with contextlib.suppress(Exit):
            shell.run_source(shell.sources.add(text, made_of=text))

    shell.in_subshell(walk)


def _launch(
    shell: Interpreter,
    node: Node,
    argv: list[str],
    found: Recognized,
    exported: dict[str, str],
) -> None:
    overrides = [argv[index] for index in found.overrides]
    env = {
        name: value
        for name, value in {**exported, **found.env}.items()
        if shell.inherited.get(name) != value and name not in ("PWD", "OLDPWD", "SHLVL", "_")
    }
    shell.launches.append(
        Found(
            found.kind,
            found.entrypoint,
            list(found.launcher),
            argv[: found.start],
            list(found.hydra_flags),
            overrides,
            [argv[index] for index in found.other_args],
            env,
            shell.sources.where(shell.place(node)),
            shell.because,
        )
    )
    suspicious.odd_command(shell, node, argv[: found.start + 1])
    if found.kind == "trainer":
        if not shell.symbols.is_plain(found.entrypoint):
            shown = shell.symbols.written(found.entrypoint)
            shell.uncertain(
                "entry-point", node, f"what is started is not fully known: {shown[:80]}"
            )
        _programs(shell, node, argv[: found.start], found.launcher)
        shell.last_launch = node
        others = [argv[index] for index in found.other_args]
        hydra = found.entrypoint.startswith(("verl.", "recipe."))
        sweeps = any(flag in ("-m", "--multirun") for flag in found.hydra_flags)
        suspicious.examine(shell, node, overrides, others, hydra=hydra, sweeps=sweeps)
        if any(name.startswith("ray job submit") for name in found.launcher):
            _quotes_lost(shell, node, argv[found.start :])


def _programs(shell: Interpreter, node: Node, words: list[str], launcher: list[str]) -> None:
    """Report a program that is named by a path where none lies: bash would not start it."""
    for word in words:
        name = word.rpartition("/")[2]
        if name == word or name not in launcher or effects.is_on_disk(shell, word) is not False:
            continue
        shown = shell.symbols.written(word)
        shell.uncertain(
            "missing-program", node, f"{shown} is not there; taken to start all the same"
        )


def _quotes_lost(shell: Interpreter, node: Node, words: list[str]) -> None:
    """Real Ray joins the words into one string, which a second shell splits again."""
    for word in words:
        shown = shell.symbols.written(word)
        if "$" in word or "`" in word or not _survives(word):
            shell.problem(
                "ray-quotes",
                node,
                f"ray job submit hands {shown[:80]} to a second shell, which reads its quotes, "
                "blanks and $ once more (Ray before mid-2026)",
                "quote it twice, or put the command into a script of its own",
            )
            return


def _survives(word: str) -> bool:
    """Tell whether a word means the same when a second shell has read it too."""
    if not _QUOTED.search(word):
        return True
    try:
        again = shlex.split(word)
    except ValueError:
        return False
    if again == [word]:
        return True
    if len(again) != 1 or has_symbol(word):
        return False
    from verlgen.overrides import OverrideError, parse

    # `["console","wandb"]` becomes `[console,wandb]`, which Hydra takes for the same list.
    try:
        return parse(word)._replace(value_text="") == parse(again[0])._replace(value_text="")
    except OverrideError:
        return False


def left_over(shell: Interpreter, node: Node, fields: list[str]) -> None:
    """Report overrides that stand where a command should: the launch above has ended too early."""
    first = shell.symbols.written(fields[0])
    names = [
        shell.symbols.written(field).partition("=")[0]
        for field in fields
        if "=" in field or field.startswith(("~", "+"))
    ]
    lost = ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
    cause, remedy = suspicious.why_ended(shell, node)
    shell.problem(
        "command-ended",
        node,
        f"{first[:60]} is taken for a command: {cause}, so {lost} never "
        f"{'reaches' if len(names) == 1 else 'reach'} the trainer",
        remedy,
    )
