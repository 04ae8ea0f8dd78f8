"""Manual pages of rules and JSON Schemas: for a terminal, as Markdown, as data."""

from __future__ import annotations

import json
from typing import Annotated, Any, NoReturn

import jsonschema
import pytest
from msgspec import UNSET, Meta, UnsetType

from yg.commands.command import Document, Level, Record, json_text
from yg.commands.explain import (
    COMMAND,
    OPENING,
    ExplainRequest,
    Manual,
    Schemas,
    ask,
    json_schema,
    markdown,
    text,
)
from yg.kernel.errors import NotFoundError, UsageError
from yg.kernel.issue import Severity
from yg.kernel.palette import PLAIN, Palette
from yg.kernel.rule import Rule

PAGE = """\
Every tree stands upright.

Trees in pots
are left alone.

Why: a tree that lies
shades nobody.
Fix: plant it again.
Example:
    trees:
      - oak    # E099: it lies

    done: true"""
SHORT_PAGE = "It has leaves.\n\nWhy: W.\nFix: F.\nExample:\n    e"
RULES: tuple[Rule[Any], ...] = (
    Rule("E099", "fallen-tree", Severity.ERROR, PAGE, lambda _: (), "Fallen tree"),
    Rule("W099", "bare-tree", Severity.WARNING, SHORT_PAGE, lambda _: (), "Bare tree"),
)


class NoWorkspace:
    """A workspace that must not be used."""

    def __getattr__(self, name: str) -> NoReturn:
        raise AssertionError(name)


@pytest.fixture(autouse=True)
def known_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("yg.yggdrasil.rules.RULES", RULES, raising=False)


def explained(code: str | None = None, schema: str | None = None) -> Manual | Schemas:
    workspace: Any = NoWorkspace()
    return ask(workspace, ExplainRequest(code=code, schema=schema))


@pytest.mark.parametrize("code", ["E099", "e099", "fallen-tree"])
def test_a_page_has_its_parts_as_paragraphs_and_its_example_as_it_is(code: str) -> None:
    assert (
        text(explained(code), PLAIN)
        == """\
E099 fallen-tree (error)

Every tree stands upright.

Trees in pots are left alone.

Why: A tree that lies shades nobody.

Fix: Plant it again.

Example:
    trees:
      - oak    # E099: it lies

    done: true
"""
    )


def test_a_page_on_a_terminal_marks_code_name_and_labels() -> None:
    page = text(explained("E099"), Palette(is_on=True))
    assert page.startswith("\x1b[31;1mE099\x1b[0m \x1b[1mfallen-tree\x1b[0m (error)\n")
    assert "\n\x1b[1mWhy:\x1b[0m A tree" in page
    assert text(explained("W099"), Palette(is_on=True)).startswith("\x1b[33;1mW099\x1b[0m ")


def test_without_a_code_there_is_a_line_for_each_rule() -> None:
    assert text(explained(), PLAIN) == (
        "E099  fallen-tree                       Every tree stands upright.\n"
        "W099  bare-tree                         It has leaves.\n"
    )


@pytest.mark.parametrize(
    ("code", "hint"),
    [
        ("E09", "'yg explain' lists all rules."),
        ("falen-tree", "Did you mean 'fallen-tree'?"),
        ("qqq", "'yg explain' lists all rules."),
        ("", "'yg explain' lists all rules."),
    ],
)
def test_an_unknown_name_is_answered_with_the_nearest_one(code: str, hint: str) -> None:
    with pytest.raises(NotFoundError) as caught:
        explained(code)
    assert (caught.value.message, caught.value.hint) == (f"there is no rule '{code}'", hint)


def test_markdown_has_a_section_for_each_rule() -> None:
    assert (
        markdown(explained())
        == OPENING
        + """\

## E099 fallen-tree

*Error.* Every tree stands upright.

Trees in pots are left alone.

**Why:** A tree that lies shades nobody.

**Fix:** Plant it again.

```yaml
trees:
  - oak    # E099: it lies

done: true
```

## W099 bare-tree

*Warning.* It has leaves.

**Why:** W.

**Fix:** F.

```yaml
e
```
"""
    )


def test_data_has_every_part_of_a_page() -> None:
    assert json.loads(json_text(explained("E099"))) == {
        "schema": "yg-explain/1",
        "rules": [
            {
                "code": "E099",
                "name": "fallen-tree",
                "severity": "error",
                "summary": "Every tree stands upright.",
                "details": "Trees in pots are left alone.",
                "why": "A tree that lies shades nobody.",
                "fix": "Plant it again.",
                "example": "trees:\n  - oak    # E099: it lies\n\ndone: true",
            }
        ],
    }


# JSON Schemas.


class Petal(Record, frozen=True, kw_only=True):
    """One petal."""

    color: Annotated[str, Meta(description="Its color.")]


class Flower(Document, frozen=True, kw_only=True, tag="yg-flower/1"):
    """What a flower looks like."""

    petals: Annotated[tuple[Petal, ...], Meta(description="Its petals.")]
    height: Annotated[Level | UnsetType, Meta(description="Its height.")] = UNSET


@pytest.fixture
def known_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `yg explain` be the only command, which can also answer with a flower."""

    class Explain:
        def load(self) -> Any:
            return type("", (), {"documents": (*COMMAND.documents, Flower)})

    monkeypatch.setattr("yg.commands.table.COMMANDS", (Explain(),))


def test_the_schema_of_a_document_follows_from_its_class() -> None:
    assert json_schema(Flower) == {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "yg-flower/1",
        "title": "What a flower looks like.",
        "type": "object",
        "properties": {
            "schema": {"enum": ["yg-flower/1"]},
            "petals": {
                "type": "array",
                "items": {"$ref": "#/$defs/Petal"},
                "description": "Its petals.",
            },
            "height": {"type": "integer", "minimum": 0, "description": "Its height."},
        },
        "required": ["schema", "petals"],
        "$defs": {
            "Petal": {
                "title": "Petal",
                "description": "One petal.",
                "type": "object",
                "properties": {"color": {"type": "string", "description": "Its color."}},
                "required": ["color"],
            }
        },
    }


@pytest.mark.usefixtures("known_documents")
@pytest.mark.parametrize("name", ["yg-flower/1", "yg-flower", "flower"])
def test_a_schema_is_found_by_its_name(name: str) -> None:
    found = explained(schema=name)
    assert json.loads(text(found, PLAIN)) == json_schema(Flower)
    (shown,) = json.loads(json_text(found))["schemas"]
    assert (shown["name"], shown["json_schema"]) == ("yg-flower/1", json_schema(Flower))


@pytest.mark.usefixtures("known_documents")
def test_without_a_name_there_is_a_line_for_each_schema() -> None:
    assert (
        text(explained(schema="list"), PLAIN)
        == """\
yg-error/1              What a command prints on stderr with `--json` when it could not be done.
yg-explain/1            What `yg explain --json` prints: the manual pages of rules.
yg-flower/1             What a flower looks like.
yg-schema/1             What `yg explain --schema --json` prints: JSON Schemas of documents.
"""
    )


@pytest.mark.usefixtures("known_documents")
def test_an_unknown_schema_is_answered_with_the_nearest_one() -> None:
    with pytest.raises(NotFoundError, match="there is no schema 'yg-flwer/1'") as caught:
        explained(schema="yg-flwer/1")
    assert "'yg-flower/1'" in caught.value.hint


@pytest.mark.usefixtures("known_documents")
@pytest.mark.parametrize(
    "found", [(None, None), ("E099", None), (None, "list"), (None, "explain")], ids=str
)
def test_documents_follow_their_schemas(found: tuple[str | None, str | None]) -> None:
    document = explained(*found)
    jsonschema.validate(json.loads(json_text(document)), json_schema(type(document)))


@pytest.mark.usefixtures("known_documents")
def test_a_schema_is_neither_a_rule_nor_markdown() -> None:
    with pytest.raises(UsageError, match="--schema cannot be combined with CODE"):
        explained("E099", "list")
    with pytest.raises(UsageError, match="--schema cannot be combined with --format markdown"):
        markdown(explained(schema="list"))
