"""Decision records: numbered Markdown files, as Nygard, MADR and adr-tools write them.

The index stores these values. msgspec reads their annotations to decode them, so this module does
not postpone annotations.
"""

import re
from collections.abc import Callable, Iterator
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from yg_old.kernel.codec import Codec, Recipe
from yg_old.kernel.errors import UnreadableError
from yg_old.kernel.issue import Located
from yg_old.kernel.snapshot import Kind, Snapshot
from yg_old.text import paths
from yg_old.text.headings import headings, prose_lines, shown
from yg_old.yggdrasil.places import DECISIONS, mapped_path, spelling_fault

ACCEPTED = "accepted"
SUPERSEDED = "superseded"
_FILE = re.compile(r"(?:adr[-_ ]?)?(\d{1,9})(?!\d).*\.(?:md|markdown)", re.IGNORECASE | re.DOTALL)
_NUMBER_OF_TITLE = re.compile(
    r"(?:ADR[-_ #]*)?\d+(?:\s*[-\u2013\u2014]\s|[.:)\s])[.:)\s]*", re.IGNORECASE
)
STATUS_LINE = re.compile(
    r"[ \t]*(?:[*+-][ \t]+)?[*_]{0,2}status[*_]{0,2}[ \t]*:[ \t]*[*_]{0,2}(.*)", re.IGNORECASE
)
_OUT_OF_FORCE = re.compile(r"\W*(?:super[sc]eded|deprecated|rejected)\b", re.IGNORECASE)
_SUPERSEDED = re.compile(r"super[sc]eded\b", re.IGNORECASE)  # adr-tools spells it with a c
_LINKED = re.compile(r"\]\((?:[^)\s]*/)?((?:adr[-_ ]?)?\d[^)/\s]*)\)", re.IGNORECASE)
_NAMED = re.compile(
    r"(?:\badr[-_ #]*|#|\bby[ \t:]+|,[ \t]*|\band[ \t]+|\bdecision[ \t]+)(\d{1,9})\b", re.IGNORECASE
)
FRONT_MATTER = re.compile(r"---[ \t]*\r?\n(.*?)^---[ \t]*\r?$", re.DOTALL | re.MULTILINE)


class Decision(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """One decision record."""

    number: int = 0
    file: str = ""
    title: str = ""
    status: str = ACCEPTED  # as written, one line
    successors: tuple[int, ...] = ()

    @property
    def is_in_force(self) -> bool:
        """Whether it is neither superseded nor deprecated nor rejected."""
        return not self.successors and not _OUT_OF_FORCE.match(self.status)

    @property
    def line(self) -> str:
        """The decision as one line of a package."""
        return f"Decision {self.number}: {self.title} ({self.status}), {self.file}"


def decision_number(name: str) -> int | None:
    """Return the number of a decision by the name of its file; None if it has none."""
    match = _FILE.fullmatch(name)
    return int(match[1]) if match else None


def read_decision(text: str) -> Decision:
    """Read the title, the status and the successors from the text of a decision."""
    every = headings(text)
    title = shown(every[0].title) if every else ""
    title = _NUMBER_OF_TITLE.sub("", title, count=1) if _NUMBER_OF_TITLE.match(title) else title
    front = _front_matter(text)
    lines = [line for line in (*front.get("status", ()), *_status_lines(text)) if line.strip()]
    replaced = next((line for line in lines if _SUPERSEDED.search(line)), "")
    numbers = (*_numbers(front.get("superseded-by", ())), *_successors(replaced))
    status = _plain(replaced or (lines[0] if lines else ""))
    if numbers and not replaced:
        status = SUPERSEDED
    return Decision(
        title=" ".join(title.split()),
        status=status or ACCEPTED,
        successors=tuple(dict.fromkeys(numbers)),
    )


_READING: Recipe[Decision] = Recipe("decision 1", read_decision, Codec(Decision))


def _front_matter(text: str) -> dict[str, tuple[str, ...]]:
    """Return the values of the keys about the status, as texts."""
    match = FRONT_MATTER.match(text)
    if not match:
        return {}
    from yg_old.text.decode_yaml import decode_yaml

    datum = decode_yaml(match[1]).datum
    if datum is None or not isinstance(datum.value, dict):
        return {}
    found: dict[str, tuple[str, ...]] = {}
    for key, entry in datum.value.items():
        name = key.lower().replace("_", "-").replace(" ", "-")
        value = entry.datum.value
        items = [item.value for item in value] if isinstance(value, list) else [value]
        found[name] = tuple(
            str(item) for item in items if isinstance(item, (str, int)) and item is not True
        )
    return found


def _status_lines(text: str) -> Iterator[str]:
    """Yield the lines of the section about the status, or the line before all sections."""
    every = headings(text)
    top = next((heading.start for heading in every[1:]), len(text))
    for heading in every:
        if shown(heading.title).strip().rstrip(":").lower() == "status":
            yield from text[heading.start : heading.end].split("\n")[1:]
            return
    for _, start, line in prose_lines(text):
        if start < top and (match := STATUS_LINE.fullmatch(line.rstrip())):
            yield match[1]


def _plain(line: str) -> str:
    """Return a status without marks of Markdown; its first word in lower case."""
    words = shown(line).strip().strip("*_-+ \t").split()
    status = " ".join(words).rstrip(".")
    first = words[0] if words else ""
    is_word = first[:1].isupper() and first[1:].islower()
    return status[:1].lower() + status[1:] if is_word else status


def _successors(line: str) -> Iterator[int]:
    """Yield the numbers after `superseded by`; links say which files are meant."""
    match = _SUPERSEDED.search(line)
    rest = line[match.end() :] if match else ""
    linked = [number for name in _LINKED.findall(rest) if (number := _leading(name)) is not None]
    yield from linked or map(int, _NAMED.findall(rest))


def _numbers(values: tuple[str, ...]) -> Iterator[int]:
    for value in values:
        if (number := _leading(paths.name_of(value.strip()))) is not None:
            yield number
        else:
            yield from _successors(f"{SUPERSEDED} by {value}")


def _leading(name: str) -> int | None:
    """Return the number with which a name, a title or a number begins."""
    match = re.match(r"\W*(?:adr[-_ #]*)?(\d{1,9})(?!\d)", name, re.IGNORECASE)
    return int(match[1]) if match else None


class Decisions:
    """The decisions of a repository by number, read on demand."""

    def __init__(self, snapshot: Snapshot, configured: Callable[[], tuple[Located, ...]]) -> None:
        """Take the folders of the configuration; without any, the usual ones are looked at."""
        self._snapshot = snapshot
        self._configured = configured
        self._read: dict[str, Decision | None] = {}
        self._last: dict[int, int | None] = {}

    @cached_property
    def folders(self) -> tuple[str, ...]:
        """The folders in which they are: those of the configuration, or the first usual one."""
        configured = self._configured()
        if not configured:
            usual = (folder for folder in DECISIONS if self._is_folder(folder))
            return tuple(usual)[:1]
        named = [mapped_path(entry.text) for entry in configured if not spelling_fault(entry.text)]
        return tuple(dict.fromkeys(path for path in named if path and self._is_folder(path)))

    def _is_folder(self, path: str) -> bool:
        return self._snapshot.kind(path) is Kind.DIRECTORY

    @cached_property
    def files(self) -> dict[int, tuple[str, ...]]:
        """The files by number, sorted; more than one if a number was given twice."""
        found: dict[int, list[str]] = {}
        for folder in self.folders:
            for name in self._snapshot.names(folder).files:
                if (number := decision_number(name)) is not None:
                    found.setdefault(number, []).append(paths.join(folder, name))
        return {number: tuple(found[number]) for number in sorted(found)}

    def get(self, number: int) -> Decision | None:
        """Return a decision; None if there is none, or if it cannot be read."""
        files = self.files.get(number, ())
        return self.read(number, files[0]) if files else None

    def read(self, number: int, file: str) -> Decision | None:
        """Return the decision of a file; None if it cannot be read."""
        if file not in self._read:
            try:
                read = self._snapshot.text(file).made(_READING)
            except UnreadableError:
                self._read[file] = None
            else:
                title = read.title or paths.name_of(file)
                self._read[file] = replace(read, number=number, file=file, title=title)
        return self._read[file]

    def __iter__(self) -> Iterator[Decision]:
        """Yield all decisions that can be read, by number and file."""
        for number, files in self.files.items():
            for file in files:
                decision = self.read(number, file)
                if decision is not None:
                    yield decision

    def last_successor(self, number: int) -> int | None:
        """Return the number at which the successors of a decision end; None if in a circle."""
        passed: list[int] = []
        current: int | None = number
        while current is not None and current not in self._last:
            self._last[current] = None  # as long as its end is not known, it may be a circle
            passed.append(current)
            decision = self.get(current)
            if decision is None or not decision.successors:
                self._last[current] = current
                break
            current = decision.successors[0]
        end = None if current is None else self._last[current]
        self._last.update(dict.fromkeys(passed, end))
        return end
