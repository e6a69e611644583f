"""The way in: which command the words mean, and what becomes of errors."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from typing import NamedTuple, NoReturn

import click

from verlgen import __version__
from verlgen.errors import ExitCode, UserError


class Entry(NamedTuple):
    """A command that is imported when it is called.

    Attributes:
        place: `module:attribute`.
        about: The short help, here so that `--help` imports no command.
    """

    place: str
    about: str


COMMANDS = {
    "generate": Entry("verlgen.cli.generate:generate", "Write a launch script from presets."),
    "show": Entry("verlgen.cli.show:show", "Show what a script launches, without running it."),
    "write": Entry("verlgen.cli.write:write", "Write a script's launch in our own form."),
    "presets": Entry("verlgen.cli.presets:presets", "List presets; show what one sets and where."),
    "schema": Entry("verlgen.cli.schema:schema", "What verl's configs hold, release by release."),
    "completion": Entry("verlgen.cli.completion:completion", "Print a shell's completion script."),
}

_HIDDEN_CALL = ("completion", "words", "--")
"""What stands before the line of a shell that asks how it may go on: see verlgen.cli.completion."""

_EPILOG = """\b
Examples:
  verlgen algo=grpo hw=8xA100 > run.sh       a script, from presets
  verlgen -o run.sh recipe=deepseek7b-gsm8k algo=ppo verl=0.6.1
  verlgen algo=ppo model.path=/models/mine actor_rollout_ref.actor.optim.lr=2e-6
  verlgen presets show algo/grpo
"""


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the table's order."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command, or None."""
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        from importlib import import_module

        module, _, attribute = entry.place.partition(":")
        command = getattr(import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table of commands without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.about) for name, entry in COMMANDS.items()])


@click.group(
    cls=LazyGroup,
    epilog=_EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, message="verlgen %(version)s")
def cli() -> None:
    """Write, read, compare and check verl launch scripts before a GPU is touched.

    Words such as algo=grpo, hw=8xA100 or data.train_batch_size=512 mean `generate`: presets by
    group=option, any key of verl's in Hydra's grammar behind them.
    """


def main() -> NoReturn:
    """Run the command line and exit with one of ExitCode."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run a command line; return its exit code. Errors are printed, none is raised."""
    try:
        words = _checked(arguments)
        result = cli.main(_with_command(words), prog_name="verlgen", standalone_mode=False)
        sys.stdout.flush()
        return int(result or ExitCode.OK)
    except UserError as error:
        click.echo(f"verlgen: {error}", err=True)
        return error.exit_code
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as error:
        error.show()
        return ExitCode.USAGE
    except (KeyboardInterrupt, click.Abort):
        return ExitCode.INTERRUPTED
    except (BrokenPipeError, SystemExit):
        # The reader of our output went away, as `| head` does; click exits then, with a code that
        # means something else here. Python flushes stdout once more at exit, which must not fail.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.OK
    except OSError as error:
        if error.filename is not None or error.errno not in _OUTPUT_FAILS:
            return _fault(error, arguments)
        click.echo(f"verlgen: cannot write the output: {error.strerror}", err=True)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return ExitCode.USAGE
    except Exception as error:
        return _fault(error, arguments)


_OUTPUT_FAILS = {errno.ENOSPC, errno.EBADF, errno.EIO, errno.EDQUOT, errno.EFBIG}


def _fault(error: Exception, arguments: Sequence[str]) -> int:
    from verlgen.cli.fault import report

    if os.environ.get("VERLGEN_FULL_ERROR"):
        import traceback

        traceback.print_exception(error)
    else:
        click.echo(report(error, arguments), err=True)
    return ExitCode.FAULT


def _checked(arguments: Sequence[str]) -> list[str]:
    """Return the arguments; refuse what is not UTF-8, unless it is somebody's typing."""
    if tuple(arguments[: len(_HIDDEN_CALL)]) == _HIDDEN_CALL:
        return list(arguments)
    for argument in arguments:
        try:
            argument.encode("utf-8")
        except UnicodeEncodeError:
            raise UserError("not UTF-8", where=ascii(argument)) from None
    return list(arguments)


def _with_command(arguments: list[str]) -> list[str]:
    """Put `generate` before words that mean it; refuse a first word that means nothing."""
    if not arguments:
        return ["--help"]
    first = arguments[0]
    if first in COMMANDS or first in ("-h", "--help", "--version"):
        return arguments
    if first.startswith(("-", "+", "~")) or "=" in first:
        return ["generate", *arguments]
    from verlgen.suggest import did_you_mean

    guess = _as_preset(first) or did_you_mean(first, COMMANDS)
    raise UserError(
        f"no command '{first}'",
        remedy=(f"{guess}\n" if guess else "") + "verlgen --help lists the commands",
    )


def _as_preset(word: str) -> str | None:
    """Return what to write for a word that names a group or an option without the other."""
    from verlgen.compose import presets

    places = presets.folders()
    if word in presets.groups(places):
        return f"write {word}=OPTION, such as {word}={presets.defaults().get(word) or 'NAME'}"
    for group in presets.groups(places):
        if word.lower() in presets.option_names(places, group):
            return f"did you mean '{group}={word.lower()}'?"
    return None
