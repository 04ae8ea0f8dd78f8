"""What is said at each event, and what is not."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hook.sessions import (
    ALL,
    PRICING,
    SERVICE,
    Copilot,
    Cursor,
    Harness,
    VsCode,
    cache_of,
    change,
    said,
    shop_at,
)
from support import write
from yg.surfaces.hook.event import Event
from yg.surfaces.hook.respond import respond

CONFIG = ".yggdrasil/yg-config.yaml"
CHANGE = ("SHIPPING_MINOR = 4_90", "SHIPPING_MINOR = 5_90")


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return shop_at(tmp_path / "shop")


def configured(root: Path, hooks: str) -> Harness:
    path = root / CONFIG
    path.write_text(path.read_text(encoding="utf-8") + f"\nhooks: {hooks}\n", encoding="utf-8")
    return Harness(root)


def many_nodes(root: Path, count: int, text: str = "Keeps accounts in order, one by one.") -> None:
    """Add nodes with a file each."""
    files = {}
    for at in range(count):
        node = f".yggdrasil/model/many/n{at:02}"
        files[f"{node}/yg-node.yaml"] = (
            f"name: N{at}\ntype: library\nmapping: {{paths: [many/f{at:02}.py]}}\n"
        )
        files[f"{node}/responsibility.md"] = text
        files[f"many/f{at:02}.py"] = "pass\n"
    write(root, files)


def test_a_session_gets_at_most_ten_briefs(shop: Path) -> None:
    many_nodes(shop, 12)
    harness = Harness(shop)
    outputs = [harness.send(*harness.read(f"many/f{at:02}.py")) for at in range(12)]
    assert [bool(output) for output in outputs] == [True] * 10 + [False] * 2


def test_the_number_of_briefs_can_be_configured_and_survives_a_compaction(shop: Path) -> None:
    many_nodes(shop, 3)
    harness = configured(shop, "{briefs: 2}")
    outputs = [harness.send(*harness.read(f"many/f{at:02}.py")) for at in range(2)]
    harness.send(*harness.start("compact"))
    outputs += [harness.send(*harness.read(f"many/f{at:02}.py")) for at in (0, 2)]
    assert [bool(output) for output in outputs] == [True, True, False, False]


def test_no_answer_has_more_than_8000_characters(shop: Path) -> None:
    many_nodes(shop, 20, "A sentence about accounts. " * 80)
    harness = Harness(shop)
    headers = "".join(f"*** Update File: many/f{at:02}.py\n@@\n" for at in range(20))
    tool = {"tool_name": "apply_patch", "tool_input": {"command": f"*** Begin Patch\n{headers}"}}
    first = said(harness.send("post-tool", harness.common("PostToolUse", **tool)))
    assert 4_000 < len(first) <= 8_000
    second = said(harness.send("post-tool", harness.common("PostToolUse", **tool)))
    assert 4_000 < len(second) <= 8_000
    assert first.split(" owns")[0] != second.split(" owns")[0]


def test_after_a_compaction_at_most_6000_characters_are_said(shop: Path) -> None:
    rules = {
        f".yggdrasil/aspects/a{at:02}/{name}": text
        for at in range(30)
        for name, text in (
            ("yg-aspect.yaml", f"name: A{at}\n"),
            ("content.md", "Be careful with accounts. " * 20),
        )
    }
    write(shop, rules)
    node = shop / ".yggdrasil/model/orders/pricing/yg-node.yaml"
    uses = "".join(f"  - aspect: a{at:02}\n" for at in range(30))
    node.write_text(node.read_text(encoding="utf-8") + f"aspects:\n{uses}", encoding="utf-8")
    harness = Harness(shop)
    harness.send(*harness.edit(PRICING, "a", "b"))
    text = said(harness.send(*harness.start("compact")))
    assert 4_000 < len(text) <= 6_000
    assert text.endswith("the task goes on.\n")


def test_the_overview_can_be_switched_off(shop: Path) -> None:
    harness = configured(shop, "{overview: off}")
    assert harness.send(*harness.start("startup")) == ""
    assert "# orders/pricing" in said(harness.send(*harness.read(PRICING)))


def edited(harness: Harness) -> str:
    """Change the price of shipping, and return what is said about it."""
    change(harness.root, PRICING, *CHANGE)
    return said(harness.send(*harness.edit(PRICING, *CHANGE)))


def test_the_question_at_the_end_can_be_switched_off(shop: Path) -> None:
    harness = configured(shop, "{stop: off}")
    harness.send(*harness.start("startup"))
    assert "interface.md:7" in edited(harness)
    assert harness.send(*harness.stop()) == ""


def test_the_end_is_silent_once_the_text_is_corrected(shop: Path) -> None:
    harness = Harness(shop)
    harness.send(*harness.start("startup"))
    edited(harness)
    change(shop, ".yggdrasil/model/orders/pricing/interface.md", "4.90", "5.90")
    assert harness.send(*harness.stop()) == ""


def test_the_end_is_silent_for_nodes_that_were_only_read(shop: Path) -> None:
    harness = Harness(shop)
    change(shop, PRICING, *CHANGE)
    harness.send(*harness.read(PRICING))
    assert harness.send(*harness.stop()) == ""


def test_the_end_names_nodes_that_a_gate_will_refuse(shop: Path) -> None:
    path = shop / CONFIG
    path.write_text(path.read_text(encoding="utf-8") + "\ndrift: {gate: body}\n", encoding="utf-8")
    change(shop, PRICING, "if line.quantity <", "if line.quantity  + 0 <")
    harness = Harness(shop)
    harness.send(*harness.edit(PRICING, "a", "b"))
    text = said(harness.send(*harness.stop()))
    assert "orders/pricing: no sentence is certainly untrue" in text
    assert "yg drift-sync orders/pricing --reason TEXT" in text


def test_the_end_leaves_the_agreement_to_whom_the_rules_name(shop: Path) -> None:
    harness = Harness(shop)
    harness.send(*harness.start("startup"))
    edited(harness)
    assert "The user agrees" in said(harness.send(*harness.stop()))
    path = shop / CONFIG
    path.write_text(
        path.read_text(encoding="utf-8") + "\ndrift: {agreement: agent}\n", encoding="utf-8"
    )
    other = Harness(shop)
    other.session = "another"
    other.send(*other.edit(PRICING, *CHANGE))
    assert "The user agrees" not in said(other.send(*other.stop()))


def test_the_end_of_a_session_counts_what_its_subagents_edited(shop: Path) -> None:
    harness = Harness(shop)
    harness.send(*harness.start("startup"))
    change(shop, PRICING, *CHANGE)
    event, payload = harness.edit(PRICING, *CHANGE)
    harness.send(event, {**payload, "agent_id": "a1"})
    stop, ending = harness.stop()
    assert harness.send(stop, {**ending, "agent_id": "a1"}) == ""
    assert "interface.md:7" in said(harness.send(stop, ending))


def test_without_baselines_the_end_compares_with_the_start_of_the_session(shop: Path) -> None:
    for file in (shop / ".yggdrasil/.drift-state").rglob("*.json"):
        file.unlink()
    harness = Harness(shop)
    harness.send(*harness.start("startup"))
    assert "4_90 is gone" in edited(harness)
    assert "4_90 is gone" in said(harness.send(*harness.stop()))


def test_a_file_that_is_edited_first_is_not_told_twice(shop: Path) -> None:
    harness = Harness(shop)
    harness.send(*harness.start("startup"))
    assert edited(harness).count("interface.md:7") == 1


def test_a_part_is_mentioned_once(shop: Path) -> None:
    harness = Harness(shop)
    harness.send(*harness.read(PRICING))
    assert "interface.md:7" in edited(harness)
    change(shop, PRICING, "SHIPPING_MINOR = 5_90", "SHIPPING_MINOR = 6_90")
    assert harness.send(*harness.edit(PRICING, "5_90", "6_90")) == ""


def test_a_long_change_of_a_brief_is_given_as_far_as_there_is_room(shop: Path) -> None:
    harness = Harness(shop)
    harness.send(*harness.read(PRICING))
    text = shop / ".yggdrasil/model/orders/pricing/responsibility.md"
    text.write_text("\n\n".join(f"Paragraph {at} is about prices." for at in range(500)))
    answer = said(harness.send(*harness.read(PRICING)))
    assert "Paragraph 0 " in answer
    assert 7_000 < len(answer) <= 8_000
    assert answer.endswith(
        "Left out: a part of the responsibility. `yg build-context "
        "orders/pricing` shows everything.\n"
    )
    assert harness.send(*harness.read(PRICING)) == ""


def test_doubtful_sentences_for_which_there_was_no_room_are_said_the_next_time(shop: Path) -> None:
    many_nodes(shop, 12)
    for at in range(12):
        text = "\n\n".join(
            f"Step {step} waits for `WAITING` seconds, or more." for step in range(12)
        )
        write(shop, {f".yggdrasil/model/many/n{at:02}/internals.md": text})
        write(shop, {f"many/f{at:02}.py": "WAITING = 4_90\n"})
    subprocess.run(["git", "add", "-A"], cwd=shop, check=True)
    subprocess.run(["git", "commit", "-qm", "Wait"], cwd=shop, check=True)
    harness = Harness(shop)
    for at in range(12):
        harness.send(*harness.read(f"many/f{at:02}.py"))
    for at in range(12):
        write(shop, {f"many/f{at:02}.py": "WAITING = 5_90\n"})
    headers = "\n".join(f"*** Update File: many/f{at:02}.py\n@@" for at in range(12))
    patch = {"command": f"*** Begin Patch\n{headers}\n*** End Patch"}
    tool = {"tool_name": "apply_patch", "tool_input": patch}
    first = said(harness.send("post-tool", harness.common("PostToolUse", **tool)))
    assert len(first) <= 8_000
    missing = [at for at in range(12) if f"texts of many/n{at:02} say" not in first]
    assert missing
    again = said(harness.send(*harness.edit(f"many/f{missing[0]:02}.py", "4", "5")))
    assert "internals.md:1 says" in again


def test_editing_a_text_of_the_graph_touches_no_node(shop: Path) -> None:
    harness = Harness(shop)
    text = ".yggdrasil/model/orders/pricing/interface.md"
    assert harness.send(*harness.edit(text, "a", "b")) == ""
    assert harness.send(*harness.stop()) == ""


def test_a_file_gets_its_brief_after_a_node_for_it_was_written(shop: Path) -> None:
    write(shop, {"many/f00.py": "pass\n"})
    harness = Harness(shop)
    assert harness.send(*harness.read("many/f00.py")) == ""
    many_nodes(shop, 1)
    harness.send(*harness.edit(".yggdrasil/model/many/n00/yg-node.yaml", "", "name: N0"))
    assert "many/n00" in said(harness.send(*harness.read("many/f00.py")))


@pytest.mark.parametrize(
    "tool",
    [
        {"tool_name": "Bash", "tool_input": {"command": f"cat {PRICING}"}},
        {"tool_name": "Grep", "tool_input": {"pattern": "x", "path": PRICING}},
        {"tool_name": "Glob", "tool_input": {"path": "src"}},
        {"tool_name": "Read", "tool_input": {"file_path": "src/shop"}},
        {"tool_name": "Read", "tool_input": {"file_path": "/etc/passwd"}},
        {"tool_name": "Read", "tool_input": {"file_path": "../elsewhere.py"}},
        {"tool_name": "Read", "tool_input": {"file_path": 3}},
        {"tool_name": "Read"},
    ],
)
def test_searching_listing_and_other_places_touch_nothing(tool: dict[str, Any], shop: Path) -> None:
    harness = Harness(shop)
    assert harness.send("post-tool", harness.common("PostToolUse", **tool)) == ""


def test_rules_are_given_once_even_if_several_nodes_have_them(shop: Path) -> None:
    harness = Harness(shop)
    first = said(harness.send(*harness.read(SERVICE)))
    second = said(harness.send(*harness.read("src/shop/payments/service.py")))
    assert first.count("**Audit trail**") == 1
    assert "**Audit trail**" not in second
    assert "Rules given before that apply here too: " in second
    assert "requires-audit" in second


def test_a_draft_says_nothing(shop: Path) -> None:
    many_nodes(shop, 1, "<!-- draft: replace this -->\n")
    assert Harness(shop).send(*Harness(shop).read("many/f00.py")) == ""


def test_an_event_is_answered_once_within_two_seconds(shop: Path) -> None:
    harness = Harness(shop)
    start = harness.start("startup")
    answers = [harness.send(*start, after=after) for after in (0, 1.9, 10)]
    assert [bool(answer) for answer in answers] == [True, False, True]


@pytest.mark.parametrize("kind", [Cursor, Copilot, VsCode])
def test_a_start_that_comes_also_by_the_files_of_claude_code_is_answered_once(
    kind: type[Harness], shop: Path
) -> None:
    harness = kind(shop)
    name, payload = harness.start("new")
    copied = {"hook_event_name": "SessionStart", "source": "startup", "timestamp": "2026-11-16"}
    known = {key: value for key, value in payload.items() if key not in ("sessionId", "source")}
    copy = {**known, **copied, "session_id": harness.session}
    assert harness.send(name, payload)
    assert respond(("claude", name), json.dumps(copy).encode(), harness.clock) == ""


def test_the_payload_decides_which_harness_it_is(shop: Path) -> None:
    """Cursor, Copilot and VS Code run the hooks of Claude Code besides their own."""
    for kind, key in ((Cursor, "additional_context"), (Copilot, "additionalContext")):
        harness = kind(shop)
        own = harness.send(*harness.read(PRICING))
        assert list(json.loads(own)) == [key]
        harness.name = "claude"
        assert harness.send(*harness.read(PRICING), after=1) == ""
        harness.session = "another"
        assert list(json.loads(harness.send(*harness.read(PRICING)))) == [key]
    editor = VsCode(shop)
    editor.name, editor.session = "claude", "a third"
    found = json.loads(editor.send(*editor.read(PRICING)))
    assert list(found) == ["additionalContext", "hookSpecificOutput"]


@pytest.mark.parametrize("kind", ALL)
def test_sessions_of_all_harnesses_are_kept_apart(kind: type[Harness], shop: Path) -> None:
    harness = kind(shop)
    assert harness.send(*harness.edit(PRICING, "a", "b"))
    harness.session = "another"
    assert harness.send(*harness.edit(PRICING, "a", "b"))
    assert len([*cache_of(shop).glob("hook-*.json")]) == 2


PATCH = "*** Begin Patch\n*** Add File: a.py\n*** Update File: b.py\n*** Move to: c.py\n*** Delete"
PATCH += " File: d.py\n*** End Patch"


@pytest.mark.parametrize(
    "given",
    [
        {"tool_name": "apply_patch", "tool_input": {"command": PATCH}},
        {"tool_name": "apply_patch", "tool_input": {"input": PATCH}},
        {"tool_name": "shell", "tool_input": {"command": ["apply_patch", PATCH]}},
        {"toolName": "apply_patch", "toolArgs": PATCH},
        {"toolName": "apply_patch", "toolArgs": json.dumps({"patch": PATCH})},
        {"tool_name": "ApplyPatch", "tool_input": PATCH},
        {"tool_name": "apply_patch", "tool_input": {"patchText": PATCH}},
    ],
)
def test_files_are_found_in_patches(given: dict[str, Any], tmp_path: Path) -> None:
    event = Event("claude", "post-tool", {"cwd": str(tmp_path), **given})
    assert [Path(file).name for file in event.files] == ["a.py", "b.py", "c.py", "d.py"]
    assert event.is_edit


@pytest.mark.parametrize(
    ("given", "is_edit"),
    [
        ({"tool_name": "NotebookEdit", "tool_input": {"notebook_path": "a.py"}}, True),
        ({"tool_name": "editFiles", "tool_input": {"files": ["a.py"]}}, True),
        ({"tool_name": "editFiles", "tool_input": {"files": [{"path": "a.py"}]}}, True),
        (
            {"tool_name": "str_replace_editor", "tool_input": {"command": "view", "path": "a.py"}},
            False,
        ),
        ({"tool_input": {"path": "a.py", "new_string": "x"}, "cursor_version": "3"}, True),
        ({"tool_input": {"path": "a.py"}, "cursor_version": "3"}, False),
        ({"hook_event_name": "afterFileEdit", "file_path": "a.py", "edits": []}, True),
        ({"tool_name": "Write", "tool_input": {"file_path": "a.py", "content": PATCH}}, True),
    ],
)
def test_files_are_found_in_the_arguments_of_tools(
    given: dict[str, Any],
    is_edit: bool,  # noqa: FBT001
    tmp_path: Path,
) -> None:
    event = Event("cursor", "post-tool", {"cwd": str(tmp_path), **given})
    assert [Path(file).name for file in event.files] == ["a.py"]
    assert event.is_edit is is_edit


QUICK = """\
import json, sys
from yg.surfaces.hook.respond import respond
data = sys.argv[1].encode()
respond(("claude", "post-tool"), data, float)
before = "msgspec" in sys.modules
for name in [name for name in sys.modules if name.startswith(("yg", "msgspec"))]:
    del sys.modules[name]
from yg.surfaces.hook.respond import respond
assert respond(("claude", "post-tool"), data.replace(b'"Read"', b'"View"'), lambda: 10.0) == ""
print(before, [name for name in sys.modules if name.startswith(("yg.", "msgspec"))])
"""


def test_a_file_that_is_read_again_needs_no_graph_and_no_library(shop: Path) -> None:
    harness = Harness(shop)
    _, payload = harness.read(PRICING)
    done = subprocess.run(
        [sys.executable, "-c", QUICK, json.dumps(payload)],
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    before, _, names = done.stdout.partition(" ")
    assert before == "True"
    assert set(ast.literal_eval(names)) <= {
        *("yg.disk", "yg.disk.files", "yg.disk.files.temporary", "yg.disk.index"),
        *("yg.disk.index.private", "yg.disk.upwards", "yg.surfaces", "yg.surfaces.hook"),
        *(f"yg.surfaces.hook.{name}" for name in ("envelope", "event", "log", "memory")),
        *("yg.surfaces.hook.respond", "yg.surfaces.hook.where", "yg.text", "yg.text.paths"),
        *("yg.yggdrasil", "yg.yggdrasil.places"),
    }


def test_a_graph_below_the_directory_of_the_session_is_found_by_its_files(shop: Path) -> None:
    harness = Harness(shop.parent)
    assert harness.send(*harness.start("startup")) == ""
    assert "# orders/pricing" in said(harness.send(*harness.read(f"shop/{PRICING}")))


def test_the_memory_of_a_long_session_stays_small(shop: Path) -> None:
    many_nodes(shop, 150)
    harness = Harness(shop)
    for at in range(150):
        harness.send(*harness.read(f"many/f{at:02}.py"))
    [memory] = cache_of(shop).glob("hook-*.json")
    assert len(json.loads(memory.read_text())["nodes"]) == 100
    assert memory.stat().st_size < 200_000


def test_an_agent_that_was_stopped_is_not_asked(shop: Path) -> None:
    harness = Cursor(shop)
    harness.send(*harness.start("startup"))
    edited(harness)
    event, payload = harness.stop()
    assert harness.send(event, {**payload, "status": "aborted"}) == ""
    assert "interface.md:7" in said(harness.send(event, payload))


def test_after_a_compaction_the_rules_of_several_nodes_come_once_and_first(shop: Path) -> None:
    harness = Harness(shop)
    harness.send(*harness.edit(SERVICE, "a", "b"))
    edited(harness)
    harness.send(*harness.edit("src/shop/payments/service.py", "a", "b"))
    text = said(harness.send(*harness.start("compact")))
    assert text.count("## Rules") == text.count("**Audit trail**") == text.count("## Stale") == 1
    assert text.index("## Rules") < text.index("# orders/pricing\n\n## Stale")
