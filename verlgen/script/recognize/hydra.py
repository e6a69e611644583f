"""The words behind an entry point, and what they tell about it."""

from __future__ import annotations

import re
from typing import NamedTuple

from verlgen.script.recognize.found import Kind
from verlgen.script.recognize.options import joined

# Hydra's own options, and whether each takes a value. argparse takes any unambiguous beginning of
# the long ones, so that `--config-n=x` is one too.
_LONG = {
    "--config-path": True,
    "--config-name": True,
    "--config-dir": True,
    "--package": True,
    "--cfg": True,
    "--experimental-rerun": True,
    "--info": False,
    "--resolve": False,
    "--multirun": False,
    "--run": False,
    "--shell-completion": False,
    "--help": False,
    "--hydra-help": False,
    "--version": False,
}
_SHORT = {
    "-cp": True,
    "-cn": True,
    "-cd": True,
    "-p": True,
    "-c": True,
    "-i": False,
    "-m": False,
    "-r": False,
    "-sc": False,
    "-h": False,
}
_INFO = {"all", "config", "defaults", "defaults-tree", "plugins", "searchpath"}
# Those that no other Python program is likely to have.
_TELLING = {"--config-path", "--config-name", "--config-dir", "--multirun", "-cp", "-cn", "-cd"}

_SETTING = re.compile(
    r"(\+\+?)?[A-Za-z_][\w-]*([./@:][A-Za-z_0-9][\w-]*)+=|\+\+?[A-Za-z_][\w-]*=|~[A-Za-z_]"
)
_PLAIN = re.compile(r"[A-Za-z_]\w*=")


class Words(NamedTuple):
    """The words behind an entry point, sorted.

    Attributes:
        hydra_flags: Hydra's flags, each joined with its value.
        overrides: Indices of override words.
        other_args: Indices of all other words.
        telling: Whether the words show that Hydra reads them.
    """

    hydra_flags: list[str]
    overrides: list[int]
    other_args: list[int]
    telling: bool


def sort_words(argv: list[str], start: int) -> Words:
    """Sort the words from `start` on."""
    flags: list[str] = []
    overrides: list[int] = []
    others: list[int] = []
    telling = False
    foreign = False  # the word before is an option that may have this one as its value
    place = start
    while place < len(argv):
        word = argv[place]
        if word.startswith("-"):
            name, valued = _flag(word)
            foreign = name is None and "=" not in word
            if name is None:
                others.append(place)
            else:
                telling = telling or name in _TELLING
                if place + 1 < len(argv) and (valued or _is_info(name, argv[place + 1])):
                    place += 1
                    word = joined([word, argv[place]])
                flags.append(word)
        elif "=" in word or word.startswith("~"):
            overrides.append(place)
            telling = telling or (not foreign and _SETTING.match(word) is not None)
            foreign = False
        else:
            others.append(place)
            foreign = False
        place += 1
    if overrides and not others and not telling:
        # Nothing but settings: `python train.py model=qwen engine=fsdp`.
        telling = all(_PLAIN.match(argv[index]) for index in overrides)
    return Words(flags, overrides, others, telling)


def _flag(word: str) -> tuple[str | None, bool]:
    """Return Hydra's name for a flag, or None, and whether the next word is its value."""
    name, equals, _ = word.partition("=")
    if name in _SHORT:
        return name, _SHORT[name] and not equals
    if not name.startswith("--") or len(name) < 5:
        return None, False
    if name in _LONG:
        return name, _LONG[name] and not equals
    meant = [known for known in _LONG if known.startswith(name)]
    if len(meant) != 1:
        return None, False
    return meant[0], _LONG[meant[0]] and not equals


def _is_info(name: str, following: str) -> bool:
    return name in ("--info", "-i") and following in _INFO


_TRAINERS = re.compile(
    r"(.*_)?main_(ppo|dapo|grpo|gkd|sft|sac|dpo|sppo|spin|prime|entropy|flowrl)(_.*)?"
    r"|(.*_)?(sft|ppo|grpo|dpo|rl)_trainer(_.*)?|fully_async_main"
)
_TOOLS = re.compile(
    r"main_(gen|generation|generate|eval|evaluation|infer|inference|convert)(_.*)?"
    r"|(.*_)?(generate|generation|eval|evaluate|evaluation|infer|inference|merge|merger"
    r"|model_merger|preprocess|convert|converter|launch_server|print_cfg|diagnose)"
)
_OWN = ("verl", "recipe")


def kind_of(entrypoint: str, argv: list[str], words: Words) -> Kind:
    """Tell whether an entry point with these words behind it trains."""
    name, own = _name(entrypoint)
    if _TOOLS.fullmatch(name):
        return "tool"
    if words.telling or (own and words.overrides):
        return "trainer"
    # A trainer of verl's runs without overrides too: cut off by a blank line, it still starts.
    if own and _TRAINERS.fullmatch(name):
        return "trainer"
    options = any(argv[index].startswith("-") for index in words.other_args)
    return "trainer" if own and name.startswith("main_") and not options else "tool"


def _name(entrypoint: str) -> tuple[str, bool]:
    """Return the last name of a module or file, and whether it is verl's or a recipe's."""
    if entrypoint.endswith(".py"):
        parts = [part for part in entrypoint[:-3].split("/") if part not in ("", ".", "..")]
    else:
        parts = entrypoint.split(".")
    name = parts[-1] if parts else ""
    if name == "__main__" and len(parts) > 1:
        name = parts[-2]
    return name, any(part in _OWN for part in parts[:-1]) or name.startswith("main_ppo")
