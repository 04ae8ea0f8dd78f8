"""Answers that leave out what could not be read say so, beside the text or in the data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from yg.answers.answer import Answer, nothing
from yg.render.issues import skipped_data, skipped_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from yg.answers.answer import Written
    from yg.kernel.issue import Finding


def with_skipped(  # noqa: PLR0913
    schema: str,
    missing: Sequence[Finding],
    *,
    data: Callable[[], dict[str, Any]],
    forms: Mapping[str, Written],
    remarks: Written = nothing,
    code: int = 0,
) -> Answer:
    """Answer with what is missing from the answer."""
    return Answer(
        schema=schema,
        data=lambda: {**data(), "skipped": skipped_data(missing)},
        forms=forms,
        notes=lambda palette: skipped_text(missing, palette),
        remarks=remarks,
        code=code,
    )
