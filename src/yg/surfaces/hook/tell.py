"""What the graph has to say: at the start, about a file, about an edit, and at the end."""

from __future__ import annotations

from contextlib import contextmanager
from hashlib import sha256
from typing import TYPE_CHECKING

from yg.commands.brief import NodeBlocks, blocks_of, blocks_text, brief_of, owners_of
from yg.commands.brief import text as brief_text
from yg.commands.overview import overview_of, stale_nodes
from yg.commands.overview import text as overview_text
from yg.kernel.palette import visible
from yg.surfaces.hook.memory import stamps
from yg.surfaces.hook.where import inside_root
from yg.text.suggest import listing
from yg.workspace.opening import open_for_reading
from yg.yggdrasil.places import FOLDER
from yg.yggdrasil.questions.brief import BriefKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.surfaces.hook.event import Event
    from yg.surfaces.hook.memory import Memory
    from yg.workspace.opened import OpenWorkspace
    from yg.yggdrasil.model import Node
    from yg.yggdrasil.questions.brief import BriefBlock

MOST = 8_000  # characters at once
MOST_AFTER_COMPACTION = 6_000
LEAST = 600  # characters that a brief needs
NOTES = "Notes about a file follow when it is read or changed."
GOES_ON = "The conversation was compacted; the task goes on."
KEPT = (BriefKind.STALE, BriefKind.RULE, BriefKind.EXCEPTION)  # what is said again
ANY_GRAPH = (".git/index", f"{FOLDER}/model", f"{FOLDER}/yg-config.yaml")


@contextmanager
def opened(root: str) -> Iterator[OpenWorkspace]:
    """Open a graph for reading, and keep in the index what was computed."""
    workspace = open_for_reading(root)
    try:
        yield workspace
        workspace.save()
    finally:
        workspace.close()


def overview(workspace: OpenWorkspace) -> str:
    """Return the overview, and what follows later; empty if it is switched off."""
    if not workspace.graph.config.hooks.overview:
        return ""
    from msgspec.structs import replace

    found = replace(overview_of(workspace), stale=stale_nodes(workspace))
    return f"{overview_text(found)}\n{NOTES}\n"


class Teller:
    """Says what a session needs to hear, and remembers it."""

    def __init__(self, workspace: OpenWorkspace, event: Event, memory: Memory) -> None:
        self._workspace = workspace
        self._event = event
        self._memory = memory
        self._settings = workspace.graph.config.hooks
        if not memory.head:
            from yg.disk.git.process import head_commit

            memory.head = head_commit(workspace.root)

    def start(self) -> str:
        """Say what the repository consists of."""
        self._memory.is_started = True
        return overview(self._workspace)

    def after_compaction(self, *, goes_on: bool) -> str:
        """Say the overview again, and the rules and stale marks of the nodes that were edited."""
        parts = [self.start()]
        blocks: dict[str, BriefBlock] = {}
        nodes = [node for path in self._memory.edited_nodes() if (node := self._node(path))]
        found = [self._blocks(node) for node in nodes]
        for entry in found:
            blocks |= {block.key: block for block in entry.blocks if block.kind in KEPT}
        room = MOST_AFTER_COMPACTION - len(parts[0]) - len(GOES_ON) - 2
        shown = _within([*blocks.values()], room)
        if shown:
            self._remember(shown)
            parts.append(blocks_text(shown, tuple(node.path for node in nodes)))
        if goes_on:
            parts.append(f"{GOES_ON}\n")
        return "\n".join(filter(None, parts))

    def touched(self) -> str:
        """Say what to know about the nodes of the touched files, each time only what is new."""
        files = [path for file in self._event.files if (path := inside_root(self._root, file))]
        owners = owners_of(self._workspace)
        owned: dict[str, list[str]] = {}
        for file in files:
            if file.startswith(f"{FOLDER}/"):
                continue
            owner = owners.get(file)
            if owner is None:
                self._memory.note_owner(file, "")
                self._memory.nodes[""] = stamps(self._root, ANY_GRAPH)
            else:
                owned.setdefault(owner.node, []).append(file)
        texts = [text for text in self._edits(owned)] if self._event.is_edit else []
        for path, those in owned.items():
            node = self._node(path)
            if node is not None:
                texts.append(self._about(node, those, MOST - sum(map(len, texts)), texts))
        return "\n".join(filter(None, texts))[:MOST]

    @property
    def _root(self) -> str:
        return self._workspace.root

    def _node(self, path: str) -> Node | None:
        return self._workspace.graph.nodes.get(path)

    def _blocks(self, node: Node) -> NodeBlocks:
        return blocks_of(self._workspace, node, MOST)

    def _about(self, node: Node, files: list[str], room: int, said: list[str]) -> str:
        """Say the brief of a node, or what has changed in it since it was given."""
        memory = self._memory
        found = self._blocks(node)
        is_known = node.path in memory.nodes
        new = tuple(block for block in found.blocks if self._is_new(block, is_known=is_known))
        if not is_known and (memory.briefs >= self._settings.briefs or room < LEAST):
            new = ()
            if room < LEAST:
                return ""
        self._note(node, files)
        if not new:
            return ""
        self._remember(new)
        if is_known:
            return blocks_text(new, (node.path,), "This has changed since it was given.")
        memory.briefs += 1
        known = [block.subject for block in found.blocks if block not in new]
        entry = NodeBlocks(found.node, new, found.left_out)
        owner = f"{visible(node.path)} owns {listing([*map(visible, files)], 3)}."
        rules = f"The rules given before apply: {listing(known)}." if known else ""
        head = "\n".join(filter(None, [owner, rules]))
        return f"{head}\n\n{brief_text(brief_of([entry], room - len(head) - 4))}"

    def _is_new(self, block: BriefBlock, *, is_known: bool) -> bool:
        """Return whether a block differs from what was given; own edits are no news."""
        if is_known and block.kind is BriefKind.STALE and block.node in self._memory.edited.values():
            return False
        return self._memory.blocks.get(block.key) != _digest(block.text)

    def _remember(self, blocks: tuple[BriefBlock, ...] | list[BriefBlock]) -> None:
        self._memory.blocks |= {block.key: _digest(block.text) for block in blocks}

    def _note(self, node: Node, files: list[str]) -> None:
        """Remember that there is nothing more to say about a node while its files are the same."""
        from yg.yggdrasil.package.assemble import assemble

        sources = assemble(self._workspace.graph, node).source_files
        watched = (*ANY_GRAPH, *sources, *files)
        self._memory.nodes[node.path] = stamps(self._root, watched)
        for file in files:
            self._memory.note_owner(file, node.path)

    def _edits(self, owned: dict[str, list[str]]) -> Iterator[str]:
        """Yield the sentences that edits have made doubtful."""
        from yg.surfaces.hook.doubts import doubts

        for path, files in owned.items():
            for file in files:
                self._memory.note_edit(file, path)
        yield from doubts(self._workspace, self._memory, owned)

    def stop(self) -> str:
        """Say what is left to do for the nodes that were edited; once."""
        if not self._settings.asks_at_stop:
            return ""
        from yg.surfaces.hook.doubts import open_ends

        nodes = dict.fromkeys((*self._memory.edited_nodes(), *self._memory.nodes_of_agents()))
        text = open_ends(self._workspace, self._memory.head, [*nodes])
        self._memory.has_stopped = bool(text)
        return text[:MOST]


def _within(blocks: list[BriefBlock], room: int) -> list[BriefBlock]:
    """Return the blocks that fit."""
    shown = []
    for block in blocks:
        room -= len(block.text) + len(block.node or "") + 40
        if room < 0:
            break
        shown.append(block)
    return shown


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
