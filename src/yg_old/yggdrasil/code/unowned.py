"""The files that no node owns, and what their code says."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from yg_old.code.draft.propose import Known, Project, SourceFile
from yg_old.code.draft.roles import Role, Roles, is_source, matching_test_patterns
from yg_old.code.identifiers import identifiers_of
from yg_old.code.languages import ENDINGS, ending
from yg_old.code.names import MANIFESTS, project_name
from yg_old.code.read import facts_of, read_facts
from yg_old.code.resolve import Resolution
from yg_old.code.uses.members import ImportedMembers
from yg_old.kernel.errors import UnreadableError
from yg_old.text import paths
from yg_old.text.patterns import Patterns
from yg_old.yggdrasil.folders import walk
from yg_old.yggdrasil.owners import Ownership
from yg_old.yggdrasil.places import mapped_path, spelling_fault

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from yg_old.code.resolve import ImportEdge
    from yg_old.kernel.sources import Sources
    from yg_old.yggdrasil.graph import Graph
    from yg_old.yggdrasil.model import CodeSettings


def known_graph(graph: Graph, sources: Sources) -> Known:
    """Return what a draft has to know of the nodes that exist."""
    ownership = Ownership(graph, sources)
    found = [(file, ownership.get_listed(file)) for file in sources.files(paths.ROOT)]
    owned = [(file, owner) for file, owner in found if owner is not None]
    mapped = (mapped_path(entry.text) for node in graph.nodes for entry in node.mapping)
    return Known(
        owners={file: owner.node for file, owner in owned},
        mapped=tuple(path for path in mapped if path is not None),
        nodes=tuple(folder.id for folder in walk(graph.snapshot, graph.nodes.spec.tree)),
        targets={
            node.path: node.structural_targets for node in graph.nodes if not node.is_blackbox
        },
        declared={
            node.path: tuple(relation.target.text for relation in node.relations)
            for node in graph.nodes
        },
        claimed=frozenset(
            place
            for file, owner in owned
            for place in paths.lineage(file)
            if paths.is_inside(place, owner.mapping)
        ),
        excluded={
            node.path: tuple(entry.text for entry in node.excluded)
            for node in graph.nodes
            if node.excluded
        },
    )


def unowned_project(
    sources: Sources,
    known: Known,
    settings: CodeSettings,
    *,
    tops: Sequence[str],
    ignored: Collection[str] = (),
) -> Project:
    """Read the code without an owner below some directories, each file once.

    Of the code with an owner only the imports are read. Files that import whole modules are read
    again, for the names that they use of these. `ignored` are patterns of files that may
    import anything.
    """
    everything = sources.files(paths.ROOT)
    present = frozenset(everything)
    files = [
        file
        for file in everything
        if file not in known.owners
        and not spelling_fault(file)
        and "\\" not in file
        and any(paths.is_inside(file, top) for top in tops)
    ]
    roles = Roles(files, tops, present=everything)
    read = {
        file: _read(sources, file)
        for file in files
        if is_source(file) and roles.get(file)[0] in (Role.CODE, Role.DOCS)
    }
    facts = {file: source.facts for file, source in read.items()}
    facts |= {file: facts_of(sources, file) for file in known.owners if ending(file) in ENDINGS}
    readable = {file: found for file, found in facts.items() if found}
    imports = {file: found.imported for file, found in readable.items()}
    text = cache(lambda file: _text(sources, file) if file in present else None)
    resolution = Resolution(everything, imports, text, settings.roots)
    members = ImportedMembers(readable, lambda file: identifiers_of(sources, file), resolution)
    # A directory such as `docs` that other code imports is code.
    imported = {
        roles.get(edge.target)[1]
        for edge in resolution.edges
        if edge.target in read
        and roles.get(edge.target)[0] is Role.DOCS
        and (edge.file in known.owners or roles.is_code(edge.file))
    }
    tests = _imported_by_tests(resolution.edges, roles, known)
    roles = Roles(files, tops, imported, everything, tests) if imported or tests else roles
    read = {file: source for file, source in read.items() if roles.is_code(file)}
    packages = {
        paths.parent(file)
        for file in everything
        if paths.name_of(file) in MANIFESTS and roles.get(file)[0] in (Role.CODE, Role.TOOLS)
    }
    names = {place: name for place in sorted(packages) if (name := project_name(text, place))}
    is_ignored = Patterns.from_lines(ignored).excludes
    return Project(
        files=files,
        roles=roles,
        sources=read,
        names=names,
        edges=[
            members.of(edge)
            for edge in resolution.edges
            if settings.counts_types or not edge.type_only
        ],
        tops=tops,
        ignored=frozenset(file for file in facts if is_ignored(file)),
        known=known,
    )


def _imported_by_tests(edges: Iterable[ImportEdge], roles: Roles, known: Known) -> frozenset[str]:
    """Return the directories among code that have a name of tests and that only tests import."""
    by_tests: dict[str, bool] = {}  # whether all imports of a directory from outside are by tests
    for edge in edges:
        is_test = bool(matching_test_patterns(edge.file))
        is_code = known.owners.get(edge.file) in known.targets or roles.is_code(edge.file)
        for directory in (edge.target, *paths.lineage(edge.target)[1:]):
            if roles.may_be_tests(directory) and not paths.is_inside(edge.file, directory):
                by_tests[directory] = by_tests.get(directory, True) and (is_test or not is_code)
    return frozenset(directory for directory, only in by_tests.items() if only)


def _read(sources: Sources, file: str) -> SourceFile:
    try:
        data = sources.read(file)
    except UnreadableError:
        return SourceFile(0)
    return SourceFile(len(data), read_facts(file, data))


def _text(sources: Sources, file: str) -> str | None:
    """Return the text of a configuration file of a language."""
    try:
        return sources.read(file).decode("utf-8-sig", "replace")
    except UnreadableError:
        return None
