"""Checksums of the input."""

from __future__ import annotations

import hashlib

from verlgen.script.read.programs.common import be_known, only_stdin, options


def md5sum(arguments: list[str], stdin: str) -> tuple[str, int]:
    """Return the MD5 sum."""
    return _sum("md5", arguments, stdin)


def sha1sum(arguments: list[str], stdin: str) -> tuple[str, int]:
    """Return the SHA-1 sum."""
    return _sum("sha1", arguments, stdin)


def sha256sum(arguments: list[str], stdin: str) -> tuple[str, int]:
    """Return the SHA-256 sum."""
    return _sum("sha256", arguments, stdin)


def _sum(name: str, arguments: list[str], stdin: str) -> tuple[str, int]:
    only_stdin(f"{name}sum", options(f"{name}sum", arguments, "bt").operands)
    be_known(f"{name}sum", stdin)
    data = stdin.encode("utf-8", "surrogatepass")
    return f"{hashlib.new(name, data, usedforsecurity=False).hexdigest()}  -\n", 0
