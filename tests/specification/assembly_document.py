"""The examples of the document "Context Assembly": a Spec Graph around one behavior."""

from __future__ import annotations

import json
from typing import Any

from specification.writing import Example, Files, Place


def spec_graph(*nodes: dict[str, Any]) -> Files:
    """Return a repository with a Spec Graph of these nodes."""
    listed = [{"id": node["id"], "path": f"nodes/{node['id']}.json"} for node in nodes]
    index = {"specgraphVersion": "1.0.0", "nodes": listed}
    texts = {f"nodes/{node['id']}.json": node for node in nodes}
    return {
        f"specgraph/{path}": json.dumps(value, indent=2) + "\n"
        for path, value in {"graph.json": index, **texts}.items()
    }


BEHAVIOR = {
    "id": "AUTH-01",
    "type": "behavior",
    "title": "Login Form Display",
    "expectation": "The page shows two fields and a button",
    "constraints": ["The second field hides what is typed"],
    "verification": "pytest tests/auth/test_login_form.py -k AUTH_01",
    "links": {"depends_on": ["DEC-AUTH-01"], "implements": ["DOM-USER-01"]},
}
PROVIDER = {
    "id": "DEC-AUTH-01",
    "type": "decision",
    "category": "architecture",
    "title": "One interface for providers",
    "statement": "Every sign-in passes through one interface.",
    "constraints": ["The interface has authenticate() and revoke()."],
    "verification": ["pytest tests/auth/test_provider.py"],
    "metadata": {
        "rationale": "Tests can replace the provider.",
        "rejected_alternatives": [
            {"title": "Calls from the page", "reason": "They bind every page to one provider"}
        ],
    },
    "links": {"depends_on": ["DEC-AUTH-02"]},
}
PRODUCT = {
    "id": "DEC-AUTH-02",
    "type": "decision",
    "category": "stack",
    "title": "The provider in production",
    "statement": "Clerk is the provider in production.",
    "constraints": ["Routes are protected by its middleware."],
    "verification": ["grep -q clerk package.json"],
    "metadata": {"rationale": "Nobody here wants to store passwords."},
}
USER = {
    "id": "DOM-USER-01",
    "type": "domain",
    "title": "User Account",
    "statement": "somebody who is registered and can sign in",
    "verification": ["pytest tests/domain"],
}
SPEED = {
    "id": "POL-PERF-01",
    "type": "policy",
    "severity": "hard",
    "title": "Page Load Budget",
    "statement": "Every page is visible within 1.5s on 4G.",
    "verification": [{"kind": "command", "command": "lighthouse", "timeoutSeconds": 60}],
    "links": {"constrains": ["AUTH-01"]},
}
FEATURE = {
    "id": "AUTH",
    "type": "feature",
    "title": "User Authentication",
    "description": "Signing in and out",
    "links": {"contains": ["AUTH-01"]},
}
LOGIN = spec_graph(BEHAVIOR, PROVIDER, PRODUCT, USER, SPEED)
CONTRACT = {**PRODUCT, "id": "DEC-AUTH-03", "category": "pattern"}
CHAIN = {**PRODUCT, "links": {"depends_on": ["DEC-AUTH-03"]}}
DEEP = spec_graph(BEHAVIOR, PROVIDER, CHAIN, CONTRACT, USER, SPEED)

# The document stops at the nodes that it needs; these have what its other sections speak of.
FEATURE_POLICY = {
    "id": "POL-AUDIT-01",
    "type": "policy",
    "severity": "soft",
    "title": "Traces",
    "statement": "Every sign-in leaves a trace.",
    "verification": ["pytest tests/audit"],
    "links": {"constrains": ["AUTH"]},
}
LAYER = {
    "id": "WEB",
    "type": "layer",
    "title": "Web pages",
    "description": "All that a browser shows",
    "links": {"contains": ["DEC-WEB-01"]},
}
LAYER_DECISION = {
    "id": "DEC-WEB-01",
    "type": "decision",
    "category": "pattern",
    "title": "Pages from the server",
    "statement": "The server writes every page.",
    "verification": ["pytest tests/web"],
    "metadata": {"rationale": "It works without scripts."},
}
GUIDED = spec_graph(
    BEHAVIOR,
    PROVIDER,
    PRODUCT,
    USER,
    SPEED,
    {**FEATURE, "links": {"contains": ["AUTH-01"], "depends_on": ["WEB"]}},
    FEATURE_POLICY,
    LAYER,
    LAYER_DECISION,
)

GOLDENS = {
    "assembly-document": Place(LOGIN),
    "assembly-depth": Place(DEEP),
    "assembly-inverse": Place(GUIDED),
}
EXAMPLES = (
    Example(
        "How It Works",
        "what a behavior leads to",
        "assembly-document",
        differs="a table of reasons instead of a tree",
    ),
    Example("Context Depth", "depth 1, depth 2, full", "assembly-depth"),
    Example("Inverse Edges", "a policy that constrains a behavior", "assembly-inverse"),
    Example("Inverse Edges", "a group that contains a behavior", "assembly-inverse"),
    Example(
        "Context as a Document",
        "the whole document",
        "assembly-document",
        differs="a decision also has its rationale and what was rejected, which another section "
        "asks for; the checks of policies follow that of the behavior; lines are not wrapped",
    ),
)
