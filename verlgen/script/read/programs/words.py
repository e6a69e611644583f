"""`xargs`, as far as it only joins words."""

from __future__ import annotations

import re

from verlgen.script.read.doubt import Unknown
from verlgen.script.read.programs.common import be_known, count

_TOKEN = re.compile(
    r"""(?P<blank>[ \t\n]+)|'(?P<single>[^'\n]*)'|"(?P<double>[^"\n]*)"|\\(?P<escaped>.)"""
    r"""|(?P<plain>[^ \t\n'"\\]+)""",
    re.DOTALL,
)
LONGEST = 50_000


def xargs(arguments: list[str], stdin: str) -> tuple[str, int]:
    """Return the words of the input, `-n` of them to a line, as `xargs echo` prints them."""
    be_known("xargs", stdin, *arguments)
    if len(stdin) > LONGEST:
        raise Unknown("xargs works on a very long text")
    words = list(arguments)
    size, skip_empty = 0, False
    while words and words[0].startswith("-"):
        option = words.pop(0)
        if option in ("-r", "--no-run-if-empty"):
            skip_empty = True
        elif option == "-n" and words:
            size = count("xargs", words.pop(0))
        elif option.startswith("-n") and len(option) > 2:
            size = count("xargs", option[2:])
        else:
            raise Unknown(f"xargs has an option that is not read: {option}")
        if option.startswith("-n") and not size:
            raise Unknown("xargs is used in a way that is not read")
    if words[:1] not in ([], ["echo"]):
        raise Unknown(f"xargs runs {words[0]}")
    found = _words(stdin)
    if not found and skip_empty:
        return "", 0
    fixed = words[1:]
    step = size or len(found) or 1
    batches = [found[start : start + step] for start in range(0, len(found), step)] or [[]]
    lines = [fixed + batch for batch in batches]
    if any(line and line[0].startswith("-") for line in lines):
        raise Unknown("xargs gives echo an option")
    return "".join(" ".join(line) + "\n" for line in lines), 0


def _words(text: str) -> list[str]:
    words: list[str] = []
    current: str | None = None
    position = 0
    while position < len(text):
        found = _TOKEN.match(text, position)
        if found is None or "\0" in found[0]:
            raise Unknown("xargs complains about a quote")
        position = found.end()
        if found["blank"] is not None:
            if current is not None:
                words.append(current)
            current = None
            continue
        piece = next(part for part in found.groups()[1:] if part is not None)
        current = (current or "") + piece
    if current is not None:
        words.append(current)
    return words
