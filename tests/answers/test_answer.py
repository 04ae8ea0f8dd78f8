"""The command line prints exactly the text that the Answer renders."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from support import SHOP_ROOT, run_shop
from yg.answers.answer import Answer, warnings
from yg.answers.build_context import WHY, ContextRequest, Wanted, build_context, for_node
from yg.answers.catalog import aspects, flows
from yg.answers.changes import impact_of_aspect, impact_of_flow
from yg.answers.coverage import UNCOVERED, coverage
from yg.answers.deps import deps
from yg.answers.explain import explain
from yg.answers.impact import impact_of_node
from yg.answers.owner import owner
from yg.answers.plan import plan
from yg.answers.preflight import preflight
from yg.answers.tree import tree
from yg.answers.validate import validate
from yg.render.data import plain
from yg.render.plain import Palette
from yg.render.shapes.tree import TreeDocument
from yg.workspace import OpenWorkspace, open_workspace

ORDER = "orders/order-service"
EMPTY = TreeDocument(root=".", nodes=[], skipped=[])
FILE = "src/shop/orders/pricing.py"
QUESTIONS: dict[str, tuple[tuple[str, ...], Callable[[OpenWorkspace], Answer]]] = {
    "aspects": (("aspects",), aspects),
    "build-context": (("build-context", ORDER), lambda shop: build_context(shop, for_node(ORDER))),
    "build-context of a file": (
        ("build-context", "--file", str(SHOP_ROOT / FILE)),
        lambda shop: build_context(shop, ContextRequest(wanted=(Wanted(FILE, is_file=True),))),
    ),
    "coverage": (("coverage",), coverage),
    "deps": (
        ("deps", ORDER, "--depth", "2", "--type", "event"),
        lambda shop: deps(shop, ORDER, depth=2, only="event"),
    ),
    "explain": (("explain", "E004"), lambda shop: explain("E004", lambda: shop)),
    "flows": (("flows",), flows),
    "impact of a node": (("impact", ORDER), lambda shop: impact_of_node(shop, ORDER)),
    "impact of an aspect": (
        ("impact", "--aspect", "idempotency"),
        lambda shop: impact_of_aspect(shop, "idempotency"),
    ),
    "impact of a flow": (
        ("impact", "--flow", "checkout"),
        lambda shop: impact_of_flow(shop, "checkout"),
    ),
    "owner": (("owner", FILE), lambda shop: owner(shop, [FILE])),
    "plan": (("plan",), plan),
    "preflight": (("preflight", "--quick"), lambda shop: preflight(shop, quick=True)),
    "tree": (("tree", "payments"), lambda shop: tree(shop, root="payments")),
    "validate": (("validate",), validate),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_command_line_shows_what_the_answer_writes(name: str) -> None:
    argv, ask = QUESTIONS[name]
    answer = ask(open_workspace(str(SHOP_ROOT)))
    shown, data = run_shop(*argv), run_shop(*argv, "--json")
    assert (answer.text(), answer.code) == (shown.text, shown.code)
    assert answer.written("json") == data.text
    assert json.loads(data.text) == plain(answer.data())


@pytest.mark.parametrize(
    ("argv", "form", "ask"),
    [
        (("build-context", ORDER, "--why"), WHY, lambda shop: build_context(shop, for_node(ORDER))),
        (("coverage", "--uncovered"), UNCOVERED, coverage),
        (("validate", "--format", "sarif"), "sarif", validate),
        (("validate", "--format", "github"), "github", validate),
        (("validate", "--format", "junit"), "junit", validate),
        (("explain", "--format", "markdown"), "markdown", lambda shop: explain(None, lambda: shop)),
    ],
)
def test_further_forms_have_names(
    argv: tuple[str, ...], form: str, ask: Callable[[OpenWorkspace], Answer]
) -> None:
    answer = ask(open_workspace(str(SHOP_ROOT)))
    assert answer.written(form) == run_shop(*argv).text


def test_nothing_is_written_before_it_is_asked_for() -> None:
    answer = Answer(data=lambda: EMPTY, forms={})
    assert json.loads(answer.written("json"))["schema"] == "yg-tree/1"
    with pytest.raises(KeyError):
        answer.text()


def test_notes_stand_beside_text_and_remarks_beside_everything() -> None:
    answer = Answer(
        data=lambda: EMPTY,
        forms={"text": lambda _palette: ""},
        notes=warnings(["a note"]),
        remarks=warnings(["a remark"]),
    )
    assert answer.beside("text") == "warning: a note\nwarning: a remark\n"
    assert answer.beside("json") == "warning: a remark\n"
    assert "\x1b[33;1mwarning:" in answer.beside("json", Palette(is_on=True))
