"""The same repository gives the same bytes, whatever the process, the place and the cache.

Each process answers all questions, one after another.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from graphs import CONFIG, write

EXAMPLE = Path(__file__).parent.parent / "examples" / "shop"
# Names outside ASCII, several errors, and files that cannot be read.
TANGLED: dict[str, str | bytes] = {
    "yg-config.yaml": f"{CONFIG}zzz: 1\ncoverage: {{exclude: ['*.md']}}\n",
    "model/äpfel/yg-node.yaml": "name: Ä\ntype: service\nrelations: [{target: b, type: uses}]\n",
    "model/äpfel/responsibility.md": b"\xff",
    "model/b/yg-node.yaml": """\
name: B
type: service
aspects: [{aspect: eins}, {aspect: zwei}, {aspect: zwei}]
relations: [{target: äpfel, type: uses}, {target: zebra, type: calls}, {target: b, type: emits}]
mapping: {paths: [src/öl, gone, "*.py"]}
yyy: 1
""",
    "model/bare/c/yg-node.yaml": "name: C\ntype: module\nmapping: {paths: [src]}\n",
    "model/zebr/yg-node.yaml": "name: [\n",
    "model/zebru/yg-node.yaml": "name: 1\ntype: service\n",
    "model/b\udcff/yg-node.yaml": "",
    "aspects/zwo/yg-aspect.yaml": "name: Zwo ☂\nimplies: [drei, vier]\n",
    "aspects/drei/yg-aspect.yaml": "name: Drei\nimplies: [zwo]\n",
    "aspects/fünf/content.md": "Nothing declares this.\n",
    "aspects/sechs/content.md": "Nor this.\n",
    "flows/f/yg-flow.yaml": "name: F\nnodes: [b, nirgends]\n",
    "flows/f/bild.png": b"\0",
    "flows/f/konflikt.md": "<<<<<<< HEAD\n",
    "src/öl/x.py": "x = 1\n",
    "src/y.py": "y = 1\n",
    "z.md": "Z\n",
    ".gitignore": "*.log\n",
    "a.log": "",
}


def commands(nodes: str, scope: str, *files: str) -> list[list[str]]:
    """Return questions to all commands, each as text and as data."""
    asked = [
        ["build-context", *nodes.split()],
        ["build-context", *nodes.split(), "--why", "--lenient"],
        ["build-context", *nodes.split(), "--lenient"],
        ["build-context", "servce"],
        *(["tree"], ["aspects"], ["flows"], ["coverage"], ["coverage", "--uncovered"]),
        *(["validate"], ["validate", "--scope", scope], ["owner", *files]),
        *(["explain"], ["explain", "E004"], ["explain", "--schema"]),
    ]
    return [
        *[[*words, *form] for words in asked for form in ([], ["--json"])],
        ["build-context", *nodes.split(), "--lenient", "--format", "markdown"],
        *[["validate", "--format", form] for form in ("sarif", "github")],
    ]


QUESTIONS = {
    "shop": commands(
        "orders/order-service payments/payment-service", "orders", "src/shop/gone.py", "src"
    ),
    "tangled": commands("b bare/c", "b", "src/öl/x.py", "src/y.py", "a.log", "../x"),
}
# Answers questions; stamps are trusted however new the files are, and directories are listed in
# the order of names or in the reverse order.
PROGRAM = """
import json, os, sys
from yg.disk import listing
from yg.surfaces.cli.main import answer

options, questions = json.loads(sys.argv[1]), json.load(sys.stdin)
listing.SETTLED_NS = -(1 << 62)
scandir = os.scandir

class Listing:
    def __init__(self, directory="."):
        with scandir(directory) as found:
            entries = sorted(found, key=lambda entry: os.fsencode(entry.name))
        self.entries = iter(entries[::-1] if "reversed" in options else entries)
    def __enter__(self): return self
    def __exit__(self, *_): pass
    def close(self): pass
    def __iter__(self): return self.entries
    def __next__(self): return next(self.entries)

os.scandir = Listing
words = [option for option in options if option != "reversed"]
outcomes = [answer([*question, *words]) for question in questions]
texts = [[outcome.text, outcome.notes, outcome.code] for outcome in outcomes]
sys.stdout.buffer.write(json.dumps(texts).encode())
"""
ELSEWHERE = {
    "LC_ALL": "C",
    "PYTHONHASHSEED": "1",
    "TZ": "Asia/Kathmandu",
    "COLUMNS": "20",
    "HOME": "/nonexistent",
}


def environment(**changes: str) -> dict[str, str]:
    kept = ("PATH", "PYTHONPATH", "XDG_CACHE_HOME", "GIT_CEILING_DIRECTORIES")
    env = {key: value for key, value in os.environ.items() if key in kept}
    return {**env, "PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8", **changes}


def answers(name: str, cwd: Path, *options: str, **changes: str) -> dict[str, list[object]]:
    """Ask everything about a repository in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps(options)],
        cwd=cwd,
        env=environment(**changes),
        input=json.dumps(QUESTIONS[name]).encode(),
        stdout=subprocess.PIPE,
        check=True,
    )
    found = json.loads(done.stdout)
    return dict(zip(map(" ".join, QUESTIONS[name]), found, strict=True))


def files_of(name: str) -> dict[str, str | bytes]:
    if name == "tangled":
        return TANGLED
    paths = [path for path in EXAMPLE.rglob("*") if path.is_file()]
    return {str(path.relative_to(EXAMPLE)): path.read_bytes() for path in paths}


def shuffled(files: Mapping[str, str | bytes]) -> dict[str, str | bytes]:
    """Put files in an order that has nothing to do with their names."""

    def digest(path: str) -> bytes:
        return hashlib.sha256(os.fsencode(path)).digest()

    return {path: files[path] for path in sorted(files, key=digest)}


@pytest.fixture(scope="module", params=QUESTIONS)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def root(name: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp(name) / "one", files_of(name))


@pytest.fixture(scope="module")
def expected(name: str, root: Path) -> dict[str, list[object]]:
    return answers(name, root, "--no-cache")


def test_every_question_has_an_answer(expected: dict[str, list[object]]) -> None:
    for question, (text, notes, code) in expected.items():
        assert code in (0, 1), question
        assert text or notes or question.endswith(" github"), question


@pytest.mark.parametrize("option", ["cwd", "-C"])
def test_neither_the_process_nor_the_cache_shows(
    name: str, root: Path, expected: dict[str, list[object]], tmp_path: Path, option: str
) -> None:
    changes = {**ELSEWHERE, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    (tmp_path / "elsewhere").mkdir()
    place = root if option == "cwd" else tmp_path / "elsewhere"
    options = () if option == "cwd" else ("-C", str(root))
    cold = answers(name, place, *options, **changes)
    warm = answers(name, place, *options, **{**changes, "PYTHONHASHSEED": "4294967295"})
    without = answers(name, place, *options, "--no-cache", **changes)
    assert [cold, warm, without] == [expected] * 3
    assert list(tmp_path.glob("cache/yg/*"))


def test_a_directory_below_the_root_is_the_same_as_the_root(
    name: str, root: Path, expected: dict[str, list[object]]
) -> None:
    found = answers(name, root / ".yggdrasil/model", "--no-cache")
    assert {key: value for key, value in found.items() if not key.startswith("owner ")} == {
        key: value for key, value in expected.items() if not key.startswith("owner ")
    }


def test_neither_the_order_nor_the_dates_of_files_show(
    name: str, expected: dict[str, list[object]], tmp_path: Path
) -> None:
    copy = write(tmp_path / "another place", shuffled(files_of(name)))
    for path in copy.rglob("*"):
        os.utime(path, (1, 1))
    assert answers(name, copy, "reversed", **ELSEWHERE) == expected


@pytest.mark.parametrize("words", ["validate", "build-context b", "owner src/öl/x.py", "tree"])
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"LC_ALL": "C", "PYTHONHASHSEED": "random"},
        {"LC_ALL": "POSIX", "PYTHONIOENCODING": "latin-1"},
    ],
    ids=["C.UTF-8", "C", "POSIX"],
)
def test_the_program_writes_utf_8_whatever_the_locale(
    tmp_path_factory: pytest.TempPathFactory, words: str, changes: dict[str, str]
) -> None:
    root = write(tmp_path_factory.mktemp("locale"), TANGLED)
    done = subprocess.run(
        [sys.executable, "-m", "yg", *words.split()],
        cwd=root,
        env=environment(**changes),
        capture_output=True,
        check=False,
    )
    ran = answers_of(root, words)
    assert [done.stdout, done.stderr, done.returncode] == ran


def answers_of(root: Path, words: str) -> list[object]:
    """Return what a command writes, asked in this process."""
    from yg.surfaces.cli.main import answer

    outcome = answer([*words.split(), "-C", str(root), "--no-cache"])
    texts = (outcome.text, outcome.notes)
    return [*(text.encode("utf-8", "backslashreplace") for text in texts), outcome.code]


def test_asking_changes_nothing_on_disk(name: str, tmp_path: Path) -> None:
    copy = write(tmp_path / "copy", files_of(name))

    def content() -> dict[bytes, bytes]:
        return {os.fsencode(path): path.read_bytes() for path in copy.rglob("*") if path.is_file()}

    before = content()
    answers(name, copy)
    assert content() == before
