"""Topics that `yg explain` knows besides rules: what the configuration sets, and checklists."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from msgspec import UNSET, Meta, Struct, UnsetType

from yg_old.commands.refusal import bad_configuration
from yg_old.formats import YGGDRASIL
from yg_old.kernel.document import Document, Record, Text, about, one_of
from yg_old.kernel.errors import NoGraphError, OldEditionError
from yg_old.kernel.palette import visible
from yg_old.text.headings import section
from yg_old.yggdrasil.model import Condition

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.commands.command import Run
    from yg_old.kernel.palette import Palette
    from yg_old.workspace.opened import OpenWorkspace
    from yg_old.yggdrasil.model import ArtifactType, Config, NodeType

TYPES, ARTIFACTS = "types", "artifacts"
CODE_FIRST, GRAPH_FIRST = "code-first", "graph-first"


class Topic(Struct, frozen=True):
    """A topic: its title, and the section of the agent rules that has its steps, if any."""

    name: str
    title: str
    about: str
    section: str = ""


TOPICS = {
    topic.name: topic
    for topic in (
        Topic(TYPES, "Node types", "The types that nodes can have here, with descriptions."),
        Topic(ARTIFACTS, "Artifacts", "The texts that describe a node here, and who needs them."),
        Topic(
            CODE_FIRST,
            "Changing code first",
            "The checklist for a change that begins in the code.",
            "Changing code first",
        ),
        Topic(
            GRAPH_FIRST,
            "Changing the graph first",
            "The checklist for a change that begins in the graph.",
            "Changing the graph first",
        ),
    )
}


class ConfiguredType(Record, frozen=True, kw_only=True):
    """A node type of the configuration."""

    name: Annotated[Text, about("The name, as `type` of a node has it.")]
    description: Annotated[str, about("Its description.")]
    required_aspects: Annotated[
        tuple[Text, ...], about("The aspects that nodes of the type must have.")
    ]
    may_use: Annotated[
        tuple[Text, ...] | UnsetType,
        about("The other types that nodes of the type may use; absent if they may use all."),
    ] = UNSET


class ConfiguredArtifact(Record, frozen=True, kw_only=True):
    """An artifact of the configuration."""

    name: Annotated[Text, about("The name of the file.")]
    description: Annotated[str, about("Its description; may be empty.")]
    required: Annotated[
        Text,
        about("When a node needs it: `always`, `never`, or a condition such as `has_aspect:x`."),
    ]
    included_in_relations: Annotated[
        bool, about("Whether the packages of nodes that depend on a node include it.")
    ]


class ExplainedTopic(Document, frozen=True, kw_only=True, tag="yg-topic/1"):
    """What `yg explain TOPIC --json` prints: node types, artifacts, or a checklist."""

    HIDDEN = ("page",)
    CONDITIONS: ClassVar[dict[str, Any]] = {
        "oneOf": [{"required": [key]} for key in ("types", "artifacts", "steps")]
    }

    topic: Annotated[str, one_of(*TOPICS), about("The topic.")]
    title: Annotated[Text, about("Its title.")]
    types: Annotated[
        tuple[ConfiguredType, ...] | UnsetType,
        about("The node types, in the order of the configuration; only with `types`."),
    ] = UNSET
    artifacts: Annotated[
        tuple[ConfiguredArtifact, ...] | UnsetType,
        about("The artifacts, in the order of the configuration; only with `artifacts`."),
    ] = UNSET
    steps: Annotated[
        tuple[Text, ...] | UnsetType,
        Meta(min_length=1),
        about("The steps of a checklist, in order; only with `code-first` and `graph-first`."),
    ] = UNSET
    page: str = ""  # a checklist as text


def explained_topic(run: Run, name: str) -> ExplainedTopic:
    """Explain a topic; a checklist is the same for every graph, also if there is none."""
    topic = TOPICS[name]
    if topic.section:
        _refuse_specs(run)
        page = _section(topic.section)
        return ExplainedTopic(topic=name, title=topic.title, steps=_steps(page), page=page)
    config = _configuration(run, topic)
    if name == TYPES:
        types = tuple(map(_type, config.node_types.values()))
        return ExplainedTopic(topic=name, title=topic.title, types=types)
    artifacts = tuple(map(_artifact, config.artifacts.values()))
    return ExplainedTopic(topic=name, title=topic.title, artifacts=artifacts)


def _refuse_specs(run: Run) -> None:
    """Raise an error if there is only a Spec Graph, for which the steps are others."""
    try:
        workspace = _workspace(run)
    except (NoGraphError, OldEditionError):
        return
    workspace.require_yggdrasil("this checklist")


def _workspace(run: Run) -> OpenWorkspace:
    """Open the 2.x graph or, if there is none, the one of another kind."""
    try:
        return run.reopen(YGGDRASIL.name)
    except NoGraphError:
        return run.reopen()


def _configuration(run: Run, topic: Topic) -> Config:
    """Return the configuration of the graph; raise an error if it cannot be read."""
    workspace = _workspace(run)
    workspace.require_yggdrasil(f"'{topic.name}'")
    if not workspace.format.has_drift:
        hint = "'yg init --upgrade' writes a 2.x graph beside it."
        raise OldEditionError(f"0.x graphs do not configure {topic.title.lower()}", hint=hint)
    if workspace.graph.config_reading.value is None:
        raise bad_configuration(workspace, "the configuration cannot be read")
    return workspace.graph.config


def _type(found: NodeType) -> ConfiguredType:
    return ConfiguredType(
        name=found.name,
        description=found.description,
        required_aspects=tuple(aspect.text for aspect in found.required_aspects),
        may_use=UNSET if found.may_use is None else tuple(used.text for used in found.may_use),
    )


def _artifact(found: ArtifactType) -> ConfiguredArtifact:
    aspect = f":{found.aspect.text}" if found.aspect else ""
    return ConfiguredArtifact(
        name=found.name,
        description=found.description,
        required=f"{found.condition}{aspect}",
        included_in_relations=found.in_relations,
    )


def _section(title: str) -> str:
    """Return the text of a checklist, without its heading."""
    from yg_old.yggdrasil.start.templates import template

    rules = template("checklists.md")
    found = section(rules, title)
    if found is None:
        raise ValueError(title)  # the titles are those of our own text
    return rules[found.start : found.end].partition("\n")[2].strip() + "\n"


_STEP = re.compile(r"^\d+\. ((?:.*\n)(?:   .*\n)*)", re.MULTILINE)


def _steps(page: str) -> tuple[str, ...]:
    """Return the items of a numbered list, each as one line."""
    return tuple(" ".join(step.split()) for step in _STEP.findall(page))


def topic_text(found: ExplainedTopic, palette: Palette) -> str:
    """Write the types or artifacts with their descriptions, or a checklist."""
    if found.page:
        return f"{palette.bold(found.title)}\n\n{found.page}"
    entries: Iterator[tuple[str, str, tuple[str, ...]]]
    if found.types is not UNSET:
        entries = ((kind.name, kind.description, _type_notes(kind)) for kind in found.types)
    else:
        entries = (
            (artifact.name, artifact.description, _artifact_notes(artifact))
            for artifact in found.artifacts or ()
        )
    return "\n".join(_entry(*entry, palette) for entry in entries)


def _entry(name: str, description: str, notes: tuple[str, ...], palette: Palette) -> str:
    lines = [line for line in (*description.splitlines(), *notes) if line.strip()]
    return f"{palette.bold(visible(name))}\n" + "".join(f"  {visible(line)}\n" for line in lines)


def _type_notes(kind: ConfiguredType) -> tuple[str, ...]:
    notes = [f"Required aspects: {', '.join(kind.required_aspects)}"] * bool(kind.required_aspects)
    if kind.may_use is not UNSET:
        notes.append(f"May use: {', '.join(kind.may_use) or 'only its own type'}")
    return tuple(notes)


def _artifact_notes(artifact: ConfiguredArtifact) -> tuple[str, ...]:
    if artifact.required == Condition.ALWAYS:
        need = "Required: always."
    elif artifact.required == Condition.NEVER:
        need = "Optional."
    else:
        need = f"Required: when {artifact.required}."
    seen = "Nodes that depend on the node see it." if artifact.included_in_relations else ""
    return (" ".join(part for part in (need, seen) if part),)
