"""`sed` with `s`, `y`, `d`, `p`, `q` and addresses."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from verlgen.script.read.captures import captures
from verlgen.script.read.doubt import Unknown
from verlgen.script.read.matching import Subject, end_of, found_anywhere
from verlgen.script.read.programs.common import (
    MOST_OUTPUT,
    be_known,
    count,
    only_stdin,
    options,
    split_lines,
)
from verlgen.script.read.regexes import Regex, parsed

_LONG = {
    "quiet": "n",
    "silent": "n",
    "regexp-extended": "E",
    "expression": "e",
    "unbuffered": "u",
}
MOST_COMMANDS = 100


class _Address(NamedTuple):
    """A line: its number (0: the last one) or what it matches."""

    number: int
    regex: Regex | None
    ignore_case: bool = False


class _Command(NamedTuple):
    first: _Address | None
    last: _Address | None
    negated: bool
    name: str
    regex: Regex | None = None
    replacement: tuple[str | int, ...] = ()
    which: int = 1
    everywhere: bool = False
    printed: bool = False
    ignore_case: bool = False
    uses_groups: bool = False
    table: dict[int, str] | None = None


def sed(arguments: list[str], stdin: str) -> tuple[str, int]:
    """Return the input as a script edits it."""
    be_known("sed", stdin, *arguments)
    given = options("sed", arguments, "nErsu", "e", _LONG)
    scripts = [value for letter, value in given.given if letter == "e"]
    operands = given.operands
    if not scripts:
        if not operands:
            raise Unknown("sed has no script")
        scripts, operands = operands[:1], operands[1:]
    only_stdin("sed", operands)
    extended = given.has("E") or given.has("r")
    commands = _Script("\n".join(scripts), extended).commands()
    return _Editor(commands, given.has("n")).edited(stdin), 0


# --- running ----------------------------------------------------------------------------------


class _Editor:
    """Applies commands to lines."""

    def __init__(self, commands: list[_Command], quiet: bool) -> None:
        self._commands = commands
        self._quiet = quiet
        self._ranges: dict[int, int | None] = {}
        self._out: list[str] = []
        self._size = 0
        self._number = 0
        self._printed = 0

    def edited(self, text: str) -> str:
        lines, ended = split_lines(text)
        for number, line in enumerate(lines, 1):
            if not self._cycle(line, number, number == len(lines)):
                if number == len(lines) and not ended:
                    raise Unknown("sed leaves at a line that does not end")
                return "".join(self._out)
        result = "".join(self._out)
        return result if ended or self._printed < len(lines) else result[:-1]

    def _print(self, line: str) -> None:
        self._out.append(f"{line}\n")
        self._printed = self._number
        self._size += len(line) + 1
        if self._size > MOST_OUTPUT:
            raise Unknown("sed prints very much")

    def _cycle(self, line: str, number: int, is_last: bool) -> bool:
        """Run all commands on a line; False to stop behind it."""
        self._number = number
        for index, command in enumerate(self._commands):
            if self._selects(index, command, line, number, is_last) == command.negated:
                continue
            if command.name == "d":
                return True
            if command.name == "q":
                if not self._quiet:
                    self._print(line)
                return False
            if command.name == "p":
                self._print(line)
            elif command.table is not None:
                line = line.translate(command.table)
            elif command.regex is not None:
                line, changed = _substituted(command, line)
                if changed and command.printed:
                    self._print(line)
        if not self._quiet:
            self._print(line)
        return True

    def _selects(self, index: int, command: _Command, line: str, number: int, last: bool) -> bool:
        if command.first is None:
            return True
        if command.last is None:
            return _is_at(command.first, line, number, last)
        if index in self._ranges:
            return self._goes_on(index, command.last, line, number, last)
        if not _is_at(command.first, line, number, last):
            return False
        end = command.last
        if end.regex is not None or end.number == 0 or end.number > number:
            self._ranges[index] = number
        return True

    def _goes_on(self, index: int, end: _Address, line: str, number: int, last: bool) -> bool:
        if end.regex is None and end.number:
            if number >= end.number:
                del self._ranges[index]
            return number <= end.number
        if _is_at(end, line, number, last):
            del self._ranges[index]
        return True


def _is_at(address: _Address, line: str, number: int, is_last: bool) -> bool:
    if address.regex is None:
        return is_last if address.number == 0 else number == address.number
    subject = Subject(line, ignore_case=address.ignore_case)
    return found_anywhere(address.regex.node, subject)


def _substituted(command: _Command, line: str) -> tuple[str, bool]:
    assert command.regex is not None
    node = command.regex.node
    subject = Subject(line, ignore_case=command.ignore_case)
    pieces: list[str] = []
    position, copied, seen, changed = 0, 0, 0, False
    previous = -1
    while position <= len(line):
        end = end_of(node, subject, position)
        if end is None or (end == position == previous):
            position += 1
            continue
        seen += 1
        if seen >= command.which:
            groups = captures(node, subject, position, end) if command.uses_groups else {}
            groups[0] = (position, end)
            pieces.append(line[copied:position])
            pieces += [
                part if isinstance(part, str) else line[slice(*groups.get(part, (0, 0)))]
                for part in command.replacement
            ]
            copied, changed = end, True
            if not command.everywhere:
                break
        previous = end
        position = end if end > position else position + 1
    return "".join(pieces) + line[copied:], changed


# --- parsing ----------------------------------------------------------------------------------


class _Script:
    """Parses a script."""

    def __init__(self, text: str, extended: bool) -> None:
        self._text = text
        self._extended = extended
        self._position = 0
        self._last_regex: Regex | None = None

    def commands(self) -> list[_Command]:
        found: list[_Command] = []
        while True:
            self._skip(" \t\n;")
            if self._position >= len(self._text):
                return found
            found.append(self._command())
            if len(found) > MOST_COMMANDS:
                raise Unknown("sed has a very long script")

    def _odd(self) -> Unknown:
        return Unknown(f"sed has a script that is not read: {self._text}")

    def _skip(self, characters: str) -> None:
        while self._peek() and self._peek() in characters:
            self._position += 1

    def _peek(self) -> str:
        return self._text[self._position : self._position + 1]

    def _take(self) -> str:
        character = self._peek()
        if not character:
            raise self._odd()
        self._position += 1
        return character

    def _command(self) -> _Command:
        first = self._address()
        last = None
        self._skip(" \t")
        if first is not None and self._peek() == ",":
            self._position += 1
            self._skip(" \t")
            last = self._address()
            if last is None:
                raise self._odd()
        self._skip(" \t")
        negated = self._peek() == "!"
        if negated:
            self._position += 1
            self._skip(" \t")
        name = self._take()
        command = _Command(first, last, negated, name)
        if name == "s":
            command = self._substitution(command)
        elif name == "y":
            command = self._translation(command)
        elif name not in "dpq" or (name == "q" and last is not None):
            raise self._odd()
        self._skip(" \t")
        if self._peek() not in ("", "\n", ";"):
            raise self._odd()
        return command

    def _address(self) -> _Address | None:
        character = self._peek()
        if character == "$":
            self._position += 1
            return _Address(0, None)
        if character.isascii() and character.isdecimal():
            digits = re.compile(r"[0-9]+").match(self._text, self._position)
            assert digits is not None
            self._position = digits.end()
            number = count("sed", digits[0])
            if number == 0 or self._peek() in ("~", "+"):
                raise self._odd()
            return _Address(number, None)
        if character not in ("/", "\\"):
            return None
        self._position += 1
        delimiter = self._take() if character == "\\" else "/"
        regex = self._regex(self._until(delimiter), delimiter)
        ignore_case = self._peek() == "I"
        self._position += ignore_case
        if self._peek() == "M":
            raise self._odd()
        return _Address(0, regex, ignore_case)

    def _until(self, delimiter: str) -> str:
        """Return text up to a delimiter; an escaped delimiter becomes itself."""
        if delimiter in ("\n", "\\"):
            raise self._odd()
        found: list[str] = []
        in_bracket = False
        while True:
            character = self._take()
            if character == delimiter:
                if in_bracket and "[" in "".join(found):
                    raise self._odd()
                return "".join(found)
            if character == "\\":
                following = self._take()
                if following == delimiter and delimiter not in "/,:;@#%!~_=\"'&- ":
                    raise self._odd()
                found.append(following if following == delimiter else f"\\{following}")
                if following == delimiter == "&":
                    raise self._odd()
                continue
            if character == "[":
                in_bracket = True
            elif character == "]":
                in_bracket = False
            found.append(character)

    def _regex(self, text: str, delimiter: str) -> Regex:
        if not text:
            if self._last_regex is None:
                raise self._odd()
            return self._last_regex
        del delimiter
        text = _with_escapes(text, self._odd)
        self._last_regex = parsed(text, extended=self._extended)
        return self._last_regex

    def _substitution(self, command: _Command) -> _Command:
        delimiter = self._take()
        pattern = self._until(delimiter)
        replacement = self._replacement(self._until(delimiter))
        regex = self._regex(pattern, delimiter)
        if any(isinstance(part, int) and part > regex.groups for part in replacement):
            raise self._odd()
        flags = re.compile(r"[gpIi0-9]*").match(self._text, self._position)
        assert flags is not None
        self._position = flags.end()
        written = flags[0]
        number = re.sub(r"[^0-9]", "", written)
        if number and (number not in written or not count("sed", number)):
            raise self._odd()
        if written.count("p") > 1 or written.count("g") > 1:
            raise self._odd()
        return command._replace(
            regex=regex,
            replacement=replacement,
            which=int(number or 1),
            everywhere="g" in written,
            printed="p" in written,
            ignore_case="i" in written.lower(),
            uses_groups=any(isinstance(part, int) and part for part in replacement),
        )

    def _replacement(self, text: str) -> tuple[str | int, ...]:
        parts: list[str | int] = []
        letters = iter(text)
        for letter in letters:
            if letter == "&":
                parts.append(0)
            elif letter != "\\":
                parts.append(letter)
            else:
                escaped = next(letters)
                if escaped.isascii() and escaped.isdecimal():
                    parts.append(int(escaped))
                elif escaped in "nt":
                    parts.append({"n": "\n", "t": "\t"}[escaped])
                elif escaped.isalnum():
                    raise self._odd()
                else:
                    parts.append(escaped)
        return tuple(parts)

    def _translation(self, command: _Command) -> _Command:
        delimiter = self._take()
        old, new = (self._until(delimiter) for _ in range(2))
        if "\\" in old or "\\" in new or len(old) != len(new) or len(set(old)) < len(old):
            raise self._odd()
        return command._replace(table=dict(zip(map(ord, old), new, strict=True)))


def _with_escapes(text: str, odd: Callable[[], Unknown]) -> str:
    """Return a regular expression with sed's own escapes resolved."""
    result: list[str] = []
    letters = iter(text)
    in_bracket = False
    for letter in letters:
        if letter == "[":
            in_bracket = True
        elif letter == "]":
            in_bracket = False
        if letter != "\\":
            result.append(letter)
            continue
        escaped = next(letters, "")
        if escaped in ("n", "t") and escaped:
            result.append({"n": "\n", "t": "\t"}[escaped])
        elif in_bracket:
            if escaped in ("a", "f", "v", "r", "c", "d", "o", "x", "]"):
                raise odd()
            result.append(f"\\{escaped}")
        else:
            result.append(f"\\{escaped}")
    return "".join(result)
