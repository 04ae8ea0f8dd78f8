"""The configuration of a graph, `yg-config.yaml`, as declared."""

from enum import StrEnum
from typing import Annotated, Any, Literal, Self

from msgspec import Meta, Struct

from yg.kernel.fields import Report, read_keys, shown
from yg.kernel.issue import Level, Located
from yg.text.decode import Datum
from yg.yggdrasil.model import NODE_FILE, key

ASPECT_PREFIXES = ("has_aspect:", "has_tag:")  # of conditions; the second is the older form
_CONDITIONS = "has_incoming_relations, has_outgoing_relations or has_aspect:<id>"


class Template(Struct, frozen=True, array_like=True, gc=False):
    """The headings with which an artifact of a new node begins."""

    artifact: Located  # its file name
    headings: tuple[str, ...]

    @classmethod
    def read_yaml(
        cls, datum: Datum, what: str, report: Report, name: Located | None
    ) -> Self | None:
        """Read one heading, or a list of them."""
        del what
        items = datum.value if isinstance(datum.value, list) else [datum]
        headings = [_heading(item, report) for item in items]
        return None if name is None else cls(name, tuple(filter(None, headings)))

    @classmethod
    def yaml_schema(cls) -> dict[str, Any]:
        """Return the JSON Schema."""
        return {"type": ["array", "string"], "items": {"type": "string", "pattern": r"\S"}}


def _heading(datum: Datum, report: Report) -> str:
    """Return a heading as Markdown; empty if it is not one. Without `#`, it gets the level 2."""
    text = datum.value.strip() if isinstance(datum.value, str) else ""
    title = text.lstrip("#").strip()
    if not title or "\n" in text:
        hint = "Write a list of headings, each one line, such as '## Errors'."
        report.add_problem(f"a heading cannot be {shown(datum)}", datum, hint)
        return ""
    level = len(text) - len(text.lstrip("#"))
    return f"{'#' * (level or 2)} {title}"


class NodeType(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """A type of nodes."""

    name: Annotated[str, key("", own_name=True)] = ""
    description: Annotated[str, key("When to use this type.", required=True)] = ""
    required_aspects: Annotated[
        tuple[Located, ...], key("Aspects that every node of this type must be covered by.")
    ] = ()
    may_use: Annotated[
        tuple[Located, ...] | None,
        key("Types whose nodes a node of this type may use, besides its own (default all)."),
    ] = None
    template: Annotated[
        dict[str, Template],
        key(
            "Headings that new nodes of this type get, by artifact.",
            hint="Write 'ARTIFACT: [HEADING, ..]' for each of them.",
        ),
    ] = {}


class Condition(StrEnum):
    """The condition under which a node must have an artifact."""

    ALWAYS = "always"
    NEVER = "never"
    INCOMING = "has_incoming_relations"
    OUTGOING = "has_outgoing_relations"
    ASPECT = "has_aspect"


class _When(Struct, frozen=True):
    """`required` of an artifact, if it is a mapping."""

    when: Annotated[Located, key("A condition on the node.")]


class Requirement(Struct, frozen=True, array_like=True, gc=False):
    """When a node must have an artifact."""

    condition: Condition = Condition.NEVER
    aspect: Located | None = None  # for Condition.ASPECT

    @classmethod
    def read_yaml(
        cls, datum: Datum, what: str, report: Report, name: Located | None
    ) -> Self | None:
        """Read `always`, `never`, or a mapping with the condition under `when`."""
        del name
        if isinstance(datum.value, dict):
            values = read_keys(_When, datum, what, report)
            return cls._from_condition(values["when"], report) if values else None
        if datum.value in (Condition.ALWAYS, Condition.NEVER):
            return cls(Condition(str(datum.value)))
        hint = "Write 'always', 'never', or 'when: <condition>' below it."
        report.add_problem(f"{what} cannot be {shown(datum)}", datum, hint)
        return None

    @classmethod
    def _from_condition(cls, word: Located, report: Report) -> Self | None:
        if word.text in (Condition.INCOMING, Condition.OUTGOING):
            return cls(Condition(word.text))
        for prefix in ASPECT_PREFIXES:
            aspect = word.text.removeprefix(prefix).strip()
            if word.text.startswith(prefix) and aspect:
                return cls(Condition.ASPECT, Located(aspect, word.line, word.column))
        report.add_problem(f"unknown condition '{word.text}'", word, f"Use {_CONDITIONS}.")
        return None

    @classmethod
    def yaml_schema(cls) -> dict[str, Any]:
        """Return the JSON Schema."""
        words = f"^({Condition.INCOMING}|{Condition.OUTGOING}|has_(aspect|tag):\\s*\\S.*)$"
        when = {"when": {"type": "string", "pattern": words}}
        mapping = {"type": "object", "properties": when, "required": ["when"]}
        return {"anyOf": [{"enum": [Condition.ALWAYS, Condition.NEVER]}, mapping]}


class ArtifactType(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """An artifact type: a content file of nodes."""

    name: Annotated[Located | None, key("", own_name=True)] = None
    required: Annotated[Requirement, key("When a node has to have it.")] = Requirement()
    description: Annotated[str, key("What the artifact is for.")] = ""
    included_in_relations: Annotated[bool, key("Whether nodes that depend on this one see it.")] = (
        False
    )

    @classmethod
    def read_yaml(
        cls, datum: Datum, what: str, report: Report, name: Located | None
    ) -> Self | None:
        """Read an entry, unless its name cannot be that of an artifact."""
        values = read_keys(cls, datum, what, report, name=name)
        if name is not None and (fault := artifact_name_fault(name.text)):
            hint = "Name a file in the node's directory, such as 'interface.md'."
            report.add_problem(f"artifact name '{name}' {fault}", name, hint)
            return None
        return None if values is None else cls(**values)


def artifact_name_fault(name: str) -> str:
    """Return why a file cannot be an artifact; empty if it can."""
    if name == NODE_FILE:
        return "is reserved for the node itself"
    if not name.strip() or "/" in name or "\\" in name:
        return "is not a plain file name"
    return "starts with a dot: such files are not read" if name.startswith(".") else ""


# What a configuration of format 3.0 means, which has no `artifacts`.
STANDARD_ARTIFACTS = {
    "responsibility.md": ArtifactType(
        required=Requirement(Condition.ALWAYS),
        description="What this node is responsible for, and what it is not",
        included_in_relations=True,
    ),
    "interface.md": ArtifactType(
        required=Requirement(Condition.INCOMING),
        description="What other nodes may use, and how it fails",
        included_in_relations=True,
    ),
    "internals.md": ArtifactType(description="How the node works and why"),
}
_WARNING, _ERROR = 10_000, 20_000  # tokens


class Ignored(Struct, frozen=True, array_like=True, gc=False):
    """The value of a key of later formats that has no effect here."""

    @classmethod
    def read_yaml(
        cls, datum: Datum, what: str, report: Report, name: Located | None
    ) -> Self | None:
        """Accept any value."""
        del datum, what, report, name
        return cls()

    @classmethod
    def yaml_schema(cls) -> dict[str, Any]:
        """Return the JSON Schema."""
        return {}


_LATER = key("Known from later formats, without effect.")


class Budget(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """The sizes in tokens above which a package causes a warning or an error."""

    warning: Annotated[int, Meta(description=f"More is a warning (default {_WARNING}).", ge=0)] = (
        _WARNING
    )
    error: Annotated[
        int, Meta(description=f"More is too large to work with (default {_ERROR}).", ge=0)
    ] = _ERROR
    own_warning: Annotated[Ignored | None, _LATER] = None

    @classmethod
    def read_yaml(
        cls, datum: Datum, what: str, report: Report, name: Located | None
    ) -> Self | None:
        """Read the thresholds, of which the second must not be below the first."""
        del name
        values = read_keys(cls, datum, what, report)
        if values is None:
            return None
        budget = cls(**values)
        if budget.error < budget.warning:
            message = f"'error' ({budget.error}) must not be below 'warning' ({budget.warning})"
            hint = "Raise 'error' or lower 'warning'."
            for threshold, default in (("warning", _WARNING), ("error", _ERROR)):
                if threshold not in values:
                    hint = (
                        f"'{threshold}' is not set, so it is {default}, the default. "
                        "Set it as well."
                    )
            report.add_problem(message, datum, hint)
        return budget

    def status(self, tokens: int) -> Literal["ok", "warning", "error"]:
        """Return 'ok', 'warning' or 'error' for a size."""
        if tokens > self.error:
            return "error"
        return "warning" if tokens > self.warning else "ok"


class Quality(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """The limits of the `quality` section."""

    min_artifact_length: Annotated[
        int, Meta(description="Shorter artifacts are a warning (default 50).", ge=0)
    ] = 50
    max_direct_relations: Annotated[
        int, Meta(description="More relations are a warning (default 10).", ge=0)
    ] = 10
    context_budget: Annotated[Budget, key("Sizes of packages, in tokens.")] = Budget()
    max_mapping_source_files: Annotated[Ignored | None, _LATER] = None


class RuleLevel(Struct, frozen=True, array_like=True, gc=False):
    """The level of a rule."""

    code: Located
    level: Level

    @classmethod
    def read_yaml(
        cls, datum: Datum, what: str, report: Report, name: Located | None
    ) -> Self | None:
        """Read the level of the rule that the entry names; whether it exists is checked later."""
        del what
        if name is None or datum.value not in list(Level):
            hint = f"Write one of: {', '.join(Level)}."
            report.add_problem(f"the level of {name} cannot be {shown(datum)}", datum, hint)
            return None
        return cls(name, Level(str(datum.value)))

    @classmethod
    def yaml_schema(cls) -> dict[str, Any]:
        """Return the JSON Schema."""
        return {"enum": list(Level)}


class Coverage(Struct, frozen=True, array_like=True, gc=False):
    """The `coverage` section."""

    exclude: Annotated[
        tuple[str, ...], key("Patterns of files that do not count, as in .gitignore.")
    ] = ()


class Baseline(StrEnum):
    """Where baselines of drift are."""

    STORED = "stored"
    GIT = "git"


class Drift(Struct, frozen=True, array_like=True, gc=False):
    """The `drift` section."""

    baseline: Annotated[
        Baseline, key("Whether baselines are stored files, or git's history (default stored).")
    ] = Baseline.STORED


class Code(Struct, frozen=True, array_like=True, gc=False):
    """The `code` section."""

    imports: Annotated[Level, key("The level of imports without a relation (default off).")] = (
        Level.OFF
    )
    roots: Annotated[
        tuple[Located, ...],
        key("Folders from which Python modules are imported, instead of the guessed ones."),
    ] = ()
    ignore: Annotated[
        tuple[str, ...], key("Patterns of files that may import anything, as in .gitignore.")
    ] = ()


_NAMED_HINT = "Write 'NAME: {description: ..}' for each of them."


class Config(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """The configuration; unreadable parts are empty."""

    version: Annotated[str, key("The version of the graph format, in quotes.")] = ""
    name: Annotated[
        str,
        key("The name of the project; it stands at the top of every package.", required=True),
    ] = ""
    node_types: Annotated[
        dict[str, NodeType],
        key(
            "The roles that nodes can have, by name.",
            required=True,
            hint=_NAMED_HINT,
            if_empty="Describe at least one entry under 'node_types'.",
        ),
    ] = {}
    artifacts: Annotated[
        dict[str, ArtifactType],
        key("The content files that nodes may have, by file name.", hint=_NAMED_HINT),
    ] = {}
    quality: Annotated[Quality, key("Measurable limits.")] = Quality()
    rules: Annotated[dict[str, RuleLevel], key("The levels of rules, by code: `W012: off`.")] = {}
    coverage: Annotated[Coverage, key("What `yg coverage` counts.")] = Coverage()
    drift: Annotated[Drift, key("What source files are compared with.")] = Drift()
    code: Annotated[Code, key("Compares the graph with the imports of the code.")] = Code()
    other_model: str = ""  # the format, if it is one with another model, which is not read
