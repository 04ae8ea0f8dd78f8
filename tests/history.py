"""A history of a graph and its code, made by a seed: edits, renames, deletions and mistakes."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path

from support import git, write
from yggdrasil.rules.cases import CONFIG, SCHEMAS

MODEL = ".yggdrasil/model"
LONG = "It does its part of the work, and says so in more than fifty characters.\n"


class History:
    """A repository that grows by one commit after the other; no name is used twice."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root = root
        self.renamed: dict[str, str] = {}  # names of nodes and files, by the last commit
        self._random = random.Random(seed)  # noqa: S311
        self._numbers = iter(range(10_000))
        self._nodes: dict[str, dict[str, object]] = {}  # by path
        write(root, {f".yggdrasil/{path}": "" for path in SCHEMAS})
        write(root, {".yggdrasil/yg-config.yaml": f"{CONFIG}code: {{imports: warning}}\n"})
        git(root, "init", "-q")
        for _ in range(12):
            self._add()
        self._commit()

    def step(self) -> None:
        """Make one commit with a few changes, at most one of which renames something."""
        self.renamed = {}
        changes: list[Callable[[], None]] = [
            self._add,
            self._delete_node,
            self._delete_source,
            self._edit_source,
            self._edit_text,
            self._misspell,
            self._relate,
            self._relate_to_nothing,
            self._import,
            self._add_unowned,
        ]
        for change in self._random.sample(changes, 2):
            change()
        if self._random.random() < 0.5:
            self._random.choice([self._rename_node, self._rename_source])()
        self._commit()

    def _commit(self) -> None:
        shutil.rmtree(self.root / MODEL, ignore_errors=True)
        for path, node in self._nodes.items():
            self._write_node(path, node)
        git(self.root, "add", "-A")
        git(self.root, "commit", "-q", "--allow-empty", "-m", "x")

    def _write_node(self, path: str, node: dict[str, object]) -> None:
        targets = node["relations"]
        assert isinstance(targets, list)
        lines = [f"name: {node['name']}", "type: service", *(["zzz: 1"] if node["odd"] else [])]
        lines += ["relations:"] if targets else []
        lines += [f"  - {{target: {target}, type: uses}}" for target in targets]
        lines += [f"mapping: {{paths: [{node['source']}]}}", ""]
        text = "Too short.\n" if node["short"] else f"{node['name']}. {LONG}"
        files = {"yg-node.yaml": "\n".join(lines), "responsibility.md": text}
        write(self.root, {f"{MODEL}/{path}/{name}": content for name, content in files.items()})

    def _new(self, start: str) -> str:
        return f"{start}{next(self._numbers)}x"

    def _group(self) -> str:
        return self._random.choice(["left", "right", "left/inner"])

    def _any(self) -> str:
        return self._random.choice(sorted(self._nodes))

    def _add(self) -> None:
        source = f"src/{self._new('file')}.py"
        body = "".join(f"def {self._new('part')}():\n    return {n}\n\n\n" for n in range(4))
        write(self.root, {source: body})
        self._nodes[f"{self._group()}/{self._new('node')}"] = {
            "name": self._new("Name"),
            "source": source,
            "relations": [],
            "odd": False,
            "short": False,
        }

    def _add_unowned(self) -> None:
        write(self.root, {f"other/{self._new('file')}.py": "A = 1\n"})

    def _delete_node(self) -> None:
        if len(self._nodes) > 6:
            del self._nodes[self._any()]  # its source has no owner now, and relations dangle

    def _delete_source(self) -> None:
        (self.root / str(self._nodes[self._any()]["source"])).unlink(missing_ok=True)

    def _edit_source(self) -> None:
        self._append(self._any(), f"\n\ndef {self._new('part')}():\n    return 1\n")

    def _append(self, node: str, text: str) -> None:
        file = self.root / str(self._nodes[node]["source"])
        if file.exists():
            file.write_text(file.read_text(encoding="utf-8") + text, encoding="utf-8")

    def _edit_text(self) -> None:
        node = self._nodes[self._any()]
        node["short"] = not node["short"]

    def _misspell(self) -> None:
        node = self._nodes[self._any()]
        node["odd"] = not node["odd"]

    def _relations(self, node: str) -> list[str]:
        found = self._nodes[node]["relations"]
        assert isinstance(found, list)
        return found

    def _relate(self) -> None:
        node, target = self._any(), self._any()
        if node != target and target not in self._relations(node):
            self._relations(node).append(target)

    def _relate_to_nothing(self) -> None:
        self._relations(self._any()).append(f"left/{self._new('gone')}")

    def _import(self) -> None:
        node, target = self._any(), self._any()
        module = Path(str(self._nodes[target]["source"])).stem
        if node != target:
            self._append(node, f"\nfrom {module} import {self._new('value')}\n")

    def _rename_node(self) -> None:
        """Rename a node with all relations to it, as `yg mv` does."""
        old = self._any()
        new = f"{self._group()}/{self._new('node')}"
        self._nodes[new] = self._nodes.pop(old)
        for node in self._nodes:
            targets = self._relations(node)
            targets[:] = [new if target == old else target for target in targets]
        self.renamed[old] = new

    def _rename_source(self) -> None:
        """Rename a source file with its mapping and the imports of it."""
        node = self._nodes[self._any()]
        old, new = str(node["source"]), f"src/{self._new('file')}.py"
        if not (self.root / old).exists():
            return
        (self.root / old).rename(self.root / new)
        node["source"] = new
        for file in (self.root / "src").iterdir():
            text = file.read_text(encoding="utf-8")
            file.write_text(text.replace(Path(old).stem, Path(new).stem), encoding="utf-8")
        self.renamed[old] = new
