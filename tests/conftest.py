"""Settings of all tests: the pace of property tests, a git and a cache of their own."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "here", deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "build", settings.get_profile("here"), max_examples=150, derandomize=True, database=None
)
settings.load_profile("build" if os.environ.get("CI") else "here")


def pytest_make_parametrize_id(val: object) -> str | None:
    """Name a test by the beginning of a long text."""
    return f"{val[:60]!r}..." if isinstance(val, str | bytes) and len(val) > 200 else None


@pytest.fixture(scope="session", autouse=True)
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Hide the user's git configuration and cache, and repositories around the tests."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("GIT_")]:
            patch.delenv(name)
        values = {
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_TEMPLATE_DIR": "",  # no sample hooks: a repository is made in half the time
            "GIT_CEILING_DIRECTORIES": str(tmp_path_factory.getbasetemp()),
            **{f"GIT_{who}_NAME": "A" for who in ("AUTHOR", "COMMITTER")},
            **{f"GIT_{who}_EMAIL": "a@example.org" for who in ("AUTHOR", "COMMITTER")},
            "XDG_CACHE_HOME": str(tmp_path_factory.mktemp("cache")),
        }
        for name, value in values.items():
            patch.setenv(name, value)
        yield
