"""Propose a first graph for code: nodes, their files, and their relations from imports."""

from __future__ import annotations

from functools import cached_property
from math import sqrt
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from yg_old.code.draft.cut import NO_NAMES, Cutter
from yg_old.code.draft.extend import Around
from yg_old.code.draft.imported import EVERYTHING
from yg_old.code.draft.mapping import Mapper, Mapping
from yg_old.code.draft.roles import Role, Roles, is_source, matching_test_patterns
from yg_old.code.draft.ties import (
    Targets,
    Uses,
    acyclic,
    by_source,
    imports_between,
    is_declared,
    reaching,
)
from yg_old.code.draft.worth import Undescribed, most_to_say, neighbours
from yg_old.code.names import free_name
from yg_old.text import paths
from yg_old.text.patterns import Patterns

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from collections.abc import Mapping as Table

    from yg_old.code.draft.cut import CodePart
    from yg_old.code.draft.extend import Extension
    from yg_old.code.draft.ties import Pair
    from yg_old.code.facts import FileFacts
    from yg_old.code.resolve import ImportEdge

FEWEST_PARTS, MOST_PARTS = 6, 40  # nodes of the code, if no other number is asked for
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


def usual_parts(files: int) -> int:
    """Return the number of nodes that a number of source files should have at most."""
    return min(MOST_PARTS, max(FEWEST_PARTS, round(1.5 * sqrt(files))))


class Known(Struct, frozen=True, kw_only=True):
    """The graph that exists already."""

    owners: Table[str, str] = {}  # nodes by file
    mapped: Sequence[str] = ()  # paths
    nodes: Sequence[str] = ()  # paths of nodes, and of other directories of the model
    targets: Table[str, Sequence[str]] = {}  # of structural relations, by node; no blackboxes
    declared: Table[str, Sequence[str]] = {}  # targets of all relations, by node
    claimed: Collection[str] = ()  # directories that are mapped, or inside of one, with their files
    excluded: Table[str, Sequence[str]] = {}  # patterns of files that mappings leave out, by node


NOTHING_KNOWN = Known()


class Project(Struct, frozen=True, kw_only=True):
    """The files of a repository that no node owns, and the imports in them."""

    files: Sequence[str]
    roles: Roles
    sources: Table[str, SourceFile]  # the source files among them that are code
    names: Table[str, str] = NO_NAMES  # of packages from their manifests, by directory
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
    excluded: tuple[str, ...] = ()  # patterns of files that the mapping leaves out
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
    extended: tuple[Extension, ...] = ()  # of nodes that exist

    def first(self, commits: Callable[[], Table[str, int]]) -> tuple[str, ...]:
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
    files: Table[str, str]  # with the topmost path of the same role


def propose(
    project: Project,
    *,
    most: int | None = None,
    with_others: bool = True,
    keeps_cycles: bool = False,
) -> Proposal:
    """Return a draft of at most `most` nodes, or 2; only of the code if others are not wanted.

    Without a number, that of the nodes of code follows from the number of source files.
    """
    most = None if most is None else max(most, FEWEST)
    return _Proposer(project, most, with_others=with_others).proposal(keeps_cycles=keeps_cycles)


class _Proposer:
    """Builds one draft, step by step."""

    def __init__(self, project: Project, most: int | None, *, with_others: bool) -> None:
        self._project = project
        self._most = most
        self._with_others = with_others
        known = project.known
        self._around = Around(known.owners, known.targets, known.excluded)
        self._given: dict[str, str] = {}  # nodes that exist, by file that they get
        self._code: list[str] = []
        # Files by role and the node that their node is below, with their topmost path.
        self._others: dict[tuple[str, Role], dict[str, str]] = {}
        for file in sorted(project.files):
            role, top = project.roles.get(file)
            if role is Role.CODE and file not in project.sources:
                continue
            if role is Role.TOOLS and not is_source(file):
                continue
            owner = self._around.owner(file, role) if is_source(file) else ""
            if role is not Role.CODE and with_others:
                owner = owner or self._around.blackbox(str(role))
            if owner:
                self._given[file] = owner
            elif role is Role.CODE:
                self._code.append(file)
            else:
                above, _ = self._around.parent(file)
                self._others.setdefault((above, role), {})[file] = top

    @cached_property
    def _beside(self) -> list[Beside]:
        """The nodes beside the code."""
        wanted = {
            (above, str(role)): (role, files) for (above, role), files in self._others.items()
        }
        if self._most is not None and len(wanted) > self._most - bool(self._code):
            merged = {file: top for files in self._others.values() for file, top in files.items()}
            wanted = {("", OTHERS): (Role.TOOLS, merged)}
        taken = {paths.folded(path) for path in self._project.known.nodes}
        return [
            Beside(free_name(above, [name], taken), *wanted[above, name])
            for above, name in sorted(wanted)
            if self._with_others
        ]

    @cached_property
    def _parts(self) -> list[CodePart]:
        """The nodes of the code."""
        sources = self._project.sources
        weights = {
            file: 0 if matching_test_patterns(file) else sources[file].size for file in self._code
        }
        groups: dict[tuple[str, str], dict[str, int]] = {}  # by what their nodes are below
        for file, weight in weights.items():
            groups.setdefault(self._around.parent(file), {})[file] = weight
        lines = {file: sources[file].lines for file in self._code}
        found: list[CodePart] = []
        for (below, top), group in sorted(groups.items()):
            taken = (
                *self._project.known.nodes,
                *(node.path for node in self._beside),
                *(part.path for part in found),
            )
            cutter = Cutter(
                group,
                max(self._most_parts - len(found), 1),
                taken,
                names=self._project.names,
                lines=lines,
                importers=self._importers,
                below=below,
                top=top,
            )
            found += cutter.parts()
        return found

    @cached_property
    def _most_parts(self) -> int:
        if self._most is not None:
            return self._most - len(self._beside)
        known = self._project.known
        owned = sum(
            is_source(file) and known.owners[file] in known.targets for file in known.owners
        )
        return usual_parts(len(self._code) + owned) - len(known.targets)

    @cached_property
    def _importers(self) -> dict[str, list[str]]:
        """The files of code that import each file."""
        found: dict[str, list[str]] = {}
        code = frozenset(self._code)
        for edge in self._project.edges:
            if not edge.is_folder and edge.file in code and not matching_test_patterns(edge.file):
                found.setdefault(edge.target, []).append(edge.file)
        return found

    @cached_property
    def _owners(self) -> dict[str, str]:
        """The node of each file, new or known."""
        owners = {**self._project.known.owners, **self._given}
        for node in self._beside:
            owners.update(dict.fromkeys(node.files, node.path))
        owners.update((file, part.path) for file, part in self._part_of.items())
        return owners

    @cached_property
    def _part_of(self) -> dict[str, CodePart]:
        """The part of each file of code."""
        found = {}
        single = {file: part for part in self._parts for file in part.files}
        # Parts in different trees may have directories in common, but not their files.
        folders = {(part.top, part.folder.path): part for part in self._parts if part.folder}
        for file in self._code:
            _, top = self._around.parent(file)
            above = ((top, place) for place in reversed(paths.lineage(file)))
            found[file] = single.get(file) or next(
                folders[place] for place in above if place in folders
            )
        return found

    @cached_property
    def _files_of(self) -> dict[CodePart, list[str]]:
        """The source files of each part."""
        found: dict[CodePart, list[str]] = {}
        for file, part in self._part_of.items():
            found.setdefault(part, []).append(file)
        return found

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

    def proposal(self, *, keeps_cycles: bool) -> Proposal:
        """Return the draft, with all relations or without those that would close a cycle."""
        known = self._project.known
        weights = {pair: len(self._imports[pair]) for pair in self._imports}
        kept = weights if keeps_cycles else acyclic(weights, known.targets)
        relations = by_source(pair for pair in self._imports if pair in kept)
        left_out = by_source(pair for pair in self._imports if pair not in kept)
        nodes = [
            self._node(node.path, node.role, self._mapper.covering(node.files.items()), node.files)
            for node in self._beside
        ]
        parts: dict[str, list[CodePart]] = {}
        for part in self._parts:
            parts.setdefault(part.path, []).append(part)
        for path, same in parts.items():
            node = self._node(path, Role.CODE, self._mapping(same), self._files[path])
            nodes.append(
                replace(
                    node,
                    lines=sum(self._project.sources[file].lines for file in node.files),
                    relations=self._ties(path, relations),
                    left_out=self._ties(path, left_out),
                    users=tuple(user for user in node.users if not paths.is_inside(user, path)),
                )
            )
        nodes.sort(key=lambda node: node.path)
        left = (*self._code, *(file for files in self._others.values() for file in files))
        given = {
            file: (node, paths.parent(file) if role is Role.CODE else top)
            for file, node in self._given.items()
            for role, top in (self._project.roles.get(file),)
        }
        extended = self._around.extensions(given, filter(is_source, left))
        return Proposal(tuple(nodes), self._undeclared(relations, left_out), extended)

    def _node(self, path: str, role: Role, mapping: Mapping, files: Iterable[str]) -> ProposedNode:
        return ProposedNode(
            path=path,
            role=role,
            mapping=mapping.paths,
            excluded=mapping.exclude,
            files=tuple(files),
            users=tuple(self._users.get(path, ())),
        )

    def _undeclared(
        self, relations: Table[str, Sequence[str]], left_out: Table[str, Sequence[str]]
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

    def _ties(self, source: str, targets: Table[str, Iterable[str]]) -> tuple[Import, ...]:
        return tuple(
            _import(target, self._imports[source, target]) for target in targets.get(source, ())
        )

    @cached_property
    def _mapper(self) -> Mapper:
        """Maps files with what other nodes, new or known, have in their directories left out."""
        project, known = self._project, self._project.known
        owned = frozenset(place for file in known.owners for place in (file, *paths.lineage(file)))
        unwritten = (path for path in known.mapped if path not in owned)
        beside = (top for files in self._others.values() for top in files.values())
        closed = _above((*unwritten, *project.tops)).union(known.claimed)
        written = filter(owned.__contains__, known.mapped)
        return Mapper((*written, *beside, *self._given), closed)

    def _mapping(self, parts: Sequence[CodePart]) -> Mapping:
        """Return what the parts of a node map: their directories, without other nodes' files."""
        is_alone = len(parts) == 1
        found = [self._part_mapping(part, is_alone=is_alone) for part in parts]
        if is_alone:
            return found[0]
        files = [file for part in parts for file in self._files_of.get(part, ())]
        exclude = tuple(dict.fromkeys(line for mapping in found for line in mapping.exclude))
        if any(map(Patterns.from_lines(exclude).excludes, files)):  # those of one hit another one
            return Mapping(tuple(sorted(files)))
        return Mapping(tuple(sorted({path for one in found for path in one.paths})), exclude)

    def _part_mapping(self, part: CodePart, *, is_alone: bool) -> Mapping:
        files = self._files_of.get(part, [])
        if part.folder is None or not files:
            return Mapping(tuple(files))
        top = part.folder.path
        beside = [file for file in files if not paths.is_inside(file, top)]
        inside = [file for file in files if paths.is_inside(file, top)]
        closed: frozenset[str] = frozenset()
        if part.is_root:
            other = (place for one in self._parts for place in _places(one))
            closed = _above(other) | {paths.ROOT}
        is_direct = {file: part.is_root and paths.parent(file) == paths.ROOT for file in inside}
        direct = [file for file in inside if is_direct[file]]
        deeper = ((file, top) for file in inside if not is_direct[file])
        covered = self._mapper.covering(deeper, closed)
        if direct and not is_alone:
            return Mapping(tuple(sorted((*beside, *direct, *covered.paths))), covered.exclude)
        if direct:
            sources = (*self._project.files, *self._project.known.owners)
            covered = self._mapper.at_top(direct, covered, filter(is_source, sources))
        return Mapping(tuple(sorted((*beside, *covered.paths))), covered.exclude)


def _places(part: CodePart) -> Iterable[str]:
    """Return the paths of a part that other parts must not map, unless they are above it."""
    return (part.folder.path,) if part.folder and not part.is_root else part.files


def _above(found: Iterable[str]) -> frozenset[str]:
    return frozenset(place for path in found for place in paths.lineage(path))


def _import(target: str, places: Sequence[ImportEdge]) -> Import:
    names = {name for edge in places for name in edge.names or (EVERYTHING,)}
    shown = () if EVERYTHING in names else tuple(sorted(names))
    return Import(target=target, names=shown, places=tuple(places))
