"""References to what exists but could not be read follow from the error there."""

from __future__ import annotations

import pytest

from engine.rules.judged import ASPECT, calls, carries, issues_in
from graphs import NODE, Content
from yg.kernel.issue import Issue

BAD_NODE: dict[str, Content] = {"model/bad/yg-node.yaml": "- no mapping\n"}
BAD_ASPECT: dict[str, Content] = {"aspects/bad/yg-aspect.yaml": "- no mapping\n"}
PARTICIPANT: dict[str, Content] = {"model/a/yg-node.yaml": NODE}


@pytest.mark.parametrize(
    ("code", "files"),
    [
        ("E003", {**BAD_ASPECT, "model/a/yg-node.yaml": carries("bad")}),
        ("E004", {**BAD_NODE, "model/a/yg-node.yaml": calls("bad")}),
        ("E006", {**BAD_NODE, "flows/f/yg-flow.yaml": "name: F\nnodes: [bad]\n"}),
        (
            "E007",
            {
                **BAD_ASPECT,
                **PARTICIPANT,
                "flows/f/yg-flow.yaml": "name: F\nnodes: [a]\naspects: [bad]\n",
            },
        ),
        ("E016", {**BAD_ASPECT, "aspects/x/yg-aspect.yaml": f"{ASPECT}implies: [bad]\n"}),
    ],
)
def test_a_reference_to_something_unreadable_follows(code: str, files: dict[str, Content]) -> None:
    (follower,) = [issue for issue in issues_in(files) if issue.follows]
    (cause,) = [issue for issue in issues_in(files) if not issue.follows]
    assert follower.code == code
    assert cause.file == f".yggdrasil/{next(iter(files))}"
    assert follower.advice == (f"It exists but could not be read: fix {cause.file} first.",)


def the(code: str, files: dict[str, Content]) -> Issue:
    (found,) = [issue for issue in issues_in(files) if issue.code == code]
    return found


def test_an_aspect_that_is_only_a_group_of_others_is_unknown() -> None:
    issue = the(
        "E003", {"model/a/yg-node.yaml": carries("group"), "aspects/group/x/yg-aspect.yaml": ASPECT}
    )
    assert not issue.follows
    assert issue.advice == ("Existing aspects: group/x", "Did you mean 'group/x'?")


def test_a_node_that_is_only_a_group_of_others_is_unknown() -> None:
    issue = the(
        "E004", {"model/a/yg-node.yaml": calls("group"), "model/group/x/yg-node.yaml": NODE}
    )
    assert (issue.follows, issue.advice) == (None, ("Did you mean 'group/x'?",))


def test_a_directory_with_files_but_without_its_declaration_counts_as_unreadable() -> None:
    files: dict[str, Content] = {
        "model/a/yg-node.yaml": carries("loose"),
        "aspects/loose/content.md": "Be careful.\n",
    }
    issue = the("E003", files)
    assert issue.follows
    assert issue.advice == ("It exists but could not be read: fix .yggdrasil/aspects/loose first.",)


def test_an_aspect_of_the_configuration_that_is_unreadable_follows_too() -> None:
    types = "node_types: {service: {description: S, required_aspects: [bad]}}\n"
    config = f"name: test\n{types}artifacts: {{a.md: {{required: {{when: 'has_aspect:bad'}}}}}}\n"
    issues = issues_in({"yg-config.yaml": config, **BAD_ASPECT})
    assert [(issue.code, bool(issue.follows)) for issue in issues] == [
        ("E018", False),
        ("E012", True),
        ("E013", True),
    ]
