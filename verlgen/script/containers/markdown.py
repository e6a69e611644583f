"""Scripts in documents: fenced blocks of Markdown, code blocks of reStructuredText, prompts."""

from __future__ import annotations

import re

from verlgen.script.containers.embedded import Embedded

_FENCE = re.compile(r"(?P<indent>(?:[ \t]|> ?)*)(?P<fence>`{3,}|~{3,})(?P<info>[^`]*)$")
_DIRECTIVE = re.compile(r"(?P<indent>\s*)\.\. (?:code-block|code|sourcecode)::\s*(?P<info>\S*)\s*$")
_SHELL = {"bash", "sh", "shell", "zsh", "console", "shell-session", "sh-session", "shellsession",
          "shellscript", "shell-script", "terminal", "bashrc", "slurm", "sbatch"}  # fmt: skip
_UNMARKED = {"", "text", "txt", "plaintext", "plain", "none", "code"}
_LAUNCH = re.compile(
    r"\bmain_ppo\b|_trainer\b|\btorchrun\b|\bray\s+job\s+submit\b"
    r"|\bpython[\d.]*\s(?:[^\n]|\\\n)*?-m\s*[\w.]*(?:verl|recipe|main_)"
    r"|\bpython[\d.]*\s+\S+\.py\s(?:[^\n]|\\\n)*?\b\w+\.\w[\w.]*="
)
_PROMPT = re.compile(
    r"\s*(?:\([\w.-]+\)\s*)?(?:[\w.-]+@[\w.-]+[:\s][^$#\n]{0,80})?\$ |\s*(?:\([\w.-]+\)\s*)"
    r"(?:[\w.-]+@[\w.-]+[:\s][^$#\n]{0,80})# "
)


def is_document(text: str) -> bool:
    """Tell whether text has fenced blocks: a pasted issue, a file without a telling name."""
    return any(_FENCE.match(line) for line in text.split("\n"))


def scripts(text: str) -> list[Embedded]:
    """Return the shell scripts in the blocks of a document, in order."""
    lines = text.split("\n")
    found: list[Embedded] = []
    row = 0
    while row < len(lines):
        fence = _FENCE.match(lines[row])
        directive = None if fence else _DIRECTIVE.match(lines[row])
        if fence:
            stop = _fence_end(lines, row + 1, fence["fence"])
            block, column = _unindented(lines[row + 1 : stop], fence["indent"])
            start, info = row + 1, fence["info"]
            row = stop + 1
        elif directive:
            start, stop = _directive_body(lines, row + 1, len(directive["indent"]))
            block, column = _unindented(lines[start:stop], None)
            info = directive["info"]
            row = max(stop, row + 1)
        else:
            row += 1
            continue
        if _is_shell(info, block):
            script = without_prompts("\n".join(block) + "\n")
            found.append(Embedded(script, f"block {len(found) + 1}", start + 1, column))
    return found


def without_prompts(text: str) -> str:
    """Return what was typed at a shell's prompts; output and prompts become blanks.

    Text that does not begin with a prompt is returned as it is: a script may well print one. Every
    character keeps its place.
    """
    lines = text.split("\n")
    first = next((line for line in lines if line.strip() and not line.startswith("#")), "")
    if not _PROMPT.match(first):
        return text
    kept: list[str] = []
    typed = False
    for line in lines:
        prompt = _PROMPT.match(line)
        if prompt:
            line = " " * prompt.end() + line[prompt.end() :]
        elif typed and line.startswith("> "):
            line = "  " + line[2:]
        elif not typed:
            line = ""
        kept.append(line)
        typed = line.rstrip("\r").endswith("\\")
    return "\n".join(kept)


def _is_shell(info: str, block: list[str]) -> bool:
    language = re.split(r"[\s,{:]", info.strip().strip("{}.").lower(), maxsplit=1)[0]
    if language in _SHELL:
        return True
    return language in _UNMARKED and _LAUNCH.search("\n".join(block)) is not None


def _fence_end(lines: list[str], row: int, fence: str) -> int:
    """Return the row of the closing fence, or behind the last line."""
    closing = re.compile(rf"(?:[ \t]|> ?)*{re.escape(fence[0])}{{{len(fence)},}}\s*$")
    for end in range(row, len(lines)):
        if closing.match(lines[end]):
            return end
    return len(lines)


def _directive_body(lines: list[str], row: int, indent: int) -> tuple[int, int]:
    """Return first row and end of a directive's body, behind its options."""
    while row < len(lines) and re.match(r"\s+:[\w-]+:", lines[row]):
        row += 1
    while row < len(lines) and not lines[row].strip():
        row += 1
    end = row
    while end < len(lines) and (
        not lines[end].strip() or len(lines[end]) - len(lines[end].lstrip()) > indent
    ):
        end += 1
    return row, end


def _unindented(block: list[str], indent: str | None) -> tuple[list[str], int]:
    """Return the lines without what stands before all of them, and how many characters that is.

    Only what a line really has is cut. Lines that have less lose all of their leading blanks, as
    Markdown has it; their columns are then too large by the difference.
    """
    if indent is None:
        widths = [len(line) - len(line.lstrip()) for line in block if line.strip()]
        width = min(widths, default=0)
    else:
        width = len(indent)
    cut = []
    for line in block:
        head = line[:width]
        lead = len(head) if not head.strip(" \t>") else len(head) - len(head.lstrip(" \t>"))
        cut.append(line[lead:])
    return cut, width
