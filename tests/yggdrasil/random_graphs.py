"""Random graphs of the 2.x edition, as files relative to `.yggdrasil/`."""

from __future__ import annotations

import json

from hypothesis import strategies as st

from inventories import billing_import, published

PATHS = (".", "a", "a/b", "a/b/c", "d", "d/e/f")
IDS = ("x", "y", "y/z")
NAMES = ("responsibility.md", "interface.md", "internals.md", "description.md", "other.md")
WORDS = st.text("ab &\"'ä😀\n", min_size=1, max_size=6).filter(str.strip)
LONG_TEXTS = st.builds(
    lambda line, lines, end: end.join([line] * lines) + end,
    st.sampled_from(["Some words of a text, as long as a line.", "ß😀 " * 20, "x" * 30]),
    st.integers(2, 9),
    st.sampled_from(["\n", "\r\n"]),
)
TEXTS = st.lists(st.sampled_from(["a", "ß😀", " ", "\n", "\r\n", "# b"]), max_size=6).map("".join)


def some(values: tuple[str, ...]) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(values), max_size=3)


RELATIONS = st.fixed_dictionaries(
    {
        "target": st.sampled_from((*PATHS, "missing")),
        "type": st.sampled_from(["uses", "calls", "extends", "implements", "emits", "listens"]),
    },
    optional={"consumes": st.lists(WORDS, max_size=2), "failure": WORDS, "event_name": WORDS},
)
TARGETS = ("billing::.", "billing::ledger", "billing::ledger/entry", "billing::gone", "other::x")
EXTERNAL = st.fixed_dictionaries(
    {
        "target": st.sampled_from(TARGETS),
        "type": st.sampled_from(["uses", "calls", "emits", "listens"]),
    },
    optional={"consumes": st.lists(WORDS, max_size=2), "failure": WORDS, "event_name": WORDS},
)
USES = st.fixed_dictionaries(
    {"aspect": st.sampled_from((*IDS, "missing"))},
    optional={"exceptions": st.lists(WORDS, max_size=2)},
)
NODES = st.fixed_dictionaries(
    {"name": WORDS, "type": st.just("service")},
    optional={
        "aspects": st.lists(USES, max_size=3),
        "relations": st.lists(RELATIONS, max_size=3),
        "external": st.lists(EXTERNAL, max_size=3),
        "mapping": st.just({"paths": ["src/a.py", "src/b.py"]}),
        "blackbox": st.booleans(),
    },
)
ASPECTS = st.fixed_dictionaries(
    {"name": WORDS},
    optional={"implies": some((*IDS, "missing")), "stability": st.just("schema")},
)
FLOWS = st.fixed_dictionaries(
    {"name": WORDS, "nodes": some(PATHS).filter(bool)},
    optional={"aspects": some((*IDS, "missing"))},
)
TREES = (
    ("model", st.sets(st.sampled_from(PATHS), min_size=1), "yg-node.yaml", NODES),
    ("aspects", st.sets(st.sampled_from(IDS), min_size=1), "yg-aspect.yaml", ASPECTS),
    ("flows", st.sets(st.sampled_from(("f", "g", "f/h")), min_size=1), "yg-flow.yaml", FLOWS),
)


def graphs(texts: st.SearchStrategy[str] = TEXTS) -> st.SearchStrategy[dict[str, str]]:
    """Draw the files of a small graph: broken references and cycles, but no broken files."""
    return _graphs(st.dictionaries(st.sampled_from(NAMES), texts, max_size=3))


@st.composite
def _graphs(draw: st.DrawFn, artifacts: st.SearchStrategy[dict[str, str]]) -> dict[str, str]:
    # A strategy that is made here would be made, and checked, for every example again.
    files: dict[str, str] = {}
    for tree, ids, file, things in TREES:
        for item in draw(ids):
            folder = tree if item == "." else f"{tree}/{item}"
            files[f"{folder}/{file}"] = json.dumps(draw(things), ensure_ascii=False) + "\n"
            files |= {f"{folder}/{name}": text for name, text in draw(artifacts).items()}
    published_nodes = [published(path, draw(artifacts)) for path in (".", "ledger", "ledger/entry")]
    files["imports/billing.jsonl"] = billing_import(*published_nodes, contracts=draw(st.booleans()))
    return files
