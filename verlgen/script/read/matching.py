"""Matching of patterns on text that may hold symbols, without backtracking.

Shell patterns and regular expressions are parsed into the same few nodes. A node is run on a *set*
of positions at once, kept as the bits of one integer, and gives the set of positions where its
matches end; so no pattern takes more than (nodes x length) steps, save negations and repetitions,
which a budget bounds.

Where the text holds symbols, two sets are kept: the ends that some value of the symbols allows
(`may`) and the ends that all values allow (`must`). An answer counts where the two agree.
A symbol takes two places: its beginning, and "somewhere inside".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from verlgen.script.read.doubt import Unknown
from verlgen.script.read.nodes import (
    ANY,
    CLASSES,
    At,
    Chars,
    Choice,
    Group,
    Node,
    Opaque,
    PlainTest,
    Repeat,
    Sequence,
    never_plain,
)
from verlgen.script.read.symbols import has_symbol

LONGEST_TEXT = 20_000
MOST_WORK = 400_000


class Subject:
    """A text laid out for matching.

    Args:
        text: The text, with symbols.
        plain: Tells whether the symbols of a text are plain.
        ignore_case: Whether letters match in either case.

    Raises:
        Unknown: The text is too long.
    """

    def __init__(
        self, text: str, plain: PlainTest = never_plain, *, ignore_case: bool = False
    ) -> None:
        if len(text) > LONGEST_TEXT:
            raise Unknown("a pattern is matched on a very long text")
        self.text = text
        self._fold = ignore_case
        self._work = 0
        self.symbolic = has_symbol(text)
        self.offsets: list[int] = []
        """Offset of each position in the text; -1 inside a symbol."""
        slots: list[str] = []
        self._starts = 0
        self._plain_starts = 0
        for offset, character in enumerate(text):
            if self.symbolic and has_symbol(character):
                self._starts |= 1 << len(slots)
                if plain(character):
                    self._plain_starts |= 1 << len(slots)
                slots += [character, ""]
                self.offsets += [offset, -1]
            else:
                slots.append(character)
                self.offsets.append(offset)
        self.offsets.append(len(text))
        self._slots = slots
        self.end = len(slots)
        self.everywhere = (1 << (self.end + 1)) - 1
        self.boundaries = self.everywhere & ~(self._starts << 1)
        self._empties = self._starts & ~self._plain_starts
        self._masks: dict[Chars, int] = {}
        self._by_character: dict[str, int] | None = None
        self._price = 1 + self.end // 2048

    def run(self, node: Node, places: int, may: bool, *, closed: bool = False) -> int:
        """Return the places where matches of the node end that begin at one of the places.

        Args:
            node: What to match.
            places: Positions as bits.
            may: Whether ends count that only some values of the symbols allow.
            closed: Whether to leave aside that a symbol at the places may be empty.

        Raises:
            Unknown: It is too much work.
        """
        if may and self.symbolic and not closed:
            places = self._closed(places)
        return self._run(node, places, may)

    def _run(self, node: Node, places: int, may: bool) -> int:
        if not places:
            return 0
        self._work += self._price
        if self._work > MOST_WORK:
            raise Unknown("a pattern takes too much work")
        if isinstance(node, Chars):
            return self._step(node, places, may)
        if isinstance(node, Sequence):
            for inner in node.nodes:
                places = self._run(inner, places, may)
            return places
        if isinstance(node, Choice):
            found = 0
            for inner in node.nodes:
                found |= self._run(inner, places, may)
            return found
        if isinstance(node, Repeat):
            return self._repeat(node, places, may)
        if isinstance(node, Group):
            return self._run(node.node, places, may)
        if isinstance(node, At):
            return self._at(node.place, places, may)
        if isinstance(node, Opaque):
            return self._opaque(node, places, may)
        return self._not(node.node, places, may)

    def _closed(self, places: int) -> int:
        """Add the places behind symbols that may be empty."""
        while True:
            more = places | (places & self._empties) << 2
            if more == places:
                return places
            places = more

    def _step(self, node: Chars, places: int, may: bool) -> int:
        mask = self._mask(node)
        found = (places & mask) << 1
        if not may or not self.symbolic:
            return found
        starts = self._starts if node.in_plain() else self._empties
        begun = places & starts
        inside = places & (starts << 1)
        return self._closed(found | begun << 1 | begun << 2 | inside | inside << 1)

    def _mask(self, node: Chars) -> int:
        mask = self._masks.get(node)
        if mask is None:
            accepts = self._folded(node) if self._fold else node.accepts
            mask = 0
            for character, places in self._characters().items():
                if accepts(character):
                    mask |= places
            self._masks[node] = mask
        return mask

    def _folded(self, node: Chars) -> Callable[[str], bool]:
        """Return how a set takes characters if letters match in either case."""
        if "upper" in node.tests or "lower" in node.tests:
            raise Unknown("what a class of letters is without regard to case is not known")
        join = all if node.negated else any
        return lambda c: join(map(node.accepts, (c, c.lower(), c.upper())))

    def _characters(self) -> dict[str, int]:
        if self._by_character is None:
            backwards = self._slots[::-1]
            known = {slot for slot in self._slots if slot and not has_symbol(slot)}
            self._work += self._price * len(known)
            self._by_character = {
                character: int("".join("1" if s == character else "0" for s in backwards), 2)
                for character in known
            }
        return self._by_character

    def _repeat(self, node: Repeat, places: int, may: bool) -> int:
        if node.node == ANY and node.low == 0 and node.high is None:
            first = (places & -places).bit_length() - 1
            reach = self.everywhere if may else self.boundaries
            return reach >> first << first
        for _ in range(node.low):
            places = self._run(node.node, places, may)
            if not places:
                return 0
        found = fresh = places
        count = node.low
        while fresh and (node.high is None or count < node.high):
            fresh = self._run(node.node, fresh, may) & ~found
            found |= fresh
            count += 1
        return found

    def _at(self, place: str, places: int, may: bool) -> int:
        if place == "^":
            return places & (self._closed(1) if may else 1)
        last = 1 << self.end
        if place == "$":
            if may and self.symbolic:
                return sum(1 << p for p in bits(places) if self._closed(1 << p) & last)
            return places & last
        if self.symbolic:
            return places if may else 0
        return sum(1 << p for p in bits(places) if self._edge(place, p))

    def _edge(self, place: str, position: int) -> bool:
        before = position > 0 and CLASSES["word"](self.text[position - 1])
        behind = position < self.end and CLASSES["word"](self.text[position])
        if place == "<":
            return behind and not before
        if place == ">":
            return before and not behind
        return (before != behind) == (place == "b")

    def _opaque(self, node: Opaque, places: int, may: bool) -> int:
        if may:
            first = (places & -places).bit_length() - 1
            return self.everywhere >> first << first
        same = sum(1 << p for p in bits(places) if self._at_symbol(p, node.character))
        return same << 2

    def _at_symbol(self, position: int, character: str) -> bool:
        return position < self.end and self._slots[position] == character

    def _not(self, node: Node, places: int, may: bool) -> int:
        found = 0
        for place in bits(places):
            reach = (self.everywhere if may else self.boundaries) >> place << place
            known = bool((1 << place) & self.boundaries)
            if not self.symbolic:
                ends = self._run(node, 1 << place, may)
            elif may:
                ends = self._run(node, 1 << place, False) if known else 0
            else:
                ends = self._run(node, self._closed(1 << place), True)
            found |= reach & ~ends
        return found

    def is_boundary(self, position: int) -> bool:
        """Tell whether a position is not inside a symbol."""
        return self.offsets[position] >= 0


def bits(places: int) -> Iterator[int]:
    """Return the positions of the bits that are set, in order."""
    while places:
        lowest = places & -places
        yield lowest.bit_length() - 1
        places ^= lowest


# --- answers ----------------------------------------------------------------------------------


def whole(node: Node, subject: Subject) -> bool:
    """Tell whether a node matches the whole of a text.

    Raises:
        Unknown: It hangs on a symbol, or is too much work.
    """
    last = 1 << subject.end
    if not subject.run(node, 1, True) & last:
        return False
    if not subject.symbolic or subject.run(node, 1, False) & last:
        return True
    raise Unknown("whether a pattern matches hangs on a part that is not known")


def end_of(
    node: Node, subject: Subject, start: int, *, longest: bool = True, searching: bool = False
) -> int | None:
    """Return the position where the longest (shortest) match from a position ends, None for none.

    Args:
        node: What to match.
        subject: The text.
        start: Position where the match begins.
        longest: Whether the longest match is meant, or the shortest.
        searching: Whether the following positions are tried too, so that a symbol at the start
            that turns out to be empty need not be thought of here.

    Raises:
        Unknown: It hangs on a symbol, or is too much work.
    """
    may = subject.run(node, 1 << start, True, closed=searching)
    if not may:
        return None
    position = may.bit_length() - 1 if longest else (may & -may).bit_length() - 1
    if not subject.symbolic:
        return position
    if subject.is_boundary(start) and subject.is_boundary(position):
        must = subject.run(node, 1 << start, False)
        if must >> position & 1:
            return position
    raise Unknown("where a pattern matches hangs on a part that is not known")


def search(node: Node, subject: Subject, start: int = 0) -> tuple[int, int] | None:
    """Return the positions of the leftmost longest match from a position on, None for none.

    Raises:
        Unknown: It hangs on a symbol, or is too much work.
    """
    for first in range(start, subject.end + 1):
        end = end_of(node, subject, first, searching=True)
        if end is not None:
            return first, end
    return None


def found_anywhere(node: Node, subject: Subject) -> bool:
    """Tell whether a node matches any part of a text.

    Raises:
        Unknown: It hangs on a symbol, or is too much work.
    """
    if not subject.run(node, subject.everywhere, True):
        return False
    if not subject.symbolic or subject.run(node, subject.boundaries, False):
        return True
    raise Unknown("whether a pattern matches hangs on a part that is not known")
