"""A laid-out launch -> the text of a script. The only module that imports jinja2."""

from __future__ import annotations

import re
from collections.abc import Sequence

import jinja2

from verlgen import __version__
from verlgen.resources import templates_dir
from verlgen.script.layout import Layout
from verlgen.script.quoting import one_line

_IN_QUOTES = re.compile(r"""'([^']*)'|"(?:[^"\\]|\\.)*["]""", re.DOTALL)
_SLIPS = {
    "SC1003": re.compile(r"\\\Z"),  # a backslash before the closing quote: to escape it?
    "SC2016": re.compile(r"[$`]"),  # to be expanded?
}


def render(
    layout: Layout,
    *,
    title: str,
    command: Sequence[str],
    release: str,
    about: Sequence[str] = (),
    prelude: Sequence[str] = (),
    start: Sequence[str],
) -> str:
    """Return the script.

    Args:
        layout: Its parts.
        title: What it does, in one line.
        command: The command line that makes it, for the header.
        release: The verl release it is for.
        about: Further lines of the header.
        prelude: Shell lines between the knobs and the arrays.
        start: Shell text of the command that starts the trainer, and of Hydra's flags, a line each.
    """
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(templates_dir()),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # shell text, which verlgen.script.quoting has quoted
    )
    return environment.get_template("run.sh.j2").render(
        layout=layout,
        title=one_line_text(title),
        version=__version__,
        command=one_line(["verlgen", *command]),
        release=release,
        about=[one_line_text(line) for line in about],
        shellcheck_off=_shellcheck_off(layout),
        prelude=prelude,
        start=start,
    )


def _shellcheck_off(layout: Layout) -> list[str]:
    """Return the checks of shellcheck that take a value's `$` or backslash for a slip."""
    found = (match for value in layout.values for match in _IN_QUOTES.finditer(value))
    quoted = [match[1] for match in found if match[1] is not None]
    return [name for name, slip in _SLIPS.items() if any(map(slip.search, quoted))]


def one_line_text(text: str) -> str:
    """Return a text fit for a comment: whatever would end the line becomes a blank."""
    return " ".join(text.split())
