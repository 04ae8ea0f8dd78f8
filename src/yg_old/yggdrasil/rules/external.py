"""Rules about imports, and relations to the nodes in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.kernel.inventory_names import SEPARATOR
from yg_old.kernel.issue import Finding, Place, Severity, correction
from yg_old.kernel.rule import rule
from yg_old.text.suggest import Suggester, did_you_mean, listing
from yg_old.yggdrasil.inventories.relations import is_external, known_nodes, resolve, split
from yg_old.yggdrasil.inventory_copies import import_file
from yg_old.yggdrasil.model import ReadIssue

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.yggdrasil.rules.survey import Survey


@rule("E022", "unknown-import", Severity.ERROR)
def unknown_import(survey: Survey) -> Iterator[Finding]:
    """Every external relation names an import of this graph.

    The import `billing` is the file `imports/billing.jsonl`.

    Why: a package quotes the contract of the target from the import; without it, that part is
    missing.
    Fix: correct the name before `::`, or take in the inventory of that repository with
    `yg import add`.
    Example:
        external:
          - target: biling::payments/ledger    # E022: the import is 'billing'
            type: calls
    """
    names = survey.graph.inventories.names
    names_like, known = Suggester(names), frozenset(names)
    existing = f"Existing imports: {listing(names)}" if names else "There are no imports yet."
    for node in survey.nodes:
        for relation in node.external:
            name, path = split(relation.target.text)
            if name in known:
                continue
            near, place = names_like(name), node.place(relation.target)
            lines = (existing, did_you_mean(near) or f"Add it: yg import add {name} PATH")
            fixes = correction(place, [f"{other}{SEPARATOR}{path}" for other in near])
            message = f"relation to '{relation.target}': there is no import '{name}'"
            yield Finding(node.path, message, place, lines, fixes=fixes)


@rule("E023", "unknown-external-node", Severity.ERROR, title="Unknown node of an import")
def unknown_external_node(survey: Survey) -> Iterator[Finding]:
    """Every external relation points at a node that its import lists.

    Why: a package quotes the contract of the target; without the target, that part is missing.
    Fix: correct the path after `::`. If the node is new in the other repository, take a newer
    inventory with `yg import update`. If it is gone there, agree with its owners on what replaces
    it, or remove the relation.
    Example:
        external:
          - target: billing::payments/ledgr    # E023: the node is payments/ledger
            type: calls
    """
    suggesters: dict[str, Suggester] = {}
    for node in survey.nodes:
        for relation in node.external:
            found = resolve(survey.graph, relation)
            if found.imported is None or found.node is not None:
                continue
            name, path = split(found.target)
            nodes_like = suggesters.setdefault(name, Suggester(found.imported.nodes))
            near = [f"{name}{SEPARATOR}{other}" for other in nodes_like(path)]
            place = node.place(relation.target)
            update = f"Correct the path; if the node is newer than this: yg import update {name}"
            advice = (known_nodes(found.imported), did_you_mean(near) or update)
            message = f"relation to '{found.target}': import '{name}' has no such node"
            fixes = correction(place, near)
            yield Finding(node.path, message, place, advice, fixes=fixes)


@rule("E024", ReadIssue.IMPORT, Severity.ERROR)
def damaged_import(survey: Survey) -> Iterator[Finding]:
    """Every file in `imports/` is an inventory as `yg import` wrote it.

    Its first line has a digest of the whole file, so that any change by hand is noticed.

    Why: the import stands for what another repository published at one commit; packages quote it,
    and drift compares it.
    Fix: restore the file from git, or run `yg import update NAME`; if the first line, which has the
    source, is lost, run `yg import add NAME PATH`. To change a contract, change it in its own
    repository.
    Example:
        imports/billing.jsonl    # E024: its digest does not match its content
    """
    for name in survey.import_names:
        if fault := survey.graph.inventories.fault(name):
            yield fault.finding


@rule("W026", "unused-import", Severity.WARNING)
def unused_import(survey: Survey) -> Iterator[Finding]:
    """Every import is used by an external relation of a node.

    While a node cannot be read, nothing is reported, because that node may use the import.

    Why: an import that nobody uses is a copy of other people's texts to keep up to date for
    nothing.
    Fix: declare the relation under `external` in a `yg-node.yaml`, or delete the file.
    Example:
        imports/billing.jsonl    # W026: no node has a relation to billing::..
    """
    if len(survey.nodes) < len(survey.node_readings):
        return
    # Under `relations` too, where E004 tells to move it.
    relations = (
        relation for node in survey.nodes for relation in (*node.relations, *node.external)
    )
    targets = (relation.target.text for relation in relations)
    used = {split(target)[0] for target in targets if is_external(target)}
    for name in survey.import_names:
        if name not in used:
            file = import_file(name)
            advice = (f"Declare a relation to '{name}{SEPARATOR}NODE', or delete {file}.",)
            yield Finding(f"imports/{name}", "no node uses the import", Place(file), advice)
