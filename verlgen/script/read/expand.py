"""Words -> what bash makes of them: braces, tilde, parameters, substitutions, splitting."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from verlgen.script.read import parameters
from verlgen.script.read.braces import TooManyWords, expand_braces
from verlgen.script.read.doubt import Unknown
from verlgen.script.read.fields import Fields
from verlgen.script.read.symbols import has_symbol
from verlgen.script.read.syntax import (
    Arithmetic,
    BadSubstitution,
    CommandSubstitution,
    DoubleQuoted,
    Literal,
    Parameter,
    Part,
    ProcessSubstitution,
    Quoted,
    Word,
)
from verlgen.script.read.text import Text, cat, with_word

if TYPE_CHECKING:
    from verlgen.script.read.interpreter import Interpreter

_SPECIAL = re.compile(r"([\\*?\[\](){}|+@!^.$-])")
_ASSIGNED = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\+?=")


class Expander:
    """Expands words for an interpreter, whose state it reads and, for `${X:=w}`, changes."""

    def __init__(self, shell: Interpreter) -> None:
        self._shell = shell

    def fields(self, word: Word) -> list[Text]:
        """Return the fields that a word of a command becomes."""
        try:
            words = expand_braces(word)
        except TooManyWords:
            self._shell.uncertain(
                "brace-expansion", word, "too many words to expand; left as it is"
            )
            words = [word]
        made: list[Text] = []
        for one in words:
            made += self._fields_of(one)
        return made

    def _fields_of(self, word: Word) -> list[Text]:
        fields = Fields(self._shell.separators())
        parts = word.parts
        if parts and isinstance(parts[0], Literal):
            assigned = _ASSIGNED.match(parts[0].text) is not None
            parts = self._tilde(parts, assigned=assigned, word=True)
        for part in parts:
            self._add(fields, part)
        done = fields.finish()
        if "nullglob" in self._shell.state.shopt and any(
            isinstance(part, Literal) and re.search(r"[*?]|\[.*\]", part.text) for part in parts
        ):
            return []
        if len(done) == 1 and not _is_expansion(parts):
            place = self._shell.place(word)
            return [done[0] if place is None else with_word(done[0], place)]
        if len(done) == 1 and len(done[0]) == 1 and has_symbol(done[0]) and _unquoted(parts):
            return [Text(done[0], done[0].spans, done[0].word, done[0].unset, "*")]
        if any(field.cut for field in done):
            # Pieces of a broken word: what is wrong is how that word is written.
            place = self._shell.place(word)
            return [with_word(field, place) if field.cut else field for field in done]
        return done

    def _add(self, fields: Fields, part: Part) -> None:
        if isinstance(part, Literal):
            fields.literal(self._copy(part.text, part.start))
        elif isinstance(part, Quoted):
            fields.quoted(self._quoted(part))
        elif isinstance(part, DoubleQuoted):
            self._add_double_quoted(fields, part)
        elif isinstance(part, Parameter):
            self._add_parameter(fields, part)
        elif isinstance(part, CommandSubstitution):
            fields.split(self._shell.substitute(part), self._shell.slice(part.start, part.end))
        elif isinstance(part, Arithmetic):
            fields.split(self.arithmetic(part.expression, part))
        else:
            fields.literal(self._process(part))

    def _add_double_quoted(self, fields: Fields, node: DoubleQuoted) -> None:
        texts: list[str] = []
        empty_list = False
        for part in node.parts:
            if isinstance(part, Parameter):
                value = parameters.value(self._shell, self, part, quoted=True)
                if isinstance(value, list):
                    if value:
                        fields.quoted(cat([*texts, value[0]]))
                        texts = []
                        for element in value[1:]:
                            fields.end()
                            fields.quoted(element)
                    else:
                        empty_list = True
                    continue
                texts.append("" if value is None else value)
            else:
                texts.append(self._double_quoted_text(part))
        if len(texts) == 1:
            fields.quoted(texts[0])
        elif texts or not (empty_list or fields_has_list(node)):
            fields.quoted(cat(texts))

    def _add_parameter(self, fields: Fields, part: Parameter) -> None:
        value = parameters.value(self._shell, self, part, quoted=False, fields=fields)
        if value is None:
            return  # its argument has gone into the fields
        if isinstance(value, list):
            if part.name in ("@", "*") and not part.operator:
                self._shell.used_unquoted_at(part)
            fields.many(value, whole=False)
        else:
            fields.split(value, part.name)

    def add_argument(self, fields: Fields, word: Word) -> None:
        """Add the argument of an unquoted `${X:-w}`: its literal text is split like a value."""
        parts = word.parts
        if parts and isinstance(parts[0], Literal):
            parts = self._tilde(parts, assigned=False)
        for part in parts:
            if isinstance(part, Literal):
                fields.split(self._copy(part.text, part.start))
            else:
                self._add(fields, part)

    def text(self, word: Word, *, assigned: bool = False) -> Text:
        """Return a word expanded without splitting: a value, a `case` word, a file name."""
        parts = word.parts
        if parts and isinstance(parts[0], Literal):
            parts = self._tilde(parts, assigned=assigned)
        elif assigned:
            parts = self._tilde(parts, assigned=True)
        texts = [self._text_of(part) for part in parts]
        if len(texts) == 1 and isinstance(texts[0], Text) and _is_expansion(parts):
            return texts[0]
        place = self._shell.place(word)
        joined = cat(texts)
        return joined if place is None else with_word(joined, place)

    def pieces(self, word: Word) -> list[tuple[str, bool]]:
        """Return a word's parts expanded, and whether each is quoted."""
        parts = word.parts
        if parts and isinstance(parts[0], Literal):
            parts = self._tilde(parts, assigned=False)
        return [(self._text_of(part), isinstance(part, Quoted | DoubleQuoted)) for part in parts]

    def _text_of(self, part: Part) -> str:
        if isinstance(part, Literal):
            return self._copy(part.text, part.start)
        if isinstance(part, Quoted):
            return self._quoted(part)
        if isinstance(part, DoubleQuoted):
            texts = [
                self._joined(part_)
                if isinstance(part_, Parameter)
                else self._double_quoted_text(part_)
                for part_ in part.parts
            ]
            return texts[0] if len(texts) == 1 else cat(texts)
        if isinstance(part, Parameter):
            return self._joined(part, quoted=False)
        if isinstance(part, CommandSubstitution):
            return self._shell.substitute(part)
        if isinstance(part, Arithmetic):
            return self.arithmetic(part.expression, part)
        return self._process(part)

    def _joined(self, part: Parameter, *, quoted: bool = True) -> str:
        value = parameters.value(self._shell, self, part, quoted=quoted, fields=None)
        if isinstance(value, list):
            return cat([piece for element in value for piece in (" ", element)][1:])
        return "" if value is None else value

    def pattern(self, word: Word) -> str:
        """Return a word as a pattern: what is quoted is escaped."""
        made = []
        for part in word.parts:
            if isinstance(part, Literal):
                made.append(part.text)
            elif isinstance(part, Quoted | DoubleQuoted):
                made.append(_escaped(self._text_of(part)))
            else:
                made.append(self._text_of(part))
        return "".join(made)

    def regex(self, word: Word) -> str:
        """Return the right side of `=~`: what is quoted stands for itself."""
        made = []
        for part in word.parts:
            if isinstance(part, Quoted | DoubleQuoted):
                made.append(re.sub(r"([\\.^$*+?()\[\]{}|])", r"\\\1", self._text_of(part)))
            else:
                made.append(self._text_of(part))
        return "".join(made)

    def arithmetic(
        self, expression: Word, node: Arithmetic | None = None, *, command: bool = False
    ) -> str:
        """Return the value of `$((…))` as text; a symbol where it cannot be known.

        A mistake in it makes bash give the line up, but for a `command` of its own (`((…))`).
        """
        from verlgen.script.read import arithmetic

        text = "".join(self._text_of(part) for part in expression.parts)
        try:
            return str(arithmetic.evaluate(text, self._shell.arithmetic_variables()))
        except Unknown:
            start, end = (
                (expression.start, expression.end) if node is None else (node.start, node.end)
            )
            return self._shell.symbols.new(self._shell.slice(start, end))
        except arithmetic.ArithmeticProblem as problem:
            if command:
                self._shell.fails(expression, str(problem))
            else:
                self._shell.abandons(expression, str(problem))
            return ""

    def _double_quoted_text(self, part: Part) -> str:
        if isinstance(part, Literal):
            return self._copy(part.text, part.start)
        return self._text_of(part)

    def _process(self, part: Part) -> str:
        if isinstance(part, BadSubstitution):
            self._shell.abandons(part, f"{part.text[:40]}: {part.message}")
            return ""
        assert isinstance(part, ProcessSubstitution)
        symbol = self._shell.symbols.new(part.text)
        printed = self._shell.run_aside(part.body)
        if part.text.startswith("<"):
            known = printed if self._shell.output_known(printed) else None
            self._shell.files[symbol] = known
        return symbol

    def _quoted(self, part: Quoted) -> str:
        if part.verbatim is None:
            return Text(part.text)
        return self._copy(part.text, part.verbatim)

    def _copy(self, text: str, offset: int) -> str:
        return self._shell.copy_of(text, offset)

    def _tilde(self, parts: list[Part], *, assigned: bool, word: bool = False) -> list[Part]:
        """Return the parts with unquoted `~` at the front replaced by the home folder.

        In the value of an assignment, also behind every `:`; a whole `word` that looks like an
        assignment has its value behind the first `=`.
        """
        if not any(isinstance(part, Literal) and "~" in part.text for part in parts):
            return parts
        made: list[Part] = []
        for number, part in enumerate(parts):
            if not isinstance(part, Literal) or "~" not in part.text:
                made.append(part)
                continue
            last = number == len(parts) - 1
            at = 0
            text = part.text
            for found in re.finditer(r"~[^/:]*", text):
                before = text[: found.start()]
                begins = (not before and number == 0) or (
                    assigned
                    and before
                    and (
                        before[-1] == ":"
                        or (number == 0 and _ASSIGNED.fullmatch(before) is not None and word)
                    )
                )
                whole = found.end() < len(text) or last
                if not begins or not whole:
                    continue
                home = self._home(found[0])
                if home is None:
                    continue
                start = part.start + at
                made.append(Literal(start, part.start + found.start(), text[at : found.start()]))
                made.append(
                    Quoted(part.start + found.start(), part.start + found.end(), home, None)
                )
                at = found.end()
            made.append(Literal(part.start + at, part.end, text[at:]))
        return [part for part in made if not isinstance(part, Literal) or part.text]

    def _home(self, tilde: str) -> str | None:
        if tilde == "~root":
            return "/root"
        name = {"~": "HOME", "~+": "PWD", "~-": "OLDPWD"}.get(tilde)
        return None if name is None else self._shell.get(name)


def fields_has_list(node: DoubleQuoted) -> bool:
    """Tell whether a list (`"$@"`) alone decides which fields a quotation makes."""
    return any(
        isinstance(part, Parameter) and (part.name == "@" or parameters.is_list(part))
        for part in node.parts
    )


def _is_expansion(parts: list[Part]) -> bool:
    """Tell whether a word is nothing but one expansion, so that its value keeps its own place."""
    if len(parts) != 1:
        return False
    part = parts[0]
    if isinstance(part, DoubleQuoted):
        return len(part.parts) == 1 and not isinstance(part.parts[0], Literal | Quoted)
    return not isinstance(part, Literal | Quoted)


def _unquoted(parts: list[Part]) -> bool:
    return not any(isinstance(part, Quoted | DoubleQuoted) for part in parts)


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)
