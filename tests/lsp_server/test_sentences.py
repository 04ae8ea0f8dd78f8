"""Sentences that a change of the code may have made untrue, in an editor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from lsp_server.editor import MODEL, SHOP, Editor
from support import git, run
from yg.kernel.steps import finished
from yg.surfaces.lsp.checks import Checker

if TYPE_CHECKING:
    from pathlib import Path

PAY = f"{MODEL}/pay/gateway/interface.md"
FILES = {
    **SHOP,
    PAY: "The gateway waits for at most 300 seconds, which is enough.\n\n"
    "- `charge(order)` takes the money; `_wait` waits\n",
    "src/pay.py": "SECONDS = 300\n\n\ndef charge(order):\n    return order\n\n\ndef _wait(): ...\n",
}
CHANGED = FILES["src/pay.py"].replace("300", "600").replace("(order):", "(order, tax):")


def editor_of(root: Path) -> Editor:
    """Record baselines of committed code, then change the code."""
    editor = Editor(root, FILES)
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x")
    assert run("drift-sync", "-C", str(root), "--all").code == 0
    (root / "src/pay.py").write_text(CHANGED, encoding="utf-8")
    return editor


def reviews(editor: Editor, checker: Checker) -> list[types.Diagnostic]:
    """Return the diagnostics of sentences."""
    editor.session.forget()
    found = finished(checker.steps(editor.documents, "utf-16")).diagnostics
    listed = found.get(editor.uri(PAY), [])
    return [each for each in listed if str(each.code).startswith("review/")]


def test_sentences_are_shown_with_a_link_to_the_code(tmp_path: Path) -> None:
    editor = editor_of(tmp_path)
    value, signature = reviews(editor, Checker(editor.session))
    assert value.message == "Is this still true of pay/gateway? SECONDS changed; 300 is gone."
    assert (value.severity, value.code) == (types.DiagnosticSeverity.Warning, "review/value")
    assert value.range == types.Range(types.Position(0, 0), types.Position(0, 59))
    assert value.related_information is not None
    (place,) = value.related_information
    assert (place.location.uri, place.location.range.start.line) == (editor.uri("src/pay.py"), 0)
    assert signature.message == "Is this still true of pay/gateway? charge changed."
    assert signature.severity == types.DiagnosticSeverity.Information
    assert signature.range.start.line == 2


def test_a_sentence_that_is_corrected_is_shown_no_more_before_it_is_saved(tmp_path: Path) -> None:
    editor = editor_of(tmp_path)
    checker = Checker(editor.session)
    editor.type(PAY, FILES[PAY].replace("300", "600"))
    assert [each.code for each in reviews(editor, checker)] == ["review/signature"]
    editor.type(PAY, FILES[PAY])
    assert [each.code for each in reviews(editor, checker)] == ["review/value", "review/signature"]


def test_code_that_is_saved_again_is_compared_again(tmp_path: Path) -> None:
    editor = editor_of(tmp_path)
    checker = Checker(editor.session)
    assert len(reviews(editor, checker)) == 2
    (tmp_path / "src/pay.py").write_text(FILES["src/pay.py"], encoding="utf-8")
    assert reviews(editor, checker) == []


def test_a_changed_body_is_not_shown(tmp_path: Path) -> None:
    editor = editor_of(tmp_path)
    body = FILES["src/pay.py"].replace("return order", "return -order")
    (tmp_path / "src/pay.py").write_text(body, encoding="utf-8")
    assert reviews(editor, Checker(editor.session)) == []
