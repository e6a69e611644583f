"""From the words of a simple command to the program that it starts in the end."""

from __future__ import annotations

import re
from collections.abc import Mapping

from verlgen.script.read.symbols import has_symbol
from verlgen.script.recognize.found import Found, FromInput, Inner, OtherScript, Recognized
from verlgen.script.recognize.hydra import kind_of, sort_words
from verlgen.script.recognize.known import NO_LAUNCH, QUIET, SERVERS, TOP
from verlgen.script.recognize.options import Option, Options, joined, walk
from verlgen.script.recognize.shells import (
    SHELLS,
    TERMINALS,
    plain_words,
    shell_command,
    terminal_command,
)
from verlgen.script.recognize.wrapper import Wrapper
from verlgen.script.recognize.wrappers import PHRASES, WRAPPERS

_PYTHON = re.compile(r"(python|pypy)w?\d*(\.\d+)?[td]?(-dbg)?|ipython\d?")
_PYTHON_OPTIONS = Options(frozenset({"-W", "-X", "-m", "-c", "--check-hash-based-pycs"}))
_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)=(.*)", re.S)
_SCRIPT = re.compile(r".*\.(sh|bash|zsh|slurm|sbatch)")

_DEPTH = 24
_SEARCHED = 400
_SEARCHES = 3
_TRIES = 16


def recognize(argv: list[str], exported: Mapping[str, str]) -> Found | None:
    """Tell what a simple command starts.

    Args:
        argv: Its words as the shell passes them; symbols may be in them.
        exported: The exported environment, for what a container is handed by name.

    Returns:
        The Python program, the text for a second shell, another script, or None for whatever
        has nothing to do with a launch.
    """
    if not argv:
        return None
    return _Command(list(argv), exported).at(0)


class _Command:
    """One reading of one command."""

    def __init__(self, argv: list[str], exported: Mapping[str, str]) -> None:
        self.argv = argv
        self.exported = exported
        self.env: dict[str, str] = {}
        self.launcher: list[str] = []
        self.depth = 0
        self.searching = False
        self.searches = 0

    def at(self, place: int) -> Found | None:
        """Return what the words from `place` on start."""
        if place >= len(self.argv) or self.depth > _DEPTH:
            return None
        self.depth += 1
        try:
            return self._at(place)
        finally:
            self.depth -= 1

    def _at(self, place: int) -> Found | None:
        word = self.argv[place]
        name = word.rpartition("/")[2]
        for length in (3, 2):
            phrase = PHRASES.get((name, *self.argv[place + 1 : place + length]))
            if phrase:
                return self._wrapped(place, place + length, name, phrase)
        if name in WRAPPERS:
            return self._wrapped(place, place + 1, name, WRAPPERS[name])
        if name in SHELLS:
            return self._shell(place, name)
        if name in TERMINALS:
            return self._terminal(place, name)
        if _PYTHON.fullmatch(name):
            return self._python(place, name)
        return self._other(place, word, name)

    # Wrappers.

    def _wrapped(self, place: int, start: int, name: str, wrapper: Wrapper) -> Found | None:
        state = dict(self.env), list(self.launcher)
        found = self._through(start, name, wrapper)
        if found is None and not wrapper.only_python:
            self.env, self.launcher = state
            self._name(name, wrapper)
            found = self._search(place + 1)
        return found

    def _name(self, name: str, wrapper: Wrapper) -> None:
        if wrapper.named:
            self.launcher.append(wrapper.label or name)

    def _through(self, place: int, name: str, wrapper: Wrapper) -> Found | None:
        argv = self.argv
        place, options = walk(argv, place, wrapper.options)
        if wrapper.sub:
            if place >= len(argv) or argv[place] not in wrapper.sub:
                return None
            place, more = walk(argv, place + 1, wrapper.options)
            options += more
        self._name(name, wrapper)
        for option in options:
            if option.name in wrapper.env and option.value:
                parts = option.value.split(",") if wrapper.commas else [option.value]
                for part in parts:
                    self._set(part)
            elif option.name in wrapper.shell and option.value:
                return Inner(option.value, [], option.place, self.env, self.launcher)
        if name == "command" and any(option.name in ("-v", "-V") for option in options):
            return None
        place = self._operands(place, wrapper, options)
        if wrapper.shell and place + 1 < len(argv) and argv[place] in wrapper.shell:
            return Inner(argv[place + 1], [], place + 1, self.env, self.launcher)
        if wrapper.python:
            found = self._started_python(place, wrapper, options)
            if found is not None or (wrapper.only_python and not _without_python(options)):
                return found
        if wrapper.joins:
            return self._second_shell(place, wrapper.joins)
        return self.at(place)

    def _operands(self, place: int, wrapper: Wrapper, options: list[Option]) -> int:
        argv = self.argv
        if wrapper.assigns:
            while place < len(argv) and _ASSIGNMENT.fullmatch(argv[place]):
                self._set(argv[place])
                place += 1
        if not wrapper.operands:
            return place
        entry = next((option.value for option in options if option.name == "--entrypoint"), None)
        if entry and place < len(argv):
            argv[place] = entry  # `docker run --entrypoint bash IMAGE -c …`: the image's place
            return place
        place += wrapper.operands
        # ssh takes options behind the host too, kubectl `POD -c CONTAINER --`.
        if place < len(argv) and argv[place].startswith("-") and argv[place] not in wrapper.shell:
            place, _ = walk(argv, place, wrapper.options)
        return place

    def _started_python(
        self, place: int, wrapper: Wrapper, options: list[Option]
    ) -> Recognized | None:
        """Return the module or file that a launcher starts without a command `python` before it."""
        if place >= len(self.argv):
            return None
        names = {option.name for option in options}
        if names & {"-m", "--module"}:
            return self._entry(place, self.argv[place])
        if _without_python(options):
            return None
        word = self.argv[place]
        taken = options[-1] if options else None
        if "=" in word and taken and taken.value and taken.value.endswith(".py"):
            return self._entry(taken.place, taken.value)  # the option before it was a flag
        if word.endswith(".py") or (wrapper.only_python and not word.startswith("-")):
            return self._entry(place, word)
        return None

    def _set(self, text: str) -> None:
        """Take down what an option sets: `A=1`, `A` as it is outside, or Ray's JSON."""
        if text.startswith("{"):
            import json

            try:
                variables = json.loads(text).get("env_vars", {})
            except (ValueError, AttributeError, RecursionError):
                return
            if isinstance(variables, dict):
                self.env.update({key: str(value) for key, value in variables.items()})
            return
        match = _ASSIGNMENT.fullmatch(text)
        if match is not None:
            self.env[match[1]] = match[2]
        elif text in self.exported:
            self.env[text] = self.exported[text]

    def _search(self, start: int) -> Found | None:
        """Return the launch that a program's words hold somewhere, its options unknown to us."""
        if self.searching or self.searches >= _SEARCHES:
            return None
        self.searching = True
        self.searches += 1
        env, launcher = self.env, self.launcher
        found: Found | None = None
        tries = 0
        for place in range(start, min(len(self.argv), start + _SEARCHED)):
            if not self._starts(self.argv[place]):
                continue
            tries += 1
            if tries > _TRIES:
                break
            self.env, self.launcher = dict(env), list(launcher)
            found = self.at(place)
            if isinstance(found, Inner) or (
                isinstance(found, Recognized) and found.kind == "trainer"
            ):
                break
            self.env, self.launcher, found = env, launcher, None
        self.searching = False
        return found

    def _starts(self, word: str) -> bool:
        name = word.rpartition("/")[2]
        return (
            _PYTHON.fullmatch(name) is not None
            or name in WRAPPERS
            or name in SHELLS
            or name == "ray"
        )

    # Shells.

    def _shell(self, place: int, name: str) -> Found | None:
        call = shell_command(self.argv, place)
        if call is None:
            return None
        if call.text is not None:
            text = call.value or self.argv[call.text]
            return Inner(text, self.argv[call.rest :], call.text, self.env, self.launcher)
        if call.script is not None:
            launcher = [*self.launcher, name]
            path = self.argv[call.script]
            return OtherScript(path, self.argv[call.script + 1 :], call.script, self.env, launcher)
        return FromInput(self.argv[call.rest :], self.env, self.launcher)

    def _terminal(self, place: int, name: str) -> Found | None:
        start, typed = terminal_command(name, self.argv, place)
        if start >= len(self.argv):
            return None
        self.launcher.append(name)
        if typed:  # the words behind the text are keys: `C-m`, `Enter`
            return Inner(self.argv[start], [], start, self.env, self.launcher)
        return self._second_shell(start, "one")

    def _second_shell(self, place: int, joins: str) -> Found | None:
        """Return what a shell makes of the words, joined by blanks, that it is handed."""
        words = self.argv[place:]
        if not words:
            return FromInput([], self.env, self.launcher) if joins == "always" else None
        # Words that a shell would leave as they are keep their places; Ray's are taken as given.
        if plain_words(words) or (joins == "one" and len(words) > 1):
            return self.at(place)
        return Inner(joined(words), [], place, self.env, self.launcher, len(words) > 1)

    # Python.

    def _python(self, place: int, name: str) -> Found | None:
        self.launcher.append(name)
        return self._python_words(place + 1)

    def _python_words(self, place: int) -> Found | None:
        argv = self.argv
        place, options = walk(argv, place, _PYTHON_OPTIONS)
        for option in options:
            # Either ends Python's options: what was walked over behind it is the program's.
            if option.name == "-c":
                return None
            if option.name == "-m" and option.value is not None:
                return self._module(option.place, option.value)
        if place >= len(argv) or argv[place] == "-" or argv[place].startswith("/dev/"):
            return None
        return self._entry(place, argv[place])

    def _module(self, place: int, module: str) -> Found | None:
        wrapper = WRAPPERS.get(module)
        if wrapper is not None and wrapper.only_python:
            self.launcher.append("-m")
            return self._through(place + 1, module, wrapper)
        return self._entry(place, module)

    def _entry(self, place: int, entrypoint: str) -> Recognized | None:
        last = entrypoint.rpartition("/")[2]
        if last in NO_LAUNCH or entrypoint.partition(".")[0] in NO_LAUNCH:
            return None
        words = sort_words(self.argv, place + 1)
        return Recognized(
            kind_of(entrypoint, self.argv, words),
            entrypoint,
            self.launcher,
            words.hydra_flags,
            words.overrides,
            words.other_args,
            self.env,
            place,
        )

    # Everything else.

    def _other(self, place: int, word: str, name: str) -> Found | None:
        if name in QUIET or "=" in word or word.startswith(("-", "+", "~")):
            return None  # an override where a command should be: the one above was cut short
        if word.endswith(".py"):
            return self._entry(place, word)
        if _SCRIPT.fullmatch(word):
            return OtherScript(word, self.argv[place + 1 :], place, self.env, self.launcher)
        if name in SERVERS:
            return self._entry(place, name)
        if name == "sbatch":
            return self._sbatch(place)
        self.launcher.append(word if has_symbol(word) else name)
        found = self._unknown(place + 1) if has_symbol(word) else self._search(place + 1)
        if found is not None:
            return found
        self.launcher.pop()
        return self._console_script(place, word)

    def _unknown(self, start: int) -> Found | None:
        """Return what is started by a program that is not known (`"$PYTHON" -m x.y`)."""
        argv = self.argv
        for place in range(start, min(len(argv), start + _SEARCHED)):
            word = argv[place]
            if word.endswith(".py"):
                return self._entry(place, word)
            if word in ("-m", "-um", "--module") and place + 1 < len(argv):
                return self._module(place + 1, argv[place + 1])
            if self._starts(word):
                return self._search(place)
            if "=" in word and not word.startswith("-"):
                break
        return None

    def _console_script(self, place: int, word: str) -> Recognized | None:
        """Return a program of a project's own that is handed settings of verl."""
        words = sort_words(self.argv, place + 1)
        known = [
            index
            for index in words.overrides
            if self.argv[index].lstrip("+~").partition(".")[0] in TOP
        ]
        if len(known) < 2 and not (known and words.hydra_flags and words.telling):
            return None
        return Recognized(
            "trainer",
            word,
            self.launcher,
            words.hydra_flags,
            words.overrides,
            words.other_args,
            self.env,
            place,
        )

    def _sbatch(self, place: int) -> Found | None:
        spec = WRAPPERS["srun"].options
        start, options = walk(self.argv, place + 1, spec)
        self.launcher.append("sbatch")
        for option in options:
            if option.name == "--export" and option.value:
                for part in option.value.split(","):
                    self._set(part)
            if option.name == "--wrap" and option.value:
                return Inner(option.value, [], option.place, self.env, self.launcher)
        if start < len(self.argv):
            rest = self.argv[start + 1 :]
            return OtherScript(self.argv[start], rest, start, self.env, self.launcher)
        return FromInput([], self.env, self.launcher)


def _without_python(options: list[Option]) -> bool:
    return any(option.name == "--no-python" for option in options)
