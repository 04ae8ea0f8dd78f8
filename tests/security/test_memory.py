"""No manifest, text or set of imports of a megabyte takes more than 150 MB."""

from __future__ import annotations

import pytest

from security.memory import needs_peaks, too_much

SIZE = 1_000_000  # bytes
READERS = [
    ("hostile_imports", "resolve", "REPOSITORIES"),
    ("hostile_imports", "resolve", "LARGEST"),
    ("hostile_texts", "decode_yaml", "YAML"),
    ("hostile_texts", "spans", "YAML"),
    ("hostile_texts", "outline", "YAML"),
    ("hostile_texts", "decode_json", "JSON"),
    ("hostile_texts", "read_ignored", "IGNORE"),
    ("hostile_texts", "columns", "WORDS"),
    ("hostile_texts", "read_anchors", "ANCHORS"),
    ("hostile_texts", "read_code_anchors", "ANCHORS"),
    ("hostile_texts", "read_manifest", "MANIFEST"),
]


@pytest.mark.slow
@needs_peaks
@pytest.mark.parametrize(("module", "function", "table"), READERS)
def test_a_megabyte_takes_at_most_150_megabytes(module: str, function: str, table: str) -> None:
    assert too_much(f"security.{module}", function, table, SIZE) == {}
