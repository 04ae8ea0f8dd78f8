"""What the graph has to say about a file, about an edit, after a compaction, and at the end."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from yg_old.commands.brief import NodeBlocks, blocks_of, brief_of, owners_of
from yg_old.commands.brief import text as brief_text
from yg_old.kernel.palette import visible
from yg_old.surfaces.hook.at_start import OldSources
from yg_old.surfaces.hook.memory import stamps
from yg_old.surfaces.hook.quotes import QuotedParts
from yg_old.surfaces.hook.sentences import doubts_text, parts_of, quoted
from yg_old.surfaces.hook.start import remember_head, start
from yg_old.surfaces.hook.watched import ANY_GRAPH, files_about
from yg_old.surfaces.hook.where import inside_root
from yg_old.text.suggest import listing
from yg_old.yggdrasil.places import FOLDER
from yg_old.yggdrasil.questions.brief import BriefKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yg_old.commands.review.documents import SentenceToCheck
    from yg_old.surfaces.hook.event import Event
    from yg_old.surfaces.hook.memory import Memory
    from yg_old.workspace.opened import OpenWorkspace
    from yg_old.yggdrasil.model import Node
    from yg_old.yggdrasil.questions.brief import BriefBlock

MOST = 8_000  # characters at once
MOST_AFTER_COMPACTION = 6_000
LEAST = 600  # characters that a brief needs
CHANGED = "This has changed since it was given:"
GOES_ON = "The conversation was compacted; the task goes on."
KEPT = (BriefKind.STALE, BriefKind.RULE, BriefKind.EXCEPTION)  # what is said again


class Teller:
    """Says what a session needs to hear, and remembers it."""

    def __init__(self, workspace: OpenWorkspace, event: Event, memory: Memory) -> None:
        self._workspace = workspace
        self._event = event
        self._memory = memory
        self._settings = workspace.graph.config.hooks
        remember_head(workspace, memory)
        self._old = OldSources(workspace, memory.head)
        self._quotes = QuotedParts(workspace, self._old)

    def after_compaction(self, *, goes_on: bool) -> str:
        """Say the overview again, and the rules and stale marks of the nodes that were edited."""
        again = start(self._workspace, self._memory)
        nodes = [node for path in self._memory.edited_nodes() if (node := self._node(path))]
        room = MOST_AFTER_COMPACTION - len(again) - len(GOES_ON) - 3
        parts = [again, self._kept(nodes, room), f"{GOES_ON}\n" if goes_on else ""]
        return "\n".join(filter(None, parts))

    def _kept(self, nodes: list[Node], room: int) -> str:
        """Return the rules and stale marks of nodes, as far as there is room."""
        every = ((node, self._blocks(node).blocks) for node in nodes)
        kept = ((node, [block for block in blocks if block.kind in KEPT]) for node, blocks in every)
        found = [NodeBlocks(node.path, tuple(blocks), ()) for node, blocks in kept if blocks]
        brief = brief_of(found, room)
        shown = {block.key for block in brief.blocks}
        self._remember([block for each in found for block in each.blocks if block.key in shown])
        return brief_text(brief)

    def touched(self, room: int = MOST) -> str:
        """Say what to know about the nodes of the touched files, each time only what is new."""
        owned = self._owned()
        sentences = self._doubtful(owned) if self._event.is_edit else {}
        texts: list[str] = []
        for path, files in owned.items():
            node = self._node(path)
            if node is None:
                continue
            found = sentences.get(path, [])
            watched = files_about(self._workspace, node)
            if self._is_given(path, files):
                about = stale = ""
                self._memory.note_stamp(files[0], self._root)
            else:
                left = room - len(doubts_text(path, found, room))
                about, stale = self._about(node, files, watched, left)
            self._quotes.note(self._memory, node, files, watched)
            new = [sentence for sentence in found if quoted(sentence) not in stale]
            doubtful = doubts_text(path, new, room - len(about))
            if doubtful or not new:
                self._memory.note_doubts(parts_of(path, found))
            for text in filter(None, (doubtful, about)):
                texts.append(text)
                room -= len(text) + 1
        return "\n".join(texts)

    def _is_given(self, path: str, files: list[str]) -> bool:
        """Return whether an edit of a file leaves the brief of its node as it was given."""
        file, memory = files[0], self._memory
        is_own = self._event.is_edit and len(files) == 1 and memory.owners.get(file) == path
        return is_own and memory.knows_node(file, self._root)

    def _owned(self) -> dict[str, list[str]]:
        """Return the touched files by the nodes that own them."""
        memory, owners = self._memory, owners_of(self._workspace)
        owned: dict[str, list[str]] = {}
        for file in filter(None, (inside_root(self._root, file) for file in self._event.files)):
            if file.startswith(f"{FOLDER}/"):
                continue
            owner = owners.get(file)
            if owner is None:
                memory.note_owner(file, "")
                memory.nodes[""] = stamps(self._root, ANY_GRAPH)
            else:
                owned.setdefault(owner.node, []).append(file)
                if self._event.is_edit:
                    memory.note_edit(file, owner.node)
        return owned

    def _doubtful(self, owned: dict[str, list[str]]) -> dict[str, list[SentenceToCheck]]:
        from yg_old.surfaces.hook.doubts import new_doubts

        return new_doubts(self._workspace, self._memory, self._old, owned)

    @property
    def _root(self) -> str:
        return self._workspace.root

    def _node(self, path: str) -> Node | None:
        return self._workspace.graph.nodes.get(path)

    def _blocks(self, node: Node) -> NodeBlocks:
        return blocks_of(self._workspace, node, MOST)

    def _about(
        self, node: Node, files: list[str], watched: tuple[str, ...], room: int
    ) -> tuple[str, str]:
        """Return the brief of a node, or what has changed in it, and what it says to be stale."""
        memory = self._memory
        if room < LEAST:
            return "", ""  # the next time
        is_given = node.path in memory.given
        found = self._blocks(node)
        self._note(node, files, watched)
        new = tuple(block for block in found.blocks if self._is_new(block, is_given=is_given))
        if not new or (not is_given and memory.briefs >= self._settings.briefs):
            return "", ""
        self._remember(new)
        stale = "".join(block.text for block in new if block.kind is BriefKind.STALE)
        if is_given:
            return _changed(NodeBlocks(node.path, new, ()), room), stale
        memory.briefs += 1
        memory.given.append(node.path)
        return self._brief(found, new, files, room), stale

    def _brief(
        self, found: NodeBlocks, new: tuple[BriefBlock, ...], files: list[str], room: int
    ) -> str:
        """Write a brief; of rules that were given with another node only the names."""
        rules_of = (block for block in found.blocks if block.kind is BriefKind.RULE)
        known = [visible(block.subject) for block in rules_of if block not in new]
        owner = f"{visible(found.node)} owns {listing([*map(visible, files)], 3)}."
        rules = f"Rules given before that apply here too: {listing(known)}." if known else ""
        head = "\n".join(filter(None, [owner, rules]))
        entry = NodeBlocks(found.node, new, found.left_out)
        return f"{head}\n\n{brief_text(brief_of([entry], room - len(head) - 4))}"

    def _is_new(self, block: BriefBlock, *, is_given: bool) -> bool:
        """Return whether a block differs from what was given; own edits are no news."""
        is_own = block.node in self._memory.edited.values()
        if is_given and block.kind is BriefKind.STALE and is_own:
            return False
        return self._memory.blocks.get(block.key) != _digest(block.text)

    def _remember(self, blocks: Iterable[BriefBlock]) -> None:
        self._memory.blocks |= {block.key: _digest(block.text) for block in blocks}

    def _note(self, node: Node, files: list[str], watched: tuple[str, ...]) -> None:
        """Remember that there is nothing more to say about a node while its files are the same."""
        self._memory.nodes[node.path] = stamps(self._root, (*watched, *files))
        for file in files:
            self._memory.note_owner(file, node.path)

    def stop(self) -> str:
        """Say what is left to do for the nodes that were edited; once."""
        if not self._settings.asks_at_stop:
            return ""
        from yg_old.surfaces.hook.doubts import open_ends

        edited: dict[str, list[str]] = {}
        for file, node in self._memory.edited_by_all().items():
            edited.setdefault(node, []).append(file)
        text = open_ends(self._workspace, self._memory.head, edited, MOST)
        self._memory.has_stopped = bool(text)
        return text


def _changed(found: NodeBlocks, room: int) -> str:
    """Write the blocks of a brief that differ from those that were given."""
    return f"{CHANGED}\n\n{brief_text(brief_of([found], room - len(CHANGED) - 4))}"


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
