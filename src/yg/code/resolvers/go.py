"""Imports of Go: packages of the module, of modules beside it, and of local replacements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.code.resolvers.tree import ImportTarget
from yg.kernel import paths

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.code.facts import ImportFact
    from yg.code.resolvers.tree import FileTree, ReadText

MODULE_FILE = "go.mod"
WORKSPACE_FILE = "go.work"
LONGEST_IMPORT = 1_000  # characters


class GoResolver:
    """Resolves the imports of all Go files of a repository to folders."""

    def __init__(self, tree: FileTree, read: ReadText) -> None:
        self._tree = tree
        self._read = read
        self._modules: dict[str, dict[str, str]] = {}  # folders by import path, by folder of go.mod
        self._with_go = {paths.parent(file) for file in tree.files if file.endswith(".go")}

    def targets(self, file: str, fact: ImportFact) -> Iterator[ImportTarget]:
        """Yield the folder of the imported package."""
        if len(fact.module) > LONGEST_IMPORT:
            return
        module = self._tree.above(file, MODULE_FILE)
        known = {} if module is None else self._known(module)
        for place in (fact.module, *reversed(paths.lineage(fact.module)[1:])):
            if place in known:
                below = fact.module[len(place) + 1 :]
                folder = paths.join(known[place], below) if below else known[place]
                if folder in self._with_go and not self._is_in_other_module(folder, known[place]):
                    yield ImportTarget(folder, is_folder=True)
                return

    def _is_in_other_module(self, folder: str, module: str) -> bool:
        """Return whether there is another module between a folder and the folder of its module."""
        nearest = self._tree.above(paths.join(folder, MODULE_FILE), MODULE_FILE)
        return nearest not in (None, module) and paths.is_inside(nearest or "", module)

    def _known(self, folder: str) -> dict[str, str]:
        """Return the folders of the module in a folder and of those that it can import."""
        if folder not in self._modules:
            name, replaced = self._module(folder)
            found = {**self._workspace(folder), **replaced}
            self._modules[folder] = {**found, name: folder} if name else found
        return self._modules[folder]

    def _module(self, folder: str) -> tuple[str, dict[str, str]]:
        """Return the name of a module, and its local replacements."""
        directives = list(_directives(self._read(paths.join(folder, MODULE_FILE)) or ""))
        names = [words[1] for words in directives if words[0] == "module" and len(words) > 1]
        return names[-1] if names else "", _replaced(folder, directives)

    def _workspace(self, folder: str) -> dict[str, str]:
        """Return the modules of the workspace around a module, and its local replacements."""
        around = self._tree.above(paths.join(folder, MODULE_FILE), WORKSPACE_FILE)
        if around is None:
            return {}
        directives = list(_directives(self._read(paths.join(around, WORKSPACE_FILE)) or ""))
        used = [words[1:2] for words in directives if words[0] == "use"]
        places = (_local(around, words, needs_dot=False) for words in used)
        members = [place for place in places if place is not None]
        if folder not in members:
            return {}
        modules = {name: place for place in members if (name := self._module(place)[0])}
        return {**_replaced(around, directives), **modules}


def _replaced(folder: str, directives: list[list[str]]) -> dict[str, str]:
    """Return the folders of the modules that directives replace by local ones."""
    found = {}
    for words in directives:
        if words[0] == "replace" and "=>" in words:
            arrow = words.index("=>")
            place = _local(folder, words[arrow + 1 : arrow + 2])
            if place is not None and arrow > 1:
                found[words[1]] = place
    return found


def _local(folder: str, words: list[str], *, needs_dot: bool = True) -> str | None:
    """Return the folder that a relative path leads to; None if there is none in the repository."""
    if not words or (needs_dot and not words[0].startswith(("./", "../"))):
        return None
    return paths.normalise(paths.join(folder, words[0]))


def _directives(text: str) -> Iterator[list[str]]:
    """Yield the directives of a go.mod or go.work file, those of a block one by one."""
    block = ""
    for line in text.split("\n"):
        words = [word.strip('"`') for word in line.partition("//")[0].split()]
        if not words:
            continue
        if block:
            if words[0] == ")":
                block = ""
            else:
                yield [block, *words]
        elif words[1:] == ["("]:
            block = words[0]
        else:
            yield words
