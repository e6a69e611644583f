"""The variable part of the interpreter: values, assignments, and what bash keeps itself."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from verlgen.script.read import arithmetic
from verlgen.script.read.doubt import Unknown
from verlgen.script.read.ends import MOST_TEXT, Stop
from verlgen.script.read.reporting import Reporting
from verlgen.script.read.sources import Source, Sources
from verlgen.script.read.state import State, Variable
from verlgen.script.read.symbols import Symbols, has_symbol
from verlgen.script.read.syntax import Assignment, Node, Parameter, Word
from verlgen.script.read.text import Text, cat

if TYPE_CHECKING:
    from verlgen.script.read.expand import Expander


class Variables(Reporting):
    """Variables and parameters of the shell.

    Attributes:
        argument_uses: How the script takes its arguments: `@`, `*`, numbers, `shift`, `getopts`.
        knobs: Variable -> default, for `${X:-default}` of variables that were not set.
        called: Names of the functions that the walk is in, innermost last.
    """

    _expander: Expander

    def __init__(self, symbols: Symbols, sources: Sources, source: Source, state: State) -> None:
        super().__init__(symbols, sources, source, state)
        self.argument_uses: set[str] = set()
        self.knobs: dict[str, str] = {}
        self.called: list[str] = []

    def assignment(self, node: Assignment, target: Variable | None = None) -> None:
        """Carry out `X=…`, `X+=…`, `X[i]=…` or `X=(…)`, on a given variable if there is one."""
        variable = target if target is not None else self.state.make(node.name)
        if variable.readonly:
            self._refuses(node, node.name)
            return
        if node.elements is not None:
            self._assign_array(variable, node)
            return
        assert node.value is not None
        value: str = self._expander.text(node.value, assigned=True)
        if node.index is None:
            index: int | str | None = None
        else:
            index = self.index(variable, self._expander.text(node.index))
        self.store(variable, index, value, append=node.append)
        if node.index is None and node.name == "PWD":
            self.state.folder = value

    def _refuses(self, node: Node | None, name: str) -> None:
        """A readonly variable is assigned."""
        if "errexit" in self.state.options and not self.subshells:
            self.stops(node or self.walking, f"{name} is readonly (set -e)")
        self.abandons(node, f"{name}: readonly variable")

    def _assign_array(self, variable: Variable, node: Assignment) -> None:
        assert node.elements is not None
        old = dict(variable.items or {}) if node.append else {}
        if node.append and variable.items is None and variable.value is not None:
            old = {0: variable.value}
        made: dict[int | str, str] = old
        at = max((key for key in old if isinstance(key, int)), default=-1) + 1
        pairs: list[str] = []
        for subscript, append, word in node.elements:
            if subscript is not None:
                key = self.index(variable, self._expander.text(subscript))
                element: str = self._expander.text(word, assigned=True)
                made[key] = cat([made.get(key, ""), element]) if append else element
                if isinstance(key, int):
                    at = key + 1
                continue
            for field in self._expander.fields(word):
                if variable.associative:
                    pairs.append(field)
                else:
                    made[at] = field
                    at += 1
        for number in range(0, len(pairs), 2):
            made[pairs[number]] = pairs[number + 1] if number + 1 < len(pairs) else ""
        variable.items = made
        variable.value = None

    def store(
        self, variable: Variable, index: int | str | None, value: str, *, append: bool = False
    ) -> None:
        """Store text in a variable or an element of it, as its attributes say."""
        if len(value) > MOST_TEXT:
            raise Stop("a text grows too long")
        key: int | str = ("0" if variable.associative else 0) if index is None else index
        if "allexport" in self.state.options:
            variable.exported = True
        before = variable.at(key) if append else None
        if variable.integer:
            value = self._integer(f"({before or 0})+({value})" if append else value)
        elif append:
            value = cat([before or "", value])
        if variable.lower and not has_symbol(value):
            value = value.lower()
        if variable.upper and not has_symbol(value):
            value = value.upper()
        if index is None and variable.items is None:
            variable.value = value
            return
        if variable.items is None:
            variable.items = {} if variable.value is None else {0: variable.value}
            variable.value = None
        if isinstance(key, int) and key < 0:
            key += max((k for k in variable.items if isinstance(k, int)), default=-1) + 1
            if key < 0:
                self.abandons(None, f"[{index}]: bad array subscript")
                return
        variable.items[key] = value

    def _integer(self, text: str) -> str:
        try:
            return str(arithmetic.evaluate(text, self.arithmetic_variables()))
        except Unknown:
            return self.symbols.new(f"$(({self.symbols.written(text)}))")
        except arithmetic.ArithmeticProblem as problem:
            self.abandons(None, str(problem))
            return "0"

    def get(self, name: str) -> str | None:
        """Return a variable's value, or None."""
        variable = self.state.find(name)
        if variable is None:
            return self.dynamic(name)
        return variable.at("0" if variable.associative else 0)

    def dynamic(self, name: str) -> str | None:
        """Return the value of a variable that bash itself keeps; None for any other."""
        if name == "PWD":
            return self.state.folder
        if name == "OLDPWD":
            return self.state.old_folder or None
        if name == "LINENO":
            return self.symbols.new("$LINENO")
        if name in _KEPT_BY_BASH:
            return self.symbols.new(f"${name}")
        if name in _CONSTANT:
            return _CONSTANT[name]
        if name == "BASH_SOURCE":
            return self.own_path()
        kept = self.dynamic_list(name)
        return kept[0] if kept else None

    def dynamic_list(self, name: str) -> list[str] | None:
        """Return the elements of an array that bash itself keeps; None for any other name."""
        if name == "PIPESTATUS":
            return [str(status) for status in self.state.pipe_statuses]
        if name == "FUNCNAME":
            return [*reversed(self.called), "main"] if self.called else []
        if name == "DIRSTACK":
            return [self.state.folder, *reversed(self.state.folder_stack)]
        return None

    def own_path(self) -> str:
        """Return the path of the file being read, as a symbol."""
        path = self.source.file or self.script
        return self.symbols.new("$0", path=path or self.state.name)

    def positional(self, number: int) -> str | None:
        """Return `$N`."""
        if number == 0:
            return self.own_path()
        if not self.functions:
            self.argument_uses.add(str(number))
        parameters = self.state.parameters
        return parameters[number - 1] if number <= len(parameters) else None

    def special(self, name: str) -> str | None:
        """Return `$#`, `$?` and the like."""
        if name == "#":
            return str(len(self.state.parameters))
        if name == "?":
            return str(self.state.status)
        if name == "-":
            on = {letter for letter, option in LETTERS.items() if option in self.state.options}
            return "".join(letter for letter in "aefhnuvxBCET" if letter in on | {"h", "B"})
        return self.symbols.new(f"${name}")

    def index(self, variable: Variable, subscript: str) -> int | str:
        """Return a subscript as the variable takes it: text, or a number."""
        if variable.associative:
            return str(subscript)
        try:
            return arithmetic.evaluate(subscript, self.arithmetic_variables())
        except Unknown:
            self.hangs_on(self.walking, subscript)
        except arithmetic.ArithmeticProblem as problem:
            self.abandons(None, str(problem))
        return 0

    def assign(self, name: str, subscript: str | None, value: str, node: Node) -> None:
        """Carry out the assignment of `${X:=w}`."""
        if not re.fullmatch(r"[A-Za-z_]\w*", name):
            self.abandons(node, f"${name}: cannot assign in this way")
            return
        variable = self.state.make(name)
        if variable.readonly:
            self._refuses(node, name)
            return
        self.store(variable, None if subscript is None else self.index(variable, subscript), value)

    def put(self, name: str, value: str, node: Node) -> int:
        """Set a variable or an element as `read` and `printf -v` do; return the status."""
        match = re.fullmatch(r"([A-Za-z_]\w*)(?:\[(.+)\])?", name, re.DOTALL)
        if match is None:
            self.fails(node, f"'{self.symbols.written(name)}': not a valid identifier")
            return 1
        variable = self.state.make(match[1])
        if variable.readonly:
            self.fails(node, f"{match[1]}: readonly variable")
            return 1
        self.store(variable, None if match[2] is None else self.index(variable, match[2]), value)
        return 0

    def arithmetic_variables(self) -> arithmetic.Variables:
        """Return the variables as arithmetic sees them."""
        return _ArithmeticVariables(self)

    def knob(self, name: str, part: Parameter) -> None:
        """Note a variable that the script takes from the environment, with its default."""
        if self.source is self.main and name[:1].isalpha() and part.argument is not None:
            self.knobs.setdefault(name, self.slice(part.argument.start, part.argument.end))

    def unset_text(self, name: str) -> Text:
        """Return the empty text of an unset variable, which remembers its name."""
        return Text("", (), None, (name,))

    def separators(self) -> str:
        """Return the characters at which unquoted values are split."""
        variable = self.state.find("IFS")
        return " \t\n" if variable is None or variable.value is None else variable.value

    def expand(self, word: Word) -> Text:
        """Return a word as one text."""
        return self._expander.text(word)

    def expand_pattern(self, word: Word) -> str:
        """Return a word as a pattern."""
        return self._expander.pattern(word)

    def expand_regex(self, word: Word) -> str:
        """Return a word as the right side of `=~`."""
        return self._expander.regex(word)


class _ArithmeticVariables:
    def __init__(self, shell: Variables) -> None:
        self._shell = shell

    def get(self, name: str, index: str | None) -> str:
        shell = self._shell
        variable = shell.state.find(name)
        if variable is None:
            value = shell.dynamic(name)
        else:
            key: int | str = "0" if variable.associative else 0
            if index is not None:
                key = shell.index(variable, index)
            value = variable.at(key)
        if value is None and "nounset" in shell.state.options:
            shell.unset(name, shell.walking)
        return value or ""

    def is_associative(self, name: str) -> bool:
        variable = self._shell.state.find(name)
        return variable is not None and variable.associative

    def set(self, name: str, index: str | None, value: str) -> None:
        self._shell.assign(name, index, value, Node(0, 0))


LETTERS = {
    "a": "allexport",
    "e": "errexit",
    "f": "noglob",
    "n": "noexec",
    "u": "nounset",
    "v": "verbose",
    "x": "xtrace",
    "C": "noclobber",
    "E": "errtrace",
    "T": "functrace",
}
_KEPT_BY_BASH = frozenset(
    {
        "RANDOM",
        "SECONDS",
        "HOSTNAME",
        "PPID",
        "UID",
        "EUID",
        "BASHPID",
        "EPOCHSECONDS",
        "EPOCHREALTIME",
        "SRANDOM",
        "GROUPS",
        "COLUMNS",
        "LINES",
    }
)
_CONSTANT = {
    "OPTIND": "1",
    "OSTYPE": "linux-gnu",
    "HOSTTYPE": "x86_64",
    "MACHTYPE": "x86_64-pc-linux-gnu",
    "BASH": "/bin/bash",
    "BASH_VERSION": "5.2.15(1)-release",
    "SHLVL": "1",
}
