"""Shells inside a command: `bash -c`, `su -c`, terminals that type text into one."""

from __future__ import annotations

import re
from typing import NamedTuple

from verlgen.script.recognize.options import Options, names, walk

SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh", "ash", "rbash", "su", "runuser"})
TERMINALS = frozenset({"tmux", "screen", "byobu"})

_OPTIONS = Options(frozenset({"-o", "-O", "+o", "+O", "--rcfile", "--init-file"}))
_SU = Options(names("-c --command -s --shell -g -G -u --user -w"))
_TMUX = Options(names("-t -s -n -c -e -F -x -y -L -S -f -l"))
_SCREEN = Options(names("-S -L -Logfile -t -s -T -e -h -p -X -c"))
_TMUX_STARTS = names(
    "new-session new new-window neww split-window splitw respawn-pane respawn-window"
)
_TMUX_TYPES = names("send-keys send")

# Characters that a shell leaves alone. A symbol stands for text that was expanded already.
_PLAIN = re.compile(r"[\w@%+=:,./^\U00100000-\U0010fffd-]+")


class ShellCall(NamedTuple):
    """How a shell is called.

    Attributes:
        text: Index of the word with the text behind `-c`, or None.
        script: Index of the script's path, or None.
        rest: Index of the first argument.
        value: The text, where it is only a part of its word (`--command=…`).
    """

    text: int | None
    script: int | None
    rest: int
    value: str | None = None


def plain_words(words: list[str]) -> bool:
    """Tell whether a second shell would see the same words, joined by blanks."""
    return all(_PLAIN.fullmatch(word) for word in words)


def shell_command(argv: list[str], place: int) -> ShellCall | None:
    """Return how the shell at `place` is called; None where it runs nothing."""
    if argv[place].rpartition("/")[2] in ("su", "runuser"):
        return _su(argv, place)
    seen: set[str] = set()
    start = place + 1
    while start < len(argv):
        if argv[start].startswith("+") and len(argv[start]) > 1:  # `+x` switches an option off
            start += 2 if argv[start] in ("+o", "+O") else 1
            continue
        stop, options = walk(argv, start, _OPTIONS)
        seen |= {option.name for option in options}
        if stop == start or argv[stop - 1] == "--":
            start = stop
            break
        start = stop
    if start < len(argv) and argv[start] == "-":
        start += 1
    if "--version" in seen or "--help" in seen:
        return None
    if "-c" in seen:
        return ShellCall(start, None, start + 1) if start < len(argv) else None
    if "-s" in seen or start >= len(argv) or argv[start] == "/dev/stdin":
        return ShellCall(None, None, start)
    return ShellCall(None, start, start + 1)


def _su(argv: list[str], place: int) -> ShellCall | None:
    """Read `su [-] [USER] [-c TEXT]`, whose options may stand behind the user."""
    start = place + 1
    while start < len(argv):
        start, options = walk(argv, start, _SU)
        for option in options:
            if option.name in ("-c", "--command") and option.value is not None:
                return ShellCall(option.place, None, option.place + 1, option.value)
        start += 1
    return None


def terminal_command(name: str, argv: list[str], place: int) -> tuple[int, bool]:
    """Return where the command begins in a terminal program's words, and whether it is typed.

    A place behind the last word says that there is none.
    """
    if name == "screen":
        start, options = walk(argv, place + 1, _SCREEN)
        return start, any(option.name == "-X" for option in options)
    start, _ = walk(argv, place + 1, _TMUX)
    subcommand = argv[start] if start < len(argv) else ""
    start, _ = walk(argv, start + 1, _TMUX)
    if subcommand not in _TMUX_STARTS | _TMUX_TYPES:
        return len(argv), False
    return start, subcommand in _TMUX_TYPES
