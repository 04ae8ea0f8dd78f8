"""The shape of `yg validate --json`."""

from __future__ import annotations

from typing import Annotated

from yg.render.shapes.base import Count, JsonDocument, Text, about
from yg.render.shapes.issues import Following, IssueRecord

Scope = Annotated[Text, about("The scope: `all`, or a node and all below it.")]


class ValidateDocument(JsonDocument, frozen=True, kw_only=True, tag="yg-validate/1"):
    """What `yg validate --json` prints: everything that is wrong with a graph."""

    scope: Scope
    nodes: Annotated[Count, about("How many nodes the scope has, readable or not.")]
    errors: Annotated[
        Count, about("How many issues are errors, not counting those that follow from another.")
    ]
    warnings: Annotated[Count, about("How many issues are warnings.")]
    following: Following
    issues: Annotated[
        list[IssueRecord],
        about(
            "The issues: errors, then warnings, each by file, line and code; "
            "one that follows from another comes right after it."
        ),
    ]
