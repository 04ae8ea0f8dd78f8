"""What each request of an editor answers, without a process."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from lsprotocol import types

from lsp_server.editor import MODEL, SHOP, TEXT, Editor
from support import NODE, run, write
from yg.kernel.errors import YgError
from yg.surfaces.lsp import completion, hover, lens, navigation
from yg.surfaces.lsp import edits as changes
from yg.surfaces.lsp.diagnostics import diagnostics_of
from yg.surfaces.lsp.settings import LensSetting
from yg.workspace.opened import OpenWorkspace
from yg.workspace.source_drift import changed_sources
from yg.yggdrasil.drift.states import NodeDrift
from yg.yggdrasil.model import Node

ORDERS = f"{MODEL}/orders/yg-node.yaml"
PAY = f"{MODEL}/pay/yg-node.yaml"
MAIL = f"{MODEL}/mail/yg-node.yaml"
GATEWAY = f"{MODEL}/pay/gateway/yg-node.yaml"
FLOW = ".yggdrasil/flows/buy/yg-flow.yaml"
CONFIG_FILE = ".yggdrasil/yg-config.yaml"
WHOLE = types.Range(types.Position(0, 0), types.Position(99, 0))


@pytest.fixture
def editor(tmp_path: Path) -> Editor:
    return Editor(tmp_path)


def test_the_repository_of_these_tests_is_sound(editor: Editor) -> None:
    assert editor.issues == ()


@pytest.mark.parametrize(
    ("path", "text", "labels"),
    [
        (ORDERS, "relations:\n  - target: |", ["mail", "pay", "pay/gateway"]),
        (ORDERS, "relations:\n  - target: p|ay\n    type: uses\n", ["mail", "pay", "pay/gateway"]),
        (ORDERS, "relations: [{target: |", ["mail", "pay", "pay/gateway"]),
        (ORDERS, "aspects:\n- aspect: a|u", ["audit", "log"]),
        (ORDERS, "type: |", ["module", "service"]),
        (ORDERS, "type:|", ["module", "service"]),
        (
            ORDERS,
            "relations:\n- target: pay\n  type: |",
            ["uses", "calls", "extends", "implements", "emits", "listens"],
        ),
        (ORDERS, "relations:\n- target: pay\n  event_name: |", ["Paid"]),
        (ORDERS, "relations:\n- consumes: [|]\n  target: pay/gateway\n", ["charge"]),
        (ORDERS, "mapping: {paths: [|", ["src", "src/orders.py", "src/pay.py"]),
        (FLOW, "nodes:\n- |", ["mail", "orders", "pay", "pay/gateway"]),
        (FLOW, "aspects: [|", ["audit", "log"]),
        (FLOW, "name: |", ["buy"]),
        (".yggdrasil/aspects/log/yg-aspect.yaml", "implies: [|]", ["audit"]),
        (CONFIG_FILE, "node_types: {a: {required_aspects: [|", ["audit", "log"]),
        (
            CONFIG_FILE,
            "code:\n  accepted:\n    - from: |",
            ["mail", "orders", "pay", "pay/gateway"],
        ),
        (ORDERS, "rela|", []),
        (ORDERS, "name: |", []),
        (ORDERS, "relations:\n  - ta|", []),
        ("src/orders.py", "target: |", []),
        (f"{MODEL}/orders/interface.md", "target: |", []),
    ],
)
def test_completion_offers_names_and_no_keys(
    editor: Editor, path: str, text: str, labels: list[str]
) -> None:
    editor.type(path, text.replace("|", ""))
    found = completion.completion(editor.view, path, text.index("|"))
    assert [item.label for item in found.items] == labels


def test_a_completion_replaces_the_whole_value(editor: Editor) -> None:
    text = "relations:\n  - target: 'p' # x\n    type: uses\n"
    editor.type(ORDERS, text)
    item = completion.completion(editor.view, ORDERS, text.index("p'"))
    edits = [found.text_edit for found in item.items]
    assert edits[0] == types.TextEdit(
        types.Range(types.Position(1, 12), types.Position(1, 15)), "'mail'"
    )


def test_a_name_that_needs_quotes_gets_them(tmp_path: Path) -> None:
    editor = Editor(tmp_path, {**SHOP, f"{MODEL}/a, b/yg-node.yaml": NODE})
    editor.type(FLOW, "nodes: []")
    items = completion.completion(editor.view, FLOW, 8).items
    assert isinstance(items[0].text_edit, types.TextEdit)
    assert items[0].text_edit.new_text == '"a, b"'


@pytest.mark.parametrize(
    ("path", "word", "after", "places"),
    [
        (ORDERS, "pay/gateway", "", ["model/pay/gateway/yg-node.yaml:0:6 N"]),
        (ORDERS, "audit", "", ["aspects/audit/yg-aspect.yaml:0:6 Audit"]),
        (ORDERS, "service", "", ["yg-config.yaml:4:2 service"]),
        (ORDERS, "src/orders.py", "", ["src/orders.py:0:0"]),
        (
            ORDERS,
            "charge",
            "",
            ["model/pay/gateway/interface.md:2:3 charge", "src/pay.py:0:4 charge"],
        ),
        (FLOW, "orders", "", ["model/orders/yg-node.yaml:0:6 Orders"]),
        ("src/pay.py", "def", "", ["model/pay/gateway/yg-node.yaml:0:6 N"]),
        ("src/pay.py", "order", "", []),
        (ORDERS, "uses", "", []),
    ],
)
def test_a_name_or_a_path_leads_to_its_declaration(
    editor: Editor, path: str, word: str, after: str, places: list[str]
) -> None:
    found = navigation.definition(*editor.at(path, word, after))
    assert [editor.place(location) for location in found] == places


@pytest.mark.parametrize(
    ("path", "word", "places"),
    [
        (MAIL, "N", ["model/orders/yg-node.yaml:8:12 mail"]),
        (GATEWAY, "N", ["model/orders/yg-node.yaml:5:12 pay/gateway"]),
        (
            ORDERS,
            "audit",
            ["model/orders/yg-node.yaml:3:12 audit", "aspects/log/yg-aspect.yaml:1:10 audit"],
        ),
        (FLOW, "log", ["flows/buy/yg-flow.yaml:2:10 log"]),
        (FLOW, "Buy", []),
        ("src/orders.py", "from", ["model/orders/yg-node.yaml:12:10 src/orders.py"]),
    ],
)
def test_references_are_all_places_that_name_something(
    editor: Editor, path: str, word: str, places: list[str]
) -> None:
    found = navigation.references(*editor.at(path, word), with_declaration=False)
    assert [editor.place(location) for location in found] == places


def test_links_lead_to_declarations_and_files(editor: Editor) -> None:
    found = navigation.links(editor.view, ORDERS)
    assert [link.tooltip for link in found] == [
        ".yggdrasil/aspects/audit/yg-aspect.yaml",
        GATEWAY,
        MAIL,
        "src/orders.py",
    ]


@pytest.mark.parametrize(
    ("path", "word", "text"),
    [
        (
            ORDERS,
            "pay/gateway",
            f"**pay/gateway** (service, no baseline)\n\nWhat pay/gateway does. {TEXT}",
        ),
        (ORDERS, "audit", "**audit** (aspect of 1 node)\n\nWrite it down."),
        (ORDERS, "service", "**service** (node type)\n\nA component"),
        (FLOW, "Buy", "**buy** (flow of 1 node)\n\n## Business context"),
    ],
)
def test_a_hover_says_what_a_name_stands_for(
    editor: Editor, path: str, word: str, text: str
) -> None:
    found = hover.hover(editor.session, (), *editor.at(path, word))
    assert found is not None
    assert isinstance(found.contents, types.MarkupContent)
    assert found.contents.value.startswith(text.rstrip())


def hovered(editor: Editor, path: str, word: str) -> str:
    found = hover.hover(editor.session, (), *editor.at(path, word))
    assert found is not None
    assert isinstance(found.contents, types.MarkupContent)
    return found.contents.value


def test_a_hover_shows_what_is_stale_before_the_text(editor: Editor) -> None:
    run("drift-sync", "-C", str(editor.root), "--all")
    confirmed = hovered(editor, ORDERS, "pay/gateway")
    assert confirmed == f"**pay/gateway** (service, ok)\n\nWhat pay/gateway does. {TEXT.rstrip()}"
    write(editor.root, {"src/pay.py": "def charge(order, when):\n    return order\n"})
    shown = hovered(editor, ORDERS, "pay/gateway")
    assert shown == (
        "**pay/gateway** (service, source-drift (signature))\n\n"
        "The code changed after these texts were confirmed. Where they differ, the code is right."
        '\n\n- interface.md:3 "`charge(order)` takes the money" (charge changed)\n\n'
        "### src/pay.py:1-2 charge (changed)\n\n"
        "```\ndef charge(order, when):\n    return order\n```\n\n---\n\n"
        f"What pay/gateway does. {TEXT.rstrip()}"
    )
    markdown = run("build-context", "pay/gateway", "--format", "markdown", "-C", str(editor.root))
    assert shown.split("\n\n", 1)[1].split("\n\n---")[0] in markdown.text


def test_a_hover_looks_only_at_the_drift_of_its_node(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("drift-sync", "-C", str(editor.root), "--all")
    files = {"src/pay.py": "def charge(): ...\n", "src/orders.py": "x = 1\n"}
    write(editor.root, files)
    looked: list[str] = []

    def counted(workspace: OpenWorkspace, nodes: Iterable[Node]) -> tuple[NodeDrift, ...]:
        looked_at = [*nodes]
        looked.extend(node.path for node in looked_at)
        return changed_sources(workspace, looked_at)

    monkeypatch.setattr("yg.commands.stale.changed_sources", counted)
    assert "### src/orders.py" in hovered(editor, FLOW, "orders")  # it uses pay/gateway
    assert looked == ["orders"]
    assert hovered(editor, FLOW, "log").startswith("**log**")
    assert looked == ["orders"]


def test_a_hover_explains_an_issue(editor: Editor) -> None:
    editor.type(ORDERS, SHOP[ORDERS].replace("type: service", "type: servce"))
    found = hover.hover(editor.session, editor.issues, *editor.at(ORDERS, "servce"))
    assert found is not None
    assert isinstance(found.contents, types.MarkupContent)
    assert "**E002 unknown-node-type**" in found.contents.value
    assert "Did you mean 'service'?" in found.contents.value
    assert "**Fix:** Use one of the types" in found.contents.value


def applied(editor: Editor, edit: types.WorkspaceEdit | None) -> None:
    """Carry out an edit on disk, as an editor does."""
    assert edit is not None
    for change in edit.document_changes or ():
        if isinstance(change, types.TextDocumentEdit):
            path = next(
                path for path in editor.root.rglob("*") if path.as_uri() == change.text_document.uri
            )
            text = path.read_text(encoding="utf-8")
            lines = editor.view.lines(path.relative_to(editor.root).as_posix())
            for found in change.edits:
                assert isinstance(found, types.TextEdit)
                places = (found.range.start, found.range.end)
                start, end = (
                    lines.offset_of(place.line, place.character, "utf-16") for place in places
                )
                text = text[:start] + found.new_text + text[end:]
            path.write_text(text, encoding="utf-8")
        elif isinstance(change, types.RenameFile):
            old, new = (
                Path(uri.removeprefix("file://")) for uri in (change.old_uri, change.new_uri)
            )
            new.parent.mkdir(parents=True, exist_ok=True)
            old.rename(new)
        elif isinstance(change, types.CreateFile):
            Path(change.uri.removeprefix("file://")).touch()


@pytest.mark.parametrize(
    ("path", "before", "after", "titles"),
    [
        (ORDERS, "type: service", "type: servce", ["Change to 'service'"]),
        (ORDERS, "pay/gateway # 😀", "pay/gatway # 😀", ["Change to 'pay/gateway'"]),
        (ORDERS, "aspect: audit", "aspect: audits", ["Change to 'audit'"]),
        (
            ORDERS,
            "[charge]",
            "[chrage]",
            [
                "Change 'chrage' to 'charge'",
                "Add 'chrage' to interface.md of 'pay/gateway'",
            ],
        ),
        (
            ORDERS,
            "  - target: pay/gateway # 😀 pay/gateway\n    type: uses\n    consumes: [charge]\n",
            "",
            ["Add a relation to 'pay/gateway'"],
        ),
    ],
)
def test_each_fix_is_an_action_that_removes_its_issue(
    tmp_path: Path, path: str, before: str, after: str, titles: list[str]
) -> None:
    for number in range(len(titles)):
        editor = Editor(tmp_path / str(number))
        editor.type(path, SHOP[path].replace(before, after))
        found = changes.actions(editor.view, path, WHOLE, editor.issues)
        # A misspelled target is also an import without a relation.
        assert [action.title for action in found][: len(titles)] == titles
        editor.save()
        applied(editor, found[number].edit)
        assert editor.issues == ()
        assert changes.actions(editor.view, path, WHOLE, editor.issues) == []


@pytest.mark.parametrize(
    ("path", "word", "new", "command"),
    [
        (PAY, "N", "billing", ("pay", "billing")),
        (ORDERS, "pay/gateway", "orders/gate", ("pay/gateway", "orders/gate")),
        (ORDERS, "audit", "trail/audit", ("--aspect", "audit", "trail/audit")),
        (FLOW, "Buy", "purchase", ("--flow", "buy", "purchase")),
    ],
)
def test_a_rename_is_what_mv_does(
    tmp_path: Path, path: str, word: str, new: str, command: tuple[str, ...]
) -> None:
    editor, other = Editor(tmp_path / "one"), write(tmp_path / "two", SHOP)
    for root in (editor.root, other):
        run("drift-sync", "-C", str(root), "--all")
    run("mv", "-C", str(other), *command)
    applied(editor, changes.renamed(*editor.at(path, word), new))
    roots = (editor.root, other)
    one, two = (
        {
            path.relative_to(root).as_posix(): path.read_bytes()
            for path in root.rglob("*")
            if path.is_file()
        }
        for root in roots
    )
    assert one == two


def test_what_can_be_renamed_shows_its_id(editor: Editor) -> None:
    found = changes.renamable(*editor.at(GATEWAY, "N"))
    assert found is not None
    assert found.placeholder == "pay/gateway"
    assert changes.renamable(*editor.at(ORDERS, "uses")) is None


def test_a_name_that_exists_is_refused(editor: Editor) -> None:
    with pytest.raises(YgError, match="exists"):
        changes.renamed(*editor.at(ORDERS, "pay/gateway"), "orders")


@pytest.mark.parametrize(
    ("setting", "titles"),
    [
        (LensSetting.PROBLEMS, [[], ["pay/gateway · source-drift (signature)"], []]),
        (
            LensSetting.ALWAYS,
            [["orders · ok"], ["pay/gateway · source-drift (signature)"], []],
        ),
        (LensSetting.OFF, [[], [], []]),
    ],
)
def test_a_lens_shows_the_owner_and_its_drift(
    editor: Editor, setting: LensSetting, titles: list[list[str]]
) -> None:
    run("drift-sync", "-C", str(editor.root), "--all")
    write(editor.root, {"src/pay.py": "def charge(order, when):\n    return order\n", "x.py": ""})
    found = [
        lens.lenses(editor.session, editor.view, file, setting)
        for file in ("src/orders.py", "src/pay.py", "x.py")
    ]
    shown = [[item.command.title for item in listed if item.command] for listed in found]
    assert shown == titles


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("", ["mail", "orders", "pay", "pay/gateway", "audit", "log", "buy"]),
        ("PG", ["pay/gateway"]),
    ],
)
def test_symbols_are_nodes_aspects_and_flows(editor: Editor, query: str, names: list[str]) -> None:
    assert [symbol.name for symbol in navigation.symbols(editor.view, query)] == names


def test_diagnostics_have_code_severity_position_and_page(editor: Editor) -> None:
    editor.type(ORDERS, SHOP[ORDERS].replace("    type: uses", "    😀: '😀'\n    typ: uses"))
    found = diagnostics_of(editor.view, editor.issues)
    first = found[ORDERS][0]
    assert first.range.start == types.Position(5, 4)
    assert (first.code, first.severity, first.source) == (
        "E001",
        types.DiagnosticSeverity.Error,
        "yg",
    )
    assert first.code_description is not None
    assert first.code_description.href.endswith("rules.md#e001-invalid-node-yaml")


def test_an_issue_about_a_directory_is_on_the_configuration(editor: Editor) -> None:
    write(editor.root, {f"{MODEL}/lost/responsibility.md": TEXT})
    found = diagnostics_of(editor.view, editor.issues)
    assert {file: [issue.code for issue in listed] for file, listed in found.items()} == {
        CONFIG_FILE: ["E015"]
    }
    assert found[CONFIG_FILE][0].range.start == types.Position(0, 0)


def test_completion_offers_the_headings_of_a_template(tmp_path: Path) -> None:
    config = SHOP[".yggdrasil/yg-config.yaml"].replace(
        "service: {", "service: {template: {responsibility.md: ['## Does', '## Does not']}, ", 1
    )
    editor = Editor(tmp_path, {**SHOP, ".yggdrasil/yg-config.yaml": config})
    file = f"{MODEL}/orders/responsibility.md"

    def offered(text: str) -> list[str]:
        editor.type(file, text.replace("|", ""))
        return [item.label for item in headings(text.index("|"))]

    def headings(offset: int) -> list[types.CompletionItem]:
        return list(completion.completion(editor.view, file, offset).items)

    assert offered("|") == ["## Does", "## Does not"]
    assert offered("## Does\n\nText.\n\n## D|") == ["## Does not"]
    assert offered("It do|es.\n") == []
    editor.type(file, "a\n## Do\n")
    place = types.Range(types.Position(1, 0), types.Position(1, 5))
    assert headings(7)[0].text_edit == types.TextEdit(place, "## Does")
