"""The role of files by their names: the code of a project, or what is kept beside it.

Directories decide: tests, documentation, examples, copies of other projects, generated code and
scripts of the project itself. A file that lies among code files, such as `cart_test.go`, belongs to
the code around it.
"""

from __future__ import annotations

import re
from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.code.draft.compiled import compiled_copies
from yg_old.code.languages import ENDINGS, ending
from yg_old.text import paths

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable


class Role(StrEnum):
    """What files are for; all but code is described from outside only."""

    CODE = "code"
    TESTS = "tests"
    DOCS = "docs"
    EXAMPLES = "examples"
    VENDORED = "vendored"
    GENERATED = "generated"
    BENCHMARKS = "benchmarks"
    TOOLS = "tools"


_ANYWHERE = {  # names of directories that mean the same at any depth
    Role.TESTS: "tests __tests__ __mocks__ __fixtures__ fixtures testdata e2e",
    Role.VENDORED: "vendor _vendor vendored third_party third-party thirdparty node_modules",
    Role.GENERATED: "__generated__ _generated",
    Role.BENCHMARKS: "benches benchmarks",
}
_BESIDE = {  # names that may also be those of modules: only where no source file is beside them
    Role.TESTS: "test testing spec specs",
    Role.DOCS: "doc docs documentation docs_src website",
    Role.EXAMPLES: "example examples demo demos sample samples tutorial tutorials",
    Role.GENERATED: "generated gen build dist out",
    Role.BENCHMARKS: "bench benchmark asv_bench",
}
_AT_TOP = {Role.TOOLS: "scripts script ci hack"}


def _by_name(table: dict[Role, str]) -> dict[str, Role]:
    return {name: role for role, names in table.items() for name in names.split()}


ANYWHERE, BESIDE, AT_TOP = _by_name(_ANYWHERE), _by_name(_BESIDE), _by_name(_AT_TOP)
# Patterns as in .gitignore of test files that lie among the files they test.
TEST_FILES = (
    "*.spec.*",
    "*.test.*",
    "*_spec.rb",
    "*_test.dart",
    "*_test.go",
    "*_test.py",
    "conftest.py",
    "test_*.py",
    "testing.go",
    "tests.py",
    "tests.rs",
)
GENERATED_FILES = (
    *("*_pb2.py", "*_pb2.pyi", "*_pb2_grpc.py", "*.pb.go", "*.pb.cc", "*.pb.h", "*.g.dart"),
    *("*.generated.*", "*_generated.*", "*.designer.cs", "*.min.js", "*.min.mjs"),
)
_TEST_FILES = tuple(re.compile(re.escape(pattern).replace(r"\*", ".*")) for pattern in TEST_FILES)
_GENERATED_FILES = tuple(
    re.compile(re.escape(pattern).replace(r"\*", ".*")) for pattern in GENERATED_FILES
)
_TOOL_FILES = re.compile(
    r"(setup|noxfile|tasks|fabfile|dodo|versioneer|hatch_build|manage)\.py|build\.rs|gulpfile\.\w+"
    r"|Gruntfile\.\w+|[\w.-]+\.(config|conf)\.\w+|\..+",
    re.IGNORECASE,
)


def is_source(file: str) -> bool:
    """Return whether a file is in a programming language that is known."""
    return ending(file) in ENDINGS


def matching_test_patterns(file: str) -> list[str]:
    """Return the patterns of test files that a file matches."""
    name = paths.name_of(file)
    found = zip(TEST_FILES, _TEST_FILES, strict=True)
    return [text for text, pattern in found if pattern.fullmatch(name)]


def generated_pattern(name: str) -> str:
    """Return the pattern of generated files that a name matches; empty if it matches none."""
    found = zip(GENERATED_FILES, _GENERATED_FILES, strict=True)
    return next((text for text, pattern in found if pattern.fullmatch(name)), "")


class _Counts(Struct):
    """How many source files a directory has, at any depth."""

    sources: int = 0
    tests: int = 0
    tests_apart: int = 0  # without Go, where tests must lie among the code
    copies: int = 0  # compiled from other files


class Roles:
    """The roles of the files of a repository, or of some directories in it."""

    def __init__(
        self,
        files: Iterable[str],
        tops: Iterable[str] = (paths.ROOT,),
        code: Collection[str] = (),
        present: Collection[str] = (),
        tests: Collection[str] = (),
    ) -> None:
        """Take the files; names above the directories `tops`, and those of `code`, say nothing.

        `present` are all files of the repository, if there are more. What a directory has in it is
        counted in all of them. `tests` are directories that are tests although code is beside them.
        """
        own = tuple(files)
        self._tops = frozenset(tops)
        self._code = code
        self._tests = tests
        self._copies = compiled_copies(present or own)
        self._sources = Counter(paths.parent(file) for file in own if is_source(file))
        self._below: dict[str, _Counts] = {}
        self._roles: dict[str, tuple[Role, str]] = {}  # of directories, with the topmost one
        for file in present or own:
            if is_source(file):
                self._count(file)

    def _count(self, file: str) -> None:
        is_test = bool(matching_test_patterns(file))
        for directory in paths.lineage(file):
            counts = self._below.setdefault(directory, _Counts())
            counts.sources += 1
            counts.tests += is_test
            counts.tests_apart += is_test and not file.endswith(".go")
            counts.copies += file in self._copies

    def get(self, file: str) -> tuple[Role, str]:
        """Return the role of a file, and the topmost path with this role: a directory or it."""
        directory = paths.parent(file)
        role, top = self._of_directory(directory)
        is_written = file not in self._copies and not generated_pattern(paths.name_of(file))
        if role is Role.CODE and not is_written:
            return Role.GENERATED, file
        if role is Role.CODE and directory == paths.ROOT:
            if matching_test_patterns(file) and not file.endswith(".go"):
                return Role.TESTS, file
            if _TOOL_FILES.fullmatch(paths.name_of(file)):
                return Role.TOOLS, file
        return role, top if role is not Role.CODE else file

    def is_code(self, file: str) -> bool:
        """Return whether a file is a source file of the project itself."""
        return is_source(file) and self.get(file)[0] is Role.CODE

    def may_be_tests(self, directory: str) -> bool:
        """Return whether a directory has a name of tests, but counts as code beside other code."""
        is_named = BESIDE.get(paths.name_of(directory).lower()) is Role.TESTS
        return is_named and self._of_directory(directory)[0] is Role.CODE

    def _of_directory(self, directory: str) -> tuple[Role, str]:
        waiting = []
        place = directory
        while place not in self._roles:
            if place in self._tops or place == paths.ROOT:
                self._roles[place] = Role.CODE, place
                break
            waiting.append(place)
            place = paths.parent(place)
        for path in reversed(waiting):
            above = self._roles[paths.parent(path)]
            self._roles[path] = above if above[0] is not Role.CODE else (self._own(path), path)
        return self._roles[directory]

    def _own(self, directory: str) -> Role:
        if directory in self._code:
            return Role.CODE
        if directory in self._tests:
            return Role.TESTS
        name, above = paths.name_of(directory).lower(), paths.parent(directory)
        if name in ANYWHERE or name.endswith(("_tests", "-tests")):
            return ANYWHERE.get(name, Role.TESTS)
        if name in BESIDE:
            is_beside = above in self._tops or not self._sources.get(above)
            return BESIDE[name] if is_beside or self._has_tests(directory, name) else Role.CODE
        if above in self._tops and (name in AT_TOP or name.startswith(".")):
            return AT_TOP.get(name, Role.TOOLS)
        return self._by_files(directory)

    def _by_files(self, directory: str) -> Role:
        """Return the role of a directory whose name says nothing."""
        counts = self._below.get(directory, _Counts())
        if 0 < counts.sources == counts.copies:
            return Role.GENERATED
        is_at_top = paths.parent(directory) in self._tops
        has_tests = 2 * counts.sources < 3 * counts.tests_apart
        return Role.TESTS if is_at_top and has_tests else Role.CODE

    def _has_tests(self, directory: str, name: str) -> bool:
        """Return whether at least half of the source files in a directory are tests."""
        counts = self._below.get(directory, _Counts())
        return BESIDE[name] is Role.TESTS and 0 < counts.sources <= 2 * counts.tests
