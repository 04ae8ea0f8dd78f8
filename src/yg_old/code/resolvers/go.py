"""Imports of Go: packages of the module, of modules beside it, and of local replacements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.code.resolvers.tree import ImportTarget
from yg_old.text import paths

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.code.facts import ImportFact
    from yg_old.code.resolvers.manifests import Manifests
    from yg_old.code.resolvers.tree import FileTree

MODULE_FILE = "go.mod"
WORKSPACE_FILE = "go.work"
LONGEST_IMPORT = 1_000  # characters


class GoModule(Struct, frozen=True):
    """What a go.mod file says."""

    name: str  # empty if it has none
    replaced: dict[str, str]  # folders of modules that local ones replace


class GoWorkspace(Struct, frozen=True):
    """What a go.work file says."""

    members: frozenset[str]  # folders
    modules: dict[str, str]  # folders of the members, and of local replacements


NO_WORKSPACE = GoWorkspace(frozenset(), {})


class GoResolver:
    """Resolves the imports of all Go files of a repository to folders."""

    def __init__(self, tree: FileTree, manifests: Manifests) -> None:
        self._tree = tree
        self._manifests = manifests
        self._modules: dict[str, GoModule] = {}  # by folder
        self._workspaces: dict[str, GoWorkspace] = {}  # by folder
        self._with_go = {paths.parent(file) for file in tree.files if file.endswith(".go")}

    def targets(self, file: str, fact: ImportFact) -> Iterator[ImportTarget]:
        """Yield the folder of the imported package."""
        folder = self._tree.above(file, MODULE_FILE)
        if folder is None or not 0 < len(fact.module) <= LONGEST_IMPORT:
            return
        module, workspace = self._module(folder), self._workspace(folder)
        for place in (fact.module, *reversed(paths.lineage(fact.module)[1:])):
            found = (
                folder
                if place == module.name
                else module.replaced.get(place) or workspace.modules.get(place)
            )
            if found is not None:
                below = fact.module[len(place) + 1 :]
                package = paths.join(found, below) if below else found
                if package in self._with_go and not self._is_in_other_module(package, found):
                    yield ImportTarget(package, is_folder=True)
                return

    def _is_in_other_module(self, folder: str, module: str) -> bool:
        """Return whether there is another module between a folder and the folder of its module."""
        nearest = self._tree.above(paths.join(folder, MODULE_FILE), MODULE_FILE)
        return nearest not in (None, module) and paths.is_inside(nearest or "", module)

    def _module(self, folder: str) -> GoModule:
        if folder not in self._modules:
            directives = list(_directives(self._manifests.text(paths.join(folder, MODULE_FILE))))
            names = [words[1] for words in directives if words[0] == "module" and len(words) > 1]
            name = names[-1] if names else ""
            self._modules[folder] = GoModule(name, _replaced(folder, directives))
        return self._modules[folder]

    def _workspace(self, folder: str) -> GoWorkspace:
        """Return the workspace that a module is a member of."""
        around = self._tree.above(paths.join(folder, MODULE_FILE), WORKSPACE_FILE)
        if around is None:
            return NO_WORKSPACE
        if around not in self._workspaces:
            self._workspaces[around] = self._read_workspace(around)
        found = self._workspaces[around]
        return found if folder in found.members else NO_WORKSPACE

    def _read_workspace(self, folder: str) -> GoWorkspace:
        directives = list(_directives(self._manifests.text(paths.join(folder, WORKSPACE_FILE))))
        used = (words[1:2] for words in directives if words[0] == "use")
        places = (_local(folder, words, needs_dot=False) for words in used)
        members = dict.fromkeys(place for place in places if place is not None)
        modules = {name: place for place in members if (name := self._module(place).name)}
        return GoWorkspace(frozenset(members), {**_replaced(folder, directives), **modules})


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
