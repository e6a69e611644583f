"""What the groups of a pattern match."""

from __future__ import annotations

from verlgen.script.read.doubt import Unknown
from verlgen.script.read.matching import Subject, bits
from verlgen.script.read.nodes import At, Choice, Group, Node, Not, Repeat, Sequence, has_place

_UNPLAIN = "what the groups of a pattern match is not plain"


def captures(node: Node, subject: Subject, start: int, end: int) -> dict[int, tuple[int, int]]:
    """Return what each group of a match took.

    The earlier part takes as much as it can. Libraries differ on alternatives and repetitions for
    which that is not all that is to be said; those are not told.

    Raises:
        Unknown: It hangs on a symbol or on the library, or is too much work.
    """
    parts = node.nodes if isinstance(node, Sequence) else (node,)
    if any(not isinstance(part, At) and has_place(part) for part in parts):
        raise Unknown(_UNPLAIN)
    found: dict[int, tuple[int, int]] = {}
    _capture(node, subject, start, end, found)
    return found


def _capture(
    node: Node, subject: Subject, start: int, end: int, found: dict[int, tuple[int, int]]
) -> None:
    if isinstance(node, Group):
        found[node.number] = (start, end)
        _capture(node.node, subject, start, end, found)
    elif isinstance(node, Sequence):
        for index, inner in enumerate(node.nodes):
            rest = Sequence(node.nodes[index + 1 :])
            middle = _split(inner, rest, subject, start, end)
            _capture(inner, subject, start, middle, found)
            start = middle
    elif isinstance(node, Choice):
        for inner in node.nodes:
            if _reaches(inner, subject, start, end):
                _capture(inner, subject, start, end, found)
                return
    elif isinstance(node, Repeat):
        _capture_rounds(node, subject, start, end, found)


def _capture_rounds(
    node: Repeat, subject: Subject, start: int, end: int, found: dict[int, tuple[int, int]]
) -> None:
    if not _has_group(node.node):
        return
    if node.high != 1 and not (
        isinstance(node.node, Group)
        and not _has_group(node.node.node)
        and not subject.run(node.node, 1 << start, True) >> start & 1
    ):
        raise Unknown(_UNPLAIN)
    rounds = 0
    while start < end or rounds < node.low:
        rounds += 1
        high = None if node.high is None else node.high - rounds
        rest = Repeat(node.node, max(0, node.low - rounds), high)
        middle = _split(node.node, rest, subject, start, end)
        if middle == start:
            raise Unknown(_UNPLAIN)
        _capture(node.node, subject, start, middle, found)
        start = middle


def _has_group(node: Node) -> bool:
    if isinstance(node, Group):
        return True
    if isinstance(node, (Sequence, Choice)):
        return any(_has_group(inner) for inner in node.nodes)
    return isinstance(node, (Repeat, Not)) and _has_group(node.node)


def _split(node: Node, rest: Node, subject: Subject, start: int, end: int) -> int:
    """Return where the longest match of a node ends behind which the rest reaches the end."""
    within = (1 << (end + 1)) - 1
    ends = subject.run(node, 1 << start, True) & within
    must = subject.run(node, 1 << start, False) if subject.symbolic else ends
    for position in sorted(bits(ends), reverse=True):
        if subject.run(rest, 1 << position, True) >> end & 1:
            if not (must >> position & 1 and _reaches(rest, subject, position, end)):
                break
            for choice in _choices(node):
                _agree(choice, rest, subject, start, position, end)
            return position
    raise Unknown("what the groups of a pattern match hangs on a part that is not known")


def _choices(node: Node) -> list[Choice]:
    """Return the alternatives that a match of the node may begin with."""
    if isinstance(node, Choice):
        return [node, *(inner for part in node.nodes for inner in _choices(part))]
    if isinstance(node, Sequence):
        return [inner for part in node.nodes for inner in _choices(part)]
    return _choices(node.node) if isinstance(node, (Group, Repeat)) else []


def _agree(
    choice: Choice, rest: Node, subject: Subject, start: int, position: int, end: int
) -> None:
    """Check that taking the first alternative that fits gives the longest match too."""
    for inner in choice.nodes:
        ends = subject.run(inner, 1 << start, True)
        if ends >> position & 1:
            return
        if any(subject.run(rest, 1 << p, True) >> end & 1 for p in bits(ends) if p <= end):
            raise Unknown(_UNPLAIN)


def _reaches(node: Node, subject: Subject, start: int, end: int) -> bool:
    if not subject.run(node, 1 << start, True) >> end & 1:
        return False
    if subject.symbolic and not subject.run(node, 1 << start, False) >> end & 1:
        raise Unknown("what the groups of a pattern match hangs on a part that is not known")
    return True
