"""Rules about files that cannot be read or understood; the readers have noted what they found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.errors import UnreadableError
from yg.kernel.issue import Finding, Severity
from yg.kernel.rule import rule
from yg.yggdrasil.model import Trouble
from yg.yggdrasil.shelf import unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.yggdrasil.survey import Survey


@rule("E001", Trouble.NODE, Severity.ERROR)
def invalid_node_yaml(survey: Survey) -> Iterator[Finding]:
    """Every `yg-node.yaml` is valid YAML and has the shape of a node.

    Why: a node that cannot be understood is in nobody's context, and whatever depends on it
    works blind.
    Fix: correct the value at the place named; a node needs at least `name` and `type`.
    """
    return _noted(survey, Trouble.NODE)


@rule("E012", Trouble.CONFIG, Severity.ERROR)
def invalid_config(survey: Survey) -> Iterator[Finding]:
    """`yg-config.yaml` is there, valid and complete.

    Why: the configuration says which node types and artifacts exist; without it nothing else
    can be judged.
    Fix: correct the value at the place named; `name`, `node_types` and `artifacts` are needed.
    """
    return _noted(survey, Trouble.CONFIG)


@rule("E018", Trouble.ASPECT, Severity.ERROR)
def invalid_aspect_yaml(survey: Survey) -> Iterator[Finding]:
    """Every aspect directory has a valid `yg-aspect.yaml`.

    Why: a requirement that cannot be read silently stops applying to every node that carries it.
    Fix: correct the value at the place named, or add the missing file; an aspect needs a `name`.
    """
    return _noted(survey, Trouble.ASPECT)


@rule("E019", Trouble.FLOW, Severity.ERROR)
def invalid_flow_yaml(survey: Survey) -> Iterator[Finding]:
    """Every flow directory has a valid `yg-flow.yaml`.

    Why: participants of a flow that cannot be read lose the description of the whole process.
    Fix: correct the value at the place named, or add the missing file; a flow needs `name` and
    `nodes`.
    """
    return _noted(survey, Trouble.FLOW)


@rule("E021", Trouble.UNREADABLE, Severity.ERROR)
def unreadable_file(survey: Survey) -> Iterator[Finding]:
    """Every file of the graph can be opened and is UTF-8 text.

    Why: a package quotes these files; one that cannot be read would leave a hole in it.
    Fix: save the file as UTF-8, or mend its permissions; replace what is not a regular file.
    """
    yield from _noted(survey, Trouble.UNREADABLE)
    for subject, text in survey.texts:
        try:
            text.extent  # noqa: B018
        except UnreadableError as error:
            yield unreadable(subject, error.path, error.reason).finding


def _noted(survey: Survey, trouble: Trouble) -> Iterator[Finding]:
    return (note.finding for note in survey.notes if note.trouble is trouble)
