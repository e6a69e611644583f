"""What all tests share: a summary of the counts that single tests report."""

from __future__ import annotations

import os
from typing import Any

from hypothesis import settings

# The same examples in every run, so that a red CI is about the change; VERLGEN_FUZZ=1 draws anew.
settings.register_profile("same", derandomize=True)
settings.register_profile("fuzz")
settings.load_profile("fuzz" if os.environ.get("VERLGEN_FUZZ") else "same")


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Prints how many combinations each release took, and how many verlgen refused."""
    rows = [
        value
        for reports in terminalreporter.stats.values()
        for report in reports
        if getattr(report, "when", None) == "call"
        for name, value in report.user_properties
        if name == "conformance"
    ]
    if not rows:
        return
    terminalreporter.section("conformance: combinations of presets")
    for row in sorted(rows, key=lambda row: row["release"]):
        terminalreporter.write_line(
            f"verl {row['release']}: {row['taken']} taken by the release, "
            f"{row['refused']} refused by verlgen"
        )
    taken, refused = (sum(row[name] for row in rows) for name in ("taken", "refused"))
    terminalreporter.write_line(f"together: {taken} taken, {refused} refused")
