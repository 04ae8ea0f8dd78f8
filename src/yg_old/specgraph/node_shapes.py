"""The shapes of graph.json and of node files: every key, and what it has to look like."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from yg_old.specgraph.model import (
    ARTIFACT,
    DECISION,
    POLICY,
    TYPES,
    Category,
    LinkKind,
    Shape,
    Strictness,
    VerificationKind,
)
from yg_old.specgraph.shapes import (
    Key,
    ListOf,
    MapOf,
    ObjectShape,
    Tagged,
    blank_or_text,
    choice,
    text,
    whole_number,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from yg_old.specgraph.shapes import ValueShape

LONGEST_GROUP_ID = 20
ID_PATTERN, ID_FORM = "[A-Z][A-Z0-9-]{0,79}", "an id such as 'AUTH-01'"
ID = text(pattern=ID_PATTERN, form=ID_FORM)
GROUP_ID = text(pattern=ID_PATTERN, form=ID_FORM, most=LONGEST_GROUP_ID)
DIGEST = text(pattern="[0-9A-Fa-f]{64}", form="a SHA-256 in 64 hexadecimal digits")
VERSION = text(
    pattern=r"(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-[0-9A-Za-z.-]+)?",
    form="a version such as '1.0.0'",
)
JSON_PATH = text(
    pattern=r"[A-Za-z0-9._/-]*\.json",
    form="a path of letters, digits and '._/-' that ends in '.json'",
)
ANY_TEXT = text(least=0)
SOME_TEXT = text()
TEXTS = ListOf(SOME_TEXT)

OPTIONS = {
    "cwd": Key(SOME_TEXT, "The directory to run it in."),
    "env": Key(MapOf(ANY_TEXT), "Environment variables to set."),
    "timeoutSeconds": Key(whole_number(1, 3600), "After how many seconds it has failed."),
    "expected": Key(ANY_TEXT, "What is to be seen when it holds."),
    "description": Key(SOME_TEXT, "What it shows."),
}
HTTP_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
KIND_KEY = Key(SOME_TEXT, "How it is carried out.", is_required=True)


def _entry(**required: Key) -> ObjectShape:
    return ObjectShape(keys={"kind": KIND_KEY, **OPTIONS, **required})


def _needed(shape: ValueShape, about: str) -> Key:
    return Key(shape, about, is_required=True)


VERIFICATION = Tagged(
    tag="kind",
    about="How it is carried out.",
    branches={
        VerificationKind.COMMAND: _entry(
            command=_needed(SOME_TEXT, "The command to run."),
            url=Key(SOME_TEXT, "What the command asks."),
        ),
        VerificationKind.HTTP: _entry(
            method=_needed(choice(HTTP_METHODS), "The method of the request."),
            url=_needed(SOME_TEXT, "Where it goes."),
            expectStatus=_needed(whole_number(100, 599), "The status that has to come back."),
        ),
        VerificationKind.MANUAL: _entry(
            steps=_needed(ListOf(SOME_TEXT, may_be_empty=False), "What to do, step by step.")
        ),
        VerificationKind.OBSERVATION: _entry(description=_needed(SOME_TEXT, "What to look for.")),
        VerificationKind.POLICY: _entry(ruleId=_needed(SOME_TEXT, "The rule that is checked.")),
    },
    otherwise=ObjectShape(keys=OPTIONS, is_open=True),
    may_be_text=SOME_TEXT,
)
LINKS = ObjectShape(
    keys={
        LinkKind.CONTAINS: Key(TEXTS, "What belongs to it."),
        LinkKind.DEPENDS_ON: Key(TEXTS, "What has to be there before it."),
        LinkKind.CONSTRAINS: Key(TEXTS, "What it restricts."),
        LinkKind.IMPLEMENTS: Key(TEXTS, "What it makes real."),
        LinkKind.DERIVED_FROM: Key(TEXTS, "What it was made from."),
        LinkKind.VERIFIED_BY: Key(TEXTS, "What shows that it holds."),
        LinkKind.SUPERSEDES: Key(TEXTS, "What it replaces."),
    }
)
REJECTED = ObjectShape(
    keys={
        "title": _needed(text(3), "What was turned down."),
        "reason": _needed(text(10), "Why."),
    },
)
METADATA = ObjectShape(
    keys={
        "rationale": Key(blank_or_text(10), "Why it is so."),
        "notes": Key(ANY_TEXT, "Whatever else is worth knowing."),
        "owner": Key(ANY_TEXT, "Who answers for it."),
        "tags": Key(ListOf(ANY_TEXT), "Words to find it by."),
        "rejected_alternatives": Key(ListOf(REJECTED), "What was considered and turned down."),
    },
    is_open=True,
)
PIN = ObjectShape(
    keys={
        "id": _needed(SOME_TEXT, "The source."),
        "sha256": _needed(DIGEST, "The state of it that was used."),
    }
)
ARTIFACT_SHAPE = ObjectShape(
    keys={
        "sha256": _needed(DIGEST, "The digest of the file."),
        "source": Key(SOME_TEXT, "Where the file comes from."),
        "format": Key(SOME_TEXT, "What kind of file it is."),
    }
)
SPECIAL = {
    DECISION: {
        "category": Key(choice(tuple(Category)), "What the decision is about.", is_required=True)
    },
    POLICY: {
        "severity": Key(
            choice(tuple(Strictness)), "Whether the policy may be bent.", is_required=True
        )
    },
    ARTIFACT: {"artifact": Key(ARTIFACT_SHAPE, "The file it stands for.", is_required=True)},
}
ELSEWHERE = {"category": "decisions", "severity": "policies", "artifact": "artifact nodes"}
ANYWHERE = {
    "links": Key(LINKS, "The nodes it is tied to, by kind of link."),
    "metadata": Key(METADATA, "What helps to judge it."),
    "$schema": Key(SOME_TEXT, "The schema of this file, for editors."),
}
CONSTRAINTS = Key(TEXTS, "What restricts it.")


def _record(shape: Shape, special: Mapping[str, Key] = MappingProxyType({})) -> ObjectShape:
    is_group = shape is Shape.GROUPING
    keys = {
        "id": _needed(GROUP_ID if is_group else ID, "The name of the node, as in graph.json."),
        "type": _needed(SOME_TEXT, "What kind of node it is."),
        **_text_keys(shape),
        **special,
        **ANYWHERE,
    }
    return ObjectShape(keys=keys, elsewhere=ELSEWHERE, alike=frozenset(Shape))


def _text_keys(shape: Shape) -> dict[str, Key]:
    """Return the keys under which nodes of one shape say what they are about."""
    about = "What it is, in a few words."
    match shape:
        case Shape.GROUPING:
            return {
                "title": _needed(text(3, 100), about),
                shape.value: _needed(SOME_TEXT, "What belongs together here."),
            }
        case Shape.BEHAVIOR:
            return {
                "title": _needed(text(3, 100), about),
                shape.value: _needed(text(10), "What is to be seen from outside."),
                "verification": _needed(text(5), "How to tell that it holds."),
                "constraints": CONSTRAINTS,
            }
        case Shape.CONTRACT:
            entries = ListOf(VERIFICATION, may_be_empty=False)
            return {
                "title": _needed(text(3, 140), about),
                shape.value: _needed(SOME_TEXT, "What holds."),
                "verification": _needed(entries, "How to tell that it holds."),
                "constraints": CONSTRAINTS,
                "pins": Key(ListOf(PIN), "The states of its sources that were used."),
            }


# Types without keys of their own share a record, which the schema then describes once.
_PLAIN = {shape: _record(shape) for shape in Shape}
NODE = Tagged(
    tag="type",
    about="What kind of node it is.",
    branches={
        name: _record(kind.shape, SPECIAL[name]) if name in SPECIAL else _PLAIN[kind.shape]
        for name, kind in TYPES.items()
    },
    otherwise=ObjectShape(keys=ANYWHERE, is_open=True),
)
REFERENCE = ObjectShape(
    keys={
        "id": _needed(ID, "The name of the node."),
        "path": _needed(JSON_PATH, "Its file, from the folder that holds graph.json."),
        "sha256": Key(DIGEST, "The digest that its file has to have."),
        "expectedType": Key(choice(tuple(TYPES)), "The type that its file has to say."),
    }
)
INDEX = ObjectShape(
    keys={
        "$schema": Key(SOME_TEXT, "The schema of this file, for editors."),
        "specgraphVersion": _needed(VERSION, "The version of the format."),
        "root": Key(SOME_TEXT, "The id of the node to begin with."),
        "nodes": _needed(ListOf(REFERENCE, may_be_empty=False), "The nodes of the graph."),
        "nodeSearchPaths": Key(TEXTS, "Where tools may look for node files."),
        "defaults": Key(MapOf(), "Settings of other tools."),
    }
)
