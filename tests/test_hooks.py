"""The hooks for pre-commit, run by pre-commit itself.

Only how they are installed is left out: the programs of this environment are used.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from forked import shared
from support import REPOSITORY, git, shop_files, write

pytestmark = pytest.mark.slow

MANIFEST = REPOSITORY / ".pre-commit-hooks.yaml"
HOOKS: dict[str, dict[str, Any]] = {
    hook["id"]: hook for hook in yaml.safe_load(MANIFEST.read_text(encoding="utf-8"))
}
PRICING = "src/shop/orders/pricing.py"
Ran = tuple[int, str]


@pytest.fixture
def shop(committed_shop: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(committed_shop, tmp_path / "shop"))


def pre_commit(root: Path, *arguments: str, **changes: object) -> Ran:
    """Run one of our hooks (the first argument), as a repository might configure it."""
    name, *rest = arguments
    hook = {**HOOKS[name], "language": "unsupported", **changes}
    del hook["minimum_pre_commit_version"]
    config = root.parent / "config.yaml"
    config.write_text(yaml.safe_dump({"repos": [{"repo": "local", "hooks": [hook]}]}))
    done = subprocess.run(
        ["pre-commit", "run", "--color", "never", "--config", str(config), *rest],
        cwd=root,
        env={**os.environ, "PATH": shared().path, "PRE_COMMIT_HOME": str(root.parent / "store")},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    return done.returncode, done.stdout


def test_the_manifest_is_one_that_pre_commit_takes() -> None:
    command = [sys.executable, "-m", "pre_commit", "validate-manifest", str(MANIFEST)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert list(HOOKS) == ["yg-validate", "yg-drift", "yg-check-docs", "yg-coverage"]
    assert {hook["language"] for hook in HOOKS.values()} == {"python"}


def test_a_sound_graph_passes_and_one_with_errors_does_not(shop: Path) -> None:
    assert pre_commit(shop, "yg-validate")[0] == 0
    node = shop / ".yggdrasil/model/orders/order-service/yg-node.yaml"
    node.write_text(node.read_text().replace("payments/payment-service", "payments/payment-servce"))
    git(shop, "add", "-A")
    code, text = pre_commit(shop, "yg-validate")
    assert code == 1
    assert "E004 orders/order-service -> relation to 'payments/payment-servce'" in text


def test_the_graph_is_checked_also_when_a_file_was_only_deleted(shop: Path) -> None:
    git(shop, "rm", "-q", ".yggdrasil/aspects/requires-audit/yg-aspect.yaml")
    code, text = pre_commit(shop, "yg-validate")
    assert (code, "E003" in text) == (1, True)


def test_drift_is_looked_for_where_files_changed(shop: Path) -> None:
    assert pre_commit(shop, "yg-drift", "--all-files")[0] == 0
    for file in (PRICING, "src/shop/shared/money.py"):
        content = (shop / file).read_text(encoding="utf-8")
        write(shop, {file: f"{content}# changed\n"})
    git(shop, "add", PRICING)
    code, text = pre_commit(shop, "yg-drift")
    assert code == 1
    assert f"  [drift] orders/pricing\n    {PRICING} (cosmetic)\n" in text
    assert "Summary: 1 source-drift, 0 graph-drift, 0 full-drift, 0 missing" in text
    assert "shared/money" not in text


def test_drift_is_looked_for_where_the_graph_changed(shop: Path) -> None:
    write(shop, {".yggdrasil/model/shared/money/interface.md": "Everything is different now.\n"})
    git(shop, "add", "-A")
    code, text = pre_commit(shop, "yg-drift")
    assert (code, "Summary: 0 source-drift, 4 graph-drift" in text) == (1, True)


def test_a_mapped_file_that_became_a_link_is_looked_at(shop: Path) -> None:
    (shop / PRICING).unlink()
    (shop / PRICING).symlink_to("service.py")
    git(shop, "add", "-A")
    code, text = pre_commit(shop, "yg-drift")
    assert (code, "[missing] orders/pricing" in text) == (1, True)


def test_a_change_that_concerns_no_node_passes(shop: Path) -> None:
    write(shop, {"README.md": "# Shop\n", PRICING: "# changed, but not part of the commit\n"})
    git(shop, "add", "README.md")
    assert pre_commit(shop, "yg-drift")[0] == 0


def test_coverage_asks_for_everything_unless_told_how_much(shop: Path) -> None:
    code, text = pre_commit(shop, "yg-coverage")
    assert code == 1
    assert "coverage 86.36% is below 100%\n" in text
    assert "src/shop/app.py\n" in text
    assert pre_commit(shop, "yg-coverage", args=["--fail-under", "80"])[0] == 0


def test_a_deleted_file_that_a_document_names_is_refused(shop: Path) -> None:
    write(shop, {"AGENTS.md": f"Prices are in `{PRICING}`.\n"})
    git(shop, "add", "-A")
    git(shop, "commit", "-q", "-m", "Document")
    assert pre_commit(shop, "yg-check-docs")[0] == 0
    git(shop, "rm", "-q", PRICING)
    code, text = pre_commit(shop, "yg-check-docs")
    assert (code, f"AGENTS.md:1: {PRICING} does not exist\n" in text) == (1, True)


def test_a_graph_below_the_root_can_be_named(tmp_path: Path) -> None:
    root = write(tmp_path / "shops", {f"one/{path}": text for path, text in shop_files().items()})
    write(root, {f"one/{PRICING}": "# changed\n"})
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    assert pre_commit(root, "yg-validate", args=["-C", "one"])[0] == 0
    changes = {"args": ["-C", "one", "--drifted-only"], "pass_filenames": False}
    code, text = pre_commit(root, "yg-drift", files="^one/", **changes)
    assert (code, "Summary: 1 source-drift" in text) == (1, True)
    assert pre_commit(root, "yg-drift", files="^two/", **changes)[0] == 0
