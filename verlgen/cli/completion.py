"""`verlgen completion`: the script that teaches a shell to complete verlgen's words."""

from __future__ import annotations

import contextlib
import os

import click

_EPILOG = """\b
Install it:
  bash   echo 'source <(verlgen completion bash)' >> ~/.bashrc
         macOS's bash 3.2: echo 'eval "$(verlgen completion bash)"' >> ~/.bashrc
  zsh    echo 'source <(verlgen completion zsh)' >> ~/.zshrc     behind compinit
  fish   verlgen completion fish > ~/.config/fish/completions/verlgen.fish

\b
A new shell has it. To try it in this one:
  source <(verlgen completion bash)
  verlgen algo=<TAB>   verlgen actor_rollout_ref.<TAB>   verlgen train_batch<TAB>
"""


@click.group(epilog=_EPILOG)
def completion() -> None:
    """Print a shell's completion script.

    It completes commands, options, groups of presets and their options, machines, releases, and
    verl's keys and values as the release in force (`verl=`, `--verl`) has them.
    """


@completion.command()
def bash() -> None:
    """Print the script for bash 3.2 and later."""
    _print_script("bash")


@completion.command()
def zsh() -> None:
    """Print the script for zsh 5 and later."""
    _print_script("zsh")


@completion.command()
def fish() -> None:
    """Print the script for fish 3.1 and later."""
    _print_script("fish")


@completion.command(hidden=True, add_help_option=False)
@click.argument("line", nargs=-1, type=click.UNPROCESSED)
def words(line: tuple[str, ...]) -> None:
    """Print what may stand at the end of LINE: `candidate<TAB>description`, one a line.

    The scripts call this at every press of Tab, in the middle of somebody's typing: a fault is
    silence, never a message. So is a line that is not UTF-8, which verlgen would refuse to run.
    """
    typed = " ".join(line)
    with contextlib.suppress(Exception):
        typed.encode("utf-8")  # fails where it is not
        from verlgen.cli.complete import candidates

        found = candidates(typed)
        rows = "".join(f"{candidate}\t{about}\n" for candidate, about in found)
        # Bytes, since a locale's encoding may lack what a description has.
        click.echo(rows.encode("utf-8", "replace"), nl=False)


def _print_script(shell: str) -> None:
    from verlgen.resources import templates_dir

    with open(os.path.join(templates_dir(), f"completion.{shell}"), encoding="utf-8") as file:
        click.echo(file.read(), nl=False)
