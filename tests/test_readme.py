"""What the README and other pages name exists, and the quick start leads to a package."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from support import REPOSITORY, run
from yg.cli.init import NEXT_STEPS

PAGES = sorted(
    path.relative_to(REPOSITORY).as_posix()
    for pattern in ("*.md", "docs/**/*.md", "examples/*.md", "benchmarks/*.md")
    for path in REPOSITORY.glob(pattern)
)
TEXTS = {page: (REPOSITORY / page).read_text(encoding="utf-8") for page in PAGES}
README, QUICK_START = TEXTS["README.md"], TEXTS["docs/quick-start.md"]


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


def test_the_demo_prints_what_the_readme_shows() -> None:
    makefile = (REPOSITORY / "Makefile").read_text(encoding="utf-8")
    demo = re.search(r"^demo:.*\n\t@\$\(BIN\)/(.*)$", makefile, re.MULTILINE)
    assert demo is not None
    assert f"```console\n$ {demo[1]}\n<context-package" in README


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
        known = help_of(command)
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
