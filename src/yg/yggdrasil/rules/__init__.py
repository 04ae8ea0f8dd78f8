"""The rules of Yggdrasil graphs: all of them, and the groups that share their inputs."""

from __future__ import annotations

from yg.yggdrasil.rules import (
    artifacts,
    aspects,
    mapping,
    reading,
    references,
    relations,
    types,
)

# Errors that follow from declarations, names of directories and the kinds of mapped paths.
DECLARED = (
    reading.invalid_node_yaml,
    references.unknown_node_type,
    references.unknown_aspect,
    references.broken_relation,
    references.broken_flow_ref,
    references.broken_aspect_ref,
    mapping.overlapping_mapping,
    relations.structural_cycle,
    reading.invalid_config,
    references.invalid_artifact_condition,
    aspects.duplicate_aspect_binding,
    reading.missing_node_yaml,
    references.implied_aspect_missing,
    relations.aspect_implies_cycle,
    reading.invalid_aspect_yaml,
    reading.invalid_flow_yaml,
    mapping.invalid_mapping_path,
)
# Errors in any text of the graph.
TEXTS = (reading.unreadable_file, reading.conflict_marker)
# Warnings that follow from all files of the graph and the existence of mapped paths.
READ = (
    artifacts.missing_artifact,
    artifacts.shallow_artifact,
    artifacts.budget_warning,
    artifacts.budget_error,
    relations.high_fan_out,
    relations.unpaired_event,
    artifacts.missing_schema,
    aspects.missing_required_aspect_coverage,
    mapping.mapping_path_missing,
    reading.directory_without_node,
    reading.unknown_key,
    artifacts.artifact_not_configured,
    reading.ignored_link,
    reading.binary_file,
    reading.duplicate_entry,
    types.forbidden_relation,
    mapping.blackbox_without_code,
)
# Warnings that read source files.
SOURCES = (mapping.anchor_not_found,)
RULES = tuple(sorted((*DECLARED, *TEXTS, *READ, *SOURCES), key=lambda rule: rule.code))
GROUPS = {"declared": DECLARED, "texts": TEXTS, "read": READ, "sources": SOURCES}
