"""The saved files as a server knows them: opened once, and again after a change."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from lsp_server.editor import MODEL, SHOP
from support import REPOSITORY, write
from yg.kernel.steps import finished
from yg.surfaces.lsp import session as module
from yg.surfaces.lsp.checks import Checker
from yg.surfaces.lsp.documents import Documents
from yg.surfaces.lsp.session import Session


@pytest.fixture(autouse=True)
def exact_times(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TICK_NS", -(10**18))


def codes(session: Session) -> list[str]:
    found = finished(Checker(session).steps(Documents(), "utf-16"))
    return [issue.code for issue in found.issues]


def test_files_are_opened_once_until_one_changes(tmp_path: Path) -> None:
    assert codes(Session(str(write(tmp_path, SHOP)))) == []  # creates the index
    session = Session(str(tmp_path))
    assert codes(session) == []
    first = session.saved()
    assert not session.has_changed()
    assert session.saved() is first
    write(tmp_path, {f"{MODEL}/pay/yg-node.yaml": "name: P\ntype: servce\n"})
    assert session.has_changed()
    assert codes(session) == ["E002"]


@pytest.mark.parametrize("gone", [".yggdrasil", "src", f"{MODEL}/pay/gateway", "src/pay.py"])
def test_a_deleted_file_or_directory_is_a_change(tmp_path: Path, gone: str) -> None:
    session = Session(str(write(tmp_path, SHOP)))
    assert session.saved() is not None
    place = tmp_path / gone
    shutil.rmtree(place) if place.is_dir() else place.unlink()
    assert session.has_changed()


def test_a_graph_that_appears_is_a_change(tmp_path: Path) -> None:
    session = Session(str(tmp_path))
    assert not session.has_changed()
    write(tmp_path, SHOP)
    assert session.has_changed()


def test_a_spec_graph_is_opened_once_until_a_node_changes(tmp_path: Path) -> None:
    root = tmp_path / "shop"
    example = REPOSITORY / "examples" / "spec-shop"
    shutil.copytree(example, root)
    assert codes(Session(str(root))) == []  # creates the index
    session = Session(str(root))
    assert codes(session) == []
    assert not session.has_changed()
    write(root, {"specgraph/nodes/behaviors/CART-01.json": "{"})
    assert session.has_changed()
    assert codes(session) != []
