"""Starting a graph: what an empty one consists of, and what a platform's file comes to hold."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from support import NODE
from yg.kernel.edit import MakeDirectory, Write
from yg.kernel.errors import UnreadableError, YgError
from yg.kernel.snapshot import DictSnapshot, Kind
from yg.kernel.sources import SnapshotSources
from yg.yggdrasil.package.overview_block import AGENT_RULES
from yg.yggdrasil.read.v2 import read
from yg.yggdrasil.rules.check import issues_of
from yg.yggdrasil.start.init import new_graph, platform_files
from yg.yggdrasil.start.platforms import BEGIN, PLATFORMS, rules_text

SHARED = ("claude-code", "copilot", "codex", "aider", "gemini", "amp")


def written(name: str) -> dict[str, str]:
    return {
        edit.path.removeprefix(".yggdrasil/"): edit.content.decode()
        for edit in new_graph(name)
        if isinstance(edit, Write)
    }


def placed(files: dict[str, str | bytes], platform: str) -> dict[str, bytes]:
    edits = platform_files(DictSnapshot(files), PLATFORMS[platform])
    return {edit.path: edit.content for edit in edits if isinstance(edit, Write)}


def test_a_new_graph_has_every_part_that_the_specification_names() -> None:
    edits = [(type(edit), edit.path.removeprefix(".yggdrasil/")) for edit in new_graph("")]
    assert edits == [
        (Write, "yg-config.yaml"),
        (Write, ".gitignore"),
        (MakeDirectory, "model"),
        (MakeDirectory, "aspects"),
        (MakeDirectory, "flows"),
        (Write, "schemas/yg-node.yaml"),
        (Write, "schemas/yg-aspect.yaml"),
        (Write, "schemas/yg-flow.yaml"),
        (Write, "schemas/yg-config.schema.json"),
        (Write, "schemas/yg-node.schema.json"),
        (Write, "schemas/yg-aspect.schema.json"),
        (Write, "schemas/yg-flow.schema.json"),
    ]


def test_the_default_configuration_is_that_of_the_specification() -> None:
    assert yaml.safe_load(written("")["yg-config.yaml"]) == {
        "version": "2.2.0",
        "name": "",
        "node_types": {
            "module": {"description": "Business logic unit with clear domain responsibility"},
            "service": {"description": "Component providing functionality to other nodes"},
            "library": {"description": "Shared utility code with no domain knowledge"},
            "infrastructure": {
                "description": "Guards, middleware, interceptors — invisible in call graphs "
                "but affect blast radius"
            },
        },
        "artifacts": {
            "responsibility.md": {
                "required": "always",
                "description": "What this node is responsible for, and what it is not",
                "included_in_relations": True,
            },
            "interface.md": {
                "required": {"when": "has_incoming_relations"},
                "description": "Public API — methods, parameters, return types, contracts, "
                "failure modes, exposed data structures",
                "included_in_relations": True,
            },
            "internals.md": {
                "required": "never",
                "description": "How the node works and why — algorithms, business rules, state "
                "machines, design decisions with rejected alternatives",
            },
        },
        "quality": {
            "min_artifact_length": 50,
            "max_direct_relations": 10,
            "context_budget": {"warning": 10000, "error": 20000},
        },
        "drift": {
            "gate": "value",
            "hash": "derived",
        },  # this and the next are not of the specification
        "code": {"imports": "warning", "packages": "consumed"},
    }


def codes(files: dict[str, str]) -> list[str]:
    snapshot = DictSnapshot({f".yggdrasil/{path}": text for path, text in files.items()})
    return [issue.code for issue in issues_of(read(snapshot), SnapshotSources(snapshot))]


def test_a_new_graph_is_valid_once_it_has_a_name() -> None:
    assert codes(written("")) == ["E012"]
    assert codes(written("Shop")) == []
    named = written("")
    named["yg-config.yaml"] = named["yg-config.yaml"].replace('name: ""', "name: Shop")
    assert codes(named) == []


def test_a_new_graph_is_valid_with_a_first_node() -> None:
    node = {"model/a/yg-node.yaml": NODE, "model/a/responsibility.md": "What it does. " * 10}
    assert codes({**written("Shop"), **node}) == []


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1))
def test_a_name_is_read_back_as_it_was_given(name: str) -> None:
    assert yaml.safe_load(written(name)["yg-config.yaml"])["name"] == name


def test_only_the_name_differs_between_two_new_graphs() -> None:
    one, other = written("One"), written("Ö 😀")
    assert one.pop("yg-config.yaml").replace("One", "Ö 😀") == other.pop("yg-config.yaml")
    assert one == other


# Platforms.


@pytest.mark.parametrize("name", PLATFORMS)
def test_every_platform_gets_the_very_same_rules(name: str) -> None:
    platform = PLATFORMS[name]
    files = placed({}, name)
    assert set(files) == {platform.file} | ({AGENT_RULES} if platform.needs_rules_file else set())
    holder = AGENT_RULES if platform.needs_rules_file else platform.file
    assert rules_text().encode() in files[holder]
    if platform.needs_rules_file:
        assert b".yggdrasil/agent-rules.md" in files[platform.file]


@pytest.mark.parametrize("name", PLATFORMS)
def test_rules_that_are_in_place_are_not_written_again(name: str) -> None:
    files: dict[str, str | bytes] = {**placed({}, name)}
    assert placed(files, name) == {}


@pytest.mark.parametrize("name", SHARED)
@pytest.mark.parametrize(
    "mine",
    [b"", b"# mine\n", b"# mine", b"# mine\r\n", b"# m\r\nx: 1", "\ufeff# é\n".encode(), b"\n\n"],
)
def test_what_the_user_wrote_stays_byte_for_byte(name: str, mine: bytes) -> None:
    file = PLATFORMS[name].file
    once: dict[str, str | bytes] = {file: mine, **placed({file: mine}, name)}
    content = once[file]
    assert isinstance(content, bytes)
    assert content.startswith(mine)
    assert placed(once, name) == {}


@pytest.mark.parametrize("name", SHARED)
def test_older_rules_of_ours_are_replaced(name: str) -> None:
    file = PLATFORMS[name].file
    before: dict[str, str | bytes] = {**placed({}, name)}
    if PLATFORMS[name].needs_rules_file:
        before[AGENT_RULES] = "older rules\n"
        assert placed(before, name) == {AGENT_RULES: rules_text().encode()}
    else:
        current = before[file]
        assert isinstance(current, bytes)
        before[file] = current.replace(rules_text().encode(), b"older rules\n")
        assert placed(before, name) == {file: current}


@pytest.mark.parametrize("name", PLATFORMS)
@pytest.mark.parametrize("kind", [Kind.LINK, Kind.DIRECTORY, Kind.OTHER])
def test_what_is_not_a_file_is_refused(name: str, kind: Kind) -> None:
    file = PLATFORMS[name].file
    with pytest.raises(YgError) as caught:
        platform_files(DictSnapshot({file: kind}), PLATFORMS[name])
    assert caught.value.message.startswith(f"'{file}' is a")
    assert "nothing was written" in caught.value.hint


@pytest.mark.parametrize("name", SHARED)
def test_a_file_in_another_encoding_is_refused(name: str) -> None:
    file = PLATFORMS[name].file
    with pytest.raises(YgError) as caught:
        platform_files(DictSnapshot({file: b"caf\xe9\n"}), PLATFORMS[name])
    assert caught.value.message == f"'{file}' is not UTF-8"
    assert caught.value.hint == "Save it as UTF-8 first; nothing was written."


@pytest.mark.parametrize("name", SHARED)
def test_a_file_that_cannot_be_read_is_refused(name: str) -> None:
    file = PLATFORMS[name].file
    snapshot = DictSnapshot({file: UnreadableError(file, "permission denied")})
    with pytest.raises(YgError) as caught:
        platform_files(snapshot, PLATFORMS[name])
    assert caught.value.message == f"cannot read '{file}': permission denied"
    assert caught.value.hint == "Nothing was written."


@pytest.mark.parametrize("name", ["codex", "copilot"])
def test_a_lost_marker_is_refused_before_anything_is_written(name: str) -> None:
    with pytest.raises(YgError):
        platform_files(DictSnapshot({PLATFORMS[name].file: f"{BEGIN}\n"}), PLATFORMS[name])
