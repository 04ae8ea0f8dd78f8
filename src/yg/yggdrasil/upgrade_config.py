"""The configuration of the 1.x layout, rewritten as 2.x; comments and unknown keys stay."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from yg.kernel.yaml_write import yaml_scalar
from yg.version import GRAPH_FORMAT
from yg.yggdrasil.templates import template
from yg.yggdrasil.upgrade_node import opened

if TYPE_CHECKING:
    from yg.kernel.yaml_edit import YamlText

INTERNALS = "internals.md"
_QUALITY = ("min_artifact_length", "max_direct_relations", "context_budget")
_TODO = "TODO: describe"


@dataclass
class ConfigRewrite:
    """The new configuration, what moves into the root node, and what is to be said."""

    text: str
    name: str = ""
    first_type: str = "module"
    sections: list[str] = field(default_factory=list)  # for the root node's internals
    warnings: list[str] = field(default_factory=list)


def rewritten_config(text: str) -> ConfigRewrite:
    """Rewrite `config.yaml`; the version is put in by whoever writes it last."""
    found = opened(text)
    if found is None:
        return ConfigRewrite(text, warnings=["cannot be rewritten: mend it by hand"])
    editable, content = found
    name = content.get("name")
    result = ConfigRewrite(text, name=name if isinstance(name, str) else "")
    result.sections = _sections(content)
    for key in ("stack", "standards"):
        editable = editable.replaced(key, "") if editable.has(key) else editable
    for key in ("tags", "knowledge_categories"):
        if editable.has(key):
            said = _inline(content[key])
            result.warnings.append(f"'{key}' has no counterpart and was dropped: {said}")
            editable = editable.replaced(key, "")
    editable = _types(editable, content, result)
    editable = _artifacts(editable, content, needs_internals=bool(result.sections))
    unknown = [key for key in content.get("quality") or {} if key not in _QUALITY]
    result.warnings += [f"'quality.{key}' is not known and has no effect" for key in unknown]
    result.text = editable.text
    return result


def with_version(text: str) -> str:
    """Return a configuration that says it is of the present format."""
    line = f'version: "{GRAPH_FORMAT}"\n'
    found = opened(text)
    if found is None:
        return line + text
    editable, content = found
    if "version" in content:
        return editable.replaced("version", line).text
    first = min((key.start for key, _ in (editable.root.entries or {}).values()), default=0)
    start = text.rfind("\n", 0, first) + 1
    return text[:start] + line.replace("\n", editable.line_break) + text[start:]


def _sections(content: dict[str, Any]) -> list[str]:
    """Return what the configuration said about technology, as sections of Markdown."""
    sections = []
    stack = content.get("stack")
    if isinstance(stack, dict) and stack:
        lines = [f"- **{key}:** {_inline(value)}" for key, value in stack.items()]
        sections.append("## Technology Stack\n\n" + "\n".join(lines) + "\n")
    elif stack:
        sections.append(f"## Technology Stack\n\n{_inline(stack)}\n")
    standards = content.get("standards")
    if standards:
        text = standards.strip() if isinstance(standards, str) else _inline(standards)
        sections.append(f"## Standards\n\n{text}\n")
    return sections


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_inline(each)}" for key, each in value.items())
    if isinstance(value, list):
        return ", ".join(_inline(each) for each in value)
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)


def _types(editable: YamlText, content: dict[str, Any], result: ConfigRewrite) -> YamlText:
    """Make a map of node types, each with a description."""
    types = dict(_type_entries(content.get("node_types")))
    result.first_type = next(iter(types), "module")
    is_new = isinstance(content.get("node_types"), dict) and all(
        isinstance(each, dict) and each.get("description") and "required_tags" not in each
        for each in content["node_types"].values()
    )
    if is_new or not types:
        return editable
    standard = _standard_descriptions()
    lines = ["node_types:"]
    for name, details in types.items():
        description = details.get("description") or standard.get(name)
        if not description:
            result.warnings.append(f"node type '{name}' has no description: '{_TODO}' was written")
        lines.append(f"  {yaml_scalar(name)}:")
        lines.append(f"    description: {yaml_scalar(str(description or _TODO))}")
        required = details.get("required_aspects") or details.get("required_tags") or []
        if required:
            lines.append(
                f"    required_aspects: [{', '.join(yaml_scalar(str(r)) for r in required)}]"
            )
        unknown = set(details) - {"name", "description", "required_aspects", "required_tags"}
        lines += [f"    {key}: {yaml_scalar(_inline(details[key]))}" for key in sorted(unknown)]
    return editable.replaced("node_types", "".join(f"{line}\n" for line in lines))


def _type_entries(value: Any) -> list[tuple[str, dict[str, Any]]]:
    if isinstance(value, dict):
        return [(name, each if isinstance(each, dict) else {}) for name, each in value.items()]
    found: list[tuple[str, dict[str, Any]]] = []
    for each in value if isinstance(value, list) else []:
        if isinstance(each, dict) and isinstance(each.get("name"), str):
            found.append((each["name"], each))
        elif isinstance(each, str):
            found.append((each, {}))
    return found


def _standard_descriptions() -> dict[str, str]:
    found = opened(template("yg-config.yaml"))
    types = found[1]["node_types"] if found else {}
    return {name: each["description"] for name, each in types.items()}


def _artifacts(editable: YamlText, content: dict[str, Any], *, needs_internals: bool) -> YamlText:
    """Rename `structural_context`, and make sure that what moved is in an artifact."""
    entries = editable.root.entries or {}
    artifacts = entries["artifacts"][1].entries if "artifacts" in entries else None
    keys = [
        each.entries["structural_context"][0]
        for _, each in (artifacts or {}).values()
        if each.entries and "structural_context" in each.entries
    ]
    editable = editable.renamed(keys, "included_in_relations")
    known = content.get("artifacts")
    if not needs_internals or (isinstance(known, dict) and INTERNALS in known):
        return editable
    return _with_internals(editable)


def _with_internals(editable: YamlText) -> YamlText:
    """Add the artifact that holds what the configuration used to say."""
    entry = f'  {INTERNALS}:\n    required: never\n    description: "How the node works and why"\n'
    entries = editable.root.entries or {}
    found = entries.get("artifacts")
    if found is None or not found[1].entries or found[1].is_flow:
        return editable if found else editable.replaced("artifacts", f"artifacts:\n{entry}")
    first = min(key.start for key, _ in found[1].entries.values())
    start = editable.text.rfind("\n", 0, first) + 1
    indent = editable.text[start:first]
    lines = [f"{indent}{line[2:]}" for line in entry.splitlines()]
    added = "".join(f"{line}{editable.line_break}" for line in lines)
    return type(editable)(editable.text[:start] + added + editable.text[start:])
