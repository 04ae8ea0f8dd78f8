"""The rule about source files that no node owns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.code.languages import ENDINGS, ending
from yg_old.kernel.issue import Finding, Place, Severity
from yg_old.kernel.rule import rule
from yg_old.kernel.sources import is_source
from yg_old.text import paths
from yg_old.text.patterns import Patterns
from yg_old.text.plural import counted
from yg_old.text.suggest import listing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.yggdrasil.rules.survey import Survey

_ADVICE = (
    "'yg draft --add' gives them to the nodes around them; 'yg owner FILE' shows other ways.",
    "Files that need no owner can be listed under 'coverage.exclude' in yg-config.yaml.",
)


@rule("W032", "unowned-source", Severity.WARNING)
def unowned_source(survey: Survey) -> Iterator[Finding]:
    """Every source file beside or below source files that nodes own has an owner.

    A source file is one of a programming language that yg can read and that git tracks or would
    add. If nodes own source files at the top of the repository, only the others there are reported,
    not those below. Files that match `coverage.exclude` are not checked.

    Why: a file that nobody owns has no context, and its changes are never reported as drift.
    Fix: add it to a mapping, with `yg draft --add` or by hand, or list it under `coverage.exclude`.
    Example:
        # orders/order-service
        mapping:
          paths: [src/orders/service.py]    # W032 for the new file src/orders/refunds.py
    """
    unowned: list[str] = []
    owned: set[str] = set()  # directories with source files that nodes own
    for file in survey.sources.files(paths.ROOT):
        if ending(file) in ENDINGS and is_source(file):
            if survey.ownership.get_listed(file) is None:
                unowned.append(file)
            else:
                owned.add(paths.parent(file))
    is_excluded = Patterns.from_lines(survey.graph.config.uncounted).excludes
    by_directory: dict[str, list[str]] = {}
    for file in unowned:
        directory = paths.parent(file)
        above = paths.lineage(file)[1:] or (paths.ROOT,)
        if not owned.isdisjoint(above) and not is_excluded(file):
            by_directory.setdefault(directory, []).append(file)
    for directory, files in sorted(by_directory.items()):
        verb = "has" if len(files) == 1 else "have"
        names = listing([paths.name_of(file) for file in files])
        message = f"{counted(len(files), 'source file')} {verb} no owner: {names}"
        yield Finding(directory, message, Place(files[0]), _ADVICE)
