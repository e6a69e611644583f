"""Places in a text with NUL characters, which bash drops as it reads a script."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from verlgen.script.read.syntax import CommandSubstitution, Node, Quoted, Statement


class Places:
    """Offsets in a text with NULs for those in the text without them.

    Attributes:
        text: The text without NULs.
    """

    def __init__(self, text: str) -> None:
        self.text = text.replace("\0", "")
        self._gaps: list[int] = []  # where NULs were, as offsets into the text without them
        at = text.find("\0")
        while at >= 0:
            self._gaps.append(at - len(self._gaps))
            at = text.find("\0", at + 1)

    def without(self, offset: int) -> int:
        """The offset without NULs for one with them."""
        low, high = 0, len(self._gaps)
        while low < high:
            middle = (low + high) // 2
            if self._gaps[middle] + middle < offset:
                low = middle + 1
            else:
                high = middle
        return offset - low

    def start(self, offset: int) -> int:
        """Where a character stands with NULs."""
        return offset + bisect_right(self._gaps, offset)

    def end(self, offset: int) -> int:
        """The same for an exclusive end."""
        return offset + bisect_left(self._gaps, offset)

    def move(self, statements: list[Statement]) -> None:
        """Give all nodes their places with NULs."""
        waiting: list[object] = list(statements)
        while waiting:
            item = waiting.pop()
            if isinstance(item, Node):
                self._move(item)
                waiting += _children(item)
            elif isinstance(item, (list, tuple)):
                waiting += item

    def _move(self, node: Node) -> None:
        size = node.end - node.start
        if isinstance(node, Quoted) and node.verbatim is not None:
            inside = bisect_right(self._gaps, node.verbatim)
            whole = bisect_left(self._gaps, node.verbatim + len(node.text)) <= inside
            node.verbatim = self.start(node.verbatim) if whole else None
        node.start = self.start(node.start)
        node.end = self.end(node.end) if size else node.start


def _children(node: Node) -> list[object]:
    """What a node holds; the commands of backquotes have places of their own."""
    names = [name for kind in type(node).__mro__ for name in getattr(kind, "__slots__", ())]
    if isinstance(node, CommandSubstitution) and not node.offsets:
        return []
    return [getattr(node, name) for name in names]
