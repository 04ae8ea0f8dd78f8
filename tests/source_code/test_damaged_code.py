"""A text that is cut, mixed up or enormous is unknown or another text, never an exception."""

from __future__ import annotations

from random import Random

import pytest

from source_code.cases import EXAMPLES, example_text
from yg.code.change_class import compare
from yg.code.languages import language_of
from yg.code.read import read_facts
from yg.code.scan import ScanError, scan

pytestmark = pytest.mark.slow

LANGUAGES = ("a.ts", "a.tsx", "a.js", "a.go", "a.java", "a.rs")
MANY = 4_000
DEEP = (  # an opening, and what closes it
    ("(", ")"),
    ("{", "}"),
    ("/*", "*/"),
    ("`${", "}`"),
    ("a<", ">"),
    ("<a>", "</a>"),
    ("<a b={", "}/>"),
    ("x => ", "x"),
    ("export namespace a {", "}"),
    ("public class A {", "}"),
    ("pub mod a {", "}"),
    ("impl<T> A<", "> for B {}"),
    ("type A struct { B ", "}"),
    ("use a::{", "};"),
)
LONG = (
    *"( [ { < > / ' \" ` \\ ; , = . @ # ! \n * \0".split(" "),
    *('=/[ |}/[|a<b,|/** |///|r#" |r"|\'a|export {a};|export const a = b < c, d = e < f;').split(
        "|"
    ),
    *("a < b, c = |if (a) |else |import a from 'a';|#[a] |@a |${|`${|<a |</a>|=>|0x|1e").split("|"),
    *("export const {a:|func |type A |const (|import (|pub fn a|impl |struct A<|enum A {").split(
        "|"
    ),
)


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_text_that_is_cut_is_not_cosmetic(name: str) -> None:
    text = example_text(name)
    language, facts = language_of(name), read_facts(name, text.encode())
    assert language is not None
    tokens = [token for token in scan(text, language.lexicon) if token[1].strip(" \n\f\t;")]
    for kind, token, start in Random(4).sample(tokens, 60):
        if kind == "doc":
            continue
        cut = read_facts(name, text[:start].encode())
        assert compare(facts, cut).kind not in ("cosmetic", "docs"), token


@pytest.mark.parametrize("name", EXAMPLES)
def test_spliced_texts_end_as_facts_or_not(name: str) -> None:
    language, random = language_of(name), Random(5)
    assert language is not None
    texts = [example_text(other) for other in EXAMPLES]
    for _ in range(40):
        first, second = random.choice(texts), random.choice(texts)
        spliced = first[: random.randrange(len(first))] + second[random.randrange(len(second)) :]
        try:
            language.read(name, spliced)
        except ScanError:
            assert read_facts(name, spliced.encode()) is None


@pytest.mark.parametrize("path", LANGUAGES)
@pytest.mark.parametrize("part", LONG)
def test_a_long_run_of_anything_ends(path: str, part: str) -> None:
    language = language_of(path)
    assert language is not None
    try:
        language.read(path, part * MANY)
    except ScanError:
        assert read_facts(path, (part * MANY).encode()) is None


@pytest.mark.parametrize("path", LANGUAGES)
@pytest.mark.parametrize(("opening", "closing"), DEEP)
def test_deep_nesting_ends(path: str, opening: str, closing: str) -> None:
    language = language_of(path)
    assert language is not None
    for text in (opening * MANY, opening * MANY + closing * MANY):
        try:
            language.read(path, text)
        except ScanError:
            assert read_facts(path, text.encode()) is None


@pytest.mark.parametrize("path", LANGUAGES)
def test_bytes_that_are_not_text_have_no_facts(path: str) -> None:
    assert read_facts(path, bytes(range(256))) is None
    assert read_facts(path, b"a\0b") is None
    assert read_facts(path, b"\xff\xfea\0") is None
