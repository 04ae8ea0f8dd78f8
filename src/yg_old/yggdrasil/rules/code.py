"""Rules that compare the graph with the code, if the configuration has a `code` section."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.kernel.issue import AddItem, AddLine, Finding, Fix, Level, Place, SetNeighbour, Severity
from yg_old.kernel.rule import rule
from yg_old.text.plural import listed
from yg_old.text.suggest import did_you_mean
from yg_old.yggdrasil.model import INTERFACE_FILE, RelationKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yg_old.code.resolve import ImportEdge
    from yg_old.yggdrasil.code.imports import NodePair
    from yg_old.yggdrasil.model import Node, Relation
    from yg_old.yggdrasil.rules.survey import Survey

MOST_PLACES = 3


@rule("W021", "undeclared-dependency", Severity.WARNING)
def undeclared_dependency(survey: Survey) -> Iterator[Finding]:
    """Every import of another node's code is declared as a relation.

    Checked if `yg-config.yaml` has a `code` section. A relation of an ancestor counts, and so does
    one to an ancestor of the imported node. Imports for type checkers only are not counted, unless
    `code.type_only` is `count`; nodes of `code.exempt_types`, blackbox nodes and files that match
    `code.ignore` may import anything. An import that could lead to several files, or out of the
    repository, is never reported. `code.imports` sets the level: `warning`, `error` or `off`.

    Why: `yg impact`, `yg plan` and packages know relations, not imports; without the relation they
    leave the dependency out.
    Fix: add the relation that the message shows, or list the pair under `code.accepted` with a
    reason.
    Example:
        # src/orders/service.py, of node orders
        from payments.gateway import charge    # W021 unless orders has a relation to payments
    """
    for node, pair, places in _reported(survey):
        if pair not in survey.imports.against:
            message = f"imports '{pair.target}' without a relation to it"
            names = survey.imports.consumed(places)
            advice = (imported_at(places), *_relation(pair, names))
            fixes = () if pair in survey.imports.circular else (_declaration(node, pair, names),)
            place = Place(node.file)
            yield Finding(node.path, message, place, advice, (pair.target,), fixes=fixes)


@rule("W022", "dependency-against-direction", Severity.WARNING)
def dependency_against_direction(survey: Survey) -> Iterator[Finding]:
    """No import goes against the direction of the relations.

    Such an import is not declared, and its relation would close a cycle (E010). Which imports count
    is as for W021.

    Why: the graph says that the imported node depends on this one; the code says the opposite.
    Fix: move the imported code to a node that both may use, or reverse the relations on the way
    back; if the import has to stay, list the pair under `code.accepted` with a reason.
    Example:
        # orders has a relation to payments
        # src/payments/gateway.py, of node payments
        from orders.service import Order    # W022
    """
    for node, pair, places in _reported(survey):
        if pair in survey.imports.against:
            message = f"imports '{pair.target}', which depends on it"
            advice = (
                imported_at(places),
                _CLOSES_CYCLE,
                f"or reverse the relations that lead from '{pair.target}' to this node.",
                "If the import has to stay, add to 'code.accepted' in yg-config.yaml:",
                f"  - {{from: {pair.source}, to: {pair.target}, reason: ..}}",
            )
            yield Finding(node.path, message, Place(node.file), advice, (pair.target,))


_CLOSES_CYCLE = (
    "A relation would close a cycle (E010): move the imported code to a node that both may use,"
)


def _reported(survey: Survey) -> Iterator[tuple[Node, NodePair, list[ImportEdge]]]:
    """Yield the undeclared imports of each node, if the configuration asks for them."""
    settings = survey.graph.config.code
    if settings is None or settings.imports is Level.OFF:
        return
    for pair, places in survey.imports.reported.items():
        node = survey.graph.nodes.get(pair.source)
        if node is not None:
            yield node, pair, places


def imported_at(places: Sequence[ImportEdge]) -> str:
    """Write the first places of imports."""
    shown = ", ".join(f"{edge.file}:{edge.line}" for edge in places[:MOST_PLACES])
    rest = len(places) - MOST_PLACES
    return f"Imported at {shown}{f' and {rest} more' if rest > 0 else ''}."


def _declaration(node: Node, pair: NodePair, names: tuple[str, ...]) -> Fix:
    """Return the fix that adds a relation."""
    item = ("target", pair.target), ("type", str(RelationKind.USES))
    consumes = (("consumes", names),) if names else ()
    title = f"Add a relation to '{pair.target}'"
    return Fix(title, AddItem(node.file, "relations", (*item, *consumes)))


def _relation(pair: NodePair, names: tuple[str, ...]) -> Iterator[str]:
    yield f"Add to 'relations' of '{pair.source}':"
    yield f"  - target: {pair.target}"
    yield "    type: uses"
    if names:
        yield f"    consumes: [{', '.join(names)}]"


@rule("W023", "consumes-unknown", Severity.WARNING)
def consumes_unknown(survey: Survey) -> Iterator[Finding]:
    """Every name under `consumes` is a name of the target's code, or occurs in its texts.

    Checked if `yg-config.yaml` has a `code` section, for targets whose code can be read. The last
    part of a name is enough: `total` stands for `Cart.total`. A name that the code imports from the
    target, and that is anywhere in its code, need not be declared there: it may be an alias. What
    is not an identifier, such as `POST /orders`, is not checked.

    Why: `yg impact --method` and packages rely on these names; a wrong one hides a dependent.
    Fix: correct the name, or describe it in the target's texts.
    Example:
        relations:
          - target: payments
            type: uses
            consumes: [chrage]    # W023: the code has 'charge'
    """
    if survey.graph.config.code is None:
        return
    from yg_old.yggdrasil.code.quoted_names import last_part

    lookup = survey.code_names
    for node in survey.nodes:
        for relation in node.relations:
            target = survey.graph.nodes.get(relation.target.text)
            if target is None or not relation.consumed or not lookup.has_code(target.path):
                continue
            unknown = [
                (word, sought)
                for word in relation.consumed
                if (sought := last_part(word.text))
                and not lookup.offers(target, sought)
                and not lookup.passes_on(target.path, sought, node.path)
            ]
            renamed = _unlisted(survey, node, relation) if len(unknown) == 1 else ()
            for word, sought in unknown:
                name = word.text
                message = f"consumes '{name}', which '{target.path}' does not have"
                moved = _imported_from(survey, node, target, sought)
                near = () if moved else lookup.nearest(target.path, sought) or renamed
                fix = f"Correct it, or describe it in the texts of '{target.path}'."
                advice = (moved or did_you_mean(near) or fix,)
                place = node.place(word)
                fixes = (
                    *_corrected(node.place(relation.target), name, sought, near),
                    *_described(survey, target, sought),
                )
                also = (target.path,)
                yield Finding(node.path, message, place, advice, also, fixes=fixes)


def _imported_from(survey: Survey, node: Node, target: Node, name: str) -> str:
    """Say from which nodes besides a target a node imports a name; nothing if there are none."""
    found = [
        f"'{pair.target}'"
        for pair, places in survey.imports.places.items()
        if pair.source == node.path
        and pair.target != target.path
        and name in survey.imports.consumed(places)
    ]
    return f"The code imports it from {listed(found)}." if found else ""


def _unlisted(survey: Survey, node: Node, relation: Relation) -> tuple[str, ...]:
    """Return the name that a node imports from a target without listing it, if it is only one.

    After a change of a name, that is the new one.
    """
    from yg_old.yggdrasil.code.imports import NodePair
    from yg_old.yggdrasil.code.quoted_names import last_part

    places = survey.imports.places.get(NodePair(node.path, relation.target.text), ())
    known = {last_part(word.text) for word in relation.consumed}
    found = tuple(name for name in survey.imports.consumed(places) if name not in known)
    return found if len(found) == 1 else ()


def _corrected(place: Place, name: str, sought: str, near: Sequence[str]) -> Iterator[Fix]:
    """Yield the fix of a misspelled name, if only one may be meant."""
    if len(near) == 1 and name.endswith(sought):
        new = f"{name.removesuffix(sought)}{near[0]}"
        yield Fix(f"Change '{name}' to '{new}'", SetNeighbour(place, "consumes", name, new))


def _described(survey: Survey, target: Node, name: str) -> Iterator[Fix]:
    """Yield the fix that adds a name to the interface of a node."""
    if INTERFACE_FILE in survey.graph.config.artifacts:
        title = f"Add '{name}' to {INTERFACE_FILE} of '{target.path}'"
        # Without back quotes: the name is not in the code (W024).
        yield Fix(title, AddLine(f"{target.directory}/{INTERFACE_FILE}", f"- {name}"))


@rule("W029", "accepted-import-unneeded", Severity.WARNING)
def accepted_import_unneeded(survey: Survey) -> Iterator[Finding]:
    """Every entry of `code.accepted` is for an import that would be reported without it.

    Which imports count is as for W021; an entry is for the nodes below the two as well. Not checked
    if `code.imports` is `off`.

    Why: an entry that is left behind hides the next import in that direction.
    Fix: remove the entry.
    Example:
        code:
          accepted:
            - {from: payments, to: orders, reason: ..}    # W029 if payments does not import orders
    """
    config, nodes = survey.graph.config, survey.graph.nodes
    if config.code is None or not config.code.accepted or config.code.imports is Level.OFF:
        return
    for entry in survey.imports.unneeded:
        source, target = entry.pair
        if nodes.get(source) is None or nodes.get(target) is None:
            continue  # reported by another rule
        message = f"'code.accepted' has '{source}' to '{target}', which is not needed"
        advice = f"'{source}' imports nothing of '{target}' that needs a relation and has none."
        place = Place(config.file, entry.source.line, entry.source.column)
        yield Finding("yg-config.yaml", message, place, (advice, "Remove the entry."))
