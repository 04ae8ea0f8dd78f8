"""The extension for VS Code: its client library against the server, and its package."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest

from support import REPOSITORY
from yg.version import __version__

EXTENSION = REPOSITORY / "editors" / "vscode"
BUILT = EXTENSION / "out" / "extension.js"


@pytest.mark.slow
@pytest.mark.skipif(
    shutil.which("node") is None or not BUILT.is_file(), reason="needs Node and `make vscode`"
)
def test_the_extension_and_its_client_library_talk_to_the_server() -> None:
    command = json.dumps([sys.executable, "-m", "yg", "lsp"])
    outcome = subprocess.run(
        ["node", "--test", "test/client.test.mjs", "test/extension.test.mjs"],
        cwd=EXTENSION,
        env={**os.environ, "YG_LSP_COMMAND": command},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr


def test_the_extension_has_the_version_of_the_program() -> None:
    package = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    assert package["version"] == __version__


def test_the_lock_file_names_no_registry() -> None:
    lock = json.loads((EXTENSION / "package-lock.json").read_text(encoding="utf-8"))
    assert all("resolved" not in entry for entry in lock["packages"].values())
