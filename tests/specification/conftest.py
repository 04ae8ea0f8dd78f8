"""The program, for all tests of the specification."""

from __future__ import annotations

import pytest

from specification.program import Program


@pytest.fixture(scope="session")
def yg(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """Return the program, which remembers the repositories that it has written."""
    return Program(tmp_path_factory.mktemp("repositories"))
