"""Makes a synthetic Spec Graph of any size in one of four shapes: same arguments, same bytes.

    python benchmarks/generate_specgraph.py OUT --shape layers --nodes 10000

- `flat`: behaviors in features of a hundred, each with a few links, no layers.
- `layers`: the same, and every feature stands on the first of five chained layers; each layer holds
  a decision of every category and is constrained by two policies.
- `crowded`: as `layers`, but a fifth of all nodes are decisions inside the layers, so that every
  context is far over budget.
- `chain`: behaviors that depend on one another in one line.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

CATEGORIES = ("architecture", "stack", "pattern", "interface")
LAYERS, MEMBERS = 5, 100
Nodes = dict[str, dict[str, Any]]


def behavior(at: int, **links: list[str]) -> dict[str, Any]:
    return {
        "type": "behavior",
        "title": f"Behavior number {at}",
        "expectation": f"The system does what number {at} asks for, within a second, every time.",
        "constraints": ["It works without a network.", "It leaves a trace in the journal."],
        "verification": f"pytest tests/test_{at}.py",
        "links": links,
    }


def decision(name: str, category: str) -> dict[str, Any]:
    return {
        "type": "decision",
        "category": category,
        "title": f"Decision {name}",
        "statement": f"Whatever {name} touches is done in one way and in no other.",
        "verification": [f"pytest tests/test_{name.lower().replace('-', '_')}.py"],
        "metadata": {"rationale": "Two ways would have to be kept in step."},
    }


def policy(name: str, *constrains: str) -> dict[str, Any]:
    return {
        "type": "policy",
        "severity": "hard",
        "title": f"Policy {name}",
        "statement": f"Nothing that {name} covers takes longer than a second.",
        "verification": [{"kind": "command", "command": "make bench", "timeoutSeconds": 60}],
        "links": {"constrains": list(constrains)},
    }


def group(kind: str, name: str, **links: list[str]) -> dict[str, Any]:
    title, description = f"The {kind} {name}", f"All that belongs to {name}"
    return {"type": kind, "title": title, "description": description, "links": links}


def flat(count: int, ground: list[str]) -> Nodes:
    """Make behaviors that depend on the one before, in features that depend on `ground`."""
    nodes: Nodes = {}
    for at in range(count):
        before = [f"B-{at - 1:06d}"] if at % MEMBERS else []
        nodes[f"B-{at:06d}"] = behavior(at, depends_on=before)
    ids = list(nodes)
    for start in range(0, count, MEMBERS):
        name = f"F-{start // MEMBERS:04d}"
        members = ids[start : start + MEMBERS]
        nodes[name] = group("feature", name, contains=members, depends_on=ground)
        nodes[f"POL-{name}"] = policy(name, name)
    return nodes


def layered(count: int, decisions: int) -> Nodes:
    """Make the same on five chained layers, each with so many decisions."""
    nodes = flat(count, ["LAYER-0"])
    for at in range(LAYERS):
        name = f"LAYER-{at}"
        inside = [f"DEC-{at}-{number:04d}" for number in range(decisions)]
        below = [f"LAYER-{at + 1}"] if at + 1 < LAYERS else []
        nodes[name] = group("layer", name, contains=inside, depends_on=below)
        for each, member in enumerate(inside):
            nodes[member] = decision(member, CATEGORIES[each % len(CATEGORIES)])
        for number in range(2):
            nodes[f"POL-{name}-{number}"] = policy(f"{name}-{number}", name)
    return nodes


def chain(count: int) -> Nodes:
    """Make one line of behaviors, each depending on the next."""
    return {
        f"B-{at:06d}": behavior(at, depends_on=[f"B-{at + 1:06d}"] if at + 1 < count else [])
        for at in range(count)
    }


def nodes_of(shape: str, count: int) -> Nodes:
    match shape:
        case "flat":
            return flat(count, [])
        case "layers":
            return layered(count, len(CATEGORIES))
        case "crowded":
            return layered(count - count // 5, count // 5 // LAYERS)
        case _:
            return chain(count)


def generate(root: Path, shape: str, count: int) -> None:
    """Write a repository with one graph."""
    folder = root / "specgraph"
    references = []
    for name, node in sorted(nodes_of(shape, count).items()):
        path = f"nodes/{node['type']}/{name}.json"
        references.append({"id": name, "path": path, "expectedType": node["type"]})
        write(folder / path, {"id": name, **node})
    write(folder / "graph.json", {"specgraphVersion": "1.0.0", "nodes": references})


def write(file: Path, data: dict[str, Any]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8", newline="\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--shape", choices=("flat", "layers", "crowded", "chain"), default="flat")
    parser.add_argument("--nodes", type=int, default=1000)
    args = parser.parse_args()
    if args.out.exists() and any(args.out.iterdir()):
        sys.exit(f"{args.out} is not empty")
    generate(args.out, args.shape, args.nodes)


if __name__ == "__main__":
    main()
