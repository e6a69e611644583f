"""Where verl comes from: a wheel file, or a folder that holds `verl/`."""

from __future__ import annotations

import hashlib
import os
import re
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from verlgen.errors import UserError

SKIPPED_FOLDERS = frozenset({"tests", "docs", "docker", "build", "dist", "outputs", "node_modules"})
"""Top-level folders with no launchable config: their files are neither read nor digested."""

FACT_SUFFIXES = (".py", ".yaml")
VERSION_FILE = "verl/version/version"
_WHEEL_NAME = re.compile(r"verl-([^-]+)-[^-]+-[^-]+-[^-]+\.whl")
_RELEASE_NAME = re.compile(r"[0-9A-Za-z][0-9A-Za-z._+!-]*")
_WHEEL_LIMIT = 500_000_000
"""Bytes that a wheel may unpack to; verl's own take 6 MB."""


class Source(NamedTuple):
    """An unpacked verl.

    Attributes:
        root: Folder that holds `verl/`.
        name: Release as it calls itself, such as `0.9.1`.
        sha256: Digest of the wheel file, or of the folder's facts (see `digest`).
        kind: `wheel` or `folder`.
    """

    root: Path
    name: str
    sha256: str
    kind: str


@contextmanager
def opened(path: Path) -> Iterator[Source]:
    """Opens a wheel (unpacked into a temporary folder for the time being) or a folder.

    Raises:
        UserError: `path` is neither, or holds no verl.
    """
    if path.is_dir():
        yield _folder(path)
        return
    if not path.exists():
        raise UserError(f"no such file or folder: {path}")
    import tempfile

    with tempfile.TemporaryDirectory(prefix="verlgen-") as temporary:
        root = Path(temporary)
        _unpack(path, root)
        name = _WHEEL_NAME.fullmatch(path.name)
        release = name.group(1) if name else _written_version(root, path)
        if not (root / "verl").is_dir():
            raise UserError(f"{path} is no verl wheel: it has no folder verl/")
        yield Source(root, release, file_sha256(path), "wheel")


def file_sha256(path: Path) -> str:
    """Returns the sha256 of a file as lower-case hex."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        for block in iter(lambda: stream.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()


def check_name(name: str) -> str:
    """Returns the name of a release, or refuses one that could not be a file name.

    Raises:
        UserError: The name has characters other than letters, digits and `._+!-`.
    """
    if not _RELEASE_NAME.fullmatch(name):
        raise UserError(
            f"{name!r} cannot name a release",
            remedy="use letters, digits and ._+!- as in 0.10.0.dev, a letter or digit first",
        )
    return name


def python_files(root: Path) -> list[Path]:
    """Returns the Python files of a verl, in sorted order of their path."""
    return [path for path in fact_files(root) if path.suffix == ".py"]


def fact_files(root: Path) -> list[Path]:
    """Returns every file that facts are read from, in sorted order of their POSIX path."""
    found: list[Path] = []
    for folder, folders, files in os.walk(root):
        here = Path(folder)
        folders[:] = [
            name
            for name in folders
            if not name.startswith((".", "__pycache__"))
            and not name.endswith((".dist-info", ".egg-info"))
            and not (here == root and name in SKIPPED_FOLDERS)
        ]
        # is_file: a checkout may hold links to nowhere.
        found += [
            here / name
            for name in files
            if name.endswith(FACT_SUFFIXES) and (here / name).is_file()
        ]
    return sorted(found, key=lambda path: path.relative_to(root).as_posix())


def digest(root: Path) -> str:
    """Returns the sha256 over path and content of every fact file, as lower-case hex."""
    total = hashlib.sha256()
    for path in fact_files(root):
        total.update(path.relative_to(root).as_posix().encode() + b"\0")
        total.update(path.read_bytes() + b"\0")
    return total.hexdigest()


def _folder(path: Path) -> Source:
    root = path.resolve()
    if root.name == "verl" and (root / "trainer").is_dir():
        root = root.parent
    if not (root / "verl").is_dir():
        raise UserError(
            f"{path} holds no folder verl/",
            remedy="name a wheel, or the folder of a checkout (the one that holds verl/)",
        )
    return Source(root, _written_version(root, path), digest(root), "folder")


def _written_version(root: Path, named: Path) -> str:
    try:
        return check_name((root / VERSION_FILE).read_text(encoding="utf-8").strip())
    except (OSError, UnicodeDecodeError):
        raise UserError(f"{named} has no {VERSION_FILE}, so it is no checkout of verl") from None


def _unpack(wheel: Path, root: Path) -> None:
    try:
        with zipfile.ZipFile(wheel) as archive:
            if sum(member.file_size for member in archive.infolist()) > _WHEEL_LIMIT:
                raise UserError(f"{wheel} unpacks to more than {_WHEEL_LIMIT // 1_000_000} MB")
            archive.extractall(root)
    except (zipfile.BadZipFile, OSError) as error:
        raise UserError(f"{wheel} is no wheel and no folder: {error}") from None
