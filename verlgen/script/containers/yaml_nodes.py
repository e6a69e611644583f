"""YAML with places, safe against what hostile files do. PyYAML is imported when it is needed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from verlgen.errors import UserError
from verlgen.script.containers.embedded import Embedded, Written

MAX_DEPTH = 64
MAX_VALUES = 20_000

# OmegaConf reads these as numbers where plain YAML 1.1 sees text.
_FLOAT = re.compile(r"[-+]?(\d[\d_]*(\.[\d_]*)?|\.[\d_]+)([eE][-+]?\d+)|[-+]?(\.\d+|\d+\.\d*)")
_BOOL = {"yes": True, "no": False, "true": True, "false": False, "on": True, "off": False}
_TAG = "tag:yaml.org,2002:"


class Document:
    """One YAML file: its documents as trees of nodes, and its lines.

    Args:
        text: The file's text.
        where: How the user names it, for errors.

    Raises:
        UserError: It is no YAML, or nested deeper than any config is.
    """

    def __init__(self, text: str, where: str) -> None:
        import yaml

        loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        self.where = where
        self.lines = text.split("\n")
        self._count = 0
        try:
            _check_depth(yaml.parse(text, loader), where)
            self.roots: list[Any] = [
                root for root in yaml.compose_all(text, loader) if root is not None
            ]
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            line = f":{mark.line + 1}:{mark.column + 1}" if mark else ""
            raise UserError(
                f"this is not valid YAML: {error.problem or error.context}", where=where + line
            ) from None
        except yaml.YAMLError as error:
            raise UserError(
                "this is not valid YAML: " + str(error).splitlines()[0], where=where
            ) from None

    def value(self, node: Any) -> Any:
        """Return a node as plain data, scalars as OmegaConf reads them.

        Raises:
            UserError: There is too much of it (aliases of aliases), or a tag that is not data.
        """
        return self._value(node, 0)

    def _value(self, node: Any, depth: int) -> Any:
        self._count += 1
        if depth > MAX_DEPTH or self._count > MAX_VALUES:
            raise UserError(
                f"holds more than {MAX_VALUES:,} values or {MAX_DEPTH} levels, aliases counted "
                "each time",
                where=self.place(node),
            )
        if node.id == "mapping":
            return {
                str(self._value(key, depth + 1)): self._value(item, depth + 1)
                for key, item in node.value
            }
        if node.id == "sequence":
            return [self._value(item, depth + 1) for item in node.value]
        return self._scalar(node)

    def _scalar(self, node: Any) -> Any:
        from yaml.constructor import ConstructorError, SafeConstructor

        text = str(node.value)
        kind = node.tag.removeprefix(_TAG)
        if kind == "str" and not node.style and _FLOAT.fullmatch(text):
            kind = "float"
        try:
            if kind == "null":
                return None
            if kind == "bool":
                return _BOOL[text.lower()]
            if kind == "int":
                return SafeConstructor().construct_yaml_int(node)
            if kind == "float":
                return SafeConstructor().construct_yaml_float(node)
        except (ConstructorError, KeyError, ValueError, OverflowError):
            return text
        if kind in ("str", "timestamp", "merge", "value"):
            return text
        raise UserError(f"the tag {node.tag} is not plain data", where=self.place(node))

    def place(self, node: Any) -> str:
        """Return `file:line:column` of a node."""
        mark = node.start_mark
        return f"{self.where}:{mark.line + 1}:{mark.column + 1}"

    def written(self, node: Any, text: str) -> Written:
        """Return text that a node stands for, with the node's place."""
        start, end = node.start_mark, node.end_mark
        line = self.lines[start.line] if start.line < len(self.lines) else ""
        stop = end.column if end.line == start.line else len(line)
        length = len(line[start.column : stop].encode("utf-8", "replace"))
        return Written(text, start.line + 1, start.column + 1, length)

    def embedded(self, node: Any, name: str, inner: str | None = None, **more: Any) -> Embedded:
        """Return the text of a scalar as shell text that leads back to the file.

        Args:
            node: The scalar.
            name: What people call it.
            inner: The shell text, where it is only a part of the scalar (`bash -c '…'`).
            **more: Other fields.
        """
        text = str(node.value)
        shell = text if inner is None else inner
        mapped = self._mapped(node, text)
        at = text.find(shell)
        if mapped is None or at < 0:
            return Embedded(shell, name, node.start_mark.line + 1, 0, False, **more)
        line, column = mapped
        before = text[:at]
        line += before.count("\n")
        # Blanks in place of what stands before keep the columns of the first line.
        shell = " " * (len(before) - before.rfind("\n") - 1) + shell
        return Embedded(shell, name, line, column, True, **more)

    def _mapped(self, node: Any, text: str) -> tuple[int, int] | None:
        """Return first line and column offset of a scalar that stands in the file verbatim."""
        start = node.start_mark
        if node.style == "|":
            return self._literal(start.line + 1, text)
        if "\n" in text or start.line != node.end_mark.line:
            return None
        column = start.column + (node.style in ("'", '"'))
        line = self.lines[start.line]
        return (start.line + 1, column) if line[column : column + len(text)] == text else None

    def _literal(self, row: int, text: str) -> tuple[int, int] | None:
        lines = text.split("\n")
        width = None
        for number, line in enumerate(lines):
            source = self.lines[row + number] if row + number < len(self.lines) else ""
            source = source.rstrip("\r")
            if not line.strip():
                continue
            if width is None:
                width = len(source) - len(line)
            if width < 0 or source[width:] != line:
                return None
        return row + 1, width or 0


def _check_depth(events: Iterator[Any], where: str) -> None:
    """Refuse nesting that would overrun the stack of a recursive reader."""
    depth = 0
    for event in events:
        name = type(event).__name__
        if name.endswith("StartEvent") and name[0] in "SM" and name != "StreamStartEvent":
            depth += 1
            if depth > MAX_DEPTH:
                line = event.start_mark.line + 1
                raise UserError(f"nested deeper than {MAX_DEPTH} levels", where=f"{where}:{line}")
        elif name in ("SequenceEndEvent", "MappingEndEvent"):
            depth -= 1


def get(node: Any, *path: str) -> Any:
    """Return the node that a path of keys leads to, or None."""
    for key in path:
        if node is None or node.id != "mapping":
            return None
        node = next((item for name, item in node.value if str(name.value) == key), None)
    return node


def text_of(node: Any) -> str | None:
    """Return the text of a scalar, or None where it is none or null."""
    if node is None or node.id != "scalar" or node.tag == _TAG + "null":
        return None
    return str(node.value)


def items(node: Any) -> list[tuple[str, Any]]:
    """Return key and node of each entry of a mapping; nothing for other nodes."""
    if node is None or node.id != "mapping":
        return []
    return [(str(name.value), item) for name, item in node.value if name.id == "scalar"]
