"""Builtins that set variables and parameters: read, mapfile, shift, getopts, unset, let."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from verlgen.script.read import arithmetic
from verlgen.script.read.doubt import Unknown
from verlgen.script.read.fields import split
from verlgen.script.read.symbols import has_symbol
from verlgen.script.read.syntax import Node
from verlgen.script.read.text import Text, cut

if TYPE_CHECKING:
    from verlgen.script.read.interpreter import Interpreter


def _shift(shell: Interpreter, arguments: list[str], node: Node) -> int:
    count = int(arguments[0]) if arguments and arguments[0].isdigit() else 1
    if not shell.functions:
        shell.argument_uses.add("shift")
    if count > len(shell.state.parameters):
        return 1
    del shell.state.parameters[:count]
    return 0


def _unset(shell: Interpreter, arguments: list[str], node: Node) -> int:
    functions = "-f" in arguments
    status = 0
    for name in arguments:
        if name in ("-f", "-v", "-n"):
            continue
        known = shell.state.find(name.partition("[")[0])
        if known is not None and known.readonly and not functions:
            shell.fails(node, f"unset: {name}: cannot unset: readonly variable")
            status = 1
            continue
        element = re.fullmatch(r"([A-Za-z_]\w*)\[(.*)\]", name, re.DOTALL)
        if element:
            variable = shell.state.find(element[1])
            if variable is not None and variable.items is not None:
                if element[2] in ("@", "*"):
                    variable.items.clear()
                else:
                    variable.items.pop(shell.index(variable, element[2]), None)
        elif functions or (shell.state.find(name) is None and name in shell.state.functions):
            shell.state.functions.pop(name, None)
        else:
            shell.state.unset(name)
    return status


def _let(shell: Interpreter, arguments: list[str], node: Node) -> int:
    value = 0
    for expression in arguments:
        try:
            value = arithmetic.evaluate(expression, shell.arithmetic_variables())
        except Unknown:
            shell.hangs_on(node, expression)
        except arithmetic.ArithmeticProblem as problem:
            shell.fails(node, str(problem))
            return 1
    return 0 if value else 1


def _read(shell: Interpreter, arguments: list[str], node: Node) -> int:
    names, flags = _read_options(arguments)
    text = shell.stdin
    if text is None:
        # Nobody is there to type: the terminal's end.
        for name in names or ["REPLY"]:
            shell.put(name, "", node)
        return 1
    delimiter = flags.get("d", "\n") or "\0"
    at = text.find(delimiter[0])
    most = flags.get("n", flags.get("N", ""))
    if most.isdigit() and ("N" in flags or at < 0 or int(most) < at) and int(most) <= len(text):
        at, rest = int(most), int(most)
    else:
        rest = at + 1
    line: str = cut(text, 0, len(text) if at < 0 else at)
    shell.stdin = "" if at < 0 else text[rest:]
    if not shell.output_known(line):
        shell.hangs_on(node, line)
        line = ""
    if "r" not in flags and "\\" in line:
        line = re.sub(r"\\(.)", r"\1", line)
    if "a" in flags:
        pieces = split(line, shell.separators())
        variable = shell.state.make(flags["a"])
        variable.items = dict(enumerate(pieces[1] if pieces else []))
        variable.value = None
    else:
        for name, value in zip(names or ["REPLY"], _shared(shell, line, names), strict=False):
            if shell.put(name, value, node):
                return 1
    return 1 if at < 0 else 0


def _count(text: str) -> int:
    return int(text) if text.isdecimal() else 0


def _read_options(
    arguments: list[str], valued: str = "adnNptui"
) -> tuple[list[str], dict[str, str]]:
    flags: dict[str, str] = {}
    at = 0
    while at < len(arguments) and re.fullmatch(r"-[A-Za-z]+.*", arguments[at], re.DOTALL):
        word = arguments[at]
        at += 1
        for number, letter in enumerate(word[1:], 2):
            if letter in valued:
                flags[letter] = word[number:]
                if not word[number:] and at < len(arguments):
                    flags[letter] = arguments[at]
                    at += 1
                break
            flags[letter] = ""
    return arguments[at:], flags


def _shared(shell: Interpreter, line: str, names: list[str]) -> list[str]:
    """Share the words of a line out among names; the last takes all that is left."""
    separators = shell.separators()
    if not names:
        return [line]
    if not separators:
        return [line] + [""] * (len(names) - 1)
    blanks = "".join(c for c in separators if c in " \t\n")
    values: list[str] = []
    rest = line.lstrip(blanks) if blanks else line
    for number in range(len(names)):
        if number == len(names) - 1:
            values.append(_last(rest, separators, blanks))
            break
        end = next((i for i, c in enumerate(rest) if c in separators), len(rest))
        values.append(rest[:end])
        rest = rest[end:]
        stripped = rest.lstrip(blanks) if blanks else rest
        if stripped[:1] and stripped[0] in separators and stripped[0] not in blanks:
            stripped = stripped[1:].lstrip(blanks) if blanks else stripped[1:]
        rest = stripped
    return values


def _last(rest: str, separators: str, blanks: str) -> str:
    rest = rest.rstrip(blanks) if blanks else rest
    hard = [c for c in separators if c not in blanks]
    if rest and rest[-1] in hard and not any(c in separators for c in rest[:-1]):
        rest = rest[:-1]
    return rest


def _mapfile(shell: Interpreter, arguments: list[str], node: Node) -> int:
    names, flags = _read_options(arguments, "dnOsCcu")
    name = names[0] if names else "MAPFILE"
    text = shell.stdin or ""
    delimiter = flags.get("d", "\n") or "\0"
    if not shell.output_known(text) or (has_symbol(text) and not shell.symbols.is_plain(text)):
        shell.hangs_on(node, text)
        text = ""
    lines = [line + delimiter[0] for line in text.split(delimiter[0])]
    lines[-1] = lines[-1][:-1]  # no delimiter stands behind the last
    if not lines[-1]:
        lines.pop()
    skip, most, origin = (_count(flags.get(letter, "")) for letter in "snO")
    lines = lines[skip:][: most or None]
    if "t" in flags:
        lines = [line.removesuffix(delimiter[0]) for line in lines]
    variable = shell.state.make(name)
    kept = dict(variable.items or {}) if "O" in flags else {}
    variable.items = {**kept, **{origin + n: Text(line) for n, line in enumerate(lines)}}
    variable.value = None
    shell.stdin = ""
    return 0


def _getopts(shell: Interpreter, arguments: list[str], node: Node) -> int:
    if len(arguments) < 2:
        shell.fails(node, "getopts: options and a name are needed")
        return 2
    options, name = arguments[0], arguments[1]
    given = arguments[2:] if len(arguments) > 2 else shell.state.parameters
    if len(arguments) == 2 and not shell.functions:
        shell.argument_uses.add("getopts")
    at = int(shell.get("OPTIND") or "1")
    inside = int(shell.get("_VERLGEN_OPTPOS") or "1")
    shell.state.unset("OPTARG")
    if at > len(given) or not given[at - 1].startswith("-") or given[at - 1] == "-":
        shell.assign(name, None, "?", node)
        return 1
    if given[at - 1] == "--":
        shell.assign("OPTIND", None, str(at + 1), node)
        shell.assign(name, None, "?", node)
        return 1
    word = given[at - 1]
    letter = word[inside]
    inside += 1
    takes = re.search(re.escape(letter) + "(:?)", options)
    shell.assign(name, None, letter if takes and letter != ":" else "?", node)
    if takes and takes[1]:
        if inside < len(word):
            shell.assign("OPTARG", None, word[inside:], node)
        elif at < len(given):
            shell.assign("OPTARG", None, given[at], node)
            at += 1
        else:
            shell.assign(name, None, ":" if options.startswith(":") else "?", node)
        inside = len(word)
    elif not takes and options.startswith(":"):
        shell.assign("OPTARG", None, letter, node)
    if inside >= len(word):
        at, inside = at + 1, 1
    shell.assign("OPTIND", None, str(at), node)
    shell.assign("_VERLGEN_OPTPOS", None, str(inside), node)
    return 0


BUILTINS = {
    "shift": _shift,
    "unset": _unset,
    "let": _let,
    "read": _read,
    "mapfile": _mapfile,
    "readarray": _mapfile,
    "getopts": _getopts,
}
