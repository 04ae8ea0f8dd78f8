"""The index saves time and nothing else: every command says the same without it, bytes and all."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from random import Random

import pytest

from damage import DAMAGES, Damage, cache_of, flip_a_bit, target_of
from support import run
from test_golden import CASES, EXAMPLES, Case
from yg.surfaces.cli.outcome import Outcome

pytestmark = pytest.mark.slow

# A command that writes takes a lock beside the index, and names the folder that has none.
WRITING = ("spec-link-refused", "spec-node-remove-refused", "spec-pin")
INDEXED = [
    case for case in CASES if case.example in ("shop", "spec-shop") and case.name not in WRITING
]
RUNS = 3  # a first one that finds everything out, a second that remembers it, and one more
DAMAGED = 3  # how often the index is damaged before each command


@pytest.fixture(autouse=True)
def _later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every file be old enough to be trusted."""
    monkeypatch.setattr("yg.disk.files.stamps.SETTLED_NS", -(1 << 62))


# Commands after which the index of an example knows everything about it.
FILLING = {
    "shop": (("drift-sync", "--all"), ("build-context", "payments"), ("status",), ("find", "a")),
    "spec-shop": (("validate",), ("build-context", "CART-01"), ("status",), ("find", "a")),
}


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the example repositories, and let an index of each know everything."""
    folder = tmp_path_factory.mktemp("golden")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("yg.disk.files.stamps.SETTLED_NS", -(1 << 62))
        for example, commands in FILLING.items():
            root = folder / example
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(EXAMPLES / example, root, ignore=ignored)
            for argv in commands:
                assert run(*argv, "-C", str(root)).code == 0
            shutil.copytree(cache_of(root), folder / f"cache-of-{example}")
    return folder


def restored(folder: Path, example: str) -> Path:
    """Return an example repository with an index that knows everything about it."""
    root = folder / example
    cache = cache_of(root)
    for item in (cache, target_of(root)):
        if item.is_dir() and not item.is_symlink():
            item.chmod(0o700)
            shutil.rmtree(item)
        else:
            item.unlink(missing_ok=True)
    shutil.copytree(folder / f"cache-of-{example}", cache)
    return root


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


@pytest.mark.parametrize("case", INDEXED, ids=lambda case: case.name)
def test_cold_and_warm_and_damaged_it_says_the_same(case: Case, kept: Path) -> None:
    shop = restored(kept, case.example)
    expected = without_index(case, shop)
    assert say(case, shop) == expected
    shutil.rmtree(cache_of(shop))
    assert [say(case, shop), say(case, shop)] == [expected] * 2
    rng = Random(case.name)  # noqa: S311
    for damage in (flip_a_bit, *rng.sample(DAMAGES, DAMAGED - 1)):
        restored(kept, case.example)
        damage(shop, rng)
        assert (damage, say(case, shop)) == (damage, expected)


BROKEN = (
    Case("validate", ("validate",)),
    Case("build-context", ("build-context", "payments")),
    Case("drift", ("drift",)),
    Case("find", ("find", "order")),
    Case("spec-find", ("find", "cart"), example="spec-shop"),
    Case("spec-validate", ("validate",), example="spec-shop"),
    Case("spec-build-context", ("build-context", "CART-01"), example="spec-shop"),
)


@pytest.mark.parametrize("case", BROKEN, ids=lambda case: case.name)
@pytest.mark.parametrize("damage", DAMAGES)
def test_after_any_damage_it_says_the_same_again_and_again(
    damage: Damage, case: Case, kept: Path
) -> None:
    root = restored(kept, case.example)
    expected = without_index(case, root)
    damage(root, Random(" ".join(case.argv)))  # noqa: S311
    assert [say(case, root) for _ in range(RUNS)] == [expected] * RUNS


REMEMBERED = (
    *(Case(name, (name,)) for name in ("validate", "tree", "status", "plan")),
    Case("build-context", ("build-context", "payments")),
    *(
        Case(f"spec-{name}", (name,), example="spec-shop")
        for name in ("validate", "tree", "status", "plan", "export")
    ),
    Case("spec-build-context", ("build-context", "CART-01"), example="spec-shop"),
    Case("spec-impact", ("impact", "--node", "CART-01"), example="spec-shop"),
)


@pytest.mark.parametrize("case", REMEMBERED, ids=lambda case: case.name)
def test_what_is_remembered_is_not_found_out_again(
    case: Case, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = restored(kept, case.example)
    expected = [say(case, root) for _ in range(RUNS)][-1]

    def decode(_: str) -> None:
        raise AssertionError

    monkeypatch.setattr("yg.text.decode_yaml.decode_yaml", decode)
    monkeypatch.setattr("yg.specgraph.read.reader.quick_json", decode)
    monkeypatch.setattr("yg.specgraph.files.decode_json", decode)
    monkeypatch.setattr("yg.kernel.rule.check", decode)
    assert say(case, root) == expected


def test_the_second_run_remembers_the_verdict_on_a_spec_graph(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = restored(kept, "spec-shop")
    shutil.rmtree(cache_of(root))
    case = Case("validate", ("validate",))
    first = say(case, root)

    def check(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("yg.specgraph.rules.check.check_in_steps", check)
    assert say(case, root) == first


@pytest.mark.parametrize("case", BROKEN, ids=lambda case: case.name)
def test_without_the_index_none_is_written(case: Case, kept: Path) -> None:
    root = restored(kept, case.example)
    shutil.rmtree(cache_of(root))
    run(*case.argv, "-C", str(root), "--no-cache")
    without_index(case, root)
    assert not os.path.lexists(cache_of(root))
