"""Repositories that strangers prepare: the git of a user, and traps for git."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

needs_shell = pytest.mark.skipif(shutil.which("sh") is None, reason="the traps are shell scripts")
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
SOMEBODY = 54_321  # a user id that nobody has


def write(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files below a directory, and the directories they need."""
    for path, content in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def sh(root: Path, *arguments: str) -> str:
    """Run git as its user does, with nothing switched off."""
    settings = ("-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always")
    command = ["git", *settings, "-C", str(root), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def commit_all(root: Path, files: Mapping[str, str | bytes] = {}) -> str:
    """Write files, commit everything there is, and return the id of the commit."""
    root.mkdir(parents=True, exist_ok=True)
    write(root, files)
    if not (root / ".git").exists():
        sh(root, "init", "-q")
    sh(root, "add", "-A")
    sh(root, "commit", "-q", "--allow-empty", "-m", "one")
    return sh(root, "rev-parse", "HEAD")


def give_away(path: Path) -> Path:
    """Let a file or directory, with all in it, belong to somebody else."""
    for place in (path, *path.rglob("*")):
        os.chown(place, SOMEBODY, SOMEBODY, follow_symlinks=False)
    return path


def replace_git(monkeypatch: pytest.MonkeyPatch, folder: Path, script: str) -> None:
    """Put a shell script before git on PATH."""
    program = write(folder, {"git": f"#!/bin/sh\n{script}"}) / "git"
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


def config_text(settings: Mapping[str, str]) -> str:
    """Write settings as in a configuration file of git."""
    lines = []
    for name, value in settings.items():
        section, _, key = name.rpartition(".")
        first, _, second = section.partition(".")
        head = f'[{first} "{second}"]' if second else f"[{first}]"
        lines.append(f"{head}\n\t{key} = {value}\n")
    return "".join(lines)


def configure(root: Path, settings: Mapping[str, str]) -> None:
    """Set values of a repository, all at once."""
    with (root / ".git" / "config").open("a") as file:
        file.write(config_text(settings))


def touch_everything(root: Path) -> None:
    """Make git unsure of every file: same content, other times."""
    for file in sorted(root.rglob("*")):
        if ".git" not in file.parts and file.is_file():
            os.utime(file, (1, 1))


def files_below(root: Path) -> dict[str, bytes | str]:
    """Return everything below a directory: the content of files, the targets of links."""
    found: dict[str, bytes | str] = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.is_symlink():
            found[name] = f"-> {os.readlink(path)}"
        else:
            found[name] = path.read_bytes() if path.is_file() else "directory"
    return found


class Trap:
    """A program that leaves a mark when somebody runs it."""

    def __init__(self, folder: Path) -> None:
        self.mark = folder / "sprung"
        self.program = folder / "trap.sh"
        self.hooks = folder / "hooks"
        self.hooks.mkdir(parents=True)
        self.program.write_text(f"#!/bin/sh\necho \"$0 $*\" >> '{self.mark}'\ncat\n")
        self.program.chmod(0o755)
        for hook in ("post-index-change", "reference-transaction", "fsmonitor-watchman"):
            shutil.copy(self.program, self.hooks / hook)

    def assert_unsprung(self) -> None:
        assert not self.mark.exists(), self.mark.read_text()
