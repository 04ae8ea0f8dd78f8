"""What is read of a file, and what is not."""

from __future__ import annotations

from random import Random

import pytest

from source_code.cases import EXAMPLES, example_text
from yg.code.change_class import ChangeClass, compare, of_added, of_removed
from yg.code.facts import FileFacts, ImportFact
from yg.code.read import lacking_anchors, read_facts

MANY = 20_000


def facts_of(text: str, path: str = "a.py") -> FileFacts:
    facts = read_facts(path, text.encode())
    assert facts is not None
    return facts


def test_headers_are_written_on_one_line_with_the_same_spaces() -> None:
    text = """
@cache( )
class A ( B,metaclass = C ):
    x :int=1
    async def f( self,a:int=-1,/,*args:str , k=None,**kw )->dict [str,int]: pass
"""
    assert {name: found.header for name, found in facts_of(text).signatures.items()} == {
        "A": "@cache() class A(B, metaclass=C)",
        "A.f": "async def f(self, a: int = -1, /, *args: str, k=None, **kw) -> dict[str, int]",
        "A.x": "x: int = 1",
    }


def test_imports_have_their_line_their_names_and_their_level() -> None:
    text = """import a.b, c as d
if TYPE_CHECKING:
    from ..e import (f as g,
        h)
def k(): from . import *
"""
    assert facts_of(text).imported == (
        ImportFact("a.b", 1),
        ImportFact("c", 1, aliases=("d",)),
        ImportFact("e", 3, names=("f", "h"), level=2, type_only=True, aliases=("g", "h")),
        ImportFact("", 5, names=("*",), level=1),
    )


def test_a_new_or_deleted_file_is_a_signature_if_it_has_public_names() -> None:
    public, private = facts_of("def f(): pass\n"), facts_of("def _f(): pass\n")
    assert [of_added(public).kind, of_removed(public).kind] == ["signature", "signature"]
    assert [of_added(private).kind, of_removed(private).kind] == ["body", "body"]
    assert [of_added(None).kind, of_removed(None).kind] == ["unknown", "unknown"]
    assert [(name.name, name.change) for name in of_removed(public).names] == [("f", "removed")]


def test_classes_are_ordered_and_unknown_counts_as_a_body() -> None:
    ordered = sorted(ChangeClass, key=lambda kind: kind.rank)
    assert ordered == ["cosmetic", "docs", "imports", "body", "unknown", "signature"]
    assert ChangeClass.UNKNOWN.rank == ChangeClass.BODY.rank


@pytest.mark.parametrize(
    ("anchor", "is_found"),
    [
        ("charge", True),
        ("recharge", False),
        ("note", False),
        ("charge(amount)", True),
        ("charge( amount )", True),
        ("amount charge", False),
        ("event.paid", True),
        ("field", True),
        ("described", False),
    ],
)
def test_an_anchor_is_sought_among_tokens(anchor: str, is_found: bool) -> None:  # noqa: FBT001
    text = """def charge(amount):  # note
    "described here"
    emit("event.paid", f"{field}")
"""
    assert (lacking_anchors("a.py", text, frozenset({anchor})) == frozenset()) is is_found


@pytest.mark.parametrize(("path", "text"), [("a.txt", "# charge"), ("a.py", "x = (  # charge")])
def test_an_anchor_in_a_file_that_cannot_be_scanned_is_sought_as_text(path: str, text: str) -> None:
    assert lacking_anchors(path, text, frozenset({"charge", "refund"})) == {"refund"}


def test_many_anchors_are_sought_one_by_one() -> None:
    text = "def charge(amount):  # note\n    emit('event.paid')\n"
    found = {"charge( amount )", "event.paid", "emit", "# note"}
    missing = {f"a{number}" for number in range(100)} | {"recharge", "note"}
    assert lacking_anchors("a.py", text, frozenset(found | missing)) == missing


@pytest.mark.parametrize(
    "data",
    # The last one has a return without a line feed, which languages read differently.
    [b"\xff\xfe", b"x = 1\0", b"\x80" * 100, bytes(range(256)), b"x = 1\ry = 2\r\n"],
)
def test_what_is_not_text_has_no_facts(data: bytes) -> None:
    assert read_facts("a.py", data) is None


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("a.jsx", 'x = <A extends="b">http://a</A>', 'x = <A extends="b">http://b</A>'),
        ("a.c", "%:define A\nB", "%:define A B"),
        ("a.php", "<?php\n__halt_compiler(); a // b", "<?php\n__halt_compiler(); a // c"),
    ],
)
def test_what_tree_sitter_cannot_read_counts_too(path: str, before: str, after: str) -> None:
    change = compare(read_facts(path, before.encode()), read_facts(path, after.encode()))
    assert change.kind == ChangeClass.BODY


def test_a_language_that_is_not_known_has_no_facts() -> None:
    for path in ("a.txt", "Makefile", "py", "a.", ".py/x", "a.py.orig"):
        assert read_facts(path, b"x = 1\n") is None


@pytest.mark.parametrize("name", EXAMPLES)
def test_truncated_and_spliced_texts_are_read_or_unknown(name: str) -> None:
    text = example_text(name)
    random = Random(4)
    whole = facts_of(text, name)
    for _ in range(40):
        start, end = sorted(random.sample(range(len(text)), 2))
        for damaged in (text[:start], text[:start] + text[end:], text[start:end] * 2):
            compare(whole, read_facts(name, damaged.encode()))


@pytest.mark.slow
@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize(
    "piece",
    [
        *("(", "f(", "((a),", '"a" ', "f'{", '"', '"""', "'", "/*", "<<~A\n", '"${', '$"{'),
        *('R"a(', "#", "#define /**/", "a <<b\n", "{a}>\n", "(x =>\n  a\n"),
    ],
)
def test_a_hostile_text_is_read_in_linear_time(name: str, piece: str) -> None:
    """Quadratic work on this many pieces would take minutes."""
    for text in (piece * MANY, "f(" * MANY + ")" * MANY):
        facts = read_facts(name, text.encode())
        assert facts is None or facts.tokens
