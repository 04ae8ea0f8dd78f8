"""Find the references in documents that are not true any more."""

from __future__ import annotations

import os
import re
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from msgspec import Struct

from yg_old.commands.check_docs.asked import SHORTEST, Asked, AskedName, AskedPath, AskedTask, asked_in
from yg_old.commands.check_docs.documents import DocFinding, ReferenceKind
from yg_old.commands.check_docs.past import Past, Place
from yg_old.commands.check_docs.present import is_markdown
from yg_old.commands.check_docs.tasks import (
    FILES,
    DefinedTasks,
    dependencies,
    read_definitions,
)
from yg_old.disk.git.ignore import ignored_among
from yg_old.kernel.errors import UnreadableError
from yg_old.text import paths
from yg_old.text.headings import headings
from yg_old.text.plural import counted
from yg_old.yggdrasil.code.quoted_names import FILE_ENDINGS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from yg_old.commands.check_docs.present import Present
    from yg_old.disk.git.lines import Rename

SHORT = 7  # characters of the name of a commit
# Endings that a link may leave out, or that a site generator replaces.
_PAGES = (".md", ".mdx", ".rst", ".markdown", ".adoc", ".ipynb", ".html")
_WRITTEN_BY_SITES = frozenset(("html", "htm", "xml", "txt"))
_ANCHOR = re.compile(r"<[^<>]{1,200}?\b(?:id|name)=[\"']?([^\"'\s<>]{1,200})|\{:?[ ]*#([\w.:-]+)")
_HTML_HEADING = re.compile(r"<h[1-6][^<>]{0,200}>(.{1,500}?)</h[1-6]>", re.DOTALL | re.IGNORECASE)
_ATTRIBUTES = re.compile(r"\{:?[^{}]{0,200}\}[ ]*$")  # that some generators read after a title
_TAG = re.compile(r"<[^<>]{1,200}>")
# What a site generator puts into a page, which may bring headings.
_GENERATED = re.compile(r"^[ \t]*(?::::|--8<--|\{[!%{])|<[A-Z]\w+", re.MULTILINE)
_FREE_ANCHOR = re.compile(r"(?:L\d+.*|top|readme|user-content-.*|fn.*|.*[/.=:~].*|)", re.IGNORECASE)
_NOT_LOOSE = re.compile(r"[\W_]+")


class Checked(Struct, frozen=True):
    """The findings in some documents, and notes about what could not be checked."""

    findings: tuple[DocFinding, ...]
    notes: tuple[str, ...]


class Checker:
    """Checks documents against the present state of a repository, and against earlier ones."""

    def __init__(self, present: Present, head: str, names_elsewhere: frozenset[str]) -> None:
        """Take the last commit, or nothing if history cannot be used.

        `names_elsewhere` are the documents whose names and paths a rule of the graph checks.
        """
        self._present = present
        self._head = head
        self._elsewhere = names_elsewhere
        self._tasks = DefinedTasks(present)
        self._texts: dict[str, str] = {}
        self._anchors: dict[str, frozenset[str] | None] = {}
        self._found: list[DocFinding] = []
        # Commands that the repository may never have had, with what is wrong with them.
        self._uncertain: list[tuple[str, AskedTask, str]] = []

    def check(self, texts: Mapping[str, str]) -> Checked:
        """Check documents, given with their texts."""
        self._texts = dict(texts)
        asked = {document: asked_in(document, text) for document, text in texts.items()}
        missing: list[tuple[str, AskedPath]] = []
        for document, found in asked.items():
            self._check_tasks(document, found)
            for reference in found.paths:
                if not self._exists(reference):
                    if reference.is_link or document not in self._elsewhere:
                        missing.append((document, reference))
                elif reference.anchor:
                    self._check_anchor(document, reference)
        notes: list[str] = []
        if self._head:
            names = [
                (document, name)
                for document, found in asked.items()
                if document not in self._elsewhere
                for name in found.names
            ]
            past = Past(self._present, self._head)
            self._check_past(past, self._unignored(missing), names)
            if past.unread:
                older = counted(past.unread, "older commit")
                notes.append(f"lines last changed by {older} were not compared with them")
        else:
            for document, reference in self._unignored(missing):
                if reference.is_link:
                    self._report_path(document, reference, "", {})
        found_all = sorted(
            self._found, key=lambda one: (one.file, one.line, one.column, one.kind, one.message)
        )
        return Checked(tuple(found_all), tuple(notes))

    # What is true without the past.

    def _check_tasks(self, document: str, asked: Asked) -> None:
        for reference in asked.tasks:
            fault = self._tasks.fault(reference.task, document)
            if fault and self._tasks.is_certain(reference.task, document):
                self._report_task(document, reference, fault)
            elif fault:
                self._uncertain.append((document, reference, fault))

    def _report_task(self, document: str, reference: AskedTask, fault: str) -> None:
        self._report(ReferenceKind.COMMAND, document, reference, reference.task.written, fault)

    def _exists(self, reference: AskedPath) -> bool:
        present = self._present
        if any(present.exists(path) for path in reference.candidates):
            return True
        if reference.is_link:
            stems = {path.removesuffix(".html") for path in reference.candidates}
            return any(present.exists(stem + page) for stem in stems for page in _PAGES)
        # A name alone may leave out the directory.
        return "/" not in reference.text and reference.text in present.names

    def _unignored(self, missing: Sequence[tuple[str, AskedPath]]) -> list[tuple[str, AskedPath]]:
        ignored = ignored_among(
            self._present.top,
            dict.fromkeys(path for _, reference in missing for path in reference.candidates),
        )
        return [
            (document, reference)
            for document, reference in missing
            if not any(path in ignored for path in reference.candidates)
        ]

    def _check_anchor(self, document: str, reference: AskedPath) -> None:
        anchor = unquote(reference.anchor)
        existing = next((path for path in reference.candidates if self._present.exists(path)), "")
        if not is_markdown(existing) or _FREE_ANCHOR.fullmatch(anchor):
            return
        known = self._anchors_of(existing)
        if known is not None and _loose(anchor) not in known:
            message = f"{existing} has no heading '#{anchor}'"
            written = f"{reference.text}#{reference.anchor}"
            self._report(ReferenceKind.HEADING, document, reference, written, message)

    def _anchors_of(self, path: str) -> frozenset[str] | None:
        """Return the anchors of a document without signs; None if it may have others."""
        if path not in self._anchors:
            text = self._text(path)
            is_known = bool(text) and not _GENERATED.search(text)
            self._anchors[path] = frozenset(_anchors(text)) if is_known else None
        return self._anchors[path]

    def _text(self, path: str) -> str:
        if path not in self._texts:
            try:
                self._texts[path] = decoded(self._present.read(path))
            except UnreadableError:
                return ""
        return self._texts[path]

    # What was true when the line was written.

    def _check_past(
        self,
        past: Past,
        missing: Sequence[tuple[str, AskedPath]],
        names: Sequence[tuple[str, AskedName]],
    ) -> None:
        gone = past.gone_names({name.words for _, name in names})
        names = [(document, name) for document, name in names if name.words in gone]
        places = [Place(document, path.line) for document, path in missing]
        places += [Place(document, name.line) for document, name in names]
        places += [Place(document, task.line) for document, task, _ in self._uncertain]
        written = past.written(list(dict.fromkeys(places)), self._texts)
        self._check_paths(past, missing, written)
        self._check_past_tasks(past, written)
        wanted: dict[str, set[tuple[str, ...]]] = {}
        for document, name in names:
            if commit := written.get(Place(document, name.line)):
                wanted.setdefault(commit, set()).add(name.words)
        had = past.had_names(wanted)
        for document, name in names:
            commit = written.get(Place(document, name.line), "")
            file = had.get((commit, name.words))
            is_gone = file and not past.may_live_on(name.words)
            if is_gone and not self._may_have_moved(past, commit, document):
                message = f"{name.text} is not in the code (it was in {file} in {commit[:SHORT]})"
                self._report(ReferenceKind.NAME, document, name, name.text, message, commit=commit)

    def _may_have_moved(self, past: Past, commit: str, document: str) -> bool:
        """Return whether a document names a package that is a dependency only since a commit.

        Code that moves to a package of its own is described for some time where it was.
        """
        file = self._tasks.file_for("npm", document)
        now = dependencies(self._text(file)) if file else frozenset()
        new = now - dependencies(past.text(commit, file)) if now else ()
        return any(name in self._texts[document] for name in new if len(name) >= SHORTEST)

    def _check_past_tasks(self, past: Past, written: Mapping[Place, str]) -> None:
        for document, reference, fault in self._uncertain:
            commit = written.get(Place(document, reference.line), "")
            task = reference.task
            file = self._tasks.file_for(task.tool, document) if task.tool in FILES else ""
            text = past.text(commit, file) if commit and file else ""
            if text and read_definitions(task.tool, text).has(task.name):
                self._report_task(document, reference, fault)

    def _check_paths(
        self,
        past: Past,
        missing: Sequence[tuple[str, AskedPath]],
        written: Mapping[Place, str],
    ) -> None:
        pairs = [
            (commit, path)
            for document, reference in missing
            if (commit := written.get(Place(document, reference.line)))
            for path in reference.candidates
        ]
        existed = past.existed(pairs)
        renames = past.renames({path: commit for commit, path in sorted(existed)})
        for document, reference in missing:
            commit = written.get(Place(document, reference.line), "")
            was = next((path for path in reference.candidates if (commit, path) in existed), "")
            if was or reference.is_link:
                self._report_path(document, reference, was, renames, commit if was else "")

    def _report_path(
        self,
        document: str,
        reference: AskedPath,
        was: str,
        renames: Mapping[str, Rename],
        commit: str = "",
    ) -> None:
        """Report a path; `was` is the one that existed when the line was written."""
        if not was and _is_route(document, reference):
            return
        shown = was or reference.candidates[0]
        message, target = f"{shown} does not exist", ""
        others = (self._present.other_case(path) for path in reference.candidates)
        if rename := renames.get(was):
            if self._present.exists(rename.path):
                target = rename.path
                where = f"in {rename.commit[:SHORT]}" if rename.commit else "in the index"
                message += f" (renamed to {target} {where})"
        elif other := next(filter(None, others), ""):
            message += f" (but {other} does)"
        self._report(
            ReferenceKind.LINK if reference.is_link else ReferenceKind.PATH,
            document,
            reference,
            reference.text,
            message,
            commit=commit,
            target=target,
            replacement=_replacement(document, reference, was, target) if target else "",
        )

    def _report(  # noqa: PLR0913
        self,
        kind: ReferenceKind,
        document: str,
        reference: AskedPath | AskedName | AskedTask,
        written: str,
        message: str,
        *,
        commit: str = "",
        target: str = "",
        replacement: str = "",
    ) -> None:
        self._found.append(
            DocFinding(
                kind=kind,
                file=document,
                line=reference.line,
                column=reference.start + 1,
                reference=written,
                message=message,
                renamed_to=target or None,
                commit=commit or None,
                written=written,
                replacement=replacement,
            )
        )


def decoded(content: bytes) -> str:
    """Return a document as text; bytes that are not UTF-8 are kept."""
    return content.decode("utf-8", "surrogateescape")


def _anchors(text: str) -> Iterator[str]:
    for heading in headings(text):
        yield _loose(heading.slug)
        yield _loose(unescape(_TAG.sub("", _ATTRIBUTES.sub("", heading.title))))
    for title in _HTML_HEADING.findall(text):
        yield _loose(_TAG.sub("", title))
    for pair in _ANCHOR.findall(text):
        yield _loose(pair[0] or pair[1])


def _loose(anchor: str) -> str:
    """Return the letters and digits of an anchor: site generators write the rest differently."""
    return _NOT_LOOSE.sub("", anchor.lower())


def _is_route(document: str, reference: AskedPath) -> bool:
    """Return whether a link may be an address or a name of a site that is made of documents."""
    ending = os.path.splitext(reference.text)[1].removeprefix(".").lower()
    if ending in _WRITTEN_BY_SITES:
        return True
    is_of_site = document.startswith("docs/") or reference.text.startswith("/")
    return is_of_site and ending not in FILE_ENDINGS


def _replacement(document: str, reference: AskedPath, was: str, target: str) -> str:
    """Return the new name of a path, written like the old one."""
    text = reference.text
    if text.startswith("/"):
        return f"/{_encoded(reference, target)}"
    written = paths.normalise(unquote(text) if reference.is_link else text)
    folder = paths.parent(document)
    new = target if written == was else os.path.relpath(target, folder).replace(os.sep, "/")
    start = "./" if text.startswith("./") and not new.startswith("../") else ""
    return f"{start}{_encoded(reference, new)}{'/' if text.endswith('/') else ''}"


def _encoded(reference: AskedPath, path: str) -> str:
    return quote(path, safe="/~@+,;=&!'$", errors="surrogateescape") if reference.is_link else path
