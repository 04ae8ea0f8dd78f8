"""Selections of the pieces of a package."""

from __future__ import annotations

import pytest

from yg.kernel.errors import NotFoundError, UsageError
from yg.kernel.package import Document
from yg.kernel.parts import Part
from yg.kernel.selection import Selection, Selector, selection
from yg.kernel.snapshot import given_text

KINDS = ("global", "flow", "aspect")
TEXT = """Intro.
# Rules
one
## Decisions
two
### Rejected
three
## Decisions of others
four
"""


def part(kind: str, subject: str = "", **documents: str) -> Part:
    return Part(
        kind=kind,
        subject=subject,
        documents=tuple(
            Document(f"{name}.md", given_text(f"{subject}/{name}.md", text))
            for name, text in documents.items()
        ),
    )


PARTS = (
    part("global"),
    part("flow", "checkout", description=TEXT, notes="x"),
    part("flow", "refund", description="y"),
    part("aspect", "audit", content="z"),
    part("aspect", "a:b", content="w"),
)


def shown(only: list[str], without: list[str]) -> dict[str, list[str]]:
    """Return the names of the documents that are shown, by the subject of their part."""
    parts, _ = selection(only, without, KINDS).apply(PARTS)
    return {part.subject: [document.name for document in part.documents] for part in parts}


def text(*only: str, without: str = "") -> list[str]:
    parts, _ = selection(only, [without] if without else [], KINDS).apply(PARTS)
    return [document.body for part in parts for document in part.documents]


BOTH = ["description.md", "notes.md"]


@pytest.mark.parametrize(
    ("only", "without", "expected"),
    [
        (
            [],
            ["aspect"],
            {"": [], "checkout": BOTH, "refund": ["description.md"]},
        ),
        (["flow"], [], {"checkout": BOTH, "refund": ["description.md"]}),
        (["flow:"], [], {"checkout": BOTH, "refund": ["description.md"]}),
        (["flow:refund/", "global"], [], {"": [], "refund": ["description.md"]}),
        (["aspect:a:b"], [], {"a:b": ["content.md"]}),
        (["aspect:a:b:content.md"], [], {"a:b": ["content.md"]}),
        (["flow::notes.md"], [], {"checkout": ["notes.md"]}),
        (["flow::checkout/notes.md"], [], {"checkout": ["notes.md"]}),
        (["flow::notes.md", "flow:refund"], [], {"checkout": ["notes.md"], "refund": BOTH[:1]}),
        (["flow::notes.md", "flow:checkout"], [], {"checkout": BOTH}),
        ([], ["flow::description.md", "aspect", "global"], {"checkout": BOTH[1:], "refund": []}),
    ],
)
def test_a_selection_shows_some_pieces_or_leaves_some_out(
    only: list[str], without: list[str], expected: dict[str, list[str]]
) -> None:
    assert shown(only, without) == expected


DECISIONS = "## Decisions\ntwo\n### Rejected\nthree"


@pytest.mark.parametrize(
    ("selectors", "expected"),
    [
        (["flow::description.md#decisions"], [DECISIONS]),
        (["flow:checkout:description.md#Decisions o"], ["## Decisions of others\nfour"]),
        (["flow::description.md#rej"], ["### Rejected\nthree"]),
        (["flow::description.md#rej", "flow::description.md#Decisions"], [DECISIONS]),
        (
            ["flow::description.md#Decisions of others", "flow::description.md#Rejected"],
            ["### Rejected\nthree\n## Decisions of others\nfour"],
        ),
        (["flow:checkout:description.md#"], [TEXT.rstrip("\n")]),
    ],
)
def test_a_heading_stands_for_its_section_with_those_inside_it(
    selectors: list[str], expected: list[str]
) -> None:
    assert text(*selectors) == expected


def test_a_section_can_be_left_out() -> None:
    first, *_ = text(without="flow::description.md#Decisions")
    assert first == "Intro.\n# Rules\none\n## Decisions of others\nfour"


@pytest.mark.parametrize(
    ("only", "without", "message", "hint"),
    [
        (["flows"], [], "unknown kind 'flows'", "Use one of: global, flow, aspect."),
        ([], [":x"], "unknown kind ''", "Use one of: global, flow, aspect."),
        (["flow"], ["flow"], "--only cannot be combined with --without", ""),
    ],
)
def test_a_wrong_selector_is_wrong_usage(
    only: list[str], without: list[str], message: str, hint: str
) -> None:
    with pytest.raises(UsageError) as caught:
        selection(only, without, KINDS)
    assert (caught.value.message, caught.value.hint) == (message, hint)


@pytest.mark.parametrize(
    ("selector", "message", "hint"),
    [
        ("flow:x", "the package has no flow 'x'", "It has: checkout, refund."),
        ("flow:x:y.md", "the package has no flow 'x:y.md'", "It has: checkout, refund."),
        ("global:x", "the package has no global 'x'", "--why lists the blocks that it has."),
        ("global::x", "'global::x': there is no document 'x'", "It has no documents."),
        (
            "flow::x.md#y",
            "'flow::x.md#y': there is no document 'x.md#y'",
            "It has: description.md, notes.md.",
        ),
        (
            "flow:checkout:description.md#Why",
            "'description.md' has no heading 'Why'",
            "It has: Rules, Decisions, Rejected, Decisions of others.",
        ),
        ("flow::notes.md#Why", "'notes.md' has no heading 'Why'", "It has no headings."),
    ],
)
def test_what_does_not_occur_is_an_error_with_what_does(
    selector: str, message: str, hint: str
) -> None:
    with pytest.raises(NotFoundError) as caught:
        shown([selector], [])
    assert (caught.value.message, caught.value.hint) == (message, hint)


def test_every_subject_that_occurs_is_named() -> None:
    parts = [part("flow", f"f{number}") for number in range(30)]
    with pytest.raises(NotFoundError) as caught:
        selection(["flow:x"], [], KINDS).apply(parts)
    assert caught.value.hint == f"It has: {', '.join(flow.subject for flow in parts)}."


def test_a_selector_is_written_as_it_is_typed() -> None:
    typed = selection(["flow", "aspect:a:b"], [], KINDS)
    assert typed == Selection((Selector("flow"), Selector("aspect", "a:b")))
    assert [str(selector) for selector in typed.only] == ["flow", "aspect:a:b"]
