"""Code blocks: what a package says about the public names in the code of nodes.

A block stands after the artifacts of a node, or after a dependency.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from yg_old.text.escapes import shell_word, visible
from yg_old.yggdrasil.block_kind import BlockKind, Role
from yg_old.yggdrasil.package.blocks import Block

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from yg_old.yggdrasil.package.blocks import ContextPackage

MOST = 20  # header lines of a block
INDENTATION = "  "


class CodeName(Struct, frozen=True):
    """A public name of the code."""

    path: str
    first: int  # line
    name: str

    @property
    def around(self) -> Iterator[str]:
        """The names that it may be a member of, the outermost first."""
        parts = self.name.split(".")
        return (".".join(parts[:end]) for end in range(1, len(parts)))


class CodeLine(Struct, frozen=True):
    """What is shown of a name."""

    last: int  # line
    header: str
    sentence: str = ""  # the first one of its documentation


class NodeNames(Struct, frozen=True):
    """Names of the code of a node that matter, the most important ones first."""

    wanted: tuple[CodeName, ...]
    public: tuple[CodeName, ...]  # all of them


def with_code(
    package: ContextPackage,
    own: Callable[[str], NodeNames],
    used: Callable[[str, str, Sequence[str]], NodeNames],
    describe: Callable[[CodeName], CodeLine],
) -> ContextPackage:
    """Add a block for the code of each node of a package, and for that of each dependency.

    `own` returns names of a node, `used` those of a dependency, for a node, the dependency, and the
    names under `consumes`. No name is shown twice, those of the nodes themselves come first.
    """
    shown: set[CodeName] = set()
    blocks: dict[int, Block] = {}
    for kind in (BlockKind.OWN, BlockKind.DEPENDENCY):
        for at, block in enumerate(package.parts):
            if block.kind is not kind or block.contract:
                continue
            nodes = block.nodes or package.node_ids
            if kind is BlockKind.OWN:
                names = own(block.subject)
            else:
                names = used(nodes[0], block.subject, block.consumes)
            lines, rest = _chosen(names, shown)
            if lines:
                shown.update(lines)
                blocks[at] = _block(block, names, lines, rest, describe)
    parts = (
        part for at, block in enumerate(package.parts) for part in (block, blocks.get(at)) if part
    )
    return replace(package, parts=tuple(parts)) if blocks else package


def _chosen(names: NodeNames, known: Collection[CodeName]) -> tuple[list[CodeName], int]:
    """Return the names to show with what they are members of, and how many there are besides."""
    public = {(name.path, name.name): name for name in names.public}
    wanted = [name for name in names.wanted if name not in known]
    found: dict[CodeName, None] = {}
    left = len(wanted)
    for name in wanted:
        around = (public.get((name.path, outer)) for outer in name.around)
        more = [one for one in (*around, name) if one is not None and one not in found]
        if len(found) + len(more) > MOST:
            break
        found.update(dict.fromkeys(more))
        left -= 1
    return list(found), left


def _grouped(lines: Sequence[CodeName]) -> list[CodeName]:
    """Return names in order; members follow what they are members of."""
    tops: dict[tuple[str, str], list[CodeName]] = {}
    for name in lines:
        tops.setdefault((name.path, name.name.partition(".")[0]), []).append(name)
    return [
        name
        for group in tops.values()
        for name in sorted(
            group, key=lambda name: (name.name.count(".") > 0, name.first, name.name)
        )
    ]


def _block(
    quoting: Block,
    names: NodeNames,
    lines: Sequence[CodeName],
    rest: int,
    describe: Callable[[CodeName], CodeLine],
) -> Block:
    node = quoting.subject
    is_own = quoting.kind is BlockKind.OWN
    command = f"yg show --outline {shell_word(node)}"
    return Block(
        kind=BlockKind.CODE,
        subject=node,
        attributes=(("node-path", node), ("names", f"{len(lines)} of {len(names.public)}")),
        opening=tuple(_lines(_grouped(lines), describe)),
        closing=(f".. and {rest} more: {visible(command)}",) if rest > 0 else (),
        reasons=quoting.reasons,
        nodes=quoting.nodes,
        role=Role.OWN if is_own else Role.DEPENDENCY,
    )


def _lines(names: Iterable[CodeName], describe: Callable[[CodeName], CodeLine]) -> Iterator[str]:
    shown: set[tuple[str, str]] = set()
    for name in names:
        found = describe(name)
        level = sum((name.path, outer) in shown for outer in name.around)
        shown.add((name.path, name.name))
        place = f"{visible(name.path)}:{name.first}-{found.last}"
        yield f"{place} {INDENTATION * level}{visible(found.header)}"
        if found.sentence:
            yield f"{INDENTATION * (level + 1)}{visible(found.sentence)}"
