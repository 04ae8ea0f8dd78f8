"""A configuration that cannot be read is reported by every command that loads the graph."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from support import SHOP_ROOT, run

NOTE = "skipped yg-config.yaml: not valid YAML: '[' is not closed (.yggdrasil/yg-config.yaml:1:7)\n"
ENTRY = {
    "subject": "yg-config.yaml",
    "message": "not valid YAML: '[' is not closed",
    "file": ".yggdrasil/yg-config.yaml",
    "line": 1,
    "column": 7,
}
COMMANDS = (
    ("tree",),
    ("aspects",),
    ("flows",),
    ("owner", "src/shop/orders/service.py"),
    ("deps", "orders/order-service"),
    ("impact", "orders/order-service"),
    ("impact", "--aspect", "requires-audit"),
    ("impact", "--flow", "checkout"),
    ("find", "order"),
)


def shop(root: Path, config: str) -> str:
    shutil.copytree(SHOP_ROOT, root, dirs_exist_ok=True)
    (root / ".yggdrasil" / "yg-config.yaml").write_text(config, encoding="utf-8")
    return str(root)


def without_name() -> str:
    text = (SHOP_ROOT / ".yggdrasil" / "yg-config.yaml").read_text(encoding="utf-8")
    return text.replace("name: shop", 'name: ""')


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_reports_an_unreadable_configuration(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    root = shop(tmp_path, "name: [\n")
    assert run(*command, "-C", root).notes == NOTE
    assert json.loads(run(*command, "-C", root, "--json").text)["skipped"] == [ENTRY]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_reports_a_configuration_without_a_name(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    outcome = run(*command, "-C", shop(tmp_path, without_name()))
    assert outcome.code == 0
    place = ".yggdrasil/yg-config.yaml:2:7"
    assert outcome.notes == f"skipped yg-config.yaml: 'name' must not be empty ({place})\n"


def test_an_export_reports_it_with_what_it_skipped(tmp_path: Path) -> None:
    root = shop(tmp_path, "name: [\n")
    assert json.loads(run("export", "-C", root).text)["skipped"] == [ENTRY]
    assert run("export", "--format", "dot", "-C", root).notes == NOTE


def test_a_sound_configuration_is_not_mentioned(tmp_path: Path) -> None:
    config = (SHOP_ROOT / ".yggdrasil" / "yg-config.yaml").read_text(encoding="utf-8")
    root = shop(tmp_path, config)
    assert [run(*command, "-C", root).notes for command in COMMANDS] == [""] * len(COMMANDS)


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ("name: [\n", "not valid YAML: '[' is not closed"),
        ('name: ""\n', "'name' must not be empty"),
        ("name: x\ncoverage: {exclude: docs}\n", "'exclude' must be a list, found text"),
        ("<<<<<<< ours\n", "unresolved merge conflict"),
    ],
    ids=ascii,
)
def test_coverage_is_not_counted_by_guessed_settings(
    tmp_path: Path, config: str, message: str
) -> None:
    outcome = run("coverage", "-C", shop(tmp_path, config))
    assert (outcome.code, outcome.text) == (1, "")
    assert f"yg-config.yaml -> {message}.\n" in outcome.notes
    assert outcome.notes.endswith(
        "error: no coverage: the configuration cannot be read\n  Fix its errors first.\n"
    )


@pytest.mark.parametrize(
    ("command", "what"),
    [
        (("drift",), "drift"),
        (("drift-sync", "--all"), "baselines"),
        (("drift-sync", "orders/order-service"), "baselines"),
    ],
    ids=str,
)
def test_a_graph_without_a_name_has_no_drift(
    tmp_path: Path, command: tuple[str, ...], what: str
) -> None:
    outcome = run(*command, "-C", shop(tmp_path, without_name()))
    assert (outcome.code, outcome.text) == (1, "")
    assert outcome.notes == (
        "E012 yg-config.yaml -> 'name' must not be empty.\n"
        "  .yggdrasil/yg-config.yaml:2:7\n"
        "  Write the text.\n"
        f"error: no {what}: the configuration has no name\n"
        "  Fix its errors first.\n"
    )


def test_status_and_preflight_report_a_missing_name_too(tmp_path: Path) -> None:
    root = shop(tmp_path, without_name())
    for command in ("status", "preflight"):
        notes = run(command, "-C", root).notes
        assert "warning: yg-config.yaml: 'name' must not be empty\n" in notes, command
