"""Every command that a page shows, run as written, prints what the page shows."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from forked import shared
from support import REPOSITORY

EXAMPLES = ("shop", "shop-0x", "spec-shop")
PAGES = [
    page
    for page in (REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").glob("*.md")))
    if "```console\n" in page.read_text(encoding="utf-8")
]
MACHINE = (
    r"make |pip " if shutil.which("jq") else r"make |pip |.*\bjq "
)  # what asks for more than a test may
WRONG = (2, 70, 126, 127)  # wrong usage, a bug, no such program
BEGIN = """\
git init -q -b main
git config user.name Somebody
git config user.email somebody@example.org
yg drift-sync --all
git add -A
git commit -q -m Begin
git tag v1.2
"""
CLEAN = "git checkout -q -f main\ngit clean -q -f -d\n"
DRIFT = (REPOSITORY / "docs" / "drift.md").read_text(encoding="utf-8")
HOOK = re.findall(r"```sh\n(#!.*?)```", DRIFT, re.DOTALL)[0]
INSTALL = f"""\
{CLEAN}
mkdir -p .git/hooks
cat > .git/hooks/pre-commit <<'END'
{HOOK}END
chmod +x .git/hooks/pre-commit
echo "# a note" >> src/shop/orders/pricing.py
"""
INTERFACE = ".yggdrasil/model/orders/pricing/interface.md"
SOURCE = "src/shop/orders/pricing.py"
BRANCHES = f"""\
rm .git/hooks/pre-commit
{CLEAN}
git checkout -q -b raise-shipping
sed -i s/4_90/5_90/ {SOURCE}
sed -i s/4.90/5.90/ {INTERFACE}
yg drift-sync --all
git commit -q -a -m "Raise shipping"
git checkout -q main
echo "# Discounts come first." >> {SOURCE}
sed -i "1s/total/the total/" {INTERFACE}
yg drift-sync --all
git commit -q -a -m "Say what comes first"
"""

# What has happened where a section begins, beyond what the page itself does.
BEFORE = {
    ("drift.md", "Baselines"): "git rm -q -r .yggdrasil/.drift-state\ngit commit -q -m None",
    ("drift.md", "What counts as a change"): CLEAN,
    ("drift.md", "In a git hook"): INSTALL,
    ("drift.md", "When a baseline is damaged"): CLEAN,
    ("drift.md", "Merging branches"): BRANCHES,
}


def transcripts(text: str) -> Iterator[tuple[str, str]]:
    """Yield the headings of a page, and the transcripts that stand under them."""
    parts = re.split(r"^```(\w*)\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
    for number in range(0, len(parts), 3):
        for heading in re.findall(r"^#+ (.*)$", parts[number], re.MULTILINE):
            yield "heading", heading
        if parts[number + 1 : number + 2] == ["console"]:
            yield "transcript", parts[number + 2]


def commands(transcript: str) -> Iterator[tuple[str, str]]:
    """Yield the commands of a transcript, each with the output that is shown for it."""
    for part in re.split(r"^\$ ", transcript, flags=re.MULTILINE)[1:]:
        lines = part.splitlines()
        rows = lines.index("EOF") + 1 if lines[0].endswith("<<'EOF'") else 1
        while lines[rows - 1].endswith("\\") or "".join(lines[rows : rows + 1]).startswith("> "):
            rows += 1
        command = [line.removeprefix("> ") for line in lines[:rows]]
        yield "\n".join(command), "".join(f"{line}\n" for line in lines[rows:])


def is_shown(shown: str, printed: str) -> bool:
    """Tell whether an output is what is shown of it; three dots stand for whatever is there."""
    pattern = re.escape(shown)
    pattern = re.sub(r"^\\\.\\\.\\\.\\\n", r"(?:.*\\n)*", pattern, flags=re.MULTILINE)
    return re.fullmatch(pattern.replace(r"\.\.\.", ".*"), printed) is not None


class Reader:
    """Somebody who types what a page says, in a copy of the examples."""

    def __init__(self, place: Path, page: Path) -> None:
        self.page = page.name
        self.place = place
        self.home = place / "examples" / ("spec-shop" if page.name == "specgraph.md" else "shop")
        for example in EXAMPLES:
            ignore = shutil.ignore_patterns(".cache", "__pycache__", ".drift-state")
            shutil.copytree(
                REPOSITORY / "examples" / example, place / "examples" / example, ignore=ignore
            )
        self.type(BEGIN)

    def type(self, command: str) -> tuple[int, str]:
        done = subprocess.run(
            ["sh", "-c", command],
            cwd=self.place if "-C examples/" in command else self.home,
            env={**os.environ, "PATH": shared().path, "NO_COLOR": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            check=False,
        )
        return done.returncode, done.stdout

    def follow(self, text: str) -> Iterator[str]:
        """Do what a page says; yield what is not as it says."""
        for what, content in transcripts(text):
            if what == "heading" and (self.page, content) in BEFORE:
                self.type(BEFORE[self.page, content])
            elif what == "transcript":
                for command, shown in commands(content):
                    if not re.match(MACHINE, command, re.DOTALL):
                        yield from self.compare(command, shown)

    def compare(self, command: str, shown: str) -> Iterator[str]:
        code, printed = self.type(command)
        is_fine = is_shown(shown, printed) if shown else "error:" not in printed
        if code in WRONG or not is_fine:
            yield f"$ {command}\n{printed}(exit code {code})\n"


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_a_page_shows_what_its_commands_print(tmp_path: Path, page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert list(Reader(tmp_path, page).follow(text)) == []
