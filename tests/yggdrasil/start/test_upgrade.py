"""From 1.x to 2.x: everything arrives, what cannot is named, and stopping half-way does no harm."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from fnmatch import fnmatch
from pathlib import Path

import pytest

from support import CONFIG, NODE
from yg.disk.files.apply import Applier
from yg.disk.files.temporary import temporary_name
from yg.disk.reading.worktree import WorkTree
from yg.kernel.edit import Copy, Delete, Rename, Write
from yg.kernel.errors import AnotherModelError, YgError
from yg.kernel.snapshot import DictSnapshot, Kind
from yg.kernel.sources import SnapshotSources
from yg.yggdrasil.read.v2 import read
from yg.yggdrasil.rules.blocking import errors_of
from yg.yggdrasil.start.init import IGNORED, ignoring, schema_files
from yg.yggdrasil.start.upgrade import NewerGraphError, Upgrade, upgrade_of

FOLDER = ".yggdrasil"
Files = Mapping[str, str | bytes]

OLD_CONFIG = """\
# The shop.
name: Shop
stack:
  language: Python
  database: PostgreSQL  # since 2019
standards: |
  # Formatted by ruff.
  No framework below the api package.
tags: [audit, fast]
knowledge_categories: [decisions]
node_types:
  - module
  - {name: service, required_aspects: [audit]}
  - {name: gateway, required_tags: [audit]}
artifacts:
  responsibility.md:
    required: always
    structural_context: true  # seen by dependents
  glossary.md: {required: never, description: "Our words"}
quality:
  min_artifact_length: 20
  max_knowledge_age: 3
colour: green  # nobody knows this key
"""
FULL: dict[str, str | bytes] = {
    "config.yaml": OLD_CONFIG,
    "model/orders/node.yaml": "name: Orders\ntype: module\n",
    "model/orders/responsibility.md": "Everything between a cart and a paid order.\n",
    "model/orders/api/node.yaml": """\
name: Api  # the front door
type: service
aspects: [audit]
aspect_exceptions:
  audit: ["The import writes one entry for all."]
anchors:
  audit: [record_audit]
tags: [fast, loud]
knowledge: [decisions/why]
mapping:  # one file
  type: file
  path: src/api.py
relations:
  - {target: payments, type: calls, consumes: [charge]}
owner: team-a
""",
    "model/payments/node.yaml": """\
name: Payments
type: gateway
aspects: [audit]
mapping: {type: files, paths: [src/pay.py, "src/b c.py"]}
""",
    "aspects/audit-logging/aspect.yaml": "name: Audit\ntag: audit\nanchors: [record]\n",
    "aspects/audit-logging/content.md": "Every change of state leaves a trace.\n",
    "aspects/fast/aspect.yaml": "name: Fast  # enough\ntag: fast\n",
    "flows/checkout/flow.yaml": "name: Checkout\nnodes: [orders/api]\naspects: [fast]\n",
    "flows/checkout/description.md": "A cart becomes an order.\n",
    "schemas/node.yaml": "old\n",
    "schemas/aspect.yaml": "old\n",
    "schemas/flow.yaml": "old\n",
    "knowledge/decisions/why.md": "Because.\n",
    ".drift-state": '{"orders/api": {"hash": "abc"}}\n',
}
NEW_CONFIG = """\
# The shop.
version: "2.2.0"
name: Shop
# since 2019
node_types:
  module:
    description: Business logic unit with clear domain responsibility
  service:
    description: Component providing functionality to other nodes
    required_aspects: [audit]
  gateway:
    description: "TODO: describe"
    required_aspects: [audit]
artifacts:
  internals.md:
    required: never
    description: "How the node works and why"
  responsibility.md:
    required: always
    included_in_relations: true  # seen by dependents
  glossary.md: {required: never, description: "Our words"}
quality:
  min_artifact_length: 20
  max_knowledge_age: 3
colour: green  # nobody knows this key
"""
NEW_API = """\
name: Api  # the front door
type: service
aspects:
  - aspect: audit
    exceptions:
      - The import writes one entry for all.
    anchors:
      - record_audit
  - aspect: fast
# one file
mapping:
  paths:
    - src/api.py
relations:
  - {target: payments, type: calls, consumes: [charge]}
owner: team-a
"""
SOURCES = {"src/api.py": "record_audit()\n", "src/pay.py": "", "src/b c.py": ""}


def snapshot(files: Files) -> DictSnapshot:
    return DictSnapshot({f"{FOLDER}/{path}": text for path, text in files.items()})


def applied(files: Files, upgrade: Upgrade) -> dict[str, str | bytes]:
    """Carry out edits on a dict."""
    result = {f"{FOLDER}/{path}": text for path, text in files.items()}
    for edit in upgrade.edits:
        match edit:
            case Write(path, content):
                result[path] = content
            case Delete(path):
                del result[path]
            case Rename(path, to):
                moved = [each for each in result if each == path or each.startswith(f"{path}/")]
                for each in moved:
                    result[to + each.removeprefix(path)] = result.pop(each)
            case Copy(path, to):
                assert to not in result
                result[to] = result[path]
            case _:
                raise AssertionError(edit)
    return {
        path.removeprefix(f"{FOLDER}/"): text.encode() if isinstance(text, str) else text
        for path, text in sorted(result.items())
    }


def upgraded(files: Files) -> dict[str, str]:
    result = applied(files, upgrade_of(snapshot(files)))
    return {
        path: bytes(text).decode("utf-8", "surrogateescape")
        for path, text in result.items()
        if isinstance(text, bytes)
    }


def errors(files: Mapping[str, str | bytes], sources: Mapping[str, str] = SOURCES) -> list[str]:
    state = DictSnapshot({**{f"{FOLDER}/{path}": text for path, text in files.items()}, **sources})
    return [str(issue) for issue in errors_of(read(state), SnapshotSources(state))]


def fixed_files() -> dict[str, str]:
    """Return the files that every graph of this format has with the same content."""
    edits = (*schema_files(), *ignoring(DictSnapshot({})))
    return {edit.path.removeprefix(f"{FOLDER}/"): edit.content.decode() for edit in edits}


# The whole of it.


def test_a_graph_of_1x_becomes_a_graph_of_2x() -> None:
    files = upgraded(FULL)
    report = files.pop(".upgrade-1x.txt")
    assert "model/orders/api/yg-node.yaml: tag 'loud' was dropped" in report
    assert files == {
        "yg-config.yaml": NEW_CONFIG,
        "model/yg-node.yaml": "name: Shop\ntype: module\n",
        "model/internals.md": (
            "## Technology Stack\n\n- **language:** Python\n- **database:** PostgreSQL\n\n"
            "## Standards\n\n# Formatted by ruff.\nNo framework below the api package.\n"
        ),
        "model/orders/yg-node.yaml": "name: Orders\ntype: module\n",
        "model/orders/responsibility.md": "Everything between a cart and a paid order.\n",
        "model/orders/api/yg-node.yaml": NEW_API,
        "model/payments/yg-node.yaml": (
            "name: Payments\ntype: gateway\naspects:\n  - aspect: audit\n"
            "mapping:\n  paths:\n    - src/pay.py\n    - src/b c.py\n"
        ),
        "aspects/audit/yg-aspect.yaml": "name: Audit\n",
        "aspects/audit/content.md": "Every change of state leaves a trace.\n",
        "aspects/fast/yg-aspect.yaml": "name: Fast  # enough\n",
        "flows/checkout/yg-flow.yaml": "name: Checkout\nnodes: [orders/api]\naspects: [fast]\n",
        "flows/checkout/description.md": "A cart becomes an order.\n",
        **fixed_files(),
        **{f"schemas/{kind}.yaml.before-upgrade": "old\n" for kind in ("node", "aspect", "flow")},
        "knowledge/decisions/why.md": "Because.\n",
        ".drift-state.1x": '{"orders/api": {"hash": "abc"}}\n',
    }


def test_an_upgraded_graph_has_no_errors() -> None:
    assert errors(upgraded(FULL)) == []


def test_a_second_upgrade_changes_nothing() -> None:
    once = applied(FULL, upgrade_of(snapshot(FULL)))
    assert upgrade_of(snapshot(once)).edits == []


def test_everything_that_is_dropped_is_named() -> None:
    warnings = "\n".join(upgrade_of(snapshot(FULL)).warnings)
    for dropped in (
        "yg-config.yaml: 'tags' has no counterpart and was dropped",
        "yg-config.yaml: 'knowledge_categories' has no counterpart and was dropped",
        "yg-config.yaml: 'quality.max_knowledge_age' is not known",
        "yg-config.yaml: node type 'gateway' has no description: 'TODO: describe' was written",
        "model/orders/api/yg-node.yaml: tag 'loud' was dropped",
        "'knowledge' has no counterpart and was dropped: decisions/why",
        "aspects/audit/yg-aspect.yaml: 'anchors' belong to nodes and were dropped: record",
        "knowledge/ has no counterpart; it stays where it is",
        "after a look at the code, run 'yg drift-sync --all'",
    ):
        assert dropped in warnings


def test_everything_that_is_done_is_told_in_order() -> None:
    assert upgrade_of(snapshot(FULL)).done == [
        "aspects/audit-logging is now aspects/audit, after its tag",
        "aspects/audit/aspect.yaml is now yg-aspect.yaml",
        "aspects/fast/aspect.yaml is now yg-aspect.yaml",
        "model/orders/node.yaml is now yg-node.yaml",
        "model/orders/api/node.yaml is now yg-node.yaml",
        "model/payments/node.yaml is now yg-node.yaml",
        "flows/checkout/flow.yaml is now yg-flow.yaml",
        "model/yg-node.yaml: a root node for what the configuration said",
        "model/internals.md: technology stack and standards",
        "schemas/ replaced by those of the present format",
        ".drift-state is set aside as .drift-state.1x",
        "config.yaml is now yg-config.yaml, version 2.2.0",
    ]


def test_the_version_is_written_last() -> None:
    edits = upgrade_of(snapshot(FULL)).edits
    versioned = [
        at
        for at, edit in enumerate(edits)
        if isinstance(edit, Write) and edit.path == f"{FOLDER}/yg-config.yaml"
    ]
    assert versioned == [len(edits) - 2]
    assert edits[-1] == Delete(f"{FOLDER}/config.yaml")


# Stopping anywhere.


def write(root: Path, files: Files) -> None:
    for path, text in files.items():
        file = root / FOLDER / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())


def tree_of(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def upgrade_disk(root: Path, stop_after: int | None = None) -> int:
    """Carry out the first edits of an upgrade one by one; return how many there were."""
    edits = upgrade_of(WorkTree(str(root), FOLDER)).edits
    for edit in edits[:stop_after]:
        Applier(str(root)).apply([edit])
    return len(edits)


ROOTED: dict[str, str | bytes] = {
    "config.yaml": "name: P\r\nstack: {a: b}\r\nnode_types: [module]\r\n",
    "model/node.yaml": "name: Top\r\ntype: module\r\ntags:\r\n  - x # why\r\n",
    "model/internals.md": "Known already.",
    "aspects/x/aspect.yaml": "name: X\r\n",
    ".drift-state/a.json": "{}",
}


@pytest.mark.slow
@pytest.mark.parametrize("files", [FULL, ROOTED], ids=["full", "with a root node"])
def test_an_upgrade_that_stopped_anywhere_is_simply_run_again(tmp_path: Path, files: Files) -> None:
    whole = tmp_path / "whole"
    write(whole, files)
    count = upgrade_disk(whole)
    expected = tree_of(whole)
    assert upgrade_of(WorkTree(str(whole), FOLDER)).edits == []
    for stop in range(count):
        root = tmp_path / str(stop)
        write(root, files)
        upgrade_disk(root, stop)
        upgrade_disk(root)
        assert (stop, tree_of(root)) == (stop, expected)
        shutil.rmtree(root)


def test_an_upgrade_that_stops_again_and_again_gets_there_too(tmp_path: Path) -> None:
    whole, limping = tmp_path / "whole", tmp_path / "limping"
    for root in (whole, limping):
        write(root, FULL)
    for edits in range(upgrade_disk(whole)):
        upgrade_disk(limping, edits)
    upgrade_disk(limping)
    assert tree_of(limping) == tree_of(whole)


def test_an_old_file_beside_a_new_one_that_says_otherwise_stays() -> None:
    files: dict[str, str | bytes] = {
        "config.yaml": "name: P\nnode_types: [module]\n",
        "model/a/node.yaml": "name: A\ntype: module\n",
        "model/a/yg-node.yaml": "name: Edited since\ntype: module\n",
    }
    upgrade = upgrade_of(snapshot(files))
    after = upgraded(files)
    assert after["model/a/node.yaml"] == files["model/a/node.yaml"]
    assert after["model/a/yg-node.yaml"] == files["model/a/yg-node.yaml"]
    assert "model/a/node.yaml stays: yg-node.yaml is there already and says otherwise" in (
        upgrade.warnings
    )


def test_an_old_configuration_beside_a_new_one_that_says_otherwise_stays() -> None:
    files = {"config.yaml": "name: P\nnode_types: [module]\n", "yg-config.yaml": CONFIG}
    after = upgraded(files)
    assert (after["config.yaml"], after["yg-config.yaml"]) == tuple(files.values())
    assert "config.yaml stays: yg-config.yaml is there already and says otherwise" in (
        upgrade_of(snapshot(files)).warnings
    )


# What was set aside, renamed, moved.


@pytest.mark.parametrize(
    "state",
    [
        {".drift-state": "orders: abc\n"},
        {".drift-state": '{"orders": {"hash": "abc", "files": {}}}'},
        {".drift-state/orders.json": "{}", ".drift-state/.root.json": "{}"},
    ],
    ids=["bare hashes", "json", "directory"],
)
def test_old_baselines_are_set_aside_as_they_are(state: dict[str, str]) -> None:
    after = upgraded({"config.yaml": "name: P\nnode_types: [module]\n", **state})
    aside = {path.replace(".drift-state", ".drift-state.1x"): text for path, text in state.items()}
    assert {path: after[path] for path in after if path.startswith(".drift")} == aside


def test_baselines_that_were_set_aside_before_are_not_overwritten() -> None:
    files = {"config.yaml": "name: P\n", ".drift-state": "new", ".drift-state.1x": "old"}
    after = upgraded(files)
    assert (after[".drift-state"], after[".drift-state.1x"]) == ("new", "old")
    assert ".drift-state stays: .drift-state.1x is there already" in (
        upgrade_of(snapshot(files)).warnings
    )


def test_what_the_root_node_says_already_is_kept_and_not_repeated() -> None:
    after = upgraded(ROOTED)
    assert after["model/internals.md"] == "Known already.\n\n## Technology Stack\n\n- **a:** b\n"
    assert after["model/yg-node.yaml"] == (
        "name: Top\r\ntype: module\r\n# why\r\naspects:\r\n  - aspect: x\r\n"
    )


def test_without_stack_and_standards_there_is_no_root_node() -> None:
    after = upgraded({"config.yaml": "name: P\nnode_types: [module]\nartifacts: {a.md: {}}\n"})
    assert [path for path in after if path.startswith("model/")] == []


@pytest.mark.parametrize("tag", ["../out", "/abs", "a//b", ".hidden", "a/.b", "."])
def test_a_tag_that_no_directory_can_be_called_by_changes_no_name(tag: str) -> None:
    files = {"config.yaml": "name: P\n", "aspects/a/aspect.yaml": f"name: A\ntag: '{tag}'\n"}
    assert upgraded(files)["aspects/a/yg-aspect.yaml"] == "name: A\n"
    assert f"aspects/a keeps its name: its tag '{tag}' cannot be used" in (
        upgrade_of(snapshot(files)).warnings
    )


def test_an_aspect_with_aspects_below_it_keeps_its_name() -> None:
    files = {
        "config.yaml": "name: P\n",
        "aspects/a/aspect.yaml": "name: A\ntag: b\n",
        "aspects/a/c/aspect.yaml": "name: C\n",
    }
    after = upgraded(files)
    assert [path for path in after if path.startswith("aspects/")] == [
        "aspects/a/c/yg-aspect.yaml",
        "aspects/a/yg-aspect.yaml",
    ]


def test_a_tag_that_another_aspect_is_called_by_changes_no_name() -> None:
    files = {
        "config.yaml": "name: P\n",
        "aspects/a/aspect.yaml": "name: A\ntag: b\n",
        "aspects/b/aspect.yaml": "name: B\n",
    }
    assert upgraded(files)["aspects/b/yg-aspect.yaml"] == "name: B\n"
    assert "aspects/a keeps its name: its tag 'b' cannot be used" in (
        upgrade_of(snapshot(files)).warnings
    )


def test_files_that_are_not_of_the_graph_format_stay_as_they_are() -> None:
    extra = {"model/a/notes.txt": "mine", "aspects/x/.hidden": "", "agent-rules.md": "old rules"}
    files: Files = {"config.yaml": "name: P\n", "aspects/x/aspect.yaml": "name: X\n", **extra}
    assert {path: upgraded(files)[path] for path in extra} == extra


# Versions.


@pytest.mark.parametrize("version", ["3.0.1", "3.10.0"])
@pytest.mark.parametrize("has_old_files", [False, True])
def test_a_newer_graph_is_refused(version: str, *, has_old_files: bool) -> None:
    files = {"yg-config.yaml": CONFIG.replace("2.2.0", version)}
    if has_old_files:
        files |= {"config.yaml": "name: P\n", "model/a/node.yaml": NODE}
    with pytest.raises(NewerGraphError) as caught:
        upgrade_of(snapshot(files))
    assert caught.value.message == f"the graph is of format {version}, newer than 3.0.0"
    assert caught.value.hint == "Upgrade yg first; nothing was changed."


@pytest.mark.parametrize("version", ["4.0.0", "10.0"])
def test_a_graph_with_another_model_is_refused(version: str) -> None:
    with pytest.raises(AnotherModelError):
        upgrade_of(snapshot({"yg-config.yaml": CONFIG.replace("2.2.0", version)}))


@pytest.mark.parametrize("version", ["2.2.1", "2.10.0", "3.0.0"])
@pytest.mark.parametrize("has_old_files", [False, True])
def test_a_later_graph_gets_missing_schemas_only(version: str, *, has_old_files: bool) -> None:
    theirs = {"schemas/yg-node.yaml": "# of another tool\n"}
    files = {"yg-config.yaml": CONFIG.replace("2.2.0", version), **theirs}
    if has_old_files:
        files |= {"config.yaml": "name: P\n", "model/a/node.yaml": NODE}
    upgrade = upgrade_of(snapshot(files))
    written = {edit.path for edit in upgrade.edits if isinstance(edit, Write)}
    assert len(upgrade.edits) == len(written)
    schemas = {path for path in written if "/schemas/" in path}
    assert written == {*schemas, ".yggdrasil/.gitignore"}
    assert ".yggdrasil/schemas/yg-flow.yaml" in schemas
    assert ".yggdrasil/schemas/yg-node.yaml" not in schemas


def test_keys_that_came_along_from_1x_do_not_end_its_upgrade() -> None:
    files = {
        "yg-config.yaml": CONFIG,
        "config.yaml": "name: P\n",
        "model/a/yg-node.yaml": f"{NODE}description: One line\n",
    }
    upgrade = upgrade_of(snapshot({**files, **fixed_files()}))
    reason = "config.yaml stays: yg-config.yaml is there already and says otherwise"
    assert upgrade.warnings == [reason]


def test_a_graph_with_keys_of_a_later_format_keeps_its_version() -> None:
    files = {
        "yg-config.yaml": CONFIG.replace("2.2.0", "2.0.0"),
        "model/a/yg-node.yaml": f"{NODE}description: One line\n",
    }
    upgrade = upgrade_of(snapshot({**files, **fixed_files()}))
    assert (upgrade.edits, upgrade.done, upgrade.warnings) == ([], [], [])


def test_a_graph_of_this_format_needs_nothing() -> None:
    nodes = {"model/a/yg-node.yaml": NODE, "flows/f/yg-flow.yaml": "x"}
    upgrade = upgrade_of(snapshot({"yg-config.yaml": CONFIG, **nodes, **fixed_files()}))
    assert (upgrade.edits, upgrade.done, upgrade.warnings) == ([], [], [])


def test_a_graph_of_this_format_gets_missing_and_outdated_fixed_files() -> None:
    files = {"yg-config.yaml": CONFIG, **fixed_files(), "schemas/yg-flow.yaml": "mine\n"}
    del files["schemas/yg-node.yaml"]
    upgrade = upgrade_of(snapshot(files))
    assert upgrade.done == ["schemas/ brought up to date"]
    expected = {**fixed_files(), "schemas/yg-flow.yaml.before-upgrade": "mine\n"}
    assert applied(files, upgrade) == {
        path: text.encode() for path, text in sorted({**files, **expected}.items())
    }


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ("name: P\n", 'version: "2.2.0"\nname: P\n'),
        ("# mine\n\nname: P # x\n", '# mine\n\nversion: "2.2.0"\nname: P # x\n'),
        ("name: P\r\n", 'version: "2.2.0"\r\nname: P\r\n'),
        ("name: P", 'version: "2.2.0"\nname: P'),
        ('name: P\nversion: "2.0.0" # old\nx: 1\n', 'name: P\n# old\nversion: "2.2.0"\nx: 1\n'),
        ("version: 2.2\nname: P\n", 'version: "2.2.0"\nname: P\n'),
        ("version: 2.1.0\nname: P\n", 'version: "2.2.0"\nname: P\n'),
        ("version:\nname: P\n", 'version: "2.2.0"\nname: P\n'),
        ("---\nname: P\n", '---\nversion: "2.2.0"\nname: P\n'),
    ],
)
def test_a_2x_graph_without_this_version_gets_the_version_alone(config: str, expected: str) -> None:
    files: Files = {
        "yg-config.yaml": config,
        "model/a/yg-node.yaml": "name: A\ntags: [as it is]\n",
        **fixed_files(),
        ".drift-state/a.json": "{}",
    }
    upgrade = upgrade_of(snapshot(files))
    assert upgrade.edits == [Write(f"{FOLDER}/yg-config.yaml", expected.encode())]
    assert upgrade.done == ["yg-config.yaml: version 2.2.0"]
    assert upgrade.warnings == []


# What cannot be read.


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"name: \xff\n", "not UTF-8 at byte 6 (0xff)"),
        ("name: [\n", "not a YAML mapping"),
    ],
)
@pytest.mark.parametrize(
    "path", ["model/a/node.yaml", "aspects/a/aspect.yaml", "flows/a/flow.yaml"]
)
def test_a_file_that_cannot_be_read_is_named_and_finished_by_a_later_run(
    path: str, content: str | bytes, reason: str
) -> None:
    others: Files = {"config.yaml": "name: P\n", "model/b/node.yaml": "name: B\n"}
    upgrade = upgrade_of(snapshot({**others, path: content}))
    assert upgrade.unfinished == [path]
    assert f"{path} stays: {reason}" in upgrade.warnings
    assert upgrade.warnings[-1] == (
        f"the upgrade is not finished: fix {path}, then run 'yg init --upgrade' again"
    )
    between = upgraded({**others, path: content})
    assert ("yg-config.yaml" in between, "config.yaml" in between) == (False, True)
    assert (path in between, "model/b/yg-node.yaml" in between) == (True, True)
    after = upgraded({**between, path: "name: A\n"})
    assert path not in after
    assert after == upgraded({**others, path: "name: A\n"}) | {
        ".upgrade-1x.txt": after[".upgrade-1x.txt"]
    }


def test_a_configuration_that_cannot_be_read_stops_everything() -> None:
    with pytest.raises(YgError) as caught:
        upgrade_of(snapshot({"config.yaml": b"name: \xff\n"}))
    assert caught.value.message == f"cannot read '{FOLDER}/config.yaml': not UTF-8 at byte 6 (0xff)"
    assert caught.value.hint == "Fix the file first; nothing was changed."


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", IGNORED),
        (".cache/\n", f".cache/\n{IGNORED}"),
        (".cache/", f".cache/\n{IGNORED}"),
        (f"{IGNORED}mine\n", f"{IGNORED}mine\n"),
    ],
)
@pytest.mark.parametrize("config", ["yg-config.yaml", "config.yaml"])
def test_git_ignores_local_files_and_what_it_ignored_before(
    config: str, before: str, after: str
) -> None:
    files: Files = {config: CONFIG, **({".gitignore": before} if before else {})}
    assert upgraded(files)[".gitignore"] == after


def test_temporary_files_are_local_files() -> None:
    assert fnmatch(temporary_name(), IGNORED.strip())


def test_exceptions_for_an_aspect_that_arrives_otherwise_get_an_entry() -> None:
    files: Files = {
        "config.yaml": "name: P\n",
        "aspects/top/aspect.yaml": "name: T\nimplies: [deep]\n",
        "aspects/deep/aspect.yaml": "name: D\n",
        "aspects/flowing/aspect.yaml": "name: F\n",
        "aspects/other/aspect.yaml": "name: O\n",
        "flows/f/flow.yaml": "name: F\nnodes: [a/b]\naspects: [flowing]\n",
        "model/a/node.yaml": "name: A\naspects: [top]\n",
        "model/a/b/node.yaml": (
            "name: B\n"
            "aspect_exceptions:\n"
            "  - {aspect: deep, note: not here}\n"
            "  - {aspect: flowing, note: one}\n"
            "  - {aspect: flowing, note: two}\n"
            "  - {aspect: other, note: never}\n"
            "  - nonsense\n"
        ),
    }
    assert (
        upgraded(files)["model/a/b/yg-node.yaml"]
        == """\
name: B
aspects:
  - aspect: deep
    exceptions:
      - not here
  - aspect: flowing
    exceptions:
      - one
      - two
"""
    )
    told = "model/a/b/yg-node.yaml: 'aspect_exceptions'"
    warnings = upgrade_of(snapshot(files)).warnings
    assert f"{told} of 'other' was dropped: the node lacks it: never" in warnings
    assert f"{told} was dropped: it names no aspect: nonsense" in warnings


def test_links_are_left_alone() -> None:
    files = {f"{FOLDER}/config.yaml": "name: P\n", f"{FOLDER}/model/a/node.yaml": Kind.LINK}
    touched = [edit.path for edit in upgrade_of(DictSnapshot(files)).edits]
    assert [path for path in touched if "model/" in path] == []
