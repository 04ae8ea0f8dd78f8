"""Imports of Python: packages, relative imports, source folders and namespace packages.

An absolute import starts in a root: a folder from which modules are imported by their names. Roots
are guessed from the layout of the repository, unless the user names them.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from yg_old.code.resolvers.tree import ImportTarget
from yg_old.text import paths

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from yg_old.code.facts import ImportFact
    from yg_old.code.resolvers.tree import FileTree

PROJECT_FILES = ("pyproject.toml", "setup.py", "setup.cfg")
SOURCE_FOLDERS = ("src", "lib", "python")
# Modules in these are found by files in the same folder only.
SIDE_FOLDERS = frozenset(
    "benchmarks doc docs example examples fixtures samples test testdata testing tests".split()
)
DEEPEST_NAMESPACE = 8  # parts of a namespace package that are compared with imports

# A name of the standard library is never taken for a module of the repository.
STANDARD = frozenset(
    "__future__ __main__ abc argparse array ast asyncio atexit base64 bdb binascii bisect builtins"
    " bz2 cProfile calendar cmath cmd code codecs codeop collections colorsys compileall"
    " compression concurrent configparser contextlib contextvars copy copyreg csv ctypes curses"
    " dataclasses datetime dbm decimal difflib dis distutils doctest email encodings ensurepip enum"
    " errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools gc getopt"
    " getpass gettext glob graphlib grp gzip hashlib heapq hmac html http imaplib imp importlib"
    " inspect io ipaddress itertools json keyword linecache locale logging lzma mailbox marshal"
    " math mimetypes mmap modulefinder msvcrt multiprocessing netrc ntpath numbers operator"
    " optparse os pathlib pdb pickle pickletools pkgutil platform plistlib poplib posix posixpath"
    " pprint profile pstats pty pwd py_compile pyclbr pydoc queue quopri random re readline reprlib"
    " resource rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site"
    " smtplib socket socketserver sqlite3 ssl stat statistics string stringprep struct subprocess"
    " symtable sys sysconfig syslog tabnanny tarfile tempfile termios textwrap threading time"
    " timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle types typing"
    " unicodedata unittest urllib uuid venv warnings wave weakref webbrowser winreg winsound"
    " wsgiref xml xmlrpc zipapp zipfile zipimport zlib zoneinfo".split()
)


class PythonResolver:
    """Resolves the imports of all Python files of a repository."""

    def __init__(
        self, tree: FileTree, imports: Mapping[str, Sequence[ImportFact]], roots: Sequence[str]
    ) -> None:
        self._tree = tree
        self._roots = _Roots(tree, roots or _guessed_roots(tree, imports), given=bool(roots))

    def targets(self, file: str, fact: ImportFact) -> Iterator[ImportTarget]:
        """Yield what an import leads to."""
        parts = fact.module.split(".") if fact.module else []
        is_relative = fact.level > 0
        base = self._relative(file, fact) if is_relative else self._roots.root_for(file, parts)
        if base is None:
            return
        path = "/".join((base, *parts) if base != paths.ROOT else parts) or paths.ROOT
        if len(path) > paths.LONGEST:
            return
        module = module_file(self._tree, path)
        if not fact.names:
            if module is not None:
                yield ImportTarget(module)
            return
        is_package = module is None or paths.parent(module) == path
        rest = []
        for name in dict.fromkeys(fact.names):
            found = self._submodule(path, name) if is_package else None
            if found is None:
                rest.append(name)
            else:
                yield ImportTarget(found)
        if rest and module is not None:
            yield ImportTarget(module, tuple(rest))

    def _submodule(self, package: str, name: str) -> str | None:
        if not self._tree.has_folder(package):
            return None
        return module_file(self._tree, paths.join(package, name))

    def _relative(self, file: str, fact: ImportFact) -> str | None:
        """Return the folder that the dots of a relative import lead to."""
        folders = file.split("/")[:-1]
        left = len(folders) - (fact.level - 1)
        if left < 0:
            return None
        base = "/".join(folders[:left]) or paths.ROOT
        if base == paths.ROOT and folders and not _is_package(self._tree, base):
            return None  # above the topmost package
        return base


class _RootSet:
    """Roots that a name can be imported from, by the folder in which they are seen."""

    def __init__(self) -> None:
        self.roots: dict[str, None] = {}
        self._seen: dict[str, list[str]] = {}  # by folder

    def add(self, root: str, seen_in: str) -> None:
        """Add a root that files below a folder see."""
        self.roots[root] = None
        self._seen.setdefault(seen_in, []).append(root)

    def seen_from(self, folders: Sequence[str]) -> list[str]:
        """Return the roots that are seen in some folders: at most two, which are too many."""
        found: list[str] = []
        for folder in folders:
            found += self._seen.get(folder, ())[: 2 - len(found)]
        return found

    def nearest(self, file: str) -> str | None:
        """Return the innermost root around a file."""
        return next((place for place in _around(file) if place in self.roots), None)


NO_ROOTS = _RootSet()


class _Namespace:
    """The roots that have a folder or a module of some name, and what is below it there."""

    def __init__(self, name: str) -> None:
        self.roots = _RootSet()
        self._name = name  # with slashes
        self._inner: dict[str, _Namespace] | None = None

    def below(self, tree: FileTree, roots: _Roots, name: str) -> _Namespace | None:
        """Return what one more part of a dotted name leads to."""
        if self._inner is None:
            self._inner = {}
            for root in self.roots.roots:
                for found in _module_names(tree, paths.join(root, self._name)):
                    inner = self._inner.setdefault(found, _Namespace(f"{self._name}/{found}"))
                    inner.roots.add(root, roots.seen_in(root))
        return self._inner.get(name)


class _Roots:
    """The roots, by the names that can be imported from them."""

    def __init__(self, tree: FileTree, roots: Sequence[str], *, given: bool) -> None:
        self._tree = tree
        self._given = given
        self._regular: dict[str, _RootSet] = {}  # roots with a module or package of a name
        self._namespaces: dict[str, _Namespace] = {}  # roots with any other folder of that name
        self._side_folders: dict[str, tuple[str, ...]] = {}  # around files, by their folder
        for root in dict.fromkeys(roots):
            self._add(root)

    def _add(self, root: str) -> None:
        for name in _module_names(self._tree, root):
            place = paths.join(root, name)
            if module_file(self._tree, place) is not None:
                self._regular.setdefault(name, _RootSet()).add(root, self.seen_in(root))
            else:
                namespace = self._namespaces.setdefault(name, _Namespace(name))
                namespace.roots.add(root, self.seen_in(root))

    def seen_in(self, root: str) -> str:
        """Return the folder whose files see a root: modules for tests are for those alone."""
        return paths.ROOT if self._given else _side_folder(root)

    def root_for(self, file: str, parts: Sequence[str]) -> str | None:
        """Return the only root that an absolute import can start in; None if there is no such."""
        top = parts[0] if parts else ""
        if not top or top in STANDARD:  # `from import x` is not an import at all
            return None
        own = paths.parent(file)
        known = self._regular.get(top, NO_ROOTS)
        roots = known.seen_from(self._around(own))
        if own not in known.roots and self._is_beside_script(own, top):
            return None if roots else own  # it depends on how the file is run
        if roots:
            return roots[0] if len(roots) == 1 else known.nearest(file)
        namespace = self._namespace(parts)
        found = [] if namespace is None else namespace.roots.seen_from(self._around(own))
        return found[0] if len(found) == 1 else None

    def _namespace(self, parts: Sequence[str]) -> _Namespace | None:
        """Return the roots in which a dotted name leads to a folder or a module."""
        found = self._namespaces.get(parts[0])
        for part in parts[1:]:
            if found is None:
                return None
            found = found.below(self._tree, self, part)
        return found

    def _around(self, folder: str) -> tuple[str, ...]:
        """Return the folders whose roots are seen from a folder: those for tests, and the top."""
        if folder not in self._side_folders:
            places = (folder, *reversed(paths.lineage(folder)))
            sides = (place for place in places if paths.name_of(place) in SIDE_FOLDERS)
            self._side_folders[folder] = (*sides, paths.ROOT)
        return self._side_folders[folder]

    def _is_beside_script(self, folder: str, top: str) -> bool:
        """Tell whether a module is in the folder of a file that can be run as a script."""
        if self._given or _is_package(self._tree, folder):
            return False
        return module_file(self._tree, paths.join(folder, top)) is not None


def _around(file: str) -> Iterator[str]:
    """Yield the folders around a file, the innermost first."""
    while file != paths.ROOT:
        file = paths.parent(file)
        yield file


def _module_names(tree: FileTree, folder: str) -> Iterator[str]:
    """Yield the names of the modules and of the folders in a folder, each once."""
    seen = set()
    for name in tree.names.get(folder, ()):
        stem, dot, suffix = name.rpartition(".")
        is_module = bool(dot) and suffix in ("py", "pyi")
        found = stem if is_module else name
        if found not in seen and (is_module or tree.has_folder(paths.join(folder, name))):
            seen.add(found)
            yield found


def _side_folder(root: str) -> str:
    """Return the innermost folder around a root for tests, examples and so on."""
    places = () if root == paths.ROOT else (root, *reversed(paths.lineage(root)))
    return next((place for place in places if paths.name_of(place) in SIDE_FOLDERS), paths.ROOT)


def module_file(tree: FileTree, path: str) -> str | None:
    """Return the file of a module, given its path without an ending."""
    if path == paths.ROOT:
        return tree.first(("__init__.py", "__init__.pyi"))
    return tree.first((f"{path}/__init__.py", f"{path}.py", f"{path}/__init__.pyi", f"{path}.pyi"))


def _is_package(tree: FileTree, folder: str) -> bool:
    inits = ("__init__.py", "__init__.pyi")
    return tree.first(paths.join(folder, name) for name in inits) is not None


def _guessed_roots(tree: FileTree, imports: Mapping[str, Sequence[ImportFact]]) -> list[str]:
    """Return the folders of projects, their source folders, and those with a topmost package."""
    projects = [folder for folder in tree.names if _is_project(tree, folder)]
    projects = [paths.ROOT, *(folder for folder in projects if folder != paths.ROOT)]
    known = dict.fromkeys(projects)
    for project in projects:
        sources = (paths.join(project, name) for name in SOURCE_FOLDERS)
        known.update(
            (folder, None)
            for folder in sources
            if tree.has_folder(folder) and not _is_package(tree, folder)
        )
    namespaces = _imported_namespaces(imports)
    guessed = dict(known)
    for folder in tree.names:
        above = paths.parent(folder)
        if folder == paths.ROOT or above in guessed or not _is_package(tree, folder):
            continue
        if not _is_package(tree, above) and not _is_namespace(above, known, namespaces):
            guessed[above] = None
    return sorted(guessed)


def _is_project(tree: FileTree, folder: str) -> bool:
    return tree.first(paths.join(folder, name) for name in PROJECT_FILES) is not None


def _imported_namespaces(imports: Mapping[str, Sequence[ImportFact]]) -> frozenset[str]:
    """Return the names of all packages that are imported from, or through."""
    found: set[str] = set()
    for module in {fact.module for facts in imports.values() for fact in facts if not fact.level}:
        parts = module.split(".", DEEPEST_NAMESPACE)[:DEEPEST_NAMESPACE]
        found.update(".".join(parts[:end]) for end in range(1, len(parts) + 1))
    return frozenset(found)


def _is_namespace(folder: str, roots: Mapping[str, None], imported: frozenset[str]) -> bool:
    """Tell whether a folder is imported as a namespace package, by its name from a root."""
    around = (root for root in islice(_around(folder), DEEPEST_NAMESPACE) if root in roots)
    below = (folder if root == paths.ROOT else folder[len(root) + 1 :] for root in around)
    return any(name.replace("/", ".") in imported for name in below)
