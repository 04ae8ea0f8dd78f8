"""Inventories: what a repository publishes about its nodes, as JSON lines.

The first line describes the repository, each other line a node. An import is a copy of an
inventory in another repository: its first line also has the source and a digest of the whole file.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Annotated, TypeVar

from msgspec import UNSET, DecodeError, Meta, Struct, UnsetType, ValidationError
from msgspec.json import Decoder, encode
from msgspec.structs import replace

from yg_old.kernel.document import Record, about
from yg_old.kernel.errors import YgError
from yg_old.kernel.snapshot import conflict_line
from yg_old.text import paths

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

T = TypeVar("T")

FORMAT = "yg-inventory/1"


# Reading an inventory reports an empty path in words of its own.
NotEmpty = Annotated[str, Meta(extra_json_schema={"minLength": 1})]


class InventoryError(YgError):
    """An inventory or an import is not valid."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


class InventoryNode(Record, frozen=True, kw_only=True):
    """A node as other repositories see it."""

    path: Annotated[NotEmpty, about("The path of the node below `model/`, `.` for the root node.")]
    type: Annotated[str, about("Its type.")]
    name: Annotated[str, about("Its display name.")]
    summary: Annotated[
        str, about("The first line of its responsibility that is not a heading; may be empty.")
    ]
    digest: Annotated[
        NotEmpty, about("The SHA-256 of its contract: the documents that dependents see.")
    ]
    contracts: Annotated[
        dict[str, str] | UnsetType,
        about("With --contracts: these documents by name, in the order of the configuration."),
    ] = UNSET


class Header(Struct, frozen=True, kw_only=True):
    """The first line of an inventory; the last three keys are those of an import."""

    format: str
    name: str  # of the repository
    commit: str  # empty: it is not known
    source: str | UnsetType = UNSET  # where the import was taken from
    contracts: bool | UnsetType = UNSET  # False: the import leaves contracts out
    digest: str | UnsetType = UNSET  # of the import


class Inventory(Struct, frozen=True):
    """The first line of an inventory and its nodes, sorted by path."""

    header: Header
    nodes: tuple[InventoryNode, ...]

    @property
    def has_contracts(self) -> bool:
        """Whether it has the contract of a node."""
        return any(node.contracts is not UNSET for node in self.nodes)


class _Format(Struct):
    """The only key of a first line that all formats have."""

    format: str


_FORMAT = Decoder(_Format)
_HEADER = Decoder(Header)
_NODE = Decoder(InventoryNode)


def contract_digest(documents: Mapping[str, str]) -> str:
    """Return the digest of a contract: its documents in order, with their names."""
    return sha256(encode(tuple(documents.items()))).hexdigest()


def inventory_of(name: str, commit: str, nodes: Iterable[InventoryNode]) -> Inventory:
    """Return the inventory of a repository."""
    header = Header(format=FORMAT, name=name, commit=commit)
    return Inventory(header, tuple(sorted(nodes, key=lambda node: node.path)))


def without_contracts(inventory: Inventory) -> Inventory:
    """Return an inventory with the digests of contracts alone."""
    nodes = tuple(replace(node, contracts=UNSET) for node in inventory.nodes)
    return replace(inventory, nodes=nodes)


def inventory_text(inventory: Inventory) -> str:
    """Write an inventory: the same bytes for the same nodes."""
    return "".join(f"{encode(part).decode()}\n" for part in (inventory.header, *inventory.nodes))


def import_text(inventory: Inventory, source: str, *, contracts: bool) -> str:
    """Write an inventory as an import, which pins its content and its source."""
    kept = inventory if contracts else without_contracts(inventory)
    found = inventory.header
    header = Header(
        format=FORMAT,
        name=found.name,
        commit=found.commit,
        source=source,
        contracts=UNSET if contracts else False,
    )
    unsigned = inventory_text(replace(kept, header=header))
    signed = replace(header, digest=_digest(unsigned))
    return inventory_text(replace(kept, header=signed))


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def read_inventory(text: str) -> Inventory:
    """Parse an inventory; raise InventoryError at the first line that is not valid."""
    first, *others = _lines(text)
    header = _header(first)
    nodes = tuple(_nodes(others))
    return Inventory(header, tuple(sorted(nodes, key=lambda node: node.path)))


def read_import(text: str) -> Inventory:
    """Parse an import; raise InventoryError also if its text is not the one that was written."""
    lines = _with_plain_ends(text)
    inventory = read_inventory(lines)
    header = inventory.header
    if header.digest is UNSET or header.source is UNSET:
        raise InventoryError(1, "it has no source and digest")
    first, _, rest = lines.partition("\n")
    unsigned = encode(replace(header, digest=UNSET)).decode()
    is_same = first == encode(header).decode() and _digest(f"{unsigned}\n{rest}") == header.digest
    if not is_same:
        raise InventoryError(1, "its digest does not match its content")
    return inventory


def is_same_import(one: str, other: str) -> bool:
    """Return whether two texts are the same import, perhaps with the line ends of a checkout."""
    return _with_plain_ends(one) == _with_plain_ends(other)


def _with_plain_ends(text: str) -> str:
    return text.replace("\r\n", "\n")


def read_header(text: str) -> Header | None:
    """Return the first line of an import that may be damaged; None if it cannot be read.

    After a merge that both sides disagree on, it is the one of this side.
    """
    first, _, rest = text.partition("\n")
    try:
        return _header(rest.partition("\n")[0] if conflict_line(first) else first)
    except InventoryError:
        return None


def stored_source(text: str) -> str:
    """Return where an import that may be damaged was taken from; empty if it does not say."""
    header = read_header(text)
    return header.source or "" if header else ""


def _lines(text: str) -> list[str]:
    lines = _with_plain_ends(text.removeprefix("\ufeff")).split("\n")
    return lines[:-1] if len(lines) > 1 and not lines[-1] else lines


def _header(line: str) -> Header:
    found = _decoded(_FORMAT, 1, line, f"the first line of {FORMAT}")
    if found.format != FORMAT:
        raise InventoryError(1, f"its format is '{found.format}', not {FORMAT}")
    header = _decoded(_HEADER, 1, line, f"the first line of {FORMAT}")
    if not header.name:
        raise InventoryError(1, "the repository has no name")
    return header


def _nodes(lines: Sequence[str]) -> Iterator[InventoryNode]:
    """Yield the nodes of the lines after the first."""
    seen: set[str] = set()
    for number, line in enumerate(lines, 2):
        node = _decoded(_NODE, number, line, "a node")
        if fault := _fault(node, seen):
            raise InventoryError(number, fault)
        seen.add(node.path)
        yield node


def _fault(node: InventoryNode, seen: set[str]) -> str:
    """Return what is wrong with a node; empty if it is sound."""
    path = node.path
    if len(path) > paths.LONGEST or not (path == paths.ROOT or paths.is_plain(path)):
        return f"'{path[: paths.LONGEST]}' is not the path of a node"
    if path in seen:
        return f"the node '{path}' is listed twice"
    if node.contracts is not UNSET and contract_digest(node.contracts) != node.digest:
        return f"the digest of '{path}' is wrong"
    return ""


def _decoded(decoder: Decoder[T], number: int, line: str, what: str) -> T:
    try:
        return decoder.decode(line)
    except ValidationError as error:
        message = str(error)
        raise InventoryError(number, f"not {what}: {message[:1].lower()}{message[1:]}") from error
    except (DecodeError, UnicodeError, RecursionError) as error:
        raise InventoryError(number, "not valid JSON") from error
