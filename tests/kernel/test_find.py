"""Queries, the tokens of documents, and the line that a result shows."""

from __future__ import annotations

import pytest

from yg.kernel.errors import UsageError
from yg.kernel.find import (
    Columns,
    SearchedText,
    Vocabulary,
    columns_of,
    parse_query,
    searchable,
    unknown_words,
)
from yg.kernel.find_lines import excerpt, lines_with, marks, name_line


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("Refund", '(("refund" OR "refunds"))'),
        ("two two words", '(("two" OR "twos") AND ("words" OR "word"))'),
        ("Copies boxes", '(("copies" OR "copy" OR "copie") AND ("boxes" OR "boxe" OR "box"))'),
        ("bus", '(("bus" OR "buses"))'),
        ("pay*", '(("pay" *))'),
        ('"a phrase" x', '(("a phrase") AND ("x"))'),
        ('"words"', '(("words"))'),
        ('"a phr"*', '(("a phr" *))'),
        ('"a phr*"', '(("a phr" *))'),
        ('"not closed', '(("not closed"))'),
        (
            "orders/order-service",
            '(("orders order service" OR "orders order services"))',
        ),
        ("encode_request", '(("encode_request" OR "encode request" OR "encode requests"))'),
        ("encodeReq*", '(("encodereq" * OR "encode req" *))'),
        ("a -b", '(("a")) NOT (("b"))'),
        ('a -b -"c d" -e*', '(("a")) NOT (("b") OR ("c d") OR ("e" *))'),
        ("a - // -- b", '(("a") AND ("b"))'),
    ],
)
def test_a_query_is_words_phrases_beginnings_and_exclusions(text: str, match: str) -> None:
    assert parse_query(text).match == match


def test_a_query_has_expressions_for_whole_words_and_for_names() -> None:
    query = parse_query("encode_request pay* -x")
    assert query.whole == '({name path body} : "encode_request") AND ({name path body} : "pay" *)'
    assert query.named == (
        '{name path} : (("encode_request" OR "encode request" OR "encode requests") OR ("pay" *))'
    )


@pytest.mark.parametrize("text", ["", "//", "-not", '""', "*", "x " + "a_" * 64])
def test_a_query_without_words_or_with_too_many_is_wrong_usage(text: str) -> None:
    with pytest.raises(UsageError):
        parse_query(text)


def entry(file: str = "model/a/notes.md", name: str = "", path: str = "a") -> SearchedText:
    return SearchedText(kind="node", path=path, document="notes.md", file=file, name=name)


def test_a_document_has_its_words_and_the_parts_of_compound_ones() -> None:
    text = "Calls encode_request\nand sendAll(x)."
    assert columns_of(entry(), text) == Columns(
        name="",
        path="",
        body="calls encode_request and sendall x",
        parts="_ encode request _ send all",
    )


def test_a_declaration_has_its_name_and_path_with_their_parts() -> None:
    found = columns_of(entry(name="OrderService", path="orders/order_service"), "")
    assert found == Columns(
        name="orderservice _ order service",
        path="orders order_service _ order service",
        body="",
        parts="",
    )


def test_escapes_of_json_are_characters_and_lines_stay() -> None:
    text = '"caf\\u00e9\\nnext \\"x\\" \\ud83d\\ude00 a\\/b \\\\ c\\u000ad",\n"two"'
    assert searchable("a.json", text) == '"café next "x"    a/b \\ c d",\n"two"'
    assert searchable("a.md", text) == text


@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("order", 2),
        ("first", 1),
        ("request", 4),  # as a whole word, not in encode_request
        ("encode_request", 3),
        ("encode", 3),
        ("order first", 1),
        ("second request", 4),
        ('"line request"', 4),
        ('"request end"', 3),  # over two lines: the first that has one of them
    ],
)
def test_the_line_with_the_most_terms_is_the_best(query: str, line: int) -> None:
    text = "The first\norder and\nencode_request\nsecond line request\nend"
    lines = lines_with("a.md", text, parse_query(query))
    assert min(lines, key=lambda found: found.rank).number == line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("type: x\nname: A\n", 2),
        ('x:\n  name: inner\n"name": A\n', 3),
        ('{\n  "type": {"name": 1},\n  "name": "A"}', 3),
        ("{name: A}\n", 1),
        ("no such key\n", 1),
    ],
)
def test_the_line_of_the_name_is_the_outermost_one(text: str, line: int) -> None:
    assert name_line(text, "name") == line


def test_the_words_of_a_query_are_marked_in_a_line() -> None:
    line = "Encodes: encode_request, sendRequest, requests."
    found = [line[start:end] for start, end in marks(line, parse_query("request send*"))]
    assert found == ["encode_request", "sendRequest", "requests"]


LONG = " ".join(["before"] * 40) + " the order, " + " ".join(["after"] * 40)


@pytest.mark.parametrize("line", [LONG, LONG.replace(" ", "/"), "order" * 100, f"{LONG} order"])
def test_a_long_line_is_cut_around_the_words(line: str) -> None:
    shown = excerpt(line, parse_query("order"))
    assert "order" in shown
    inner = shown.removeprefix("...").removesuffix("...")
    assert len(inner) <= 160
    assert inner in line
    if " " in line:
        assert f" {inner} " in line


def test_a_line_that_fits_is_shown_as_it_is() -> None:
    assert excerpt("x" * 160, parse_query("order")) == "x" * 160
    assert excerpt(f"{'y ' * 90}", parse_query("order")) == f"{'y ' * 80}".strip() + "..."


def test_a_word_that_does_not_occur_is_reported_with_the_nearest_ones() -> None:
    vocabulary = Vocabulary(("order", "orders", "payment", "encode", "request"))
    query = parse_query('ordr payment encode_request pay* xyz* -nothing "order encod"')
    found = [(unknown.word, unknown.near) for unknown in unknown_words(query, vocabulary)]
    assert found == [("ordr", ("order", "orders")), ("xyz", ()), ("encod", ("encode",))]
