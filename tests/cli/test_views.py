"""`yg build-context` for several nodes, and with what a reader has or has no room for."""

from __future__ import annotations

import json
import shlex
from hashlib import sha256
from pathlib import Path

import pytest

from support import CONFIG, NODE, REPOSITORY, git, run, run_shop, write, write_graph
from yg.disk.reading.worktree import WorkTree
from yg.surfaces.cli.outcome import Outcome

ORDER, EMAIL, STOCK = "orders/order-service", "email-service", "inventory/inventory-service"
MONEY, PRICING = "shared/money", "orders/pricing"
PRICING_FILE = "src/shop/orders/pricing.py"


def nodes_in(outcome: Outcome) -> str:
    assert (outcome.code, outcome.notes) == (0, "")
    return outcome.text.split('nodes="', 1)[1].split('"', 1)[0]


# Which nodes.


@pytest.mark.parametrize(
    ("words", "nodes"),
    [
        ((MONEY, EMAIL), (MONEY, EMAIL)),
        ((MONEY, "--file", PRICING_FILE, EMAIL), (MONEY, PRICING, EMAIL)),
        (("--file", PRICING_FILE, MONEY), (PRICING, MONEY)),
        ((f"--file={PRICING_FILE}", "--node", EMAIL, MONEY), (PRICING, EMAIL, MONEY)),
        (("--format", "text", MONEY, "--lenient", EMAIL), (MONEY, EMAIL)),
        ((MONEY, "--", EMAIL), (MONEY, EMAIL)),
        ((MONEY, PRICING, "model/shared/money/", "--file", PRICING_FILE), (MONEY, PRICING)),
        ((EMAIL, "--have", ORDER, MONEY, "--fit", "9999"), (EMAIL, MONEY)),
    ],
)
def test_nodes_come_in_the_order_of_the_command_line(
    words: tuple[str, ...], nodes: tuple[str, ...]
) -> None:
    assert nodes_in(run_shop("build-context", *words)) == ", ".join(nodes)


def test_the_same_node_twice_gives_the_package_of_one_node() -> None:
    once = run_shop("build-context", PRICING)
    assert run_shop("build-context", PRICING, "--file", PRICING_FILE, PRICING) == once


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ((MONEY, "orders/prising"), 1, "no node at 'orders/prising'"),
        ((MONEY, "--file", "nowhere.py"), 1, "there is no file 'nowhere.py'"),
        ((MONEY, ""), 2, "empty node name"),
        ((MONEY, "--file", ""), 2, "empty file name"),
        ((MONEY, "--have", "gone"), 1, "no node at 'gone'"),
        ((MONEY, "--have", "gone:0123456789ab"), 1, "no node at 'gone'"),
        ((MONEY, EMAIL, "--digest"), 2, "--digest requires exactly one node"),
        ((MONEY, "--only", "flow", "--without", "own"), 2, "--only cannot be combined"),
        ((MONEY, "--only", "left-out"), 2, "unknown kind 'left-out'"),
        ((MONEY, "--only", "dependency:x"), 1, "the package has no dependency 'x'"),
        ((MONEY, "--fit", "-1"), 2, "yg build-context: argument --fit: expected"),
        ((MONEY, "--diff"), 2, "--diff cannot be combined with nodes, files or --at"),
        (("--diff", "--at", "HEAD"), 2, "--diff cannot be combined with nodes, files or --at"),
        (("--diff", ""), 2, "empty commit name"),
        ((MONEY, "--why", "--digest"), 2, "--why cannot be combined with --digest"),
    ],
)
def test_mistakes_are_errors(words: tuple[str, ...], code: int, message: str) -> None:
    outcome = run_shop("build-context", *words)
    assert (outcome.code, outcome.text) == (code, "")
    assert outcome.notes.startswith(f"error: {message}")


SPEC_SHOP = str(REPOSITORY / "examples" / "spec-shop")


def test_spec_graphs_have_no_owners_of_files() -> None:
    outcome = run("build-context", "-C", SPEC_SHOP, "--file", "x.py")
    kind = "the graph in specgraph/ is of kind specgraph"
    assert outcome == Outcome(
        "", 1, f"error: a file (--file) belongs to Yggdrasil graphs, and {kind}\n"
    )


def test_a_spec_graph_has_digests_of_its_documents() -> None:
    document = run("build-context", "-C", SPEC_SHOP, "CART-01").text
    digest = run("build-context", "-C", SPEC_SHOP, "CART-01", "--digest")
    assert digest.text == f"{sha256(document.encode()).hexdigest()[:12]}\n"
    data = json.loads(run("build-context", "-C", SPEC_SHOP, "CART-01", "--json").text)
    assert data["digest"] == digest.text.strip()
    have = f"CART-01:{data['digest']}"
    known = run("build-context", "-C", SPEC_SHOP, "CART-02", "--have", have)
    assert (known.notes, "\n- CART: as in CART-01\n" in known.text) == ("", True)
    changed = run("build-context", "-C", SPEC_SHOP, "CART-02", "--have", "CART-01:0123456789ab")
    assert changed.notes == "warning: the package of CART-01 has changed since\n"
    assert changed.text == run("build-context", "-C", SPEC_SHOP, "CART-02").text


@pytest.mark.parametrize("words", [("--depth", "2"), ("CART-02",)])
def test_only_the_usual_document_of_one_node_has_a_digest(words: tuple[str, ...]) -> None:
    asked = ("build-context", "-C", SPEC_SHOP, "CART-01", *words)
    assert "digest" not in json.loads(run(*asked, "--json").text)
    assert run(*asked, "--digest").code == 2


def test_the_commands_of_a_spec_graph_show_what_was_cut() -> None:
    asked = ("build-context", "-C", SPEC_SHOP, "SIGNIN-01", "--depth", "3", "--json")
    before = json.loads(run(*asked).text)
    data = json.loads(run(*asked, "--fit", "560").text)
    assert data["fit"]["cut"]
    for cut in data["fit"]["cut"]:
        _, *words = shlex.split(cut["command"])
        again = run(*words, "-C", SPEC_SHOP).text.split("\n\n", 1)[1]
        assert again.startswith(f"## {cut['section']}\n- {cut['subject']}: ")
        assert again.split("\n", 1)[1] in before["markdown"]


# Errors of the graph.

BROKEN = {
    "model/a/yg-node.yaml": NODE,
    "model/b/yg-node.yaml": NODE + "relations: [{target: gone, type: uses}]\n",
    "model/c/yg-node.yaml": NODE,
}


def test_errors_refuse_a_package_of_several_nodes(tmp_path: Path) -> None:
    place = str(write_graph(tmp_path, BROKEN))
    strict = run("build-context", "a", "c", "-C", place)
    assert (strict.code, strict.text) == (1, "")
    assert "no package for 'a', 'c': the graph has 1 error, 0 affecting them\n" in strict.notes
    assert "--lenient: none of them affects these packages." in strict.notes
    assert run("build-context", "a", "c", "--lenient", "-C", place).code == 0
    for words in (("a", "b"), ("a", "--have", "b")):
        assert "has 1 error, 1 affecting 'b'\n" in run("build-context", *words, "-C", place).notes
        lenient = run("build-context", *words, "--lenient", "-C", place)
        assert (lenient.code, lenient.text) == (1, "")
        assert ": 1 error affects 'b'\n" in lenient.notes


# Digests and what the reader has.


def test_the_digest_is_that_of_the_whole_output() -> None:
    text = run_shop("build-context", PRICING).text
    digest = sha256(text.encode()).hexdigest()[:12]
    assert run_shop("build-context", PRICING, "--digest") == Outcome(f"{digest}\n")
    for options in ((), ("--only", "own"), ("--fit", "700"), ("--have", ORDER)):
        document = json.loads(run_shop("build-context", PRICING, "--json", *options).text)
        assert document["digest"] == digest
    several = json.loads(run_shop("build-context", PRICING, MONEY, "--json").text)
    assert "digest" not in several
    assert [node["path"] for node in several["nodes"]] == [PRICING, MONEY]


def test_a_digest_that_no_longer_matches_leaves_nothing_out() -> None:
    digest = run_shop("build-context", ORDER, "--digest").text.strip()
    known = run_shop("build-context", PRICING, "--have", ORDER)
    assert run_shop("build-context", PRICING, "--have", f"{ORDER}:{digest}") == known
    assert "same-as" in known.text
    changed = run_shop("build-context", PRICING, "--have", f"{ORDER}:0123456789ab")
    plain = run_shop("build-context", PRICING)
    note = f"warning: the package of {ORDER} has changed since\n"
    assert changed == Outcome(plain.text, 0, note)


def test_the_first_package_that_has_a_block_is_named() -> None:
    first = run_shop("build-context", EMAIL, "--have", STOCK, "--have", ORDER).text
    assert f'<flow subject="checkout" same-as="{STOCK}"/>' in first
    second = run_shop("build-context", EMAIL, "--have", ORDER, "--have", STOCK).text
    assert f'<flow subject="checkout" same-as="{ORDER}"/>' in second


def test_a_node_with_a_colon_in_its_path_is_found(tmp_path: Path) -> None:
    files = {"model/a:b/yg-node.yaml": NODE, "model/c/yg-node.yaml": NODE}
    place = str(write_graph(tmp_path, files))
    plain = run("build-context", "c", "-C", place)
    assert plain.code == 0
    assert run("build-context", "c", "--have", "a:b", "-C", place) == plain
    outcome = run("build-context", "c", "--have", "a:b:0123", "-C", place)
    assert outcome.notes == "warning: the package of a:b has changed since\n"


def test_no_file_is_read_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    reader = WorkTree.read

    def counted(tree: WorkTree, path: str) -> bytes:
        read.append(path)
        return reader(tree, path)

    monkeypatch.setattr(WorkTree, "read", counted)
    words = (EMAIL, PRICING, "--have", ORDER, "--have", f"{STOCK}:0123", "--fit", "1200")
    assert run_shop("build-context", *words, "--no-cache").code == 0
    # A source file is read once for each value that is computed from it.
    texts = [path for path in read if not path.startswith("src/")]
    assert len(texts) == len(set(texts)) > 20


# Fitting.


def documents_in(outcome: Outcome) -> dict[str, str]:
    document = json.loads(outcome.text)
    return {
        item["path"]: item["text"] for block in document["blocks"] for item in block["documents"]
    }


@pytest.mark.parametrize("nodes", [(ORDER,), (EMAIL, STOCK, PRICING)])
def test_every_cut_names_a_command_that_shows_it(nodes: tuple[str, ...]) -> None:
    nodes = (*nodes, "--code=off")
    everything = documents_in(run_shop("build-context", *nodes, "--json"))
    before = json.loads(run_shop("build-context", *nodes, "--fit=9999", "--json").text)["fit"]
    assert (before["cut"], before["before"], before["after"]) == (
        [],
        before["before"],
        before["before"],
    )
    outcome = run_shop("build-context", *nodes, "--fit", str(before["floor"]), "--json")
    fit, kept = json.loads(outcome.text)["fit"], documents_in(outcome)
    assert len(fit["cut"]) + len(kept) == len(everything)
    for cut in fit["cut"]:
        program, *words = shlex.split(cut["command"])
        assert program == "yg"
        shown = run_shop(*words, "--json")
        assert shown.code == 0
        [path] = [
            path
            for path in documents_in(shown)
            if path.endswith(f"/{cut['subject']}/{cut['document']}")
        ]
        assert path not in kept
        kept[path] = documents_in(shown)[path]
    assert kept == everything


def test_selections_and_what_the_reader_has_come_before_fitting() -> None:
    words = ("build-context", ORDER, "--without", "flow", "--have", PRICING, "--json")
    plain = json.loads(run_shop(*words).text)
    fitted = json.loads(run_shop(*words, "--fit", str(plain["tokens"] - 1)).text)
    assert fitted["fit"]["before"] == plain["tokens"]
    assert [cut["block"] for cut in fitted["fit"]["cut"]] == ["dependency"]
    assert fitted["tokens"] == fitted["fit"]["after"] < plain["tokens"]
    shown = {item["name"]: item for block in plain["blocks"] for item in block["documents"]}
    known = [item for item in shown.values() if "as_in" in item]
    assert all("text" not in item and item["tokens"] == 0 for item in known)


def test_the_floor_is_an_error_with_nothing_on_stdout() -> None:
    outcome = run_shop("build-context", MONEY, "--fit", "1")
    assert (outcome.code, outcome.text) == (1, "")
    assert outcome.notes.startswith("error: 1 token is not enough: the floor is ")
    assert outcome.notes.count("\n") == 1
    document = json.loads(run_shop("build-context", MONEY, "--fit", "1", "--json").notes)
    assert document["code"] == "no-room"


def test_the_configuration_says_what_is_cut(tmp_path: Path) -> None:
    text = "Some words that are long enough to be cut from the package.\n" * 5
    files = {
        "yg-config.yaml": CONFIG + "quality: {context_budget: {cut_first: [own/*]}}\n",
        "model/a/yg-node.yaml": NODE + "mapping: {paths: [a.py]}\n",
        "model/a/responsibility.md": text,
        "model/a/internals.md": text,
        "flows/f/yg-flow.yaml": "name: F\nnodes: [a]\n",
        "flows/f/description.md": text,
    }
    place = str(write_graph(tmp_path, files))
    fit = json.loads(run("build-context", "a", "--fit", "250", "--json", "-C", place).text)["fit"]
    [cut] = fit["cut"]
    assert (cut["block"], cut["document"], cut["step"]) == ("own-artifacts", "internals.md", 1)
    assert run("build-context", "a", "--fit", str(fit["floor"] - 1), "-C", place).code == 1


# Commits.


LONG = "Some words that are long enough to be cut from the package.\n" * 9


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    files = {
        "model/yg-node.yaml": NODE,
        "model/a/yg-node.yaml": NODE + "mapping: {paths: [src/a.py]}\n",
        "model/a/internals.md": LONG,
        "model/a/b/yg-node.yaml": NODE + "mapping: {paths: [src/b]}\n",
        "model/c/yg-node.yaml": NODE + "aspects: [{aspect: x}]\n",
        "aspects/x/yg-aspect.yaml": "name: X\n",
        "aspects/x/content.md": "X\n",
    }
    write_graph(tmp_path, files)
    write(tmp_path, {"src/a.py": "a = 1\n", "src/b/x.py": "x = 1\n", "other.py": "\n"})
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "first")
    return tmp_path


NOTHING = "Nothing changed that a node owns.\n"


@pytest.mark.parametrize(
    ("changes", "nodes"),
    [
        ({}, ()),
        ({"other.py": "1\n", ".yggdrasil/aspects/x/content.md": "Y\n"}, ()),
        ({"src/a.py": "2\n"}, ("a",)),
        ({"src/b/new.py": "2\n", "src/a.py": "2\n"}, ("a", "a/b")),
        ({".yggdrasil/model/c/internals.md": "New.\n"}, ("c",)),
        ({".yggdrasil/model/c/.note": "New.\n", ".yggdrasil/model/c/d/e.md": "New.\n"}, ()),
        ({".yggdrasil/model/d/yg-node.yaml": NODE, "src/b/x.py": "2\n"}, ("a/b", "d")),
        (
            {".yggdrasil/model/yg-node.yaml": NODE + "# root\n", "src/a.py": "2\n"},
            (".", "a"),
        ),
    ],
)
def test_a_difference_is_the_package_of_the_nodes_that_changed(
    repository: Path, changes: dict[str, str], nodes: tuple[str, ...]
) -> None:
    write(repository, changes)
    place = str(repository)
    for words in ((), ("HEAD",)):
        outcome = run("build-context", "--diff", *words, "-C", place)
        expected = run("build-context", *nodes, "-C", place) if nodes else Outcome(NOTHING)
        assert outcome == expected
    document = json.loads(run("build-context", "--diff", "--json", "-C", place).text)
    found = [document["node"]] if "node" in document else document["nodes"]
    assert tuple(node["path"] for node in found) == nodes


def test_without_changes_every_form_says_so(repository: Path) -> None:
    place = str(repository)
    for words in (("--why",), ("--format", "markdown"), ("--fit", "10"), ("--have", "a")):
        assert run("build-context", "--diff", *words, "-C", place) == Outcome(NOTHING)
    assert run("build-context", "--diff", "--digest", "-C", place).code == 2


def test_a_commit_has_packages_of_several_nodes_too(repository: Path) -> None:
    place = str(repository)
    before = run("build-context", "a", "c", "-C", place)
    first = git(repository, "rev-parse", "HEAD")
    write(repository, {".yggdrasil/model/a/internals.md": LONG + "More.\n"})
    git(repository, "commit", "-qam", "second")
    assert run("build-context", "a", "c", "-C", place) != before
    assert run("build-context", "a", "c", "--at", first, "-C", place) == before
    fitted = run("build-context", "a", "c", "--at", first, "--fit", "120", "--json", "-C", place)
    [cut] = json.loads(fitted.text)["fit"]["cut"]
    assert cut["command"] == f"yg build-context a --only own:a --at {first[:12]}"
    shown = run(*shlex.split(cut["command"])[1:], "-C", place)
    assert shown.text.count(LONG) == 1
    assert "More." not in shown.text


def test_the_nodes_that_changed_since_a_commit(repository: Path) -> None:
    write(repository, {"src/a.py": "2\n"})
    git(repository, "commit", "-qam", "second")
    write(repository, {"src/b/x.py": "2\n"})
    place = str(repository)
    assert run("build-context", "--diff", "HEAD~1", "-C", place) == run(
        "build-context", "a", "a/b", "-C", place
    )
    assert run("build-context", "--diff", "-C", place) == run("build-context", "a/b", "-C", place)
