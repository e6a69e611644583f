"""What may stand where the cursor is: the engine of shell completion.

Shells differ in what they take for a word and in what they replace, so this answers with whole
words; each shell's script (templates/completion.*) fits them to its shell. It runs at every press
of Tab: nothing here imports Hydra, OmegaConf, Jinja or rich, and a table or a YAML file is read
only when the word asks for it.
"""

from __future__ import annotations

from verlgen.cli.complete.cursor import find
from verlgen.cli.complete.found import Candidates, shortened
from verlgen.cli.complete.given import read
from verlgen.cli.complete.line import split

__all__ = ["Candidates", "candidates"]


def candidates(line: str) -> Candidates:
    """Return what the word at the end of a command line may become, best first.

    Where nothing begins with the word, keys whose end it is may come instead (`train_batch` for
    `data.train_batch_size=`). Nothing at all means that the shell may complete a file.

    Args:
        line: The command line up to the cursor, the program's name first.
    """
    words = split(line)
    if words is None or len(words) < 2:
        return []
    *before, word = words[1:]
    given = read(before)
    return [] if given is None else [(text, shortened(about)) for text, about in find(given, word)]
