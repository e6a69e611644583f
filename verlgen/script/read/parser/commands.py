"""Simple commands, pipelines and lists."""

from __future__ import annotations

import re

from verlgen.script.read.parser.assignments import Assignments
from verlgen.script.read.parser.cursor import BREAKS
from verlgen.script.read.parser.expansions import literal
from verlgen.script.read.syntax import (
    Assignment,
    Command,
    Function,
    Pipeline,
    Redirection,
    Simple,
    Statement,
    Word,
)

# Builtins whose arguments may be assignments, arrays included; and others that may be handed
# array syntax, as plain text.
_DECLARING = frozenset(["declare", "typeset", "local", "export", "readonly"])
_ACCEPTING = frozenset(["eval", "let", "alias"])
# What ends a list of commands.
CLOSERS = frozenset(["then", "elif", "else", "fi", "do", "done", "esac", "}"])
_REDIRECTING = frozenset("<>&{0123456789")
_TIME_OPTION = re.compile(r"(-p|--)(?=[ \t\n;&|()<>]|\Z)")


class Commands(Assignments):
    """Reads commands that are not compound, and what joins commands."""

    # Whether a reserved word may stand behind the command read last without a `;`.
    reserved_next = False
    # Where `$(time …` has its first word: there `time` is the program.
    no_time = -1

    def compound(self) -> Command | None:
        """The compound command that begins here, with its redirections, or None."""
        raise NotImplementedError

    # --- lists --------------------------------------------------------------------------------

    def sequence(self) -> list[Statement]:
        """The commands up to a closing reserved word or operator, which is not read."""
        statements: list[Statement] = []
        self.newlines()
        while self.pos < self.end:
            if self.text[self.pos] in ";)" or self.keyword()[0] in CLOSERS:
                break
            statement = self.statement()
            statements.append(statement)
            operator, end = self.operator()
            if operator in (";", "&"):
                self.pos = end
                statement.background = operator == "&"
                self.newlines()
            elif not self.newlines():
                # `{ { a; } }` is fine, but `{ { a; } >f }` is not.
                if self.at_word() and not self.reserved_next:
                    self.unexpected()
                break
        return statements

    def body(self) -> list[Statement]:
        """A list that must not be empty."""
        statements = self.sequence()
        if not statements:
            self.unexpected()
        return statements

    def statement(self) -> Statement:
        """Pipelines joined by `&&` and `||`; blanks behind them are skipped."""
        start = self.pos
        pipelines = [self.pipeline()]
        operators: list[str] = []
        while True:
            self.blanks()
            if self.pos >= self.end or self.text[self.pos] not in "&|":
                break
            operator, end = self.operator()
            if operator not in ("&&", "||"):
                break
            self.pos = end
            operators.append(operator)
            self.newlines()
            pipelines.append(self.pipeline())
        return Statement(start, pipelines[-1].end, pipelines, operators, False)

    def pipeline(self) -> Pipeline:
        """Commands joined by `|`, with what stands in front of them."""
        start = end = self.pos
        negated = timed = False
        while (word := self.keyword())[0] in ("!", "time"):
            if self.pos == self.no_time and word[0] == "time":
                break
            self.pos = end = word[1]
            if word[0] == "!":
                negated = not negated
            else:
                timed = True
                end = self._time_options(end)
            self.blanks()
        if end != start and (not self.peek() or self.peek() in "\n;"):
            self.reserved_next = False
            return Pipeline(start, end, [], negated, timed)
        commands = [self._first_command()]
        while True:
            self.blanks()
            if self.pos >= self.end or self.text[self.pos] != "|":
                break
            operator, after = self.operator()
            if operator == "||":
                break
            if operator == "|&":
                self.implied(commands[-1], self.pos, after)
            self.pos = after
            self.newlines()
            if self.keyword()[0] == "time":  # the program, behind a bar
                commands.append(self.simple())
            else:
                commands.append(self.command())
        return Pipeline(start, commands[-1].end, commands, negated, timed)

    def _time_options(self, end: int) -> int:
        """Skip `-p` and `--` behind `time`; the offset behind what there is."""
        for option in ("-p", "--"):
            self.blanks()
            match = _TIME_OPTION.match(self.text, self.pos, self.end)
            if match and match.group(1) == option:
                self.pos = end = match.end()
        return end

    def _first_command(self) -> Command:
        if self.pos == self.no_time and self.keyword()[0] == "time":
            return self.simple()
        return self.command()

    def command(self) -> Command:
        """A command of any kind."""
        found = self.compound()
        return self.simple() if found is None else found

    # --- simple commands ----------------------------------------------------------------------

    def simple(self) -> Command:
        """A simple command, or a function that begins like one."""
        start = self.pos
        assignments: list[Assignment] = []
        words: list[Word | Assignment] = []
        redirections: list[Redirection] = []
        declaring = accepting = False
        arrays = True  # bash takes no array behind `declare >file` or `A=1 >file`
        end = start
        self._command_word = start
        while True:
            char = self.peek()
            found = self.redirection() if char in _REDIRECTING else None
            if found is None and (not char or (char in BREAKS and not self.at_word())):
                break
            if found is not None:
                redirections.append(found)
                end = found.end
                arrays = arrays and not assignments and not words
                accepting = False
                self.blanks()
                continue
            item = None
            if not words or declaring:
                item = self.assignment(bool(words) or not arrays, arrays)
            elif accepting:
                item = self.array_text()
            if item is None:
                item = self.word()
            end = item.end
            self.blanks()
            if isinstance(item, Assignment) and not words:
                assignments.append(item)
                continue
            words.append(item)
            if len(words) == 1 and isinstance(item, Word):
                if self.peek() == "(" and not assignments and not redirections:
                    return self._function(start, item)
                self._command_word = -1
                name = literal(item)
                declaring, accepting = name in _DECLARING, arrays and name in _ACCEPTING
        self._command_word = -1
        if end == start:
            self.unexpected()
        self.reserved_next = False
        command = Simple(start, end, assignments, words)
        command.redirections = redirections
        return command

    def _function(self, start: int, name: Word) -> Function:
        """`name() body`, from the opening parenthesis."""
        self.pos += 1
        self.blanks()
        if self.peek() != ")":
            self.unexpected()
        self.pos += 1
        self._command_word = -1
        return self.function_body(start, name)

    def function_body(self, start: int, name: Word) -> Function:
        """The rest of a function, behind its parentheses or name."""
        self.newlines()
        if self.keyword()[0] in ("function", "coproc"):
            self.unexpected()
        self.enter("function", start)
        body = self.compound()
        if body is None:
            self.unexpected()
        self.leave()
        text = self.text[name.start : name.end].replace("\\\n", "")
        return Function(start, body.end, text, body)
