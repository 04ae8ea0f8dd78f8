"""Makes a synthetic repository with a graph of any size: same arguments, same bytes.

    python benchmarks/generate.py OUT --nodes 1000 [--implied 1000]

Nodes stand in a tree four levels deep; structural relations lead only to nodes with a lower
number, so there are no cycles; events are declared on both sides; every mapping exists. The graph
validates without errors or warnings. With `--implied`, so many aspects more imply one another in a
chain, and every node declares the first of them. A JSON line tells which nodes are worth asking
about.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
from pathlib import Path

WORDS = (
    "account archive batch cache carrier charge claim client cluster contract counter customer "
    "delivery device draft entry event feed filter gateway index invoice journal ledger limit "
    "message monitor offer order parcel payment period plan policy price product profile queue "
    "quota receipt record refund region report request reserve result route sample schedule "
    "schema segment session shipment signal source stock stream supplier tariff tenant ticket "
    "token transfer update usage voucher window worker zone"
).split()
CONFIG = """\
version: "2.2.0"
name: synthetic
node_types:
  module: {description: "A domain"}
  service: {description: "A component of a domain"}
artifacts:
  responsibility.md: {required: always, description: "What it does", included_in_relations: true}
  interface.md:
    required: {when: has_incoming_relations}
    description: "What others may rely on"
    included_in_relations: true
  internals.md: {required: never, description: "How it works"}
quality:
  max_direct_relations: 12
  context_budget: {warning: 20000, error: 40000}
"""
SECTIONS = (
    "## Business context\n\n{}\n## Trigger\n\n{}\n## Goal\n\n{}\n## Participants\n\n{}\n"
    "## Paths\n\n### Happy path\n\n{}\n## Invariants across all paths\n\n{}"
)
KINDS = ("uses", "calls", "extends", "implements")
ASPECTS, FLOWS, FAN_OUT, BRANCHES = 20, 20, 3, 10


class Repository:
    """Writes the files of one synthetic repository."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root = root
        self.random = random.Random(seed)

    def write(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")

    def prose(self, length: int = 600) -> str:
        lines, size = [], 0
        while size < length:
            words = self.random.choices(WORDS, k=self.random.randint(8, 14))
            lines.append(" ".join(words).capitalize() + ".")
            size += len(lines[-1]) + 1
        return "\n".join(lines) + "\n"


def node_paths(count: int) -> list[str]:
    """Name nodes level by level, up to four levels deep."""
    paths: list[str] = []
    parents = [""]
    for level in range(4):
        room = count - len(paths)
        size = room if level == 3 else min(room, BRANCHES ** (level + 1))
        new = [f"{parents[at % len(parents)]}n{len(paths) + at:06d}" for at in range(size)]
        paths += new
        parents = [f"{path}/" for path in new] or parents
    return paths


def relations_of(repository: Repository, at: int, paths: list[str]) -> list[str]:
    """Relate a node to a few with lower numbers, early ones more often."""
    chosen = {int(at * repository.random.random() ** 2) for _ in range(FAN_OUT)} if at else set()
    own = paths[at]
    targets = [paths[entry] for entry in sorted(chosen) if not own.startswith(f"{paths[entry]}/")]
    return [
        f"  - target: {target}\n    type: {repository.random.choice(KINDS)}\n"
        f"    consumes: [{', '.join(repository.random.sample(WORDS, 2))}]\n"
        for target in targets
    ]


def generate(root: Path, count: int, seed: int = 1, chained: int = 0) -> dict[str, str]:
    """Write a repository and return what is worth asking about."""
    repository = Repository(root, seed)
    rng = repository.random
    budget = CONFIG.replace("20000", str(20000 + 100 * chained))
    repository.write(
        ".yggdrasil/yg-config.yaml", budget.replace("40000", f"{40000 + 200 * chained}")
    )
    for at in range(chained):
        folder = f".yggdrasil/aspects/implied{at:04d}"
        following = f"implies: [implied{at + 1:04d}]\n" if at + 1 < chained else ""
        repository.write(f"{folder}/yg-aspect.yaml", f"name: Implied {at}\n{following}")
        repository.write(f"{folder}/content.md", repository.prose(200))
    for kind in ("node", "aspect", "flow"):
        repository.write(f".yggdrasil/schemas/yg-{kind}.yaml", f"# the shape of a {kind}\n")
    for at in range(ASPECTS):
        implied = f"implies: [aspect{at - 1:03d}]\n" if at % 5 == 4 else ""
        folder = f".yggdrasil/aspects/aspect{at:03d}"
        repository.write(f"{folder}/yg-aspect.yaml", f"name: Aspect {at}\n{implied}")
        repository.write(f"{folder}/content.md", repository.prose())
    paths = node_paths(count)
    relations = {path: relations_of(repository, at, paths) for at, path in enumerate(paths)}
    for at in range(count // 20):
        source, target = rng.sample(paths, 2)
        if max(len(relations[source]), len(relations[target])) > 10:
            continue
        event = f"    event_name: Event{at}\n"
        relations[source].append(f"  - target: {target}\n    type: emits\n{event}")
        relations[target].append(f"  - target: {source}\n    type: listens\n{event}")
    for path in paths:
        write_node(repository, path, relations[path], ["implied0000"] if chained else [])
    for at in range(FLOWS):
        members = rng.sample(paths, min(count, 5))
        nodes = "".join(f"  - {path}\n" for path in members)
        folder = f".yggdrasil/flows/flow{at:03d}"
        aspects = f"aspects: [aspect{at:03d}]\n" if at % 3 == 0 else ""
        repository.write(f"{folder}/yg-flow.yaml", f"name: Flow {at}\nnodes:\n{nodes}{aspects}")
        parts = [repository.prose(200) for _ in range(6)]
        parts[3] = "".join(f"- `{path}`: {repository.prose(40)}" for path in members)
        repository.write(f"{folder}/description.md", SECTIONS.format(*parts))
    top = max(paths, key=lambda path: (path.count("/"), len(relations[path]), path))
    return {
        "top": top,
        "hub": paths[0],
        "file": f"src/{top}/file0.py",
        "part": f"run_{paths[0]}",
    }


def write_node(
    repository: Repository, path: str, relations: list[str], implying: list[str]
) -> None:
    """Write one node, its artifacts, and the two files it is mapped to."""
    name = path.rpartition("/")[2]
    aspects = repository.random.sample(range(ASPECTS), repository.random.choice((0, 0, 1, 1, 2)))
    lines = [f"name: {name.upper()}\ntype: service\n"]
    names = [*(f"aspect{aspect:03d}" for aspect in aspects), *implying]
    if names:
        lines.append("aspects:\n" + "".join(f"  - aspect: {name}\n" for name in names))
    if relations:
        lines.append("relations:\n" + "".join(relations))
    files = [f"src/{path}/file{at}.py" for at in range(2)]
    lines.append("mapping:\n  paths:\n" + "".join(f"    - {file}\n" for file in files))
    folder = f".yggdrasil/model/{path}"
    repository.write(f"{folder}/yg-node.yaml", "".join(lines))
    for artifact in ("responsibility", "interface", "internals"):
        repository.write(f"{folder}/{artifact}.md", f"# {name}\n\n{repository.prose()}")
    for file, code in zip(files, code_of(name, relations), strict=True):
        comment = "".join(f"# {line}\n" for line in repository.prose(800).splitlines())
        repository.write(file, f'"""{name}."""\n{comment}{code}')


def code_of(name: str, relations: list[str]) -> tuple[str, str]:
    """Return a function of a node, and one that calls those of the nodes that it is related to."""
    targets = dict.fromkeys(entry.split()[2] for entry in relations)
    imports = "".join(
        f"from {target.replace('/', '.')}.file0 import run_{target.rpartition('/')[2]}\n"
        for target in targets
    )
    calls = "".join(f"    run_{target.rpartition('/')[2]}(value)\n" for target in targets)
    return (
        f"def run_{name}(value: int) -> int:\n    return value\n",
        f"{imports}\n\ndef start_{name}(value: int) -> None:\n{calls or '    pass'}\n",
    )


def commit(root: Path) -> None:
    """Make the repository a git repository with one commit, packed before anything is measured."""
    identity = ("-c", "user.name=benchmark", "-c", "user.email=benchmark@example.invalid")
    first = [*identity, "-c", "gc.auto=0", "commit", "-q", "-m", "Generate"]
    for arguments in (["init", "-q"], ["add", "-A"], first, ["gc", "-q"]):
        subprocess.run(["git", "-C", str(root), *arguments], check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--nodes", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--implied", type=int, default=0)
    args = parser.parse_args()
    if args.out.exists() and any(args.out.iterdir()):
        sys.exit(f"{args.out} is not empty")
    facts = generate(args.out, args.nodes, args.seed, args.implied)
    commit(args.out)
    print(json.dumps(facts))


if __name__ == "__main__":
    main()
