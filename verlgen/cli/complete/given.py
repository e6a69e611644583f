"""Words before the cursor -> the command in force, and what its parameters were given."""

from __future__ import annotations

from typing import NamedTuple

import click

from verlgen.cli.main import COMMANDS, cli

IMPLIED = "generate"
"""The command that words without a command mean."""


class Given(NamedTuple):
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


def read(words: list[str]) -> Given | None:
    """Return what the words before the cursor mean; None if they name no command."""
    context = click.Context(cli, info_name="verlgen", **cli.context_settings)
    if not words:
        return Given(context, False, None, False, {}, [])
    if words[0] not in COMMANDS:
        if "=" not in words[0] and not words[0].startswith(("-", "+", "~")):
            return None  # no command: see verlgen.cli.main
        words = [IMPLIED, *words]
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
            option, value = named_option(context, word)
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
            argument = argument_at(context.command, len(arguments))
            if argument is not None:
                options.setdefault(argument.name or "", []).append(word)
            arguments.append(word)
    return Given(context, True, pending, closed, options, arguments)


def shown_options(context: click.Context) -> list[click.Option]:
    """Return a command's options, `--help` among them, without hidden ones."""
    parameters = context.command.get_params(context)
    return [one for one in parameters if isinstance(one, click.Option) and not one.hidden]


def named_option(context: click.Context, word: str) -> tuple[click.Option | None, str | None]:
    """Return the option that a word names, and the value within the word or None."""
    name, equals, value = word.partition("=")
    by_name = {name: one for one in shown_options(context) for name in one.opts}
    if word.startswith("--"):
        return by_name.get(name), value if equals else None
    for at, letter in enumerate(word[1:], start=2):  # -fo FILE, -oFILE
        option = by_name.get(f"-{letter}")
        if option is None or _takes_value(option) or at == len(word):
            return option, word[at:] or None
    return None, None


def argument_at(command: click.Command, position: int) -> click.Argument | None:
    """Return the argument that the word at a position belongs to."""
    for one in command.params:
        if isinstance(one, click.Argument):
            if one.nargs < 0 or position < one.nargs:
                return one
            position -= one.nargs
    return None


def _takes_value(option: click.Option) -> bool:
    return not option.is_flag and not option.count
