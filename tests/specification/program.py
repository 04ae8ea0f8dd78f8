"""The program, run in repositories that are given as dicts."""

from __future__ import annotations

import json
import re
from itertools import takewhile
from pathlib import Path
from typing import Any

from graphs import placed
from specification.graphs import Files
from yg.surfaces.cli.main import Outcome, answer


class Program:
    """The command line, in a folder that holds one repository at a time."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._files: Files = {}

    def place(self, files: Files) -> Path:
        """Return the folder of a repository, in which only what differs is written."""
        for path in self._files.keys() - files.keys():
            file = self._file(path)
            file.unlink()
            for parent in takewhile(self._is_left_over, file.parents):
                parent.rmdir()
        for path, content in files.items():
            if self._files.get(path) != content:
                file = self._file(path)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(content if isinstance(content, bytes) else content.encode())
        self._files = dict(files)
        return self._root

    def _file(self, path: str) -> Path:
        return self._root / placed(path)

    def _is_left_over(self, folder: Path) -> bool:
        return folder != self._root and not any(folder.iterdir())

    def __call__(self, files: Files, command: str, *words: str) -> Outcome:
        """Run a command."""
        return answer([command, "-C", str(self.place(files)), "--no-cache", *words])

    def text(self, files: Files, command: str, *words: str) -> str:
        """Return what a command that succeeds prints."""
        outcome = self(files, command, *words)
        assert outcome.code == 0, outcome
        return outcome.text

    def json(self, files: Files, command: str, *words: str) -> Any:
        """Return what a command prints as JSON."""
        return json.loads(self(files, command, *words, "--json").text)

    def refusal(self, files: Files, command: str, *words: str) -> str:
        """Return what a command that fails writes on standard error."""
        outcome = self(files, command, *words)
        assert (outcome.code, outcome.text) == (1, ""), outcome
        return outcome.notes

    def issues(self, files: Files) -> list[tuple[str, str]]:
        """Return code and subject of every issue, in the order of `yg validate`."""
        found = self.json(files, "validate")["issues"]
        return [(issue["code"], issue["subject"]) for issue in found]

    def codes(self, files: Files, subject: str) -> list[str]:
        """Return the codes of the issues about a node, an aspect, a flow or the configuration."""
        return [code for code, about in self.issues(files) if about == subject]

    def message(self, files: Files, code: str) -> str:
        """Return the first message with a code, without its place."""
        lines = self(files, "validate").text.split("\n")
        start = next(at for at, line in enumerate(lines) if line.startswith(f"{code} "))
        end = next(at for at in range(start + 1, len(lines)) if not lines[at].startswith("  "))
        return "".join(f"{line}\n" for line in lines[start : end - 1])

    def package(self, files: Files, node: str) -> str:
        """Return the package of a node."""
        return self.text(files, "build-context", node)

    def blocks(self, files: Files, node: str, tag: str) -> list[str]:
        """Return the blocks of a package that have a tag."""
        found = re.compile(rf"^<{tag}(?: [^\n]*)?(?:/>|>\n.*?^</{tag}>)$", re.MULTILINE | re.DOTALL)
        return found.findall(self.package(files, node))

    def block(self, files: Files, node: str, tag: str, containing: str = "") -> str:
        """Return the only block with a tag whose opening tag contains a text."""
        blocks = self.blocks(files, node, tag)
        (found,) = [block for block in blocks if containing in block.split("\n", 1)[0]]
        return found

    def openings(self, files: Files, node: str, tag: str) -> list[str]:
        """Return the opening tags of the blocks with a tag."""
        return [block.split("\n", 1)[0] for block in self.blocks(files, node, tag)]

    def tracked(self, files: Files, node: str) -> list[str]:
        """Return the files of the graph that a package depends on, relative to `.yggdrasil/`."""
        (package,) = self.json(files, "build-context", node)["packages"]
        return [path.removeprefix(".yggdrasil/") for path in package["files"]]
