"""`#SBATCH` headers: what a job script asks of Slurm."""

from __future__ import annotations

import re
import shlex

from verlgen.script.containers.embedded import Topology

_HEADER = re.compile(r"#SBATCH\s+(.+)")
_GPUS = re.compile(r"(?:gpu:)?(?:(?P<type>[A-Za-z][\w.-]*):)?(?P<count>\d+)")
_SHORT = {"-N": "--nodes", "-G": "--gpus", "-n": "--ntasks", "-c": "--cpus-per-task"}


def topology(text: str) -> Topology | None:
    """Return what the `#SBATCH` headers ask for, or None where there is none.

    Slurm reads them up to the first line that is neither a comment nor blank.
    """
    found: dict[str, str] = {}
    headers = False
    for line in text.splitlines():
        if line.strip() and not line.lstrip().startswith("#"):
            break
        match = _HEADER.match(line)
        if match:
            headers = True
            found.update(_options(match[1]))
    return _topology(found) if headers else None


def _options(text: str) -> dict[str, str]:
    try:
        words = shlex.split(text, comments=True)
    except ValueError:
        return {}
    found: dict[str, str] = {}
    name = ""
    for word in words:
        if word.startswith("--"):
            name, _, value = word.partition("=")
        elif word.startswith("-"):
            name, value = _SHORT.get(word[:2], word[:2]), word[2:].removeprefix("=")
        else:
            value = word
        if name and value:
            found[name] = value
    return found


def _topology(found: dict[str, str]) -> Topology:
    nodes = _number(found.get("--nodes", ""))
    accelerator, per_node = None, None
    for name in ("--gpus-per-node", "--gres", "--gpus", "--gpus-per-task"):
        for part in found.get(name, "").split(","):
            match = _GPUS.fullmatch(part)
            if match is None or (name == "--gres" and not part.startswith("gpu:")):
                continue
            count = int(match["count"])
            accelerator = match["type"] or accelerator
            if name == "--gpus":
                per_node = per_node or (count // nodes if nodes and count % nodes == 0 else None)
            elif name == "--gpus-per-task":
                tasks = _number(found.get("--ntasks-per-node", ""))
                per_node = per_node or (count * tasks if tasks else None)
            else:
                per_node = per_node or count
    env = {}
    if nodes is not None:
        env["SLURM_JOB_NUM_NODES"] = env["SLURM_NNODES"] = str(nodes)
    for option, variable in (
        ("--gpus-per-node", "SLURM_GPUS_PER_NODE"),
        ("--gpus", "SLURM_GPUS"),
        ("--ntasks", "SLURM_NTASKS"),
        ("--ntasks-per-node", "SLURM_NTASKS_PER_NODE"),
        ("--cpus-per-task", "SLURM_CPUS_PER_TASK"),
        ("--job-name", "SLURM_JOB_NAME"),
    ):
        if option in found:
            env[variable] = found[option]
    return Topology(nodes, per_node, accelerator, env)


def _number(text: str) -> int | None:
    """Return the lower bound of `2` or `2-4`."""
    match = re.fullmatch(r"(\d{1,9})(-\d+)?", text)
    return int(match[1]) if match else None
