"""Conversion of the 1.x configuration to 2.x; comments and unknown keys are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from yaml import YAMLError

from yg_old.kernel.errors import YgError
from yg_old.text.decode import plain
from yg_old.text.decode_yaml import decode_yaml
from yg_old.text.yaml_edit import tree_of, yaml_scalar
from yg_old.version import GRAPH_FORMAT
from yg_old.yggdrasil.model import INTERNALS_FILE
from yg_old.yggdrasil.start.templates import template
from yg_old.yggdrasil.start.upgrade_node import CANNOT, inline, opened

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yg_old.text.yaml_edit import YamlText

_QUALITY = ("min_artifact_length", "max_direct_relations", "context_budget", "gate")
TODO = "TODO: describe"


class ConfigRewrite:
    """The new configuration, the sections for the root node, and the warnings."""

    def __init__(self, text: str, name: str = "", warnings: Iterable[str] = ()) -> None:
        self.text = text
        self.name = name
        self.first_type = "module"
        self.sections: list[str] = []  # for the root node's internals
        self.warnings = list(warnings)


def rewritten_config(text: str) -> ConfigRewrite:
    """Rewrite `config.yaml`, without the version; see `with_version`."""
    try:
        return _rewritten(text)
    except YAMLError:
        return ConfigRewrite(text, warnings=[CANNOT])


def _rewritten(text: str) -> ConfigRewrite:
    """Rewrite `config.yaml`; raises YAMLError if the result would be too large to edit."""
    found = opened(text)
    if found is None:
        return ConfigRewrite(text, warnings=[CANNOT])
    editable, content = found
    name = content.get("name")
    result = ConfigRewrite(text, name=name if isinstance(name, str) else "")
    result.sections = _sections(content)
    for key in ("stack", "standards"):
        editable = editable.replaced(key, "") if editable.has(key) else editable
    for key in ("tags", "knowledge_categories"):
        if editable.has(key):
            said = inline(content[key])
            result.warnings.append(f"'{key}' has no counterpart and was dropped: {said}")
            editable = editable.replaced(key, "")
    editable = _types(editable, content, result)
    editable = _artifacts(editable, content, result)
    quality = content.get("quality")
    unknown = [key for key in quality if key not in _QUALITY] if isinstance(quality, dict) else []
    result.warnings += [f"'quality.{key}' is not known and has no effect" for key in unknown]
    if decode_yaml(editable.text).problems:
        return ConfigRewrite(text, warnings=[CANNOT])
    result.text = editable.text
    return result


def with_version(text: str) -> str:
    """Return a configuration with the current format version; raise an error if it has no place."""
    try:
        return _with_version(text)
    except YAMLError as error:
        hint = "Fix it first, 'yg validate' reports the errors; nothing was changed."
        raise YgError("the configuration cannot be edited", hint=hint) from error


def _with_version(text: str) -> str:
    line = f'version: "{GRAPH_FORMAT}"\n'
    found = opened(text)
    if found is None:
        return _in_flow(text)
    editable, content = found
    if "version" in content:
        return editable.replaced("version", line).text
    first = min((entry.start for entry in (editable.root.entries or {}).values()), default=0)
    start = text.rfind("\n", 0, first) + 1
    return text[:start] + line.replace("\n", editable.line_break) + text[start:]


def _in_flow(text: str) -> str:
    """Add the version to a configuration in flow style (braces)."""
    content = plain(decode_yaml(text).datum)
    root = tree_of(text) if isinstance(content, dict) else None
    if root is None or root.entries is None or not root.is_flow:
        raise YAMLError("neither lines nor braces")
    if "version" in root.entries:
        value = root.entries["version"].datum
        return f'{text[: value.start]}"{GRAPH_FORMAT}"{text[value.end :]}'
    comma = ", " if root.entries else ""
    at = root.start + 1
    return f'{text[:at]}version: "{GRAPH_FORMAT}"{comma}{text[at:]}'


def _sections(content: dict[str, Any]) -> list[str]:
    """Return the stack and standards of the configuration as Markdown sections."""
    sections = []
    stack = content.get("stack")
    if isinstance(stack, dict) and stack:
        lines = [f"- **{key}:** {inline(value)}" for key, value in stack.items()]
        sections.append("## Technology Stack\n\n" + "\n".join(lines) + "\n")
    elif stack:
        sections.append(f"## Technology Stack\n\n{inline(stack)}\n")
    standards = content.get("standards")
    if standards:
        text = standards.strip() if isinstance(standards, str) else inline(standards)
        sections.append(f"## Standards\n\n{text}\n")
    return sections


def _types(editable: YamlText, content: dict[str, Any], result: ConfigRewrite) -> YamlText:
    """Rewrite `node_types` as a mapping, each type with a description."""
    types = dict(_type_entries(content.get("node_types"), result.warnings))
    result.first_type = next(iter(types), "module")
    is_new = isinstance(content.get("node_types"), dict) and all(
        isinstance(details, dict) and details.get("description") and "required_tags" not in details
        for details in content["node_types"].values()
    )
    if is_new or not types:
        return editable
    standard = standard_descriptions()
    lines = ["node_types:"]
    for name, details in types.items():
        description = details.get("description") or standard.get(name)
        if not description:
            result.warnings.append(f"node type '{name}' has no description: '{TODO}' was written")
        lines.append(f"  {yaml_scalar(name)}:")
        lines.append(f"    description: {yaml_scalar(str(description or TODO))}")
        required = details.get("required_aspects") or details.get("required_tags") or []
        required = required if isinstance(required, list) else [required]
        if required:
            lines.append(
                f"    required_aspects: [{', '.join(yaml_scalar(str(r)) for r in required)}]"
            )
        unknown = set(details) - {"name", "description", "required_aspects", "required_tags"}
        lines += [f"    {key}: {yaml_scalar(inline(details[key]))}" for key in sorted(unknown)]
    return editable.replaced("node_types", "".join(f"{line}\n" for line in lines))


def _type_entries(value: Any, warnings: list[str]) -> list[tuple[str, dict[str, Any]]]:
    """Return the node types and their details from any form that 1.x allowed."""
    if isinstance(value, dict):
        return [(name, _details(details)) for name, details in value.items()]
    found: list[tuple[str, dict[str, Any]]] = []
    for item in value if isinstance(value, list) else []:
        if isinstance(item, dict) and isinstance(item.get("name"), str):
            found.append((item["name"], item))
        elif isinstance(item, str):
            found.append((item, {}))
        else:
            warnings.append(f"an item of 'node_types' names no type: {inline(item)}")
    return found


def _details(value: Any) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    return {"description": value} if isinstance(value, str) else {}


def standard_descriptions() -> dict[str, str]:
    """Return the descriptions of the node types of a new graph."""
    found = opened(template("yg-config.yaml"))
    types = found[1]["node_types"] if found else {}
    return {name: details["description"] for name, details in types.items()}


def _artifacts(editable: YamlText, content: dict[str, Any], result: ConfigRewrite) -> YamlText:
    """Rename `structural_context`, and add the artifact that holds the moved sections."""
    entries = editable.root.entries or {}
    artifacts = entries["artifacts"].datum.entries if "artifacts" in entries else None
    keys = [
        artifact.datum.entries["structural_context"]
        for artifact in (artifacts or {}).values()
        if artifact.datum.entries and "structural_context" in artifact.datum.entries
    ]
    editable = editable.renamed(keys, "included_in_relations")
    known = content.get("artifacts")
    if not result.sections or (isinstance(known, dict) and INTERNALS_FILE in known):
        return editable
    extended = _with_internals(editable)
    if extended is editable:
        result.warnings.append(
            f"add the artifact '{INTERNALS_FILE}': stack and standards are there now"
        )
    return extended


def _with_internals(editable: YamlText) -> YamlText:
    """Add the artifact that holds the moved sections."""
    entry = (
        f'  {INTERNALS_FILE}:\n    required: never\n    description: "How the node works and why"\n'
    )
    entries = editable.root.entries or {}
    found = entries.get("artifacts")
    if found is None or not found.datum.entries or found.datum.is_flow:
        return editable if found else editable.replaced("artifacts", f"artifacts:\n{entry}")
    first = min(known.start for known in found.datum.entries.values())
    start = editable.text.rfind("\n", 0, first) + 1
    indent = editable.text[start:first]
    lines = [f"{indent}{line[2:]}" for line in entry.splitlines()]
    added = "".join(f"{line}{editable.line_break}" for line in lines)
    return type(editable)(editable.text[:start] + added + editable.text[start:])
