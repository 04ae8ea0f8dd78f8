"""Edits that people, editors and git make in a repository, chosen at random but repeatably.

Each edit gets the repository's root and a source of choices, and does something to the files, or
nothing where the files are not as it expects them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from inventories import billing_import, published
from specgraph.graphs import index_of, node, written
from support import CONFIG, NODE, write

Edit = Callable[[Path, Random], object]

GRAPH = ".yggdrasil"
MODEL = f"{GRAPH}/model"
SENTENCE = "Fifty characters at least: what a newcomer has to know of it.\n"
START: dict[str, str | bytes] = {
    ".gitignore": "*.log\n",
    f"{GRAPH}/yg-config.yaml": CONFIG,
    f"{GRAPH}/schemas/yg-node.yaml": "",
    f"{GRAPH}/schemas/yg-aspect.yaml": "",
    f"{GRAPH}/schemas/yg-flow.yaml": "",
    f"{MODEL}/a/yg-node.yaml": f"{NODE}mapping: {{paths: [src/a]}}\n",
    f"{MODEL}/a/responsibility.md": SENTENCE,
    f"{MODEL}/a/b/yg-node.yaml": (
        f"{NODE}relations: [{{target: c, type: calls}}]\n"
        "aspects: [{aspect: x, anchors: [needle]}]\nmapping: {paths: [src/b.py]}\n"
    ),
    f"{MODEL}/a/b/responsibility.md": SENTENCE,
    f"{MODEL}/c/yg-node.yaml": (
        f"{NODE}external: [{{target: 'billing::ledger', type: calls}}]\n"
        "mapping: {paths: [src/c, src/later.py]}\n"
    ),
    f"{MODEL}/c/responsibility.md": SENTENCE,
    f"{MODEL}/c/interface.md": SENTENCE,
    f"{GRAPH}/aspects/x/yg-aspect.yaml": "name: X\nimplies: [y]\n",
    f"{GRAPH}/aspects/x/content.md": SENTENCE,
    f"{GRAPH}/aspects/y/yg-aspect.yaml": "name: Y\n",
    f"{GRAPH}/aspects/y/content.md": SENTENCE,
    f"{GRAPH}/imports/billing.jsonl": billing_import(published("ledger", {"a.md": SENTENCE})),
    f"{GRAPH}/flows/f/yg-flow.yaml": "name: F\nnodes: [a, c]\naspects: [y]\n",
    f"{GRAPH}/flows/f/description.md": f"## Goal\n{SENTENCE}",
    "src/a/one.py": "one\n",
    "src/a/two.py": "two\n",
    "src/b.py": "a needle\n",
    "src/c/deep/three.py": "three\n",
    "README.md": "Read me.\n",
}
IDS = ("a", "a/b", "c", "d", "a/b/e", "x", "y", "f")
SPEC_GRAPH = "specgraph"
SPEC_IDS = ("A", "B", "L", "D", "P", "E", "GONE")
SPEC_NODES = (
    node("behavior"),
    node("behavior", title="Another one", depends_on=["D"], implements=["B"]),
    node("behavior", depends_on=["GONE", "A"], verified_by=["E"]),
    node("feature", contains=["A", "B"], depends_on=["L"]),
    node("layer", contains=["D", "E"], depends_on=["A"]),
    node("decision", supersedes=["D"], constrains=["A"]),
    node("decision", metadata={}),
    node("policy", severity="soft", constrains=["A", "L"]),
    node("foundation", derived_from=["P"], pins=[{"id": "P", "sha256": "0" * 64}]),
    node("domain", statement="A newcomer\nhas to know this."),
    node("unheard-of"),
    {"title": "No type"},
    {"id": "OTHER", **node("behavior")},
)
SPEC_START: dict[str, str | bytes] = {
    ".gitignore": "*.log\n",
    f"{SPEC_GRAPH}/graph.json": written(index_of({key: {} for key in SPEC_IDS[:6]})),
    f"{SPEC_GRAPH}/README.md": SENTENCE,
    **{
        f"{SPEC_GRAPH}/nodes/{name}.json": written({"id": name, **data})
        for name, data in {
            "A": node("behavior", depends_on=["D"]),
            "B": node("feature", contains=["A"], depends_on=["L"]),
            "L": node("layer", contains=["D"]),
            "D": node("decision"),
            "P": node("policy", constrains=["B"]),
            "E": node("foundation", derived_from=["P"]),
        }.items()
    },
    "src/a/one.py": "one\n",
    "src/b.py": "a needle\n",
}
NODES = (
    NODE,
    f"{NODE}relations: [{{target: a/b, type: uses}}]\n",
    f"{NODE}relations: [{{target: gone, type: calls}}]\n",
    f"{NODE}relations: [{{target: a, type: uses}}, {{target: c, type: uses}}]\n",
    f"{NODE}relations: [{{target: c, type: emits, event_name: E}}]\n",
    f"{NODE}aspects: [{{aspect: y}}]\n",
    f"{NODE}aspects: [{{aspect: gone}}]\n",
    f"{NODE}aspects: [{{aspect: x, anchors: [needle, 'ne\\ted']}}]\nmapping: {{paths: [.]}}\n",
    f"{NODE}mapping: {{paths: [src]}}\n",
    f"{NODE}mapping: {{paths: [src/later.py, src/c]}}\n",
    f"{NODE}mapping: {{paths: [../outside, src/link/x]}}\n",
    f"{NODE}external: [{{target: 'billing::ledger', type: uses}}]\n",
    f"{NODE}external: [{{target: 'other::x', type: calls}}, {{target: 'billing::', type: uses}}]\n",
    f"{NODE}external: [{{target: 'billing::tax', type: listens}}]\nmapping: {{paths: [src/a]}}\n",
    f"{NODE}documents: [docs/a.md#B, docs/adr/0002-y.md]\ndecisions: [1, 2]\n",
    f"{NODE}artifacts: {{responsibility.md: docs/a.md}}\ndocuments: [docs/gone.md]\n",
    f"{NODE}blackbox: true\n",
    f"{NODE}surprise: 1\n",
    "name: N\ntype: unheard-of\n",
    "name: N\n",
    f"{NODE}relations: [{{target: c, type: uses}}, {{target: c, type: uses}}]\n",
    f"{NODE}<<<<<<< HEAD\n",
    "name: [\n",
    "",
)
IMPORTS = (
    billing_import(published("ledger", {"a.md": SENTENCE})),
    billing_import(published("ledger", {"a.md": SENTENCE * 2})),
    billing_import(published("ledger", {"a.md": SENTENCE}), published("tax")),
    billing_import(published("ledger", {"a.md": SENTENCE}), contracts=False),
    billing_import(published("tax"), commit="")[:-9],
    billing_import(published("tax")),
)
ASPECTS = ("name: X\n", "name: X\nimplies: [y]\n", "name: Y\nimplies: [x]\n", "nome: X\n", "{")
FLOWS = ("name: F\nnodes: [a]\n", "name: G\nnodes: [a/b, gone]\naspects: [x]\n", "name: F\n", "[")
CONFIGS = (
    CONFIG,
    CONFIG + "quality: {min_artifact_length: 10, context_budget: {warning: 20, error: 60}}\n",
    CONFIG.replace("  module:", "  module_:"),
    CONFIG.replace("  internals.md:", "  notes.md:"),
    CONFIG.replace('"A component"', '"A component", required_aspects: [x]'),
    CONFIG.replace("never", "{when: has_aspect:y}"),
    CONFIG + "rules: {W001: error, W002: off, W012: off, E010: warning}\n",
    CONFIG + "rules: {E004: off, W999: error}\n",
    "name: test\n",
    "{",
)
TEXTS: tuple[str | bytes, ...] = (
    "",
    "short\n",
    SENTENCE,
    SENTENCE * 40,
    "## Goal\nneedle\r\n",
    b"\xff not text",
    "not text\0",
    f"{SENTENCE}<<<<<<< HEAD\n{SENTENCE}",
)
NAMES = ("responsibility.md", "interface.md", "notes.md", ".h.md", "tab\t.md", "line\nbreak", "é")


def graph_of(root: Path) -> str:
    """Return the folder of the graph in a repository, also while there is none."""
    is_spec = os.path.lexists(root / SPEC_GRAPH) or spec_mark(root).exists()
    return SPEC_GRAPH if is_spec else GRAPH


def spec_mark(root: Path) -> Path:
    """Return a file beside a repository that says that its graph is a Spec Graph."""
    return root.with_name(f"{root.name}-is-a-spec-graph")


def model_of(root: Path) -> str:
    """Return the folder of the nodes in a repository."""
    return MODEL if graph_of(root) == GRAPH else f"{SPEC_GRAPH}/nodes"


def files_of(root: Path, top: str = ".") -> list[Path]:
    """Return the files below a directory that are not git's, in order."""
    return [path for path in _below(root, top) if path.is_file() and not path.is_symlink()]


def folders_of(root: Path, top: str = ".") -> list[Path]:
    """Return the directories below one, in order."""
    return [path for path in _below(root, top) if path.is_dir() and not path.is_symlink()]


def _below(root: Path, top: str) -> Iterator[Path]:
    for place, folders, files in os.walk(root / top):
        folders[:] = sorted({*folders} - {".git", ".drift-state"})
        yield from (Path(place) / folder for folder in sorted([*folders, *files]))


def _vanish(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    elif os.path.lexists(path):
        path.unlink()


def _put(path: Path, content: str | bytes) -> None:
    """Write a file wherever that is possible."""
    with suppress(OSError):
        if not path.is_fifo():  # which would wait for a reader
            write(path.parent, {path.name: content})


def _some(rng: Random, found: list[Path]) -> Iterator[Path]:
    """Yield one of the paths, if there is any."""
    if found:
        yield rng.choice(found)


# Contents.


def edit_a_text(root: Path, rng: Random) -> None:
    for path in _some(
        rng, [file for file in files_of(root, graph_of(root)) if file.suffix == ".md"]
    ):
        _put(path, rng.choice(TEXTS))


def edit_a_node(root: Path, rng: Random) -> None:
    _put(root / MODEL / rng.choice(IDS[:5]) / "yg-node.yaml", rng.choice(NODES))


def edit_an_aspect(root: Path, rng: Random) -> None:
    _put(root / GRAPH / "aspects" / rng.choice("xyz") / "yg-aspect.yaml", rng.choice(ASPECTS))


def edit_a_flow(root: Path, rng: Random) -> None:
    _put(root / GRAPH / "flows" / rng.choice("fg") / "yg-flow.yaml", rng.choice(FLOWS))


def edit_an_import(root: Path, rng: Random) -> None:
    name = rng.choice(("billing", "billing", "billing", "other", "not an import"))
    _put(root / GRAPH / "imports" / f"{name}.jsonl", rng.choice(IMPORTS))


def edit_the_configuration(root: Path, rng: Random) -> None:
    _put(root / GRAPH / "yg-config.yaml", rng.choice(CONFIGS))


def edit_a_spec_node(root: Path, rng: Random) -> None:
    name = rng.choice(SPEC_IDS[:6])
    content = _declaration(rng.choice(SPEC_NODES), name)
    _put(root / SPEC_GRAPH / f"nodes/{name}.json", rng.choice((content, content, content[:-9], "")))


def edit_the_list_of_nodes(root: Path, rng: Random) -> None:
    """Write another graph.json: other nodes, other paths, other types, or none at all."""
    index: Any = index_of({key: {} for key in rng.sample(SPEC_IDS, rng.randrange(1, 8))})
    entry = rng.choice(index["nodes"])
    match rng.randrange(8):
        case 0:
            entry["path"] = rng.choice(("../out.json", "nodes/B.json", "graph.json", "C/A.json"))
        case 1:
            _hide_a_node(root, rng)
            entry["path"] = ".hidden/H.json"
        case 2:
            entry["expectedType"] = "policy"
        case 3:
            entry["sha256"] = "0" * 64
        case 4:
            index["nodes"].append({"id": entry["id"], "path": "nodes/D.json"})
        case 5:
            index["root"] = rng.choice(SPEC_IDS)
        case 6:
            index = rng.choice(([], {}, None, {"nodes": "none"}))
    _put(root / SPEC_GRAPH / "graph.json", written(index))


def _hide_a_node(root: Path, rng: Random) -> None:
    content = _declaration(rng.choice(SPEC_NODES), "A")
    _put(root / SPEC_GRAPH / ".hidden/H.json", content)


def edit_a_hidden_node(root: Path, rng: Random) -> None:
    """List a node in a hidden directory, or change it if it is listed already."""
    index = index_of({key: {} for key in SPEC_IDS[:6]})
    index["nodes"][0]["path"] = ".hidden/H.json"
    content = written(index)
    if (root / SPEC_GRAPH / "graph.json").read_text("utf-8", "replace") != content:
        _put(root / SPEC_GRAPH / "graph.json", content)
    _hide_a_node(root, rng)


def _declaration(content: str | dict[str, Any], name: str) -> str:
    return content if isinstance(content, str) else written({"id": name, **content})


def edit_a_source(root: Path, rng: Random) -> None:
    for path in _some(rng, files_of(root, "src")):
        _put(path, rng.choice(TEXTS))


def edit_a_baseline(root: Path, rng: Random) -> None:
    kept = root / GRAPH / ".drift-state"
    for path in _some(rng, sorted(kept.rglob("*.json"))):
        match rng.randrange(5):
            case 0:
                path.unlink()
            case 1:
                _put(path, "{")
            case 2:
                _put(path, path.read_bytes().replace(b"0", b"1"))
            case 3:
                _put(path, b"<<<<<<< HEAD\n" + path.read_bytes())
            case _:
                _put(path.parent / "c.json", path.read_bytes())


def edit_in_secret(root: Path, rng: Random) -> None:
    """Change a file without changing its size or the time of its last change."""
    for path in _some(rng, files_of(root)):
        before, content = path.stat(), path.read_bytes()
        at = rng.randrange(len(content) + 1)
        with open(path, "r+b") as file:
            file.write((content[:at] + b"\n" + content[at + 1 :])[: len(content)])
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def edit_as_editors_do(root: Path, rng: Random) -> None:
    """Write a new file beside the old one, and put it in its place, with the same times."""
    for path in _some(rng, files_of(root)):
        before, new = path.stat(), path.parent / ".new~"
        _put(new, rng.choice((path.read_bytes(), *TEXTS[:4])))
        os.utime(new, ns=(before.st_atime_ns, before.st_mtime_ns))
        os.replace(new, path)


def touch(root: Path, rng: Random) -> None:
    for path in _some(rng, [*files_of(root), *folders_of(root)]):
        os.utime(path, ns=(1, rng.choice((-1, 0, 1, 1 << 60))))


def change_the_mode(root: Path, rng: Random) -> None:
    for path in _some(rng, [*files_of(root), *folders_of(root)]):
        path.chmod(rng.choice((0o755, 0o700)))


# Names.


def add_a_file(root: Path, rng: Random) -> None:
    for folder in _some(rng, folders_of(root)):
        _put(folder / rng.choice(NAMES), rng.choice(TEXTS))


def add_a_source(root: Path, rng: Random) -> None:
    path = rng.choice(("src/later.py", "src/a/new.py", "src/c/x.log", "src/link/x", "top.py"))
    _put(root / path, rng.choice(TEXTS))


def edit_document(root: Path, rng: Random) -> None:
    path = rng.choice(("docs/a.md", "docs/adr/0001-x.md", "docs/adr/0002-y.md"))
    status = rng.choice(("", "Status: superseded by 2\n\n", "## B\n\n"))
    text = rng.choice(TEXTS)
    start = f"# A newcomer\n\n{status}"
    _put(root / path, start + text if isinstance(text, str) else start.encode() + text)


def add_a_folder(root: Path, rng: Random) -> None:
    for folder in _some(rng, folders_of(root)):
        (folder / rng.choice(("d", "e", ".h"))).mkdir(exist_ok=True)


def remove_a_file(root: Path, rng: Random) -> None:
    for path in _some(rng, files_of(root)):
        path.unlink()


def remove_a_folder(root: Path, rng: Random) -> None:
    for path in _some(rng, [*folders_of(root, graph_of(root)), *folders_of(root, "src")]):
        _vanish(path)


def rename_something(root: Path, rng: Random) -> None:
    for path in _some(rng, [*_below(root, graph_of(root)), *_below(root, "src")]):
        with suppress(OSError):
            path.rename(path.parent / rng.choice(("a", "b", "c", "d", "interface.md", ".away")))


def move_a_folder(root: Path, rng: Random) -> None:
    for path in _some(rng, folders_of(root, model_of(root))):
        for target in _some(rng, folders_of(root, graph_of(root))):
            with suppress(OSError):
                path.rename(target / path.name)


def swap_two(root: Path, rng: Random) -> None:
    top = rng.choice((model_of(root), f"{graph_of(root)}/aspects", "src"))
    for one in _some(rng, [*_below(root, top)]):
        for two in _some(rng, [*_below(root, top)]):
            if one not in (two, *two.parents) and two not in one.parents:
                one.rename(root / "swap")
                two.rename(one)
                (root / "swap").rename(two)


def replace_by_another_kind(root: Path, rng: Random) -> None:
    for path in _some(rng, [*_below(root, graph_of(root)), *_below(root, "src")]):
        _vanish(path)
        match rng.randrange(5):
            case 0:
                path.mkdir()
            case 1:
                path.symlink_to(rng.choice(("responsibility.md", "../a", "nowhere", ".")))
            case 2:
                os.mkfifo(path)
            case 3:
                path.write_bytes(b"a file\n")
            case _:
                write(path, {"yg-node.yaml": NODE, "responsibility.md": SENTENCE})


def replace_by_a_link_to_itself(root: Path, rng: Random) -> None:
    """Move a file or directory away, and put a link to it in its place."""
    for path in _some(rng, [*_below(root, graph_of(root)), *_below(root, "src")]):
        away = root / f"away-{rng.randrange(1000)}"
        if not os.path.lexists(away):
            path.rename(away)
            path.symlink_to(away)


def link_twice(root: Path, rng: Random) -> None:
    for one in _some(rng, files_of(root, model_of(root))):
        for two in _some(rng, files_of(root, model_of(root))):
            if one != two:
                two.unlink()
                os.link(one, two)


# The whole.


def ignore_something(root: Path, rng: Random) -> None:
    place = rng.choice((".gitignore", "src/.gitignore"))
    patterns = ("", "*.log\n", "/src/a\n", "src/\n", "*\n!*/\n", ".yggdrasil/model/a\n", "*.py\n")
    _put(root / place, rng.choice(patterns))


def restore_everything(root: Path, rng: Random) -> None:
    """Put back most of what was there at first, whatever is in its place."""
    start = START if graph_of(root) == GRAPH else SPEC_START
    for path, content in start.items():
        if rng.random() < 0.8:
            for above in reversed(Path(path).parents[:-1]):
                if (root / above).is_symlink() or not (root / above).is_dir():
                    _vanish(root / above)
            if (root / path).is_symlink() or not (root / path).is_file():
                _vanish(root / path)
            _put(root / path, content)


def put_another_graph_in_place(root: Path, rng: Random) -> None:
    """Rename the graph away, and another one into its place, index and all."""
    away, graph = root / "graph-away", root / graph_of(root)
    if not away.exists():
        shutil.copytree(graph, away, symlinks=True, ignore=_special)
        for path, content in (("model/a/yg-node.yaml", NODES), ("nodes/A.json", SPEC_NODES)):
            if (away / path).is_file():
                _put(away / path, _declaration(rng.choice(content), "A"))
    graph.rename(root / "graph-swap")
    away.rename(graph)
    (root / "graph-swap").rename(away)


def _special(place: str, names: list[str]) -> list[str]:
    found = (Path(place) / name for name in names)
    return [
        entry.name
        for entry in found
        if not (entry.is_file() or entry.is_dir() or entry.is_symlink())
    ]


def link_the_graph(root: Path, rng: Random) -> None:
    graph, store = root / graph_of(root), root / "graph-store"
    if graph.is_symlink():
        graph.unlink()
        store.rename(graph)
    else:
        graph.rename(store)
        graph.symlink_to(rng.choice((store, store.name)))


def empty_the_graph(root: Path, rng: Random) -> None:
    """Take everything out of the folder of the graph, or leave one part of it."""
    kept = rng.choice(("", "", "model", "nodes", "yg-config.yaml", "graph.json", ".hidden"))
    for path in sorted((root / graph_of(root)).iterdir()):
        if path.name != kept:
            _vanish(path)


def remove_the_graph(root: Path, rng: Random) -> None:
    """Remove the graph, or put it away until the next time."""
    graph, away = root / graph_of(root), root / "graph-put-away"
    if os.path.lexists(away):
        _vanish(graph)
        away.rename(graph)
    elif rng.random() < 0.5:
        graph.rename(away)
    else:
        _vanish(graph)


def fill_the_graph(root: Path, rng: Random) -> None:
    """Write one part of what was there at first, into whatever is there now."""
    start = START if graph_of(root) == GRAPH else SPEC_START
    parts = ("", "", "", "/model", "/yg-config.yaml", "/nodes", "/graph.json")
    part = graph_of(root) + rng.choice(parts)
    for path, content in start.items():
        if path.startswith(part):
            _put(root / path, content)


def link_a_part(root: Path, rng: Random) -> None:
    """Put a link in the place of a folder of the graph, to itself or to something else."""
    part = rng.choice(("model", "aspects", "flows", "nodes", "schemas", "imports", ".drift-state"))
    path = root / graph_of(root) / part
    outside, inside = root.parent / f"{root.name}-{part}", root / f"linked-{part}"
    if path.is_symlink():
        target = path.resolve()
        path.unlink()
        if target in (outside, inside):
            target.rename(path)
    elif path.is_dir():
        away = rng.choice((outside, inside))
        _vanish(away)
        path.rename(away)
        path.symlink_to(rng.choice((away, away, "nowhere", "../src", "model")))


def link_into_the_graph(root: Path, rng: Random) -> None:
    """Add a link from one folder of the graph to another, or from the sources to the graph."""
    for target in _some(rng, folders_of(root, graph_of(root))):
        for place in _some(rng, [*folders_of(root, graph_of(root)), *folders_of(root, "src")]):
            with suppress(OSError):
                (place / rng.choice(("d", "e", "linked"))).symlink_to(target)


def swap_the_folders(root: Path, rng: Random) -> None:
    """Give two folders of the repository each other's names."""
    parts = ("model", "aspects", "flows", "nodes")
    folders = [f"{graph_of(root)}/{part}" for part in parts]
    found = [path for path in (*folders, "src") if (root / path).is_dir()]
    for one, two in zip(found, rng.sample(found, len(found)), strict=True):
        if one != two:
            (root / one).rename(root / "swap")
            (root / two).rename(root / one)
            (root / "swap").rename(root / two)


def commit(root: Path, rng: Random) -> None:
    if (root / ".git").exists():
        _git(root, "add", "--all", ".")
        _git(root, "commit", "--quiet", "--allow-empty", "--message=x")
        _git(root, "branch", "--force", f"branch-{rng.randrange(3)}")


def check_out(root: Path, rng: Random) -> None:
    if (root / ".git").exists():
        _git(root, "checkout", "--quiet", "--force", f"branch-{rng.randrange(3)}")


def _git(root: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", root, *arguments], capture_output=True, check=False)


EDITS: tuple[Edit, ...] = (
    edit_a_text,
    edit_a_node,
    edit_an_aspect,
    edit_a_flow,
    edit_an_import,
    edit_the_configuration,
    edit_a_source,
    edit_a_baseline,
    edit_in_secret,
    edit_as_editors_do,
    touch,
    change_the_mode,
    add_a_file,
    add_a_source,
    edit_document,
    edit_document,
    add_a_folder,
    remove_a_file,
    remove_a_folder,
    rename_something,
    move_a_folder,
    swap_two,
    replace_by_another_kind,
    replace_by_a_link_to_itself,
    link_twice,
    ignore_something,
    put_another_graph_in_place,
    link_the_graph,
    empty_the_graph,
    remove_the_graph,
    fill_the_graph,
    link_a_part,
    link_into_the_graph,
    swap_the_folders,
    commit,
    check_out,
)
_OF_YGGDRASIL = (
    edit_a_node,
    edit_an_aspect,
    edit_a_flow,
    edit_an_import,
    edit_the_configuration,
    edit_a_baseline,
)
SPEC_EDITS: tuple[Edit, ...] = (
    edit_a_spec_node,
    edit_the_list_of_nodes,
    edit_a_hidden_node,
    *(edit for edit in EDITS if edit not in _OF_YGGDRASIL),
)


def _nothing(root: Path, rng: Random) -> None:
    """Leave the repository as it is."""


def _without_a_graph(root: Path, rng: Random) -> None:
    _vanish(root / graph_of(root))


def _with_an_empty_graph(root: Path, rng: Random) -> None:
    folder = root / graph_of(root)
    _vanish(folder)
    folder.mkdir()


def _without_a_configuration(root: Path, rng: Random) -> None:
    for name in ("yg-config.yaml", "graph.json"):
        _vanish(root / graph_of(root) / name)


def _with_a_configuration_alone(root: Path, rng: Random) -> None:
    for path in sorted((root / graph_of(root)).iterdir()):
        if path.name not in ("yg-config.yaml", "graph.json"):
            _vanish(path)


def _with_empty_parts(root: Path, rng: Random) -> None:
    for path in folders_of(root, graph_of(root)):
        if path.parent == root / graph_of(root):
            _vanish(path)
            path.mkdir()


def _with_links(root: Path, rng: Random) -> None:
    for _ in range(3):
        link_into_the_graph(root, rng)
        replace_by_a_link_to_itself(root, rng)


# Edits of whole folders.
STRUCTURAL: tuple[Edit, ...] = (
    restore_everything,
    fill_the_graph,
    fill_the_graph,
    fill_the_graph,
    empty_the_graph,
    empty_the_graph,
    remove_the_graph,
    link_a_part,
    link_a_part,
    link_into_the_graph,
    link_the_graph,
    swap_the_folders,
    put_another_graph_in_place,
    replace_by_a_link_to_itself,
)
# What a repository may look like before the first command.
STARTS: tuple[Edit, ...] = (
    _nothing,
    _without_a_graph,
    _with_an_empty_graph,
    _without_a_configuration,
    _with_a_configuration_alone,
    _with_empty_parts,
    _with_links,
    link_the_graph,
    link_a_part,
    swap_the_folders,
)
