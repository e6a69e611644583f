"""A composed launch as a script, or as its settings with their origins."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from verlgen.compose.generate import ENTRYPOINT, Composed, LeftOut, Placed
from verlgen.launch import Launch, Origin, Override, Symbol, text
from verlgen.script.layout import Item, Layout, lay_out
from verlgen.script.quoting import hydra_word

_COMMAND_LINE = Origin("command line")


def script_text(composed: Composed, command: Sequence[str]) -> str:
    """Return the script.

    Args:
        composed: What to write.
        command: The words of the command line that asks for it, for the header.
    """
    from verlgen.script.render import render

    return render(
        _layout(composed),
        title=_title(composed),
        command=command,
        release=composed.release.release,
        about=_about(composed),
        start=[f"python3 -m {ENTRYPOINT}"],
    )


def launch(composed: Composed) -> Launch:
    """Return what the script asks for, in the order in which it passes it."""
    origins = {(placed.operator, placed.key): placed.origin for placed in composed.placed}
    overrides = []
    layout = _layout(composed)
    for item, word in zip(layout.order, layout.words, strict=True):
        origin = origins.get((item.operator, item.key), _COMMAND_LINE)
        overrides.append(Override(item.operator, item.key, word, origin))
    return Launch(ENTRYPOINT, overrides=tuple(overrides))


def json_text(composed: Composed) -> str:
    """Return the settings with their origins as a JSON document."""
    document = {
        "format": "verlgen.generate/1",
        "verl": composed.release.release,
        "because": composed.release.reason,
        "choices": composed.choices,
        "settings": [_row(placed) for placed in composed.placed],
        "words": [_override_text(item) for item in _extra_items(composed)],
        "left_out": [_left_out_row(left) for left in composed.left_out],
        "notes": composed.notes,
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def yaml_text(composed: Composed) -> str:
    """Return the settings as YAML, each with its origin and reason as a comment."""
    chosen = composed.release
    lines = [f"# verl {chosen.release} ({chosen.reason})"]
    lines += [f"# {group}={option}" for group, option in composed.choices.items()]
    rows = [
        (f"{placed.key}: {json.dumps(_plain(placed.value), ensure_ascii=False)}", placed.origin)
        for placed in composed.placed
    ]
    column = min(max((len(row) for row, _ in rows), default=0), 70)
    for row, origin in rows:
        comment = f"{origin}: {origin.reason}" if origin.reason else str(origin)
        lines.append(f"{row:<{column}}  # {comment}")
    lines += [f"# also passed: {_override_text(item)}" for item in _extra_items(composed)]
    lines += [f"# left out: {_left_out(left)}" for left in composed.left_out]
    return "\n".join(lines) + "\n"


def _layout(composed: Composed) -> Layout:
    settings = [
        Item(placed.operator, placed.key, placed.value, placed.text, _comment(placed))
        for placed in composed.placed
    ]
    return lay_out(settings, _extra_items(composed))


def _extra_items(composed: Composed) -> list[Item]:
    items = []
    for word in composed.extra:
        said = word.said
        key = said.key if said.package is None else f"{said.key}@{said.package}"
        items.append(Item(word.operator, key, said.value, word.text))
    return items


def _comment(placed: Placed) -> str | None:
    reason = placed.origin.reason
    # A knob of ours is its own reason, which the header's command line shows.
    return None if reason is None or reason.endswith("=") else reason


def _title(composed: Composed) -> str:
    machines = composed.machines
    nodes = f"{machines.nodes} nodes x " if machines.nodes > 1 else ""
    return (
        f"{composed.algorithm.upper()}, {composed.model.name}, {composed.data}, "
        f"{nodes}{machines.gpus} x {machines.gpu.type}-{machines.gpu.memory}"
    )


def _about(composed: Composed) -> list[str]:
    lines = [""]
    if composed.machines.nodes > 1:
        lines += [
            f"Start Ray on all {composed.machines.nodes} nodes, then run this on the head node.",
        ]
    lines.append("Further overrides are passed on: bash run.sh trainer.total_epochs=1")
    if composed.left_out:
        lines += ["", f"Left out, since verl {composed.release.release} has no place for it:"]
        lines += [f"  {_left_out(left)}" for left in composed.left_out]
    return lines


def _left_out(left: LeftOut) -> str:
    return f"{left.key}={shown_value(left.value)} ({left.why})"


def _left_out_row(left: LeftOut) -> dict[str, Any]:
    return {"key": left.key, "value": _plain(left.value), "why": left.why}


def _row(placed: Placed) -> dict[str, Any]:
    origin = placed.origin
    return {
        "key": placed.key,
        "operator": placed.operator,
        "value": _plain(placed.value),
        "layer": placed.layer.name.lower(),
        "source": origin.source,
        "line": origin.line,
        "column": origin.column,
        "reason": origin.reason,
    }


def _override_text(item: Item) -> str:
    head = item.key if item.operator == "=" else item.operator + item.key
    return head if item.text is None else f"{head}={item.text}"


def shown_value(value: Any) -> str:
    """Return a value as people read it: symbols as they are written."""
    return text(value if isinstance(value, tuple) else hydra_word(value))


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return "".join(part.text if isinstance(part, Symbol) else part for part in value)
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value
