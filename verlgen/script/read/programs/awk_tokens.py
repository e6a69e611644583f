"""The words of an awk program."""

from __future__ import annotations

import re

from verlgen.script.read.doubt import Unknown

_TOKEN = re.compile(
    r"(?P<blank>[ \t]+|\\\n|#[^\n]*)"
    r"|(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r'|(?P<string>"(?:[^"\\\n]|\\.)*")'
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<operator>\+\+|--|[-+*/%^]=|==|!=|<=|>=|&&|\|\||!~|[-+*/%^!~<>=?:,;(){}\n$])",
    re.DOTALL,
)
_REGEX = re.compile(r"/((?:[^/\\\n\[]|\\.|\[\^?\]?[^]\n]*\])*)/")
_STRING_ESCAPES = {"n": "\n", "t": "\t", "\\": "\\", '"': '"', "/": "/"}


def tokens(text: str) -> list[tuple[str, str]]:
    """Return the kinds and texts of the words.

    Raises:
        Unknown: Something is none of awk's words.
    """
    found: list[tuple[str, str]] = []
    position = 0
    while position < len(text):
        operand_before = bool(found) and (
            found[-1][0] in ("number", "string", "name") or found[-1][1] in (")", "$", "++", "--")
        )
        if text[position] == "/" and not operand_before:
            regex = _REGEX.match(text, position)
            if regex is None:
                raise Unknown("awk has a program that is not read")
            found.append(("regex", regex[1].replace("\\/", "/")))
            position = regex.end()
            continue
        token = _TOKEN.match(text, position)
        if token is None:
            raise Unknown("awk has a program that is not read")
        position = token.end()
        kind = token.lastgroup or ""
        if kind != "blank":
            found.append((kind, token[kind]))
    return found


def string_value(written: str) -> str:
    """Return what a string in quotes stands for.

    Raises:
        Unknown: It has an unusual escape.
    """

    def resolve(escape: re.Match[str]) -> str:
        if escape[1] not in _STRING_ESCAPES:
            raise Unknown("awk has an escape that is not read")
        return _STRING_ESCAPES[escape[1]]

    return re.sub(r"\\(.)", resolve, written[1:-1], flags=re.DOTALL)
