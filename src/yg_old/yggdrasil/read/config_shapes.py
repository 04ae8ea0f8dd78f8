"""The keys of `yg-config.yaml`."""

from __future__ import annotations

from yg_old.kernel.issue import Level
from yg_old.kernel.tokens import TOKENIZERS
from yg_old.yggdrasil.block_kind import CUT_WORDS
from yg_old.yggdrasil.model import (
    NODE_FILE,
    STANDARD_HOOKS,
    STANDARD_QUALITY,
    TOLERABLE,
    Agreement,
    CodeInPackages,
    Condition,
    DriftGate,
)
from yg_old.yggdrasil.read.keys import (
    Keys,
    ValueRole,
    by_name,
    choice,
    count,
    either,
    flag,
    limit,
    optional_texts,
    percentage,
    plain_texts,
    positive,
    required_text,
    section,
    sections,
    text,
    text_form,
    texts,
)

OFF = "off"
COUNT = "count"  # imports for type checkers only
ASPECT_PREFIXES = ("has_aspect:", "has_tag:")  # of conditions; the second is the older form


class NodeTypeKeys(Keys):
    """An entry of `node_types`."""

    description = required_text("description", "When to use this type.")
    required_aspects = texts(
        "required_aspects",
        "Aspects that every node of this type must be covered by.",
        ValueRole.ASPECT,
    )
    may_use = optional_texts(
        "may_use",
        "Types whose nodes a node of this type may use, besides its own (default all).",
        ValueRole.TYPE,
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
    own_warning = positive(
        "own_warning", "As much or more in the texts of a node itself is a warning (W034)."
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
    max_mapping_source_files = limit(
        "max_mapping_source_files", "More files of one node are a warning (W035)."
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
    hash = choice(
        "hash",
        "Whether baselines have the hash of all files; without it, git merges them more often.",
        ("stored", "derived"),
    )
    agreement = choice(
        "agreement",
        "Who agrees to new baselines, in the rules that `yg init` writes for agents.",
        tuple(Agreement),
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
    packages = choice(
        "packages",
        "Which public names of the code packages show: none, those that other nodes use, or all.",
        tuple(CodeInPackages),
    )


class DecisionKeys(Keys):
    """The keys of `decisions`."""

    paths = texts("paths", "Folders with decision records, relative to the repository.")


class HookKeys(Keys):
    """The keys of `hooks`."""

    briefs = limit(
        "briefs",
        f"The most briefs that one session is given unasked (default {STANDARD_HOOKS.briefs}).",
    )
    stop = choice(
        "stop",
        "Whether an agent that ends its turn is told which texts are left to change.",
        ("ask", OFF),
    )
    overview = choice(
        "overview", "Whether a session begins with the overview of the graph.", ("on", OFF)
    )


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
        "The content files that nodes may have, by file name; without it, responsibility.md, "
        "interface.md and internals.md.",
        hint=_NAMED_HINT,
        inside=ArtifactKeys,
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
    decisions = section("decisions", "Where the decision records are.", DecisionKeys)
    hooks = section("hooks", "What agents are told unasked.", HookKeys)
