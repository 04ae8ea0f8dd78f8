"""The temporary files of a killed run are removed by the next, those of a live one never."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from forked import shared
from support import CONFIG, NODE, run, write
from yg.disk.files.temporary import PREFIX

STATE = ".yggdrasil/.drift-state"
MAPPED = {
    ".yggdrasil/yg-config.yaml": CONFIG,
    **{
        f".yggdrasil/model/{name}/yg-node.yaml": f"{NODE}mapping: {{paths: [src/{name}]}}\n"
        for name in ("a", "deep/b")
    },
    "src/a": "a",
    "src/deep/b": "b",
}
# Runs a command that stops between writing new files of a repository and giving them their names.
STOPPED = """\
import os, signal, sys
from yg.surfaces.cli.main import main
replace = os.replace
def stop(*names, **folders):
    if folders:
        {what}
    replace(*names, **folders)
os.replace = stop
sys.exit(main(sys.argv[1:]))
"""
KILLED = STOPPED.format(what="os.kill(os.getpid(), signal.SIGKILL)")
WAITING = STOPPED.format(what="os.replace = replace; print('written', flush=True); input()")


def start(code: str, root: Path, argv: Sequence[str]) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [*shared().python(code), *argv, "-C", str(root), "--no-cache"],
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
    )


def kill(root: Path, *argv: str) -> None:
    with start(KILLED, root, argv) as process:
        process.communicate()
    assert process.returncode == -signal.SIGKILL
    assert leftovers(root) != []


def leftovers(root: Path) -> list[str]:
    """Return the temporary files below a directory."""
    return [path.relative_to(root).as_posix() for path in sorted(root.rglob(f"{PREFIX}*"))]


@pytest.mark.parametrize(
    ("killed", "after"),
    [
        (("drift-sync", "--all"), ("drift-sync", "--all")),
        (("drift-sync", "deep/b"), ("drift-sync", "a")),
        (("drift-sync", "a"), ("drift-sync", "deep/b")),
    ],
    ids=" ".join,
)
def test_a_sync_clears_what_a_killed_one_left(
    tmp_path: Path, killed: tuple[str, ...], after: tuple[str, ...]
) -> None:
    root = write(tmp_path, MAPPED)
    kill(root, *killed)
    assert run(*after, "-C", str(root), "--no-cache").code == 0
    assert leftovers(root / STATE) == []


@pytest.mark.parametrize("platform", ["generic", "codex", "cursor", "claude-code"])
def test_an_upgrade_clears_what_a_killed_start_left(tmp_path: Path, platform: str) -> None:
    kill(tmp_path, "init", "--name", "Shop", "--platform", platform)
    # Killed at its first file: that one is written again by hand.
    write(tmp_path, {".yggdrasil/yg-config.yaml": CONFIG})
    kill(tmp_path, "init", "--upgrade", "--platform", platform)
    assert run("init", "--upgrade", "-C", str(tmp_path)).code == 0
    assert leftovers(tmp_path) == []


def test_a_dry_run_removes_nothing(tmp_path: Path) -> None:
    kill(tmp_path, "init", "--name", "Shop")
    write(tmp_path, {".yggdrasil/yg-config.yaml": CONFIG})
    before = leftovers(tmp_path)
    assert run("init", "--upgrade", "--dry-run", "-C", str(tmp_path)).code == 0
    assert leftovers(tmp_path) == before


def test_two_runs_at_once_do_not_disturb_each_other(tmp_path: Path) -> None:
    write(tmp_path, {".yggdrasil/yg-config.yaml": CONFIG})
    with start(WAITING, tmp_path, ["init", "--upgrade", "--platform", "codex"]) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == b"written\n"
        waiting = leftovers(tmp_path)
        assert waiting != []
        assert run("init", "--upgrade", "--platform", "codex", "-C", str(tmp_path)).code == 0
        assert leftovers(tmp_path) == waiting
        _, errors = first.communicate(b"\n")
    assert (first.returncode, errors) == (0, b"")
    assert leftovers(tmp_path) == []
    again = run("init", "--upgrade", "--platform", "codex", "-C", str(tmp_path))
    assert again.text == "✓ rules for codex: AGENTS.md\n"
