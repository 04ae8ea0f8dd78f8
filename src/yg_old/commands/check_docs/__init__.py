"""`yg check-docs`: find references to code in documents that are not true any more."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Annotated

from msgspec.structs import replace

from yg_old.commands.check_docs.documents import CheckedDocs, DocFinding, ReferenceKind
from yg_old.commands.check_docs.find import Checker, decoded
from yg_old.commands.check_docs.forms import docs_github, docs_junit, docs_sarif, docs_text
from yg_old.commands.check_docs.present import Present, is_binary, is_markdown
from yg_old.commands.command import Command
from yg_old.commands.request import Operand, Option, Request
from yg_old.disk.git.lines import is_shallow
from yg_old.disk.git.process import NoCommitsError, commit_of
from yg_old.disk.git.repository import find_repository
from yg_old.kernel.errors import NoGraphError, UnreadableError, YgError
from yg_old.text import paths

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yg_old.commands.command import Run
    from yg_old.workspace.opened import OpenWorkspace

_DEFAULT = re.compile(
    r"(?:.*/)?(?:README(?:\.[\w-]+)*|AGENTS\.md|CLAUDE\.md|GEMINI\.md)"
    r"|CONTRIBUTING[^/]*|(?:\.github|docs)/CONTRIBUTING[^/]*|\.github/copilot-instructions\.md"
    r"|\.cursor/rules/.*|docs/.*\.md",
    re.IGNORECASE | re.DOTALL,
)
_OF_OTHERS = re.compile(r"(?:^|/)(?:node_modules|vendor|third_party|testdata|fixtures)/")
# The rules that say the same about the texts of a graph.
_RULES = {"W024": ReferenceKind.NAME, "W030": ReferenceKind.PATH}


class CheckDocsRequest(Request["CheckedDocs"], frozen=True, kw_only=True):
    """The documents to check."""

    files: Annotated[
        tuple[str, ...],
        Operand(
            "FILE",
            "Markdown files, or - to read names from stdin (default README, AGENTS.md, "
            "CONTRIBUTING and docs/)",
            reads_input=True,
        ),
    ] = ()
    fix: Annotated[bool, Option(help="replace paths that git knows to be renamed")] = False


def ask(run: Run, request: CheckDocsRequest) -> CheckedDocs:
    """Find the references that are not true, and correct renamed paths if that is asked for."""
    repository = find_repository(run.directory)
    if repository is None or repository.is_bare:
        raise YgError(
            "check-docs compares documents with the history of their repository, and there is "
            "none here",
            hint="Run it in the work tree of a git repository.",
        )
    top = repository.top
    head, notes = _history(top)
    present = Present(top)
    workspace = _workspace(run)
    wanted = _given(run.directory, top, request.files) or _default(present, workspace)
    texts, unreadable = _texts(present, wanted)
    notes += unreadable
    of_rules = _of_rules(top, workspace)
    own = frozenset(path for path in texts if _is_of_graph(top, workspace, path))
    checked = Checker(present, head, own).check(texts)
    found = {(one.file, one.line, one.column): one for one in of_rules if one.file in texts}
    found |= {(one.file, one.line, one.column): one for one in checked.findings}
    findings = tuple(one for _, one in sorted(found.items()))
    if request.fix:
        findings = _fixed(top, texts, findings)
    return CheckedDocs(
        documents=len(texts),
        lines=sum(text.count("\n") for text in texts.values()),
        findings=findings,
        notes=[*notes, *checked.notes],
    )


def _history(top: str) -> tuple[str, list[str]]:
    """Return the last commit; nothing, with a note, if there is no history to compare with."""
    only = "only links and commands are checked"
    try:
        head = commit_of(top, "HEAD")
    except NoCommitsError:
        return "", [f"this repository has no commits yet: {only}"]
    if is_shallow(top):
        return "", [f"this clone is shallow: {only} ('git fetch --unshallow' fetches the history)"]
    return head, []


def _workspace(run: Run) -> OpenWorkspace | None:
    try:
        workspace = run.workspace
    except NoGraphError:
        return None
    return workspace if workspace.format.has_drift else None


def _given(directory: str, top: str, files: Sequence[str]) -> list[str]:
    """Return the paths of given files from the top of the repository."""
    found = []
    for file in files:
        place = os.path.join(os.path.realpath(directory), file)
        absolute = os.path.join(os.path.realpath(os.path.dirname(place)), os.path.basename(place))
        path = os.path.relpath(absolute, top).replace(os.sep, "/")
        if path.startswith("../"):
            raise YgError(f"'{file}' is outside the repository")
        if "\0" in file or not os.path.isfile(absolute):
            raise YgError(f"there is no file '{file}'", hint="Give the names of Markdown files.")
        found.append(path)
    return list(dict.fromkeys(found))


def _default(present: Present, workspace: OpenWorkspace | None) -> list[str]:
    """Return the documents that are checked unless others are given."""
    return [
        file
        for file in present.files
        if file in present.tracked
        and present.exists(file)
        and (_is_default(file) or (workspace and _is_of_graph(present.top, workspace, file)))
    ]


def _is_default(file: str) -> bool:
    if not _DEFAULT.fullmatch(file) or _OF_OTHERS.search(file):
        return False
    return is_markdown(file) or "." not in paths.name_of(file)


def _is_of_graph(top: str, workspace: OpenWorkspace | None, file: str) -> bool:
    """Return whether a file is a text of the graph."""
    if workspace is None or not is_markdown(file):
        return False
    prefix = _prefix(top, workspace)
    folder = paths.join(prefix, workspace.format.folder)
    inside = file.removeprefix(f"{folder}/")
    return inside != file and inside.partition("/")[0] in ("model", "aspects", "flows")


def _prefix(top: str, workspace: OpenWorkspace) -> str:
    prefix = os.path.relpath(os.path.realpath(workspace.root), top).replace(os.sep, "/")
    return "" if prefix == paths.ROOT else prefix


def _of_rules(top: str, workspace: OpenWorkspace | None) -> Iterator[DocFinding]:
    """Yield the names and paths that the rules of the graph report in its texts."""
    if workspace is None:
        return
    from yg_old.workspace.results import verdict

    for issue in verdict(workspace).issues:
        place = issue.place
        if issue.code in _RULES and place.line:
            reference = issue.message.partition(" names '")[2].partition("', which ")[0]
            yield DocFinding(
                kind=_RULES[issue.code],
                file=paths.join(_prefix(top, workspace), place.file),
                line=place.line,
                column=place.column or 1,
                reference=reference or issue.message,
                message=f"{issue.message} ({issue.code})",
                rule=issue.code,
            )


def _texts(present: Present, wanted: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """Return the texts of documents, and notes about those that cannot be read."""
    found, notes = {}, []
    for path in wanted:
        try:
            content = present.read(path)
        except UnreadableError as error:
            notes.append(error.message)
            continue
        if is_binary(content):
            notes.append(f"'{path}' is not text")
        else:
            found[path] = decoded(content)
    return found, notes


def _fixed(
    top: str, texts: dict[str, str], findings: Sequence[DocFinding]
) -> tuple[DocFinding, ...]:
    """Write the new names of renamed paths, and return the findings with what was corrected."""
    from yg_old.disk.files.apply import Applier
    from yg_old.kernel.edit import Write

    changed: dict[str, list[str]] = {}
    done = set()
    for finding in reversed(findings):  # from the right: columns to the left stay
        if finding.replacement:
            lines = changed.setdefault(finding.file, texts[finding.file].split("\n"))
            line, start = lines[finding.line - 1], finding.column - 1
            end = start + len(finding.written)
            lines[finding.line - 1] = f"{line[:start]}{finding.replacement}{line[end:]}"
            done.add((finding.file, finding.line, finding.column))
    contents = {file: "\n".join(lines) for file, lines in changed.items()}
    Applier(top).apply(
        Write(file, text.encode("utf-8", "surrogateescape"))
        for file, text in sorted(contents.items())
    )
    return tuple(replace(one, fixed=(one.file, one.line, one.column) in done) for one in findings)


COMMAND = Command(
    request=CheckDocsRequest,
    documents=(CheckedDocs,),
    ask=ask,
    text=docs_text,
    forms={"github": docs_github, "sarif": docs_sarif, "junit": docs_junit},
    formats=("text", "json", "github", "sarif", "junit"),
)
