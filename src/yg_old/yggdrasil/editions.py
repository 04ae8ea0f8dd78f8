"""The editions of Yggdrasil: every difference between 0.x and 2.x."""

from __future__ import annotations

from msgspec import Struct

from yg_old.yggdrasil.block_kind import BlockKind


class Edition(Struct, frozen=True, kw_only=True):
    """The settings of an edition, which `resolve` and `assemble` follow."""

    configures_artifacts: bool  # the configuration lists artifacts; otherwise every file is one
    has_tags: bool  # nodes refer to aspects by tag; otherwise by id
    inherits_flows: bool  # flows apply to the descendants of their participants
    order: tuple[BlockKind, ...]
    counts_markdown: bool  # the size of a package is that of its Markdown form
    shows_declaration: bool  # the package of a node includes its YAML file
    skips_ancestors: bool  # a relation to an ancestor does not repeat its documents
    reports_missing_targets: bool  # a missing target is a line of the package, not an error
    refuses_on_any_error: bool  # any error blocks a package; otherwise only errors of its node


V2 = Edition(
    configures_artifacts=True,
    has_tags=False,
    inherits_flows=True,
    order=(
        BlockKind.GLOBAL,
        BlockKind.HIERARCHY,
        BlockKind.OWN,
        BlockKind.TARGET,
        BlockKind.ASPECT,
        BlockKind.DEPENDENCY,
        BlockKind.EVENT,
        BlockKind.FLOW,
    ),
    counts_markdown=False,
    shows_declaration=True,
    skips_ancestors=True,
    reports_missing_targets=False,
    refuses_on_any_error=True,
)


V0 = Edition(
    configures_artifacts=False,
    has_tags=True,
    inherits_flows=False,
    order=(
        BlockKind.GLOBAL,
        BlockKind.HIERARCHY,
        BlockKind.OWN,
        BlockKind.DEPENDENCY,
        BlockKind.ASPECT,
        BlockKind.FLOW,
        BlockKind.TARGET,
    ),
    counts_markdown=True,
    shows_declaration=False,
    skips_ancestors=False,
    reports_missing_targets=True,
    refuses_on_any_error=False,
)
