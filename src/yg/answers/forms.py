"""The forms in which packages of each kind of graph are written."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from yg.render.package import ContextForms


def forms_of(schema: str) -> ContextForms:
    """Return how packages with a JSON schema are written."""
    if schema == "spec-context":
        from yg.render.specgraph_context import FORMS as SPEC_FORMS

        return SPEC_FORMS
    from yg.render.package import FORMS

    return FORMS
