"""`$X`, `${X…}`: the values of parameters and what their operators make of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from verlgen.script.read import paths
from verlgen.script.read.doubt import Unknown
from verlgen.script.read.state import Variable
from verlgen.script.read.symbols import has_symbol
from verlgen.script.read.syntax import Literal, Parameter, Word
from verlgen.script.read.text import Text, cat, cut

if TYPE_CHECKING:
    from verlgen.script.read.expand import Expander
    from verlgen.script.read.fields import Fields
    from verlgen.script.read.interpreter import Interpreter

Value = str | list[str]

_INDEXED_NAME = re.compile(r"([A-Za-z_]\w*)(?:\[(.*)\])?", re.DOTALL)
_WITH_DEFAULT = {":-", "-", ":=", "=", ":+", "+", ":?", "?"}


def is_list(part: Parameter) -> bool:
    """Tell whether a parameter stands for all elements one by one: `${A[@]}`, `${!A[@]}`."""
    return (
        (part.name == "@" and part.index is None) or _subscript(part) == "@" or part.prefix == "@"
    ) and not part.length


def value(
    shell: Interpreter,
    expander: Expander,
    part: Parameter,
    *,
    quoted: bool,
    fields: Fields | None = None,
) -> Value | None:
    """Return the value of a parameter expansion; a list where every element is a field.

    Args:
        shell: Whose parameters.
        expander: Expands the words behind operators.
        part: The expansion.
        quoted: Whether it stands between double quotes.
        fields: Where an unquoted default word goes, whose own quotes count; the result is None
            then. Without it (assignments and the like) its text is returned.
    """
    found = _Found(shell, expander, part)
    if part.operator in _WITH_DEFAULT:
        return _with_default(found, quoted=quoted, fields=fields)
    base = found.base()
    if part.length:
        return _length(found, base)
    if base is None:
        if part.operator != "@" or not _is_all(part):
            found.refuse_unset()
        return shell.unset_text(part.name)
    if not part.operator:
        return _starred(shell, part, base, quoted=quoted)
    if isinstance(base, list):
        made: Value = _of_list(found, base)
    else:
        made = _of_text(found, base)
    return _starred(shell, part, made, quoted=quoted)


class _Found:
    """A parameter being looked up."""

    def __init__(self, shell: Interpreter, expander: Expander, part: Parameter) -> None:
        self.shell = shell
        self.expander = expander
        self.part = part
        self.name = part.name
        self.index: Word | str | None = part.index
        if part.indirect and not part.prefix and not (_is_all(part) and not part.operator):
            self._follow()

    def _follow(self) -> None:
        """Take the variable that the named one names, for `${!X}`."""
        target = self._lookup()
        if not isinstance(target, str) or not target:
            if target is None and self.part.name[0] not in "0123456789@*":
                self.shell.abandons(self.part, f"{self.part.name}: invalid indirect expansion")
            elif target == "":
                self.shell.abandons(self.part, ": invalid variable name")
            self.name, self.index = "", None
            return
        match = _INDEXED_NAME.fullmatch(target)
        if match is None and not re.fullmatch(r"\d+|[@*#?$!-]", target):
            if has_symbol(target):
                self.shell.hangs_on(self.part, target)
            else:
                self.shell.abandons(self.part, f"{target}: invalid variable name")
            self.name, self.index = "", None
            return
        self.name, self.index = (match[1], match[2]) if match else (target, None)

    def base(self) -> Value | None:
        """Return the value before operators: None where it is unset."""
        part = self.part
        if part.indirect and part.prefix:
            return [name for name in self.shell.state.names() if name.startswith(part.name)]
        if part.indirect and _is_all(part) and not part.operator:
            variable = self.shell.state.find(part.name)
            return [] if variable is None else [str(key) for key, _ in variable.ordered()]
        return self._lookup()

    def _lookup(self) -> Value | None:
        shell, name = self.shell, self.name
        if name in ("@", "*"):
            if not shell.functions:
                shell.argument_uses.add(name)
                if self.part.operator == ":":
                    shell.argument_uses.add("shift")  # as good as one
            return list(shell.state.parameters)
        if name.isdigit():
            return shell.positional(int(name))
        if not (name and (name[0].isalpha() or name[0] == "_")):
            return shell.special(name) if name else None
        subscript = self.subscript()
        variable = shell.state.find(name)
        if variable is None:
            return self._dynamic(name, subscript)
        if subscript in ("@", "*"):
            return [item for _, item in variable.ordered()]
        if subscript is None:
            return variable.at("0" if variable.associative else 0)
        key = shell.index(variable, subscript)
        if isinstance(key, int) and key < 0:
            self._must_reach(variable, key)
        return variable.at(key)

    def _must_reach(self, variable: Variable, key: int) -> None:
        """A negative subscript that reaches before the first element is empty, but for `set -e`."""
        last = max((int(at) for at, _ in variable.ordered()), default=-1)
        if last + 1 + key < 0:
            self.shell.fails(self.part, f"{self.name}: bad array subscript")
            if "errexit" in self.shell.state.options:
                self.shell.stops(self.part, f"{self.name} has no element {key} (set -e)")

    def _dynamic(self, name: str, subscript: str | None) -> Value | None:
        """Return what bash itself keeps under a name."""
        items = self.shell.dynamic_list(name)
        if items is None:
            value = self.shell.dynamic(name)
            items = [] if value is None else [value]
        if subscript in ("@", "*"):
            return list(items)
        at = 0 if subscript is None else int(self.shell.index(Variable(), subscript))
        if at < 0:
            self._must_reach(Variable(), at)
        return items[at] if -len(items) <= at < len(items) else None

    def subscript(self) -> str | None:
        """Return the subscript as text, expanded; None without one."""
        if self.index is None or isinstance(self.index, str):
            return self.index
        plain = _subscript_of(self.index)
        return plain if plain in ("@", "*") else self.expander.text(self.index)

    def refuse_unset(self) -> None:
        """Stop under `set -u`, but for `$@` and `${A[@]}`, which are exempt."""
        part = self.part
        if "nounset" in self.shell.state.options and self.name not in ("@", "*"):
            if self.subscript() in ("@", "*"):
                return
            self.shell.unset(part.name, part)

    @property
    def extglob(self) -> bool:
        """Whether `@(…)` and the like are patterns."""
        return "extglob" in self.shell.state.shopt

    def argument(self) -> Text:
        """Return the word behind the operator as text."""
        return Text("") if self.part.argument is None else self.expander.text(self.part.argument)

    def unknown(self) -> str:
        """Return a symbol for the whole expansion, as it is written."""
        return self.shell.symbols.new(self.shell.slice(self.part.start, self.part.end))


def _with_default(found: _Found, *, quoted: bool, fields: Fields | None) -> Value | None:
    part, shell = found.part, found.shell
    base = found.base()
    colon = part.operator.startswith(":")
    kind = part.operator[-1]
    empty = base is None or (colon and (base == "" or base == [] or base == [""]))
    if isinstance(base, list) and not base:
        empty = True
    if isinstance(base, str) and colon and _may_be_empty(shell, base):
        # A program that is not run prints nothing as far as a test is concerned.
        shell.hangs_on(part, base)
        empty = True
    if kind in "-=" and base is None and part.argument is not None:
        shell.knob(found.name, part)
    if kind == "+":
        if empty:
            return ""
    elif not empty:
        assert base is not None
        return _starred(shell, part, base, quoted=quoted)
    if kind == "?":
        shell.missing(part, found.argument())
        return shell.symbols.new(f"${part.name}")
    if kind == "=":
        text = found.argument()
        shell.assign(found.name, found.subscript(), text, part)
        return text
    if fields is not None and part.argument is not None:
        found.expander.add_argument(fields, part.argument)
        return None
    return found.argument()


def _may_be_empty(shell: Interpreter, text: str) -> bool:
    """Tell whether a text is nothing but symbols that may be empty."""
    return bool(text) and all(
        has_symbol(c) and not shell.symbols.is_plain(c) and shell.symbols.meaning(c).path is None
        for c in text
    )


def _length(found: _Found, base: Value | None) -> str:
    if base is None:
        found.refuse_unset()
        return "0"
    if isinstance(base, list):
        return str(len(base))
    return found.unknown() if has_symbol(base) else str(len(base))


def _starred(shell: Interpreter, part: Parameter, base: Value, *, quoted: bool) -> Value:
    """Join the elements of `"$*"` and `"${A[*]}"`, as quotes demand."""
    if not isinstance(base, list):
        return base
    star = part.name == "*" or _subscript(part) == "*" or part.prefix == "*"
    if not (star and quoted):
        return base
    joint = shell.separators()[:1]
    return cat([piece for item in base for piece in (joint, item)][1:])


def _of_list(found: _Found, base: list[str]) -> list[str]:
    if found.part.operator == ":":
        return _slice_list(found, base)
    if found.part.operator == "@":
        letter = found.argument()
        if letter in ("k", "K", "A"):
            return [found.unknown()]
    return [_of_text(found, item) for item in base]


def _slice_list(found: _Found, base: list[str]) -> list[str]:
    part, shell = found.part, found.shell
    offset, length = _numbers(found)
    if offset is None:
        return [found.unknown()]
    if part.name in ("@", "*"):
        base = [shell.own_path(), *base]
        if offset < 0:
            offset += len(base)
        return (
            base[max(offset, 0) :][: length if length is None else max(length, 0)]
            if (offset >= 0)
            else []
        )
    if length is not None and length < 0:
        shell.abandons(part, f"{length}: substring expression < 0")
        return []
    variable = shell.state.find(found.name)
    keyed = (
        list(enumerate(base))
        if variable is None
        else [
            (key if isinstance(key, int) else at, item)
            for at, (key, item) in enumerate(variable.ordered())
        ]
    )
    if offset < 0:
        offset += (keyed[-1][0] + 1) if keyed else 0
        if offset < 0:
            return []
    items = [item for key, item in keyed if key >= offset]
    return items if length is None else items[: max(length, 0)]


def _of_text(found: _Found, base: str) -> str:
    operator = found.part.operator
    if has_symbol(base) and operator in ("#", "##", "%", "%%"):
        known = paths.operated(found.shell.symbols, base, operator, _pattern(found))
        if known is not None:
            return known
    try:
        if operator == ":":
            return _substring(found, base)
        if operator in ("#", "##", "%", "%%"):
            return _removed(found, base)
        if operator[0] == "/":
            return _replaced(found, base)
        if operator[0] in "^,~":
            return _cased(found, base)
        return _transformed(found, base)
    except Unknown:
        return found.unknown()


def _pattern(found: _Found) -> str:
    argument = found.part.argument
    return "" if argument is None else found.expander.pattern(argument)


def _numbers(found: _Found) -> tuple[int | None, int | None]:
    """Return offset and length of a substring; offset None where they cannot be known."""
    part = found.part
    try:
        offset = int(found.expander.arithmetic(part.argument) or "0") if part.argument else 0
        if part.second is None:
            return offset, None
        return offset, int(found.expander.arithmetic(part.second) or "0")
    except ValueError:
        return None, None


def _substring(found: _Found, base: str) -> str:
    if has_symbol(base):
        return found.unknown()
    offset, length = _numbers(found)
    if offset is None:
        return found.unknown()
    start = offset + len(base) if offset < 0 else offset
    if start < 0 or start > len(base):
        return ""
    end = len(base) if length is None else (start + length if length >= 0 else len(base) + length)
    if end < start:
        found.shell.abandons(found.part, f"{length}: substring expression < 0")
        return ""
    return cut(base, start, max(start, min(end, len(base))))


def _removed(found: _Found, base: str) -> str:
    from verlgen.script.read import patterns

    operator, pattern = found.part.operator, _pattern(found)
    plain = found.shell.symbols.is_plain
    longest = len(operator) == 2
    if operator[0] == "#":
        length = patterns.prefix_length(pattern, base, longest, extglob=found.extglob, plain=plain)
        return base if length is None else cut(base, length, len(base))
    start = patterns.suffix_start(pattern, base, longest, extglob=found.extglob, plain=plain)
    return base if start is None else cut(base, 0, start)


def _replaced(found: _Found, base: str) -> str:
    from verlgen.script.read import patterns

    pattern = _pattern(found)
    replacement = _Replacement(found)
    pieces: list[str] = []
    at = 0
    spots = patterns.occurrences(
        pattern,
        base,
        found.part.operator,
        extglob=found.extglob,
        plain=found.shell.symbols.is_plain,
    )
    for start, end in spots:
        pieces += [cut(base, at, start), replacement.of(cut(base, start, end))]
        at = end
    return cat([*pieces, cut(base, at, len(base))]) if pieces else base


class _Replacement:
    """What `${X/pattern/replacement}` puts in: since bash 5.2 an unquoted `&` is what matched."""

    def __init__(self, found: _Found) -> None:
        word = found.part.second
        self._pieces: list[tuple[str, bool]] = []
        if word is None:
            return
        self._pieces = found.expander.pieces(word)
        if any("&" in text and not quoted for text, quoted in self._pieces):
            found.shell.uncertain(
                "bash-version", word, "& is what matched since bash 5.2, and itself before"
            )

    def of(self, matched: str) -> Text:
        """Return the replacement of one match."""
        made: list[str] = []
        for text, quoted in self._pieces:
            if quoted or "&" not in text:
                made.append(text)
                continue
            for number, piece in enumerate(text.split("&")):
                made += [matched, piece] if number else [piece]
        return cat(made)


def _cased(found: _Found, base: str) -> str:
    from verlgen.script.read import patterns

    if has_symbol(base):
        return found.unknown()
    operator = found.part.operator
    pattern = _pattern(found) or "?"
    change = {"^": str.upper, ",": str.lower, "~": str.swapcase}[operator[0]]
    everywhere = len(operator) == 2
    return "".join(
        change(char)
        if (everywhere or not at) and patterns.matches(pattern, char, extglob=found.extglob)
        else char
        for at, char in enumerate(base)
    )


def _transformed(found: _Found, base: str) -> str:
    from verlgen.script.read.escapes import single_quoted

    letter = str(found.argument())
    if letter == "Q":
        return single_quoted(base)
    if has_symbol(base):
        return found.unknown()
    if letter == "U":
        return base.upper()
    if letter == "L":
        return base.lower()
    if letter == "u":
        return base[:1].upper() + base[1:]
    return found.unknown()


def _subscript(part: Parameter) -> str | None:
    return None if part.index is None else _subscript_of(part.index)


def _subscript_of(word: Word) -> str | None:
    if len(word.parts) == 1 and isinstance(word.parts[0], Literal):
        return word.parts[0].text
    return None


def _is_all(part: Parameter) -> bool:
    return _subscript(part) in ("@", "*")
