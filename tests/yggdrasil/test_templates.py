"""Templates of node types."""

from __future__ import annotations

from support import CONFIG, graph_from
from yg.yggdrasil.templates import template_of

TEMPLATE = "{internals.md: [Data], responsibility.md: ['# Does', '###Does not'], interface.md: []}"


def test_a_template_is_in_the_order_of_the_artifacts() -> None:
    config = CONFIG.replace('"A component"', f'"A component", template: {TEMPLATE}')
    found = graph_from({"yg-config.yaml": config}).config
    assert template_of(found, "service") == {
        "responsibility.md": ("# Does", "### Does not"),
        "internals.md": ("## Data",),
    }
    assert template_of(found, "module") == template_of(found, "unknown") == {}
