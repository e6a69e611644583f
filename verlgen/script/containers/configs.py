"""Settings that a run left behind: Hydra's and Weights & Biases' files."""

from __future__ import annotations

import os
import re
from typing import Any

from verlgen.errors import UserError
from verlgen.script.containers.embedded import Contents, Written
from verlgen.script.containers.yaml_nodes import Document, get, items, text_of

_KEY = re.compile(r"[A-Za-z_][\w-]*")
# Two of these at the top make a mapping a config of verl.
_TOP = {"actor_rollout_ref", "trainer", "data", "algorithm", "critic", "reward_model", "reward",
        "model", "optim", "engine", "rollout", "global_profiler", "ray_kwargs"}  # fmt: skip
_WANDB = {"_wandb", "wandb_version"}


def overrides_file(document: Document, path: str | None) -> Contents | None:
    """Return what Hydra's overrides.yaml holds, or the same list in its hydra.yaml."""
    if len(document.roots) != 1:
        return None
    job = words = document.roots[0]
    if words.id != "sequence":
        words = get(job, "hydra", "overrides", "task")
        if words is None or words.id != "sequence":
            return None
    else:
        job = _beside(path)
    found: list[Written] = []
    for node in words.value:
        text = text_of(node)
        if text is None or ("=" not in text and not text.startswith("~")):
            raise UserError(
                "a list of override words (key=value) was expected here",
                where=document.place(node),
            )
        found.append(document.written(node, text))
    entrypoint, flags = _job(job)
    return Contents("overrides", words=tuple(found), entrypoint=entrypoint, hydra_flags=flags)


def _beside(path: str | None) -> Any:
    """Return the tree of the hydra.yaml beside an overrides.yaml, or None."""
    if path is None:
        return None
    beside = os.path.join(os.path.dirname(path), "hydra.yaml")
    try:
        with open(beside, encoding="utf-8", errors="replace") as file:
            roots = Document(file.read(512 * 1024), beside).roots
    except (OSError, UserError):
        return None
    return roots[0] if roots else None


def _job(root: Any) -> tuple[str | None, tuple[str, ...]]:
    """Return the entry point and the flags that a hydra.yaml tells of."""
    name = text_of(get(root, "hydra", "job", "name"))
    config = text_of(get(root, "hydra", "job", "config_name"))
    if name is None:
        return None, ()
    folder = ""
    sources = get(root, "hydra", "runtime", "config_sources")
    for source in sources.value if sources is not None and sources.id == "sequence" else []:
        if text_of(get(source, "provider")) == "main":
            folder = text_of(get(source, "path")) or ""
    # `/…/verl/trainer/config` is the folder of verl.trainer.main_ppo's configs.
    match = re.fullmatch(r"(?:.*/)?((?:verl|recipe)(?:/\w+)*)/config", folder)
    entrypoint = f"{match[1].replace('/', '.')}.{name}" if match else name
    flags = (f"--config-name={config}",) if config and config != "ppo_trainer" else ()
    return entrypoint, flags


def config_file(document: Document) -> Contents | None:
    """Return what a whole config holds: Hydra's config.yaml, or wandb's with its wrapped values."""
    root = document.roots[0] if len(document.roots) == 1 else None
    entries = items(root)
    keys = {key for key, _ in entries}
    wandb = bool(keys & _WANDB) or _is_wrapped(entries)
    if len(keys & _TOP) < 2:
        return None
    # One with a defaults list is a file that somebody wrote: Hydra puts the defaults below it.
    complete = "defaults" not in keys
    words: list[Written] = []
    for key, node in entries:
        if key in ("defaults", "hydra"):
            continue
        if wandb:
            if key in _WANDB:
                continue
            node = get(node, "value") or node
        _leaves(document, key, key, node, words)
    return Contents("config", words=tuple(words), complete=complete)


def _is_wrapped(entries: list[tuple[str, Any]]) -> bool:
    return bool(entries) and all(
        {key for key, _ in items(node)} in ({"value"}, {"value", "desc"}) for _, node in entries
    )


def _leaves(document: Document, key: str, last: str, node: Any, words: list[Written]) -> None:
    """Add the word of every leaf below a node.

    A mapping with a key that no dotted key can hold is one value.
    """
    if not _KEY.fullmatch(last):
        raise UserError(f"{last!r} is no name of a setting", where=document.place(node))
    entries = items(node)
    if entries and all(_KEY.fullmatch(name) for name, _ in entries):
        if key.count(".") > 64:
            document.value(node)  # refuses it
        for name, item in entries:
            _leaves(document, f"{key}.{name}", name, item, words)
        return
    from verlgen.overrides import OverrideError, dump_value

    value = document.value(node)
    if value == "???":  # nobody has set it
        return
    try:
        text = dump_value(value)
    except OverrideError as error:
        raise UserError(f"{key} has a value that no override can hold: {error}",
                        where=document.place(node)) from None  # fmt: skip
    words.append(document.written(node, f"{key}={text}"))


def arguments_file(document: Document) -> Contents | None:
    """Return the command line that wandb-metadata.json records."""
    root = document.roots[0] if len(document.roots) == 1 else None
    args, program = get(root, "args"), text_of(get(root, "program"))
    if args is None or args.id != "sequence" or program is None:
        return None
    module = re.fullmatch(r"-m (\S+)", program)
    words: list[Written] = []
    flags: list[str] = []
    for node in args.value:
        text = text_of(node) or ""
        if text.startswith("-"):
            flags.append(text)
        else:
            words.append(document.written(node, text))
    return Contents(
        "arguments",
        words=tuple(words),
        entrypoint=module[1] if module else program,
        hydra_flags=tuple(flags),
    )
