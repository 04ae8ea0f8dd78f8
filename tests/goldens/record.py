"""Record what the program prints and writes, as the files in `expected/`.

    python tests/goldens/record.py --yg PATH_OR_COMMAND [--only CORPUS[/GROUP]] [--full DIR]

`--only` may be repeated. `--full` writes the whole outputs to a directory of your own, to compare
what `expected/` has only as digests.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from goldens.calls import STATES, TABLES, Call, Edit, calls_of
from goldens.corpora import GIT_ENVIRONMENT, MissingCommitError, build, git

if TYPE_CHECKING:
    from collections.abc import Sequence

EXPECTED = Path(__file__).resolve().parent / "expected"
LIMIT = 3_000  # characters; what is longer is stored as a digest
LIMITS = {"own": 800, "synthetic": 800, "broken/issues": 10_000}
FIRST_LINES, LINE_WIDTH, KEY_LIMIT = 5, 160, 200
PASSED_ON = ("PATH", "PYTHONPATH", "PYTHONHASHSEED")


class Laboratory:
    """Runs calls in corpora below one directory, which are built when they are first needed."""

    def __init__(self, base: Path, command: Sequence[str]) -> None:
        self.base = base.resolve()
        self.command = tuple(command)
        self.copies: dict[tuple[str, str], tuple[Path, str]] = {}
        self.home = self.base / "home"
        self.home.mkdir(parents=True, exist_ok=True)
        self.environment = {
            **{name: os.environ[name] for name in PASSED_ON if name in os.environ},
            **{key: GIT_ENVIRONMENT[key] for key in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM")},
            "HOME": str(self.home),
            "XDG_CACHE_HOME": str(self.home / "cache"),
            "XDG_CONFIG_HOME": str(self.home / "config"),
            "PYTHONPYCACHEPREFIX": str(self.home / "bytecode"),
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
            "COLUMNS": "80",
            "LINES": "24",
            "TERM": "dumb",
            "SOURCE_DATE_EPOCH": "1704164645",
        }
        version = self._run(("--version",), self.base).stdout.decode().split()
        self.version = version[1] if len(version) > 1 else ""

    def _run(
        self, argv: Sequence[str], directory: Path, stdin: str = ""
    ) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [*self.command, *argv],
            cwd=directory,
            env=self.environment,
            input=stdin.encode(),
            check=False,
            capture_output=True,
            timeout=300,
        )

    def corpus(self, name: str, state: str = "") -> Path:
        """Return a corpus in one state, to read only."""
        root = self.base / (state or "clean") / name
        if not root.exists():
            if state:
                shutil.copytree(self.corpus(name), root, symlinks=True)
                for edit in STATES[name][state]:
                    apply(edit, root)
            else:
                build(name, root)
        return root

    def copy(self, name: str, state: str) -> tuple[Path, str]:
        """Return a copy of a corpus for calls that write, and the git tree of its files."""
        if (name, state) not in self.copies:
            root = self.base / f"copy-{state or 'clean'}" / name
            shutil.copytree(self.corpus(name, state), root, symlinks=True)
            git(root, "add", "-A", "-f")
            self.copies[name, state] = root, git(root, "write-tree").decode().strip()
        return self.copies[name, state]

    def answer(self, corpus: str, call: Call, limit: int) -> str:
        """Run a call, and return all that is recorded about it."""
        if call.writes:
            root, before = self.copy(corpus, call.state)
        else:
            root, before = self.corpus(corpus, call.state), ""
        done = self._run(call.argv, root / call.directory, call.stdin)
        parts = [f"$ {call.title}\nexit {done.returncode}\n"]
        for stream, content in (("stdout", done.stdout), ("stderr", done.stderr)):
            if content:
                text = self._normal(content, root)
                parts.append(f"--- {stream}\n{shown(text, limit)}")
        if call.writes:
            parts.append(self._changes(root, before, limit))
        return "".join(parts)

    def _normal(self, content: bytes, root: Path) -> str:
        """Return an output without paths of this machine and the version of the program."""
        text = content.decode("utf-8", "backslashreplace")
        text = text.replace(str(root), "<ROOT>").replace(str(self.base), "<BASE>")
        if self.version:
            text = re.sub(rf"(?<![\d.]){re.escape(self.version)}(?!\.?\d)", "<VERSION>", text)
        return text

    def _changes(self, root: Path, before: str, limit: int) -> str:
        """Return how the files of a copy differ from before the call, and undo the changes."""
        git(root, "add", "-A", "-f")
        diff = git(root, "diff", "--cached", "--no-renames", "--no-color", "--text", before)
        git(root, "read-tree", "--reset", "-u", before)
        git(root, "clean", "-q", "-f", "-d", "-x")
        text = re.sub(r"(?m)^index .*\n", "", self._normal(diff, root))
        if not text:
            return "--- files\nno change\n"
        if len(text) <= limit:
            return f"--- files\n{ended(text)}"
        lines = []
        for part in re.split(r"(?m)^(?=diff --git )", text)[1:]:
            name = part.partition("\n")[0].rpartition(" b/")[2]
            lines.append(f"{digest(part)[:16]} {len(part.splitlines())} {name}\n")
        if sum(map(len, lines)) > limit:
            return f"--- files\n{len(lines)} files\n{shown(''.join(lines), limit)}"
        return f"--- files\n{''.join(lines)}"


def apply(edit: Edit, root: Path) -> None:
    """Make one change below a directory."""
    file = root / edit.path
    if edit.new is None:
        shutil.rmtree(file) if file.is_dir() else file.unlink()
        return
    before = file.read_text(encoding="utf-8") if file.exists() else ""
    if edit.old is not None and edit.old not in before:
        raise ValueError(f"{edit.path} has no text {edit.old!r}")
    after = before + edit.new if edit.old is None else before.replace(edit.old, edit.new, 1)
    file.write_text(after, encoding="utf-8")


def digest(text: str) -> str:
    """Return the digest of a text."""
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()


def ended(text: str) -> str:
    """Return a text that ends with a line break, and shows it if it did not."""
    return text if text.endswith("\n") else f"{text}\n\\ no line break at the end\n"


def shown(text: str, limit: int) -> str:
    """Return an output as it is stored: JSON as its values, long texts as digests."""
    try:
        value = json.loads(text) if text.startswith("{") else None
    except ValueError:
        value = None
    if isinstance(value, dict):
        keys = {
            key: json.dumps(value[key], sort_keys=True, ensure_ascii=False, separators=(",", ":"))
            for key in sorted(value)
        }
        whole = "".join(f"{json.dumps(key)}: {content}\n" for key, content in keys.items())
        if len(whole) <= limit:
            return whole
        return f"sha256 {digest(whole)}\n" + "".join(
            f"{json.dumps(key)}: "
            + (content if len(content) <= KEY_LIMIT else f"{digest(content)[:16]} {len(content)}")
            + "\n"
            for key, content in keys.items()
        )
    if len(text) <= limit:
        return ended(text)
    lines = text.splitlines()
    first = "".join(f"{line[:LINE_WIDTH]}\n" for line in lines[:FIRST_LINES])
    return f"sha256 {digest(text)}\nlines {len(lines)}\n{first}"


def recorded(laboratory: Laboratory, corpus: str, group: str, limit: int | None = None) -> str:
    """Return the content of one golden file."""
    limit = limit or LIMITS.get(f"{corpus}/{group}", LIMITS.get(corpus, LIMIT))
    answers = [laboratory.answer(corpus, call, limit) for call in calls_of(corpus)[group]]
    return "\n".join(answers)


def groups() -> list[tuple[str, str]]:
    """Return every corpus with every group of calls in it."""
    return [(corpus, group) for corpus in TABLES for group in calls_of(corpus)]


def command_of(text: str) -> list[str]:
    """Split a command, and make its program independent of the current directory."""
    program, *rest = shlex.split(text)
    return [os.path.abspath(program) if os.sep in program else program, *rest]


def main() -> None:
    """Record all groups, or those that are named."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--yg", required=True, help="the program, as a path or a command")
    parser.add_argument("--only", action="append", help="CORPUS or CORPUS/GROUP")
    parser.add_argument("--full", type=Path, help="write whole outputs to this directory instead")
    options = parser.parse_args()
    target, limit = (options.full, sys.maxsize) if options.full else (EXPECTED, None)
    with tempfile.TemporaryDirectory() as base:
        laboratory = Laboratory(Path(base), command_of(options.yg))
        for corpus, group in groups():
            if options.only and not {corpus, f"{corpus}/{group}"} & set(options.only):
                continue
            try:
                text = recorded(laboratory, corpus, group, limit)
            except MissingCommitError as error:
                sys.exit(f"error: {error}")
            file = target / corpus / f"{group}.txt"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
