"""The same repository gives the same bytes, whatever the process, the machine or the place."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from support import CONFIG, REPOSITORY, SHOP_ROOT, files_below, run, shop_files

COMMANDS = (
    ("build-context", "orders/order-service"),
    ("build-context", "orders/order-service", "--json"),
    ("build-context", "payments/payment-service", "--why"),
    ("build-context", "orders/order-servce"),
    ("tree",),
    ("aspects",),
    ("deps", "orders/order-service"),
    ("owner", "src/shop/inventory/store.py", "src/shop/gone.py"),
    ("export", "--no-drift"),
)
# Names outside ASCII, several errors, and things that cannot be read.
TANGLED = {
    "model/äpfel/yg-node.yaml": "name: Ä\ntype: service\nrelations: [{target: b, type: uses}]\n",
    "model/b/yg-node.yaml": """\
name: B
type: service
aspects: [{aspect: eins}, {aspect: zwei}]
relations: [{target: äpfel, type: uses}, {target: zebra, type: calls}]
mapping: {paths: [src/öl]}
""",
    "model/zebr/yg-node.yaml": "name: [\n",
    "model/zebru/yg-node.yaml": "name: 1\ntype: service\n",
    "aspects/zwo/yg-aspect.yaml": "name: Zwo ☂\nimplies: [drei, vier]\n",
    "aspects/drei/yg-aspect.yaml": "name: Drei\nimplies: [zwo]\n",
    "aspects/fünf/content.md": "Nothing declares this.\n",
    "aspects/sechs/content.md": "Nor this.\n",
    "flows/f/yg-flow.yaml": "name: F\nnodes: [b, nirgends]\n",
}
TANGLED_COMMANDS = (
    ("build-context", "b"),
    ("tree",),
    ("aspects", "--json"),
    ("owner", "src/öl/x.py"),
)
SPEC_COMMANDS = (
    ("build-context", "CART-01", "--json"),
    ("impact", "DEC-IDP-02"),
    ("plan", "--json"),
    ("status",),
    ("build-context", "CART-04"),
)
ELSEWHERE: dict[str, Mapping[str, str]] = {
    "locale C": {"LC_ALL": "C", "PYTHONHASHSEED": "1", "TZ": "Asia/Kathmandu"},
    "locale C.UTF-8": {"LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "4294967295", "COLUMNS": "20"},
    "locale POSIX": {"LC_ALL": "POSIX", "LANG": "POSIX", "PYTHONHASHSEED": "random", "TZ": "UTC"},
}
SPEC_ROOT = REPOSITORY / "examples" / "spec-shop"
SHOP = shop_files()

Answer = tuple[int, bytes, bytes]


def answer(argv: tuple[str, ...], cwd: Path, changes: Mapping[str, str] = {}) -> Answer:
    """Run a command as a process of its own."""
    kept = ("PATH", "PYTHONPATH", "SYSTEMROOT")
    env = {key: value for key, value in os.environ.items() if key in kept}
    ran = subprocess.run(
        [sys.executable, "-m", "yg", *argv],
        cwd=cwd,
        env={**env, "PYTHONHASHSEED": "0", **changes},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    return ran.returncode, ran.stdout, ran.stderr


def write(root: Path, files: Mapping[str, str]) -> Path:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8", newline="")
    return root


def shuffled(files: Mapping[str, str]) -> dict[str, str]:
    """Put files in an order that has nothing to do with their names."""
    return {path: files[path] for path in sorted(files, key=_digest)}


def _digest(path: str) -> bytes:
    return hashlib.sha256(path.encode()).digest()


@pytest.fixture(scope="module")
def shop() -> dict[tuple[str, ...], Answer]:
    return {argv: answer(argv, SHOP_ROOT) for argv in COMMANDS}


@pytest.fixture(scope="module")
def tangled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    files = {f".yggdrasil/{path}": text for path, text in TANGLED.items()}
    return write(tmp_path_factory.mktemp("tangled"), {".yggdrasil/yg-config.yaml": CONFIG, **files})


@pytest.fixture(scope="module")
def tangled_answers(tangled: Path) -> dict[tuple[str, ...], Answer]:
    return {argv: answer(argv, tangled) for argv in TANGLED_COMMANDS}


@pytest.mark.parametrize("changes", ELSEWHERE.values(), ids=ELSEWHERE.keys())
def test_the_process_never_shows(
    shop: dict[tuple[str, ...], Answer], changes: Mapping[str, str]
) -> None:
    assert {argv: answer(argv, SHOP_ROOT, changes) for argv in COMMANDS} == shop


@pytest.mark.parametrize("changes", ELSEWHERE.values(), ids=ELSEWHERE.keys())
def test_the_process_never_shows_in_errors_and_names(
    tangled: Path, tangled_answers: dict[tuple[str, ...], Answer], changes: Mapping[str, str]
) -> None:
    again = {argv: answer(argv, tangled, changes) for argv in TANGLED_COMMANDS}
    assert again == tangled_answers


def test_the_process_never_shows_in_spec_graphs() -> None:
    here = {argv: answer(argv, SPEC_ROOT) for argv in SPEC_COMMANDS}
    for changes in ELSEWHERE.values():
        assert {argv: answer(argv, SPEC_ROOT, changes) for argv in SPEC_COMMANDS} == here


def test_a_directory_is_the_same_by_cd_and_by_option(
    tmp_path: Path, shop: dict[tuple[str, ...], Answer]
) -> None:
    chosen = [argv for argv in COMMANDS if argv[0] in ("tree", "owner", "deps")]
    by_option = {argv: answer(("-C", str(SHOP_ROOT), *argv), tmp_path) for argv in chosen}
    assert by_option == {argv: shop[argv] for argv in chosen}


@pytest.mark.parametrize(
    ("start", "option"),
    [
        ("src/shop/orders", ()),
        ("src", ("-C", "..")),
        ("src", ("-C", "../../shop/")),
        ("src", ("-C", "shop/./orders")),
    ],
)
def test_a_sub_directory_is_the_same_as_the_root(
    shop: dict[tuple[str, ...], Answer], start: str, option: tuple[str, ...]
) -> None:
    argv = ("build-context", "orders/order-service")
    assert answer((*argv, *option), SHOP_ROOT / start) == shop[argv]


def test_the_order_and_the_dates_of_files_never_show(
    tmp_path: Path, shop: dict[tuple[str, ...], Answer]
) -> None:
    copy = write(tmp_path / "another place", shuffled(SHOP))
    for path in copy.rglob("*"):
        os.utime(path, (1, 1))
    assert {argv: answer(argv, copy) for argv in COMMANDS} == shop


def test_the_order_of_files_never_shows_in_errors(
    tmp_path: Path, tangled: Path, tangled_answers: dict[tuple[str, ...], Answer]
) -> None:
    copy = write(tmp_path / "copy", shuffled(files_below(tangled)))
    assert {argv: answer(argv, copy) for argv in TANGLED_COMMANDS} == tangled_answers


def test_asking_changes_nothing_on_disk(tmp_path: Path) -> None:
    copy = write(tmp_path / "copy", SHOP)
    for argv in COMMANDS:
        run(*argv, "-C", str(copy))
    assert files_below(copy) == SHOP
