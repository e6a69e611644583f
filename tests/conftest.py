"""What all tests share: a summary of the counts that single tests report."""

from __future__ import annotations

from typing import Any


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
