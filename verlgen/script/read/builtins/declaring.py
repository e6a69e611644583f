"""`declare`, `typeset`, `local`, `export`, `readonly`: variables and their attributes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from verlgen.script.read.state import Variable
from verlgen.script.read.syntax import Assignment, Simple

if TYPE_CHECKING:
    from verlgen.script.read.expand import Expander
    from verlgen.script.read.interpreter import Interpreter

DECLARATIONS = frozenset({"declare", "typeset", "local", "export", "readonly"})

_ATTRIBUTES = {"x": "exported", "r": "readonly", "i": "integer", "l": "lower", "u": "upper"}
_NAMED = re.compile(r"([A-Za-z_]\w*)(\+?)=(.*)", re.DOTALL)


def declare(shell: Interpreter, node: Simple, expander: Expander) -> None:
    """Carry out a declaration."""
    words: list[str | Assignment] = []
    for word in node.words:
        if isinstance(word, Assignment):
            words.append(word)
        else:
            words += expander.fields(word)
    while words and words[0] in ("builtin", "command"):
        words.pop(0)
    command = str(words.pop(0))
    on, off, rest = _options(command, words)
    shell.state.status = 0
    if "p" in on or "f" in on or "F" in on:
        return
    if not rest:
        return
    done = [_declare_one(shell, node, command, item, on, off) for item in rest]
    # What failed in a `$(…)` of a value is forgotten.
    shell.state.status = 0 if all(done) else 1


def _options(
    command: str, words: list[str | Assignment]
) -> tuple[set[str], set[str], list[str | Assignment]]:
    on = {"export": {"x"}, "readonly": {"r"}}.get(command, set())
    on = set(on)
    off: set[str] = set()
    rest = list(words)
    while rest and isinstance(rest[0], str) and re.fullmatch(r"[-+][A-Za-z]+", rest[0]):
        word = str(rest.pop(0))
        (on if word[0] == "-" else off).update(word[1:])
    if rest and rest[0] == "--":
        rest.pop(0)
    if command == "export" and "n" in on:
        on.discard("x")
        off.add("x")
    return on, off, rest


def _declare_one(
    shell: Interpreter,
    node: Simple,
    command: str,
    item: str | Assignment,
    on: set[str],
    off: set[str],
) -> bool:
    assigned = None if isinstance(item, Assignment) else _NAMED.fullmatch(item)
    name = item.name if isinstance(item, Assignment) else (assigned[1] if assigned else str(item))
    if not re.fullmatch(r"[A-Za-z_]\w*", name):
        shell.fails(node, f"{command}: '{shell.symbols.written(name)}' is no valid name")
        return False
    variable = _variable(shell, command, name, on)
    if variable.readonly and (assigned or isinstance(item, Assignment)):
        shell.fails(node, f"{name}: readonly variable")
        return False
    _mark(variable, on, off, {"readonly"})
    if isinstance(item, Assignment):
        shell.assignment(item, variable)
    elif assigned:
        shell.store(
            variable,
            None,
            item[len(assigned[1]) + len(assigned[2]) + 1 :],
            append=bool(assigned[2]),
        )
    _mark(variable, on, off, set())
    return True


def _variable(shell: Interpreter, command: str, name: str, on: set[str]) -> Variable:
    inside = command == "local" or (command in ("declare", "typeset") and "g" not in on)
    if inside and shell.functions:
        return shell.state.local(name)
    if "n" in on:
        scope = shell.state.scopes[-1] if inside else shell.state.scopes[0]
        return scope.setdefault(name, Variable())
    return shell.state.make(name)


def _mark(variable: Variable, on: set[str], off: set[str], later: set[str]) -> None:
    for letter, attribute in _ATTRIBUTES.items():
        if attribute in later:
            continue
        if letter in on:
            setattr(variable, attribute, True)
        if letter in off:
            setattr(variable, attribute, False)
    if "n" in on:
        variable.nameref = True
    if "a" in on and variable.items is None:
        variable.items = {} if variable.value is None else {0: variable.value}
        variable.value = None
    if "A" in on:
        variable.associative = True
        if variable.items is None:
            variable.items = {}
            variable.value = None
