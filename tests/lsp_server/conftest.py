"""Without the extra `lsp`, there is no server to test."""

from __future__ import annotations

from importlib.util import find_spec

HAS_EXTRA = all(find_spec(name) for name in ("pygls", "lsprotocol", "pytest_lsp"))
collect_ignore_glob = [] if HAS_EXTRA else ["test_*.py"]
