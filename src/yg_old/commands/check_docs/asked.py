"""What the links and the code of a document ask for: paths, names and tasks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from yg_old.commands.check_docs.tasks import Task, task_of
from yg_old.text import paths
from yg_old.text.headings import headings
from yg_old.text.references import Mark, MarkKind, marks
from yg_old.yggdrasil.code.quoted_names import FILE_ENDINGS, is_asked, last_part

if TYPE_CHECKING:
    from collections.abc import Iterator

_PATH = re.compile(r"(?:\.{1,2}/)*[\w.@+~-]+(?:/[\w.@+~-]+)*/?")
_LINES = re.compile(r":\d+(?:[-:]\d+)?$")  # the line numbers that may follow a path
_PLACEHOLDER = re.compile(r"X{3}|\.{3}|[<>{}$*|]|…")
_SCHEME = re.compile(r"[a-zA-Z][\w+.-]*:|//")
_WORD = re.compile(r"[^\s'\"`()<>|;&=,]+")
_INNER_CAPITAL = re.compile(r"[a-z]\w*[A-Z]|[A-Z][A-Z0-9]*[a-z]\w*[A-Z]")
SHORTEST, LONGEST = 4, 200  # characters of a name
# More of the last parts of file names than the rules of a graph know.
_ENDINGS = FILE_ENDINGS | frozenset(
    "adoc bat coffee cjs cmake cts dart ejs erb ex exs gradle graphql hbs hs ipynb jl less lua"
    " markdown mdx mts pl prisma ps1 pug rake sass scala scss sln so svelte tf tpl vue"
    " wasm".split()
)
# The last parts of host names, which look like those of identifiers.
_HOSTS = frozenset("com org net io dev edu gov app ai co me sh rs".split())
# What JavaScript and Node have by themselves.
_JAVASCRIPT = frozenset(
    "AbortController AbortSignal ArrayBuffer BigInt Buffer DOMException Error EventEmitter"
    " FinalizationRegistry JSON Math Number Object Promise Proxy Reflect RegExp Request"
    " Response Symbol TextDecoder TextEncoder TypeError URL URLSearchParams Uint8Array WeakMap"
    " WeakRef WebSocket XMLHttpRequest addEventListener beforeExit child_process clearInterval"
    " clearTimeout console crypto decodeURIComponent document encodeURIComponent events"
    " exports fs globalThis http http2 https import isNaN localStorage module net os"
    " parseFloat parseInt path process querystring queueMicrotask requestAnimationFrame"
    " require setImmediate setInterval setTimeout stream structuredClone tls uncaughtException"
    " unhandledRejection util window worker_threads zlib".split()
)
# Files, directories and sections that say what was true at a time.
_PAST = re.compile(
    r"change.?log|changes|history|release|news|what.?s.?new|migrat|upgrad|deprecat|breaking"
    r"|decision|adrs?\b|rfcs?\b|proposal|blog|archive|roadmap|^v?\d+\.\d+",
    re.IGNORECASE,
)


class AskedPath(NamedTuple):
    """A path in a document."""

    text: str  # as it is written, without an anchor
    line: int
    start: int
    candidates: tuple[str, ...]  # the paths that it can be, from the top
    is_link: bool = False
    anchor: str = ""


class AskedName(NamedTuple):
    """An identifier in a document."""

    text: str
    line: int
    start: int
    words: tuple[str, ...]  # its first and last part


class AskedTask(NamedTuple):
    """A command of the repository in a document."""

    text: str
    line: int
    start: int
    task: Task


class Asked(NamedTuple):
    """All that a document asks for."""

    paths: tuple[AskedPath, ...]
    names: tuple[AskedName, ...]
    tasks: tuple[AskedTask, ...]


def asked_in(document: str, text: str) -> Asked:
    """Return what a document asks for. Texts about the past are asked for their links alone."""
    found_paths: list[AskedPath] = []
    names: list[AskedName] = []
    tasks: list[AskedTask] = []
    past = _past_lines(document, text)
    for mark in marks(text):
        if mark.kind is MarkKind.LINK:
            found_paths.extend(_link(document, mark))
        elif mark.line in past:
            continue
        elif mark.kind is MarkKind.CODE:
            found = _path(document, mark.text, mark.line, mark.start)
            found_paths.extend(found)
            names.extend(() if found else _name(mark))
            tasks.extend(_tasks(mark))
        else:
            found_paths.extend(_shell_paths(document, mark))
            tasks.extend(_tasks(mark))
    return Asked(tuple(found_paths), tuple(names), tuple(tasks))


def is_about_the_past(document: str) -> bool:
    """Return whether a file, by its name, says what was true at a time."""
    return any(_PAST.search(part) for part in document.split("/"))


def _past_lines(document: str, text: str) -> frozenset[int] | range:
    """Return the lines of a document that say what was true at a time."""
    if is_about_the_past(document):
        return range(text.count("\n") + 2)
    found: set[int] = set()
    for heading in headings(text):
        if _PAST.search(heading.title) and heading.line not in found:
            end = heading.line + text.count("\n", heading.start, heading.end)
            found.update(range(heading.line, end))
    return frozenset(found)


def _link(document: str, mark: Mark) -> Iterator[AskedPath]:
    target, _, anchor = mark.text.partition("#")
    target, _, query = target.partition("?")
    if query or _SCHEME.match(target) or _PLACEHOLDER.search(mark.text):
        return
    path = unquote(target, errors="surrogateescape")
    if "\0" in path or "\\" in path or "\n" in path or len(path) > paths.LONGEST:
        return
    if not path:
        yield AskedPath(target, mark.line, mark.start, (document,), is_link=True, anchor=anchor)
    elif path.startswith("/"):
        candidates = _from_root(document, path.lstrip("/"))
    else:
        candidates = _normal((f"{_folder(document)}{path}", path))
    if path and candidates:
        yield AskedPath(target, mark.line, mark.start, candidates, is_link=True, anchor=anchor)


def _from_root(document: str, path: str) -> tuple[str, ...]:
    """Return the paths that a link from the root can mean: that of the repository, or of a site."""
    return _normal(paths.join(place, path) for place in paths.lineage(document)) if path else ()


def _path(document: str, text: str, line: int, start: int) -> tuple[AskedPath, ...]:
    """Return the path that code is, if it looks like one."""
    written = _LINES.sub("", text)
    if len(written) > paths.LONGEST:
        return ()
    if not _PATH.fullmatch(written) or _PLACEHOLDER.search(written):
        return ()
    if "/" not in written.removeprefix("./") and not _is_file_name(written):
        return ()
    candidates = _normal((written, f"{_folder(document)}{written}"))
    return (AskedPath(written, line, start, candidates),) if candidates else ()


def _is_file_name(text: str) -> bool:
    stem, _, ending = text.rpartition(".")
    return bool(stem) and ending in _ENDINGS


def _normal(written: Iterator[str] | tuple[str, ...]) -> tuple[str, ...]:
    """Return paths in their normal form, without those that lead out."""
    normal = (paths.normalise(path) for path in written)
    return tuple(dict.fromkeys(path for path in normal if path and path != paths.ROOT))


def _folder(document: str) -> str:
    folder = paths.parent(document)
    return "" if folder == paths.ROOT else f"{folder}/"


def _shell_paths(document: str, mark: Mark) -> Iterator[AskedPath]:
    code = re.split(r"(?:^|\s)#", mark.text, maxsplit=1)[0]
    for word in _WORD.finditer(code):
        if "/" in word[0]:
            yield from _path(document, word[0], mark.line, mark.start + word.start())


def _name(mark: Mark) -> Iterator[AskedName]:
    text = mark.text
    last = last_part(text) if len(text) <= LONGEST else ""
    if not last or "$" in text or not is_asked(text, last) or last in _HOSTS or last in _ENDINGS:
        return
    head = re.split(r"[(\[!]", text, maxsplit=1)[0]
    first = re.split(r"\W+", head, maxsplit=1)[0]
    if first in _JAVASCRIPT:
        return
    is_plain = head == last and "(" not in text
    if len(head) < SHORTEST or (is_plain and not _is_compound(head)):
        return
    yield AskedName(text, mark.line, mark.start, tuple(dict.fromkeys((first, last))))


def _is_compound(name: str) -> bool:
    return "_" in name.strip("_") or _INNER_CAPITAL.search(name) is not None


def _tasks(mark: Mark) -> Iterator[AskedTask]:
    for task in task_of(mark.text, is_shell=mark.kind is MarkKind.SHELL):
        yield AskedTask(mark.text, mark.line, mark.start, task)
