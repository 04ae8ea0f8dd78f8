"""The editions of Yggdrasil side by side: one model, and all in which 0.x differs from 2.x."""

from __future__ import annotations

from msgspec import Struct

from yg.yggdrasil.package import BlockKind


class Edition(Struct, frozen=True, kw_only=True):
    """The rules by which packages of an edition are made; `resolve` follows them."""

    configures_artifacts: bool  # whether the configuration lists artifacts, or every file is one
    has_tags: bool  # whether aspects are found by tags, or by their ids
    passes_flows_on: bool  # whether flows reach the nodes below their participants
    order: tuple[BlockKind, ...]
    counts_markdown: bool  # whether the size of a package is that of its Markdown form
    shows_declaration: bool  # whether a node's YAML file stands in its own package
    skips_ancestors: bool  # whether a relation to an ancestor quotes nothing
    tells_of_missing_targets: bool  # whether a missing target is a line, not an error
    refuses_on_any_error: bool  # or only on those of the node itself


V2 = Edition(
    configures_artifacts=True,
    has_tags=False,
    passes_flows_on=True,
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
    tells_of_missing_targets=False,
    refuses_on_any_error=True,
)


V0 = Edition(
    configures_artifacts=False,
    has_tags=True,
    passes_flows_on=False,
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
    tells_of_missing_targets=True,
    refuses_on_any_error=False,
)
