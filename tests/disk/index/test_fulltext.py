"""The full-text index: its ranking, its updates, and files that cannot be used."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from math import log
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damage import cache_of
from support import NODE, run, write_graph
from yg.disk.index import fulltext
from yg.disk.index.fulltext import NAME, FullText, NoFullTextError
from yg.kernel.find import DIGITS, WEIGHTS, Columns, Scope, SearchedText, columns_of, parse_query
from yg.kernel.snapshot import DictSnapshot, Text, given_text
from yg.text.words import words_of

Documents = Mapping[str, str]  # texts by `kind path document`, the first document is named


def entry_of(label: str) -> SearchedText:
    kind, path, document = label.split(" ")
    is_named = document == "named"
    name = path.rpartition("/")[2] if is_named else ""
    return SearchedText(kind=kind, path=path, document=document, file=label, name=name)


def fill(texts: FullText, documents: Documents, *, stamps: bool = False) -> None:
    """Index documents; with stamps, one whose text is the same has not changed."""
    snapshot = DictSnapshot(documents)

    def stamp_of(file: str) -> bytes:
        return documents[file].encode() or b"empty" if stamps else b""

    def text_of(entry: SearchedText) -> Text:
        return snapshot.text(entry.file)

    assert texts.update(map(entry_of, documents), stamp_of, text_of) == ()


def found(texts: FullText, query: str, kind: str = "", limit: int = 100) -> list[str]:
    ranked, total, _ = texts.search(parse_query(query), limit, Scope(kind=kind))
    assert len(ranked) == min(total, limit)
    return [match.entry.file for match in ranked]


def search(documents: Documents, query: str, kind: str = "", limit: int = 100) -> list[str]:
    with closing(FullText.create()) as texts:
        fill(texts, documents)
        return found(texts, query, kind, limit)


SHOP = {
    "node codec named": "name: codec\n",
    "node codec notes": "Here encode_request is described, and the request.",
    "node other notes": "It calls encodeRequest.",
    "node third notes": "A request to encode something.",
    "node fourth notes": "request request request codec",
    "aspect aspects/codec named": "name: Codec\nFor every request.",
    "flow flows/f notes": "Prerequest. Requests.",
}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (
            "codec",
            ["node codec named", "aspect aspects/codec named", "node fourth notes"],
        ),
        ("encode_request", ["node codec notes", "node other notes"]),
        ("encodeRequest", ["node other notes", "node codec notes"]),
        (
            "request",
            [
                *("node fourth notes", "node third notes", "node codec notes"),
                *("aspect aspects/codec named", "flow flows/f notes", "node other notes"),
            ],
        ),
        ("request encode", ["node third notes", "node other notes", "node codec notes"]),
        ('"request to encode"', ["node third notes"]),
        (
            "REQUESTS",
            [
                *("flow flows/f notes", "node fourth notes", "node third notes"),
                *("node codec notes", "aspect aspects/codec named", "node other notes"),
            ],
        ),
        ('"REQUESTS"', ["flow flows/f notes"]),
        ("requests*", ["flow flows/f notes"]),
        ("codec -request", ["node codec named"]),
        ("aspects/codec", ["aspect aspects/codec named"]),
        ("quest", []),
    ],
)
def test_documents_are_found_by_words_and_ranked(query: str, expected: list[str]) -> None:
    assert search(SHOP, query) == expected


def test_only_one_kind_and_only_the_best_are_returned() -> None:
    assert search(SHOP, "codec", "node") == ["node codec named", "node fourth notes"]
    assert search(SHOP, "codec", limit=1) == ["node codec named"]
    assert search(SHOP, "codec", "flow") == []


def test_equal_ranks_are_sorted_by_path_then_document_then_kind() -> None:
    labels = ["node b z", "node b a", "node a z", "flow a z", "node a/b z", "node a-b z"]
    expected = ["node a-b z", "flow a z", "node a z", "node a/b z", "node b a", "node b z"]
    expected.sort(key=lambda label: (*label.split(" ")[1:], label.split(" ")[0]))
    documents = dict.fromkeys(labels, "the same")
    assert search(documents, "same") == expected
    assert [search(documents, "same", limit=most) for most in (1, 3)] == [
        expected[:1],
        expected[:3],
    ]


def test_the_nearest_words_come_from_all_documents() -> None:
    with closing(FullText.create()) as texts:
        fill(texts, {"node a named": "Say encode_all", "node b notes": "b"})
        assert set(texts.vocabulary()) == {"a", "say", "encode_all", "encode", "all", "b"}


# The score, computed as `kernel.find` describes it.


def count(tokens: str, phrase: Sequence[str]) -> int:
    words = tokens.split(" ")
    spans = (words[at : at + len(phrase)] for at in range(len(words)))
    return sum(span == list(phrase) for span in spans)


def described(documents: Documents, query: str) -> list[str]:
    """Rank documents as the description says."""
    columns = {label: columns_of(entry_of(label), text) for label, text in documents.items()}
    lengths = {label: len(" ".join(each).split()) for label, each in columns.items()}
    average = sum(lengths.values()) / len(lengths)
    terms = parse_query(query).wanted
    phrases = [item for term in terms for item in term.phrases]

    def has(one: Columns, phrase: tuple[str, ...], *names: str) -> bool:
        return any(count(getattr(one, name), phrase) for name in names)

    def score(label: str) -> float:
        total = 0.0
        for phrase in phrases:
            rows = sum(has(column, phrase, *WEIGHTS) for column in columns.values())
            rarity = log((len(columns) - rows + 0.5) / (rows + 0.5))
            times = sum(
                weight * count(getattr(columns[label], name), phrase)
                for name, weight in WEIGHTS.items()
            )
            size = 1.2 * (1 - 0.75 + 0.75 * lengths[label] / average)
            total += (rarity if rarity > 0 else 1e-6) * times * 2.2 / (times + size)
        return -round(total, DIGITS)

    def rank(label: str) -> tuple[bool, bool, float, str]:
        one = columns[label]
        whole = all(has(one, term.wholes, "name", "path", "body") for term in terms)
        named = any(has(one, phrase, "name", "path") for phrase in phrases)
        return not whole, not named, score(label), label

    having = [
        [
            label
            for label, one in columns.items()
            if any(has(one, p, *WEIGHTS) for p in term.phrases)
        ]
        for term in terms
    ]
    lacking = {
        label: [label not in labels for labels in sorted(having, key=len)] for label in columns
    }
    fewest = min(sum(lacks) for lacks in lacking.values())
    matching = [label for label, lacks in lacking.items() if sum(lacks) == fewest < len(terms)]
    return sorted(matching, key=lambda label: (lacking[label], *rank(label)))


WORDS = st.lists(
    st.sampled_from(["red", "green", "blue", "red_green", "redBlue", "the"]), max_size=12
)
TEXTS = st.dictionaries(
    st.builds(
        "node {}{} {}".format,
        st.sampled_from("abc"),
        st.sampled_from(["", "/red"]),
        st.sampled_from(["named", "notes"]),
    ),
    WORDS.map(" ".join),
    min_size=1,
)
QUERIES = st.sampled_from(["red", "red_green", "redGreen", "red blue", "the red", '"red green"'])


@given(TEXTS, QUERIES)
def test_the_order_is_the_one_that_is_described(documents: Documents, query: str) -> None:
    assert search(documents, query) == described(documents, query)


@pytest.mark.slow
@given(st.lists(TEXTS, min_size=2, max_size=5), QUERIES)
def test_an_updated_index_is_as_good_as_a_new_one(states: list[Documents], query: str) -> None:
    with closing(FullText.create()) as texts:
        for documents in states:
            fill(texts, documents, stamps=True)
            generation = texts.generation
            shuffled = dict(sorted(documents.items(), reverse=True))
            fill(texts, shuffled, stamps=True)
            assert texts.generation == generation  # nothing has changed
        assert found(texts, query) == search(states[-1], query)
        with closing(FullText.create()) as fresh:
            fill(fresh, states[-1])
            assert list(texts.vocabulary()) == list(fresh.vocabulary())


# Files.

FILES = {
    "model/a/yg-node.yaml": "name: Alpha\ntype: service\n",
    "model/a/responsibility.md": "Alpha rays, and beta rays.\n",
    "model/b/yg-node.yaml": NODE,
    "model/b/responsibility.md": "Beta rays.\n",
}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a graph whose files count as old, and search it once."""
    monkeypatch.setattr("yg.disk.files.stamps.SETTLED_NS", -(1 << 62))
    written = write_graph(tmp_path, FILES)
    assert beta(written) == (
        "b  responsibility.md:1  Beta rays.\na  responsibility.md:1  Alpha rays, and beta rays.\n"
    )
    return written


def beta(root: Path, *options: str) -> str:
    return run("find", "beta", "-C", str(root), *options).text


def test_a_search_without_changes_writes_nothing(root: Path) -> None:
    file = cache_of(root) / NAME
    before = file.read_bytes()
    assert beta(root) == beta(root, "--no-cache")
    assert file.read_bytes() == before


def test_only_changed_documents_are_indexed_again(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_graph(root, {"model/b/responsibility.md": "Gamma and beta, again.\n"})
    indexed = []

    def noted(entry: SearchedText, text: str) -> Columns:
        indexed.append(entry.file)
        return columns_of(entry, text)

    monkeypatch.setattr(fulltext, "columns_of", noted)
    assert "b  responsibility.md:1  Gamma and beta, again.\n" in beta(root)
    assert indexed == [".yggdrasil/model/b/responsibility.md"]


def test_other_commands_leave_the_full_text_alone(root: Path) -> None:
    file = cache_of(root) / NAME
    before = file.read_bytes()
    write_graph(root, {"model/b/responsibility.md": "Gamma and beta.\n"})
    run("build-context", "b", "-C", str(root))
    run("validate", "-C", str(root))
    assert file.read_bytes() == before
    assert beta(root) == beta(root, "--no-cache")


def flip(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)


def forge(file: Path) -> None:
    """Take a document out, as somebody could who knows the tables."""
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("DELETE FROM words WHERE rowid = 2")


def make_directory(file: Path) -> None:
    file.unlink()
    file.mkdir()


def make_link(file: Path) -> None:
    file.rename(file.with_name("target"))
    file.symlink_to("target")


@pytest.mark.parametrize(
    "damage", [flip, forge, make_directory, make_link, Path.unlink, lambda file: file.chmod(0)]
)
def test_a_file_that_we_did_not_write_is_not_used(root: Path, damage: object) -> None:
    assert callable(damage)
    expected = beta(root, "--no-cache")
    damage(cache_of(root) / NAME)
    assert [beta(root) for _ in range(3)] == [expected] * 3


def test_a_file_that_another_process_writes_is_not_waited_for_long(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("yg.disk.index.database.PATIENCE", 0.01)
    expected = beta(root, "--no-cache")
    file = cache_of(root) / NAME
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert beta(root) == expected
        other.execute("ROLLBACK")
    assert beta(root) == expected
    assert os.listdir(file.parent).count(NAME) == 1


def test_an_sqlite_without_fts5_is_reported(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = tuple(table.replace("USING fts5", "USING fts5_of_later") for table in fulltext._TABLES)
    monkeypatch.setattr(fulltext, "_TABLES", tables)
    with pytest.raises(NoFullTextError, match="no full-text search"):
        FullText.create()
    outcome = run("find", "beta", "-C", str(root), "--no-cache")
    assert (outcome.code, outcome.text) == (1, "")


def test_words_of_a_name_that_is_not_utf8_can_be_indexed() -> None:
    entry = SearchedText(kind="node", path="a\udc80b", document="n", file="f\udcff", name="N\udc80")
    with closing(FullText.create()) as texts:
        texts.update([entry], lambda _: b"", lambda found: given_text(found.file, "text"))
        assert [match.entry for match in texts.search(parse_query("b"), 5)[0]] == [entry]
    assert words_of("a\udc80b") == words_of("a b")
