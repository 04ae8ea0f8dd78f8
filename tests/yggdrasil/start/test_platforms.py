"""Twelve platforms, one text of rules, and every byte of the user's kept."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yg.kernel.errors import YgError
from yg.yggdrasil.package.overview_block import AGENT_RULES
from yg.yggdrasil.start.platforms import BEGIN, END, PLATFORMS, rules_text

FILES = {
    "cursor": ".cursor/rules/yggdrasil.mdc",
    "claude-code": "CLAUDE.md",
    "copilot": ".github/copilot-instructions.md",
    "cline": ".clinerules/yggdrasil.md",
    "roocode": ".roo/rules/yggdrasil.md",
    "codex": "AGENTS.md",
    "windsurf": ".windsurf/rules/yggdrasil.md",
    "aider": ".aider.conf.yml",
    "gemini": "GEMINI.md",
    "amp": "AGENTS.md",
    "opencode": "AGENTS.md",
    "generic": ".yggdrasil/agent-rules.md",
}
WHOLE = ("cline", "roocode", "generic")
FRONTMATTER = {
    "cursor": (
        "---\ndescription: How to work with this repository's graph\nalwaysApply: true\n---\n\n"
    ),
    "windsurf": "---\ntrigger: always_on\n---\n\n",
}
BLOCKS = ("copilot", "codex", "opencode")
LINES = {
    "claude-code": "@.yggdrasil/agent-rules.md",
    "gemini": "@./.yggdrasil/agent-rules.md",
    "amp": "@.yggdrasil/agent-rules.md",
}
RULES = "# Rules\n\nOne.\n"
BLOCK = f"{BEGIN}\n{RULES}{END}\n"

# What a user may have written: its text, and what is between it and ours.
TEXTS = [
    ("", ""),
    ("Mine.\n", "\n"),
    ("Mine.", "\n\n"),
    ("Mine.\n\n\n", "\n"),
    ("\n", "\n"),
    ("Mine.\r\nToo.\r\n", "\r\n"),
    ("Mine.\r\nToo.", "\r\n\r\n"),
    ("\ufeffMine.\n", "\n"),
    ("# É 😀\ttrailing  \n", "\n"),
]


def placed(name: str, text: str, rules: str = RULES) -> str:
    return PLATFORMS[name].way.placed(text, rules)


def ended_like(text: str, ours: str) -> str:
    """Return our lines with the line breaks of a text, and without a last one if it has none."""
    ended = ours if not text or text.endswith("\n") else ours.removesuffix("\n")
    return ended.replace("\n", "\r\n") if "\r\n" in text else ended


def test_every_platform_of_the_specification_has_its_file() -> None:
    assert {name: platform.file for name, platform in PLATFORMS.items()} == FILES
    assert [platform.name for platform in PLATFORMS.values()] == list(PLATFORMS)


def test_platforms_that_only_point_at_the_rules_need_the_rules_as_a_file() -> None:
    pointing = {name for name, platform in PLATFORMS.items() if platform.needs_rules_file}
    assert pointing == {*LINES, "aider"}
    assert FILES["generic"] == AGENT_RULES


@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.parametrize("text", ["", "older rules\n"])
def test_a_file_of_ours_is_the_rules_and_nothing_else(name: str, text: str) -> None:
    assert placed(name, text) == RULES


@pytest.mark.parametrize("name", FRONTMATTER)
@pytest.mark.parametrize("text", ["", "older rules\n"])
def test_some_files_of_ours_begin_with_a_head_for_the_platform(name: str, text: str) -> None:
    assert placed(name, text) == FRONTMATTER[name] + RULES


@pytest.mark.parametrize("name", BLOCKS)
@pytest.mark.parametrize(("text", "gap"), TEXTS)
def test_a_block_follows_what_the_user_wrote(name: str, text: str, gap: str) -> None:
    assert placed(name, text) == text + gap + ended_like(text, BLOCK)


@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize(("text", "gap"), TEXTS)
def test_an_import_line_follows_what_the_user_wrote(name: str, text: str, gap: str) -> None:
    assert placed(name, text) == text + gap + ended_like(text, f"{LINES[name]}\n")


@pytest.mark.parametrize("name", [*BLOCKS, *LINES])
@pytest.mark.parametrize("text", [text for text, _ in TEXTS])
def test_a_removal_leaves_what_was_there_before(name: str, text: str) -> None:
    assert PLATFORMS[name].way.removed(placed(name, text)) == text
    assert PLATFORMS[name].way.removed(text) == text


@pytest.mark.parametrize("name", [*BLOCKS, *LINES])
@pytest.mark.parametrize("text", [text for text, _ in TEXTS])
def test_a_second_time_changes_nothing(name: str, text: str) -> None:
    once = placed(name, text)
    assert placed(name, once) == once


LINE = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n"), max_size=8)


@pytest.mark.parametrize("name", [*BLOCKS, "gemini"])
@given(lines=st.lists(LINE, max_size=5), line_break=st.sampled_from(["\n", "\r\n"]), is_ended=...)
def test_no_byte_of_a_users_text_is_ever_changed(
    name: str, lines: list[str], line_break: str, *, is_ended: bool
) -> None:
    text = line_break.join(["Mine.", *lines]) + (line_break if is_ended else "")
    once = placed(name, text)
    assert once.startswith(text)
    assert placed(name, once) == once
    assert PLATFORMS[name].way.removed(once) == text


@pytest.mark.parametrize("name", BLOCKS)
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", ""),
        ("Before.\n", "After.\n"),
        ("Before.\n\n", "\n\nAfter, without an end"),
        ("\ufeffBefore.\n", "After.\n"),
        ("Before, on the line: ", "After.\n"),
    ],
)
def test_newer_rules_take_the_place_of_older_ones(name: str, before: str, after: str) -> None:
    older = f"{before}{BEGIN}\nolder\nrules\n{END}\n{after}"
    assert placed(name, older) == before + BLOCK + after


@pytest.mark.parametrize("name", BLOCKS)
def test_newer_rules_keep_the_users_line_breaks(name: str) -> None:
    older = f"Before.\r\n{BEGIN}\r\nolder\r\n{END}\r\nAfter.\r\n"
    block = BLOCK.replace("\n", "\r\n")
    assert placed(name, older) == f"Before.\r\n{block}After.\r\n"


@pytest.mark.parametrize("name", BLOCKS)
def test_rules_that_got_shorter_leave_nothing_behind(name: str) -> None:
    longer = placed(name, "Mine.\n", RULES * 50)
    assert placed(name, longer) == placed(name, "Mine.\n")


@pytest.mark.parametrize("name", BLOCKS)
@pytest.mark.parametrize("marker", [BEGIN, END])
def test_one_marker_without_the_other_is_refused(name: str, marker: str) -> None:
    with pytest.raises(YgError) as caught:
        placed(name, f"Mine.\n{marker}\nWhose?\n")
    assert BEGIN in caught.value.hint
    assert END in caught.value.hint


@pytest.mark.parametrize("name", BLOCKS)
def test_markers_in_the_wrong_order_are_refused(name: str) -> None:
    with pytest.raises(YgError):
        placed(name, f"{END}\nMine.\n{BEGIN}\n")


@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize(
    "text",
    ["{}\n", "Mine.\n\n{}\n\nToo.\n", "  {}  \n", "Mine.\r\n{}\r\n", "Mine.\n{}"],
)
def test_an_import_that_is_there_is_not_repeated(name: str, text: str) -> None:
    already = text.format(LINES[name])
    assert placed(name, already) == already


@pytest.mark.parametrize("name", LINES)
def test_a_mention_of_the_rules_is_not_an_import(name: str) -> None:
    text = f"See {LINES[name]} for more.\n"
    assert placed(name, text) == f"{text}\n{LINES[name]}\n"


def test_two_platforms_that_share_a_file_leave_each_other_alone() -> None:
    both = placed("amp", placed("codex", "Mine.\n"))
    assert both == f"Mine.\n\n{BLOCK}\n{LINES['amp']}\n"
    assert placed("codex", both) == placed("amp", both) == both


# The rules themselves.


@pytest.mark.parametrize(
    "needed",
    [
        # When to call what.
        "Notes of `yg` may come by themselves",
        "yg brief FILE",
        "yg find",
        "yg show",
        "yg build-context",
        "--have",
        "yg owner",
        "yg impact",
        "yg review",
        "yg validate",
        "yg drift-sync --node",
        "--reason",
        "yg preflight",
        "yg explain code-first",
        # Without exception.
        "Never invent a reason",
        "Never resolve drift without asking",
        ".drift-state",
        "internals.md",
        "the rejected alternative",
        "aspect",
        "flow",
        "No node owns a file",
    ],
)
def test_the_rules_name_what_an_agent_has_to_know(needed: str) -> None:
    assert needed in rules_text()


def test_the_rules_can_stand_in_any_file() -> None:
    text = rules_text()
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert text.isascii()
    assert [part for part in ("\r", "\t", "<!--", "---\n") if part in text] == []
    assert max(len(line) for line in text.splitlines()) <= 100
