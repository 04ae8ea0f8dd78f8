"""Connections to SQLite files that nobody closes."""

from __future__ import annotations

import gc
import sqlite3
from typing import TYPE_CHECKING

import pytest

from yg.disk.index.database import connected

if TYPE_CHECKING:
    from pathlib import Path


def test_a_connection_that_nobody_closes_gives_no_warning(
    tmp_path: Path, recwarn: pytest.WarningsRecorder
) -> None:
    connected(str(tmp_path / "index.db"), writes=True).execute("SELECT 1")
    gc.collect()
    assert recwarn.list == []


def test_a_file_that_cannot_be_opened_leaves_no_connection(
    tmp_path: Path, recwarn: pytest.WarningsRecorder
) -> None:
    with pytest.raises(sqlite3.OperationalError, match="unable to open database file"):
        connected(str(tmp_path / "missing" / "index.db"), writes=True)
    gc.collect()
    assert recwarn.list == []
