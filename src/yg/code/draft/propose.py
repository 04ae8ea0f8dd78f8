"""Propose a first graph for code: nodes, their files, and their relations from imports."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from yg.code.draft.cut import Cutter
from yg.code.draft.imported import EVERYTHING
from yg.code.draft.roles import Role, Roles, is_source, matching_test_patterns
from yg.code.draft.ties import (
    Targets,
    Uses,
    acyclic,
    by_source,
    imports_between,
    is_declared,
    reaching,
)
from yg.code.draft.worth import Undescribed, most_to_say, neighbours
from yg.code.names import free_name
from yg.text import paths

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from yg.code.draft.cut import CodePart
    from yg.code.draft.ties import Pair
    from yg.code.facts import FileFacts
    from yg.code.resolve import ImportEdge

FEWEST = 2  # nodes of a draft: one for the code, one for all that is beside it
OTHERS = "others"  # the node for all that is beside the code, if there is no room for more
MOST_FIRST = 3  # nodes that are named as the first to describe


class SourceFile(Struct, frozen=True):
    """What is known of a source file."""

    size: int  # bytes
    facts: FileFacts | None = None  # None: it cannot be read

    @property
    def lines(self) -> int:
        """The number of its lines; 0 if it cannot be read."""
        return self.facts.lines if self.facts else 0


class Known(Struct, frozen=True, kw_only=True):
    """The graph that exists already."""

    owners: Mapping[str, str] = {}  # nodes by file
    mapped: Sequence[str] = ()  # paths
    nodes: Sequence[str] = ()  # paths of nodes, and of other directories of the model
    targets: Mapping[str, Sequence[str]] = {}  # of structural relations, by node; no blackboxes
    declared: Mapping[str, Sequence[str]] = {}  # targets of all relations, by node


NOTHING_KNOWN = Known()


class Project(Struct, frozen=True, kw_only=True):
    """The files of a repository that no node owns, and the imports in them."""

    files: Sequence[str]
    roles: Roles
    sources: Mapping[str, SourceFile]  # the source files among them that are code
    name: str = ""  # of the project, from its manifest
    edges: Sequence[ImportEdge] = ()  # of imports at run time, also by files with an owner
    tops: Sequence[str] = (paths.ROOT,)  # the directories that have the files
    ignored: Collection[str] = ()  # files that may import anything
    known: Known = NOTHING_KNOWN


class Import(Struct, frozen=True, kw_only=True):
    """All imports of one node by another."""

    target: str
    names: tuple[str, ...]  # sorted; empty: everything
    places: tuple[ImportEdge, ...]  # sorted


class ProposedNode(Struct, frozen=True, kw_only=True):
    """One node of a draft."""

    path: str
    role: Role
    mapping: tuple[str, ...] = ()
    files: tuple[str, ...] = ()  # source files of code, all files of anything else
    lines: int = 0  # of source files of code
    relations: tuple[Import, ...] = ()
    left_out: tuple[Import, ...] = ()  # they would close a cycle
    users: tuple[str, ...] = ()  # nodes that import it, without those below it

    @property
    def is_blackbox(self) -> bool:
        """Whether the node is described from outside only."""
        return self.role is not Role.CODE


class Undeclared(Struct, frozen=True, order=True):
    """A node that imports another one without a relation."""

    source: str
    target: str
    closes_cycle: bool  # whether a relation would


class Proposal(Struct, frozen=True):
    """The nodes of a draft, sorted by path."""

    nodes: tuple[ProposedNode, ...]
    undeclared: tuple[Undeclared, ...] = ()  # imports from and to these nodes, sorted

    def first(self, commits: Callable[[], Mapping[str, int]]) -> tuple[str, ...]:
        """Return the nodes with most to say; the commits of each node decide between equal ones."""
        around = neighbours(
            {node.path: [found.target for found in node.relations] for node in self.nodes}
        )
        nodes = [
            Undescribed(path=node.path, lines=node.lines, neighbours=len(around[node.path]))
            for node in self.nodes
            if not node.is_blackbox and node.files
        ]
        is_clear = len({node.worth for node in nodes}) == len(nodes)
        order = most_to_say(nodes, {} if is_clear else commits())
        return tuple(node.path for node in order[:MOST_FIRST])


class Beside(Struct, frozen=True):
    """Files beside the code that become one node."""

    path: str
    role: Role
    files: Mapping[str, str]  # with the topmost path of the same role


def propose(project: Project, *, most: int, with_others: bool = True) -> Proposal:
    """Return a draft of at most `most` nodes, or 2; only of the code if others are not wanted."""
    return _Proposer(project, max(most, FEWEST), with_others=with_others).proposal()


class _Proposer:
    """Builds one draft, step by step."""

    def __init__(self, project: Project, most: int, *, with_others: bool) -> None:
        self._project = project
        self._most = most
        self._with_others = with_others
        self._code: list[str] = []
        self._others: dict[Role, dict[str, str]] = {}
        for file in sorted(project.files):
            role, top = project.roles.get(file)
            if role is Role.CODE:
                self._code += [file] if file in project.sources else []
            elif role is not Role.TOOLS or is_source(file):
                self._others.setdefault(role, {})[file] = top

    @cached_property
    def _beside(self) -> list[Beside]:
        """The nodes beside the code."""
        wanted = {str(role): (role, files) for role, files in self._others.items()}
        if len(wanted) > self._most - bool(self._code):
            merged = {file: top for files in self._others.values() for file, top in files.items()}
            wanted = {OTHERS: (Role.TOOLS, merged)}
        taken = {paths.folded(path) for path in self._project.known.nodes}
        return [
            Beside(free_name("", [name], taken), *wanted[name])
            for name in sorted(wanted)
            if self._with_others
        ]

    @cached_property
    def _parts(self) -> list[CodePart]:
        """The nodes of the code."""
        sources = self._project.sources
        weights = {
            file: 0 if matching_test_patterns(file) else sources[file].size for file in self._code
        }
        taken = (*self._project.known.nodes, *(node.path for node in self._beside))
        most = self._most - len(self._beside)
        return Cutter(weights, most, taken, self._project.name).parts()

    @cached_property
    def _owners(self) -> dict[str, str]:
        """The node of each file, new or known."""
        owners = dict(self._project.known.owners)
        for node in self._beside:
            owners.update(dict.fromkeys(node.files, node.path))
        folders = {part.folder.path: part.path for part in self._parts if part.folder}
        single = {file: part.path for part in self._parts for file in part.files}
        for file in self._code:
            above = (folders[place] for place in reversed(paths.lineage(file)) if place in folders)
            owners[file] = single.get(file) or next(above)
        return owners

    @cached_property
    def _files(self) -> dict[str, list[str]]:
        """The source files of each node of the code."""
        found: dict[str, list[str]] = {part.path: [] for part in self._parts}
        for file in self._code:
            found[self._owners[file]].append(file)
        return found

    @cached_property
    def _targets(self) -> Targets:
        return Targets(self._owners, (*self._project.files, *self._project.known.owners))

    @cached_property
    def _imports(self) -> dict[Pair, list[ImportEdge]]:
        """The imports between nodes, by code whose imports count."""
        code = frozenset(self._code).difference(self._project.ignored)
        edges = self._project.edges
        return imports_between(edges, self._owners, self._targets, lambda edge: edge.file in code)

    @cached_property
    def _users(self) -> dict[str, list[str]]:
        """The nodes that import each node of the draft."""
        drafted = {node.path for node in self._beside} | {part.path for part in self._parts}
        return self._uses.users(drafted)

    @cached_property
    def _uses(self) -> Uses:
        """The imports of files by other nodes."""
        known = self._project.known
        code = frozenset(self._code)
        edges = (
            edge
            for edge in self._project.edges
            if edge.file in code or known.owners.get(edge.file) in known.targets
            if not matching_test_patterns(edge.file)
        )
        return Uses(edges, self._owners, self._targets)

    def proposal(self) -> Proposal:
        """Return the draft."""
        known = self._project.known
        kept = acyclic({pair: len(self._imports[pair]) for pair in self._imports}, known.targets)
        relations = by_source(pair for pair in self._imports if pair in kept)
        left_out = by_source(pair for pair in self._imports if pair not in kept)
        nodes = [
            ProposedNode(
                path=node.path,
                role=node.role,
                mapping=self._cover(node.files.items(), self._impure),
                files=tuple(node.files),
                users=tuple(self._users.get(node.path, ())),
            )
            for node in self._beside
        ]
        for part in self._parts:
            path, files = part.path, self._files[part.path]
            users = self._users.get(path, ())
            nodes.append(
                ProposedNode(
                    path=path,
                    role=Role.CODE,
                    mapping=self._mapping(part),
                    files=tuple(files),
                    lines=sum(self._project.sources[file].lines for file in files),
                    relations=self._ties(path, relations),
                    left_out=self._ties(path, left_out),
                    users=tuple(user for user in users if not paths.is_inside(user, path)),
                )
            )
        nodes.sort(key=lambda node: node.path)
        return Proposal(tuple(nodes), self._undeclared(relations, left_out))

    def _undeclared(
        self, relations: Mapping[str, Sequence[str]], left_out: Mapping[str, Sequence[str]]
    ) -> tuple[Undeclared, ...]:
        """Return the imports that no relation declares, from and to the nodes of the draft."""
        known = self._project.known
        pairs = {(source, target) for source in left_out for target in left_out[source]}
        pairs |= {pair for pair in self._incoming if pair[1] not in known.declared}
        listed = {**known.declared, **relations}
        declared = {source: frozenset(listed[source]) for source in listed}
        against = reaching({**known.targets, **relations}, pairs)
        return tuple(
            Undeclared(source, target, (source, target) in against)
            for source, target in sorted(pairs)
            if not is_declared(declared, source, target)
        )

    @cached_property
    def _incoming(self) -> dict[Pair, list[ImportEdge]]:
        """The imports by nodes that exist already."""
        known, ignored = self._project.known, self._project.ignored
        return imports_between(
            self._project.edges,
            self._owners,
            self._targets,
            lambda edge: edge.file in known.owners and edge.file not in ignored,
        )

    def _ties(self, source: str, targets: Mapping[str, Iterable[str]]) -> tuple[Import, ...]:
        return tuple(
            _import(target, self._imports[source, target]) for target in targets.get(source, ())
        )

    @cached_property
    def _impure(self) -> frozenset[str]:
        """Directories that also hold files of other nodes which are not below theirs."""
        project = self._project
        beside = (top for files in self._others.values() for top in files.values())
        return _above((*project.known.mapped, *project.tops, *beside))

    def _mapping(self, part: CodePart) -> tuple[str, ...]:
        """Return the paths that a part maps: its directory if that has no file of another node."""
        files = self._files[part.path]
        if part.folder is None or not files:
            return tuple(files)
        beside = [file for file in files if not paths.is_inside(file, part.folder.path)]
        inside = [file for file in files if paths.is_inside(file, part.folder.path)]
        impure = self._impure
        if part.is_root:
            impure |= _above(place for other in self._parts for place in _places(other)) | {
                paths.ROOT
            }
        covered = self._cover(((file, part.folder.path) for file in inside), impure)
        return tuple(sorted((*beside, *covered)))

    def _cover(self, files: Iterable[tuple[str, str]], impure: Collection[str]) -> tuple[str, ...]:
        """Return the fewest paths that hold files, each below a given path, and no others."""
        found: dict[str, None] = {}
        for file, top in files:
            above = (place for place in paths.lineage(file) if paths.is_inside(place, top))
            found[next((place for place in above if place not in impure), file)] = None
        return tuple(sorted(found))


def _places(part: CodePart) -> Iterable[str]:
    """Return the paths of a part that other parts must not map, unless they are above it."""
    return (part.folder.path,) if part.folder and not part.is_root else part.files


def _above(found: Iterable[str]) -> frozenset[str]:
    return frozenset(place for path in found for place in paths.lineage(path))


def _import(target: str, places: Sequence[ImportEdge]) -> Import:
    names = {name for edge in places for name in edge.names or (EVERYTHING,)}
    shown = () if EVERYTHING in names else tuple(sorted(names))
    return Import(target=target, names=shown, places=tuple(places))
