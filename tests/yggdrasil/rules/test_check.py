"""Validation as a whole: order, scopes, graphs made by chance, and graphs made with malice."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations, pairwise, product
from typing import TYPE_CHECKING
from unicodedata import category
from xml.etree import ElementTree as ET

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from support import snapshot_from
from yg.commands.validate import validation_of, verdict_text
from yg.commands.validate.ci import verdict_github, verdict_junit
from yg.commands.validate.sarif import sarif
from yg.kernel import digraph
from yg.kernel.document import document_text
from yg.kernel.errors import UnreadableError
from yg.kernel.issue import Place, Severity, Verdict
from yg.kernel.palette import PLAIN
from yg.kernel.snapshot import DictSnapshot, Kind
from yg.kernel.sources import SnapshotSources
from yg.text import paths
from yg.yggdrasil.package.assemble import assemble
from yg.yggdrasil.read.v2 import read
from yg.yggdrasil.rules.check import PACKAGES, RULES, issues_in_steps, restrict, validate
from yggdrasil.rules.cases import ASPECT, CONFIG, DESCRIPTION, NODE, SCHEMAS, calls, maps

if TYPE_CHECKING:
    from support import Content


def verdict_on(
    files: Mapping[str, Content], sources: Mapping[str, Content] = {}, scope: str = ""
) -> Verdict:
    """Validate a graph that has a configuration and schemas."""
    snapshot = snapshot_from({"yg-config.yaml": CONFIG, **SCHEMAS, **files}, sources)
    graph = read(snapshot)
    verdict = validate(graph, SnapshotSources(snapshot))
    return restrict(graph, verdict, scope) if scope else verdict


def codes(verdict: Verdict) -> list[str]:
    return [issue.code for issue in verdict.issues]


def told(verdict: Verdict) -> list[str]:
    return [f"{issue.code} {issue.subject}" for issue in verdict.issues]


# The verdict.


def test_a_sound_graph_has_a_verdict_without_issues() -> None:
    files = {"model/a/yg-node.yaml": NODE, "model/a/b/yg-node.yaml": NODE}
    assert verdict_on(files) == Verdict("", 2, ())


def test_a_scope_leaves_out_issues_in_the_code_of_other_nodes() -> None:
    files = {
        "yg-config.yaml": f"{CONFIG}code: {{imports: off}}\n".replace(
            "node_types:\n", "node_types:\n  page: {description: A page, may_use: []}\n"
        ),
        "model/a/yg-node.yaml": maps("src/a").replace("service", "page"),
        "model/b/yg-node.yaml": maps("src/b"),
        "model/c/yg-node.yaml": NODE,
    }
    sources = {"src/a/__init__.py": "import b\n", "src/b/__init__.py": ""}
    found = {scope: told(verdict_on(files, sources, scope)) for scope in ("", "a", "b", "c")}
    assert found == {"": ["W033 a"], "a": ["W033 a"], "b": ["W033 a"], "c": []}


@pytest.mark.parametrize(("rules", "measured"), [("", 2), ("rules: {W005: off, W006: off}\n", 0)])
def test_a_check_pauses_after_each_rule_and_while_it_measures_packages(
    rules: str, measured: int
) -> None:
    nodes = {f"model/n{number}/yg-node.yaml": NODE for number in range(2 * PACKAGES)}
    snapshot = snapshot_from({"yg-config.yaml": f"{CONFIG}{rules}", **nodes})
    pauses = sum(1 for _ in issues_in_steps(read(snapshot), SnapshotSources(snapshot)))
    assert pauses == len(RULES) + measured


def test_an_empty_graph_has_nothing_to_judge() -> None:
    assert verdict_on({}) == Verdict("", 0, ())


def test_a_graph_without_a_configuration_is_still_judged() -> None:
    files = {
        ".yggdrasil/model/a/yg-node.yaml": calls("b"),
        ".yggdrasil/model/a/notes.md": "",
        **{f".yggdrasil/{path}": text for path, text in SCHEMAS.items()},
    }
    snapshot = DictSnapshot(files)
    verdict = validate(read(snapshot), SnapshotSources(snapshot))
    assert (
        verdict_text(verdict, PLAIN)
        == """\
E004 a -> relation to 'b' does not resolve.
  .yggdrasil/model/a/yg-node.yaml:4:14
  Correct the path, or add the missing node.
E012 yg-config.yaml -> there is no yg-config.yaml.
  .yggdrasil/yg-config.yaml
  Restore it, or run 'yg init' in a new repository.

2 errors, 0 warnings. 1 node checked.
"""
    )


def test_nodes_that_cannot_be_read_are_counted_too() -> None:
    verdict = verdict_on({"model/a/yg-node.yaml": "", "model/b/yg-node.yaml": NODE})
    assert (verdict.nodes, verdict.errors, verdict.warnings) == (2, 1, 0)


SELF = "relations: [{target: b, type: uses}]\n"
TWO = "  - {aspect: y}\n"


def test_errors_come_first_and_then_file_line_and_code_decide() -> None:
    verdict = verdict_on(
        {
            "model/b/yg-node.yaml": f"name: B\ntype: servce\nkey: 1\n{SELF}",
            "model/a/yg-node.yaml": f"{NODE}key: 1\naspects:\n  - {{aspect: x, key: 1}}\n{TWO}",
            "aspects/z/notes.md": "",
        }
    )
    assert [(issue.code, issue.place) for issue in verdict.issues] == [
        ("E018", Place(".yggdrasil/aspects/z")),
        ("E003", Place(".yggdrasil/model/a/yg-node.yaml", 5, 14)),
        ("E003", Place(".yggdrasil/model/a/yg-node.yaml", 6, 14)),
        ("E002", Place(".yggdrasil/model/b/yg-node.yaml", 2, 7)),
        ("E010", Place(".yggdrasil/model/b/yg-node.yaml", 4, 22)),
        ("W016", Place(".yggdrasil/model/a/yg-node.yaml", 3, 1)),
        ("W016", Place(".yggdrasil/model/a/yg-node.yaml", 5, 17)),
        ("W016", Place(".yggdrasil/model/b/yg-node.yaml", 3, 1)),
    ]


def test_of_two_problems_at_one_place_the_smaller_code_comes_first() -> None:
    mapping = maps("src").replace("type: service", "type: x") + "zzz: 1\n"
    files = {"model/a/yg-node.yaml": mapping, "model/b/yg-node.yaml": maps("src/a.py")}
    assert told(verdict_on(files)) == ["E002 a", "E009 b", "W012 a", "W016 a", "W012 b"]


# Scopes.

SCOPED: dict[str, Content] = {
    "model/a/yg-node.yaml": calls("nowhere"),
    "model/a/b/yg-node.yaml": calls("nowhere"),
    "model/ab/yg-node.yaml": calls("nowhere"),
    "model/c/yg-node.yaml": "",
    "aspects/x/notes.md": "",
    "flows/f/notes.md": "",
}


@pytest.mark.parametrize(
    ("scope", "nodes", "issues"),
    [
        ("", 4, ["E018 aspects/x", "E019 flows/f", "E004 a/b", "E004 a", "E004 ab", "E001 c"]),
        (".", 4, ["E018 aspects/x", "E019 flows/f", "E004 a/b", "E004 a", "E004 ab", "E001 c"]),
        ("a", 2, ["E018 aspects/x", "E019 flows/f", "E004 a/b", "E004 a"]),
        ("a/b", 1, ["E018 aspects/x", "E019 flows/f", "E004 a/b"]),
        ("ab", 1, ["E018 aspects/x", "E019 flows/f", "E004 ab"]),
        ("c", 1, ["E018 aspects/x", "E019 flows/f", "E001 c"]),
    ],
)
def test_a_scope_is_a_node_and_all_below_it_and_what_concerns_the_whole_graph(
    scope: str, nodes: int, issues: list[str]
) -> None:
    verdict = verdict_on(SCOPED, scope=scope)
    assert (verdict.scope, verdict.nodes, told(verdict)) == (scope, nodes, issues)


@pytest.mark.parametrize("scope", ["a", "b", "c"])
def test_a_cycle_concerns_every_node_in_it(scope: str) -> None:
    files = {
        "model/a/yg-node.yaml": calls("b"),
        "model/b/yg-node.yaml": calls("c"),
        "model/c/yg-node.yaml": calls("a"),
        "model/d/yg-node.yaml": calls("a"),
    }
    assert told(verdict_on(files, scope=scope)) == ["E010 a"]
    assert told(verdict_on(files, scope="d")) == []


@pytest.mark.parametrize("scope", ["a", "b"])
def test_two_owners_of_a_file_are_both_concerned(scope: str) -> None:
    files = {
        "model/a/yg-node.yaml": maps("src"),
        "model/b/yg-node.yaml": maps("src/a.py"),
        "model/c/yg-node.yaml": NODE,
    }
    sources = {"src/a.py": ""}
    assert told(verdict_on(files, sources, scope)) == ["E009 b"]
    assert told(verdict_on(files, sources, "c")) == []


@pytest.mark.parametrize("scope", ["a", "b"])
def test_both_sides_of_an_event_are_concerned(scope: str) -> None:
    files = {
        "model/a/yg-node.yaml": f"{NODE}relations: [{{target: b, type: emits}}]\n",
        "model/b/yg-node.yaml": NODE,
        "model/c/yg-node.yaml": NODE,
    }
    assert told(verdict_on(files, scope=scope)) == ["W009 a"]
    assert told(verdict_on(files, scope="c")) == []


# What is reported is true, and what is true is reported: rules against plain definitions.

NAMES = "abcde"
Edges = dict[str, list[str]]


@st.composite
def tangles(draw: st.DrawFn) -> tuple[Edges, frozenset[str]]:
    names = NAMES[: draw(st.integers(1, len(NAMES)))]
    targets = st.lists(st.sampled_from(names), max_size=3)
    edges = {name: draw(targets) for name in names}
    return edges, draw(st.frozensets(st.sampled_from(names), max_size=2))


def reachable(edges: Edges, start: str) -> set[str]:
    seen: set[str] = set()
    waiting = list(edges[start])
    while waiting:
        node = waiting.pop()
        if node not in seen:
            seen.add(node)
            waiting += edges[node]
    return seen


def girth(edges: Edges, group: frozenset[str]) -> int:
    """Return the length of a shortest cycle, by trying all of them."""
    for length in range(1, len(group) + 1):
        for way in product(sorted(group), repeat=length):
            if all(to in edges[node] for node, to in zip(way, (*way[1:], way[0]), strict=True)):
                return length
    raise AssertionError


@given(tangles())
def test_cycles_are_what_is_left_when_blackboxes_are_gone(
    tangle: tuple[Edges, frozenset[str]],
) -> None:
    edges, boxes = tangle
    box = "blackbox: true\n"
    verdict = verdict_on(
        {
            f"model/{n}/yg-node.yaml": calls(*to) + (box if n in boxes else "")
            for n, to in edges.items()
        }
    )
    real = {
        n: [to for to in each if to not in boxes] for n, each in edges.items() if n not in boxes
    }
    kept = {n: [to for to in each if to != n] for n, each in real.items()}
    reach = {node: reachable(kept, node) for node in kept}
    groups = {
        frozenset(to for to in reach[node] if node in reach[to])
        for node in kept
        if node in reach[node]
    }
    reported = [issue for issue in verdict.issues if issue.code == "E010"]
    selfish = [issue for issue in reported if issue.message == "has a relation to itself"]
    assert [issue.subject for issue in selfish] == sorted(n for n in real if n in real[n])
    found = [issue for issue in reported if issue not in selfish]
    assert sorted(issue.also for issue in found) == sorted(tuple(sorted(group)) for group in groups)
    for issue in found:
        *cycle, last = issue.message.removeprefix("structural cycle: ").split(" -> ")
        assert cycle[0] == last == issue.subject
        assert all(to in kept[node] for node, to in zip(cycle, [*cycle[1:], last], strict=True))
        assert len(cycle) == girth(kept, frozenset(issue.also))


PATHS = st.lists(st.sampled_from("xy"), min_size=1, max_size=3).map("/".join)
NODE_PATHS = ("a", "a/b", "a/b/c", "d", "d/e")


def is_overlap(node: str, path: str, other: str, within: str) -> bool:
    """Tell whether one mapping lies in another one that it must keep out of."""
    if node == other or not paths.is_inside(path, within):
        return False
    related = paths.is_inside(node, other) or paths.is_inside(other, node)
    return path == within or not related


@given(st.dictionaries(st.sampled_from(NODE_PATHS), st.sets(PATHS, min_size=1, max_size=3)))
def test_overlaps_are_reported_exactly_where_there_are_any(mappings: dict[str, set[str]]) -> None:
    files = {f"model/{node}/yg-node.yaml": maps(*sorted(each)) for node, each in mappings.items()}
    pairs = [(node, path) for node, each in mappings.items() for path in each]
    clashes = {(*one, *two) for one in pairs for two in pairs if is_overlap(*one, *two)}
    found = [issue for issue in verdict_on(files).issues if issue.code == "E009"]
    reported = set()
    for issue in found:
        path, within = re.findall(r"'([xy/]+)'", f"{issue.message} {issue.message}")[:2]
        within = path if "is also" in issue.message else within
        reported.add((issue.subject, path, issue.also[0], within))
    assert reported <= clashes
    assert len(found) == len(reported)
    # Every path that clashes is reported, on one of its two sides.
    for node, path, other, within in clashes:
        assert {(node, path), (other, within)} & {item[:2] for item in reported}


EVENTS = st.lists(
    st.tuples(
        st.sampled_from("abc"),
        st.sampled_from("abc"),
        st.sampled_from(["emits", "listens"]),
        st.sampled_from(["", "X", "Y"]),
    ),
    max_size=6,
)


@given(EVENTS)
def test_events_are_unpaired_exactly_where_no_other_side_fits(
    events: list[tuple[str, str, str, str]],
) -> None:
    relations: dict[str, list[str]] = {name: [] for name in "abc"}
    for node, target, kind, name in events:
        event = f", event_name: {name}" if name else ""
        relations[node].append(f"  - {{target: {target}, type: {kind}{event}}}\n")
    files = {
        f"model/{node}/yg-node.yaml": f"{NODE}relations:\n{''.join(lines) or '  []'}"
        for node, lines in relations.items()
    }

    def is_paired(one: tuple[str, str, str, str]) -> bool:
        return any(
            (one[0], one[1]) == (two[1], two[0])
            and one[2] != two[2]
            and (not one[3] or not two[3] or one[3] == two[3])
            for two in events
        )

    unpaired = Counter(one[0] for one in set(events) if not is_paired(one))
    found = Counter(issue.subject for issue in verdict_on(files).issues if issue.code == "W009")
    assert found == unpaired


# Graphs made with malice.

SOUND: dict[str, Content] = {
    "yg-config.yaml": """\
version: "2.2.0"
name: shop
node_types:
  module: {description: A domain}
  service:
    description: A component
    required_aspects: [audit]
artifacts:
  responsibility.md: {required: always, description: What it does, included_in_relations: true}
  interface.md: {required: {when: has_incoming_relations}}
  rules.md: {required: {when: "has_aspect:audit"}}
quality:
  min_artifact_length: 5
  max_direct_relations: 2
  context_budget: {warning: 400, error: 500}
""",
    "model/orders/yg-node.yaml": "name: Orders\ntype: module\nblackbox: false\n",
    "model/orders/responsibility.md": "Takes orders.\n",
    "model/orders/service/yg-node.yaml": """\
name: Order service
type: service
aspects:
  - aspect: audit
    exceptions: [Not for drafts]
    anchors: [record]
relations:
  - {target: payments, type: calls, consumes: [charge], failure: retry}
  - {target: payments, type: emits, event_name: Placed}
mapping:
  paths: [src/orders, src/main.py]
""",
    "model/orders/service/responsibility.md": "Keeps orders.\n",
    "model/orders/service/rules.md": "Every order.\n",
    "model/payments/yg-node.yaml": """\
name: Payments
type: module
relations:
  - {target: orders/service, type: listens, event_name: Placed}
""",
    "model/payments/responsibility.md": "Takes money.\n",
    "model/payments/interface.md": "charge()\n",
    "model/orders/service/interface.md": "place()\n",
    "aspects/audit/yg-aspect.yaml": "name: Audit\nimplies: [log]\nstability: schema\n",
    "aspects/audit/content.md": "Record it.\n",
    "aspects/log/yg-aspect.yaml": "name: Log\n",
    "flows/checkout/yg-flow.yaml": "name: Checkout\nnodes:\n  - orders/service\n  - payments\n",
    "flows/checkout/description.md": DESCRIPTION,
}
SOURCES: dict[str, Content] = {"src/orders/a.py": "record()\n", "src/main.py": ""}
POISON = (
    *("\t", "\n", "\r", "\x00", "\x07", "\x1b[31m", "\x85", "\u2028", "\ufeff", "\ufffe"),
    *("\U0001f600", ": ", "- ", "[", "]", "{", "}", '"', "'", "#", "&a ", "*a", "!!int ", "%"),
    *("|\n", ">\n", "? ", "---\n", "...\n", "<<: *a\n", "~", "yes", "1e999", "0x", ".nan"),
    *("../", "..", "/", "\\", "'\"]]>", "a" * 300, "é" * 80),
)
HARMFUL = ("Cc", "Cs", "Zl", "Zp")  # control characters, surrogates, line and paragraph breaks
NAMES_OF_MALICE = (
    "model/orders/a b/yg-node.yaml",
    "model/all/yg-node.yaml",
    "model/new\nline/yg-node.yaml",
    "model/\x1b[2J/yg-node.yaml",
    "model/<&'\">]]>/yg-node.yaml",
    "model/:: ,%0A/yg-node.yaml",
    "model/\u202eevil/yg-node.yaml",
    "model/b\udcff/yg-node.yaml",
    "model/yg-node.yaml",
    "model/yg-node.yaml/yg-node.yaml",
    "model/orders/yg-aspect.yaml",
    "aspects/yg-aspect.yaml",
    "aspects/AUDIT/yg-aspect.yaml",
    "flows/f\x00g/yg-flow.yaml",
    "flows/checkout/b\udcff.md",
    "elsewhere/yg-node.yaml",
)
TEXTS = [text for text in SOUND.values() if isinstance(text, str)]
LINES = sorted({line for text in TEXTS for line in text.split("\n")})
NO_TEXT: tuple[Content, ...] = (b"\xff\xfe", b"\xef\xbb\xbf", b"", Kind.LINK, Kind.OTHER)


def changed_text(draw: st.DrawFn, text: str) -> str:
    """Damage a text in one way."""
    lines = text.split("\n")
    at = draw(st.integers(0, len(lines) - 1))
    where = draw(st.integers(0, len(text)))
    match draw(st.integers(0, 5)):
        case 0:
            return text[:where]
        case 1:
            return text[:where] + draw(st.sampled_from(POISON)) + text[where:]
        case 2:
            return "\n".join([*lines[:at], draw(st.sampled_from(LINES)), *lines[at + 1 :]])
        case 3:
            return "\n".join([*lines[:at], lines[at], *lines[at:]])
        case 4:
            return "\n".join([*lines[:at], *lines[at + 1 :]])
        case _:
            return text.replace(draw(st.sampled_from(["audit", "orders", "service"])), "log")


@st.composite
def damaged_graphs(draw: st.DrawFn) -> dict[str, Content]:
    """Draw a sound graph with one to four things done to it."""
    files = {**SCHEMAS, **SOUND}
    for _ in range(draw(st.integers(1, 4))):
        path = draw(st.sampled_from(sorted(files)))
        content = files[path]
        match draw(st.integers(0, 9)):
            case 0:
                del files[path]
            case 1 if path != "yg-config.yaml":
                closed = UnreadableError(f".yggdrasil/{path}", "permission denied")
                files[path] = draw(st.sampled_from((*NO_TEXT, closed)))
            case 2:
                files[draw(st.sampled_from(NAMES_OF_MALICE))] = content
            case _ if isinstance(content, str) and not isinstance(content, Kind):
                files[path] = changed_text(draw, content)
    return files


def places_that_are_not_there(verdict: Verdict, files: Mapping[str, Content]) -> Iterator[Place]:
    for place in (issue.place for issue in verdict.issues):
        assert place.file.startswith(".yggdrasil/") or place.file in SOURCES
        assert (place.line > 0) == (place.column > 0)
        content = files.get(place.file.removeprefix(".yggdrasil/"))
        if place.line:
            text = content if isinstance(content, str) else ""
            lines = re.split("\r\n|\r|\n", text)
            if place.line > len(lines) or place.column > len(lines[place.line - 1]) + 1:
                yield place


def test_the_graph_that_is_damaged_below_is_sound() -> None:
    assert verdict_on(SOUND, SOURCES) == Verdict("", 3, ())


@given(damaged_graphs())
@example({"yg-config.yaml": "", "model/a/yg-node.yaml": "", "aspects/a/yg-aspect.yaml": ""})
def test_no_damage_makes_validation_fail_or_lose_its_place(files: dict[str, Content]) -> None:
    verdict = verdict_on(files, SOURCES)
    shuffled = verdict_on(dict(reversed(list(files.items()))), SOURCES)
    assert shuffled == verdict
    own = [issue for issue in verdict.issues if issue.follows is None]
    assert own == sorted(own, key=lambda issue: issue.order)
    for before, issue in pairwise(verdict.issues):
        assert issue.follows in (None, before.key, before.follows)
    assert list(places_that_are_not_there(verdict, {"yg-config.yaml": CONFIG, **files})) == []


@given(damaged_graphs())
def test_no_damage_breaks_a_format(files: dict[str, Content]) -> None:
    verdict = verdict_on(files, SOURCES)
    lines = verdict_text(verdict, PLAIN, shows_all=True).split("\n")
    assert [letter for line in lines for letter in line if category(letter) in HARMFUL] == []
    assert len([line for line in lines if re.match(r" *[EW]\d{3} ", line)]) == len(verdict.issues)
    assert len(json.loads(document_text(validation_of(verdict)))["issues"]) == len(verdict.issues)
    prints = [
        result["partialFingerprints"]["yg/v1"]
        for result in json.loads(sarif(verdict.issues, RULES))["runs"][0]["results"]
    ]
    assert len(set(prints)) == len(verdict.issues)
    assert verdict_github(verdict).count("\n") == len(verdict.issues)
    assert "\r" not in verdict_github(verdict)
    ET.fromstring(verdict_junit(verdict, RULES).encode())  # noqa: S314


@given(damaged_graphs())
def test_a_graph_without_errors_gives_every_package(files: dict[str, Content]) -> None:
    verdict = verdict_on(files, SOURCES)
    if any(issue.severity is Severity.ERROR for issue in verdict.issues):
        return
    graph = read(snapshot_from(files, SOURCES))
    for node in graph.nodes:
        assert assemble(graph, node).tokens > 0


# Graphs of a size that no one draws by hand.

MANY = 2_000


def test_a_chain_of_two_thousand_relations_is_not_a_cycle() -> None:
    chain: dict[str, Content] = {
        f"model/n{i}/yg-node.yaml": calls(f"n{i + 1}") for i in range(MANY - 1)
    }
    chain[f"model/n{MANY - 1}/yg-node.yaml"] = NODE
    assert verdict_on(chain) == Verdict("", MANY, ())


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search only a little for a shorter cycle than the first: a ring has no other."""
    monkeypatch.setattr(digraph, "SEARCH_STEPS", 10_000)


@pytest.mark.usefixtures("hasty")
def test_a_ring_of_two_thousand_nodes_is_one_cycle_reported_in_a_line() -> None:
    ring = {f"model/n{i}/yg-node.yaml": calls(f"n{(i + 1) % MANY}") for i in range(MANY)}
    (issue,) = verdict_on(ring).issues
    assert issue.code == "E010"
    assert issue.message.startswith("structural cycle: n0 -> n1 -> n2 -> ")
    assert " -> .. 1961 more .. -> " in issue.message
    assert issue.message.endswith(" -> n1998 -> n1999 -> n0")


@pytest.mark.usefixtures("hasty")
def test_a_ring_of_implications_is_one_cycle() -> None:
    ring = {
        f"aspects/a{i}/yg-aspect.yaml": f"{ASPECT}implies: [a{(i + 1) % MANY}]\n"
        for i in range(MANY)
    }
    assert codes(verdict_on(ring)) == ["E017"]


def test_where_everything_calls_everything_one_pair_is_shown_first_and_every_relation() -> None:
    names = [f"n{i:03}" for i in range(120)]
    dense = {f"model/{n}/yg-node.yaml": calls(*(to for to in names if to != n)) for n in names}
    verdict = verdict_on(
        {"yg-config.yaml": f"{CONFIG}quality: {{max_direct_relations: 500}}\n", **dense}
    )
    (issue,) = verdict.issues
    assert issue.message == "structural cycle: n000 -> n001 -> n000"
    heading, *relations, _ = issue.advice
    others = [f"  n000 -> {name}" for name in names[2:]]
    assert heading == "Relations on a cycle:"
    assert relations[: len(names)] == ["  n000 -> n001", "  n001 -> n000", *others]
    assert len(set(relations)) == len(relations) == 120 * 119


def test_a_thousand_broken_references_are_all_reported() -> None:
    broken = {
        f"model/n{i}/yg-node.yaml": f"{calls(f'gone{i}')}aspects: [{{aspect: gone{i}}}]\n"
        for i in range(1000)
    }
    assert Counter(codes(verdict_on(broken))) == {"E003": 1000, "E004": 1000}


def test_a_thousand_owners_of_one_path_all_name_the_first() -> None:
    owners = {f"model/n{i:04}/yg-node.yaml": maps("src") for i in range(1000)}
    verdict = verdict_on(owners, {"src/a.py": ""})
    assert {issue.message for issue in verdict.issues} == {
        "mapping 'src' is also mapped by 'n0000'"
    }
    assert len(verdict.issues) == 999


def test_a_hundred_levels_of_nodes_and_mappings_stay_one_lineage() -> None:
    nodes = ["/".join(["a"] * depth) for depth in range(1, 101)]
    deep = {f"model/{path}/yg-node.yaml": maps(f"src/{path}") for path in nodes}
    assert verdict_on(deep, {f"src/{nodes[-1]}/a.py": ""}) == Verdict("", 100, ())


@pytest.mark.parametrize("size", [0, 1, 1_000_000])
def test_a_file_of_any_size_is_judged(size: int) -> None:
    files: dict[str, Content] = {
        "model/a/yg-node.yaml": NODE,
        "model/a/responsibility.md": "x" * size,
    }
    expected = {0: ["W002"], 1: ["W002"], 1_000_000: ["W006"]}
    assert codes(verdict_on(files)) == expected[size]


def test_pairs_of_names_that_differ_in_one_mark_stay_two() -> None:
    names = ["a", "a ", " a", "a.", "a\u200b", "A", "a/a", "á", "a\u0301"]
    files = {f"model/{name}/yg-node.yaml": NODE for name in names}
    verdict = verdict_on(files)
    assert (verdict.nodes, codes(verdict)) == (len(names), [])
    assert not any(one == two for one, two in combinations(sorted(files), 2))
