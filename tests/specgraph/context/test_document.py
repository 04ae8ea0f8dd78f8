"""The document of a context, to the byte."""

from __future__ import annotations

from typing import Any

import pytest

from specgraph.graphs import DIGEST, Data, node, spec
from yg.specgraph.context.assemble import assemble
from yg.specgraph.context.document import collapsed, sentence, text_lines

T = "T"
SHOWN = "0123456789ab.."  # the digest as it is written
TARGET = node("behavior", title="Target", expectation="It is seen.", verification="check it")


def document(nodes: dict[str, Data], depth: int | str = 2) -> str:
    return assemble(spec({T: TARGET, **nodes}), T, depth).text


def section(nodes: dict[str, Data], heading: str, depth: int | str = 2) -> str:
    """Return the lines of one section."""
    _, _, rest = document(nodes, depth).partition(f"\n## {heading}\n")
    return rest.split("\n\n", 1)[0].rstrip("\n")


# CTX-15: the whole.


def test_a_document_is_a_title_and_sections_apart_by_one_blank_line() -> None:
    nodes = {
        T: node(
            "behavior",
            title="Sign-in form",
            expectation="A form asks for mail address and password",
            constraints=["What is typed is not shown"],
            verification="pytest -k SIGNIN",
            depends_on=["DEC-1"],
            implements=["DOM-1"],
        ),
        "SIGNIN": node("feature", title="Signing in", description="Who is who", contains=[T]),
        "DEC-1": node(
            "decision",
            category="architecture",
            statement="Pages know a port",
            constraints=["The port has three functions"],
            metadata={
                "rationale": "Tests need no network",
                "rejected_alternatives": [{"title": "A widget", "reason": "It cannot be tested"}],
            },
            depends_on=["DEC-2"],
        ),
        "DEC-2": node(
            "decision",
            category="stack",
            statement="A server of our own",
            metadata={"rationale": "Ours"},
        ),
        "DOM-1": node("domain", title="Customer", statement="somebody with a mail address"),
        "POL-1": node(
            "policy",
            statement="Pages are quick",
            constrains=[T],
            verification=[{"kind": "command", "command": "measure", "timeoutSeconds": 60}],
        ),
    }
    assert (
        document(nodes)
        == """\
# Context for T: Sign-in form

## Behavior
A form asks for mail address and password.
Constraints: What is typed is not shown.

## Namespace
- SIGNIN: Signing in (feature) — Who is who.

## Architectural Decisions
- DEC-1: Pages know a port.
  Constraints: The port has three functions.
  Rationale: Tests need no network.
  Rejected alternatives:
  - A widget: It cannot be tested.

## Technology Decisions
- DEC-2: A server of our own.
  Rationale: Ours.

## Domain Concepts
- DOM-1: Customer — somebody with a mail address.

## Policies
- POL-1: Pages are quick. (severity: hard)

## Verification
pytest -k SIGNIN
- POL-1: measure (timeout: 60s)
"""
    )


def test_a_target_that_says_nothing_has_a_title_alone() -> None:
    nodes = {T: {"type": "behavior", "title": "Bare"}}
    assert document(nodes) == "# Context for T: Bare\n"


# The sections, in their order.


ONE_OF_EACH: dict[str, Data] = {
    "N-LAYER": node("layer"),
    "FND": node("foundation"),
    "D-ARCH": node("decision", category="architecture"),
    "D-STACK": node("decision", category="stack"),
    "D-PATTERN": node("decision", category="pattern"),
    "D-FACE": node("decision", category="interface"),
    "D-OTHER": node("decision", category="taste"),
    "DOM": node("domain"),
    "TOK": node("design_token"),
    "UI": node("ui_contract"),
    "API": node("api_contract"),
    "DM": node("data_model"),
    "ART": node("artifact"),
    "EQV": node("equivalence_contract"),
    "PIPE": node("pipeline"),
    "ODD": node("gadget"),
    "BEH": node("behavior"),
    "POL": node("policy"),
}
HEADINGS = [
    "Decision",
    "Warnings",
    "Namespace",
    "Foundations",
    "Architectural Decisions",
    "Technology Decisions",
    "Pattern Decisions",
    "Interface Decisions",
    "Other Decisions",
    "Domain Concepts",
    "Design Tokens",
    "UI Contracts",
    "API Contracts",
    "Data Models",
    "Artifacts",
    "Equivalence Contracts",
    "Pipelines",
    "Other Nodes",
    "Related Behaviors",
    "Policies",
    "Affected Nodes",
    "Verification",
]


def test_the_twenty_two_sections_come_in_their_order() -> None:
    target = node("decision", depends_on=[*sorted(ONE_OF_EACH), "GONE"], constrains=["AFFECTED"])
    nodes = {T: target, "AFFECTED": node("domain"), **ONE_OF_EACH}
    lines = document(nodes).split("\n")
    assert [line.removeprefix("## ") for line in lines if line.startswith("## ")] == HEADINGS


@pytest.mark.parametrize(
    ("name", "heading", "lines"),
    [
        (
            "N-LAYER",
            "Namespace",
            "- N-LAYER: A layer (layer) — What belongs together. (via T -> N-LAYER)",
        ),
        ("FND", "Foundations", "- FND: Something holds."),
        (
            "D-ARCH",
            "Architectural Decisions",
            "- D-ARCH: Something holds.\n  Rationale: It is simple.",
        ),
        (
            "D-STACK",
            "Technology Decisions",
            "- D-STACK: Something holds.\n  Rationale: It is simple.",
        ),
        (
            "D-PATTERN",
            "Pattern Decisions",
            "- D-PATTERN: Something holds.\n  Rationale: It is simple.",
        ),
        ("D-FACE", "Interface Decisions", "- D-FACE: Something holds.\n  Rationale: It is simple."),
        ("D-OTHER", "Other Decisions", "- D-OTHER: Something holds.\n  Rationale: It is simple."),
        ("DOM", "Domain Concepts", "- DOM: A domain — Something holds."),
        ("TOK", "Design Tokens", "- TOK: Something holds."),
        ("UI", "UI Contracts", "- UI: Something holds."),
        ("API", "API Contracts", "- API: Something holds."),
        ("DM", "Data Models", "- DM: Something holds."),
        ("ART", "Artifacts", f"- ART: Something holds.\n  Artifact: sha256:{SHOWN}"),
        ("EQV", "Equivalence Contracts", "- EQV: Something holds."),
        ("PIPE", "Pipelines", "- PIPE: Something holds."),
        ("ODD", "Other Nodes", "- ODD: Something holds."),
        ("BEH", "Related Behaviors", "- BEH: Something can be seen."),
        ("POL", "Policies", "- POL: Something holds. (severity: hard)"),
    ],
)
def test_a_node_is_listed_in_the_section_of_its_type(name: str, heading: str, lines: str) -> None:
    nodes = {T: node("behavior", depends_on=[name]), name: ONE_OF_EACH[name]}
    assert section(nodes, heading) == lines


# CTX-16: sentences.


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("One", "One."),
        ("One.", "One."),
        ("Really?", "Really?"),
        ("Now!", "Now!"),
        ("  two\n\tlines \r\n here ", "two lines here."),
        ("ends in a colon:", "ends in a colon:."),
        ("(in brackets.)", "(in brackets.)."),
        ("", ""),
        (" \n ", ""),
    ],
)
def test_text_becomes_one_sentence(text: str, line: str) -> None:
    assert sentence(text) == line


def test_a_title_is_put_on_one_line_and_otherwise_left_alone() -> None:
    assert collapsed("  Sign-in\n form ") == "Sign-in form"
    assert document({T: {**TARGET, "title": "Sign-in\n form"}}).startswith(
        "# Context for T: Sign-in form\n"
    )


def test_a_node_cannot_forge_a_heading() -> None:
    nodes = {T: {**TARGET, "expectation": "# Policies\n## None", "verification": "# all\n# of it"}}
    assert (
        document(nodes)
        == """\
# Context for T: Target

## Behavior
\\# Policies
\\## None

## Verification
      # all
      # of it
"""
    )


# CTX-17: the target.


def test_a_policy_says_how_strict_it_is() -> None:
    nodes = {T: node("policy", severity="soft", constraints=["Not on Sundays"])}
    assert (
        section(nodes, "Policy") == "Something holds.\nSeverity: soft\nConstraints: Not on Sundays."
    )


def test_a_group_says_what_it_contains_in_the_author_s_order() -> None:
    nodes = {T: node("feature", contains=["Z", "A"]), "Z": node("domain"), "A": node("domain")}
    assert section(nodes, "Feature") == "What belongs together.\nContains: Z, A"


def test_the_details_of_a_target_are_not_indented() -> None:
    nodes = {
        T: node(
            "decision",
            constraints=["One", "Two!"],
            pins=[{"id": "SRC", "sha256": DIGEST}],
            metadata={
                "rationale": "Because",
                "rejected_alternatives": [
                    {"title": "Another  way", "reason": "Too slow"},
                    {"title": "No way", "reason": "Nothing works?"},
                ],
            },
        )
    }
    assert (
        section(nodes, "Decision")
        == f"""\
Something holds.
Constraints:
- One.
- Two!
Pin: SRC sha256:{SHOWN}
Rationale: Because.
Rejected alternatives:
- Another way: Too slow.
- No way: Nothing works?"""
    )


# CTX-18 and CTX-20: bullets and details.


def test_the_details_of_a_node_stand_below_it() -> None:
    nodes = {
        T: node("behavior", depends_on=["ART"]),
        "ART": node(
            "artifact",
            constraints=["One", "Two"],
            artifact={"sha256": DIGEST, "source": "api/x.yaml", "format": "OpenAPI"},
            pins=[{"id": "A", "sha256": DIGEST}, {"id": "B", "sha256": DIGEST}],
        ),
    }
    assert (
        section(nodes, "Artifacts")
        == f"""\
- ART: Something holds.
  Constraints:
  - One.
  - Two.
  Artifact: sha256:{SHOWN}; source: api/x.yaml; format: OpenAPI
  Pin: A sha256:{SHOWN}
  Pin: B sha256:{SHOWN}"""
    )


@pytest.mark.parametrize("metadata", [{}, {"rationale": " "}, {"rationale": 7}, None])
def test_a_missing_reason_is_shown_as_missing(metadata: Any) -> None:
    nodes = {T: node("behavior", depends_on=["D"]), "D": node("decision", metadata=metadata)}
    assert section(nodes, "Pattern Decisions") == "- D: Something holds.\n  Rationale: (missing)"


@pytest.mark.parametrize("category", [None, "", "taste", 7])
def test_a_decision_without_a_known_category_is_another_decision(category: Any) -> None:
    nodes = {T: node("behavior", depends_on=["D"]), "D": node("decision", category=category)}
    assert section(nodes, "Other Decisions").startswith("- D: Something holds.")


# CTX-19: annotations.

SURROUNDED = {
    "F": node("feature", contains=[T], depends_on=["L1", "FND"]),
    "G": node("feature", contains=["F"], depends_on=["FND"]),
    "L1": node("layer", depends_on=["L2"]),
    "L2": node("layer"),
    "FND": node("foundation"),
    "NEW": node("policy", supersedes=["P"]),
}


@pytest.mark.parametrize(
    ("constrains", "note"),
    [
        ([T, "F", "L1"], "severity: hard; superseded by NEW"),
        (["G", "F", "L1"], "severity: hard; inherited via F, G; superseded by NEW"),
        (["L2", "L1"], "severity: hard; via layer L1, L2; superseded by NEW"),
    ],
)
def test_guidance_says_by_the_nearest_way_how_it_got_here(constrains: list[str], note: str) -> None:
    nodes = {**SURROUNDED, "P": node("policy", constrains=constrains)}
    line = f"- P: Something holds. ({note})\n  Superseded by NEW: Something holds."
    assert section(nodes, "Policies") == line


def test_a_node_that_the_target_links_to_needs_no_way() -> None:
    nodes = {
        **SURROUNDED,
        T: {**TARGET, "links": {"depends_on": ["P", "FND"]}},
        "P": node("policy", constrains=["F", "L1"]),
    }
    assert (
        section(nodes, "Policies")
        == """\
- P: Something holds. (severity: hard; superseded by NEW)
  Superseded by NEW: Something holds."""
    )
    assert section(nodes, "Foundations") == "- FND: Something holds."


def test_a_foundation_says_which_groups_require_it() -> None:
    assert section(SURROUNDED, "Foundations") == "- FND: Something holds. (required by F, G)"


def test_a_foundation_can_be_guidance_and_required() -> None:
    nodes = {**SURROUNDED, "FND": node("foundation", constrains=["G"])}
    line = "- FND: Something holds. (inherited via G; required by F, G)"
    assert section(nodes, "Foundations") == line


def test_a_layer_that_contains_the_target_needs_no_way() -> None:
    nodes = {
        "L1": node("layer", contains=[T], depends_on=["L2"]),
        "L2": node("layer"),
        "L3": node("layer", supersedes=["L2"]),
    }
    assert (
        section(nodes, "Namespace")
        == """\
- L1: A layer (layer) — What belongs together.
- L2: A layer (layer) — What belongs together. (superseded by L3; via T -> L1 -> L2)
  Superseded by L3: A layer (layer) — What belongs together."""
    )


def test_what_a_group_needs_says_which_groups_require_it() -> None:
    nodes = {
        "F": node("feature", contains=[T], depends_on=["API", "L", "G"]),
        "G": node("feature", contains=["F"], implements=["API"]),
        "API": node("api_contract"),
        "L": node("layer"),
    }
    assert section(nodes, "API Contracts") == "- API: Something holds. (required by F, G)"
    assert (
        section(nodes, "Namespace")
        == """\
- F: A feature (feature) — What belongs together.
- G: A feature (feature) — What belongs together.
- L: A layer (layer) — What belongs together. (via T -> F -> L)"""
    )
    assert "API" not in document(nodes, 1)


def test_of_a_long_path_only_the_ends_are_shown() -> None:
    chain = {f"A{at}": node("behavior", depends_on=[f"A{at + 1}"]) for at in range(1, 4)}
    nodes = {
        T: node("behavior", depends_on=["A1"]),
        **chain,
        "A3": node("behavior", depends_on=["L3"]),
        "A2": node("behavior", depends_on=["A3", "L2"]),
        "L2": node("layer"),
        "L3": node("layer"),
    }
    assert (
        section(nodes, "Namespace")
        == """\
- L2: A layer (layer) — What belongs together. (via T -> A1 -> A2 -> L2)
- L3: A layer (layer) — What belongs together. (via T -> .. -> A3 -> L3)"""
    )


# CTX-26: the text of what supersedes a node.


def test_what_supersedes_a_node_is_quoted_unless_it_is_in_the_document() -> None:
    nodes = {
        T: node("decision", depends_on=["A", "NEW-2"], metadata={"rationale": "So it is."}),
        "A": node("artifact", pins=[{"id": "B", "sha256": "ab"}]),
        "NEW-1": node("domain", title="New", statement="one\ntwo", supersedes=["A", T]),
        "NEW-2": node("domain", supersedes=["A"]),
        "NEW-3": node("policy", statement="Three", supersedes=["A"]),
    }
    assert (
        section(nodes, "Artifacts")
        == f"""\
- A: Something holds. (superseded by NEW-1, NEW-2, NEW-3)
  Artifact: sha256:{SHOWN}
  Pin: B sha256:ab
  Superseded by NEW-1: New — one
    two
  Superseded by NEW-3: Three."""
    )
    assert (
        section(nodes, "Decision")
        == """\
Something holds.
Rationale: So it is.
Superseded by NEW-1: New — one
two"""
    )


def test_what_the_target_affects_is_not_in_the_document() -> None:
    nodes = {
        T: node("feature", depends_on=["OLD"], contains=["NEW"]),
        "OLD": node("domain"),
        "NEW": node("domain", supersedes=["OLD"]),
    }
    assert section(nodes, "Domain Concepts").endswith(
        "\n  Superseded by NEW: A domain — Something holds."
    )


# CTX-27: rationale and notes of the target.


def test_a_target_of_any_type_gives_its_rationale_and_notes_last() -> None:
    metadata = {"rationale": "Why it is", "notes": "One\n\n- two"}
    nodes = {T: node("feature", contains=["A"], metadata=metadata), "A": node("domain")}
    assert (
        document(nodes).split("\n## ")[1]
        == """\
Feature
What belongs together.
Contains: A
Rationale: Why it is.
Notes: One

- two
"""
    )
    nodes = {T: node("domain", metadata={"rationale": " ", "notes": "\n"})}
    assert section(nodes, "Domain Concept") == "Something holds."


def test_others_do_not_give_their_notes_and_a_decision_its_rationale_once() -> None:
    metadata = {"rationale": "Why it is", "notes": "Noted"}
    nodes = {
        T: node("decision", metadata=metadata, depends_on=["A", "B"]),
        "A": node("domain", metadata=metadata),
        "B": node("decision", metadata=metadata),
    }
    assert section(nodes, "Decision") == ("Something holds.\nRationale: Why it is.\nNotes: Noted.")
    assert section(nodes, "Domain Concepts") == "- A: A domain — Something holds."
    assert section(nodes, "Pattern Decisions") == "- B: Something holds.\n  Rationale: Why it is."


# CTX-28: texts of several lines.


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("one\ntwo", ["one", "two"]),
        ("\n \n one \r\n\ttwo\rthree \n\n", [" one ", "\ttwo", "three "]),
        ("one\n \n\ntwo", ["one", "", "", "two"]),
        ("one\x0bone\u2028one\n", ["one one one."]),
        ("\n one  more \n", ["one more."]),
        ("", [""]),
        ("# a\n# b\n  ## c", ["# a", "\\# b", "  \\## c"]),
        ("a\n===\n - \n--\n-=\n- x", ["a", "\\===", " \\- ", "\\--", "-=", "- x"]),
    ],
)
def test_a_text_of_several_lines_is_kept_as_it_is_written(text: str, lines: list[str]) -> None:
    assert text_lines(text) == lines


LONG = "First\n\n  - second\n# third"


def test_the_target_s_section_indents_no_line() -> None:
    nodes = {
        T: node("decision", statement=LONG, constraints=[LONG], metadata={"rationale": LONG}),
    }
    text = "First\n\n  - second\n\\# third"
    assert document(nodes).split("\n\n## ")[1] == (
        f"Decision\n{text}\nConstraints: {text}\nRationale: {text}"
    )


def test_further_lines_of_an_entry_are_indented_below_it() -> None:
    rejected = [{"title": "Other", "reason": "a\nb"}]
    nodes = {
        T: node("behavior", depends_on=["D"]),
        "D": node(
            "decision",
            statement=LONG,
            constraints=["One", "Two\n\nthree"],
            metadata={"rationale": LONG, "rejected_alternatives": rejected},
        ),
        "P": node("policy", statement="x\ny", constrains=[T]),
    }
    assert (
        document(nodes).split("\n## ")[2]
        == """\
Pattern Decisions
- D: First

    - second
  \\# third
  Constraints:
  - One.
  - Two

    three
  Rationale: First

      - second
    \\# third
  Rejected alternatives:
  - Other: a
    b
"""
    )
    assert section(nodes, "Policies") == "- P: x\n  y (severity: hard)"


# CTX-21: affected nodes.


def test_affected_nodes_are_listed_by_id_with_their_links() -> None:
    nodes = {
        T: node("decision", supersedes=["B"], constrains=["B", "A"], contains=["B"]),
        "A": node("domain", title="First  one"),
        "B": node("domain", title="Second"),
    }
    lines = "- A: First one (constrains)\n- B: Second (constrains, contains, supersedes)"
    assert section(nodes, "Affected Nodes") == lines


# CTX-23: verification.


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        ("make  test", "make  test"),
        ("first\n\nsecond\r\nthird\n", "first\n  \n  second\n  third"),
        ({"kind": "command", "command": "make"}, "make"),
        ({"kind": "command", "command": "make", "cwd": "web"}, "make (cwd: web)"),
        ({"kind": "command", "command": "make", "env": {"B": "2", "A": 1}}, "make (env: A=1, B=2)"),
        ({"kind": "command", "command": "make", "timeoutSeconds": 60}, "make (timeout: 60s)"),
        ({"kind": "command", "command": "make", "timeoutSeconds": 0.5}, "make (timeout: 0.5s)"),
        ({"kind": "command", "command": "make", "expected": "ok"}, "make => ok"),
        ({"kind": "command", "command": "make", "expected": 0}, "make => 0"),
        (
            {
                "kind": "command",
                "command": "make",
                "expected": "ok",
                "description": "all of it",
                "timeoutSeconds": 9.0,
                "env": {"A": "x"},
                "cwd": ".",
            },
            "make (cwd: .; env: A=x; timeout: 9s) — all of it => ok",
        ),
        ({"kind": "http", "method": "GET", "url": "/a", "expectStatus": 200}, "GET /a -> 200"),
        ({"kind": "manual", "steps": ["Look", "Listen"]}, "Manual: Look; Listen"),
        (
            {"kind": "manual", "steps": ["Look"], "description": "by eye", "expected": "light"},
            "Manual: Look — by eye => light",
        ),
        ({"kind": "observation", "description": "it glows"}, "Observe: it glows"),
        (
            {"kind": "observation", "description": "it glows", "cwd": "lab", "expected": "red"},
            "Observe: it glows (cwd: lab) => red",
        ),
        ({"kind": "policy", "ruleId": "R-1"}, "Rule R-1"),
        ({"kind": "policy", "ruleId": "R-1", "description": "no mouse"}, "Rule R-1: no mouse"),
    ],
)
def test_a_check_is_written_as_its_kind_asks(entry: Any, text: str) -> None:
    nodes = {T: node("domain", verification=[entry])}
    assert section(nodes, "Verification") == text
    nodes = {T: TARGET, "P": node("policy", verification=[entry], constrains=[T])}
    assert section(nodes, "Verification") == f"check it\n- P: {text}"


def test_checks_of_the_target_come_first_then_policies_then_what_verifies_it() -> None:
    nodes = {
        T: node("domain", verification=["own 1", "own 2"], verified_by=["V2", "P1", "V1", "F"]),
        "V1": node("pipeline", verification=["v 1"]),
        "V2": node("pipeline", verification=["v 2", "v 3"], verified_by=["V3"]),
        "V3": node("pipeline", verification=["never"]),
        "F": node("feature"),
        "P1": node("policy", verification=["p 1"]),
        "P2": node("policy", verification=["p 2"], constrains=[T]),
        "D": node("decision", verification=["never"], constrains=[T]),
    }
    assert (
        section(nodes, "Verification")
        == """\
own 1
own 2
- P1: p 1
- P2: p 2
- V2: v 2
- V2: v 3
- V1: v 1"""
    )


def test_a_group_has_no_checks_of_its_own() -> None:
    nodes = {T: node("feature"), "P": node("policy", constrains=[T])}
    assert section(nodes, "Verification") == "- P: make test"
    assert "## Verification" not in document({T: node("feature")})


SCRIPT = """\
set -e
# Build it.
make
# ---
make test"""


def test_a_script_runs_as_it_is_copied() -> None:
    nodes = {T: node("domain", verification=[{"kind": "command", "command": SCRIPT}])}
    first, *rest = document(nodes).partition("## Verification\n")[2].splitlines()
    assert [first, *(line.removeprefix("      ") for line in rest)] == SCRIPT.splitlines()
    assert all(line.startswith("      ") for line in rest)


def test_a_block_of_code_in_a_check_is_not_escaped() -> None:
    fenced = "Run this:\n```sh\n# comment\n```\n# Not code"
    nodes = {T: node("domain", verification=[fenced])}
    assert document(nodes).partition("## Verification\n")[2] == (
        "Run this:\n  ```sh\n  # comment\n  ```\n  \\# Not code\n"
    )


def test_a_block_of_code_that_stays_open_is_escaped() -> None:
    nodes = {T: node("domain", verification=["Run this:\n~~~\n# comment\n```"])}
    assert document(nodes).partition("## Verification\n")[2] == (
        "Run this:\n  ~~~\n  \\# comment\n  ```\n"
    )


def test_a_check_of_another_node_may_begin_with_a_block_of_code() -> None:
    nodes = {
        T: node("domain", verified_by=["V"]),
        "V": node("behavior", expectation="It is.", verification=["```sh\n# comment\n```"]),
    }
    assert document(nodes).partition("## Verification\n")[2] == (
        "make test\n- V:\n  ```sh\n  # comment\n  ```\n"
    )
