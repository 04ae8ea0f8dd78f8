"""`yg build-context`: which node is meant, when it is refused, and what comes besides."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from support import CONFIG, NODE, run, run_shop
from support import write_graph as write
from yg.surfaces.cli.outcome import Outcome

NODES = {
    "model/a/yg-node.yaml": "name: A\ntype: module\n",
    "model/a/b/yg-node.yaml": "name: B\ntype: service\nmapping: {paths: [src/b]}\n",
    "model/a/b/responsibility.md": "What B does.\n",
}


def node(**fields: str) -> str:
    return NODE + "".join(f"{key}: {value}\n" for key, value in fields.items())


def package(path: str, name: str, tokens: int, own: str, rest: str = "") -> str:
    return (
        f'<context-package node-path="{path}" node-name="{name}" token-count="{tokens}">\n\n'
        f"<global>\n**Project:** test\n</global>\n\n"
        f"{own}\n\n{rest}</context-package>\nBudget status: ok\n"
    )


# Which node.


@pytest.mark.parametrize(
    "name",
    ["./a/b", "a/b/", "a/b///", "model/a/b", "./model/a/b/", "a//b", "a/./b", "a/../a/b"],
)
def test_a_node_is_found_by_every_spelling_of_its_path(tmp_path: Path, name: str) -> None:
    place = str(write(tmp_path, NODES))
    expected = run("build-context", "a/b", "-C", place)
    assert expected.code == 0
    assert run("build-context", name, "-C", place) == expected
    assert run("build-context", "--node", name, "-C", place) == expected


@pytest.mark.parametrize(
    "name", ["/a/b", "../a/b", "a/../../b", "A/B", "a b", "a/b/c", "a/*", ".a"]
)
def test_no_other_spelling_finds_a_node(tmp_path: Path, name: str) -> None:
    outcome = run("build-context", name, "-C", str(write(tmp_path, NODES)))
    assert (outcome.code, outcome.text) == (1, "")
    assert outcome.notes.startswith(f"error: no node at '{name}'\n")


def test_a_node_below_a_node_called_model_keeps_its_name(tmp_path: Path) -> None:
    files = {
        "model/model/a/yg-node.yaml": "name: Inner\ntype: service\n",
        "model/a/yg-node.yaml": "name: Outer\ntype: service\n",
    }
    place = str(write(tmp_path, files))
    for name, meant in (("model/a", "Inner"), ("model/model/a", "Inner"), ("a", "Outer")):
        text = run("build-context", name, "-C", place).text
        assert text.split('node-name="')[1].split('"')[0] == meant


@pytest.mark.parametrize("name", [".", "./", "./.", "a/.."])
def test_a_dot_names_the_root_node(tmp_path: Path, name: str) -> None:
    place = str(write(tmp_path, {"model/yg-node.yaml": "name: Top\ntype: module\n"}))
    own = "<own-artifacts>\n### yg-node.yaml\nname: Top\ntype: module\n</own-artifacts>"
    expected = Outcome(package(".", "Top", 15, own))
    assert run("build-context", name, "-C", place) == expected


def test_a_dot_names_nothing_where_there_is_no_root_node(tmp_path: Path) -> None:
    outcome = run("build-context", ".", "-C", str(write(tmp_path, NODES)))
    assert outcome == Outcome("", 1, "error: no node at '.'\n  'yg tree' lists all nodes.\n")


@pytest.mark.parametrize(
    "path", ["mit Leerzeichen", "bäckerei/größe", "日本", 'it\'s "q"', "-dash"]
)
def test_any_name_of_a_directory_may_be_the_name_of_a_node(tmp_path: Path, path: str) -> None:
    place = str(write(tmp_path, {f"model/{path}/yg-node.yaml": NODE}))
    outcome = run("build-context", f"--node={path}", "-C", place)
    escaped = path.replace('"', "&quot;")
    own = "<own-artifacts>\n### yg-node.yaml\nname: N\ntype: service\n</own-artifacts>"
    assert outcome == Outcome(package(escaped, "N", 15, own))


def test_names_beginning_with_a_dot_are_not_nodes(tmp_path: Path) -> None:
    place = str(write(tmp_path, {"model/.a/yg-node.yaml": NODE, "model/b/.c/yg-node.yaml": NODE}))
    for name in (".a", "b/.c"):
        outcome = run("build-context", name, "-C", place)
        assert outcome == Outcome(
            "", 1, f"error: no node at '{name}'\n  'yg tree' lists all nodes.\n"
        )


def test_a_linked_directory_is_not_a_node(tmp_path: Path) -> None:
    place = write(tmp_path, NODES)
    os.symlink("a", place / ".yggdrasil" / "model" / "other")
    outcome = run("build-context", "other/b", "-C", str(place))
    assert (outcome.code, outcome.text) == (1, "")
    assert outcome.notes.startswith("error: no node at 'other/b'\n")


def test_a_linked_graph_works(tmp_path: Path) -> None:
    place = str(write(tmp_path / "here" / "there", NODES))
    (tmp_path / "here" / "src").mkdir(parents=True)
    os.symlink("there/.yggdrasil", tmp_path / "here" / ".yggdrasil")
    expected = run("build-context", "a/b", "-C", place)
    assert expected.code == 0
    assert run("build-context", "a/b", "-C", str(tmp_path / "here")) == expected
    assert run("build-context", "a/b", "-C", str(tmp_path / "here" / "src")) == expected


def test_a_repository_reached_through_a_link_works(tmp_path: Path) -> None:
    place = write(tmp_path / "there", NODES)
    os.symlink("there", tmp_path / "link")
    expected = run("build-context", "a/b", "-C", str(place))
    assert run("build-context", "a/b", "-C", str(tmp_path / "link")) == expected


# Which file.


@pytest.mark.parametrize(
    ("start", "file"),
    [
        (".", "src/b/x.py"),
        (".", "./src//b/x.py"),
        (".", "src/b"),
        (".", ".yggdrasil/model/a/b/yg-node.yaml"),
        ("src", "b/x.py"),
        ("src/b", "x.py"),
        ("src/c", "../b/x.py"),
        (".yggdrasil/model", "../../src/b/x.py"),
    ],
)
def test_a_file_stands_for_its_owner(tmp_path: Path, start: str, file: str) -> None:
    place = write(tmp_path, NODES)
    for name in ("b", "c"):
        (place / "src" / name).mkdir(parents=True)
        (place / "src" / name / "x.py").touch()
    expected = run("build-context", "a/b", "-C", str(place))
    assert run("build-context", "--file", file, "-C", str(place / start)) == expected
    absolute = os.path.normpath(place / start / file)
    assert run("build-context", "--file", absolute, "-C", str(place)) == expected


def test_a_file_may_be_named_from_the_root_of_the_repository(tmp_path: Path) -> None:
    place = write(tmp_path, NODES)
    (place / "src/b").mkdir(parents=True)
    (place / "src/b/x.py").touch()
    expected = run("build-context", "a/b", "-C", str(place))
    assert run("build-context", "--file", "src/b/x.py", "-C", str(place / "src/b")) == expected


@pytest.mark.parametrize("file", ["src/c/x.py", "src", ".", "/"])
def test_a_file_without_an_owner_has_no_package(tmp_path: Path, file: str) -> None:
    place = write(tmp_path, NODES)
    (place / "src/c").mkdir(parents=True)
    (place / "src/c/x.py").touch()
    outcome = run("build-context", "--file", file, "-C", str(place))
    assert outcome == Outcome(
        "",
        1,
        f"error: no node owns '{file}'\n"
        "  Add the file to a node's mapping in yg-node.yaml, or name the node with --node.\n",
    )


def test_a_file_of_the_whole_graph_has_no_package(tmp_path: Path) -> None:
    file = ".yggdrasil/yg-config.yaml"
    outcome = run("build-context", "--file", file, "-C", str(write(tmp_path, NODES)))
    assert outcome == Outcome(
        "",
        1,
        f"error: '{file}' is a file of the graph, but of no node\n  Name the node with --node.\n",
    )


@pytest.mark.parametrize(
    ("file", "hint"),
    [
        ("src/b/gone.py", "A file there would belong to 'a/b': use --node a/b."),
        ("src/bb", "Give its path from the current directory or from the root of the repository."),
        (
            "../src/b/x.py",
            "Give its path from the current directory or from the root of the repository.",
        ),
    ],
)
def test_a_file_that_does_not_exist_has_no_package(tmp_path: Path, file: str, hint: str) -> None:
    outcome = run("build-context", "--file", file, "-C", str(write(tmp_path, NODES)))
    assert outcome == Outcome("", 1, f"error: there is no file '{file}'\n  {hint}\n")


def test_a_mapped_file_stands_for_its_owner_before_it_is_written(tmp_path: Path) -> None:
    place = write(tmp_path, {"model/a b/yg-node.yaml": node(mapping="{paths: [src/new.py]}")})
    (place / "src").mkdir()
    expected = run("build-context", "a b", "-C", str(place))
    for start, file in ((".", "src/new.py"), ("src", "new.py"), ("src", "src/new.py")):
        assert run("build-context", "--file", file, "-C", str(place / start)) == expected


def test_a_file_of_an_aspect_has_no_package_of_its_own(tmp_path: Path) -> None:
    place = write(tmp_path, {"aspects/my audit/yg-aspect.yaml": "name: A\n"})
    file = ".yggdrasil/aspects/my audit/yg-aspect.yaml"
    outcome = run("build-context", "--file", file, "-C", str(place))
    assert outcome == Outcome(
        "",
        1,
        f"error: '{file}' belongs to the aspect 'my audit', not to a node\n"
        "  For the nodes it applies to: yg impact --aspect 'my audit'\n",
    )


def test_a_file_in_place_of_a_node_suggests_the_option(tmp_path: Path) -> None:
    place = write(tmp_path, NODES)
    (place / "my code.py").touch()
    outcome = run("build-context", "my code.py", "-C", str(place))
    assert outcome == Outcome(
        "",
        1,
        "error: no node at 'my code.py'\n"
        "  It is a file. For the node that owns it: yg build-context --file 'my code.py'\n",
    )


def test_the_longest_mapping_decides_which_node_a_file_stands_for(tmp_path: Path) -> None:
    files = {
        "model/a/yg-node.yaml": node(mapping="{paths: [src]}"),
        "model/a/b/yg-node.yaml": node(mapping="{paths: [src/b.py]}"),
    }
    place = str(write(tmp_path, files))
    (tmp_path / "src").mkdir()
    (tmp_path / "src/c.py").touch()
    inner = run("build-context", "--file", "src/b.py", "-C", place)
    outer = run("build-context", "--file", "src/c.py", "-C", place)
    assert inner == run("build-context", "a/b", "-C", place)
    assert outer == run("build-context", "a", "-C", place)


# Refusal.

BROKEN = {
    "model/a/yg-node.yaml": node(relations="[{target: gone, type: uses}]"),
    "model/m/yg-node.yaml": node(relations="[{target: z, type: uses}]"),
    "model/z/yg-node.yaml": node(aspects="[{aspect: gone}]"),
}
A_IS_BROKEN = """\
E004 a -> relation to 'gone' does not resolve.
  .yggdrasil/model/a/yg-node.yaml:3:22
  Existing nodes in model/: m, z
"""
Z_IS_BROKEN = """\
E003 z -> aspect 'gone' does not resolve.
  .yggdrasil/model/z/yg-node.yaml:3:20
  There are no aspects yet: add .yggdrasil/aspects/gone/yg-aspect.yaml.
"""


def test_any_error_in_the_graph_blocks_assembly(tmp_path: Path) -> None:
    broken = {"model/c/yg-node.yaml": node(aspects="[{aspect: gone}]")}
    outcome = run("build-context", "a/b", "-C", str(write(tmp_path, {**NODES, **broken})))
    assert outcome == Outcome(
        "",
        1,
        "E003 c -> aspect 'gone' does not resolve.\n"
        "  .yggdrasil/model/c/yg-node.yaml:3:20\n"
        "  There are no aspects yet: add .yggdrasil/aspects/gone/yg-aspect.yaml.\n"
        "error: no package for 'a/b': the graph has 1 error, 0 affecting it\n"
        "  Fix the errors first. Or use --lenient: none of them affects this package.\n",
    )


def test_errors_that_touch_the_package_come_first(tmp_path: Path) -> None:
    outcome = run("build-context", "m", "-C", str(write(tmp_path, BROKEN)))
    assert outcome == Outcome(
        "",
        1,
        f"{Z_IS_BROKEN}{A_IS_BROKEN}"
        "error: no package for 'm': the graph has 2 errors, 1 affecting it\n"
        "  Fix the errors first.\n",
    )


def test_a_cycle_that_is_read_only_in_part_around_a_package_is_one_error(tmp_path: Path) -> None:
    relations = {"a": ("b",), "b": ("a", "c"), "c": ("b",)}
    nodes = {
        f"model/{name}/yg-node.yaml": node(
            relations=f"[{', '.join(f'{{target: {to}, type: uses}}' for to in targets)}]"
        )
        for name, targets in relations.items()
    }
    notes = run("build-context", "c", "-C", str(write(tmp_path, nodes))).notes
    assert notes.count("E010 ") == 1
    assert notes.startswith("E010 a -> structural cycle: a -> b -> a.\n")
    assert "error: no package for 'c': the graph has 1 error, 1 affecting it\n" in notes


def test_a_refusal_as_data_lists_the_same_errors(tmp_path: Path) -> None:
    outcome = run("build-context", "m", "--json", "-C", str(write(tmp_path, BROKEN)))
    assert (outcome.code, outcome.text) == (1, "")
    document = json.loads(outcome.notes)
    assert [(issue["code"], issue["subject"], issue["line"]) for issue in document["issues"]] == [
        ("E003", "z", 3),
        ("E004", "a", 3),
    ]


def test_a_node_that_cannot_be_read_has_no_package(tmp_path: Path) -> None:
    place = str(write(tmp_path, {"model/a/yg-node.yaml": "name: 12\ntype: service\n"}))
    for options in ((), ("--lenient",)):
        outcome = run("build-context", "a", *options, "-C", place)
        assert outcome == Outcome(
            "",
            1,
            "E001 a -> 'name' must be text, found a whole number.\n"
            "  .yggdrasil/model/a/yg-node.yaml:1:7\n"
            "  Put it in quotes if it is meant as text.\n"
            "error: node 'a' could not be read\n"
            "  Fix its yg-node.yaml first.\n",
        )


def test_a_refusal_prints_nothing_on_stdout_in_any_format(tmp_path: Path) -> None:
    place = str(write(tmp_path, BROKEN))
    for options in ((), ("--why",), ("--format", "markdown"), ("--json",)):
        outcome = run("build-context", "a", *options, "-C", place)
        assert (outcome.code, outcome.text) == (1, "")


@pytest.mark.parametrize(
    "broken",
    [
        {"model/z/yg-node.yaml": "name: [\n"},
        {"model/z/yg-node.yaml": node(relations="[{target: a/b, type: no-such-type}]")},
        {"model/z/yg-node.yaml": node(relations="[{target: gone, type: uses}]")},
        {"model/a/b/c/yg-node.yaml": "name: [\n"},
        {"model/z/yg-node.yaml": node(), "model/z/responsibility.md": b"\xff"},
        {"aspects/x/yg-aspect.yaml": "name: 1\n"},
        {"aspects/x/content.md": "Nothing declares this.\n"},
        {"aspects/x/yg-aspect.yaml": "name: X\nimplies: [x]\n"},
        {"flows/f/yg-flow.yaml": "name: F\nnodes: [gone]\n"},
        {"flows/f/description.md": "Nothing declares this.\n"},
    ],
    ids=ascii,
)
def test_lenient_passes_over_what_is_wrong_elsewhere(
    tmp_path: Path, broken: Mapping[str, str | bytes]
) -> None:
    clean = run("build-context", "a/b", "-C", str(write(tmp_path / "clean", NODES)))
    assert (clean.code, clean.notes) == (0, "")
    place = str(write(tmp_path / "broken", {**NODES, **broken}))
    assert run("build-context", "a/b", "-C", place).code == 1
    assert run("build-context", "a/b", "--lenient", "-C", place) == clean


@pytest.mark.parametrize(
    ("broken", "code", "subject"),
    [
        ({"model/a/yg-node.yaml": "name: [\n"}, "E001", "a"),
        ({"model/a/yg-node.yaml": node(aspects="[{aspect: gone}]")}, "E003", "a"),
        ({"model/a/responsibility.md": b"\xff"}, "E021", "a"),
        ({"model/a/b/interface.md": b"\xff"}, "E021", "a/b"),
        ({"model/t/yg-node.yaml": "name: [\n"}, "E001", "t"),
        ({"model/t/yg-node.yaml": "name: T\ntype: unheard of\n"}, "E002", "t"),
        ({"model/t/interface.md": b"\xff"}, "E021", "t"),
        ({"aspects/x/yg-aspect.yaml": "name: 1\n"}, "E018", "aspects/x"),
        ({"aspects/x/content.md": b"\xff"}, "E021", "aspects/x"),
        ({"aspects/y/yg-aspect.yaml": "name: 1\n"}, "E018", "aspects/y"),
        ({"aspects/y/yg-aspect.yaml": "name: Y\nimplies: [gone]\n"}, "E016", "aspects/y"),
        ({"aspects/y/yg-aspect.yaml": "name: Y\nimplies: [x]\n"}, "E017", "aspects/x"),
        ({"flows/f/yg-flow.yaml": "name: F\nnodes: [a, gone]\n"}, "E006", "flows/f"),
        (
            {"flows/f/yg-flow.yaml": "name: F\nnodes: [a]\naspects: [gone]\n"},
            "E007",
            "flows/f",
        ),
        ({"flows/g/yg-flow.yaml": "name: [\n"}, "E019", "flows/g"),
        ({"flows/f/description.md": b"\xff"}, "E021", "flows/f"),
        ({"yg-config.yaml": "name: [\n"}, "E012", ""),
    ],
    ids=ascii,
)
def test_lenient_refuses_for_what_is_wrong_nearby(
    tmp_path: Path, broken: Mapping[str, str | bytes], code: str, subject: str
) -> None:
    near = {
        **NODES,
        "model/a/b/yg-node.yaml": node(
            aspects="[{aspect: x}]", relations="[{target: t, type: uses}]"
        ),
        "model/t/yg-node.yaml": node(),
        "aspects/x/yg-aspect.yaml": "name: X\nimplies: [y]\n",
        "aspects/y/yg-aspect.yaml": "name: Y\n",
        "flows/f/yg-flow.yaml": "name: F\nnodes: [a]\n",
    }
    sound = run("build-context", "a/b", "--lenient", "-C", str(write(tmp_path / "sound", near)))
    assert (sound.code, sound.notes) == (0, "")
    place = str(write(tmp_path / "broken", {**near, **broken}))
    outcome = run("build-context", "a/b", "--lenient", "--json", "-C", place)
    assert (outcome.code, outcome.text) == (1, "")
    found = [(issue["code"], issue["subject"]) for issue in json.loads(outcome.notes)["issues"]]
    assert [entry for entry in found if entry[0] == code and subject in ("", entry[1])] != []


# What comes besides.


def sized(characters: int, budget: str) -> dict[str, str]:
    """Make a node whose package has exactly this many characters."""
    config = f"{CONFIG}quality: {{context_budget: {budget}}}\n"
    fixed = "**Project:** test" + "\n\n" + "### yg-node.yaml\nname: N\ntype: service\n"
    text = "x" * (characters - len(fixed) - len("### responsibility.md\n"))
    return {
        "yg-config.yaml": config,
        "model/a/yg-node.yaml": NODE,
        "model/a/responsibility.md": f"{text}\n",
    }


@pytest.mark.parametrize(
    ("characters", "status"),
    [(160, "ok"), (161, "warning"), (200, "warning"), (201, "error"), (400, "error")],
)
def test_the_budget_is_exceeded_by_more_than_its_thresholds(
    tmp_path: Path, characters: int, status: str
) -> None:
    place = str(write(tmp_path, sized(characters, "{warning: 40, error: 50}")))
    outcome = run("build-context", "a", "-C", place)
    tokens = -(-characters // 4)
    assert outcome.code == 0
    assert outcome.text.startswith(
        f'<context-package node-path="a" node-name="N" token-count="{tokens}">\n'
    )
    assert outcome.text.endswith(f"</context-package>\nBudget status: {status}\n")
    assert len(outcome.notes.splitlines()) == (1 if status == "error" else 0)


def test_a_package_that_is_too_large_is_given_with_a_warning(tmp_path: Path) -> None:
    place = str(write(tmp_path, sized(400, "{warning: 40, error: 50}")))
    expected = "warning: the package is too large (100 tokens, more than 50); split the node 'a'.\n"
    for options in ((), ("--why",), ("--format", "markdown"), ("--json",)):
        outcome = run("build-context", "a", *options, "-C", place)
        assert (outcome.code, outcome.notes) == (0, expected)


SHOP_NODES = ("orders/order-service", "payments/payment-service", "email-service", "shared")


@pytest.mark.parametrize("path", SHOP_NODES)
def test_tokens_are_a_quarter_of_what_is_between_the_tags(path: str) -> None:
    opening, text = run_shop("build-context", path).text.split("\n", 1)
    contents = re.findall(r"^<([a-z-]+)(?: [^>]*)?>\n((?:.*\n)*?)</\1>$", text, re.MULTILINE)
    joined = "\n\n".join(content.removesuffix("\n") for _, content in contents)
    shown = int(opening.split('token-count="')[1].removesuffix('">'))
    assert shown == -(-len(joined) // 4)
    data = json.loads(run_shop("build-context", path, "--json").text)
    assert (data["tokens"], data["characters"]) == (shown, len(joined))


@pytest.mark.parametrize("path", SHOP_NODES)
def test_reasons_and_data_tell_of_the_same_blocks(path: str) -> None:
    data = json.loads(run_shop("build-context", path, "--json").text)
    rows = run_shop("build-context", path, "--why").text.splitlines()[1:-1]
    assert [row.split("  ")[0].split(" ", 1)[0] for row in rows] == [
        block["kind"] for block in data["blocks"]
    ]
    assert [row.rsplit("%  ", 1)[1] for row in rows] == [
        ", ".join(block["because"]) for block in data["blocks"]
    ]


def test_every_block_says_what_brought_it_in(tmp_path: Path) -> None:
    files = {
        "model/yg-node.yaml": "name: Top\ntype: module\naspects: [{aspect: x}]\n",
        "model/a/yg-node.yaml": node(
            aspects="[{aspect: z}]",
            relations="[{target: b, type: calls}, {target: b, type: emits}]",
            mapping="{paths: [src]}",
        ),
        "model/b/yg-node.yaml": node(),
        "aspects/x/yg-aspect.yaml": "name: X\nimplies: [y]\n",
        "aspects/y/yg-aspect.yaml": "name: Y\n",
        "aspects/z/yg-aspect.yaml": "name: Z\nimplies: [y]\n",
        "flows/f/yg-flow.yaml": "name: F\nnodes: [.]\naspects: [z]\n",
        "flows/g/yg-flow.yaml": "name: G\nnodes: [a, b]\n",
    }
    outcome = run("build-context", "a", "--json", "-C", str(write(tmp_path, files)))
    blocks = json.loads(outcome.text)["blocks"]
    assert [(block["kind"], block["subject"], block["because"]) for block in blocks] == [
        ("global", "test", ["configuration"]),
        ("hierarchy", ".", ["hierarchy from ."]),
        ("own-artifacts", "a", ["own"]),
        ("materialization-target", "a", ["own"]),
        ("aspect", "x", ["hierarchy from ."]),
        ("aspect", "y", ["implied by x", "implied by z"]),
        ("aspect", "z", ["own", "flow f"]),
        ("dependency", "b", ["relation calls b"]),
        ("event", "b", ["relation emits b"]),
        ("flow", "f", ["hierarchy from ."]),
        ("flow", "g", ["own"]),
    ]


EVIL = "e\x1b[31m\nvil"


def test_reasons_keep_control_characters_off_the_terminal(tmp_path: Path) -> None:
    place = str(write(tmp_path, {f"model/{EVIL}/yg-node.yaml": NODE}))
    outcome = run("build-context", EVIL, "--why", "-C", place)
    labels = [line.split("  ")[0] for line in outcome.text.splitlines()]
    assert labels == ["block", "global test", r"own-artifacts e\x1b[31m\nvil", "total"]
    assert outcome.text.replace("\n", "").isprintable()


def test_errors_keep_control_characters_off_the_terminal(tmp_path: Path) -> None:
    bad = node(relations='[{target: "\\e[1m", type: "\\a"}]')
    place = str(write(tmp_path, {**NODES, f"model/{EVIL}/yg-node.yaml": bad}))
    for name in ("a/b", EVIL, "\x1b]0;title\x07"):
        outcome = run("build-context", name, "-C", place)
        assert (outcome.code, outcome.text) == (1, "")
        assert outcome.notes.replace("\n", "").isprintable()


def test_an_error_that_affects_a_package_is_shown_below_its_cause(tmp_path: Path) -> None:
    relation = "relations: [{{target: {0}, type: {1}}}]\n"
    root = write(
        tmp_path,
        {
            "model/a/yg-node.yaml": NODE + relation.format("b", "listens"),
            "model/b/yg-node.yaml": NODE + relation.format("bad", "calls"),
            "model/bad/yg-node.yaml": "",
            "model/alone/yg-node.yaml": NODE + relation.format("gone", "calls"),
        },
    )
    outcome = run("build-context", "a", "-C", str(root))
    assert (outcome.code, outcome.text) == (1, "")
    lines = [line for line in outcome.notes.splitlines() if " -> " in line]
    assert [line.split(" -> ")[0] for line in lines] == ["E001 bad", "  E004 b", "E004 alone"]
    assert (
        "error: no package for 'a': the graph has 2 errors (and 1 that follows from them), "
        "1 affecting it\n" in outcome.notes
    )
    lenient = run("build-context", "a", "-C", str(root), "--lenient")
    assert "error: no package for 'a': 1 error affects it\n" in lenient.notes
