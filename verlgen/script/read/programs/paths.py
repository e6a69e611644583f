"""`basename` and `dirname`. A symbol may stand in the folders of a path, whatever it is."""

from __future__ import annotations

from verlgen.script.read.doubt import Unknown
from verlgen.script.read.programs.common import be_known, options
from verlgen.script.read.symbols import has_symbol


def basename(arguments: list[str], stdin: str) -> tuple[str, int]:
    """Return the last part of paths."""
    del stdin
    given = options("basename", arguments, "a", "s", {"suffix": "s", "multiple": "a"})
    paths, suffix = given.operands, given.last("s")
    if not given.given and len(paths) == 2:
        paths, suffix = paths[:1], paths[1]
    if not paths or (len(paths) > 1 and not given.given):
        raise Unknown("basename has the wrong number of operands")
    be_known("basename", suffix)
    return "".join(f"{_last(path, suffix)}\n" for path in paths), 0


def _last(path: str, suffix: str) -> str:
    stripped = path.rstrip("/")
    if not stripped:
        return path[:1]
    name = stripped.rsplit("/", 1)[-1]
    be_known("basename", name)
    if suffix and name.endswith(suffix) and name != suffix:
        return name[: -len(suffix)]
    return name


def dirname(arguments: list[str], stdin: str) -> tuple[str, int]:
    """Return the folders of paths."""
    del stdin
    given = options("dirname", arguments, "")
    if not given.operands:
        raise Unknown("dirname has the wrong number of operands")
    return "".join(f"{_folder(path)}\n" for path in given.operands), 0


def _folder(path: str) -> str:
    stripped = path.rstrip("/")
    if not stripped:
        return "/" if path else "."
    if "/" not in stripped:
        be_known("dirname", stripped)
        return "."
    folder, name = stripped.rsplit("/", 1)
    be_known("dirname", name)
    if has_symbol(folder[:1]) and len(folder) == 1:
        return folder
    return folder.rstrip("/") or "/"
