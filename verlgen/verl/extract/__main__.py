"""`python -m verlgen.verl.extract`: makes the data files of the published releases anew."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from verlgen.errors import ExitCode, UserError
from verlgen.verl import tables
from verlgen.verl.extract import published, store


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the developer's command.

    Returns:
        0 when every file is written (or, with `--check`, as it should be), 1 when `--check` finds
        a difference, 2 when a wheel cannot be had.
    """
    parser = argparse.ArgumentParser(
        prog="python -m verlgen.verl.extract",
        description="Make the data files of verl's releases from the published wheels.",
    )
    parser.add_argument("releases", nargs="*", help="releases, such as 0.9.1 (default: all listed)")
    parser.add_argument("--check", action="store_true", help="write nothing, say which differ")
    parser.add_argument("--new", action="store_true", help="take releases in that are not listed")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    options = parser.parse_args(arguments)
    try:
        if options.new:
            for release in options.releases:
                published.take_in(release)
        return int(_make(options.releases or list(published.wheels()), options))
    except UserError as error:
        print(error, file=sys.stderr)
        return int(error.exit_code)


def _make(releases: list[str], options: argparse.Namespace) -> ExitCode:
    # Downloads stay in this process: two at once would fetch a wheel twice.
    for release in releases:
        published.wheel(release)
    result = ExitCode.OK
    with ProcessPoolExecutor(max(1, min(options.jobs, len(releases)))) as pool:
        made = pool.map(published.data_bytes, releases)
        for release, content in zip(releases, made, strict=True):
            path = Path(tables.published_path(release))
            same = path.exists() and path.read_bytes() == content
            if options.check and not same:
                result = ExitCode.FOUND
                print(f"{release}: {path} is not what the wheel gives")
            elif not options.check and not same:
                store.write(path, content)
                print(f"{release}: {len(content)} bytes written")
    stray = sorted(set(tables.published()) - set(published.wheels()))
    if stray:
        result = ExitCode.FOUND
        print(f"data files without a listed wheel: {', '.join(stray)}")
    return result


if __name__ == "__main__":
    sys.exit(main())
