"""The same repository gives the same bytes, whatever the process, the machine or the place."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Any, Self

import pytest

from forked import Forked, Ran, forked
from support import CONFIG, REPOSITORY, SHOP_ROOT, files_below, run, shop_files, write

COMMANDS = (
    ("build-context", "orders/order-service"),
    ("build-context", "orders/order-service", "--json"),
    ("build-context", "payments/payment-service", "--why"),
    ("build-context", "orders/order-servce"),
    ("tree",),
    ("aspects",),
    ("deps", "orders/order-service"),
    ("uses", "Money"),
    ("advise",),
    ("owner", "src/shop/inventory/store.py", "src/shop/gone.py"),
    ("show", "quote", "total", "--outline", "orders/pricing"),
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
# Code in every language with imports, with ties, cycles and names that compete.
MIXED = {
    "pyproject.toml": '[project]\nname = "mixed"\n',
    "go.mod": "module example.org/mixed\n",
    "Cargo.toml": '[package]\nname = "mixed"\n',
    "package.json": '{"name": "mixed"}\n',
    **{
        path.format(one, two): text.format(one, two)
        for one, two in ("ab", "bc", "ca")
        for path, text in {
            "py/{0}/__init__.py": "from py.{1} import go, _p, _q\n\n\ndef go(): ...\n",
            "go/{0}/{0}.go": 'package {0}\nimport "example.org/mixed/go/{1}"\nvar X = {1}.X\n',
            "ts/{0}/index.ts": "import {{ go }} from '../{1}';\nexport const x = go;\n",
            "java/{0}/G.java": "package {0};\nimport {1}.G;\npublic class G {{}}\n",
        }.items()
    },
    "src/lib.rs": "pub mod a;\npub mod b;\n",
    "src/a/mod.rs": "use crate::b::go;\npub fn go() {}\n",
    "src/b/mod.rs": "use crate::a::go;\npub fn go() {}\n",
    "tests/test_a.py": "import py.a\n",
    "docs/a.md": "# A\n",
    "vendor/x.py": "x = 1\n",
}
SPEC_ROOT = REPOSITORY / "examples" / "spec-shop"
SHOP = shop_files()

Command = tuple[str, ...]
Answers = dict[Command, Ran]


def answers(program: Forked, commands: Sequence[Command], cwd: Path) -> Answers:
    """Run commands as processes of their own."""
    return {argv: program.run(*argv, cwd=cwd) for argv in commands}


def shuffled(files: Mapping[str, str]) -> dict[str, str]:
    """Put files in an order that has nothing to do with their names."""
    return {path: files[path] for path in sorted(files, key=_digest)}


def _digest(path: str) -> bytes:
    return hashlib.sha256(path.encode()).digest()


def started(**changes: str) -> AbstractContextManager[Forked]:
    """Start the program in an environment of its own."""
    kept = ("PATH", "PYTHONPATH", "SYSTEMROOT")
    env = {key: value for key, value in os.environ.items() if key in kept}
    return forked({**env, "PYTHONHASHSEED": "0", **changes})


@pytest.fixture(scope="module")
def here() -> Iterator[Forked]:
    with started() as program:
        yield program


# One environment differs enough for every day.
FIRST, *OTHERS = ELSEWHERE


@pytest.fixture(
    scope="module", params=[FIRST, *(pytest.param(name, marks=pytest.mark.slow) for name in OTHERS)]
)
def elsewhere(request: pytest.FixtureRequest) -> Iterator[Forked]:
    with started(**ELSEWHERE[request.param]) as program:
        yield program


@pytest.fixture(scope="module")
def shop(here: Forked) -> Answers:
    return answers(here, COMMANDS, SHOP_ROOT)


@pytest.fixture(scope="module")
def tangled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    files = {f".yggdrasil/{path}": text for path, text in TANGLED.items()}
    return write(tmp_path_factory.mktemp("tangled"), {".yggdrasil/yg-config.yaml": CONFIG, **files})


@pytest.fixture(scope="module")
def tangled_answers(here: Forked, tangled: Path) -> Answers:
    return answers(here, TANGLED_COMMANDS, tangled)


def test_the_process_never_shows(shop: Answers, elsewhere: Forked) -> None:
    assert answers(elsewhere, COMMANDS, SHOP_ROOT) == shop


def test_the_process_never_shows_in_errors_and_names(
    tangled: Path, tangled_answers: Answers, elsewhere: Forked
) -> None:
    assert answers(elsewhere, TANGLED_COMMANDS, tangled) == tangled_answers


def test_the_process_never_shows_in_spec_graphs(here: Forked, elsewhere: Forked) -> None:
    expected = answers(here, SPEC_COMMANDS, SPEC_ROOT)
    assert answers(elsewhere, SPEC_COMMANDS, SPEC_ROOT) == expected


def test_a_directory_is_the_same_by_cd_and_by_option(
    here: Forked, tmp_path: Path, shop: Answers
) -> None:
    chosen = [argv for argv in COMMANDS if argv[0] in ("tree", "owner", "deps")]
    by_option = answers(here, [("-C", str(SHOP_ROOT), *argv) for argv in chosen], tmp_path)
    assert list(by_option.values()) == [shop[argv] for argv in chosen]


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
    here: Forked, shop: Answers, start: str, option: tuple[str, ...]
) -> None:
    argv = ("build-context", "orders/order-service")
    (answer,) = answers(here, [(*argv, *option)], SHOP_ROOT / start).values()
    assert answer == shop[argv]


def test_the_order_and_the_dates_of_files_never_show(
    here: Forked, tmp_path: Path, shop: Answers
) -> None:
    copy = write(tmp_path / "another place", shuffled(SHOP))
    for path in copy.rglob("*"):
        os.utime(path, (1, 1))
    assert answers(here, COMMANDS, copy) == shop


def test_the_order_of_files_never_shows_in_errors(
    here: Forked, tmp_path: Path, tangled: Path, tangled_answers: Answers
) -> None:
    copy = write(tmp_path / "copy", shuffled(files_below(tangled)))
    assert answers(here, TANGLED_COMMANDS, copy) == tangled_answers


@pytest.mark.parametrize("options", [(), ("--max-nodes", "6"), ("--root", "py", "ts")], ids=str)
def test_neither_the_process_nor_the_order_of_files_shows_in_a_draft(
    here: Forked, elsewhere: Forked, tmp_path: Path, options: tuple[str, ...]
) -> None:
    one = write(tmp_path / "one" / "repo", MIXED)
    two = write(tmp_path / "two" / "repo", shuffled(MIXED))
    answer = here.run("draft", *options, cwd=one)
    assert answer.code == 0
    assert elsewhere.run("draft", *options, cwd=two) == answer
    assert files_below(one) == files_below(two)


@pytest.mark.parametrize("is_reversed", [False, True])
def test_the_order_of_directories_never_shows_in_a_draft(
    here: Forked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_reversed: bool
) -> None:
    one, two = (write(tmp_path / name / "repo", MIXED) for name in ("one", "two"))
    here.run("draft", cwd=one)
    with monkeypatch.context() as patch:
        patch.setattr(os, "scandir", partial(Listing, os.scandir, is_reversed=is_reversed))
        assert run("draft", "-C", str(two)).code == 0
    assert files_below(one) == files_below(two)


class Listing:
    """Lists a directory in order of names, or in the reverse order."""

    def __init__(self, scandir: Callable[[str], Any], directory: str, *, is_reversed: bool) -> None:
        with scandir(directory) as found:
            names = sorted(found, key=lambda entry: str(entry.name), reverse=is_reversed)
        self._entries = iter(names)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Close nothing."""

    def __iter__(self) -> Iterator[Any]:
        return self._entries

    def __next__(self) -> Any:
        return next(self._entries)


def test_asking_changes_nothing_on_disk(tmp_path: Path) -> None:
    copy = write(tmp_path / "copy", SHOP)
    for argv in COMMANDS:
        run(*argv, "-C", str(copy))
    assert files_below(copy) == SHOP
