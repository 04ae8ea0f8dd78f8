"""Imports of Java: classes by the package that their file declares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.code.resolvers.tree import ImportTarget
from yg_old.text import paths

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from yg_old.code.facts import ImportFact

ALL = "*"
PACKAGE = "package"  # the form of the fact that declares the package of a file
TESTS = "/test/"
LONGEST_IMPORT = 1_000  # characters


class Candidates(Struct, frozen=True):
    """The places that a name can lead to: how many there are, and the only one."""

    number: int = 0
    only: str = ""
    outside: int = 0  # of them outside of tests
    only_outside: str = ""

    def with_place(self, place: str) -> Candidates:
        """Return the candidates with one more."""
        if _is_test(place):
            return Candidates(self.number + 1, place, self.outside, self.only_outside)
        return Candidates(self.number + 1, place, self.outside + 1, place)

    def chosen(self, *, by_test: bool) -> str | None:
        """Return the only candidate, or the only one that code outside of tests can use."""
        if self.number == 1:
            return self.only
        return self.only_outside if self.outside == 1 and not by_test else None


class JavaResolver:
    """Resolves the imports of all Java files of a repository."""

    def __init__(self, imports: Mapping[str, Sequence[ImportFact]]) -> None:
        self._files: dict[str, Candidates] = {}  # by the qualified name of the class
        self._folders: dict[str, Candidates] = {}  # by package
        folders: dict[tuple[str, str], None] = {}
        for file, facts in imports.items():
            package = next((fact.module for fact in facts if fact.form == PACKAGE), "")
            if package:
                name = f"{package}.{paths.name_of(file).rpartition('.')[0]}"
                self._files[name] = self._files.get(name, Candidates()).with_place(file)
                folders[package, paths.parent(file)] = None
        for package, folder in folders:
            known = self._folders.get(package, Candidates())
            self._folders[package] = known.with_place(folder)

    def targets(self, file: str, fact: ImportFact) -> Iterator[ImportTarget]:
        """Yield the file of an imported class, or the folder of an imported package."""
        if fact.form == PACKAGE or len(fact.module) > LONGEST_IMPORT:
            return
        name = fact.names[0] if fact.names else ""
        if name == ALL and fact.module in self._folders:
            folder = self._folders[fact.module].chosen(by_test=_is_test(file))
            if folder is not None:
                yield ImportTarget(folder, (ALL,), is_folder=True)
            return
        # An import names a class, or a class or member of a class.
        taken = name
        for place in (f"{fact.module}.{name}", *_outer(fact.module)):
            found = self._files.get(place)
            if found is not None:
                target = found.chosen(by_test=_is_test(file))
                if target is not None:
                    yield ImportTarget(target, (taken,))
                return
            if len(place) <= len(fact.module):
                taken = place.rpartition(".")[2]


def _outer(module: str) -> Iterator[str]:
    while module:
        yield module
        module = module.rpartition(".")[0]


def _is_test(path: str) -> bool:
    """Return whether a path is in a folder of tests."""
    return TESTS in f"/{path}/"
