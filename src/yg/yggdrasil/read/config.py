"""Reader of `yg-config.yaml`: invalid parts are reported and left empty, the rest is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from yg.code.change_class import ChangeClass
from yg.kernel.issue import Finding, Level, Located, Place
from yg.kernel.package import Budget
from yg.text import paths
from yg.text.suggest import did_you_mean, listing, nearest
from yg.yggdrasil import codecs
from yg.yggdrasil.block_kind import CUT_WORDS
from yg.yggdrasil.collection import read_file
from yg.yggdrasil.model import (
    CONFIG_FILE,
    NO_GATE,
    NODE_FILE,
    STANDARD_CODE,
    STANDARD_DRIFT,
    STANDARD_QUALITY,
    TOLERABLE,
    AcceptedImport,
    ArtifactTemplate,
    ArtifactType,
    CodeSettings,
    Condition,
    Config,
    CutPattern,
    DriftGate,
    DriftSettings,
    Gate,
    NodeType,
    Note,
    Quality,
    Reading,
    ReadIssue,
    RuleSetting,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from yg.kernel.fields import Fields
    from yg.kernel.snapshot import Snapshot
    from yg.text.decode import Datum

T = TypeVar("T")

_ASPECT_PREFIXES = ("has_aspect:", "has_tag:")  # the second is the older form
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
    version, name = fields.text("version"), fields.required_text("name")
    node_types = {kind.name: kind for kind in _named(fields, "node_types", _node_type)}
    artifacts = {kind.name: kind for kind in _named(fields, "artifacts", _artifact_type)}
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
    )


def _rules(fields: Fields) -> Iterator[RuleSetting]:
    """Read `rules`: a mapping from codes to levels. Whether the codes exist is checked later."""
    entries = fields.mapping("rules")
    for word, datum in entries.named() if entries else ():
        if datum.value in list(Level):
            yield RuleSetting(word, Level(str(datum.value)))
            continue
        hint = f"Write one of: {', '.join(Level)}."
        fields.report.add_problem(f"the level of {word} cannot be {_shown(datum)}", datum, hint)


def _named(fields: Fields, key: str, build: Callable[[Located, Fields], T | None]) -> Iterator[T]:
    """Yield the entries of a mapping from user-defined names; an empty one is an error."""
    entries = fields.mapping(key, "Write 'NAME: {description: ..}' for each of them.")
    if entries is None and not fields.lacks(key):
        return
    hint = f"Describe at least one entry under '{key}'."
    if entries is None:
        fields.report.add_problem(f"{CONFIG_FILE} has no '{key}'", fields.datum, hint)
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
        fields.report.add_problem(f"'{key}' must not be empty", entries.datum, hint)


def _node_type(name: Located, fields: Fields) -> NodeType:
    description = fields.required_text("description")
    return NodeType(
        name=name.text,
        description=description.text if description else "",
        required_aspects=fields.located_texts("required_aspects"),
        template=tuple(_template(fields)),
    )


def _template(fields: Fields) -> Iterator[ArtifactTemplate]:
    """Read `template`: a mapping from artifacts to the headings of a new one."""
    entries = fields.mapping("template", "Write 'ARTIFACT: [HEADING, ..]' for each of them.")
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
        fields.report.add_problem(f"a heading cannot be {_shown(datum)}", datum, hint)
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
    description, in_relations = fields.text("description"), fields.flag("included_in_relations")
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
    datum = fields.get("required")
    if datum is None:
        return Condition.NEVER, None
    if isinstance(datum.value, dict):
        inner = fields.inside(datum, "'required'")
        condition = inner.required_text("when")
        inner.close()
        return _condition(condition, fields) if condition else (Condition.NEVER, None)
    if datum.value in (Condition.ALWAYS, Condition.NEVER):
        return Condition(str(datum.value)), None
    hint = "Write 'always', 'never', or 'when: <condition>' below it."
    fields.report.add_problem(f"'required' cannot be {_shown(datum)}", datum, hint)
    return Condition.NEVER, None


def _shown(datum: Datum) -> str:
    """Write a wrong value: a text as it is, any other value by its type."""
    from yg.text.decode import type_name

    return f"'{datum.value}'" if isinstance(datum.value, str) else type_name(datum.value)


def _condition(condition: Located, fields: Fields) -> tuple[Condition, Located | None]:
    if condition.text in (Condition.INCOMING, Condition.OUTGOING):
        return Condition(condition.text), None
    for prefix in _ASPECT_PREFIXES:
        aspect = condition.text.removeprefix(prefix).strip()
        if condition.text.startswith(prefix) and aspect:
            return Condition.ASPECT, Located(aspect, condition.line, condition.column)
    fields.report.add_problem(
        f"unknown condition '{condition.text}'", condition, f"Use {_CONDITIONS}."
    )
    return Condition.NEVER, None


def _uncounted(fields: Fields) -> tuple[str, ...]:
    """Read the patterns of files that coverage leaves out."""
    coverage = fields.mapping("coverage")
    if coverage is None:
        return ()
    patterns = coverage.texts("exclude")
    coverage.close()
    return patterns


_DERIVED = "derived"
_HASHES = ("stored", _DERIVED)


def _drift(fields: Fields) -> DriftSettings:
    drift = fields.mapping("drift")
    if drift is None:
        return STANDARD_DRIFT
    tolerate = _choice(drift, "tolerate", TOLERABLE)
    gate = _choice(drift, "gate", tuple(DriftGate))
    settings = DriftSettings(
        tolerate=ChangeClass(tolerate) if tolerate else None,
        gate=DriftGate(gate) if gate else None,
        stores_hash=_choice(drift, "hash", _HASHES) != _DERIVED,
    )
    drift.close()
    return settings


def _code(fields: Fields) -> CodeSettings | None:
    """Read `code`; an empty section has the standard settings."""
    if not fields.has("code"):
        return None
    code = fields.mapping("code")
    if code is None:
        return STANDARD_CODE
    settings = CodeSettings(
        imports=Level(_choice(code, "imports", tuple(Level)) or STANDARD_CODE.imports),
        counts_types=_choice(code, "type_only", _TYPE_IMPORTS) == _COUNT,
        exempt_types=code.texts("exempt_types"),
        roots=tuple(_roots(code)),
        ignore=code.texts("ignore"),
        accepted=tuple(_accepted(code)),
    )
    code.close()
    return settings


_COUNT = "count"
_TYPE_IMPORTS = ("ignore", _COUNT)


def _choice(fields: Fields, key: str, allowed: tuple[str, ...]) -> str:
    """Return an optional text out of a few; empty if it is missing or another one."""
    datum = fields.get(key)
    if datum is None:
        return ""
    if datum.value in allowed:
        return str(datum.value)
    hint = f"Write one of: {', '.join(allowed)}."
    fields.report.add_problem(f"'{key}' cannot be {_shown(datum)}", datum, hint)
    return ""


def _roots(code: Fields) -> Iterator[str]:
    for root in code.located_texts("roots"):
        path = paths.normalise(root.text)
        if path is None:
            hint = "Write folders of this repository, relative to its root."
            code.report.add_problem(f"root '{root}' is outside the repository", root, hint)
        else:
            yield path


def _accepted(code: Fields) -> Iterator[AcceptedImport]:
    for datum in code.items("accepted"):
        entry = code.inside(datum, "an entry of 'accepted'", _ACCEPTED_HINT)
        source, target = entry.required_text("from"), entry.required_text("to")
        reason = entry.required_text("reason")
        entry.close()
        if source and target and reason:
            yield AcceptedImport(source=source, target=target, reason=reason.text)


_ACCEPTED_HINT = "Write '{from: NODE, to: NODE, reason: ..}'."


def _quality(fields: Fields) -> Quality:
    standard = STANDARD_QUALITY
    quality = fields.mapping("quality")
    if quality is None:
        return standard
    min_length = quality.count("min_artifact_length", standard.min_artifact_length)
    max_relations = quality.count("max_direct_relations", standard.max_direct_relations)
    context = quality.mapping("context_budget")
    budget, cut_first, stale = standard.budget, standard.cut_first, standard.stale
    if context is not None:
        budget, cut_first = _budget(context, standard.budget), _cut_first(context)
        stale = context.count("stale", standard.stale)
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
    )


def _gate(quality: Fields) -> Gate:
    fields = quality.mapping("gate")
    if fields is None:
        return NO_GATE
    gate = Gate(
        coverage=_percentage(fields, "coverage"),
        packages_over=_most(fields, "packages_over"),
        drafts=_most(fields, "drafts"),
    )
    fields.close()
    return gate


def _most(fields: Fields, key: str) -> int | None:
    return None if fields.get(key) is None else fields.count(key, 0)


def _percentage(fields: Fields, key: str) -> float | None:
    """Return an optional number from 0 to 100."""
    datum = fields.get(key)
    if datum is None:
        return None
    value, shown = datum.value, _shown(datum)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        if 0 <= value <= 100:  # noqa: PLR2004
            return value
        shown = str(value)
    fields.report.add_problem(f"'{key}' cannot be {shown}", datum, "Write a number from 0 to 100.")
    return None


def _cut_first(fields: Fields) -> tuple[CutPattern, ...] | None:
    """Read the order in which documents are cut; None for the standard order."""
    if fields.get("cut_first") is None:
        return None
    patterns = []
    for word in fields.located_texts("cut_first"):
        kind, _, document = word.text.partition("/")
        if kind in CUT_WORDS and document:
            patterns.append(CutPattern(kind, document))
            continue
        fault = "names no document" if kind in CUT_WORDS else f"has the unknown kind '{kind}'"
        hint = f"Write KIND/DOCUMENT; the kinds are {', '.join(CUT_WORDS)}."
        fields.report.add_problem(f"'{word}' in 'cut_first' {fault}", word, hint)
    return tuple(patterns)


def _budget(fields: Fields, standard: Budget) -> Budget:
    budget = Budget(
        warning=fields.count("warning", standard.warning),
        error=fields.count("error", standard.error),
        tokenizer=_tokenizer(fields),
    )
    if budget.error < budget.warning:
        message = f"'error' ({budget.error}) must not be below 'warning' ({budget.warning})"
        hint = "Raise 'error' or lower 'warning'."
        for key, value in (("warning", standard.warning), ("error", standard.error)):
            if fields.lacks(key):
                hint = f"'{key}' is not set, so it is {value}, the default. Set it as well."
        fields.report.add_problem(message, fields.datum, hint)
    return budget


def _tokenizer(fields: Fields) -> str:
    if fields.lacks("tokenizer"):
        return ""
    from yg.kernel.tokens import TOKENIZERS, named

    return named(_choice(fields, "tokenizer", TOKENIZERS))
