"""Imports of Python: packages, relative imports, source folders and namespace packages.

An absolute import starts in a root: a folder from which modules are imported by their names. Roots
are guessed from the layout of the repository, unless the user names them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.code.resolvers.tree import ImportTarget
from yg.kernel import paths

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from yg.code.facts import ImportFact
    from yg.code.resolvers.tree import FileTree

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


class _Roots:
    """The roots, by the names that can be imported from them."""

    def __init__(self, tree: FileTree, roots: Sequence[str], *, given: bool) -> None:
        self._tree = tree
        self._given = given
        self._regular: dict[str, list[str]] = {}  # roots with a module or package of a name
        self._namespaces: dict[str, list[str]] = {}  # roots with any other folder of that name
        for root in dict.fromkeys(roots):
            self._add(root)

    def _add(self, root: str) -> None:
        regular, other = dict[str, None](), dict[str, None]()
        for name in self._tree.names.get(root, ()):
            stem, dot, suffix = name.rpartition(".")
            if dot and suffix in ("py", "pyi"):
                regular[stem] = None
            elif self._tree.has_folder(paths.join(root, name)):
                kind = regular if _is_package(self._tree, paths.join(root, name)) else other
                kind[name] = None
        for name in regular:
            self._regular.setdefault(name, []).append(root)
        for name in other:
            self._namespaces.setdefault(name, []).append(root)

    def root_for(self, file: str, parts: Sequence[str]) -> str | None:
        """Return the only root that an absolute import can start in; None if there is no such."""
        top = parts[0] if parts else ""
        if not top or top in STANDARD:  # `from import x` is no import at all
            return None
        roots = self._reachable(file, self._regular.get(top, ()))
        own = paths.parent(file)
        if own not in roots and self._is_beside_script(own, top):
            return None if roots else own  # it depends on how the file is run
        if roots:
            return _nearest(file, roots)
        found = [
            root
            for root in self._reachable(file, self._namespaces.get(top, ()))
            if _leads_to_module(self._tree, root, parts)
        ]
        return found[0] if len(found) == 1 else None

    def _is_beside_script(self, folder: str, top: str) -> bool:
        """Tell whether a module is in the folder of a file that can be run as a script."""
        if self._given or _is_package(self._tree, folder):
            return False
        return module_file(self._tree, paths.join(folder, top)) is not None

    def _reachable(self, file: str, roots: Iterable[str]) -> list[str]:
        if self._given:
            return list(roots)
        return [root for root in roots if paths.is_inside(file, _side_folder(root))]


def _nearest(file: str, roots: Sequence[str]) -> str | None:
    """Return the only root, or the innermost one around a file."""
    if len(roots) == 1:
        return roots[0]
    around = [root for root in roots if paths.is_inside(file, root)]
    return max(around, key=lambda root: 0 if root == paths.ROOT else len(root), default=None)


def _side_folder(root: str) -> str:
    """Return the innermost folder around a root for tests, examples and so on."""
    parts = [] if root == paths.ROOT else root.split("/")
    for end in range(len(parts), 0, -1):
        if parts[end - 1] in SIDE_FOLDERS:
            return "/".join(parts[:end])
    return paths.ROOT


def _leads_to_module(tree: FileTree, root: str, parts: Sequence[str]) -> bool:
    path = paths.join(root, "/".join(parts))
    return len(path) <= paths.LONGEST and (
        tree.has_folder(path) or module_file(tree, path) is not None
    )


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
    around = (root for root in paths.lineage(folder) if root in roots)
    below = (folder if root == paths.ROOT else folder[len(root) + 1 :] for root in around)
    return any(name.replace("/", ".") in imported for name in below)
