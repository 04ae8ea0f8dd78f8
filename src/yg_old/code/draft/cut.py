"""Cut a tree of source files into parts: one for each directory, or file, that is large enough.

The directories at the top of the repository become parts first. Then the heaviest part is divided:
its heaviest sub-directory becomes a part of its own, or one of its files if no sub-directory is
large enough.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING

from yg_old.code.languages import ENDINGS, ending
from yg_old.code.names import SOURCE, chain_names, free_name, module_name, one_spelling
from yg_old.text import paths

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

# Bytes of source text. About 600, 100 and 250 lines. The shares are for small projects.
DIVIDED = 20_000  # a smaller part stays whole
DIVIDED_SHARE = 8  # unless it has this share of all, and sub-directories
FOLDER = 3_000  # a smaller sub-directory stays with the files around it
FOLDER_SHARE = 40  # unless it has this share of all
MODULE = 8_000  # a smaller file stays with the files around it
LINES = 300  # and so does one with fewer lines, unless this many others import it:
IMPORTERS = 3
# Languages in which a file is a module of its own; elsewhere files of a directory see each other
# without an import.
FILE_MODULES = frozenset(("javascript", "python", "rust", "typescript"))
LAYOUT = frozenset("src lib libs source sources packages crates python java main".split())
ROOT_PART = "root"
NO_NAMES: Mapping[str, str] = {}
NO_LINES: Mapping[str, int] = {}
NO_IMPORTERS: Mapping[str, Collection[str]] = {}


class SourceFolder:
    """A directory with source files in it, or below it."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.files: list[str] = []
        self.folders: list[SourceFolder] = []
        self.weight = 0

    @property
    def is_layout(self) -> bool:
        """Whether this only groups other directories, as `src` does."""
        return not self.files and paths.name_of(self.path) in LAYOUT

    def innermost(self) -> SourceFolder:
        """Return this directory, or the one to which a chain of single children leads."""
        folder = self
        while not folder.files and len(folder.folders) == 1:
            folder = folder.folders[0]
        return folder


def folder_tree(weights: Mapping[str, int]) -> SourceFolder:
    """Return the tree of some files, given their weights; everything in it is sorted."""
    folders = {paths.ROOT: SourceFolder(paths.ROOT)}
    for file in sorted(weights):
        for above, below in zip(paths.lineage(file), paths.lineage(file)[1:], strict=False):
            if below not in folders:
                folders[below] = SourceFolder(below)
                folders[above].folders.append(folders[below])
        for directory in paths.lineage(file):
            folders[directory].weight += weights[file]
        folders[paths.parent(file)].files.append(file)
    return folders[paths.ROOT]


class Module:
    """Files of one name in one directory, such as a module and its type declarations."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.files: list[str] = []
        self.weight = 0
        self.may_be_part = False


class CodePart:
    """A directory without those of its sub-directories and files that are parts themselves."""

    def __init__(self, path: str, folder: SourceFolder | None, *, is_root: bool = False) -> None:
        self.path = path
        self.is_root = is_root  # what is left at the top of the repository
        self.folder = folder  # None: only files
        self.files = dict.fromkeys(folder.files if folder else ())  # in the folder, or beside it
        self.folders: list[SourceFolder] = []  # the heaviest last
        self.modules: list[Module] = []  # the heaviest last
        self.weight = folder.weight if folder else 0
        self.has_children = False  # whether a directory has become a part of its own
        self.has_modules = False  # whether a module has
        self.cut_from: CodePart | None = None  # of a module
        self.top = paths.ROOT  # of the tree that was cut

    @property
    def has_files(self) -> bool:
        """Whether something is left that is in no other part."""
        return bool(self.files or self.folders)


class Cutter:
    """Cuts one tree."""

    def __init__(  # noqa: PLR0913
        self,
        weights: Mapping[str, int],
        most: int,
        taken: Iterable[str] = (),
        *,
        names: Mapping[str, str] = NO_NAMES,
        lines: Mapping[str, int] = NO_LINES,
        importers: Mapping[str, Collection[str]] = NO_IMPORTERS,
        below: str = "",
        top: str = paths.ROOT,
    ) -> None:
        """Take the weights of files, the greatest number of parts, and paths that exist.

        `names` are those of manifests, by directory; `importers` are files by the file that they
        import. If a node is given, the parts are named below it; it owns the tree at `top`.
        """
        self._weights = weights
        self._lines, self._importers = lines, importers
        self._names, self._below, self._top = names, below, top
        self._spellings = {one_spelling(name): "" for name in names.values()}
        self._most = most
        total = sum(weights.values())
        self._divided = min(DIVIDED, total // DIVIDED_SHARE)
        self._folder = min(FOLDER, total // FOLDER_SHARE)
        self._name = "" if below else names.get(paths.ROOT, "")  # of the project
        self._taken = {paths.folded(path) for path in taken}
        self._heap: list[tuple[int, str, str, CodePart]] = []

    def parts(self) -> list[CodePart]:
        """Return the parts, sorted by path."""
        found = self._all()
        for part in found:
            part.top = self._top
        return found

    def _all(self) -> list[CodePart]:
        top = folder_tree(self._weights).innermost()
        if not top.files and not top.folders:
            return []
        is_outside = bool(self._below) and paths.is_inside(self._top, top.path)
        if top.path != paths.ROOT and not top.is_layout and not is_outside:
            names = self._chain_names(paths.ROOT, top.path, self._name)
            return _sorted(self._cut(self._part(self._below, names, top)))
        # The top of the repository is a part only if something is left in it.
        root = CodePart(paths.ROOT, top, is_root=True)
        self._sort(root, _hoisted(top))
        found = self._cut(root)
        if len(root.folders) + len(root.modules) == 1 and len(root.files) == len(root.modules):
            found.append(self._cut_off(root))
        # Files at the top are a module that has the name of the project, as in Go.
        is_module = bool(self._name) and not root.folders
        root.path = self._path(self._below, [self._name if is_module else ROOT_PART])
        return _sorted(part for part in found if part is not root or part.has_files)

    def _cut(self, first: CodePart) -> list[CodePart]:
        """Divide parts, the heaviest first, until there are enough."""
        found = [first]
        while first.is_root and first.folders and len(found) <= self._most // 2:
            found.append(self._cut_off(first))
        for part in found:
            self._push(part)
        while self._heap and len(found) - _is_empty_root(first) < self._most:
            part = heappop(self._heap)[3]
            if self._is_divisible(part):
                cut = self._cut_off(part)
                found.append(cut)
                self._push(part)
                self._push(cut)
        return self._rejoined(found)

    def _rejoined(self, found: list[CodePart]) -> list[CodePart]:
        """Give back the short modules that too few other parts import."""
        short = [part for part in found if part.cut_from and self._length(part.files) <= LINES]
        while short:
            owners = self._owners(found)
            idle = []
            for part in short:
                users = {
                    owners.get(user)
                    for file in part.files
                    for user in self._importers.get(file, ())
                }
                if len(users - {part, None}) < IMPORTERS:
                    idle.append(part)
            for part in idle:
                if part.cut_from:
                    self._move(part, part.cut_from, tuple(part.files))
            if not idle:
                break
            found = [part for part in found if part not in idle]
            short = [part for part in short if part not in idle]
        return found

    def _owners(self, found: Iterable[CodePart]) -> dict[str, CodePart]:
        """Return the part of each file."""
        folders = {part.folder.path: part for part in found if part.folder}
        owners = {}
        for file in self._weights:
            above = (folders[place] for place in reversed(paths.lineage(file)) if place in folders)
            part = next(above, None)
            if part:
                owners[file] = part
        owners.update((file, part) for part in found if not part.folder for file in part.files)
        return owners

    def _length(self, files: Iterable[str]) -> int:
        """Return the number of lines of the longest file that is no test."""
        return max((self._lines.get(file, 0) for file in files if self._weights[file]), default=0)

    def _is_divisible(self, part: CodePart) -> bool:
        if part.is_root and part.folders:
            return True
        has_folder = bool(part.folders) and part.folders[-1].weight >= self._folder
        if has_folder and (part.weight >= self._divided or part.has_children):
            return True  # also a small one, if others beside it are parts already
        if part.weight < DIVIDED:
            return False
        large = [module for module in part.modules[-2:] if module.may_be_part]
        # One module alone is not cut off: what is left would hardly differ from the whole.
        return len(large) == 2 or (bool(large) and part.has_modules)  # noqa: PLR2004

    def _cut_off(self, part: CodePart) -> CodePart:
        """Make the heaviest directory or module of a part a part of its own."""
        above = self._below if part.is_root else part.path
        least = 0 if part.is_root else self._folder
        if part.folders and part.folders[-1].weight >= least:
            folder = part.folders.pop()
            part.has_children = True
            start = part.folder.path if part.folder else paths.ROOT
            inner = folder.innermost()
            names = self._chain_names(start, inner.path, self._name if part.is_root else "")
            cut = self._part(above, names, inner)
            part.weight -= folder.weight
            head = f"{inner.path}.rs"  # a Rust module whose parts are in the directory
            if head in part.files:
                self._move(part, cut, [head])
                part.modules = [module for module in part.modules if head not in module.files]
            return cut
        module = part.modules.pop()
        part.has_modules = True
        cut = CodePart(self._path(above, [module.name]), None)
        cut.cut_from = part
        self._move(part, cut, module.files)
        return cut

    def _chain_names(self, above: str, folder: str, project: str) -> list[str]:
        """Return names for a directory; the best is that of a manifest on the way to it."""
        chain = (place for place in (*paths.lineage(folder), folder) if place != paths.ROOT)
        inside = [place for place in chain if above == paths.ROOT or paths.is_inside(place, above)]
        named = [self._names[place] for place in inside if place in self._names and place != above]
        return [*named[-1:], *chain_names(above, folder, project)]

    def _push(self, part: CodePart) -> None:
        if part.has_files:
            place = part.folder.path if part.folder else next(iter(part.files))
            heappush(self._heap, (-part.weight, part.path, place, part))

    def _part(self, above: str, names: Sequence[str], folder: SourceFolder) -> CodePart:
        part = CodePart(self._path(above, names), folder)
        self._sort(part, folder.folders)
        return part

    def _sort(self, part: CodePart, folders: Iterable[SourceFolder]) -> None:
        """Sort what a part can be divided into; what is in a directory `src` counts as its own."""
        waiting, own = list(folders), []
        while waiting:
            folder = waiting.pop()
            if paths.name_of(folder.path) == SOURCE and not part.is_root:
                part.files.update(dict.fromkeys(folder.files))
                waiting += folder.folders
            else:
                own.append(folder)
        part.folders = sorted(own, key=lambda folder: (-folder.weight, folder.path), reverse=True)
        modules: dict[str, Module] = {}
        for file in part.files:
            name = module_name(file)
            if name and ENDINGS.get(ending(file)) in FILE_MODULES:
                module = modules.setdefault(name, Module(name))
                module.files.append(file)
                module.weight += self._weights[file]
        for module in modules.values():
            users = {user for file in module.files for user in self._importers.get(file, ())}
            is_used = len(users.difference(module.files)) >= IMPORTERS
            is_long = is_used or self._length(module.files) > LINES
            module.may_be_part = is_long and module.weight >= MODULE
        part.modules = sorted(
            modules.values(),
            key=lambda module: (not module.may_be_part, -module.weight, module.name),
            reverse=True,
        )

    def _path(self, above: str, names: Sequence[str]) -> str:
        """Return a free path; parts at the top with spellings of a package's name share one."""
        spelling = one_spelling(names[0])
        is_package = above == self._below and spelling in self._spellings
        if is_package and self._spellings[spelling]:
            return self._spellings[spelling]
        path = free_name(above, names, self._taken)
        self._taken.add(paths.folded(path))
        if is_package:
            self._spellings[spelling] = path
        return path

    def _move(self, part: CodePart, cut: CodePart, files: Iterable[str]) -> None:
        for file in files:
            del part.files[file]
            cut.files[file] = None
            part.weight -= self._weights[file]
            cut.weight += self._weights[file]


def _is_empty_root(part: CodePart) -> bool:
    return part.is_root and not part.has_files


def _sorted(parts: Iterable[CodePart]) -> list[CodePart]:
    return sorted(parts, key=lambda part: part.path)


def _hoisted(root: SourceFolder) -> Iterator[SourceFolder]:
    """Yield the directories at the top; one that only groups others is replaced by these."""
    waiting = list(reversed(root.folders))
    while waiting:
        folder = waiting.pop()
        inner = folder.innermost()
        if inner.is_layout:
            waiting += reversed(inner.folders)
        else:
            yield folder
