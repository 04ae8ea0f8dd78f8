"""The keys of `yg-node.yaml`, `yg-aspect.yaml`, `yg-flow.yaml` and `yg-config.yaml`."""

from __future__ import annotations

from msgspec import Struct

from yg.kernel.inventory_names import LONGEST_NAME, SEPARATOR
from yg.kernel.issue import Level
from yg.kernel.tokens import TOKENIZERS
from yg.yggdrasil.block_kind import CUT_WORDS
from yg.yggdrasil.model import (
    ASPECT_FILE,
    CONFIG_FILE,
    FLOW_FILE,
    NODE_FILE,
    STANDARD_QUALITY,
    TOLERABLE,
    Condition,
    DriftGate,
    RelationKind,
    Stability,
)
from yg.yggdrasil.read.keys import (
    Keys,
    ValueRole,
    by_name,
    choice,
    count,
    either,
    flag,
    kind,
    limit,
    percentage,
    plain_texts,
    required_text,
    required_texts,
    section,
    sections,
    text,
    text_form,
    texts,
)

COUNT = "count"  # imports for type checkers only
ASPECT_PREFIXES = ("has_aspect:", "has_tag:")  # of conditions; the second is the older form
_NAME = "The name that people see."


# yg-node.yaml


class AspectUseKeys(Keys):
    """An item of `aspects` of a node."""

    aspect = required_text(
        "aspect", "The id of an aspect: its directory below aspects/.", ValueRole.ASPECT
    )
    exceptions = plain_texts(
        "exceptions", "Where the node deviates from the aspect, one sentence each."
    )
    anchors = texts(
        "anchors",
        "Texts in the mapped files that show where the aspect is met.",
        if_empty="Fill it, or leave it out.",
    )


class RelationKeys(Keys):
    """An item of `relations`."""

    target = required_text(
        "target", "The path of another node, relative to model/.", ValueRole.NODE
    )
    kind = kind(
        "type",
        "How the two are tied together.",
        RelationKind,
        "relation type",
        ValueRole.KIND,
        is_required=True,
    )
    consumes = texts(
        "consumes", "What of the target is used; leave out for everything.", ValueRole.CONSUMED
    )
    failure = text("failure", "What happens when the target is not there.")
    event_name = text(
        "event_name", "The name of the event, for emits and listens.", ValueRole.EVENT
    )


class ExternalKeys(RelationKeys):
    """An item of `external`."""

    target = required_text(
        "target",
        "The name of an import and a node of it: IMPORT::NODE.",
        ValueRole.EXTERNAL,
        rf"^[A-Za-z0-9_][A-Za-z0-9._-]{{0,{LONGEST_NAME - 1}}}{SEPARATOR}[\s\S]",
    )


class MappingKeys(Keys):
    """`mapping` of a node."""

    paths = required_texts(
        "paths",
        "Files or directories, relative to the repository.",
        ValueRole.PATH,
        hint="List the files or directories under 'paths', or remove 'mapping'.",
        may_be_blank=True,  # see rule E020
    )


class NodeKeys(Keys):
    """The keys of a node."""

    name = required_text("name", _NAME, ValueRole.NAME)
    type = required_text("type", "A key of node_types in yg-config.yaml.", ValueRole.TYPE)
    aspects = sections("aspects", "Requirements that the node has to meet.", AspectUseKeys)
    blackbox = flag("blackbox", "Existing code that is known only from outside.")
    relations = sections("relations", "What the node needs, and whom it tells.", RelationKeys)
    external = sections("external", "Relations to nodes of other repositories.", ExternalKeys)
    mapping = either(
        "mapping", "The files that the node stands for.", MappingKeys, {"type": "object"}
    )


# yg-aspect.yaml and yg-flow.yaml


class AspectKeys(Keys):
    """The keys of an aspect."""

    name = required_text("name", _NAME, ValueRole.NAME)
    description = text("description", "One line for `yg aspects`.")
    implies = texts("implies", "Ids of aspects that come along.", ValueRole.ASPECT)
    stability = kind("stability", "How firmly it holds.", Stability, "stability")


class FlowKeys(Keys):
    """The keys of a flow."""

    name = required_text("name", _NAME, ValueRole.NAME)
    nodes = required_texts(
        "nodes",
        "Paths of the nodes that take part, relative to model/.",
        ValueRole.NODE,
        hint="List the paths of the nodes that take part.",
    )
    aspects = texts(
        "aspects", "Ids of aspects that every participant has to meet.", ValueRole.ASPECT
    )


# yg-config.yaml


class NodeTypeKeys(Keys):
    """An entry of `node_types`."""

    description = required_text("description", "When to use this type.")
    required_aspects = texts(
        "required_aspects",
        "Aspects that every node of this type must be covered by.",
        ValueRole.ASPECT,
    )
    template = by_name(
        "template",
        "Headings that new nodes of this type get, by artifact.",
        hint="Write 'ARTIFACT: [HEADING, ..]' for each of them.",
        additionalProperties={"type": ["array", "string"], "items": text_form()},
    )


class RequirementKeys(Keys):
    """`required` of an artifact, if it is a mapping."""

    when = required_text(
        "when",
        "A condition on the node.",
        ValueRole.ASPECT,
        rf"^({Condition.INCOMING}|{Condition.OUTGOING}|has_(aspect|tag):\s*\S.*)$",
    )


class ArtifactKeys(Keys):
    """An entry of `artifacts`."""

    required = either(
        "required",
        "When a node has to have it.",
        RequirementKeys,
        {"oneOf": [{"enum": [Condition.ALWAYS, Condition.NEVER, None]}]},
    )
    description = text("description", "What the artifact is for.")
    included_in_relations = flag(
        "included_in_relations", "Whether nodes that depend on this one see it."
    )


class BudgetKeys(Keys):
    """`context_budget` of `quality`."""

    warning = count(
        "warning",
        f"More is a warning (default {STANDARD_QUALITY.budget.warning}).",
        STANDARD_QUALITY.budget.warning,
    )
    error = count(
        "error",
        f"More is too large to work with (default {STANDARD_QUALITY.budget.error}).",
        STANDARD_QUALITY.budget.error,
    )
    tokenizer = choice(
        "tokenizer",
        "What counts tokens (default characters, a quarter of them); the others need the extra "
        "`tokens`.",
        TOKENIZERS,
    )
    stale = count(
        "stale",
        "How many tokens of changed code a package shows beside stale texts "
        f"(default {STANDARD_QUALITY.stale}).",
        STANDARD_QUALITY.stale,
    )
    cut_first = texts(
        "cut_first",
        "What `yg build-context --fit` cuts first: KIND/DOCUMENT, such as flow/*; nothing else "
        "is cut.",
        pattern=f"^({'|'.join(CUT_WORDS)})/.",
    )


class GateKeys(Keys):
    """`gate` of `quality`."""

    coverage = percentage("coverage", "The least percentage of files that some node owns.")
    packages_over = limit(
        "packages_over", "The most packages that may be above context_budget.error."
    )
    drafts = limit("drafts", "The most texts that may still have the mark of a draft.")


class QualityKeys(Keys):
    """The keys of `quality`."""

    min_artifact_length = count(
        "min_artifact_length",
        f"Shorter artifacts are a warning (default {STANDARD_QUALITY.min_artifact_length}).",
        STANDARD_QUALITY.min_artifact_length,
    )
    max_direct_relations = count(
        "max_direct_relations",
        f"More relations are a warning (default {STANDARD_QUALITY.max_direct_relations}).",
        STANDARD_QUALITY.max_direct_relations,
    )
    context_budget = section("context_budget", "Sizes of packages, in tokens.", BudgetKeys)
    gate = section("gate", "Numbers that `yg preflight` checks.", GateKeys)


class CoverageKeys(Keys):
    """The keys of `coverage`."""

    exclude = plain_texts("exclude", "Patterns of files that do not count, as in .gitignore.")


class DriftKeys(Keys):
    """The keys of `drift`."""

    tolerate = choice("tolerate", "Changes up to this class are no drift.", TOLERABLE)
    gate = choice(
        "gate",
        "Recording changes of this class or above, or a node with sentences about values or names "
        "that are gone, needs a changed text or a reason.",
        tuple(DriftGate),
    )


class AcceptedKeys(Keys):
    """An item of `accepted`."""

    source = required_text("from", "The importing node, or one above it.", ValueRole.NODE)
    target = required_text("to", "The imported node, or one above it.", ValueRole.NODE)
    reason = required_text("reason", "Why the import stays without a relation.")


class CodeKeys(Keys):
    """The keys of `code`."""

    imports = choice(
        "imports",
        "The level of imports without a relation (W021, W022).",
        tuple(Level),
        offered=tuple(reversed(Level)),
    )
    type_only = choice(
        "type_only",
        "Whether imports for type checkers only need a relation.",
        ("ignore", COUNT),
    )
    exempt_types = plain_texts(
        "exempt_types", "Types of nodes that may import anything.", ValueRole.TYPE
    )
    roots = texts(
        "roots", "Folders from which Python modules are imported, instead of the guessed ones."
    )
    ignore = plain_texts("ignore", "Patterns of files that may import anything, as in .gitignore.")
    accepted = sections("accepted", "Imports that stay without a relation.", AcceptedKeys)


_NAMED_HINT = "Write 'NAME: {description: ..}' for each of them."


class ConfigKeys(Keys):
    """The keys of the configuration."""

    version = text("version", "The version of the graph format, in quotes.")
    name = required_text("name", "The name of the project; it stands at the top of every package.")
    node_types = by_name(
        "node_types",
        "The roles that nodes can have, by name.",
        hint=_NAMED_HINT,
        inside=NodeTypeKeys,
        is_required=True,
        minProperties=1,
    )
    artifacts = by_name(
        "artifacts",
        "The content files that nodes may have, by file name.",
        hint=_NAMED_HINT,
        inside=ArtifactKeys,
        is_required=True,
        minProperties=1,
        propertyNames={"pattern": r"^[^./\\][^/\\]*$", "not": {"const": NODE_FILE}},
    )
    quality = section("quality", "Measurable limits.", QualityKeys)
    rules = by_name(
        "rules",
        "The levels of rules, by code: `W012: off`.",
        additionalProperties={"enum": list(Level)},
    )
    coverage = section("coverage", "What `yg coverage` counts.", CoverageKeys)
    drift = section("drift", "Which changes of source files count as drift.", DriftKeys)
    code = section("code", "Compares the graph with the imports and names of the code.", CodeKeys)


class FileShape(Struct, frozen=True):
    """What a file is, and its keys."""

    about: str
    keys: type[Keys]


FILES = {
    CONFIG_FILE: FileShape("The configuration of a Yggdrasil graph.", ConfigKeys),
    NODE_FILE: FileShape("A node of a Yggdrasil graph.", NodeKeys),
    ASPECT_FILE: FileShape("An aspect: a requirement that cuts across nodes.", AspectKeys),
    FLOW_FILE: FileShape("A flow: a process that spans nodes.", FlowKeys),
}
