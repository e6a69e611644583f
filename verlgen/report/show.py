"""What a launch is: as a JSON document, and as a page for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from verlgen.launch import Symbol, Word, text
from verlgen.read import ReadLaunch, Result
from verlgen.script.read.result import Problem
from verlgen.script.read.sources import Where

FORMAT = "verlgen.show/1"

_WORKERS = (
    ("algorithm", ("algorithm.",)),
    ("data", ("data.",)),
    ("model", ("actor_rollout_ref.model.",)),
    ("actor", ("actor_rollout_ref.actor.",)),
    ("rollout", ("actor_rollout_ref.rollout.",)),
    ("ref", ("actor_rollout_ref.ref.",)),
    ("critic", ("critic.",)),
    ("reward", ("reward.", "reward_model.", "custom_reward_function.")),
    ("trainer", ("trainer.",)),
)


def document(result: Result) -> dict[str, Any]:
    """Return the JSON document of a source."""
    return {
        "format": FORMAT,
        "source": result.source,
        "verl": result.release.release,
        "because": result.release.reason,
        "launches": [_launch(read) for read in result.launches],
        "blocked": [_launch(read) for read in result.blocked],
        "problems": [_problem(problem) for problem in result.problems],
        "knobs": result.knobs,
    }


def failure(source: str, message: str) -> dict[str, Any]:
    """Return the document of a source that could not be read."""
    return {
        "format": FORMAT,
        "source": source,
        "verl": None,
        "launches": [],
        "blocked": [],
        "problems": [{"line": None, "code": "unreadable", "message": message, "uncertain": False}],
    }


def _launch(read: ReadLaunch) -> dict[str, Any]:
    launch = read.launch
    document: dict[str, Any] = {
        "kind": read.kind,
        "entrypoint": launch.entrypoint,
        "launcher": list(launch.launcher),
        "hydra_flags": [_word(word) for word in launch.hydra_flags],
        "overrides": [_word(word) for word in read.words],
        "origins": [_origin(place) for place in read.places],
        "other_args": [_word(word) for word in launch.other_args],
        "env": {name: _word(value) for name, value in launch.env.items()},
        "line": read.line,
    }
    if read.because is not None:
        document["because"] = read.because
    return document


def _word(word: Word) -> Any:
    if all(isinstance(part, str) for part in word):
        return text(word)
    return {"parts": [{"symbol": part.text} if isinstance(part, Symbol) else part for part in word]}


def _origin(where: Where | None) -> dict[str, Any] | None:
    if where is None:
        return None
    origin: dict[str, Any] = {
        "line": where.line,
        "column": where.column,
        "length": where.length,
    }
    if where.file is not None:
        origin["file"] = where.file
    return origin


def _problem(problem: Problem) -> dict[str, Any]:
    document: dict[str, Any] = {
        "line": problem.line,
        "code": problem.code,
        "message": problem.message,
        "uncertain": problem.uncertain,
    }
    if problem.remedy:
        document["remedy"] = problem.remedy
    if problem.file is not None:
        document["file"] = problem.file
    return document


# --- for people -----------------------------------------------------------------------------------


def page(document: Mapping[str, Any]) -> str:
    """Return a page for people."""
    lines = [f"{document['source']}"]
    if document["verl"]:
        lines[0] += f"  (verl {document['verl']}: {document.get('because', '')})"
    launches = document["launches"]
    for number, launch in enumerate(launches, 1):
        lines += ["", *_launch_lines(launch, number, len(launches))]
    for launch in document["blocked"]:
        lines += ["", f"not reached: {launch['because']}", *_launch_lines(launch, 0, 0)]
    if not launches and not document["blocked"] and document["verl"]:
        lines += ["", "no launch found"]
    knobs = document.get("knobs")
    if knobs:
        lines += ["", "knobs (set in the environment)"]
        width = max(len(name) for name in knobs)
        lines += [f"  {name:<{width}}  {_one_line(default)}" for name, default in knobs.items()]
    symbols = _symbols(document)
    if symbols:
        lines += ["", f"known only at run time: {', '.join(symbols)}"]
    if document["problems"]:
        lines += ["", "problems"]
        for problem in document["problems"]:
            lines += _problem_lines(problem, document["source"])
    return "\n".join(lines) + "\n"


def _launch_lines(launch: Mapping[str, Any], number: int, count: int) -> list[str]:
    launcher = " ".join(_text(word) for word in launch["launcher"])
    what = "" if launch["kind"] == "trainer" else " (tool)"
    head = f"{launcher} {launch['entrypoint']}{what}".strip()
    if launch.get("line"):
        head += f"  line {launch['line']}"
    lines = [f"#{number} {head}" if count > 1 else head]
    if launch["env"]:
        lines.append("  env")
        lines += [f"    {name}={_text(value)}" for name, value in launch["env"].items()]
    if launch["hydra_flags"]:
        lines.append("  config")
        lines += [f"    {_text(word)}" for word in launch["hydra_flags"]]
    grouped: dict[str, list[tuple[str, str]]] = {}
    for word, origin in zip(launch["overrides"], launch["origins"], strict=True):
        shown = _text(word)
        place = "" if origin is None else f"line {origin['line']}"
        if origin is not None and "file" in origin:
            place = f"{origin['file']}:{origin['line']}"
        grouped.setdefault(_worker(shown), []).append((shown, place))
    for worker in (*(name for name, _ in _WORKERS), "other"):
        rows = grouped.get(worker, [])
        if not rows:
            continue
        lines.append(f"  {worker}")
        width = min(max(len(shown) for shown, _ in rows), 72)
        lines += [f"    {_one_line(shown):<{width}}  {place}".rstrip() for shown, place in rows]
    if launch["other_args"]:
        lines.append("  other arguments")
        lines += [f"    {_text(word)!r}" for word in launch["other_args"]]
    return lines


def _worker(word: str) -> str:
    key = word.lstrip("+~")
    for name, prefixes in _WORKERS:
        if key.startswith(prefixes):
            return name
    return "other"


def _problem_lines(problem: Mapping[str, Any], source: str) -> list[str]:
    place = problem.get("file") or source
    if problem["line"] is not None:
        place += f":{problem['line']}"
    sure = "not sure: " if problem["uncertain"] else ""
    lines = [f"  {place}: {problem['code']}: {sure}{_one_line(problem['message'])}"]
    lines += [f"      {line}" for line in problem.get("remedy", "").splitlines()]
    return lines


def _symbols(document: Mapping[str, Any]) -> list[str]:
    found: dict[str, None] = {}
    for launch in (*document["launches"], *document["blocked"]):
        for word in launch["overrides"]:
            if not isinstance(word, str):
                for part in word["parts"]:
                    if not isinstance(part, str):
                        found[_one_line(part["symbol"])] = None
    return list(found)


def _text(word: Any) -> str:
    if isinstance(word, str):
        return word
    return "".join(part if isinstance(part, str) else part["symbol"] for part in word["parts"])


def _one_line(shown: str) -> str:
    return " ".join(shown.split())
