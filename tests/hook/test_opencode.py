"""The plugin for opencode, driven by stand-ins for 1.x and 2.x; opencode itself is not started."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hook.sessions import PRICING, Opencode, shop_at
from yg.yggdrasil.start.harnesses import PLUGIN
from yg.yggdrasil.start.templates import template

NODE = shutil.which("node")
DRIVER = Path(__file__).parent / "opencode.mjs"
pytestmark = pytest.mark.skipif(NODE is None, reason="the plugin is JavaScript, and needs Node")
GOES_ON = "The conversation was compacted; the task goes on."
FAILING = "#!/bin/sh\necho broken\nexit 1\n"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    root = shop_at(tmp_path / "shop")
    plugin = root / PLUGIN
    plugin.parent.mkdir(parents=True)
    plugin.write_text(template("yg.js"), "utf-8")
    (plugin.parent / "package.json").write_text('{"type": "module"}', "utf-8")
    return root


def program(folder: Path, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "yg").write_text(text, "utf-8")
    (folder / "yg").chmod(0o755)
    return folder


@pytest.fixture
def real(tmp_path: Path) -> Path:
    return program(tmp_path / "bin", f'#!/bin/sh\nexec "{sys.executable}" -m yg "$@"\n')


def driven(root: Path, folder: Path | None, *events: tuple[Any, ...]) -> list[Any]:
    """Deliver events while `yg` is in a folder; return what the model gets for each."""
    assert NODE is not None
    system = os.environ["PATH"] if folder else ""
    environment = {**os.environ, "PATH": os.pathsep.join(filter(None, [str(folder or ""), system]))}
    result = subprocess.run(
        [NODE, str(DRIVER), str(root / PLUGIN), str(root)],
        input=json.dumps(events),
        env=environment,
        cwd=root.parent,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (result.returncode, result.stderr) == (0, "")
    found: list[Any] = json.loads(result.stdout)
    return found


def test_version_1_adds_notes_to_what_the_model_reads(shop: Path, real: Path) -> None:
    edited = shop / PRICING
    first, again, read, same, other = driven(
        shop,
        real,
        ("1 request", "one"),
        ("1 request", "one"),
        ("1 tool", "one", "read", {"filePath": str(edited)}),
        ("1 tool", "one", "read", {"filePath": str(edited)}),
        ("1 tool", "one", "bash", {"command": "ls"}),
    )
    assert first[0] == "base"
    assert first[1].startswith("# shop\n")
    assert again == first
    assert read.startswith("done\n\norders/pricing owns ")
    assert (same, other) == ("done", "done")


@pytest.mark.parametrize("version", [1, 2])
def test_a_session_that_is_resumed_has_the_overview_again(
    shop: Path, real: Path, version: int
) -> None:
    harness = Opencode(shop)  # before opencode was started again
    for event in (harness.start(""), harness.prompt(), harness.read(PRICING)):
        harness.send(*event)
    file = {"filePath": str(shop / PRICING), "path": PRICING}
    request, read = driven(
        shop,
        real,
        (f"{version} request", harness.session),
        (f"{version} tool", harness.session, "read", file),
    )
    assert request[1].startswith("# shop\n")
    assert read in ("done", ["done"])


def test_version_1_goes_on_after_a_compaction_and_asks_once_at_the_end(
    shop: Path, real: Path
) -> None:
    edited = shop / PRICING
    code = edited.read_text("utf-8")
    edited.write_text(code.replace("\nSHIPPING_MINOR = 4", "\nSHIPPING_MINOR = 5"), "utf-8")
    assert edited.read_text("utf-8") != code
    change = ("edit", {"filePath": str(edited), "oldString": "4", "newString": "5"})
    _, _, compacted, request, child, asked, again = driven(
        shop,
        real,
        ("1 request", "one"),
        ("1 tool", "one", *change),
        ("1 compacting", "one"),
        ("1 request", "one"),
        ("1 idle", "child"),
        ("1 idle", "one"),
        ("1 idle", "one"),
    )
    assert GOES_ON in compacted[0]
    assert request == ["base", *compacted]
    assert (child, again) == ([], [])
    ((session, text),) = asked
    assert session == "one"
    assert "drift-sync" in text


def test_version_2_adds_notes_to_what_the_model_reads(shop: Path, real: Path) -> None:
    found = driven(
        shop,
        real,
        ("2 request", "two"),
        ("2 request", "two", "title"),
        ("2 tool", "two", "edit", {"path": PRICING}),
        ("2 tool", "two", "edit", {"path": PRICING}),
        ("2 tool", "two", "edit", {"path": PRICING}, "error"),
        ("2 compaction", "two"),
        ("2 request", "two"),
    )
    request, title, edit, same, failed, _, after = found
    assert request[0] == "base"
    assert request[1].startswith("# shop\n")
    assert title == ["base"]
    assert edit[0] == "done"
    assert edit[1].startswith("orders/pricing owns ")
    assert (same, failed) == (["done"], None)
    assert after[0] == "base"
    assert GOES_ON in after[1]


@pytest.mark.parametrize("has_program", [False, True])
def test_nothing_happens_without_a_program_that_works(
    tmp_path: Path, shop: Path, *, has_program: bool
) -> None:
    folder = program(tmp_path / "failing", FAILING) if has_program else None
    found = driven(
        shop,
        folder,
        ("1 request", "one"),
        ("1 tool", "one", "edit", {"filePath": PRICING}),
        ("1 compacting", "one"),
        ("1 idle", "one"),
        ("2 request", "two"),
        ("2 tool", "two", "edit", {"path": PRICING}),
        ("2 request", ""),
    )
    assert found == [["base"], "done", [], [], ["base"], ["done"], ["base"]]
