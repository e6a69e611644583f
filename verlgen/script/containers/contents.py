"""What a file holds, told by its name and its text."""

from __future__ import annotations

import os
import re

from verlgen.errors import UserError
from verlgen.script.containers.embedded import Contents, Embedded

_SCRIPTS = {".sh", ".bash", ".zsh", ".slurm", ".sbatch", ".sub", ".pbs", ".lsf", ".ksh"}
_DOCUMENTS = {".md", ".markdown", ".mdx", ".rst"}
_YAML = {".yaml", ".yml", ".json"}
# A mapping or a list at the left edge, where a script would have a command.
_YAML_LINE = re.compile(r"(?:[A-Za-z_][\w.-]*:(?:\s|$)|- \S|---\s*$)")


def unpack(text: str, name: str | None, where: str) -> Contents:
    """Return what a file holds.

    Args:
        text: Its text.
        name: Its path, or None for text from standard input.
        where: How the user calls it, for errors.

    Raises:
        UserError: It is of a kind that holds launches, but is broken or holds none.
    """
    ending = os.path.splitext(name or "")[1].lower()
    if text.startswith("#!") or ending in _SCRIPTS:
        return _script(text, name)
    if ending in _YAML:
        return _yaml(text, name, where)
    from verlgen.script.containers import markdown  # scripts and YAML by name do without

    if ending in _DOCUMENTS or (ending in ("", ".txt") and markdown.is_document(text)):
        found = markdown.scripts(text)
        if found:
            return Contents("markdown", tuple(found))
        raise UserError(
            "no shell script in it",
            where=where,
            remedy="a script stands in a fenced block: ```bash … ```",
        )
    if _looks_like_yaml(text):
        try:
            return _yaml(text, name, where)
        except UserError:  # it only looked like it, and nothing else says so
            pass
    return _script(text, name)


def _script(text: str, name: str | None) -> Contents:
    if name is None:
        # Prompts come along when somebody pastes what he sees in his terminal; files have none.
        from verlgen.script.containers.markdown import without_prompts

        text = without_prompts(text)
    if "#SBATCH" in text:
        from verlgen.script.containers.slurm import topology

        asked = topology(text)
        if asked is not None:
            return Contents("sbatch", (Embedded(text),), topology=asked)
    return Contents("script", (Embedded(text),))


def _looks_like_yaml(text: str) -> bool:
    lines = [
        line for line in text.split("\n", 200)[:200] if line.strip() and line.lstrip()[0] != "#"
    ]
    return bool(lines) and _YAML_LINE.match(lines[0]) is not None


def _yaml(text: str, name: str | None, where: str) -> Contents:
    from verlgen.script.containers import configs, manifests
    from verlgen.script.containers.yaml_nodes import Document

    document = Document(text, where)
    found = (
        configs.overrides_file(document, name)
        or manifests.kubernetes(document)
        or manifests.compose(document)
        or configs.config_file(document)
        or manifests.skypilot(document)
        or configs.arguments_file(document)
    )
    if found is None:
        raise UserError(
            "no launch in this YAML",
            where=where,
            remedy="known are Hydra's .hydra/overrides.yaml and config.yaml, wandb's config.yaml, "
            "SkyPilot tasks (run:), Kubernetes and KubeRay objects, and docker compose files",
        )
    if not found.scripts and not found.words and found.kind != "overrides":
        raise UserError("no command in it", where=where)
    return found
