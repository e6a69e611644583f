"""Where text of words stands, and so what is special in it and where it ends."""

from __future__ import annotations

import re


class Context:
    """How to read the text of a word in one kind of place.

    Attributes:
        run: Matches ordinary characters (perhaps none).
        close: Characters that end the text.
        open: Characters that demand one of `pair` more before the end.
        pair: Their counterparts.
        quoted: Whether expansions are as between double quotes.
        apostrophes: Whether `'` hides the end of the text although it stands for itself: so it is
            in `"${X:-'}'}"` and in arithmetic.
        inner: What `"` begins where it does not close: the context inside of it.
        shallow: Those of `close` that are ordinary text inside a pair.
        bare_escapes: Whether a backslash disappears before any character.
    """

    __slots__ = (
        "apostrophes", "bare_escapes", "close", "inner", "open", "pair", "quoted", "run", "shallow",
    )  # fmt: skip

    def __init__(
        self,
        close: str,
        special: str,
        *,
        pairs: str = "",
        quoted: bool = False,
        apostrophes: bool = False,
        inner: Context | None = None,
        shallow: str = "",
        bare_escapes: bool = False,
    ) -> None:
        ends = re.escape(close + pairs + special)
        self.run = re.compile(f"[^{ends}]*")
        self.close = close
        self.open = pairs[::2]
        self.pair = pairs[1::2]
        self.quoted = quoted
        self.apostrophes = apostrophes
        self.inner = inner
        self.shallow = shallow
        self.bare_escapes = bare_escapes


_UNQUOTED = "\\'\"`$"
_QUOTED = "\\`$"

# A word among others; `(` ends it too, but for an extended glob.
WORD = Context(" \t\n;&|)", _UNQUOTED + "<>(")
# The right side of `=~`.
REGEX = Context(" \t\n;&)<>", _UNQUOTED + "(")
# What stands in the parentheses of an extended glob or a regular expression.
PARENTHESES = Context(")", _UNQUOTED, pairs="()")
# A subscript in front of `=`.
INDEX = Context("]", _UNQUOTED, pairs="[]")
# The same in an argument of `declare`, where a blank ends the word.
ARGUMENT_INDEX = Context("] \t\n;&|()<>", _UNQUOTED, pairs="[]")
# `${X[…]`, `${X-…}`, `${X/…/` outside of double quotes, and patterns inside of them.
BRACE_INDEX = Context("]}", _UNQUOTED, pairs="[]")
BRACE = Context("}", _UNQUOTED + "<>")
BRACE_PATTERN = Context("/}", _UNQUOTED + "<>")

DOUBLE = Context('"', _QUOTED, quoted=True)
# `"${X:-"…"}"`: bash takes these inner quotes away first, and odd backslashes with them.
DOUBLE_INNER = Context('"', _QUOTED, quoted=True, bare_escapes=True)
QUOTED_BRACE = Context("}", _QUOTED + "'\"", quoted=True, apostrophes=True, inner=DOUBLE_INNER)
ARITHMETIC = Context(
    ")", _QUOTED + "'\"", pairs="()", quoted=True, apostrophes=True, inner=DOUBLE
)  # fmt: skip
OLD_ARITHMETIC = Context(
    "]", _QUOTED + "'\"", pairs="[]", quoted=True, apostrophes=True, inner=DOUBLE
)
FOR_ARITHMETIC = Context(
    ";)",
    _QUOTED + "'\"",
    pairs="()",
    quoted=True,
    apostrophes=True,
    inner=DOUBLE,
    shallow=";",
)
# `${X:offset:length}`: the `:` of `a?b:c` is no end.
OFFSET = Context(
    ":}", _QUOTED + "'\"", pairs="()?:", quoted=True, apostrophes=True, inner=DOUBLE
)  # fmt: skip
# A here-document; text between apostrophes in a QUOTED_BRACE or in arithmetic.
DOCUMENT = Context("", _QUOTED, quoted=True)
DOCUMENT_LINE = Context("\n", _QUOTED, quoted=True)
APOSTROPHES = Context("", _QUOTED + '"', quoted=True)
BRACE_APOSTROPHES = Context("", _QUOTED + '"', quoted=True)
# Where `\}` is a brace.
BRACE_ESCAPES = (QUOTED_BRACE, BRACE_APOSTROPHES)
