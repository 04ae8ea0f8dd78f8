"""Entries of ours in JSON files of others, and every byte of the others kept."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yg.yggdrasil.start.entries import Entry, ForeignFileError, with_entries, without_entries

START = Entry(("hooks", "Start"), {"hooks": [{"command": "yg hook x start"}]}, "yg hook x start")
STOP = Entry(("hooks", "Stop"), {"command": "yg hook x stop", "timeout": 1}, "yg hook x stop")
SERVER = Entry(("servers", "yg"), {"command": "yg", "args": ["mcp"]})
ENTRIES = (START, STOP, SERVER)
VERSION = {"version": 1}
OTHER = {"hooks": [{"command": "lint"}]}


def added(text: str | None, needed: dict[str, Any] | None = None) -> str:
    return with_entries(text, ENTRIES, needed or {})


def removed(text: str, needed: dict[str, Any] | None = None) -> str | None:
    return without_entries(text, ENTRIES, needed or {})


def test_a_new_file_has_our_entries_and_is_deleted_with_them() -> None:
    text = added(None, VERSION)
    assert json.loads(text) == {
        "hooks": {"Start": [START.value], "Stop": [STOP.value]},
        "servers": {"yg": SERVER.value},
        "version": 1,
    }
    assert text.endswith("}\n")
    assert removed(text, VERSION) is None
    assert removed(added(None)) is None


SHAPES = [
    "{}",
    "{ }\n",
    "{\n}\n",
    "{\r\n}\r\n",
    '\ufeff{\n  "a": 1\n}\n',
    '{"a":1}',
    '{ "a": 1 }\n',
    '{"hooks":{}}',
    '{"hooks": { }, "a": 1}',
    '{\n\t"hooks": {},\n\t"a": [1, 2]\n}',
    '{\n  "hooks": {\n  },\n  "servers": {}\n}\n',
    '{\n  "hooks": {\n    "Start": []\n  }\n}\n',
    '{\n  "hooks": {"Start": [ ], "Stop": []}\n}\n',
    '{\n  "hooks": {\n    "Start": [\n      {"hooks": [{"command": "lint"}]}\n    ]\n  }\n}\n',
    '{\r\n    "servers": {\r\n        "b": {"command": "b"}\r\n    }\r\n}\r\n',
    '{"hooks":{"Stop":[{"command":"lint"}]},"servers":{"b":{}}}',
]


@pytest.mark.parametrize("text", SHAPES)
def test_a_file_returns_to_its_former_bytes(text: str) -> None:
    once = added(text)
    before, after = (json.loads(found.removeprefix("\ufeff")) for found in (text, once))
    assert added(once) == once
    assert after["servers"]["yg"] == SERVER.value
    assert after["hooks"]["Stop"][-1] == STOP.value
    assert {key: after[key] for key in before if key not in {"hooks", "servers"}} == {
        key: before[key] for key in before if key not in {"hooks", "servers"}
    }
    assert removed(once) == text
    assert removed(text) == text


BLANK = st.sampled_from(["", " ", "\n", "\n  ", "\r\n\t"])
WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="[]{}"), max_size=5)
LEAVES: st.SearchStrategy[Any] = st.one_of(
    st.integers(), st.booleans(), WORDS, st.just([]), st.just({})
)
LISTS = st.lists(st.sampled_from([OTHER, {"command": "lint"}, {}]), max_size=3)
DOCUMENTS = st.fixed_dictionaries(
    {},
    optional={
        "a": LEAVES,
        "hooks": st.dictionaries(st.sampled_from(["Start", "Stop", "Other"]), LISTS),
        "servers": st.dictionaries(st.sampled_from(["b", "c"]), LEAVES),
        "z": st.dictionaries(WORDS, LEAVES, max_size=2),
    },
)


@given(
    DOCUMENTS,
    st.sampled_from([None, 0, 1, 2, 4, "\t"]),
    st.sampled_from([(",", ":"), (", ", ": ")]),
    BLANK,
    BLANK,
    st.randoms(use_true_random=False),
)
def test_any_layout_returns_to_its_former_bytes(  # noqa: PLR0913, PLR0917
    document: dict[str, Any],
    indent: int | str | None,
    separators: tuple[str, str],
    inside: str,
    end: str,
    random: Any,
) -> None:
    keys = list(document)
    random.shuffle(keys)
    shuffled = {key: document[key] for key in keys}
    written = json.dumps(shuffled, indent=indent, separators=separators)
    text = written.replace("{}", f"{{{inside}}}").replace("[]", f"[{inside}]") + end
    if "\r\n" in text:
        text = text.replace("\r\n", "\n").replace("\n", "\r\n")
    once = added(text)
    assert added(once) == once
    assert removed(once) == text


def test_entries_of_others_stay_when_ours_go() -> None:
    text = added('{\n  "hooks": {\n    "Stop": []\n  }\n}\n')
    mine = json.loads(text)
    mine["hooks"]["Stop"].insert(0, {"command": "after"})
    mine["hooks"]["Start"][0]["hooks"].append({"command": "mine"})
    rest = removed(json.dumps(mine, indent=2))
    assert rest is not None
    assert json.loads(rest) == {
        "hooks": {"Stop": [{"command": "after"}], "Start": [{"hooks": [{"command": "mine"}]}]}
    }


def test_an_entry_that_a_user_has_changed_is_not_added_again() -> None:
    text = json.dumps(
        {
            "hooks": {
                "Start": [{"hooks": [{"command": "cd x && yg hook x start"}]}],
                "Stop": [{"command": "yg hook x stop", "timeout": 60}],
            },
            "servers": {"yg": {"command": "/opt/yg"}},
        }
    )
    assert added(text) == text
    rest = removed(text)
    assert rest is not None
    assert json.loads(rest) == {
        "hooks": {"Start": [{"hooks": [{"command": "cd x && yg hook x start"}]}]},
        "servers": {"yg": {"command": "/opt/yg"}},
    }


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        '{"a": 1,}',
        '{\n  // mine\n  "a": 1\n}',
        '{"hooks": []}',
        '{"hooks": null}',
        '{"hooks": {"Start": {}}}',
        '{"hooks": {"Start": null}}',
        '{"hooks": {}, "hooks": {}}',
        '{"servers": 1}',
    ],
)
def test_a_file_of_another_form_is_left_alone(text: str) -> None:
    with pytest.raises(ForeignFileError):
        added(text)


def test_a_file_without_a_key_that_its_program_needs_is_left_alone() -> None:
    with pytest.raises(ForeignFileError, match="version"):
        added('{"hooks": {}}', VERSION)
    for text in ('{"version": 1}', '{\n  "version": 1,\n  "hooks": {}\n}\n'):
        assert removed(added(text, VERSION), VERSION) == text
