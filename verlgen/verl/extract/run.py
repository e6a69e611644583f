"""One verl in, the bytes of one data file out."""

from __future__ import annotations

import ast
import warnings
from pathlib import Path
from typing import Any

from verlgen.errors import UserError
from verlgen.verl.extract import classes, configs, entrypoints, source, store


def extract(verl: source.Source, *, release: str | None = None, hides: bool = False) -> bytes:
    """Extracts every fact of one verl.

    Args:
        verl: An opened wheel or folder.
        release: Name to give it, or None for its own.
        hides: Whether it is meant to hide the published release of its name.

    Raises:
        UserError: It holds no config that Hydra can compose.
    """
    trees = _parse(verl.root)
    entries = entrypoints.find(trees, verl.root)
    roots = configs.config_roots(verl.root, entries)
    files = {root.path: configs.config_files(verl.root, root) for root in roots}
    tables: list[configs.Composed] = []
    options: dict[str, dict[str, list[str]]] = {}
    for root in roots:
        own = files[root.path]
        reached = {
            place
            for name in root.primaries
            if name in own
            for place in configs.search_path(verl.root, root.path, own[name]["values"]) or ()
            if place in files and place != root.path
        }
        options[root.path] = configs.group_options(
            [files[place] for place in (root.path, *sorted(reached))]
        )
        tables += configs.compose_all(verl.root, root, own, options[root.path])
    if not any(table.tree for table in tables):
        raise UserError(f"no Hydra config of verl {verl.name} composes")
    index = classes.ClassIndex(trees)
    facts: dict[str, Any] = {
        "release": release or verl.name,
        "kind": verl.kind,
        "sha256": verl.sha256,
        "entrypoints": {module: list(place) for module, place in entries.items()},
        "options": {path: groups for path, groups in options.items() if groups},
        "classes": classes.class_facts(index, _targets(files)),
        "files": files,
    }
    if hides:
        facts["hides"] = True
    return store.encode(facts, tables)


def extract_path(path: Path, *, release: str | None = None) -> bytes:
    """Extracts a wheel file or a folder that holds `verl/`.

    Raises:
        UserError: `path` is no verl, or holds no config that composes.
    """
    with source.opened(path) as verl:
        return extract(verl, release=release)


def _parse(root: Path) -> dict[str, ast.Module]:
    trees: dict[str, ast.Module] = {}
    with warnings.catch_warnings():
        # Other people's source: "invalid escape sequence" is no news to a reader of configs.
        warnings.simplefilter("ignore", SyntaxWarning)
        warnings.simplefilter("ignore", DeprecationWarning)
        for path in source.python_files(root):
            try:
                tree = ast.parse(path.read_bytes())
            except (SyntaxError, ValueError, OSError):
                continue
            trees[path.relative_to(root).as_posix()] = tree
    return trees


def _targets(files: dict[str, dict[str, dict[str, Any]]]) -> list[str]:
    """Returns every `_target_` text of every config file."""
    found: list[str] = []

    def walk(node: object) -> None:
        if isinstance(node, dict):
            target = node.get("_target_")
            if isinstance(target, str):
                found.append(target)
            for value in node.values():
                walk(value)
        elif isinstance(node, list):
            for value in node:
                walk(value)

    for root in files.values():
        for file in root.values():
            walk(file["values"])
    return found
