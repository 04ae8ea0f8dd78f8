"""What the README and other pages name exists, and the quick start leads to a package."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from forked import shared
from support import REPOSITORY, run, write
from yg.commands.init import DRAFT_STEPS, NEXT_STEPS

PAGES = sorted(
    path.relative_to(REPOSITORY).as_posix()
    for pattern in (
        *("*.md", "docs/**/*.md", "examples/*.md", "benchmarks/*.md"),
        "src/yg/yggdrasil/start/templates/rules.md",
    )
    for path in REPOSITORY.glob(pattern)
)
TEXTS = {page: (REPOSITORY / page).read_text(encoding="utf-8") for page in PAGES}
README = TEXTS["README.md"]


def quick_start(text: str) -> str:
    found = re.search(r"```sh\n(yg init.*?)```", text, re.DOTALL)
    assert found is not None
    return found[1]


def test_the_quick_start_is_what_init_prints() -> None:
    printed = [line.strip() for line in DRAFT_STEPS.splitlines()[1:]]
    first, *rest = quick_start(README).splitlines()
    assert first == "yg init --name my-project"
    assert [line.strip() for line in rest] == printed


CODE = {"shop/orders.py": "import shop.money\n", "shop/money.py": "def total(): ...\n"}
BY_HAND = "".join(NEXT_STEPS.splitlines(keepends=True)[1:])


def typed(commands: str, root: Path) -> str:
    """Type commands in a directory; the editor changes nothing."""
    done = subprocess.run(
        ["sh", "-e", "-c", commands],
        cwd=root,
        env={**os.environ, "PATH": shared().path, "EDITOR": "true"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_the_quick_start_leads_to_a_graph(tmp_path: Path) -> None:
    typed(quick_start(README), write(tmp_path, CODE))
    assert (
        '<context-package node-path="shop"'
        in run("build-context", "-C", str(tmp_path), "shop").text
    )
    assert run("validate", "-C", str(tmp_path)).code == 0


def test_without_code_the_steps_of_init_lead_to_a_package(tmp_path: Path) -> None:
    printed = typed(f"yg init --name my-project\n{BY_HAND}", tmp_path)
    assert '<context-package node-path="app" node-name="app"' in printed
    assert run("validate", "-C", str(tmp_path)).code == 0


def demo(root: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the demo of a repository as `make demo` does, with its own temporary directory."""
    return subprocess.run(
        [sys.executable, "examples/demo.py"],
        cwd=root,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


@pytest.fixture
def export(tmp_path: Path) -> Iterator[Path]:
    """Return a copy of the examples that is not a git repository and cannot be written to."""
    root = tmp_path / "export"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(REPOSITORY / "examples", root / "examples", ignore=ignored)
    places = [root, *root.rglob("*")]
    for place in places:
        place.chmod(place.stat().st_mode & ~0o222)
    yield root
    for place in places:
        place.chmod(place.stat().st_mode | 0o200)


def test_make_demo_runs_the_demo() -> None:
    makefile = (REPOSITORY / "Makefile").read_text(encoding="utf-8")
    assert re.search(r"^demo:.*\n\t@\$\(BIN\)/python examples/demo\.py$", makefile, re.MULTILINE)


def test_the_demo_fits_on_a_terminal_and_leaves_no_trace(tmp_path: Path, export: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    before = {path: path.stat().st_mtime_ns for path in export.rglob("*")}
    ran = demo(export, TMPDIR=str(temporary))
    lines = ran.stdout.splitlines()
    assert (ran.returncode, ran.stderr) == (0, "")
    assert len(lines) <= 48
    assert max(map(len, lines)) <= 100
    assert [line for line in lines if line.startswith("$ ")] == [
        "$ sed -i.old 's/SHIPPING_MINOR = 4_90/SHIPPING_MINOR = 5_90/' src/shop/orders/pricing.py",
        "$ yg build-context orders/pricing",
        "$ yg review",
        "$ sed -i.old 's/4.90/5.90/' .yggdrasil/model/orders/pricing/interface.md",
        "$ yg drift-sync --recursive orders",
        "$ yg review",
    ]
    assert list(temporary.iterdir()) == []
    assert {path: path.stat().st_mtime_ns for path in export.rglob("*")} == before


def test_the_demo_fails_if_a_command_fails(tmp_path: Path) -> None:
    shutil.copytree(REPOSITORY / "examples", tmp_path / "examples")
    (tmp_path / "examples/shop/.yggdrasil/yg-config.yaml").write_text("name: [", encoding="utf-8")
    ran = demo(tmp_path)
    assert ran.returncode == 1
    assert "the demo failed: exit code 1: yg build-context orders/pricing" in ran.stderr


def test_the_readme_shows_the_commands_of_the_demo() -> None:
    told = [line for line in demo(REPOSITORY).stdout.splitlines() if line.startswith("$ ")]
    assert [line for line in README.splitlines() if line in told] == told[:3]


def test_the_readme_is_what_the_registry_knows_the_server_by() -> None:
    name = json.loads((REPOSITORY / "server.json").read_text(encoding="utf-8"))["name"]
    assert f"<!-- mcp-name: {name} -->" in README


def test_every_target_of_make_that_is_named_exists() -> None:
    makefile = (REPOSITORY / "Makefile").read_text(encoding="utf-8")
    for page, text in TEXTS.items():
        for target in re.findall(r"(?:`|\$ )make ([a-z]+)", text):
            assert f"\n{target}: " in makefile, f"{page}: {target}"


@cache
def help_of(command: str) -> str:
    outcome = run(command, "--help")
    assert outcome.code == 0, command
    return outcome.text


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_every_command_and_option_that_a_page_names_exists(page: str) -> None:
    for command, rest in re.findall(
        r"(?:`|^\$ |^)ygg? ([a-z]+[a-z-]*)([^`|&#>\n]*)", TEXTS[page], re.MULTILINE
    ):
        known = help_of(command) + run("--help").text  # which has the common options
        for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*", rest):
            assert option in known, f"{command} {option}"


def headings(text: str) -> set[str]:
    """Return the names by which links reach the headings of a page."""
    return {
        re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
        for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    }


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_every_link_of_a_page_leads_somewhere(page: str) -> None:
    for target, heading in re.findall(r"\]\(([^)#\s]*)(?:#([^)]*))?\)", TEXTS[page]):
        if "://" not in target:
            file = (REPOSITORY / page).parent / target if target else REPOSITORY / page
            assert file.exists(), target
            assert not heading or heading in headings(file.read_text(encoding="utf-8")), heading


def test_every_page_is_listed_in_its_index() -> None:
    for folder in ("docs", "docs/decisions"):
        index = TEXTS[f"{folder}/README.md"]
        pages = {Path(page).name for page in PAGES if str(Path(page).parent) == folder}
        assert {page for page in pages if f"]({page})" not in index} == {"README.md"}
