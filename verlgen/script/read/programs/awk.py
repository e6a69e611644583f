"""`awk` programs without loops, arrays and functions of their own."""

from __future__ import annotations

import re

from verlgen.script.read.doubt import Unknown
from verlgen.script.read.escapes import decoded
from verlgen.script.read.matching import Subject, search
from verlgen.script.read.programs.awk_meaning import Leave, Next
from verlgen.script.read.programs.awk_parse import Rule, parsed_program
from verlgen.script.read.programs.awk_values import Input, Missing, Value, regex, text, truth
from verlgen.script.read.programs.common import MOST_OUTPUT, be_known, split_lines

LONGEST_PROGRAM = 4_000
MOST_LINES = 5_000
MOST_FIELDS = 2_000
_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)", re.DOTALL)


def awk(arguments: list[str], stdin: str) -> tuple[str, int]:
    """Return what a program prints."""
    separator, names, operands = _options(arguments)
    if not operands or len(operands[0]) > LONGEST_PROGRAM:
        raise Unknown("awk has no program, or a very long one")
    if operands[1:] not in ([], ["-"]):
        raise Unknown("awk reads a file")
    rules = parsed_program(operands[0])
    machine = Machine(names)
    if separator is not None:
        machine.assign("FS", separator)
    return machine.run(rules, stdin)


def _options(arguments: list[str]) -> tuple[str | None, dict[str, Value], list[str]]:
    be_known("awk", *arguments)
    words = list(arguments)
    separator: str | None = None
    names: dict[str, Value] = {}
    while words and words[0].startswith("-") and words[0] != "-":
        word = words.pop(0)
        if word == "--":
            break
        if word[:2] not in ("-F", "-v"):
            raise Unknown(f"awk has an option that is not read: {word}")
        value = word[2:] or (words.pop(0) if words else "")
        if word[1] == "F":
            if value in ("t", ""):
                raise Unknown("awk has an odd field separator")
            separator = _unescaped(value)
            continue
        found = _ASSIGNMENT.fullmatch(value)
        if found is None or found[1] in ("RS", "NF", "NR", "FS"):
            raise Unknown("awk has an odd assignment")
        names[found[1]] = Input(_unescaped(found[2]))
    return separator, names, words


def _unescaped(value: str) -> str:
    if re.search(r"\\(?![\\tn|./])", value):
        raise Unknown("awk has an escape that is not read")
    return value if re.search(r"\\[|./]", value) else decoded(value, "format").text


class Machine:
    """The state of a running program."""

    def __init__(self, names: dict[str, Value]) -> None:
        self._names: dict[str, Value] = {
            "FS": " ",
            "OFS": " ",
            "ORS": "\n",
            "NR": 0.0,
            "FNR": 0.0,
            **names,
        }
        self._record = ""
        self._fields: list[Value] = []
        self._out: list[str] = []
        self._size = 0

    def run(self, rules: list[Rule], stdin: str) -> tuple[str, int]:
        """Run a program."""
        status = 0
        try:
            self._phase(rules, "BEGIN")
            if any(rule.phase != "BEGIN" for rule in rules):
                self._lines(rules, stdin)
        except Leave as leave:
            status = leave.status
            if any(rule.phase == "END" for rule in rules):
                raise Unknown("awk leaves a program that has an END") from None
            return "".join(self._out), status
        try:
            self._phase(rules, "END")
        except Leave as leave:
            status = leave.status
        return "".join(self._out), status

    def _phase(self, rules: list[Rule], phase: str) -> None:
        for rule in rules:
            if rule.phase == phase:
                for statement in rule.body:
                    statement(self)

    def _lines(self, rules: list[Rule], stdin: str) -> None:
        be_known("awk", stdin)
        lines, _ = split_lines(stdin)
        if len(lines) > MOST_LINES:
            raise Unknown("awk works on very many lines")
        for count, line in enumerate(lines, 1):
            self._names["NR"] = self._names["FNR"] = float(count)
            self.set_record(line)
            try:
                self._line(rules)
            except Next:
                continue

    def _line(self, rules: list[Rule]) -> None:
        for rule in rules:
            if rule.phase or not (rule.pattern is None or truth(rule.pattern(self))):
                continue
            for statement in rule.body:
                statement(self)

    def print(self, output: str) -> None:
        """Add to the output."""
        self._out.append(output)
        self._size += len(output)
        if self._size > MOST_OUTPUT:
            raise Unknown("awk prints very much")

    def value(self, name: str) -> Value:
        """Return the value of a name."""
        if name == "NF":
            return float(len(self._fields))
        return self._names.get(name)

    def assign(self, name: str, value: Value) -> None:
        """Give a name a value."""
        if name in ("NF", "NR", "FNR", "RS", "OFMT", "CONVFMT", "FILENAME", "SUBSEP"):
            raise Unknown(f"awk changes {name}")
        if name == "FS" and self._record:
            raise Unknown("awk changes FS on the way")
        self._names[name] = value

    def field(self, index: float) -> Value:
        """Return a field; 0 is the record."""
        number = self._index(index)
        if number == 0:
            return Input(self._record)
        return self._fields[number - 1] if number <= len(self._fields) else Missing()

    def set_field(self, index: float, value: Value) -> None:
        """Change a field, and with it the record."""
        number = self._index(index)
        if number == 0:
            self.set_record(text(value))
            return
        self._fields += [Input("")] * (number - len(self._fields))
        self._fields[number - 1] = value
        self._record = text(self._names["OFS"]).join(map(text, self._fields))

    def set_record(self, record: str) -> None:
        """Take a record and split it into fields."""
        self._record = record
        pieces = _split(record, text(self._names["FS"]))
        if len(pieces) > MOST_FIELDS:
            raise Unknown("awk works on very many fields")
        self._fields = [Input(piece) for piece in pieces]

    def _index(self, index: float) -> int:
        if not 0 <= index <= MOST_FIELDS:
            raise Unknown("awk has an odd field number")
        return int(index)


def _split(record: str, separator: str) -> list[str]:
    if separator == " ":
        return re.findall(r"[^ \t\n]+", record)
    if not record:
        return []
    if len(separator) == 1 and separator not in "\\":
        return record.split(separator)
    if not separator:
        raise Unknown("awk has an odd field separator")
    subject = Subject(record)
    node = regex(separator)
    pieces: list[str] = []
    position = 0
    while True:
        found = search(node, subject, position)
        if found is None:
            return [*pieces, record[position:]]
        if found[0] == found[1]:
            raise Unknown("awk has an odd field separator")
        pieces.append(record[position : found[0]])
        position = found[1]
