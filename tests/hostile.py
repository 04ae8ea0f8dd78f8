"""Repositories that strangers prepare: the git of a user, traps for git, and commands to try."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from support import write

COMMANDS: tuple[tuple[str, ...], ...] = (
    ("impact", "--diff"),
    ("impact", "--diff", "--staged"),
    ("impact", "a", "--simulate"),
    ("tree", "--at", "HEAD"),
    ("build-context", "a"),
    ("uses", "a"),
    ("uses", "src/a.py::a", "--at", "HEAD"),
    ("validate", "--format", "sarif"),
    ("drift",),
    ("review",),
    ("review", "--since", "HEAD", "--diff"),
    ("brief", "a"),
    ("overview",),
    ("status",),
    ("preflight",),
    ("advise",),
    ("coverage",),
    ("show", "src/a.py:1"),
    ("show", "a", "--at", "HEAD"),
    ("check-docs",),
    ("draft", "--add", "--dry-run"),
    ("plan",),
    ("export",),
    ("export", "--format", "html"),
    ("export", "--format", "html", "--diff", "HEAD"),
    ("find", "first"),
    ("decisions",),
    ("review",),
    ("review", "--since", "HEAD"),
    ("drift-sync", "--all"),
    ("rm", "a", "--force", "--dry-run"),
    ("inventory",),
    ("import", "update"),
)
needs_shell = pytest.mark.skipif(shutil.which("sh") is None, reason="the traps are shell scripts")


def sh(root: Path, *arguments: str) -> str:
    """Run git as its user does, with nothing switched off."""
    settings = ("-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always")
    command = ["git", *settings, "-C", str(root), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def commit_all(root: Path) -> str:
    if not (root / ".git").exists():
        sh(root, "init", "-q")
    sh(root, "add", "-A")
    sh(root, "commit", "-q", "--allow-empty", "-m", "one")
    return sh(root, "rev-parse", "HEAD")


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
