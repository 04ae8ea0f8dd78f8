"""Imports of Java: classes by the package that their file declares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.code.resolvers.tree import ImportTarget
from yg.kernel import paths

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from yg.code.facts import ImportFact

ALL = "*"
PACKAGE = "package"  # the form of the fact that declares the package of a file
TESTS = "test"
LONGEST_IMPORT = 1_000  # characters


class JavaResolver:
    """Resolves the imports of all Java files of a repository."""

    def __init__(self, imports: Mapping[str, Sequence[ImportFact]]) -> None:
        self._files: dict[str, list[str]] = {}  # by the qualified name of the class
        self._folders: dict[str, dict[str, None]] = {}  # by package
        for file, facts in imports.items():
            package = next((fact.module for fact in facts if fact.form == PACKAGE), "")
            if package:
                name = paths.name_of(file).rpartition(".")[0]
                self._files.setdefault(f"{package}.{name}", []).append(file)
                self._folders.setdefault(package, {})[paths.parent(file)] = None

    def targets(self, file: str, fact: ImportFact) -> Iterator[ImportTarget]:
        """Yield the file of an imported class, or the folder of an imported package."""
        if fact.form == PACKAGE or len(fact.module) > LONGEST_IMPORT:
            return
        name = fact.names[0] if fact.names else ""
        if name == ALL and fact.module in self._folders:
            folder = _only(file, list(self._folders[fact.module]))
            if folder is not None:
                yield ImportTarget(folder, (ALL,), is_folder=True)
            return
        # An import names a class, or a class or member of a class.
        inner = (name,)
        for place in (f"{fact.module}.{name}", *_outer(fact.module)):
            found = self._files.get(place)
            if found is not None:
                target = _only(file, found)
                if target is not None:
                    is_class = place == f"{fact.module}.{name}"
                    yield ImportTarget(target, (name,) if is_class else inner)
                return
            inner = (place.rpartition(".")[2],) if place != f"{fact.module}.{name}" else inner


def _outer(module: str) -> Iterator[str]:
    while module:
        yield module
        module = module.rpartition(".")[0]


def _only(file: str, candidates: Sequence[str]) -> str | None:
    """Return the only candidate, or the only one that code outside of tests can use."""
    if len(candidates) == 1:
        return candidates[0]
    if TESTS in file.split("/"):
        return None
    found = [candidate for candidate in candidates if TESTS not in candidate.split("/")]
    return found[0] if len(found) == 1 else None
