"""The text, the place in it, blanks and comments, operators, and the messages about them."""

from __future__ import annotations

import re
from typing import NoReturn

from verlgen.script.read.parser.problem import SyntaxProblem
from verlgen.script.read.syntax import Redirection

# Constructs inside each other. Real scripts stay below fifteen; each level costs up to ten Python
# frames, and the interpreter walks the same depth.
DEEPEST = 100

BREAKS = frozenset(" \t\n;&|()<>")
RESERVED = frozenset(
    ["if", "then", "else", "elif", "fi", "case", "esac", "for", "select", "while", "until", "do",
     "done", "in", "function", "time", "coproc", "{", "}", "!", "[[", "]]"]
)  # fmt: skip

# A comment begins where a word could begin, and this is only asked for there.
_BLANKS = re.compile(r"[ \t]*(?:\\\n[ \t]*)*(?:#[^\n]*)?")
_JOINS = re.compile(r"(?:\\\n)*")
_OPERATOR = re.compile(r"&&|&>>|&>|&|\|\||\|&|\||;;&|;;|;&|;|\(|\)|<<<|<<-|<<|<>|<&|<|>>|>\||>&|>")
_OPERATORS = frozenset(
    ["&&", "&>>", "&>", "&", "||", "|&", "|", ";;&", ";;", ";&", ";", "(", ")", "<<<", "<<-", "<<",
     "<>", "<&", "<", ">>", ">|", ">&", ">"]
)  # fmt: skip
_KEYWORD = re.compile(
    r"(?:(?:[a-z]|\\\n){2,}|(?:[{}!]|\[\[|\]\])(?:\\\n)*)(?=[ \t\n;&|()]|[<>](?!\()|\Z)"
)
_SHOWN = re.compile(r"[^ \t\n;&|()<>]{1,40}")


class Document:
    """A here-document whose body has not come yet."""

    __slots__ = ("delimiter", "quoted", "redirection", "tabs", "tail")

    def __init__(
        self, redirection: Redirection, delimiter: str, quoted: bool, tabs: bool, tail: bool
    ) -> None:
        self.redirection = redirection
        self.delimiter = delimiter
        self.quoted = quoted
        self.tabs = tabs  # `<<-`
        self.tail = tail  # inside `$( )`, where the delimiter may be followed by the `)`


class Cursor:
    """A place in a text.

    Attributes:
        text: All of it.
        extglob: Whether `@(…)` and the like are patterns, as they are in `[[ ]]` at any time.
        pos: Where reading goes on.
        end: Where the text ends for now (a here-document's body is read with its own end).
    """

    def __init__(self, text: str, start: int, depth: int) -> None:
        self.text = text
        self.pos = start
        self.end = len(text)
        self.documents: list[Document] = []
        self.extglob = True
        self.substitutions = 0  # how many `$( )` and `<( )` the place is inside of
        self._open: list[tuple[str, int]] = []
        self._outer_depth = depth
        self._keyword_at = -1
        self._keyword = ("", -1)

    # --- nesting ------------------------------------------------------------------------------

    @property
    def depth(self) -> int:
        """How many constructs are open."""
        return self._outer_depth + len(self._open)

    def enter(self, what: str, offset: int) -> None:
        """Note that a construct opens; `what` is how a message calls it."""
        self._open.append((what, offset))
        if len(self._open) + self._outer_depth > DEEPEST:
            raise SyntaxProblem(f"more than {DEEPEST} constructs inside each other", offset)

    def leave(self) -> None:
        """Note that the innermost construct is closed."""
        self._open.pop()

    def narrow(self, start: int, stop: int) -> tuple[int, int, list[Document], int]:
        """Go to a place and let the text end at another for now; see `widen`."""
        saved = (self.pos, self.end, self.documents, len(self._open))
        self.pos, self.end, self.documents = start, stop, []
        self._keyword_at = -1
        return saved

    def widen(self, saved: tuple[int, int, list[Document], int]) -> None:
        """Undo `narrow`, also after a problem."""
        self.pos, self.end, self.documents, opened = saved
        del self._open[opened:]
        self._keyword_at = -1

    # --- messages -----------------------------------------------------------------------------

    def line(self, offset: int) -> int:
        """Line of an offset, from 1."""
        return self.text.count("\n", 0, offset) + 1

    def unclosed(self, what: str, offset: int) -> NoReturn:
        """Refuse a text that ends inside of something."""
        raise SyntaxProblem(
            f"unexpected end: the {what} opened in line {self.line(offset)} is never closed",
            self.end,
            end_of_input=True,
        )

    def unexpected(self) -> NoReturn:
        """Refuse what stands here."""
        self.blanks()
        if self.pos >= self.end:
            if self._open:
                self.unclosed(*self._open[-1])
            raise SyntaxProblem("unexpected end", self.end, end_of_input=True)
        operator = self.operator()[0]
        if self.text[self.pos] == "\n":
            raise SyntaxProblem("unexpected end of line", self.pos)
        shown = _SHOWN.match(self.text, self.pos, self.end)
        what = operator or (shown.group() if shown else self.text[self.pos])
        raise SyntaxProblem(f"unexpected `{what}`", self.pos)

    # --- small tokens -------------------------------------------------------------------------

    def blanks(self) -> None:
        """Skip blanks, continued line ends and a comment."""
        match = _BLANKS.match(self.text, self.pos, self.end)
        if match:
            self.pos = match.end()

    def joins(self, pos: int) -> int:
        """Offset behind any backslash-newline pairs at an offset."""
        if not self.text.startswith("\\", pos, self.end):
            return pos
        match = _JOINS.match(self.text, pos, self.end)
        return match.end() if match else pos

    def peek(self) -> str:
        """The next character, or "" at the end."""
        return self.text[self.pos] if self.pos < self.end else ""

    def newlines(self) -> bool:
        """Skip blanks, comments and line ends, with the here-documents that follow them."""
        seen = False
        self.blanks()
        while self.pos < self.end and self.text[self.pos] == "\n":
            self.newline()
            seen = True
            self.blanks()
        return seen

    def newline(self) -> None:
        """Step over the line end that stands here; the bodies of here-documents come next."""
        self.pos += 1
        if self.documents:
            self.read_documents()

    def read_documents(self) -> None:
        """Read the bodies of the here-documents that wait for them."""
        raise NotImplementedError

    def operator(self) -> tuple[str, int]:
        """The operator that stands here and the offset behind it, or ("", …)."""
        match = _OPERATOR.match(self.text, self.pos, self.end)
        if match is None:
            return "", self.pos
        found, end = match.group(), match.end()
        # `&\<newline>&` is `&&`.
        while self.text.startswith("\\\n", end, self.end):
            after = self.joins(end)
            if after >= self.end or found + self.text[after] not in _OPERATORS:
                break
            found, end = found + self.text[after], after + 1
        return found, end

    def keyword(self) -> tuple[str, int]:
        """The reserved word that stands here and the offset behind it, or ("", …)."""
        if self._keyword_at == self.pos:
            return self._keyword
        match = _KEYWORD.match(self.text, self.pos, self.end)
        self._keyword_at = self.pos
        self._keyword = ("", self.pos)
        if match:
            word = match.group()
            if "\\" in word:
                word = word.replace("\\\n", "")
            if word in RESERVED:
                self._keyword = (word, match.end())
        return self._keyword
