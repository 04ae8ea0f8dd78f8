"""Reading: a Snapshot becomes a Graph, with everything that is wrong with its files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from yg.kernel.errors import UnreadableError
from yg.kernel.issue import Finding, Place
from yg.kernel.snapshot import Inputs, Kind, Recipe
from yg.text import paths
from yg.yggdrasil.config import Config
from yg.yggdrasil.declaration import (
    ASPECT,
    FLOW,
    NODE,
    Reading,
    read_declaration,
    unreadable,
)
from yg.yggdrasil.duplicates import merge_duplicates
from yg.yggdrasil.graph import Graph
from yg.yggdrasil.model import (
    ASPECT_FILE,
    FLOW_FILE,
    FOLDER,
    NODE_FILE,
    Aspect,
    Flow,
    Node,
    Problem,
    UnknownKey,
)
from yg.yggdrasil.read_config import read_config

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from yg.kernel.snapshot import Snapshot

# Codes of the rules that report what is wrong with directories.
NO_NODE, BARE_DIRECTORY, LINK, UNUSED = "E015", "W013", "W019", "W018"


class Tree(Struct, frozen=True):
    """The declarations of one kind: where they are, and what they are called."""

    name: str  # of the folder in the graph
    file: str
    part: Any  # the class of the values
    reading: Any  # that of their readings
    code: str  # of the rule that reports an invalid declaration
    needs: str  # what a declaration must have

    @property
    def is_model(self) -> bool:
        """Whether this is the tree of nodes, which may have a node at its top."""
        return self.part is Node

    def subject(self, path: str) -> str:
        """Return the subject of issues about a path in the tree."""
        return path if self.is_model else f"{self.name}/{path}".removesuffix("/.")

    @property
    def recipe(self) -> Recipe[Reading[Any]]:
        """The recipe that reads a declaration."""
        return Recipe(self.file, self.reading, self._read)

    def _read(self, file: str, data: bytes) -> Reading[Any]:
        directory = paths.parent(file)
        path = directory.partition(f"{FOLDER}/{self.name}/")[2] or paths.ROOT
        return read_declaration(
            self.part,
            self.code,
            self.subject(path),
            file,
            data,
            finish=merge_duplicates,
            path=path,
            directory=directory,
        )


NODES = Tree("model", NODE_FILE, Node, Reading[Node], NODE, "'name' and 'type'")
ASPECTS = Tree("aspects", ASPECT_FILE, Aspect, Reading[Aspect], ASPECT, "a 'name'")
FLOWS = Tree("flows", FLOW_FILE, Flow, Reading[Flow], FLOW, "'name' and 'nodes'")


def read_graph(snapshot: Snapshot) -> Graph:
    """Read the graph in a snapshot."""
    return snapshot.recall("graph", Inputs.DECLARATIONS, Graph, lambda: _read(snapshot))


def _read(snapshot: Snapshot) -> Graph:
    config, reader = read_config(snapshot), _Reader(snapshot)
    nodes, aspects, flows = (reader.parts(tree) for tree in (NODES, ASPECTS, FLOWS))
    reader.problems.sort(key=lambda problem: problem.finding.place.file)
    return Graph(
        config=config.value or Config(),
        nodes=nodes,
        aspects=aspects,
        flows=flows,
        unread=reader.unread,
        problems=(*config.problems, *reader.problems),
        unknown_keys=(*config.unknown_keys, *reader.unknown_keys),
        schemas=reader.files(f"{FOLDER}/schemas"),
        folder=FOLDER,
    )


class _Folder(Struct, frozen=True):
    """One directory of a tree and its entries by kind, sorted."""

    path: str  # inside the tree
    directory: str  # in the repository
    files: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    unreadable: tuple[tuple[str, str], ...] = ()  # path and reason


class _Reader:
    """Reads the trees of a graph, and collects what is wrong with them."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self.problems: list[Problem] = []
        self.unknown_keys: list[UnknownKey] = []
        self.unread: dict[str, Place] = {}

    def parts(self, tree: Tree) -> dict[str, Any]:
        """Read every declaration of a tree; return the valid ones by path, sorted."""
        declared: dict[str, Any] = {}
        others: list[_Folder] = []
        recipe = tree.recipe
        known = self._snapshot.made_before(recipe)
        for folder in self._folders(f"{FOLDER}/{tree.name}"):
            self._note_entries(folder, tree.subject(folder.path))
            is_top = folder.path == paths.ROOT and not tree.is_model
            if is_top or not self._is_declared(folder, tree.file):
                others.append(folder)
            else:
                declared[folder.path] = self._part(tree, folder, recipe, known)
        covered = {above for path in declared for above in paths.lineage(path)}
        for folder in others:
            is_related = folder.path in covered or any(
                above in declared for above in paths.lineage(folder.path)
            )
            self._note_undeclared(tree, folder, is_related=is_related)
        return {path: part for path, part in sorted(declared.items()) if part is not None}

    def files(self, directory: str) -> tuple[str, ...]:
        """Return the names of the files in a directory; none if it is missing or unreadable."""
        if self._snapshot.kind(directory) is not Kind.DIRECTORY:
            return ()
        return self._folder(directory, paths.ROOT).files

    def _part(
        self,
        tree: Tree,
        folder: _Folder,
        recipe: Recipe[Reading[Any]],
        known: Mapping[str, Reading[Any]],
    ) -> Any:
        """Read one declaration; return None if it is invalid."""
        file = f"{folder.directory}/{tree.file}"
        if tree.file not in folder.files:  # it is there, but is no readable file
            self.unread[folder.directory] = Place(file)
            return None
        try:
            reading = known[file] if file in known else self._snapshot.made(file, recipe)
        except UnreadableError as error:
            reading = Reading(None, (unreadable(tree.subject(folder.path), file, error.reason),))
        self.problems += reading.problems
        self.unknown_keys += reading.unknown_keys
        if reading.value is None:
            self.unread[folder.directory] = reading.problems[0].finding.place
            return None
        names = tuple([name for name in folder.files if name != tree.file])
        return replace(reading.value, files=names) if names else reading.value

    def _is_declared(self, folder: _Folder, file: str) -> bool:
        declaration = f"{folder.directory}/{file}"
        return file in folder.files or any(path == declaration for path, _ in folder.unreadable)

    def _folders(self, top: str) -> Iterator[_Folder]:
        """Yield the top of a tree and every directory below it; nothing if the tree is missing."""
        match self._snapshot.kind(top):
            case None:
                return
            case Kind.LINK:
                parent = paths.parent(top)
                yield _Folder(paths.ROOT, parent, links=(paths.name_of(top),))
                return
            case Kind.FILE | Kind.OTHER:
                yield _Folder(paths.ROOT, top, unreadable=((top, "not a directory"),))
                return
        pending = [paths.ROOT]
        while pending:
            path = pending.pop()
            directory = top if path == paths.ROOT else f"{top}/{path}"
            folder = self._folder(directory, path)
            yield folder
            pending += [paths.join(path, name) for name in folder.folders]

    def _folder(self, directory: str, path: str) -> _Folder:
        """List one directory; names that start with a dot are no content."""
        try:
            entries = self._snapshot.entries(directory)
        except UnreadableError as error:
            return _Folder(path, directory, unreadable=((directory, error.reason),))
        files: list[str] = []
        folders: list[str] = []
        links: list[str] = []
        groups = {Kind.FILE: files, Kind.DIRECTORY: folders, Kind.LINK: links}
        bad: list[tuple[str, str]] = []
        for name, kind in entries.items():
            if name.startswith("."):
                continue
            if kind is Kind.OTHER:
                bad.append((f"{directory}/{name}", "not a regular file"))
            elif not paths.is_utf8(name):
                bad.append((f"{directory}/{name}", "its name is not UTF-8"))
            else:
                groups[kind].append(name)
        return _Folder(path, directory, tuple(files), tuple(folders), tuple(links), tuple(bad))

    def _note_entries(self, folder: _Folder, subject: str) -> None:
        """Note the links and the unreadable entries of a directory."""
        for path, reason in folder.unreadable:
            self.problems.append(unreadable(subject, path, reason))
        for name in folder.links:
            message = f"'{name}' is a link and is ignored"
            advice = "Put the content itself there: links are not followed inside a graph."
            self._note(LINK, subject, message, f"{folder.directory}/{name}", advice)

    def _note_undeclared(self, tree: Tree, folder: _Folder, *, is_related: bool) -> None:
        """Note what is wrong with a directory that declares nothing."""
        subject, is_top = tree.subject(folder.path), folder.path == paths.ROOT
        if is_top and tree.file in folder.files:
            message = f"{tree.file} stands outside a directory of its own"
            self._note(tree.code, tree.name, message, f"{folder.directory}/{tree.file}")
        if is_top:
            self._note_unused(tree, folder, tree.name)
        elif tree.is_model and folder.files:
            self._note_missing(NO_NODE, tree, folder, f"has files but no {tree.file}")
        elif tree.is_model:
            if folder.folders:
                message = f"is only a directory: it has no {tree.file}"
                self._note(BARE_DIRECTORY, subject, message, folder.directory)
        elif is_related:
            self._note_unused(tree, folder, subject)
        elif folder.files:
            self._note_missing(tree.code, tree, folder, f"has files but no {tree.file}")

    def _note_missing(self, code: str, tree: Tree, folder: _Folder, message: str) -> None:
        """Note a directory that should have a declaration."""
        advice = f"Add a {tree.file} with {tree.needs}, or move the files elsewhere."
        self.unread[folder.directory] = Place(folder.directory)
        subject = tree.subject(folder.path)
        self._note(code, subject, message, folder.directory, "" if tree.is_model else advice)

    def _note_unused(self, tree: Tree, folder: _Folder, subject: str) -> None:
        """Note each file of a directory that declares nothing."""
        for name in folder.files:
            if name != tree.file:
                message = f"no package includes '{name}': its directory has no {tree.file}"
                advice = "Move it next to a declaration, or remove it."
                self._note(UNUSED, subject, message, f"{folder.directory}/{name}", advice)

    def _note(self, code: str, subject: str, message: str, file: str, advice: str = "") -> None:
        finding = Finding(subject, message, Place(file), (advice,) if advice else ())
        self.problems.append(Problem(code, finding))
