"""Files written whole or not at all."""

from __future__ import annotations

import os
import tempfile

from verlgen.errors import UserError


def write_whole(path: str, text: str, *, executable: bool = False, force: bool = False) -> None:
    """Write a file so that nobody ever sees half of it.

    Args:
        path: Where to.
        text: All of it; written as UTF-8.
        executable: Whether everybody who may read it may run it.
        force: Whether a file that is there may be replaced.

    Raises:
        UserError: It exists and `force` is not given, or it cannot be written.
    """
    if force and os.path.lexists(path):
        path = os.path.realpath(path)  # a link stays, and what it names is written
        if os.path.exists(path) and not os.path.isfile(path):
            _write_into(path, text)
            return
    folder = os.path.dirname(path) or "."
    try:
        handle, temporary = tempfile.mkstemp(dir=folder, prefix=".verlgen-")
    except OSError as error:
        raise UserError(f"cannot write here: {error.strerror}", where=path) from error
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.chmod(temporary, (0o777 if executable else 0o666) & ~_umask())
        if force:
            os.replace(temporary, path)
        else:
            os.link(temporary, path)  # fails where the name is taken, without a gap
            os.unlink(temporary)
    except FileExistsError:
        os.unlink(temporary)
        raise UserError("exists already", where=path, remedy="--force replaces it") from None
    except OSError as error:
        os.unlink(temporary)
        raise UserError(f"cannot write: {error.strerror}", where=path) from error


def _write_into(path: str, text: str) -> None:
    """Write into what is no regular file, such as a device; a folder is refused."""
    try:
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except OSError as error:
        raise UserError(f"cannot write: {error.strerror}", where=path) from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
