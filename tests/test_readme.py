"""Commands shown in README and docs are run; their links lead somewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
BIN = Path(sys.executable).parent


def console_commands() -> list[str]:
    text = (ROOT / "README.md").read_text()
    blocks = re.findall(r"```console\n(.*?)```", text, re.DOTALL)
    return [ln[2:] for block in blocks for ln in block.splitlines() if ln.startswith("$ ")]


def test_commands_of_the_readme_run_one_after_the_other(tmp_path: Path) -> None:
    env = {"PATH": f"{BIN}:/usr/bin:/bin", "HOME": str(tmp_path)}
    for command in console_commands():
        run = subprocess.run(
            ["bash", "-c", command],
            cwd=tmp_path,
            env=env,
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, f"{command}\n{run.stderr}"
        assert "Traceback" not in run.stderr


def test_the_readmes_script_is_what_is_written(tmp_path: Path) -> None:
    shown = re.search(r"```bash\n(# Set any.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert shown
    run = subprocess.run(
        [str(BIN / "verlgen"), "algo=grpo", "hw=8xA100"],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    written = run.stdout.splitlines()
    for line in shown[1].splitlines():
        if "…" not in line:
            assert line in written


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)]+)\)", page.read_text()):
        if "://" not in target:
            assert (page.parent / target.partition("#")[0]).exists(), target


def test_makefile_targets_of_the_docs_exist() -> None:
    makefile = (ROOT / "Makefile").read_text()
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    for page in PAGES:
        for line in re.findall(r"`?make ([a-z][a-z -]*)", page.read_text()):
            assert line.split()[0] in targets, line
