"""Selections of the parts of a package."""

from __future__ import annotations

import pytest

from yg.kernel.errors import NotFoundError, UsageError
from yg.kernel.selection import Selection, Selector, selection

KINDS = ("global", "flow", "aspect")
PARTS = (("global", ""), ("flow", "checkout"), ("flow", "refund"), ("aspect", "audit"))


def shown(only: list[str], without: list[str]) -> list[tuple[str, str]]:
    chosen = selection(only, without, KINDS)
    chosen.check(PARTS)
    return [part for part in PARTS if chosen.shows(part)]


@pytest.mark.parametrize(
    ("only", "without", "expected"),
    [
        ([], [], list(PARTS)),
        (["flow"], [], [("flow", "checkout"), ("flow", "refund")]),
        (["flow:refund/", "global"], [], [("global", ""), ("flow", "refund")]),
        ([], ["flow"], [("global", ""), ("aspect", "audit")]),
        ([], ["flow:refund", "aspect:audit"], [("global", ""), ("flow", "checkout")]),
    ],
)
def test_a_selection_shows_some_parts_or_leaves_some_out(
    only: list[str], without: list[str], expected: list[tuple[str, str]]
) -> None:
    assert shown(only, without) == expected


@pytest.mark.parametrize(
    ("only", "without", "message", "hint"),
    [
        (["flows"], [], "unknown kind 'flows'", "Use one of: global, flow, aspect."),
        ([], [":x"], "unknown kind ''", "Use one of: global, flow, aspect."),
        (["flow:"], [], "no subject in 'flow:'", "Write flow or flow:SUBJECT."),
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
        ("global:x", "the package has no global 'x'", "--why lists the blocks that it has."),
    ],
)
def test_a_subject_that_does_not_occur_is_an_error_with_those_that_do(
    selector: str, message: str, hint: str
) -> None:
    with pytest.raises(NotFoundError) as caught:
        shown([selector], [])
    assert (caught.value.message, caught.value.hint) == (message, hint)


def test_every_subject_that_occurs_is_named() -> None:
    parts = [("flow", f"f{number}") for number in range(30)]
    with pytest.raises(NotFoundError) as caught:
        selection(["flow:x"], [], KINDS).check(parts)
    assert caught.value.hint == f"It has: {', '.join(subject for _, subject in parts)}."


def test_a_selector_is_written_as_it_is_typed() -> None:
    typed = selection(["flow", "aspect:a:b"], [], KINDS)
    assert typed == Selection((Selector("flow"), Selector("aspect", "a:b")))
    assert [str(selector) for selector in typed.only] == ["flow", "aspect:a:b"]
