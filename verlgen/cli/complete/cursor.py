"""What kind of word stands under the cursor: a command, an option, a value, an override."""

from __future__ import annotations

from collections.abc import Iterator

import click

from verlgen.cli.complete.facts import Facts
from verlgen.cli.complete.found import LONGEST_ABOUT, Candidates, beginning
from verlgen.cli.complete.given import IMPLIED, Given, argument_at, named_option, shown_options
from verlgen.cli.complete.parameters import parameter_values
from verlgen.cli.complete.words import override_words
from verlgen.cli.main import COMMANDS, cli


def find(given: Given, word: str) -> Candidates:
    """Return what a word may become, best first.

    Args:
        given: What stands before it.
        word: The word under the cursor.
    """
    facts = Facts(given)
    command = given.context.command
    if given.pending is not None:
        return beginning(word, parameter_values(given.pending, facts, word))
    if word.startswith("-") and not given.closed:
        return _option_words(given, facts, word)
    if not given.named:
        commands = [(name, entry.about) for name, entry in COMMANDS.items()]
        return override_words(facts, word, commands)
    if isinstance(command, click.Group):
        return beginning(word, _subcommands(given.context, command))
    argument = argument_at(command, len(given.arguments))
    if argument is None:
        return []
    if argument.name == "words":
        return override_words(facts, word, [])
    return beginning(word, parameter_values(argument, facts, word))


def _subcommands(context: click.Context, group: click.Group) -> Iterator[tuple[str, str]]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is not None and not command.hidden:
            yield name, command.get_short_help_str(LONGEST_ABOUT)


def _option_words(given: Given, facts: Facts, word: str) -> Candidates:
    context = given.context
    if not given.named:
        # A first word with a dash means `generate`, apart from help and version.
        generate = cli.get_command(context, IMPLIED)
        assert generate is not None
        context = click.Context(generate, info_name=IMPLIED, parent=context)
    name, equals, value = word.partition("=")
    if equals:
        option, _ = named_option(context, word)
        if option is None or not word.startswith("--"):
            return []
        values = parameter_values(option, facts, value)
        return beginning(word, ((f"{name}={text}", about) for text, about in values))
    offered = shown_options(context)
    if not given.named:
        offered += shown_options(given.context)
    names = {
        name: one.help or ""
        for one in offered
        if one.multiple or one.name not in given.options
        for name in (*one.opts, *one.secondary_opts)
    }
    return beginning(word, names.items())
