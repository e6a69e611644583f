"""Manifests whose commands launch a training: SkyPilot, KubeRay, Kubernetes, docker compose."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from typing import Any

from verlgen.errors import UserError
from verlgen.script.containers.embedded import Contents, Embedded, Topology
from verlgen.script.containers.yaml_nodes import Document, get, items, text_of
from verlgen.script.recognize.shells import SHELLS, shell_command

_MAX_NODES = 50_000
_GPU = re.compile(r"(?:[\w.-]+/)?(?:gpu|npu|Ascend910\w*|.*\.com/gpu.*)", re.I)
_VARIABLE = re.compile(r"\$\((\w+)\)")


def skypilot(document: Document) -> Contents | None:
    """Return what a SkyPilot task holds."""
    roots = [root for root in document.roots if get(root, "run") or get(root, "setup")]
    if not roots or not all(
        text_of(get(root, "run")) is not None or text_of(get(root, "setup")) is not None
        for root in roots
    ):
        return None
    scripts: list[Embedded] = []
    topology = Topology()
    for root in roots:
        topology = _skypilot_topology(document, root)
        env = topology.env | _texts(get(root, "envs")) | _texts(get(root, "secrets"))
        for name in ("setup", "run"):
            node = get(root, name)
            if text_of(node) is not None:
                scripts.append(document.embedded(node, name, env=env))
    return Contents("skypilot", tuple(scripts), topology=topology)


def _skypilot_topology(document: Document, root: Any) -> Topology:
    nodes = _number(text_of(get(root, "num_nodes"))) or 1
    node = get(root, "resources", "accelerators")
    name = text_of(node)
    if node is not None and node.id != "scalar" and node.value:  # {H100: 8} or [H100:8, A100:8]
        first = node.value[0]
        pair = [text_of(part) for part in first] if isinstance(first, tuple) else [text_of(first)]
        name = ":".join(part for part in pair if part)
    accelerator, _, count = (name or "").partition(":")
    gpus = (_number(count) or 1) if accelerator else None
    env = {"SKYPILOT_NODE_RANK": "0", "SKYPILOT_NUM_NODES": str(nodes)}
    if gpus is not None:
        env["SKYPILOT_NUM_GPUS_PER_NODE"] = str(gpus)
    return Topology(nodes, gpus, accelerator or None, env)


def compose(document: Document) -> Contents | None:
    """Return what a docker compose file holds."""
    services = get(document.roots[0], "services") if document.roots else None
    if services is None or services.id != "mapping":
        return None
    scripts: list[Embedded] = []
    for name, service in items(services):
        argv = _words(get(service, "entrypoint")) + _words(get(service, "command"))
        env = _texts(get(service, "environment"))
        argv = [(text.replace("$$", "$"), node) for text, node in argv]
        scripts += _command(document, f"services.{name}.command", argv, env)
    return Contents("compose", tuple(scripts)) if scripts else None


def kubernetes(document: Document) -> Contents | None:
    """Return what Kubernetes objects hold: RayJobs, Jobs, Pods and whatever has containers."""
    if not any(get(root, "kind") and get(root, "apiVersion") for root in document.roots):
        return None
    scripts: list[Embedded] = []
    topology = Topology()
    for root in document.roots:
        kind = text_of(get(root, "kind")) or ""
        env = _runtime_env(document, get(root, "spec", "runtimeEnvYAML"))
        entrypoint = get(root, "spec", "entrypoint")
        if text_of(entrypoint) is not None:
            scripts.append(document.embedded(entrypoint, f"{kind} spec.entrypoint", env=env))
            topology = _ray_topology(root)
        for container in _containers(document, root):
            argv = _words(get(container, "command")) + _words(get(container, "args"))
            own = _variables(get(container, "env"))
            name = f"{kind} container {text_of(get(container, 'name')) or ''}".rstrip()
            scripts += _command(document, name, _expanded(argv, own), own)
            gpus = _gpus(container)
            if gpus is not None and topology.gpus_per_node is None:
                replicas = _number(text_of(get(root, "spec", "parallelism")))
                topology = topology._replace(nodes=topology.nodes or replicas, gpus_per_node=gpus)
    return Contents("kubernetes", tuple(scripts), topology=topology)


def _ray_topology(root: Any) -> Topology:
    """Return nodes and GPUs of a Ray cluster; the head counts where it has GPUs."""
    cluster = get(root, "spec", "rayClusterSpec")
    nodes, gpus = 0, None
    head = _group_gpus(get(cluster, "headGroupSpec"))
    if head:
        nodes, gpus = 1, head
    workers = get(cluster, "workerGroupSpecs")
    for group in workers.value if workers is not None and workers.id == "sequence" else []:
        per_node = _group_gpus(group)
        if per_node:
            nodes += _number(text_of(get(group, "replicas"))) or 1
            gpus = gpus or per_node
    return Topology(nodes or None, gpus)


def _group_gpus(group: Any) -> int | None:
    containers = get(group, "template", "spec", "containers")
    if containers is None or containers.id != "sequence":
        return None
    return next((gpus for gpus in map(_gpus, containers.value) if gpus), None)


def _gpus(container: Any) -> int | None:
    for part in ("limits", "requests"):
        for name, node in items(get(container, "resources", part)):
            if _GPU.fullmatch(name):
                return _number(text_of(node))
    return None


def _containers(document: Document, root: Any) -> Iterator[Any]:
    """Yield every container below a node, each once, however often aliases name it."""
    seen: set[int] = set()
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if len(seen) > _MAX_NODES:
            raise UserError(f"holds more than {_MAX_NODES:,} values", where=document.where)
        if node.id == "sequence":
            waiting += reversed(node.value)
        elif node.id == "mapping":
            for name, item in items(node):
                if name in ("containers", "initContainers") and item.id == "sequence":
                    yield from item.value
            waiting += [item for _, item in reversed(node.value)]


_Words = list[tuple[str, Any]]
"""Words of a command, each with the scalar that it was written in."""


def _words(node: Any) -> _Words:
    """Return the words of a list, or of a string, which is split as a shell would."""
    if node is None:
        return []
    if node.id == "sequence":
        return [(text, item) for item in node.value if (text := text_of(item)) is not None]
    text = text_of(node) or ""
    try:
        return [(word, node) for word in shlex.split(text)]
    except ValueError:
        return [(text, node)]


def _expanded(argv: _Words, env: dict[str, str]) -> _Words:
    """Return the words with Kubernetes' own `$(NAME)` in place; others stay as they are."""
    return [
        (_VARIABLE.sub(lambda found: env.get(found[1], found[0]), text), node)
        for text, node in argv
    ]


def _command(document: Document, name: str, argv: _Words, env: dict[str, str]) -> list[Embedded]:
    """Return the shell text of a command: that behind `bash -c`, else the words, quoted."""
    words = [text for text, _ in argv]
    if not words:
        return []
    if words[0].rpartition("/")[2] in SHELLS:
        call = shell_command(words, 0)
        if call is not None and call.text is not None:
            text, node = argv[call.text]
            args = tuple(words[call.text + 2 :])
            return [document.embedded(node, name, text, env=env, args=args)]
    first = argv[0][1].start_mark.line + 1
    return [Embedded(shlex.join(words), name, first, 0, False, env)]


def _texts(node: Any) -> dict[str, str]:
    """Return environment written as a mapping or as a list of `A=1`; null is left out."""
    if node is not None and node.id == "sequence":
        pairs = [(text_of(item) or "").partition("=") for item in node.value]
        return {name: value for name, equals, value in pairs if equals}
    return {name: text for name, item in items(node) if (text := text_of(item)) is not None}


def _variables(node: Any) -> dict[str, str]:
    """Return a container's `env:`, as far as it gives values."""
    if node is None or node.id != "sequence":
        return {}
    found = {}
    for item in node.value:
        name, value = text_of(get(item, "name")), text_of(get(item, "value"))
        if name and value is not None:
            found[name] = value
    return found


def _runtime_env(document: Document, node: Any) -> dict[str, str]:
    """Return the variables of a RayJob's `runtimeEnvYAML`, which is YAML in a text."""
    text = text_of(node)
    if text is None:
        return {}
    try:
        roots = Document(text, document.where).roots
    except UserError:
        return {}
    return _texts(get(roots[0], "env_vars")) if roots else {}


def _number(text: str | None) -> int | None:
    return int(text) if text is not None and re.fullmatch(r"\d{1,9}", text) else None
