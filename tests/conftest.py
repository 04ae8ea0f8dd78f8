"""Settings of all tests: the pace of property tests, interrupts, a git without configuration."""

from __future__ import annotations

import gc
import os
import re
import signal
import subprocess
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from forked import SHARED
from support import run, shop_files, write
from yg.disk.git import timeouts

settings.register_profile(
    "here", deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "build", settings.get_profile("here"), max_examples=150, derandomize=True, database=None
)
settings.load_profile("build" if os.environ.get("CI") else "here")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell lets its background jobs ignore interrupts, and so would the programs under test.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_make_parametrize_id(val: object) -> str | None:
    """Name a test by the beginning of a long text: names are sent, printed and exported."""
    return f"{val[:60]!r}..." if isinstance(val, str | bytes) and len(val) > 200 else None


NUMBERS = count()
gc.disable()  # while thousands of tests are collected, of which nothing is garbage


def pytest_collection_finish() -> None:
    """Let the garbage collector run seldom, and never visit the tests themselves."""
    gc.freeze()
    gc.set_threshold(200_000, 20, 20)
    gc.enable()


def pytest_sessionfinish() -> None:
    """Let the end of Python find everything; some libraries complain about what is left."""
    gc.unfreeze()


@pytest.fixture
def tmp_path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a directory as pytest does, without its link to the latest one, which takes longer."""
    name = re.sub(r"\W", "_", request.node.name)[:30]
    path = tmp_path_factory.getbasetemp() / f"{name}-{next(NUMBERS)}"
    path.mkdir(mode=0o700)
    return path


@pytest.fixture(scope="session", autouse=True)
def nothing_waits_for_the_disk() -> Iterator[None]:
    """Let writes return at once: the files of a test need not survive a power failure."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        yield


@pytest.fixture(scope="session", autouse=True)
def a_git_without_habits(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let git know nothing of this machine's user, and of no repository around a test."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("GIT_")]:
            patch.delenv(name)
        values = {
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_TEMPLATE_DIR": "",  # no sample hooks: a repository is made in half the time
            "GIT_TEST_FSYNC": "0",
            "GIT_CEILING_DIRECTORIES": str(tmp_path_factory.getbasetemp()),
            **{f"GIT_{who}_NAME": "A" for who in ("AUTHOR", "COMMITTER")},
            **{f"GIT_{who}_EMAIL": "a@example.org" for who in ("AUTHOR", "COMMITTER")},
        }
        for name, value in values.items():
            patch.setenv(name, value)
        yield


@pytest.fixture(autouse=True)
def git_is_asked_again() -> None:
    """Let a test not know that git has timed out in another one."""
    timeouts.forget()


@pytest.fixture(scope="session")
def committed_shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a repository of the example, everything committed and recorded; to be copied."""
    root = write(tmp_path_factory.mktemp("committed") / "shop", shop_files())
    assert run("drift-sync", "-C", str(root), "--all").code == 0
    for command in ("init -q -b main", "add -A", "commit -q -m Begin"):
        subprocess.run(["git", "-C", root, *command.split()], check=True)
    return root


@pytest.fixture(scope="session", autouse=True)
def no_server_left_behind() -> Iterator[None]:
    """End the server that starts processes, if a test has needed one."""
    with SHARED:
        yield


@pytest.fixture(scope="session", autouse=True)
def a_cache_directory_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep indexes and locks out of the home of the user who runs the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield
