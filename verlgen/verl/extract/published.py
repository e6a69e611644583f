"""The published wheels: which there are, where they are kept, and the data files made from them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from verlgen.errors import UserError
from verlgen.verl import tables
from verlgen.verl.extract.source import file_sha256

_PACKAGE = Path(__file__).resolve().parents[2]
_LIST = _PACKAGE / "verl" / "data" / "wheels.json"


class Wheel(NamedTuple):
    """A wheel on PyPI.

    Attributes:
        file: File name.
        sha256: Digest that PyPI had when the release was taken in.
    """

    file: str
    sha256: str


def wheels() -> dict[str, Wheel]:
    """Returns release to wheel, oldest first, from the checked-in list."""
    listed = json.loads(_LIST.read_text(encoding="utf-8"))
    return {name: Wheel(**listed[name]) for name in sorted(listed, key=tables.sort_key)}


def cache_folder() -> Path:
    """Returns where wheels are kept: `$VERLGEN_WHEELS`, else `.wheels` in the checkout."""
    named = os.environ.get("VERLGEN_WHEELS")
    return Path(named) if named else _PACKAGE.parent / ".wheels"


def wheel(release: str) -> Path:
    """Returns the wheel of a listed release, downloaded with pip on first use.

    Raises:
        UserError: The release is not listed, cannot be downloaded, or is another file than listed.
    """
    known = wheels()
    if release not in known:
        raise UserError(
            f"no wheel is listed for verl {release}", remedy=f"known: {', '.join(known)}"
        )
    expected = known[release]
    path = cache_folder() / expected.file
    if not path.exists():
        download(release, path.parent)
    found = file_sha256(path)
    if found != expected.sha256:
        raise UserError(
            f"{path} is not the wheel that verlgen knows: its sha256 is {found},"
            f" {_LIST.name} has {expected.sha256}",
            remedy="delete the file if a download broke off; else the release on PyPI changed",
        )
    return path


def download(release: str, folder: Path) -> Path:
    """Downloads a wheel with pip into a folder, where it appears whole or not at all.

    Raises:
        UserError: pip is missing, or says no.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".download-") as temporary:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        command += ["--disable-pip-version-check", "--only-binary", ":all:"]
        done = subprocess.run(
            [*command, "--dest", temporary, f"verl=={release}"], capture_output=True, text=True
        )
        loaded = list(Path(temporary).glob("*.whl"))
        if done.returncode or len(loaded) != 1:
            reason = (done.stderr.strip() or "pip gave no wheel").splitlines()[-1]
            raise UserError(f"cannot download verl {release}: {reason}")
        return Path(shutil.move(loaded[0], folder / loaded[0].name))


def unpacked(release: str) -> Path:
    """Returns the folder of an unpacked published wheel (it holds `verl/`), made on first use.

    Several processes may ask at once: each unpacks for itself, the first to finish stays.

    Raises:
        UserError: As `wheel` does.
    """
    import zipfile

    archive = wheel(release)
    folder = cache_folder() / "unpacked" / release
    if folder.is_dir():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(dir=folder.parent, prefix=".unpack-"))
    with zipfile.ZipFile(archive) as content:
        content.extractall(temporary)
    try:
        os.rename(temporary, folder)
    except OSError:
        shutil.rmtree(temporary, ignore_errors=True)
        if not folder.is_dir():
            raise
    return folder


def data_bytes(release: str) -> bytes:
    """Returns what the data file of a published release has to hold.

    Raises:
        UserError: The wheel cannot be had.
    """
    from verlgen.verl.extract.run import extract_path

    return extract_path(wheel(release), release=release)


def take_in(release: str) -> None:
    """Adds a release to the checked-in list of wheels, with the sha256 that it has today.

    Raises:
        UserError: pip does not find it.
    """
    listed = {name: wheel._asdict() for name, wheel in wheels().items()}
    if release in listed:
        return
    path = download(release, cache_folder())
    listed[release] = {"file": path.name, "sha256": file_sha256(path)}
    ordered = {name: listed[name] for name in sorted(listed, key=tables.sort_key)}
    _LIST.write_text(json.dumps(ordered, indent=2) + "\n", encoding="utf-8")
