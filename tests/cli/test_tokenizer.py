"""`--tokenizer`: exact sizes wherever sizes are shown, and the extra that counts them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from schemas import faults
from specgraph.graphs import files_of, node
from support import CONFIG, REPOSITORY, run, write, write_graph
from yg import open_workspace
from yg.kernel import tokens
from yg.kernel.errors import UsageError
from yg.surfaces.cli.outcome import Outcome

NAMES = ("o200k", "cl100k", "llama3", "deepseek_v3", "gemma3")
INSTALL = "requires the extra 'tokens': pip install 'yggdrasil-context[tokens]'"
GRAPH = {
    "model/a/yg-node.yaml": "name: A\ntype: service\nmapping: {paths: [src]}\n",
    "model/a/responsibility.md": "one two three\n",
    "model/b/yg-node.yaml": "name: B\ntype: service\n",
    "model/b/responsibility.md": "one two three four\n",
}
# Every word is a token: of the project, of yg-node.yaml and its heading, of the other document.
WORDS = 2 + 9 + 5
CHARACTERS = 30  # the default for the same package
SIZES = ("build-context", "a"), ("status",), ("validate",), ("export",), ("plan", "--all")


class Words:
    """A tokenizer that counts words, and remembers the texts."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def from_pretrained(self, _name: str) -> Words:
        return self

    def encode_ordinary(self, text: str) -> list[str]:
        self.seen.append(text)
        return text.split()


@pytest.fixture(autouse=True)
def no_vocabulary_kept() -> Iterator[None]:
    tokens._vocabulary.cache_clear()
    yield
    tokens._vocabulary.cache_clear()


@pytest.fixture
def words(monkeypatch: pytest.MonkeyPatch) -> Words:
    """Install a tokenizer of our own, with or without the extra."""
    found = Words()
    module = SimpleNamespace(Tokenizer=found, __version__="1.0")
    monkeypatch.setitem(sys.modules, "splintr", module)
    return found


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Uninstall the extra."""
    monkeypatch.setitem(sys.modules, "splintr", None)


@pytest.fixture
def graph(tmp_path: Path) -> str:
    write(tmp_path, {"src/a.py": ""})
    return str(write_graph(tmp_path, GRAPH))


def configured(root: str, budget: str) -> str:
    config = f"{CONFIG}quality: {{context_budget: {{{budget}}}}}\n"
    write(Path(root), {".yggdrasil/yg-config.yaml": config})
    return root


# What is counted, and how it is shown.


def test_a_package_names_its_tokenizer_after_the_count(graph: str, words: Words) -> None:
    default = run("build-context", "a", "-C", graph)
    exact = run("build-context", "a", "-C", graph, "--tokenizer", "o200k")
    named = f'token-count="{WORDS}" tokenizer="o200k">'
    assert exact.text == default.text.replace(f'token-count="{CHARACTERS}">', named)
    assert named in exact.text
    counted = """\
**Project:** test

### yg-node.yaml
name: A
type: service
mapping: {paths: [src]}
### responsibility.md
one two three"""
    assert words.seen == [counted]
    data = json.loads(run("build-context", "a", "-C", graph, "--json").text)
    assert data["characters"] == len(counted)


def test_the_data_of_a_package_names_its_tokenizer(graph: str, words: Words) -> None:
    exact = run("build-context", "a", "-C", graph, "--tokenizer", "gemma3", "--json")
    data = json.loads(exact.text)
    assert faults(exact.text) == []
    assert (data["tokens"], data["tokenizer"]) == (WORDS, "gemma3")
    assert [block["tokens"] for block in data["blocks"]] == [2, 14, 0]
    assert [document["tokens"] for document in data["blocks"][1]["documents"]] == [7, 3]
    assert "tokenizer" not in json.loads(run("build-context", "a", "-C", graph, "--json").text)


def test_the_table_of_reasons_counts_exactly(graph: str, words: Words) -> None:
    outcome = run("build-context", "a", "-C", graph, "--tokenizer", "llama3", "--why")
    table = [line.split() for line in outcome.text.splitlines()]
    assert table[0] == ["block", "llama3", "tokens", "share", "because"]
    assert [row[2] for row in table[1:4]] == ["2", "14", "0"]
    assert table[4][:2] == ["total", str(WORDS)]


def test_the_status_of_a_graph_names_the_tokenizer(graph: str, words: Words) -> None:
    shown = run("status", "-C", graph, "--tokenizer", "o200k").text
    assert "Packages: avg 15 o200k tokens, max 16 (a), 0 near the threshold of 10000\n" in shown
    data = run("status", "-C", graph, "--tokenizer", "o200k", "--json").text
    assert faults(data) == []
    assert json.loads(data)["packages"]["tokenizer"] == "o200k"
    assert "tokenizer" not in run("status", "-C", graph, "--json").text


@pytest.mark.parametrize(
    ("budget", "line"),
    [
        ("warning: 15, error: 30", "W005 a -> context package: 16 o200k tokens (threshold: 15)"),
        ("warning: 10, error: 15", "W006 a -> context package: 16 o200k tokens (limit: 15)"),
    ],
)
def test_large_packages_are_found_by_their_exact_size(
    graph: str, words: Words, budget: str, line: str
) -> None:
    for command in ("validate", "preflight"):
        outcome = run(command, "-C", configured(graph, budget), "--tokenizer", "o200k")
        assert " ".join(line.split()) in " ".join(outcome.text.split())


def test_a_plan_and_a_warning_name_the_tokenizer(graph: str, words: Words) -> None:
    configured(graph, "warning: 5, error: 15")
    plan = run("plan", "-C", graph, "--all", "--tokenizer", "cl100k")
    assert "package too large (16 cl100k tokens, limit 15)" in plan.text
    package = run("build-context", "a", "-C", graph, "--tokenizer", "cl100k")
    assert "too large (16 cl100k tokens, more than 15)" in package.notes


def test_exports_name_the_tokenizer(graph: str, words: Words) -> None:
    def export(form: str) -> str:
        return run("export", "-C", graph, "--format", form, "--tokenizer", "o200k").text

    data = export("json")
    assert faults(data) == []
    assert json.loads(data)["tokenizer"] == "o200k"
    assert [vertex["tokens"] for vertex in json.loads(data)["nodes"]] == [16, 14]
    assert ",tokens,tokenizer,budget," in export("csv").partition("\n")[0]
    assert '<data key="node-tokenizer">o200k</data>' in export("graphml")
    assert "tokenizer: 'o200k'" in export("cypher")
    assert "n.tokenizer = row.tokenizer" in export("cypher")
    configured(graph, "warning: 5, error: 15")
    assert "16 o200k tokens" in export("dot")
    assert "16 o200k tokens" in export("mermaid")
    for form in ("json", "csv", "graphml", "cypher", "dot", "mermaid"):
        assert "tokenizer" not in run("export", "-C", graph, "--format", form).text


def test_both_states_of_a_package_are_counted_alike(graph: str, words: Words) -> None:
    relation = f"{GRAPH['model/b/yg-node.yaml']}relations: [{{target: a, type: uses}}]\n"
    write(Path(graph), {".yggdrasil/model/b/yg-node.yaml": relation})
    configured(graph, "tokenizer: cl100k")
    for command in ("init -q", "add -A", "commit -q -m Begin"):
        subprocess.run(["git", "-C", graph, *command.split()], check=True)
    configured(graph, "tokenizer: o200k")
    write(Path(graph), {".yggdrasil/model/a/responsibility.md": "one two\n"})
    for argv in (("a", "--simulate"), ("--diff",), ("--diff", "--format", "markdown")):
        assert "24 -> 23 o200k tokens (ok)" in run("impact", "-C", graph, *argv).text
    for argv in (("a", "--simulate"), ("--diff",)):
        data = run("impact", "-C", graph, "--json", *argv).text
        assert faults(data) == []
        assert json.loads(data)["tokenizer"] == "o200k"
        other = run("impact", "-C", graph, "--json", "--tokenizer", "characters", *argv).text
        assert "tokenizer" not in other
    assert "tokenizer" not in run("impact", "-C", graph, "a", "--json").text


def test_the_0x_edition_counts_its_document(words: Words) -> None:
    place = str(REPOSITORY / "examples" / "shop-0x")
    argv = ("build-context", "orders/order-service", "-C", place, "--no-stamp")
    exact = run(*argv, "--tokenizer", "o200k").text
    count = len(words.seen[0].split())
    assert exact.endswith(f"Context size: {count} o200k tokens (threshold 8000: ok)\n")
    assert exact.startswith(words.seen[0].rstrip())


def test_a_spec_graph_counts_its_document(tmp_path: Path, words: Words) -> None:
    nodes = {"A": node("behavior", depends_on=["B"]), "B": node("decision", statement="HALF b")}
    half = "\\ud800"  # half a character, which JSON can spell
    files = {path: str(text).replace("HALF", half) for path, text in files_of(nodes).items()}
    place = str(write(tmp_path, files))
    argv = ("build-context", "A", "-C", place, "--tokenizer", "o200k")
    document = run(*argv).text
    count = len(document.split())
    assert f'token-count="{count}" tokenizer="o200k">' in run(*argv, "--format", "text").text
    data = run(*argv, "--json").text
    assert faults(data) == []
    assert (json.loads(data)["tokens"], json.loads(data)["tokenizer"]) == (count, "o200k")
    assert "part " in run(*argv, "--why").text


def test_a_large_spec_graph_is_counted_and_not_bounded(tmp_path: Path, words: Words) -> None:
    nodes = {"A": node("behavior", depends_on=["B"]), "B": node("decision", statement="w " * 9_999)}
    place = str(write(tmp_path, {path: str(text) for path, text in files_of(nodes).items()}))
    exact = run("validate", "-C", place, "--tokenizer", "o200k").text
    count = len(run("build-context", "A", "-C", place).text.split())
    assert f"its context has {count} o200k tokens at depth 2 (limit: 10000)" in exact
    assert "W106" not in run("validate", "-C", place).text
    exported = run("export", "-C", place, "--tokenizer", "o200k").text
    assert '"budget": "warning"' in exported


# Which tokenizer.


def test_the_configuration_names_a_tokenizer_and_the_option_another(
    graph: str, words: Words
) -> None:
    default = run("build-context", "a", "-C", graph).text
    configured(graph, "tokenizer: o200k")
    assert 'tokenizer="o200k">' in run("build-context", "a", "-C", graph).text
    other = run("build-context", "a", "-C", graph, "--tokenizer", "gemma3").text
    assert 'tokenizer="gemma3">' in other
    assert run("build-context", "a", "-C", graph, "--tokenizer", "characters").text == default
    configured(graph, "tokenizer: characters")
    assert run("build-context", "a", "-C", graph).text == default


@pytest.mark.parametrize("command", SIZES, ids=lambda argv: argv[0])
def test_an_unknown_tokenizer_is_wrong_usage(graph: str, command: tuple[str, ...]) -> None:
    outcome = run(*command, "-C", graph, "--tokenizer", "o300k")
    assert (outcome.code, outcome.text) == (2, "")
    assert all(name in outcome.notes for name in ("o300k", "characters", *NAMES))


@pytest.mark.parametrize(("value", "shown"), [("o300k", "'o300k'"), ("7", "a whole number")])
def test_an_unknown_tokenizer_in_the_configuration_is_an_error(
    graph: str, value: str, shown: str
) -> None:
    configured(graph, f"tokenizer: {value}")
    issue = json.loads(run("validate", "-C", graph, "--json").text)["issues"][0]
    assert (issue["code"], issue["line"], issue["column"]) == ("E012", 13, 39)
    assert issue["message"] == f"'tokenizer' cannot be {shown}"
    assert issue["advice"] == [
        "Write one of: characters, o200k, cl100k, llama3, deepseek_v3, gemma3."
    ]


def test_python_names_the_tokenizer(graph: str, words: Words) -> None:
    package = open_workspace(graph, tokenizer="o200k").package("a")
    assert (package.tokens, package.tokenizer) == (WORDS, "o200k")
    package = open_workspace(graph).package("a")
    assert (package.tokens, package.tokenizer) == (CHARACTERS, "characters")
    with pytest.raises(UsageError, match="unknown tokenizer 'o300k'"):
        open_workspace(graph, tokenizer="o300k")


# Without the extra.


@pytest.mark.parametrize("command", SIZES, ids=lambda argv: argv[0])
def test_without_the_extra_one_line_says_how_to_install_it(
    graph: str, bare: None, command: tuple[str, ...]
) -> None:
    line = f"error: the tokenizer 'o200k' {INSTALL}\n"
    assert run(*command, "-C", graph, "--tokenizer", "o200k") == Outcome("", 1, line)
    configured(graph, "tokenizer: o200k")
    assert run(*command, "-C", graph) == Outcome("", 1, line)
    assert run(*command, "-C", graph, "--tokenizer", "characters").code == 0


@pytest.mark.parametrize(
    "command", [("tree",), ("owner", "src/a.py"), ("deps", "a"), ("impact", "a"), ("find", "one")]
)
def test_what_shows_no_sizes_needs_no_extra(
    graph: str, bare: None, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(configured(graph, "tokenizer: o200k"))
    assert run(*command).code == 0


# The index.


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("yg.disk.files.stamps.SETTLED_NS", -(1 << 62))  # all files are old enough


@pytest.mark.parametrize("command", [("status",), ("validate",)], ids=lambda argv: argv[0])
def test_the_index_keeps_the_sizes_of_each_tokenizer_apart(
    graph: str, words: Words, settled: None, command: tuple[str, ...]
) -> None:
    configured(graph, "warning: 15, error: 900")
    argv = (*command, "-C", graph)
    plain = {name: run(*argv, "--no-cache", "--tokenizer", name) for name in tokens.TOKENIZERS}
    for _ in range(2):
        for name, outcome in plain.items():
            assert run(*argv, "--tokenizer", name) == outcome
    assert run(*argv) == plain["characters"]
    before = len(words.seen)
    assert run(*argv, "--tokenizer", "o200k") == plain["o200k"]
    assert len(words.seen) == before  # the index had it


def test_a_result_in_the_index_needs_the_extra_all_the_same(
    graph: str, words: Words, settled: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    argv = ("validate", "-C", configured(graph, "tokenizer: o200k"))
    first = run(*argv)
    assert run(*argv) == first
    monkeypatch.setitem(sys.modules, "splintr", None)
    assert run(*argv) == run(*argv, "--no-cache")
    assert run(*argv).code == 1


def test_another_release_of_the_extra_counts_again(
    graph: str, words: Words, settled: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    argv = ("status", "-C", configured(graph, "tokenizer: o200k"))
    run(*argv)
    newer = SimpleNamespace(Tokenizer=words, __version__="2.0")
    monkeypatch.setitem(sys.modules, "splintr", newer)
    before = len(words.seen)
    run(*argv)
    assert len(words.seen) > before


# The extra itself.

SAMPLE = (
    "Hello, world! \N{CJK UNIFIED IDEOGRAPH-4F60}\N{CJK UNIFIED IDEOGRAPH-597D} <|endoftext|>\n"
)
COUNTS = dict(zip(NAMES, (13, 13, 12, 13, 13), strict=True))


@pytest.mark.parametrize("name", NAMES)
def test_every_vocabulary_is_installed_with_the_extra(name: str) -> None:
    pytest.importorskip("splintr")
    assert tokens.count_tokens(SAMPLE, name) == COUNTS[name]
    assert tokens.count_tokens("", name) == 0


NO_FILES = """
import resource
from yg.kernel.tokens import TOKENIZERS, count_tokens, release_of

release_of("o200k")
resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))  # no more files and sockets, in native code too
for refused in (lambda: open("/dev/null"), lambda: __import__("socket").socket()):
    try:
        refused()
    except (OSError, ImportError):
        continue
    raise SystemExit("a file was opened")
print([count_tokens("one two three", name) for name in TOKENIZERS[1:]])
"""


def test_counting_opens_no_file_and_no_connection() -> None:
    pytest.importorskip("splintr")
    pytest.importorskip("resource")
    done = subprocess.run(
        [sys.executable, "-c", NO_FILES], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("[3, 3, 3, 3, 3]\n", "")
