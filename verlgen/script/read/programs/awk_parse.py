"""The grammar of awk, as far as it is read: programs become functions of a running machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from verlgen.script.read.programs import awk_values as values
from verlgen.script.read.programs.awk_expressions import Expressions
from verlgen.script.read.programs.awk_meaning import (
    Expression,
    Statement,
    leave,
    next_record,
    print_record,
    printf,
)
from verlgen.script.read.programs.awk_tokens import tokens

if TYPE_CHECKING:
    from verlgen.script.read.programs.awk import Machine


class Rule(NamedTuple):
    """A pattern and what is done where it holds.

    Attributes:
        phase: `BEGIN`, `END` or empty.
        pattern: The pattern, or None.
        body: The statements.
    """

    phase: str
    pattern: Expression | None
    body: list[Statement]


def parsed_program(text: str) -> list[Rule]:
    """Return the rules of a program.

    Raises:
        Unknown: It has something that is not read.
    """
    return _Parser(tokens(text)).rules()


class _Parser(Expressions):
    """Recursive descent over the words of a program: its rules and statements."""

    def rules(self) -> list[Rule]:
        found: list[Rule] = []
        self._skip(";", "\n")
        while self._position < len(self._tokens):
            phase = self._peek() if self._peek() in ("BEGIN", "END") else ""
            pattern: Expression | None = None
            if phase:
                self._take()
                if self._peek() != "{":
                    raise self._odd()
            elif self._peek() != "{":
                pattern = self._expression()
            body: list[Statement] = [print_record]
            if self._peek() == "{":
                body = self._block()
            found.append(Rule(phase, pattern, body))
            self._skip(";", "\n")
        return found

    def _block(self) -> list[Statement]:
        self._deeper()
        self._take("{")
        body: list[Statement] = []
        self._skip(";", "\n")
        while self._peek() != "}":
            body.append(self._statement())
            if self._peek() not in ("}", ";", "\n") and self._tokens[self._position - 1][1] != "}":
                raise self._odd()
            self._skip(";", "\n")
        self._take("}")
        self._depth -= 1
        return body

    def _statement(self) -> Statement:
        word = self._peek()
        if word in ("print", "printf"):
            self._take()
            return self._print(word)
        if word == "if":
            return self._if()
        if word == "next":
            self._take()
            return next_record
        if word == "exit":
            self._take()
            status = None if self._ends() else self._expression()
            return lambda machine: leave(status, machine)
        expression = self._expression()

        def run(machine: Machine) -> None:
            expression(machine)

        return run

    def _ends(self) -> bool:
        return self._peek() in ("end", ";", "\n", "}")

    def _if(self) -> Statement:
        self._deeper()
        self._take("if")
        self._take("(")
        condition = self._expression()
        self._take(")")
        then = self._branch()
        mark = self._position
        self._skip(";", "\n")
        otherwise: list[Statement] = []
        if self._peek() == "else":
            self._take()
            otherwise = self._branch()
        else:
            self._position = mark
        self._depth -= 1

        def run(machine: Machine) -> None:
            for statement in then if values.truth(condition(machine)) else otherwise:
                statement(machine)

        return run

    def _branch(self) -> list[Statement]:
        self._skip("\n")
        return self._block() if self._peek() == "{" else [self._statement()]

    def _print(self, word: str) -> Statement:
        arguments = self._print_arguments()
        if word == "printf":
            if not arguments:
                raise self._odd()
            return lambda machine: machine.print(printf(arguments, machine))

        def run(machine: Machine) -> None:
            found = [values.text(argument(machine)) for argument in arguments]
            line = values.text(machine.value("OFS")).join(found)
            if not arguments:
                line = values.text(machine.field(0))
            machine.print(line + values.text(machine.value("ORS")))

        return run

    def _print_arguments(self) -> list[Expression]:
        if self._ends():
            return []
        mark = self._position
        if self._peek() == "(":
            self._take()
            arguments = self._list(")")
            if self._ends():
                return arguments
            self._position = mark
        self._in_print = True
        arguments = [self._expression()]
        while self._peek() == ",":
            self._take()
            arguments.append(self._expression())
        self._in_print = False
        if not self._ends():
            raise self._odd()
        return arguments
