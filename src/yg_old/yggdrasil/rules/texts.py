"""Rules about what texts say: drafts, and names and paths that are gone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.kernel.issue import Finding, Place, Severity
from yg_old.kernel.rule import rule
from yg_old.kernel.snapshot import draft_line
from yg_old.text import paths
from yg_old.text.suggest import did_you_mean
from yg_old.yggdrasil.code.quoted_names import quoted_names
from yg_old.yggdrasil.code.quoted_paths import KnownPaths, quoted_paths

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.yggdrasil.rules.survey import Survey, SurveyedText


@rule("W024", "name-gone", Severity.WARNING)
def name_gone(survey: Survey) -> Iterator[Finding]:
    """Every identifier in back quotes in a text occurs in the code of the repository.

    Checked if `yg-config.yaml` has a `code` section, in the texts of nodes, aspects and flows, and
    in the documents that they list.
    Comments do not count as code; files of other kinds, but for Markdown, do. Identifiers are
    `name`, `name.part`, `name(..)` and `name[..]`. Single letters, names that a language has, such
    as `int`, and names of nodes, aspects and flows are not reported.

    Why: a name that was removed or renamed misleads everybody who reads the text.
    Fix: correct the text.
    Example:
        # payments/interface.md
        `charge(order)` takes the money.    # W024 if no code has 'charge'
    """
    if survey.graph.config.code is None:
        return
    quoted = [
        (found, *name) for found in _written(survey) for name in quoted_names(found.text.in_place)
    ]
    gone = survey.code_names.lacking({name for _, _, name, _, _ in quoted})
    for found, text, name, line, column in quoted:
        if name in gone:
            message = f"{paths.name_of(found.text.path)} names '{text}', which is not in the code"
            near = did_you_mean(survey.code_names.nearest_of_all(name)[:1])
            place = Place(found.text.path, line, column)
            yield Finding(found.subject, message, place, (near or "Correct or remove it.",))


@rule("W025", "draft-unread", Severity.WARNING)
def draft_unread(survey: Survey) -> Iterator[Finding]:
    """No text still has the mark of a draft.

    A draft is a file with the line `<!-- draft: replace this -->`, as written by `yg draft` and
    `yg new`. Packages name it and leave its text out; rules about missing or short texts do not
    apply to it.

    Why: a package needs what only people know, and a draft does not say it.
    Fix: write the text, and remove the mark.
    Example:
        # payments/responsibility.md
        <!-- draft: replace this -->    # W025
    """
    for subject, text, _ in survey.texts:
        if text.is_draft:
            message = f"'{paths.name_of(text.path)}' is still a draft"
            advice = ("Write what the code does not say, and remove the mark.",)
            place = Place(text.path, draft_line(text.in_place), 1)
            yield Finding(subject, message, place, advice)


@rule("W030", "path-gone", Severity.WARNING)
def path_gone(survey: Survey) -> Iterator[Finding]:
    """Every path in back quotes in a text exists: a file, a directory or a node.

    Only what looks like a path is checked: it has a slash, and its first part exists at the top of
    the repository or of the model. It may also begin in the graph folder, in `model/`, or in any
    directory. Paths with patterns or placeholders, and paths that git ignores, are not reported.

    Why: a reader who follows the path finds nothing.
    Fix: correct the path, or remove it.
    Example:
        # payments/internals.md
        The limits are in `src/pay/limits.py`.    # W030 if that file was moved
    """
    known = KnownPaths(survey.graph, survey.sources)
    for found in _written(survey):
        for text, path, line, column in quoted_paths(found.text.in_place):
            if known.lacks(path):
                message = f"{paths.name_of(found.text.path)} names '{text}', which does not exist"
                near = did_you_mean(known.nearest(path)[:1])
                place = Place(found.text.path, line, column)
                yield Finding(found.subject, message, place, (near or "Correct or remove it.",))


def _written(survey: Survey) -> Iterator[SurveyedText]:
    """Yield the texts that can be read and are not drafts."""
    for found in survey.texts:
        text = found.text
        if not text.binary_size and not text.fault and not text.is_draft:
            yield found
