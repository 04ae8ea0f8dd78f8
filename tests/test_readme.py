"""What the README and the quick start tell a newcomer to type, typed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from support import REPOSITORY, run, run_shop
from yg.cli.init import NEXT_STEPS

README = (REPOSITORY / "README.md").read_text(encoding="utf-8")
QUICK_START = (REPOSITORY / "docs" / "quick-start.md").read_text(encoding="utf-8")


def first_shell_block(text: str) -> str:
    found = re.search(r"```sh\n(.*?)```", text, re.DOTALL)
    assert found is not None
    return found[1]


def test_the_quick_start_is_what_init_prints() -> None:
    printed = [line.strip() for line in NEXT_STEPS.splitlines()[1:]]
    for page in (README, QUICK_START):
        first, *rest = first_shell_block(page).splitlines()
        assert first == "yg init --name my-project"
        assert [line.strip() for line in rest] == printed


@pytest.mark.parametrize("page", [README, QUICK_START], ids=["README", "quick-start"])
def test_the_quick_start_leads_to_a_package(tmp_path: Path, page: str) -> None:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["sh", "-e", "-c", first_shell_block(page)],
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert '<context-package node-path="app" node-name="App"' in done.stdout
    assert run("validate", "-C", str(tmp_path)).code == 0


def test_the_package_in_the_readme_is_the_real_one() -> None:
    package = run_shop("build-context", "orders/order-service").text
    shown = README.split("$ yg -C examples/shop build-context orders/order-service\n")[1]
    for line in shown.split("```")[0].splitlines():
        if line not in ("...", ""):
            assert f"\n{line}\n" in f"\n{package}"


def test_every_command_that_the_readme_names_exists() -> None:
    names = set(re.findall(r"`yg ([a-z-]+)", README)) - {"owner"}
    for name in sorted(names):
        assert run(name, "--help").code == 0


def test_every_link_of_the_readme_leads_somewhere() -> None:
    for page in [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").rglob("*.md"))]:
        text = page.read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name}: {target}"
