"""The argument `tokenizer`: for one call only."""

from __future__ import annotations

from pathlib import Path

import pytest

from specgraph.graphs import files_of, node
from support import write
from yg.surfaces.mcp.service import Request, Service, roots_of


def test_a_tokenizer_is_that_of_its_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("yg.disk.files.stamps.SETTLED_NS", -(1 << 62))  # all files are old enough
    files = files_of({"A": node("behavior")})
    root = str(write(tmp_path, {path: str(text) for path, text in files.items()}))
    service = Service(roots=roots_of(root, ()))
    named: list[dict[str, str]] = [{}, {"tokenizer": "o200k"}, {"tokenizer": "characters"}, {}]
    opened = [Request(service, root, arguments).open() for arguments in named]
    assert [workspace.queries.tokenizer for workspace in opened] == ["", "o200k", "", ""]
