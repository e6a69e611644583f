"""`test`, `[` and `[[ ]]`: comparisons of texts, of numbers, and questions about files.

Answers are given where no value of the symbols could change them. A symbol by itself is never taken
for an operator.
"""

from __future__ import annotations

import operator as operators
from collections.abc import Callable
from typing import NamedTuple

from verlgen.script.read.arithmetic import Variables, evaluate
from verlgen.script.read.captures import captures
from verlgen.script.read.comparisons import in_order, integer, is_empty, same_text
from verlgen.script.read.doubt import Unknown
from verlgen.script.read.matching import Subject, found_anywhere, search
from verlgen.script.read.nodes import PlainTest, never_plain
from verlgen.script.read.patterns import matches
from verlgen.script.read.regexes import parsed
from verlgen.script.read.symbols import has_symbol

INTEGER_OPERATORS: dict[str, Callable[[int, int], bool]] = {
    "-eq": operators.eq,
    "-ne": operators.ne,
    "-lt": operators.lt,
    "-le": operators.le,
    "-gt": operators.gt,
    "-ge": operators.ge,
}
FILE_OPERATORS = frozenset(f"-{letter}" for letter in "abcdefghkprstuwxGLNOS")
FILE_PAIR_OPERATORS = frozenset(("-nt", "-ot", "-ef"))
TEXT_OPERATORS = frozenset(("=", "==", "!=", "<", ">"))
BINARY_OPERATORS = TEXT_OPERATORS | FILE_PAIR_OPERATORS | frozenset(INTEGER_OPERATORS)
UNARY_OPERATORS = FILE_OPERATORS | {"-z", "-n", "-v", "-o", "-R"}
MOST_ARGUMENTS = 500


def _no_answer(_first: str, _second: str) -> bool | None:
    return None


class Asked(NamedTuple):
    """What a condition may ask for.

    Attributes:
        plain: Tells whether the symbols of a text are plain: `Symbols.is_plain`.
        files: Answers `-e`, `-d`, … about a path; None if that cannot be known.
        is_set: Answers `-v` about a name (with a subscript, maybe).
        option: Answers `-o` about a shell option.
        variables: Variables for the numbers of `[[ ]]`, which are expressions.
        ignore_case: As `shopt -s nocasematch`.
    """

    plain: PlainTest = never_plain
    files: Callable[[str, str], bool | None] = _no_answer
    is_set: Callable[[str], bool] | None = None
    option: Callable[[str], bool] | None = None
    variables: Variables | None = None
    ignore_case: bool = False


class Answer(NamedTuple):
    """How `test` ends.

    Attributes:
        status: 0 true, 1 false, 2 a mistake.
        problem: bash's words for the mistake, or None.
    """

    status: int
    problem: str | None = None


class _Mistake(Exception):
    """bash refuses the condition."""


def test(arguments: list[str], asked: Asked) -> Answer:
    """Answer `test` (or `[`) by bash's rules, which go by the number of arguments.

    Args:
        arguments: The words behind `test`; of `[` without the last `]`.
        asked: What the condition may ask for.

    Raises:
        Unknown: The answer hangs on a symbol, or on something that cannot be asked.
    """
    if len(arguments) > MOST_ARGUMENTS:
        raise Unknown("a condition is very long")
    try:
        return Answer(0 if _Test(arguments, asked).value() else 1)
    except _Mistake as mistake:
        return Answer(2, str(mistake))


def unary(operator: str, operand: str, asked: Asked) -> bool:
    """Answer `[[ -z x ]]` and the like, which `[` has too.

    Raises:
        Unknown: The answer hangs on a symbol, or on something that cannot be asked.
    """
    if operator in ("-z", "-n"):
        return is_empty(operand, asked.plain) == (operator == "-z")
    if operator in ("-v", "-o"):
        ask = asked.is_set if operator == "-v" else asked.option
        if ask is None or has_symbol(operand):
            raise Unknown(f"what {operator} asks for is not known")
        return ask(operand)
    if operator not in FILE_OPERATORS:
        raise Unknown(f"what {operator} asks for is not known")
    answer = False if operand == "" and operator != "-t" else asked.files(operator, operand)
    if answer is None:
        raise Unknown(f"what {operator} asks for is not known")
    return answer


def binary(operator: str, left: str, right: str, asked: Asked) -> bool:
    """Answer `[[ left operator right ]]`, save `=~`.

    Args:
        operator: `=`, `==`, `!=` (right is a pattern), `<`, `>`, `-eq` …, `-nt` ….
        left: Text on the left.
        right: Text or pattern on the right.
        asked: What the condition may ask for.

    Raises:
        Unknown: The answer hangs on a symbol, or on something that cannot be asked.
        ArithmeticProblem: A number is none.
    """
    if operator in ("=", "==", "!="):
        same = matches(right, left, ignore_case=asked.ignore_case, plain=asked.plain)
        return same == (operator != "!=")
    if operator in INTEGER_OPERATORS:
        if asked.variables is None:
            raise Unknown("a number is not known")
        first = evaluate(left, asked.variables)
        return INTEGER_OPERATORS[operator](first, evaluate(right, asked.variables))
    return _binary_text(operator, left, right, asked)


def regex_matches(
    left: str, regex: str, *, ignore_case: bool = False, plain: PlainTest = never_plain
) -> bool:
    """Answer `[[ left =~ regex ]]`, which may be known where `regex_match` is not.

    Args:
        left: The text.
        regex: An extended regular expression; quoted special characters have a backslash.
        ignore_case: As `shopt -s nocasematch`.
        plain: Tells whether the symbols of a text are plain.

    Raises:
        Unknown: The answer hangs on a symbol, or the expression is odd.
    """
    node = parsed(regex, extended=True).node
    return found_anywhere(node, Subject(left, plain, ignore_case=ignore_case))


def regex_match(
    left: str, regex: str, *, ignore_case: bool = False, plain: PlainTest = never_plain
) -> list[str] | None:
    """Return what `[[ left =~ regex ]]` puts into BASH_REMATCH.

    Args:
        left: The text.
        regex: An extended regular expression; quoted special characters have a backslash.
        ignore_case: As `shopt -s nocasematch`.
        plain: Tells whether the symbols of a text are plain.

    Returns:
        The whole match and what each group matched, or None for no match.

    Raises:
        Unknown: The answer hangs on a symbol, or the expression is odd.
    """
    parsed_regex = parsed(regex, extended=True)
    subject = Subject(left, plain, ignore_case=ignore_case)
    found = search(parsed_regex.node, subject)
    if found is None:
        return None
    groups = captures(parsed_regex.node, subject, *found)
    spans = [found] + [groups.get(n + 1, (0, 0)) for n in range(parsed_regex.groups)]
    return [left[subject.offsets[start] : subject.offsets[end]] for start, end in spans]


def _binary_text(operator: str, left: str, right: str, asked: Asked) -> bool:
    if operator in ("<", ">"):
        order = in_order(left, right)
        return order < 0 if operator == "<" else order > 0
    if operator not in FILE_PAIR_OPERATORS:
        raise Unknown(f"a condition has an operator that is not known: {operator}")
    exists = [asked.files("-e", path) if path else False for path in (left, right)]
    if None in exists or exists == [True, True]:
        raise Unknown(f"what {operator} asks for is not known")
    return exists == {"-nt": [True, False], "-ot": [False, True]}.get(operator)


# --- test -------------------------------------------------------------------------------------


class _Test:
    """One `test` command."""

    def __init__(self, arguments: list[str], asked: Asked) -> None:
        self._arguments = arguments
        self._asked = asked
        self._position = 0
        self._depth = 0

    def value(self) -> bool:
        """Answer by the number of arguments."""
        words = self._arguments
        if len(words) == 4 and words[0] == "!":
            return not self._three(words[1:])
        if len(words) == 4 and words[0] == "(" and words[3] == ")":
            return self._two(words[1:3])
        if len(words) > 3:
            return self._expression()
        if len(words) == 3:
            return self._three(words)
        if len(words) == 2:
            return self._two(words)
        return bool(words) and self._one(words[0])

    def _one(self, word: str) -> bool:
        return not is_empty(word, self._asked.plain)

    def _two(self, words: list[str]) -> bool:
        operator, operand = words
        if operator == "!":
            return not self._one(operand)
        if operator in UNARY_OPERATORS:
            return self._unary(operator, operand)
        self._be_known(operator)
        if operator.startswith("-") and len(operator) == 2:
            raise _Mistake(f"{operator}: unary operator expected")
        raise _Mistake(f"{operator}: unary operator expected")

    def _three(self, words: list[str]) -> bool:
        first, operator, last = words
        if operator in BINARY_OPERATORS:
            return self._binary(first, operator, last)
        self._be_known(operator)
        if operator == "-a":
            return self._both(lambda: self._one(first), lambda: self._one(last), False)
        if operator == "-o":
            return self._both(lambda: self._one(first), lambda: self._one(last), True)
        if first == "!":
            return not self._two(words[1:])
        if first == "(" and last == ")":
            return self._one(operator)
        self._be_known(first)
        raise _Mistake(f"{operator}: binary operator expected")

    def _be_known(self, word: str) -> None:
        if has_symbol(word):
            raise Unknown("an operator of a condition is not known")

    def _both(self, first: Callable[[], bool], second: Callable[[], bool], decisive: bool) -> bool:
        """Join two answers; one that is decisive is enough, so the other may be unknown."""
        try:
            left = first()
        except Unknown:
            if second() == decisive:
                return decisive
            raise
        try:
            right = second()
        except Unknown:
            if left == decisive:
                return decisive
            raise
        return decisive if decisive in (left, right) else not decisive

    # --- more than four arguments ---

    def _expression(self) -> bool:
        value = self._or()
        if self._position < len(self._arguments):
            word = self._arguments[self._position]
            self._be_known(word)
            if word.startswith("-"):
                raise _Mistake(f"syntax error: `{word}' unexpected")
            raise _Mistake("too many arguments")
        return value

    def _at(self, word: str) -> bool:
        if self._position >= len(self._arguments):
            return False
        return self._arguments[self._position] == word

    def _or(self) -> bool:
        value = self._and()
        if not self._at("-o"):
            return value
        self._position += 1
        right = self._or()
        return value or right

    def _and(self) -> bool:
        value = self._term()
        if not self._at("-a"):
            return value
        self._position += 1
        right = self._and()
        return value and right

    def _term(self) -> bool:
        words = self._arguments
        negated = False
        while self._at("!"):
            negated = not negated
            self._position += 1
        if self._position >= len(words):
            raise _Mistake("argument expected")
        return self._plain_term() != negated

    def _plain_term(self) -> bool:
        if self._at("("):
            return self._parenthesis()
        words, start = self._arguments, self._position
        if start + 3 <= len(words) and words[start + 1] in BINARY_OPERATORS:
            self._position += 3
            return self._binary(words[start], words[start + 1], words[start + 2])
        if start + 2 <= len(words) and words[start] in UNARY_OPERATORS:
            self._position += 2
            return self._unary(words[start], words[start + 1])
        self._position += 1
        return self._one(words[start])

    def _parenthesis(self) -> bool:
        self._depth += 1
        if self._depth > 20:
            raise Unknown("a condition is nested too deeply")
        self._position += 1
        value = self._or()
        if not self._at(")"):
            raise _Mistake("`)' expected")
        self._position += 1
        self._depth -= 1
        return value

    # --- single questions ---

    def _unary(self, operator: str, operand: str) -> bool:
        return unary(operator, operand, self._asked)

    def _binary(self, left: str, operator: str, right: str) -> bool:
        if operator in ("=", "==", "!="):
            return same_text(left, right, self._asked.plain) == (operator != "!=")
        if operator in INTEGER_OPERATORS:
            return INTEGER_OPERATORS[operator](self._integer(left), self._integer(right))
        return _binary_text(operator, left, right, self._asked)

    def _integer(self, text: str) -> int:
        try:
            return integer(text)
        except ValueError:
            raise _Mistake(f"{text}: integer expression expected") from None
