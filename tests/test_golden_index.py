"""The index saves time and nothing else: every command says the same without it, bytes and all."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from random import Random

import pytest

from damage import CACHE, DAMAGES, INDEX, Damage, flip_a_bit
from support import SHOP_ROOT, run
from test_golden import CASES, Case
from yg.cli.outcome import Outcome

HERE = [case for case in CASES if case.example == SHOP_ROOT.name]
RUNS = 3  # a first one that finds everything out, a second that remembers it, and one more
DAMAGED = 3  # how often the index is damaged before each command


@pytest.fixture(autouse=True)
def _later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every file be old enough to be trusted."""
    monkeypatch.setattr("yg.disk.stamps.SETTLED_NS", -(1 << 62))


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the example repository, and let an index of it know everything."""
    root = tmp_path_factory.mktemp("golden") / "shop"
    shutil.copytree(SHOP_ROOT, root, ignore=shutil.ignore_patterns("__pycache__", ".cache"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("yg.disk.stamps.SETTLED_NS", -(1 << 62))
        for argv in (("drift-sync", "--all"), ("build-context", "payments"), ("status",)):
            assert run(*argv, "-C", str(root)).code == 0
    shutil.copy(root / INDEX, root.parent / "index")
    return root


@pytest.fixture
def shop(kept: Path) -> Path:
    """Return the example repository with an index that knows everything of it."""
    restore(kept)
    return kept


def restore(root: Path) -> None:
    for each in (root / CACHE, root / ".yggdrasil/.target"):
        if each.is_dir() and not each.is_symlink():
            each.chmod(0o755)
            shutil.rmtree(each)
        else:
            each.unlink(missing_ok=True)
    (root / CACHE).mkdir()
    shutil.copy(root.parent / "index", root / INDEX)


def say(case: Case, root: Path, *more: str) -> Outcome:
    """Run a case as the golden suite does, but in this process and with an index."""
    lines = [line.decode().strip("\r") for line in case.stdin.split(b"\n")]
    argv = [word for word in case.argv if word != "--no-cache"]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root / case.directory)
        return run(*argv, *(more if argv else ()), stdin=[line for line in lines if line])


def without_index(case: Case, root: Path) -> Outcome:
    """Run a case without an index; commands that know no such option never have one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("YG_NO_CACHE", "1")
        return say(case, root)


@pytest.mark.parametrize("case", HERE, ids=lambda case: case.name)
def test_cold_and_warm_and_damaged_it_says_the_same(case: Case, shop: Path) -> None:
    expected = without_index(case, shop)
    assert say(case, shop) == expected
    shutil.rmtree(shop / CACHE)
    assert [say(case, shop), say(case, shop)] == [expected] * 2
    rng = Random(case.name)  # noqa: S311
    for damage in (flip_a_bit, *rng.sample(DAMAGES, DAMAGED - 1)):
        restore(shop)
        damage(shop, rng)
        assert (damage, say(case, shop)) == (damage, expected)


@pytest.mark.parametrize("argv", [("validate",), ("build-context", "payments"), ("drift",)])
@pytest.mark.parametrize("damage", DAMAGES)
def test_after_any_damage_it_says_the_same_again_and_again(
    damage: Damage, argv: tuple[str, ...], shop: Path
) -> None:
    case = Case("damaged", argv)
    expected = without_index(case, shop)
    damage(shop, Random(" ".join(argv)))  # noqa: S311
    assert [say(case, shop) for _ in range(RUNS)] == [expected] * RUNS


@pytest.mark.parametrize(
    "argv", [("validate",), ("build-context", "payments"), ("tree",), ("status",), ("plan",)]
)
def test_what_is_remembered_is_not_found_out_again(
    argv: tuple[str, ...], shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = Case("warm", argv)
    expected = [say(case, shop) for _ in range(RUNS)][-1]

    def decode(_: str) -> None:
        raise AssertionError

    monkeypatch.setattr("yg.kernel.decode_yaml.decode_yaml", decode)
    monkeypatch.setattr("yg.kernel.rule.check", decode)
    assert say(case, shop) == expected


@pytest.mark.parametrize("argv", [("validate",), ("build-context", "payments")])
def test_without_the_index_none_is_written(argv: tuple[str, ...], shop: Path) -> None:
    shutil.rmtree(shop / CACHE)
    run(*argv, "-C", str(shop), "--no-cache")
    without_index(Case("none", argv), shop)
    assert not os.path.lexists(shop / CACHE)
