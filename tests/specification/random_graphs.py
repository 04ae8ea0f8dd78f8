"""Random graphs as dicts of texts: sound ones, and ones with every kind of fault."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import yaml

Files = dict[str, str]

NODES = (".", "a", "a/b", "a/b/c", "a-b", "d", "d/e/f", "d/g", "ä", "h")
ASPECTS = ("x", "y", "y/z", "w", "v-1")
FLOWS = ("f", "g", "f/h")
ARTIFACTS = ("responsibility.md", "interface.md", "internals.md", "api.txt")
WORDS = (
    "a",
    "b c",
    "ä & ö",
    'say "so"',
    "<tag>",
    "😀",
    "long " * 12 + "name",
    "it's",
    "x: y",
    "#1",
)
LINES = ("A line.", "ä ö 😀", "", "### heading", "</aspect>", "  indented", "x" * 40, "tab\there")
STRUCTURAL = ("uses", "calls", "extends", "implements")
EVENTS = ("emits", "listens")
TIERS = ("schema", "protocol", "implementation")


def random_graph(seed: int, *, faults: bool = False) -> Files:
    """Return the files of a graph; without faults, packages of all its nodes can be assembled."""
    return _Maker(Random(seed), faults=faults).files()  # noqa: S311


class _Maker:
    """Makes one graph."""

    def __init__(self, random: Random, *, faults: bool) -> None:
        self.random = random
        self.has_faults = faults
        self.nodes = self.some(NODES, 2, 8)
        self.aspects = self.some(ASPECTS, 0, 5)
        self.flows = self.some(FLOWS, 0, 3)

    def some(self, values: tuple[str, ...] | list[str], least: int, most: int) -> list[str]:
        """Return some values in any order."""
        most = min(most, len(values))
        return self.random.sample(values, self.random.randint(min(least, most), most))

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def fault(self, share: float = 0.06) -> bool:
        """Return whether to make a fault now; never in a sound graph."""
        return self.has_faults and self.chance(share)

    def word(self) -> str:
        return self.random.choice(WORDS)

    def words(self) -> list[str]:
        return self.some(WORDS, 0, 2)

    def text(self) -> str:
        """Return a text with any end of lines, and any number of them at its end."""
        end = self.random.choice(("\n", "\n", "\r\n"))
        lines = [self.random.choice(LINES) for _ in range(self.random.randint(0, 6))]
        return end.join(lines) + end * self.random.choice((0, 1, 1, 1, 3))

    def written(self, value: dict[str, Any]) -> str:
        """Write YAML in one of several ways."""
        value = {key: content for key, content in value.items() if content not in ([], "", None)}
        if self.fault(0.02):
            return self.random.choice(("name: [x\n", "- a\n", "", "type: service\n", "name: 1\n"))
        if self.chance(0.3):
            return json.dumps(value, ensure_ascii=False) + "\n"
        return str(yaml.safe_dump(value, allow_unicode=True, sort_keys=self.chance(0.5)))

    def ids(self, known: list[str], missing: str = "missing") -> list[str]:
        """Return some ids, in a graph with faults maybe one that does not exist."""
        return [*self.some(known, 0, 3), *([missing] if self.fault() else [])]

    def files(self) -> Files:
        files = {"yg-config.yaml": self.written_config()}
        for kind in ("node", "aspect", "flow"):
            if not self.fault():
                files[f"schemas/yg-{kind}.yaml"] = ""
        for number, path in enumerate(self.nodes):
            folder = "model" if path == "." else f"model/{path}"
            files |= {f"{folder}/{name}": self.text() for name in self.some(ARTIFACTS, 0, 4)}
            files |= {f"{folder}/notes.md": self.text()} if self.chance(0.2) else {}
            if not self.fault(0.05):
                files[f"{folder}/yg-node.yaml"] = self.written(self.node(number))
        for number, path in enumerate(self.aspects):
            files |= self.part(f"aspects/{path}", "yg-aspect.yaml", self.aspect(number))
        if self.fault(0.3):
            files |= self.part("aspects/X", "yg-aspect.yaml", {"name": "X"})
        for path in self.flows:
            files |= self.part(f"flows/{path}", "yg-flow.yaml", self.flow())
        for path in ("src/a.py", "src/low/b.py", "src/low/c.py", "lib/d.py", "e.py"):
            files |= {path: "code\n"} if self.chance(0.8) else {}
        return files

    def written_config(self) -> str:
        """Write the configuration; its faults are such that the rest of it is still known."""
        required = ["missing"] if self.fault() else self.some(self.aspects, 0, 1)
        conditions = ["has_incoming_relations", "has_outgoing_relations"]
        conditions += [f"has_aspect:{name}" for name in self.some(self.aspects, 0, 3)]
        conditions += ["has_aspect:missing"] if self.fault(0.3) else []
        artifacts = {
            name: {
                "required": self.random.choice(
                    ["always", "never", {"when": self.random.choice(conditions)}]
                ),
                "included_in_relations": self.chance(0.4),
            }
            for name in self.some(ARTIFACTS, 1, 4)
        }
        warning = self.random.choice((20, 60, 150))
        config: dict[str, Any] = {
            "name": self.word(),
            "node_types": {
                "module": {"description": "M"},
                "service": {"description": "S", "required_aspects": required},
            },
            "artifacts": artifacts,
            "quality": {
                "min_artifact_length": self.random.choice((0, 10, 50)),
                "max_direct_relations": self.random.choice((1, 2, 10)),
                "context_budget": {"warning": warning, "error": warning * 2},
            },
        }
        return str(yaml.safe_dump(config, allow_unicode=True, sort_keys=False))

    def part(self, folder: str, file: str, value: dict[str, Any]) -> Files:
        """Return an aspect or a flow with its texts."""
        names = ("description.md", "content.md", "b.txt", "B.txt", ".hidden")
        files = {f"{folder}/{name}": self.text() for name in self.some(names, 0, 4)}
        return files if self.fault(0.04) else {f"{folder}/{file}": self.written(value), **files}

    def aspect(self, number: int) -> dict[str, Any]:
        after = self.aspects if self.fault(0.2) else self.aspects[number + 1 :]
        return {
            "name": self.word(),
            "description": self.word() if self.chance(0.5) else "",
            "implies": self.ids(after),
            "stability": self.random.choice(TIERS) if self.chance(0.4) else None,
        }

    def flow(self) -> dict[str, Any]:
        return {
            "name": self.word(),
            "description": self.word() if self.chance(0.2) else "",
            "nodes": [*self.some(self.nodes, 1, 3), *(["missing"] if self.fault() else [])],
            "aspects": self.ids(self.aspects),
        }

    def node(self, number: int) -> dict[str, Any]:
        return {
            "name": self.word(),
            "type": "gadget" if self.fault(0.04) else self.random.choice(("module", "service")),
            "description": self.word() if self.chance(0.2) else "",
            "blackbox": self.chance(0.2),
            "aspects": [self.use(name) for name in self.ids(self.aspects)],
            "relations": self.relations(number),
            "mapping": self.mapping(number),
        }

    def use(self, name: str) -> dict[str, Any]:
        exceptions = ["Not here", "Nor there"] if self.chance(0.3) else []
        if self.fault(0.02):
            exceptions = [""]
        return {"aspect": name, **({"exceptions": exceptions} if exceptions else {})}

    def relations(self, number: int) -> list[dict[str, Any]]:
        """Return relations; without faults, structural ones lead to nodes further on."""
        after = self.nodes if self.fault(0.3) else self.nodes[number + 1 :]
        others = [path for path in self.nodes if path != self.nodes[number]]
        found = []
        for target in self.ids(after):
            kind = "needs" if self.fault(0.02) else self.random.choice(STRUCTURAL)
            found.append(self.relation(target, kind))
        found += [self.relation(path, self.random.choice(EVENTS)) for path in self.ids(others)[:2]]
        self.random.shuffle(found)
        return found

    def relation(self, target: str, kind: str) -> dict[str, Any]:
        relation: dict[str, Any] = {"target": target, "type": kind}
        if self.chance(0.4):
            relation["consumes"] = self.words()
        if self.chance(0.3):
            relation["failure"] = self.word()
        if kind in EVENTS and self.chance(0.4):
            relation["event_name"] = self.random.choice(("Done", "Placed"))
        return relation

    def mapping(self, number: int) -> dict[str, Any] | None:
        if self.chance(0.5):
            return None
        if self.fault(0.5):
            paths = self.some(("src", "src/low", "src/a.py", "lib", "src/low/b.py", "./lib/"), 1, 2)
            return {"paths": [] if self.fault() else paths}
        return {"paths": [f"own{number}/a.py", *self.some((f"own{number}/low",), 0, 1)]}
