"""Facts and reviews in a baseline: always written the same way, read from whoever wrote them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from yg.code.change_class import ChangeClass
from yg.code.facts import ALGORITHM, FileFacts, ImportFact, Signature
from yg.code.parts import Part
from yg.yggdrasil.drift.baseline import Baseline, baseline_of
from yg.yggdrasil.drift.baseline_parts import (
    MOST_REVIEWS,
    Review,
    facts_data,
    recorded_facts,
    recorded_reviews,
    reviews_data,
    same_facts,
)
from yg.yggdrasil.drift.keys import CODE, REVIEWS
from yg.yggdrasil.drift.layout import baseline_text
from yg.yggdrasil.drift.parse import baseline_from

FACTS = FileFacts(
    tokens="111111",
    docs="222222",
    imports="333333",
    signatures={"C.f": Signature("444444", ""), "g": Signature("555555", "")},
    parts={"g": Part("444552")},
)
GIVEN = (Review("why", ChangeClass.BODY), Review("so", None, ("a", "b")))


def with_parts(**parts: bytes) -> Baseline:
    return Baseline("0", {}, parts)


def test_facts_are_lines_that_git_can_merge() -> None:
    baseline = Baseline("0", {"a.py": "9"}, {CODE: facts_data({"b.py": FACTS, "a.py": FACTS})})
    assert baseline_text(baseline) == (
        '{\n  "hash": "0",\n  "files": {\n    "a.py": "9"\n  }\n,\n\n'
        '  "code": {\n   "algo": "lex-2/lines",\n   "files": {\n'
        '"a.py": {"digests": "ERER IiIi MzMz", "parts": {\n'
        ' "C.f": ". RERE",\n'
        ' "g": "REVS VVVV"\n'
        "}}\n,\n\n"
        '"b.py": {"digests": "ERER IiIi MzMz", "parts": {\n'
        ' "C.f": ". RERE",\n'
        ' "g": "REVS VVVV"\n'
        "}}\n   }\n  }\n}\n"
    )


def test_facts_of_an_earlier_layout_are_read() -> None:
    old = (
        b'{"algo": "lex-2", "files": {"a.py": {"tokens": "111111", "docs": "222222", '
        b'"imports": "333333", "signatures": {"C.f": {"digest": "444444", "header": "x"}, '
        b'"g": {"digest": "555555", "header": "y"}}, "parts": {"g": "444552"}}}}'
    )
    facts, problem = recorded_facts(with_parts(code=old))
    assert (facts_data(facts), problem) == (facts_data({"a.py": FACTS}), "")


def test_what_was_written_is_read_again_and_written_the_same() -> None:
    parts = {CODE: facts_data({"a.py": FACTS}), REVIEWS: reviews_data(GIVEN), "x": b'{"y":[1.50]}'}
    text = baseline_text(baseline_of({"a.py": "9"}, parts))
    found = baseline_from(text)
    assert isinstance(found, Baseline)
    assert recorded_facts(found) == ({"a.py": FACTS}, "")
    assert recorded_reviews(found) == (GIVEN, "")
    assert (list(json.loads(text)), baseline_text(found)) == (
        ["hash", "files", "reviews", "x", "code"],
        text,
    )
    assert "1.50" in text  # a number of another tool stays as it was


def test_imports_are_not_recorded() -> None:
    more = replace(FACTS, imported=(ImportFact("os", 1),))
    assert facts_data({"a": more}) == facts_data({"a": FACTS})
    assert same_facts({"a": more}, {"a": FACTS})


@pytest.mark.parametrize(
    "other",
    [
        {},
        {"b": FACTS},
        {"a": FACTS, "b": FACTS},
        {"a": replace(FACTS, tokens="0")},
        {"a": replace(FACTS, docs="0")},
        {"a": replace(FACTS, imports="0")},
        {"a": replace(FACTS, parts={})},
        {"a": replace(FACTS, signatures={**FACTS.signatures, "g": Signature("00", "")})},
    ],
)
def test_facts_differ_by_any_part(other: dict[str, FileFacts]) -> None:
    assert not same_facts({"a": FACTS}, other)


def test_headers_are_not_recorded() -> None:
    other = {**FACTS.signatures, "g": Signature("555555", "def g()")}
    assert same_facts({"a": FACTS}, {"a": replace(FACTS, signatures=other)})


def test_facts_of_another_algorithm_count_as_missing() -> None:
    assert recorded_facts(with_parts(code=b'{"algo": "lex-99", "files": 7}')) == ({}, "")
    assert recorded_facts(with_parts()) == ({}, "")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ("1", "expected `object`, got `int`"),
        ("{}", "object missing required field `algo`"),
        (f'{{"algo": "{ALGORITHM}"}}', "object missing required field `files`"),
        (
            f'{{"algo": "{ALGORITHM}", "files": {{"a": {{"tokens": 1}}}}}}',
            "expected `str`, got `int` - at `$.files[...].tokens`",
        ),
        (
            f'{{"algo": "{ALGORITHM}", "files": {{"a": {{"tokens": "\\ud800"}}}}}}',
            "it cannot be decoded",
        ),
    ],
)
def test_facts_of_another_shape_are_told(data: str, reason: str) -> None:
    found, problem = recorded_facts(with_parts(code=data.encode()))
    assert (found, problem) == (
        {},
        f"its 'code' is not valid ({reason}), so changes are of unknown class",
    )


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["algo", "files", "tokens", "signatures", "reason", "class", "names"]),
            inner,
            max_size=4,
        )
    ),
)


@given(JSON)
def test_no_value_is_too_strange(value: object) -> None:
    text = json.dumps({"hash": "", "files": {}, "code": value, "review": value})
    found = baseline_from(text)
    assert isinstance(found, Baseline)
    assert isinstance(recorded_facts(found)[1], str)
    assert isinstance(recorded_reviews(found)[1], str)
    assert baseline_from(baseline_text(found)) is not None


def test_only_the_newest_reviews_are_kept() -> None:
    many = tuple(Review(str(number), ChangeClass.DOCS) for number in range(MOST_REVIEWS + 5))
    found, problem = recorded_reviews(with_parts(reviews=reviews_data(many)))
    assert (found, problem) == (many[5:], "")
