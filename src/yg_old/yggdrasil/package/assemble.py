"""Assembly of the context package of a node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET
from msgspec.structs import replace

from yg_old.kernel.errors import BinaryFileError, UnreadableError
from yg_old.kernel.package import Document
from yg_old.kernel.snapshot import Text, given_text
from yg_old.text import paths
from yg_old.text.escapes import one_line, visible
from yg_old.yggdrasil.block_kind import BlockKind
from yg_old.yggdrasil.collection import skipped
from yg_old.yggdrasil.inventories.relations import externals
from yg_old.yggdrasil.model import RelationKind
from yg_old.yggdrasil.package.blocks import AspectException, Block, ContextPackage, PackageNode
from yg_old.yggdrasil.package.markdown import MarkdownPackage
from yg_old.yggdrasil.package.quoted_once import quoted_once
from yg_old.yggdrasil.resolve import (
    ancestors,
    artifact,
    artifacts,
    aspect_texts,
    decisions,
    description_first,
    documents,
    effective_aspects,
    expanded,
    files_of,
    flows_of,
    node_texts,
    offered_names,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from yg_old.kernel.inventory import InventoryNode
    from yg_old.yggdrasil.decisions import Decision
    from yg_old.yggdrasil.graph import Graph
    from yg_old.yggdrasil.inventories.relations import External
    from yg_old.yggdrasil.inventory_copies import InventoryCopy
    from yg_old.yggdrasil.model import Aspect, Flow, Node, Relation
    from yg_old.yggdrasil.resolve import Effective, Reason

    # The id of an aspect, why it applies, and the exceptions from it.
    AspectKey = tuple[str, tuple[Reason, ...], tuple[AspectException, ...]]
MOST_QUOTED = 5  # decisions of a node or an aspect; of older ones a package has one line each


def assemble(graph: Graph, node: Node) -> ContextPackage:
    """Assemble the context package of a node."""
    return Assembler(graph).package(node)


class Assembler:
    """Assembler for the packages of one graph; it caches blocks that several packages share."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._ancestors: dict[str, Block] = {}
        self._offers: dict[str, tuple[Document, ...]] = {}
        self._contents: dict[str, tuple[Document, ...]] = {}
        self._aspects: dict[AspectKey, Block] = {}
        self._excerpts: dict[str, Document] = {}
        self._joined: dict[tuple[str, ...], str] = {}  # the aspects that lists of them imply

    def package(self, node: Node) -> ContextPackage:
        """Assemble the package of a node."""
        kind = MarkdownPackage if self._graph.edition.counts_markdown else ContextPackage
        return kind(
            nodes=(PackageNode(node.path, node.name, node.type.text),),
            parts=tuple(quoted_once(self._ordered_blocks(node))),
            budget=self._graph.budget,
            has_limit=not node.is_blackbox,
        )

    def without_aspects(self, node: Node) -> ContextPackage:
        """Assemble the package of a node without the blocks of its aspects."""
        return ContextPackage(
            nodes=(PackageNode(node.path, node.name, node.type.text),),
            parts=tuple(quoted_once(self._ordered_blocks(node, has_aspects=False))),
            budget=self._graph.budget,
        )

    def own_package(self, node: Node) -> ContextPackage:
        """Assemble only the texts of a node itself, below the name of the project."""
        return ContextPackage(
            nodes=(PackageNode(node.path, node.name, node.type.text),),
            parts=(self._global(node.path), self._own(node)),
            budget=self._graph.budget,
        )

    def _ordered_blocks(self, node: Node, *, has_aspects: bool = True) -> Iterator[Block]:
        """Yield the blocks in the order of the edition."""
        edition = self._graph.edition
        found = self._blocks(node, has_aspects=has_aspects)
        blocks = sorted(found, key=lambda block: edition.order.index(block.kind))
        for block in blocks:
            is_lenient = edition.reports_missing_targets and block.kind is not BlockKind.OWN
            yield _replace_unreadable(block) if is_lenient else block

    def _blocks(self, node: Node, *, has_aspects: bool) -> Iterator[Block]:
        graph = self._graph
        above = ancestors(graph, node.path)
        yield self._global(node.path)
        yield from (self._hierarchy(ancestor) for ancestor in above)
        yield self._own(node)
        if node.mapping and not node.is_blackbox:
            yield _target(node)
        carriers = (*above, node)
        applying = effective_aspects(graph, node) if has_aspects else ()
        yield from (self.aspect_block(carriers, effective) for effective in applying)
        included = {ancestor.path for ancestor in above}
        for relation in node.relations:
            if relation.kind.is_structural:
                yield from self._dependency(relation, included)
        for relation in node.relations:
            if not relation.kind.is_structural:
                target = graph.nodes.get(relation.target.text)
                yield _event(relation, target.name if target else "")
        yield from self._external(node)
        lineage = (*(ancestor.path for ancestor in above), node.path)
        yield from (self._flow(lineage, flow) for flow in flows_of(graph, node.path))

    def _global(self, path: str) -> Block:
        name = self._graph.config.name
        is_lenient = self._graph.edition.reports_missing_targets
        left_out = tuple(self._left_out(path)) if is_lenient else ()
        return Block(
            kind=BlockKind.GLOBAL,
            subject=name,
            opening=(f"**Project:** {one_line(name)}", *self._graph.config.briefing),
            closing=left_out,
            left_out=left_out,
            reasons=("configuration",),
        )

    def _left_out(self, path: str) -> Iterator[str]:
        """Yield a line for each declaration of a package that could not be read."""
        graph = self._graph
        readings = ((above, graph.nodes.reading(above)) for above in paths.lineage(path))
        parents = [above for above, reading in readings if reading and reading.value is None]
        if graph.config_reading.notes:
            file = graph.config.file
            yield f"Left out: settings of {visible(file)} that could not be read."
        for above in parents:
            yield _omission(above, graph.nodes.spec.file_of(above))
        for collection in (graph.aspects, graph.flows):
            for finding in skipped(collection):
                yield _omission(finding.subject, finding.place.file)

    def _hierarchy(self, node: Node) -> Block:
        if node.path not in self._ancestors:
            documents = artifacts(self._graph, node)
            self._ancestors[node.path] = Block(
                kind=BlockKind.HIERARCHY,
                subject=node.path,
                attributes=_non_empty(
                    ("path", f"{node.path}/"), ("aspects", self._expanded(node.aspect_ids))
                ),
                opening=_description(node),
                documents=documents,
                closing=(*_document_names(self._graph, node), *self._decision_lines(node)),
                source_files=(node.file, *_files(documents)),
                reasons=(f"hierarchy from {node.path}",),
            )
        return self._ancestors[node.path]

    def _own(self, node: Node) -> Block:
        documents = (*node_texts(self._graph, node), *self._decisions(node))
        if self._graph.edition.shows_declaration:
            documents = (*files_of(self._graph, node, (node.declared_in,)), *documents)
        return Block(
            kind=BlockKind.OWN,
            subject=node.path,
            attributes=_non_empty(("aspects", self._expanded(node.aspect_ids))),
            documents=documents,
            closing=self._decision_lines(node, MOST_QUOTED),
            source_files=(node.file, *(file for file in _files(documents) if file != node.file)),
            reasons=("own",),
        )

    def aspect_block(self, carriers: tuple[Node, ...], effective: Effective) -> Block:
        """Return the block of an aspect; `carriers` are the ancestors of the node and itself."""
        exceptions = tuple(exceptions_from(carriers, effective.aspect.id))
        key = (effective.aspect.id, effective.reasons, exceptions)
        if key not in self._aspects:
            self._aspects[key] = self._aspect(effective, exceptions)
        return self._aspects[key]

    def _aspect(self, effective: Effective, exceptions: tuple[AspectException, ...]) -> Block:
        aspect = effective.aspect
        documents = self._aspect_documents(aspect)
        stability = (f"**Stability tier:** {aspect.stability}",) if aspect.stability else ()
        description = aspect.description.rstrip()
        has_text = any(_has_words(document) for document in documents) if description else True
        return Block(
            kind=BlockKind.ASPECT,
            subject=aspect.id,
            attributes=_non_empty(
                ("name", aspect.name), ("tag", aspect.tag), ("id", "" if aspect.tag else aspect.id)
            ),
            opening=() if has_text else (description,),
            documents=documents,
            closing=(*self._decision_lines(aspect, MOST_QUOTED), *stability),
            exceptions=exceptions,
            source_files=tuple(dict.fromkeys((aspect.file, *_files(documents)))),
            reasons=tuple(map(str, effective.reasons)),
        )

    def _dependency(self, relation: Relation, included: set[str]) -> Iterator[Block]:
        """Yield the block of a relation; an ancestor's documents are in the package already."""
        path, edition = relation.target.text, self._graph.edition
        target = self._graph.nodes.get(path)
        lines = _annotations(relation)
        left_out: tuple[str, ...] = ()
        if target is None and edition.reports_missing_targets:
            lines = (f"There is no node '{visible(path)}'.",)
            if self._graph.nodes.reading(path) is not None:
                lines = left_out = (_omission(path, self._graph.nodes.spec.file_of(path)),)
        elif target is None:
            lines = ()
        is_included = path in included and edition.skips_ancestors
        if not lines and (target is None or is_included):
            return
        documents = () if target is None or is_included else self._offered(target)
        described = () if target is None or is_included else _description(target)
        yield Block(
            kind=BlockKind.DEPENDENCY,
            subject=path,
            attributes=_relation_attributes(relation),
            consumes=relation.consumes,
            opening=(*described, *lines),
            documents=documents,
            closing=() if target is None or is_included else self._decision_lines(target),
            left_out=left_out,
            source_files=_files(documents),
            reasons=(f"relation {relation.kind} {path}",),
        )

    def _external(self, node: Node) -> Iterator[Block]:
        """Yield the blocks of relations to nodes of other repositories."""
        for found in externals(self._graph, node):
            relation, source = found.relation, _origin(found)
            if not relation.kind.is_structural:
                yield _event(relation, found.node.name if found.node else "", source)
            elif found.node is not None and found.imported is not None:
                documents = self._imported(found.target, found.node)
                missing = () if documents else _summary(found.imported, found.node)
                yield Block(
                    kind=BlockKind.DEPENDENCY,
                    subject=found.target,
                    attributes=_relation_attributes(relation, source),
                    opening=(*_annotations(relation), *missing),
                    documents=documents,
                    source_files=(found.imported.file,),
                    contract=found.node.digest,
                    reasons=(f"relation {relation.kind} {found.target}",),
                )

    def _imported(self, target: str, node: InventoryNode) -> tuple[Document, ...]:
        """Return the contract of a node of another repository, if the import has it."""
        if target not in self._offers:
            texts = {} if node.contracts is UNSET else node.contracts
            self._offers[target] = tuple(
                Document(name, given_text(f"{target}/{name}", text)) for name, text in texts.items()
            )
        return self._offers[target]

    def _flow(self, lineage: tuple[str, ...], flow: Flow) -> Block:
        documents = self._flow_documents(flow)
        return Block(
            kind=BlockKind.FLOW,
            subject=flow.id,
            attributes=_non_empty(
                ("name", flow.name), ("aspects", self._expanded(flow.aspect_ids))
            ),
            opening=_description(flow),
            documents=documents,
            source_files=(flow.file, *_files(documents)),
            reasons=tuple(
                "own" if path == lineage[-1] else f"hierarchy from {path}"
                for path in lineage
                if path in flow.participants
            ),
        )

    def _offered(self, target: Node) -> tuple[Document, ...]:
        """Return the artifacts that dependents of a node see."""
        if target.path not in self._offers:
            names = offered_names(self._graph, target)
            documents = tuple(artifact(self._graph, target, name) for name in names)
            self._offers[target.path] = documents
        return self._offers[target.path]

    def _aspect_documents(self, aspect: Aspect) -> tuple[Document, ...]:
        if aspect.directory not in self._contents or aspect.tag:  # 0.x: many in one directory
            found = (*aspect_texts(self._graph, aspect), *self._decisions(aspect))
            self._contents[aspect.directory] = found
        return self._contents[aspect.directory]

    def _flow_documents(self, flow: Flow) -> tuple[Document, ...]:
        if flow.directory not in self._contents:
            names = description_first(flow.files)
            self._contents[flow.directory] = files_of(self._graph, flow, names)
        return self._contents[flow.directory]

    def _decisions(self, part: Node | Aspect) -> tuple[Document, ...]:
        """Return the newest decisions that a part lists, as documents."""
        found = decisions(self._graph, part)[:MOST_QUOTED] if part.decisions else ()
        return tuple(map(self._excerpt, found))

    def _excerpt(self, decision: Decision) -> Document:
        from yg_old.yggdrasil.package.excerpt import excerpt  # few nodes have decisions

        file = decision.file
        if file not in self._excerpts:
            whole = self._graph.snapshot.text(file)
            quoted = Text(file, lambda _path: excerpt(decision, whole.value).encode())
            self._excerpts[file] = Document(file, quoted, reference=file)
        return self._excerpts[file]

    def _decision_lines(self, part: Node | Aspect, after: int = 0) -> tuple[str, ...]:
        """Return a line for each decision that a part lists, without the newest ones."""
        found = decisions(self._graph, part)[after:] if part.decisions else ()
        return tuple(one_line(decision.line) for decision in found)

    def _expanded(self, ids: tuple[str, ...]) -> str:
        if ids not in self._joined:
            self._joined[ids] = ",".join(expanded(self._graph, ids))
        return self._joined[ids]


def _replace_unreadable(block: Block) -> Block:
    """Replace documents that cannot be read by a line that says so."""
    readable, lines = [], []
    for document in block.documents:
        try:
            document.source.extent  # noqa: B018
            readable.append(document)
        except BinaryFileError:
            readable.append(document)
        except UnreadableError as error:
            lines.append(f"There is no text of '{visible(document.name)}': {error.reason}.")
    if not lines:
        return block
    return replace(
        block,
        documents=tuple(readable),
        closing=(*block.closing, *lines),
        left_out=(*block.left_out, *lines),
    )


def _has_words(document: Document) -> bool:
    return not document.is_binary and not document.source.is_draft


def _document_names(graph: Graph, node: Node) -> Iterator[str]:
    """Yield a line with the documents of an ancestor, which only its own package quotes."""
    if node.documents:
        names = (document.name for document in documents(graph, node))
        yield f"Documents: {', '.join(map(one_line, names))}"


def _description(part: Node | Flow) -> tuple[str, ...]:
    """Return the line with the description of a node or a flow, if it has one."""
    return (f"Description: {one_line(part.description)}",) if part.description else ()


def _omission(subject: str, file: str) -> str:
    return f"Left out: {visible(subject)}, because {visible(file)} could not be read."


def exceptions_from(carriers: tuple[Node, ...], aspect_id: str) -> Iterator[AspectException]:
    """Yield the exceptions from an aspect, those of ancestors first."""
    for carrier in carriers:
        path = carrier.path
        whose = "for this node" if carrier is carriers[-1] else f"from {visible(path)}"
        for use in carrier.aspects:
            if use.aspect.text == aspect_id:
                yield from (AspectException(path, text, whose) for text in use.exceptions)


def _target(node: Node) -> Block:
    return Block(
        kind=BlockKind.TARGET,
        subject=node.path,
        attributes=(
            ("paths", ", ".join(word.text for word in node.mapping)),
            *([("exclude", ", ".join(word.text for word in node.excluded))] * bool(node.excluded)),
        ),
        reasons=("own",),
    )


def _event(relation: Relation, name: str, source: str = "") -> Block:
    """Return the block of an event; `name` is that of the target, empty if it is not known."""
    path = relation.target.text
    event = relation.event_name or name or path
    if relation.kind is RelationKind.EMITS:
        lines = (f"Target: {visible(path)}", f"You publish {one_line(event)}.")
    else:
        lines = (f"Source: {visible(path)}", f"You listen for {one_line(event)}.")
    consumes = ", ".join(relation.consumes)
    return Block(
        kind=BlockKind.EVENT,
        subject=path,
        attributes=_non_empty(
            ("target", path),
            ("source", source),
            ("type", str(relation.kind)),
            ("event-name", event),
            ("consumes", consumes),
        ),
        opening=(*lines, *((f"Consumes: {one_line(consumes)}",) if consumes else ())),
        reasons=(f"relation {relation.kind} {path}",),
    )


def _origin(external: External) -> str:
    """Return where the target of an external relation is described."""
    return f"import {external.imported.label}" if external.imported else ""


def _summary(imported: InventoryCopy, node: InventoryNode) -> Iterator[str]:
    """Yield what is known of a node whose contract is not in the import."""
    if node.contracts is UNSET:
        if node.summary:
            yield f"Summary: {one_line(node.summary)}"
        yield f"The import {imported.name} has no contracts, so no more of the target is known."


def _relation_attributes(relation: Relation, source: str = "") -> tuple[tuple[str, str], ...]:
    return _non_empty(
        ("target", relation.target.text),
        ("source", source),
        ("type", str(relation.kind)),
        ("consumes", ", ".join(relation.consumes)),
        ("failure", relation.failure),
    )


def _annotations(relation: Relation) -> tuple[str, ...]:
    consumes = f"Consumes: {one_line(', '.join(relation.consumes))}" if relation.consumes else ""
    failures = (f"On failure: {one_line(text)}" for text in relation.failures)
    return tuple(line for line in (consumes, *failures) if line)


def _files(documents: Iterable[Document]) -> tuple[str, ...]:
    return tuple(document.source.path for document in documents)


def _non_empty(*attributes: tuple[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple((name, value) for name, value in attributes if value)
