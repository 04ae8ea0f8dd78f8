"""Every command that a page shows, run as written in a fresh clone, prints what the page shows.

The commands are typed in the examples; so the clone has only these, which saves much time.

`YG_UPDATE_GOLDEN=1 pytest tests/test_pages.py` writes the output of today into the pages and keeps
what they leave out; look at the difference before committing it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from forked import shared
from support import REPOSITORY
from transcripts import is_shown, rewritten, updated

PAGES = [
    page
    for page in (REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").glob("*.md")))
    if "```console\n" in page.read_text(encoding="utf-8")
]
MACHINE = (
    r"make |pip " if shutil.which("jq") else r"make |pip |.*\bjq "
)  # what asks for more than a test may
WRONG = (2, 70, 126, 127)  # wrong usage, a bug, no such program
IS_UPDATE = os.environ.get("YG_UPDATE_GOLDEN") == "1"
CHANGES = {
    "NO_COLOR": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    **{f"GIT_{role}_NAME": "Somebody" for role in ("AUTHOR", "COMMITTER")},
    **{f"GIT_{role}_EMAIL": "somebody@example.org" for role in ("AUTHOR", "COMMITTER")},
}
CLONED = ("examples", ".gitignore", ".gitattributes")
CLEAN = "git checkout -q -f main\ngit clean -q -f -d\n"

CI = (REPOSITORY / "docs" / "ci.md").read_text(encoding="utf-8")
HOOK = re.findall(r"```sh\n(#!.*?\n)(.*?)```", CI, re.DOTALL)[0]
INSTALL = f"""\
{CLEAN}
hook=$(git rev-parse --git-path hooks/pre-commit)
cat > "$hook" <<'END'
{HOOK[0]}cd examples/shop || exit 1
{HOOK[1]}END
chmod +x "$hook"
echo "# a note" >> src/shop/orders/pricing.py
"""
# What has happened where a section begins, beyond what the page itself does.
BEFORE = {
    ("ci.md", "A git hook of your own"): INSTALL,
}


def environment() -> dict[str, str]:
    """Return the variables of a reader, with the cache directory of the tests."""
    known = {**os.environ, **CHANGES, "PATH": shared().path}
    known.pop("GIT_TEMPLATE_DIR", None)  # a reader's clone has a folder of hooks
    return known


def git(*arguments: str, cwd: Path) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=cwd, env=environment(), capture_output=True, text=True, check=True
    )
    return done.stdout


@pytest.fixture(scope="session")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a repository with the examples of this one, as a commit would take them."""
    root = tmp_path_factory.mktemp("origin")
    git("init", "-q", "-b", "main", cwd=root)
    git("commit", "-q", "--allow-empty", "-m", "Start", cwd=root)
    if (REPOSITORY / ".git").exists():
        wanted = ("ls-files", "-z", "-c", "-o", "--exclude-standard", "--", *CLONED)
        listed = git(*wanted, cwd=REPOSITORY)
        for name in filter(None, listed.split("\0")):
            if (REPOSITORY / name).exists():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(REPOSITORY / name, root / name)
    else:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(REPOSITORY / "examples", root / "examples", ignore=ignored)
    git("add", "-A", cwd=root)
    git("commit", "-q", "-m", "Begin", cwd=root)
    git("tag", "v1.2", cwd=root)
    return root


class Reader:
    """Somebody who clones the repository and types what a page says."""

    def __init__(self, origin: Path, place: Path, page: Path) -> None:
        self.page = page.name
        self.place = place / "yg"
        self.home = self.place / "examples"
        self.home /= "spec-shop" if page.name == "specgraph.md" else "shop"
        git("clone", "-q", str(origin), str(self.place), cwd=place)

    def type(self, command: str) -> tuple[int, str]:
        done = subprocess.run(
            ["sh", "-c", command],
            cwd=self.place if "-C examples/" in command else self.home,
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            check=False,
        )
        return done.returncode, done.stdout

    def begin(self, section: str) -> None:
        if before := BEFORE.get((self.page, section)):
            code, printed = self.type(f"set -e\n{before}")
            assert code == 0, printed

    def show(self, command: str, shown: str) -> str:
        """Run a command, and return what a page should show of its output."""
        if re.match(MACHINE, command, re.DOTALL):
            return shown
        code, printed = self.type(command)
        assert code not in WRONG, f"$ {command}\n{printed}(exit code {code})"
        if not shown:
            assert not re.search("^(error|fatal):", printed, re.MULTILINE), (
                f"$ {command}\n{printed}"
            )
            return ""
        return updated(shown, printed)


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_a_page_shows_what_its_commands_print(origin: Path, tmp_path: Path, page: Path) -> None:
    reader, text = Reader(origin, tmp_path, page), page.read_text(encoding="utf-8")
    expected = rewritten(text, reader.begin, reader.show)
    if IS_UPDATE:
        page.write_text(expected, encoding="utf-8")
    else:
        assert text == expected


def test_the_copy_that_the_first_page_makes_has_no_graph_above_it(
    origin: Path, tmp_path: Path
) -> None:
    page = REPOSITORY / "docs" / "start.md"
    reader = Reader(origin, tmp_path, page)
    shutil.copytree(reader.home / ".yggdrasil", reader.place / ".yggdrasil")
    reader.home = reader.place
    copied = re.findall(r"```sh\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)[0]
    code, printed = reader.type(f"set -e\n{copied}rm -rf .yggdrasil\nyg init --name shop\nyg draft")
    assert code == 0, printed
    assert (tmp_path / "start/shop/.yggdrasil/model/shop/orders").is_dir()


def test_the_demo_and_the_checks_pass_in_a_clone(origin: Path, tmp_path: Path) -> None:
    git("clone", "-q", str(origin), "yg", cwd=tmp_path)
    for command in ("python examples/demo.py", "yg -C examples/shop preflight --no-cache"):
        done = subprocess.run(
            ["sh", "-c", command], cwd=tmp_path / "yg", env=environment(), check=False
        )
        assert done.returncode == 0
    assert git("status", "--porcelain", "--ignored", cwd=tmp_path / "yg") == ""


SHOWN = "one\n...\nthree (old)\ndigest abc...\n"


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        ("one\ntwo\n2.5\nthree (old)\ndigest abcdef\n", SHOWN),
        ("one\nthree (old)\ndigest abc\n", SHOWN),
        ("one\ntwo\nthree (new)\ndigest abcdef\n", "one\n...\nthree (new)\ndigest abc...\n"),
        ("one\ntwo\nthree (old)\n", "one\n...\nthree (old)\n"),
        ("zero\none\ntwo\nthree (old)\ndigest abcdef\n", f"zero\n{SHOWN}"),
        ("one\ntwo\nthree (old)\ndigest abcdef\nfour\n", f"{SHOWN}four\n"),
        ("", ""),
    ],
)
def test_an_updated_output_stays_shortened_where_it_was(printed: str, expected: str) -> None:
    assert updated(SHOWN, printed) == expected
    assert is_shown(expected, printed)
