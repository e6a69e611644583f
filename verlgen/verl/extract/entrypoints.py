"""Which module starts with which config: read from `@hydra.main(...)` by syntax alone."""

from __future__ import annotations

import ast
import os
from pathlib import Path


def find(trees: dict[str, ast.Module], root: Path) -> dict[str, tuple[str, str]]:
    """Finds the entry points of a verl.

    Args:
        trees: File path below `root` (POSIX) to syntax tree.
        root: Folder that holds `verl/`.

    Returns:
        Module (`verl.trainer.main_ppo`) to (config path below `root`, config name), sorted.
        Entry points with a config path or name that is not a literal are left out.
    """
    found: dict[str, tuple[str, str]] = {}
    for path, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                for decorator in node.decorator_list:
                    target = _hydra_main(decorator, os.path.dirname(path))
                    if target is not None:
                        found[module_name(path)] = target
    return dict(sorted(found.items()))


def module_name(path: str) -> str:
    """Returns `verl.trainer.main_ppo` for `verl/trainer/main_ppo.py`."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _hydra_main(decorator: ast.expr, folder: str) -> tuple[str, str] | None:
    if not isinstance(decorator, ast.Call) or ast.unparse(decorator.func) != "hydra.main":
        return None
    given: dict[str, str] = {}
    names = ("config_path", "config_name")
    for name, value in [
        *zip(names, decorator.args, strict=False),
        *((keyword.arg, keyword.value) for keyword in decorator.keywords),
    ]:
        if name in names and isinstance(value, ast.Constant) and isinstance(value.value, str):
            given[name] = value.value
    if len(given) < len(names):
        return None
    config_path = os.path.normpath(os.path.join(folder, given["config_path"]))
    return config_path.replace(os.sep, "/"), given["config_name"].removesuffix(".yaml")
