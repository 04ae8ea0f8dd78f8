"""The parts of a baseline besides its files.

They are the contracts of other repositories, facts about the code, and reviews of its changes.
"""

from __future__ import annotations

from base64 import b64decode, urlsafe_b64encode
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Struct, ValidationError, field
from msgspec.json import Decoder

from yg_old.code.change_class import ChangeClass  # noqa: TC001  # decoding needs it
from yg_old.code.facts import ALGORITHM, FileFacts, Signature
from yg_old.code.parts import SHORT, Part
from yg_old.kernel.document import Record, Text, about
from yg_old.yggdrasil.drift.keys import CODE, EXTERNAL, REVIEWS
from yg_old.yggdrasil.drift.layout import FileLines

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from yg_old.yggdrasil.drift.baseline import Baseline

MOST_REVIEWS = 20
IN_LINES = f"{ALGORITHM}/lines"  # the algorithm, and that each part is one text
_COMPARABLE = (IN_LINES, ALGORITHM, "lex-1")
_ERRORS = (msgspec.DecodeError, ValueError, RecursionError)
NO_PART = "."  # a public name that is no part of the file
PLAIN = "="  # before a digest that is not hexadecimal


class Review(Record, frozen=True):
    """Why a change of the code needed no change of the node's texts."""

    reason: Annotated[Text, about("The reason, as it was given.")]
    kind: Annotated[
        ChangeClass | None,
        about("The highest class of the changes; null if no source had changed."),
    ] = field(name="class")
    names: Annotated[tuple[Text, ...], about("The public names that changed.")] = ()


class _Algorithm(Struct):
    algo: str


class _RecordedFile(Struct):
    """The facts of one file as earlier versions recorded them."""

    tokens: str
    docs: str = ""
    imports: str = ""
    signatures: dict[str, Signature] = {}
    parts: dict[str, str] = {}  # digests

    @property
    def facts(self) -> FileFacts:
        parts = {name: Part(digest[:SHORT]) for name, digest in self.parts.items()}
        names = {
            name: Signature(found.digest[:SHORT], found.header)
            for name, found in self.signatures.items()
        }
        return FileFacts(self.tokens, self.docs, self.imports, names, parts=parts)


class _RecordedCode(Struct):
    algo: str
    files: dict[str, _RecordedFile]


class _CodeLines(Struct):
    algo: str
    files: dict[str, FileLines]


def _facts(lines: FileLines) -> FileFacts:
    """Return the facts of a file; raise ValueError if they are not as we write them."""
    tokens, docs, imports = map(_unpacked, lines.digests.split(" "))
    parts, signatures = {}, {}
    for name, digests in lines.parts.items():
        part, _, signature = digests.partition(" ")
        if part != NO_PART:
            parts[name] = Part(_unpacked(part)[:SHORT])
        if signature:
            signatures[name] = Signature(_unpacked(signature)[:SHORT], "")
    return FileFacts(tokens, docs, imports, signatures, parts=parts)


def _lines(facts: FileFacts) -> FileLines:
    """Return the facts of a file as they are recorded, without the headers of public names."""
    found = {}
    for name in sorted(facts.parts.keys() | facts.signatures.keys()):
        part = facts.parts.get(name)
        digests = [_packed(part.digest) if part else NO_PART]
        if name in facts.signatures:
            digests.append(_packed(facts.signatures[name].digest))
        found[name] = " ".join(digests)
    return FileLines(" ".join(map(_packed, (facts.tokens, facts.docs, facts.imports))), found)


def _packed(digest: str) -> str:
    """Return a hexadecimal digest in two thirds of its length."""
    filled = digest + "0" * (-len(digest) % 6)
    try:
        packed = urlsafe_b64encode(bytes.fromhex(filled)).decode()[: len(digest) * 2 // 3]
        return packed if _unpacked(packed) == digest else f"{PLAIN}{digest}"
    except ValueError:
        return f"{PLAIN}{digest}"


def _unpacked(packed: str) -> str:
    if packed.startswith(PLAIN):
        return packed.removeprefix(PLAIN)
    filled = packed + "A" * (-len(packed) % 4)
    return b64decode(filled, altchars=b"-_", validate=True).hex()[: len(packed) * 3 // 2]


@cache
def _decoder(kind: Any) -> Decoder[Any]:
    return Decoder(kind)


def recorded_facts(baseline: Baseline) -> tuple[Mapping[str, FileFacts], str]:
    """Return the facts of a baseline by path, and what is wrong with them; empty if nothing is.

    Facts of the algorithm before have no parts. Those of any other cannot be compared, so they
    count as missing.
    """
    data = baseline.rest.get(CODE)
    if data is None:
        return {}, ""
    try:
        algorithm = _decoder(_Algorithm).decode(data).algo
        if algorithm not in _COMPARABLE:
            return {}, ""
        if algorithm == IN_LINES:
            lines = _decoder(_CodeLines).decode(data).files
            return {path: _facts(found) for path, found in lines.items()}, ""
        files = _decoder(_RecordedCode).decode(data).files
        return {path: found.facts for path, found in files.items()}, ""
    except _ERRORS as error:
        return {}, f"its 'code' is not valid ({_reason(error)}), so changes are of unknown class"


def has_current_facts(baseline: Baseline) -> bool:
    """Tell whether the facts of a baseline are of our algorithm."""
    try:
        data = baseline.rest.get(CODE)
        return data is not None and _decoder(_Algorithm).decode(data).algo in (
            IN_LINES,
            ALGORITHM,
        )
    except _ERRORS:
        return False


def recorded_reviews(baseline: Baseline) -> tuple[tuple[Review, ...], str]:
    """Return the reviews of a baseline, the newest last, and what is wrong with them."""
    data = baseline.rest.get(REVIEWS)
    if data is None:
        return (), ""
    try:
        reviews: tuple[Review, ...] = _decoder(tuple[Review, ...]).decode(data)
    except _ERRORS as error:
        return (), f"its 'reviews' is not valid ({_reason(error)}), so no review is known"
    return reviews, ""


def recorded_contracts(baseline: Baseline | None) -> Mapping[str, str]:
    """Return the digests of contracts in other repositories, by target.

    A part that cannot be decoded counts as missing, so that every contract has changed.
    """
    data = baseline.rest.get(EXTERNAL) if baseline else None
    if data is None:
        return {}
    try:
        contracts: dict[str, str] = _decoder(dict[str, str]).decode(data)
    except _ERRORS:
        return {}
    return contracts


def contracts_data(contracts: Mapping[str, str]) -> bytes:
    """Return the digests of contracts as JSON, sorted by target."""
    return msgspec.json.encode(dict(sorted(contracts.items())))


def _reason(error: Exception) -> str:
    if not isinstance(error, ValidationError):
        return "it cannot be decoded"
    message = str(error)
    return message[:1].lower() + message[1:]


def facts_data(facts: Mapping[str, FileFacts]) -> bytes:
    """Return facts as JSON, sorted by path: nothing but digests."""
    files = {path: _lines(found) for path, found in sorted(facts.items())}
    return msgspec.json.encode({"algo": IN_LINES, "files": files})


def reviews_data(reviews: Sequence[Review]) -> bytes:
    """Return the newest reviews as JSON."""
    return msgspec.json.encode(reviews[-MOST_REVIEWS:])


def same_facts(one: Mapping[str, FileFacts], other: Mapping[str, FileFacts]) -> bool:
    """Tell whether two maps are recorded in the same way."""
    return one.keys() == other.keys() and all(
        _lines(facts) == _lines(other[path]) for path, facts in one.items()
    )
