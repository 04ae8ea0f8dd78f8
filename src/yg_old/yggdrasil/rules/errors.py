"""The rules that report errors.

They are separate from the warnings because only errors prevent a package, even if the configuration
raises a warning to an error.
"""

from __future__ import annotations

from yg_old.yggdrasil.rules import aspects, documents, external, mapping, reading, references, relations

ERRORS = (
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
    reading.unreadable_file,
    external.unknown_import,
    external.unknown_external_node,
    external.damaged_import,
    reading.conflict_marker,
    documents.broken_document,
)
ERRORS_V0 = (
    reading.invalid_node_yaml,
    references.broken_relation,
    references.broken_flow_ref,
    reading.invalid_config,
    reading.invalid_aspect_yaml,
    reading.invalid_flow_yaml,
    reading.unreadable_file,
    reading.conflict_marker,
)
OWN_ERRORS = (reading.invalid_node_yaml, reading.unreadable_file, reading.conflict_marker)
