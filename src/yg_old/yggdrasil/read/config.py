"""Reader of `yg-config.yaml`: invalid parts are reported and left empty, the rest is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from yg_old.code.change_class import ChangeClass
from yg_old.kernel.issue import Finding, Level, Located, Place
from yg_old.kernel.package import Budget
from yg_old.kernel.tokens import named
from yg_old.text import paths
from yg_old.text.suggest import did_you_mean, listing, nearest
from yg_old.version import has_another_model, is_newer
from yg_old.yggdrasil import codecs
from yg_old.yggdrasil.block_kind import CUT_WORDS
from yg_old.yggdrasil.collection import read_file
from yg_old.yggdrasil.model import (
    CONFIG_FILE,
    NO_GATE,
    NODE_FILE,
    STANDARD_ARTIFACTS,
    STANDARD_CODE,
    STANDARD_DRIFT,
    STANDARD_HOOKS,
    STANDARD_QUALITY,
    AcceptedImport,
    Agreement,
    ArtifactTemplate,
    ArtifactType,
    CodeInPackages,
    CodeSettings,
    Condition,
    Config,
    CutPattern,
    DriftGate,
    DriftSettings,
    Gate,
    HookSettings,
    NodeType,
    Note,
    Quality,
    Reading,
    ReadIssue,
    RuleSetting,
)
from yg_old.yggdrasil.read.config_shapes import (
    ASPECT_PREFIXES,
    COUNT,
    OFF,
    AcceptedKeys,
    ArtifactKeys,
    BudgetKeys,
    CodeKeys,
    ConfigKeys,
    CoverageKeys,
    DecisionKeys,
    DriftKeys,
    GateKeys,
    HookKeys,
    NodeTypeKeys,
    QualityKeys,
    RequirementKeys,
)
from yg_old.yggdrasil.read.keys import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from yg_old.kernel.fields import Fields
    from yg_old.kernel.snapshot import Snapshot
    from yg_old.text.decode import Datum
    from yg_old.yggdrasil.read.keys import Key

T = TypeVar("T")

_CONDITIONS = "has_incoming_relations, has_outgoing_relations or has_aspect:<id>"


def read_config(snapshot: Snapshot, file: str) -> tuple[Config, Reading[Config]]:
    """Return the configuration, as far as it is valid, and the result of reading it."""
    empty = Config(file=file, node_types={}, artifacts={})
    if snapshot.kind(file) is None:
        hint = "Restore it, or run 'yg init' in a new repository."
        finding = Finding(CONFIG_FILE, f"there is no {CONFIG_FILE}", Place(file), (hint,))
        return empty, Reading(None, (Note(ReadIssue.CONFIG, finding),))
    reading = read_file(
        snapshot,
        file,
        CONFIG_FILE,
        ReadIssue.CONFIG,
        lambda fields: _config(file, fields),
        codecs.CONFIG,
    )
    return reading.value or empty, reading


def _config(file: str, fields: Fields) -> Config:
    version = ConfigKeys.version.of(fields)
    if _has_another_model(fields, version):
        return Config(
            file=file, version=version, node_types={}, artifacts={}, has_another_model=True
        )
    name = ConfigKeys.name.of(fields)
    node_types = {kind.name: kind for kind in _named(fields, ConfigKeys.node_types, _node_type)}
    artifacts = STANDARD_ARTIFACTS
    if _configures_artifacts(fields, version):
        found = _named(fields, ConfigKeys.artifacts, _artifact_type)
        artifacts = {kind.name: kind for kind in found}
    _check_templates(fields, node_types.values(), artifacts)
    return Config(
        file=file,
        name=name.text if name else "",
        version=version,
        node_types=node_types,
        artifacts=artifacts,
        quality=_quality(fields),
        rules=tuple(_rules(fields)),
        uncounted=_uncounted(fields),
        drift=_drift(fields),
        code=_code(fields),
        decisions=_decisions(fields),
        hooks=_hooks(fields),
    )


def _has_another_model(fields: Fields, version: str) -> bool:
    """Tell whether this is the configuration of a format that has another model."""
    datum = fields.get(ConfigKeys.version.name)
    is_number = datum is not None and isinstance(datum.value, (int, float))
    if has_another_model(str(datum.value) if datum and is_number else version):
        return True
    is_ours = not (fields.lacks(ConfigKeys.name.name) and fields.lacks(ConfigKeys.node_types.name))
    return not is_ours and any(not fields.lacks(key) for key in _KEYS_OF_ANOTHER_MODEL)


_KEYS_OF_ANOTHER_MODEL = ("reviewer", "parallel")


def _configures_artifacts(fields: Fields, version: str) -> bool:
    """Tell whether the section `artifacts` counts; format 3.0 has none, so an empty one is none."""
    datum = fields.get(ConfigKeys.artifacts.name)
    if fields.lacks(ConfigKeys.artifacts.name):
        return False
    is_empty = datum is not None and datum.value == {}
    return not is_empty or is_newer(_WITHOUT_ARTIFACTS, than=version)


_WITHOUT_ARTIFACTS = "3"  # the first format that has no section `artifacts`


def _rules(fields: Fields) -> Iterator[RuleSetting]:
    """Read `rules`: a mapping from codes to levels. Whether the codes exist is checked later."""
    entries = ConfigKeys.rules.of(fields)
    for word, datum in entries.named() if entries else ():
        if datum.value in list(Level):
            yield RuleSetting(word, Level(str(datum.value)))
            continue
        hint = f"Write one of: {', '.join(Level)}."
        fields.report.add_problem(f"the level of {word} cannot be {shown(datum)}", datum, hint)


def _named(
    fields: Fields, key: Key[Fields | None], build: Callable[[Located, Fields], T | None]
) -> Iterator[T]:
    """Yield the entries of a mapping from user-defined names; an empty one is an error."""
    entries = key.of(fields)
    if entries is None and not fields.lacks(key.name):
        return
    hint = f"Describe at least one entry under '{key.name}'."
    if entries is None:
        fields.report.add_problem(f"{CONFIG_FILE} has no '{key.name}'", fields.datum, hint)
        return
    names = 0
    for name, datum in entries.named():
        names += 1
        inner = fields.inside(datum, f"'{name.text}'")
        value = build(name, inner)
        inner.close()
        if value is not None:
            yield value
    if not names and isinstance(entries.datum.value, dict):
        fields.report.add_problem(f"'{key.name}' must not be empty", entries.datum, hint)


def _node_type(name: Located, fields: Fields) -> NodeType:
    description = NodeTypeKeys.description.of(fields)
    return NodeType(
        name=name.text,
        description=description.text if description else "",
        required_aspects=NodeTypeKeys.required_aspects.of(fields),
        template=tuple(_template(fields)),
        may_use=NodeTypeKeys.may_use.of(fields),
    )


def _template(fields: Fields) -> Iterator[ArtifactTemplate]:
    """Read `template`: a mapping from artifacts to the headings of a new one."""
    entries = NodeTypeKeys.template.of(fields)
    for name, datum in entries.named() if entries else ():
        items = datum.value if isinstance(datum.value, list) else [datum]
        headings = [_heading(item, fields) for item in items]
        yield ArtifactTemplate(
            artifact=name, headings=tuple(heading for heading in headings if heading)
        )


def _heading(datum: Datum, fields: Fields) -> str:
    """Return a heading as Markdown; empty if it is not one. Without `#`, it gets the level 2."""
    text = datum.value.strip() if isinstance(datum.value, str) else ""
    title = text.lstrip("#").strip()
    if not title or "\n" in text:
        hint = "Write a list of headings, each one line, such as '## Errors'."
        fields.report.add_problem(f"a heading cannot be {shown(datum)}", datum, hint)
        return ""
    level = len(text) - len(text.lstrip("#"))
    return f"{'#' * (level or 2)} {title}"


def _check_templates(
    fields: Fields, node_types: Iterable[NodeType], artifacts: Collection[str]
) -> None:
    """Report templates of artifacts that are not configured, unless none could be read."""
    for kind in node_types if artifacts else ():
        for template in kind.template:
            name = template.artifact
            if name.text not in artifacts:
                hint = did_you_mean(nearest(name.text, artifacts)) or (
                    f"Configured artifacts: {listing(artifacts)}."
                )
                message = f"the template of '{kind.name}' names '{name}', which is no artifact"
                fields.report.add_problem(message, name, hint)


def _artifact_type(name: Located, fields: Fields) -> ArtifactType | None:
    condition, aspect = _requirement(fields)
    description = ArtifactKeys.description.of(fields)
    in_relations = ArtifactKeys.included_in_relations.of(fields)
    if fault := artifact_name_fault(name.text):
        hint = "Name a file in the node's directory, such as 'interface.md'."
        fields.report.add_problem(f"artifact name '{name.text}' {fault}", name, hint)
        return None
    return ArtifactType(
        name=name.text,
        condition=condition,
        aspect=aspect,
        description=description,
        in_relations=in_relations,
    )


def artifact_name_fault(name: str) -> str:
    """Return why a file cannot be an artifact; empty if it can."""
    if name == NODE_FILE:
        return "is reserved for the node itself"
    if not name.strip() or "/" in name or "\\" in name:
        return "is not a plain file name"
    return "starts with a dot: such files are not read" if name.startswith(".") else ""


def _requirement(fields: Fields) -> tuple[Condition, Located | None]:
    """Read `required`: always, never, or a mapping with the condition under `when`."""
    datum = ArtifactKeys.required.of(fields)
    if datum is None:
        return Condition.NEVER, None
    if isinstance(datum.value, dict):
        inner = fields.inside(datum, "'required'")
        condition = RequirementKeys.when.of(inner)
        inner.close()
        return _condition(condition, fields) if condition else (Condition.NEVER, None)
    if datum.value in (Condition.ALWAYS, Condition.NEVER):
        return Condition(str(datum.value)), None
    hint = "Write 'always', 'never', or 'when: <condition>' below it."
    fields.report.add_problem(f"'required' cannot be {shown(datum)}", datum, hint)
    return Condition.NEVER, None


def _condition(condition: Located, fields: Fields) -> tuple[Condition, Located | None]:
    if condition.text in (Condition.INCOMING, Condition.OUTGOING):
        return Condition(condition.text), None
    for prefix in ASPECT_PREFIXES:
        aspect = condition.text.removeprefix(prefix).strip()
        if condition.text.startswith(prefix) and aspect:
            return Condition.ASPECT, Located(aspect, condition.line, condition.column)
    fields.report.add_problem(
        f"unknown condition '{condition.text}'", condition, f"Use {_CONDITIONS}."
    )
    return Condition.NEVER, None


def _uncounted(fields: Fields) -> tuple[str, ...]:
    """Read the patterns of files that coverage leaves out."""
    coverage = ConfigKeys.coverage.of(fields)
    if coverage is None:
        return ()
    patterns = CoverageKeys.exclude.of(coverage)
    coverage.close()
    return patterns


def _decisions(fields: Fields) -> tuple[Located, ...]:
    """Read the folders with decision records; a rule checks that they exist."""
    decisions = ConfigKeys.decisions.of(fields)
    if decisions is None:
        return ()
    folders = DecisionKeys.paths.of(decisions)
    decisions.close()
    return folders


def _drift(fields: Fields) -> DriftSettings:
    drift = ConfigKeys.drift.of(fields)
    if drift is None:
        return STANDARD_DRIFT
    tolerate, gate = DriftKeys.tolerate.of(drift), DriftKeys.gate.of(drift)
    settings = DriftSettings(
        tolerate=ChangeClass(tolerate) if tolerate else None,
        gate=DriftGate(gate) if gate else None,
        stores_hash=DriftKeys.hash.of(drift) != "derived",
        agreement=Agreement(DriftKeys.agreement.of(drift) or Agreement.PERSON),
    )
    drift.close()
    return settings


def _hooks(fields: Fields) -> HookSettings:
    hooks = ConfigKeys.hooks.of(fields)
    if hooks is None:
        return STANDARD_HOOKS
    briefs = HookKeys.briefs.of(hooks)
    settings = HookSettings(
        briefs=STANDARD_HOOKS.briefs if briefs is None else briefs,
        asks_at_stop=HookKeys.stop.of(hooks) != OFF,
        overview=HookKeys.overview.of(hooks) != OFF,
    )
    hooks.close()
    return settings


def _code(fields: Fields) -> CodeSettings | None:
    """Read `code`; an empty section has the standard settings."""
    if not fields.has(ConfigKeys.code.name):
        return None
    code = ConfigKeys.code.of(fields)
    if code is None:
        return STANDARD_CODE
    settings = CodeSettings(
        imports=Level(CodeKeys.imports.of(code) or STANDARD_CODE.imports),
        counts_types=CodeKeys.type_only.of(code) == COUNT,
        exempt_types=CodeKeys.exempt_types.of(code),
        roots=tuple(_roots(code)),
        ignore=CodeKeys.ignore.of(code),
        accepted=tuple(_accepted(code)),
        packages=CodeInPackages(CodeKeys.packages.of(code) or STANDARD_CODE.packages),
    )
    code.close()
    return settings


def _roots(code: Fields) -> Iterator[str]:
    for root in CodeKeys.roots.of(code):
        path = paths.normalise(root.text)
        if path is None:
            hint = "Write folders of this repository, relative to its root."
            code.report.add_problem(f"root '{root}' is outside the repository", root, hint)
        else:
            yield path


def _accepted(code: Fields) -> Iterator[AcceptedImport]:
    for datum in CodeKeys.accepted.of(code):
        entry = code.inside(datum, "an entry of 'accepted'", _ACCEPTED_HINT)
        source, target = AcceptedKeys.source.of(entry), AcceptedKeys.target.of(entry)
        reason = AcceptedKeys.reason.of(entry)
        entry.close()
        if source and target and reason:
            yield AcceptedImport(source=source, target=target, reason=reason.text)


_ACCEPTED_HINT = "Write '{from: NODE, to: NODE, reason: ..}'."


def _quality(fields: Fields) -> Quality:
    quality = ConfigKeys.quality.of(fields)
    if quality is None:
        return STANDARD_QUALITY
    min_length = QualityKeys.min_artifact_length.of(quality)
    max_relations = QualityKeys.max_direct_relations.of(quality)
    max_files = QualityKeys.max_mapping_source_files.of(quality)
    context = QualityKeys.context_budget.of(quality)
    budget, cut_first = STANDARD_QUALITY.budget, STANDARD_QUALITY.cut_first
    stale, own_warning = STANDARD_QUALITY.stale, None
    if context is not None:
        budget, cut_first = _budget(context), _cut_first(context)
        stale, own_warning = BudgetKeys.stale.of(context), BudgetKeys.own_warning.of(context)
        context.close()
    gate = _gate(quality)
    quality.close()
    return Quality(
        min_artifact_length=min_length,
        max_direct_relations=max_relations,
        budget=budget,
        cut_first=cut_first,
        stale=stale,
        gate=gate,
        own_warning=own_warning,
        max_mapping_source_files=max_files,
    )


def _gate(quality: Fields) -> Gate:
    fields = QualityKeys.gate.of(quality)
    if fields is None:
        return NO_GATE
    gate = Gate(
        coverage=GateKeys.coverage.of(fields),
        packages_over=GateKeys.packages_over.of(fields),
        drafts=GateKeys.drafts.of(fields),
    )
    fields.close()
    return gate


def _cut_first(fields: Fields) -> tuple[CutPattern, ...] | None:
    """Read the order in which documents are cut; None for the standard order."""
    if fields.get(BudgetKeys.cut_first.name) is None:
        return None
    patterns = []
    for word in BudgetKeys.cut_first.of(fields):
        kind, _, document = word.text.partition("/")
        if kind in CUT_WORDS and document:
            patterns.append(CutPattern(kind, document))
            continue
        fault = "names no document" if kind in CUT_WORDS else f"has the unknown kind '{kind}'"
        hint = f"Write KIND/DOCUMENT; the kinds are {', '.join(CUT_WORDS)}."
        fields.report.add_problem(f"'{word}' in 'cut_first' {fault}", word, hint)
    return tuple(patterns)


def _budget(fields: Fields) -> Budget:
    budget = Budget(
        warning=BudgetKeys.warning.of(fields),
        error=BudgetKeys.error.of(fields),
        tokenizer=named(BudgetKeys.tokenizer.of(fields)),
    )
    if budget.error < budget.warning:
        message = f"'error' ({budget.error}) must not be below 'warning' ({budget.warning})"
        hint = "Raise 'error' or lower 'warning'."
        standard = STANDARD_QUALITY.budget
        for key, value in (("warning", standard.warning), ("error", standard.error)):
            if fields.lacks(key):
                hint = f"'{key}' is not set, so it is {value}, the default. Set it as well."
        fields.report.add_problem(message, fields.datum, hint)
    return budget
