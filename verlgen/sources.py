"""Any SOURCE that a user names, as text to interpret or words to take.

A SOURCE is a path, `-` for standard input, `GIT_REV:path`, or words for presets in one argument.
A path may carry changes behind it (`"run.sh data.train_batch_size=256"`) and the number of a
launch (`run.sh#2`).
"""

from __future__ import annotations

import os
import re
import shlex
import stat
import sys
from typing import IO, NamedTuple

from verlgen.errors import UserError
from verlgen.script.containers.embedded import Contents

MAX_BYTES = 512 * 1024
_PICK = re.compile(r"(.+)#(\d{1,4})", re.S)
_REVISION = re.compile(r"([^:\s-][^:\s]*):(.+)", re.S)
_FLAG = re.compile(r"--?(config-name|config-path|config-dir|cn|cp|cd)=.")
_GIT_SECONDS = 20


class Loaded(NamedTuple):
    """What a SOURCE is.

    Attributes:
        source: As the user gave it.
        name: What it was read from, without changes and pick: a path, `-`, `REV:path`, or the
            words for presets.
        path: Path of the file, for `$0` and what it sources; None for standard input and presets.
            For a revision: the path in the repository.
        revision: The Git revision it was read at, or None.
        pick: Which launch the user wants, counted from 1; None for all.
        changes: Words to apply on top.
        text: The whole text; "" for presets.
        contents: What that text holds. For presets `contents.kind` is `presets` and the words are
            in `presets`.
        presets: Words for presets.
    """

    source: str
    name: str
    path: str | None
    revision: str | None
    pick: int | None
    changes: list[str]
    text: str
    contents: Contents
    presets: list[str]


def load(source: str, *, stdin: IO[bytes] | None = None) -> Loaded:
    """Read a SOURCE.

    Args:
        source: As the user gave it.
        stdin: Where `-` reads from; the process's standard input if not given.

    Raises:
        UserError: There is no such thing, it cannot be read, or it is of no kind that is known.
    """
    if _is_there(source):
        return _open(source, source, None, [], stdin)
    try:
        words = shlex.split(source)
    except ValueError as error:
        raise UserError(
            f"cannot be split into words: {str(error).lower()}",
            where=repr(source),
            remedy="quote a value as you would on a command line",
        ) from None
    if not words:
        raise UserError("an empty SOURCE", remedy="name a script, or - for standard input")
    if all(_is_setting(word) for word in words):
        return Loaded(source, source, None, None, None, [], "", Contents("presets"), words)
    first, changes = words[0], words[1:]
    for word in changes:
        if not _is_setting(word) and not _FLAG.match(word):
            raise _no_file(source, f"behind it, {word!r} is no key=value")
    name, pick = _picked(first)
    return _open(source, name, pick, changes, stdin)


def _is_there(name: str) -> bool:
    return name == "-" or ("\0" not in name and os.path.lexists(name))


def _picked(word: str) -> tuple[str, int | None]:
    match = _PICK.fullmatch(word)
    if match is None or _is_there(word):
        return word, None
    if match[2].strip("0") == "":
        raise UserError("launches are counted from 1", where=word, remedy=f"{match[1]}#1")
    return match[1], int(match[2])


def _is_setting(word: str) -> bool:
    """Tell whether a word means a setting, as on verlgen's own command line."""
    return word.startswith(("+", "~")) or ("=" in word.lstrip("-") and not word.startswith("-"))


def _open(
    source: str, name: str, pick: int | None, changes: list[str], stdin: IO[bytes] | None
) -> Loaded:
    path: str | None = name
    revision: str | None = None
    match = _REVISION.fullmatch(name)
    if name == "-":
        path = None
        data = _read_stream(stdin or sys.stdin.buffer, "-")
        where = "standard input"
    elif _is_there(name):
        data, where = _read_file(name), name
    elif match is not None:
        revision, path = match[1], match[2]
        data, where = read_revision(revision, path), name
    else:
        raise _no_file(name)
    text = decode(data, where)
    if not text.strip():
        raise UserError("is empty", where=where)
    from verlgen.script.containers import unpack

    contents = unpack(text, path, where)
    return Loaded(source, name, path, revision, pick, changes, text, contents, [])


def decode(data: bytes, where: str) -> str:
    """Return the text of a file; bytes that are no UTF-8 stay as U+FFFD.

    Raises:
        UserError: It is binary.
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise UserError("is UTF-16, not UTF-8", where=where, remedy="save it as UTF-8")
    if b"\0" in data:
        raise UserError(
            "is a binary file", where=where, remedy="a script, YAML or Markdown is read"
        )
    return data.decode("utf-8", "replace").removeprefix("\ufeff")


def _read_file(path: str) -> bytes:
    try:
        mode = os.stat(path).st_mode
        if stat.S_ISDIR(mode):
            raise UserError("is a directory", where=path, remedy=_in_directory(path))
        if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)):
            raise UserError("is no file that can be read", where=path)
        with open(path, "rb") as file:
            return _read_stream(file, path)
    except OSError as error:
        remedy = "a symbolic link to nowhere" if os.path.islink(path) else None
        reason = (error.strerror or str(error)).lower()
        raise UserError(f"cannot be read: {reason}", where=path, remedy=remedy) from None


def _in_directory(path: str) -> str:
    for name in (".hydra/overrides.yaml", "overrides.yaml"):
        if os.path.isfile(os.path.join(path, name)):
            return f"name the file: {os.path.join(path, name)}"
    try:
        scripts = sorted(name for name in os.listdir(path) if name.endswith((".sh", ".slurm")))
    except OSError:
        scripts = []
    if scripts:
        return f"name a file in it, such as {os.path.join(path, scripts[0])}"
    return "name a file in it"


def _read_stream(file: IO[bytes], where: str) -> bytes:
    # Reading no further than the limit keeps /dev/zero and endless pipes from filling the memory.
    parts: list[bytes] = []
    left = MAX_BYTES + 1
    while left > 0:
        part = file.read(left)
        if not part:
            break
        parts.append(part)
        left -= len(part)
    if left <= 0:
        raise _too_long(where)
    return b"".join(parts)


def _too_long(where: str) -> UserError:
    return UserError(
        f"is longer than {MAX_BYTES // 1024} KB",
        where=where,
        remedy="a launch script is not; cut out the part that launches",
    )


def _no_file(name: str, more: str | None = None) -> UserError:
    from verlgen.suggest import did_you_mean

    folder, base = os.path.split(name)
    try:
        near = did_you_mean(base, os.listdir(folder or "."))
    except (OSError, ValueError):
        near = None
    what = "there is no such file" + (f"; {more}" if more else "")
    return UserError(
        what,
        where=name if len(name) < 200 else name[:197] + "…",
        remedy=near or "a SOURCE is a path, -, GIT_REV:path, or preset words (algo=grpo)",
    )


def read_revision(revision: str, path: str) -> bytes:
    """Return a file as it is at a Git revision of the repository around the current directory.

    Raises:
        UserError: There is no such revision or file, or it is too long.
    """
    name = f"{revision}:{path}"
    kind = _git("cat-file", "-t", name, name=name).strip()
    if kind != b"blob":
        what = "is a directory" if kind == b"tree" else f"is a Git {kind.decode()}, not a file"
        raise UserError(what, where=name, remedy="name a file in it")
    if int(_git("cat-file", "-s", name, name=name)) > MAX_BYTES:
        raise _too_long(name)
    if not path.startswith("."):
        entry = _git("ls-tree", "-z", "--full-tree", revision, "--", path, name=name)
        if entry.startswith(b"120000 "):
            target = _git("cat-file", "blob", name, name=name).decode("utf-8", "replace")
            raise UserError(f"is a symbolic link to {target}", where=name, remedy="name its target")
    return _git("cat-file", "blob", name, name=name)


def _git(*words: str, name: str) -> bytes:
    import subprocess

    # Nothing is fetched, asked for or run: a blob is read as it lies in the repository.
    quiet = {
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
    }
    try:
        done = subprocess.run(
            ["git", "--no-pager", *words],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            env={**os.environ, **quiet, "LC_ALL": "C"},
            timeout=_GIT_SECONDS,
        )
    except FileNotFoundError:
        raise UserError("git is not installed", where=name) from None
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        raise UserError(f"git could not read it: {error}", where=name) from None
    if done.returncode == 0:
        return done.stdout
    said = done.stderr.decode("utf-8", "replace")
    if "not a git repository" in said:
        raise UserError(
            "there is no such file, and this directory is in no Git repository", where=name
        )
    revision, _, path = name.partition(":")
    if "does not exist in" in said or "exists on disk, but not in" in said:
        what = f"there is no {path!r} at revision {revision!r}"
        hint = re.search(r"Did you mean '([^']+)'", said) or re.search(r"aka '([^']+)'", said)
        remedy = f"did you mean {hint[1]}?" if hint else "count from the repository's top"
        raise UserError(what, where=name, remedy=remedy)
    if "invalid object name" in said or "Not a valid object name" in said:
        raise UserError(f"there is no such file, and no Git revision {revision!r}", where=name)
    lines = said.strip().splitlines()
    raise UserError(
        "git could not read it: " + (lines[-1].removeprefix("fatal: ") if lines else "no reason"),
        where=name,
    )
