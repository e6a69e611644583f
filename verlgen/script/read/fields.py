"""From the parts of a word to the fields that bash makes of them: splitting and joining."""

from __future__ import annotations

from verlgen.script.read.text import Text, cat, cut

_BLANKS = " \t\n"


class Fields:
    """Builds fields as bash does: quoted text stays together, unquoted results are split.

    Attributes:
        done: Fields that are complete.
        splits: Name of the last variable whose unquoted value began a new field in mid-word.
    """

    def __init__(self, separators: str) -> None:
        self._separators = separators
        self._parts: list[str] = []
        self._open = False
        self._broken = ""
        self.done: list[Text] = []

    def literal(self, text: str) -> None:
        """Add text as it was written without quotes: it is not split."""
        if text:
            self._parts.append(text)
            self._open = True

    def quoted(self, text: str) -> None:
        """Add quoted text: it makes a field even if it is empty."""
        self._parts.append(text)
        self._open = True

    def split(self, text: str, name: str = "") -> None:
        """Add the result of an unquoted expansion of the variable `name`."""
        pieces = split(text, self._separators)
        if pieces is None:
            if isinstance(text, Text) and text.unset:
                self._parts.append(text)  # makes no field, but tells why one is empty
            return
        leading, fields, trailing = pieces
        attached = self._open
        if leading:
            self.end()
        for number, field in enumerate(fields):
            if number:
                self._break(name if attached else "")
            self._parts.append(field)
            self._open = True
        if trailing:
            self.end()

    def many(self, texts: list[str], *, whole: bool) -> None:
        """Add `"$@"` or `"${A[@]}"` (whole), or the same unquoted: every element by itself."""
        for number, text in enumerate(texts):
            if number:
                self.end()
            if whole:
                self.quoted(text)
            else:
                self.split(text)

    def end(self) -> None:
        """End the field, if one has begun."""
        if self._open:
            parts = self._parts
            # A field that is one value keeps the place that the value has.
            lone = parts[0] if len(parts) == 1 and isinstance(parts[0], Text) else None
            text = lone if lone is not None else cat(parts)
            if self._broken:
                text = Text(text, text.spans, text.word, text.unset, self._broken)
            self.done.append(text)
        self._parts = []
        self._open = False
        self._broken = ""

    def _break(self, name: str) -> None:
        if name:
            self._broken = name
        self.end()
        self._broken = name

    def finish(self) -> list[Text]:
        """End the last field and return all."""
        self.end()
        return self.done


def split(text: str, separators: str) -> tuple[bool, list[Text], bool] | None:
    """Split a value as IFS says.

    Returns:
        Whether a separator stands in front, the fields, whether one stands behind; None for an
        empty value.
    """
    if not text:
        return None
    if not separators:
        return False, [cut(text, 0, len(text))], False
    blanks = [c for c in separators if c in _BLANKS]
    fields: list[Text] = []
    at, end = 0, len(text)
    while at < end and text[at] in blanks:
        at += 1
    leading = at > 0
    start = at
    trailing = False
    while at < end:
        if text[at] not in separators:
            at += 1
            trailing = False
            continue
        fields.append(cut(text, start, at))
        while at < end and text[at] in blanks:
            at += 1
        if at < end and text[at] in separators and text[at] not in blanks:
            at += 1
            while at < end and text[at] in blanks:
                at += 1
        start = at
        trailing = True
    if start < end:
        fields.append(cut(text, start, end))
    return leading, fields, trailing
