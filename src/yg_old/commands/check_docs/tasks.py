"""Commands of a repository: targets of make, scripts of npm, environments of tox and so on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from yg_old.kernel.errors import UnreadableError
from yg_old.text import paths

if TYPE_CHECKING:
    from yg_old.commands.check_docs.present import Present

_SEPARATOR = re.compile(r"&&|\|\||[;|&]|(?:^|\s)#.*")
_SETTING = re.compile(r"\w+=\S*")
_NAME = re.compile(r"[\w@][\w.:@/-]*")
_MODULE = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_BEFORE = frozenset(("sudo", "time", "env", "exec", "then", "do", "uv", "poetry", "hatch", "pdm"))
# Options of these tools that take a value, which is no task.
_VALUES = frozenset(
    ("-j", "-l", "-w", "--workspace", "--prefix", "-C", "--filter", "-F", "--dir", "--cwd")
)
_ELSEWHERE = frozenset(("-C", "-f", "--directory", "--file", "--makefile", "-I", "--prefix"))
_BUILT_IN = frozenset(
    "access add approve-builds audit autoclean bin cache cat-file cat-index check ci"
    " completion config constraints create dedupe deploy dist-tag dlx doctor env exec explain"
    " fetch fund generate-lock-entry global help i import info init install install-test it"
    " licenses link list login logout ls node node-gyp npm outdated owner pack patch patch-"
    " commit patch-remove pkg plugin policies prefix prune publish rb rebuild recursive remove"
    " restart rm root run search self-update server set setup stage start store t tag team"
    " test tst un uninstall unlink unplug up update upgrade upgrade-interactive version"
    " versions view why workspace workspaces x".split()
)
FILES = {
    "make": ("Makefile", "makefile", "GNUmakefile"),
    "npm": ("package.json",),
    "just": ("justfile", "Justfile", ".justfile"),
    "tox": ("tox.ini",),
    "cargo": ("Cargo.toml",),
}


class Task(NamedTuple):
    """A command that a document tells its readers to run."""

    tool: str  # a key of FILES, or python
    name: str
    written: str  # as the document has it
    may_be_tool: bool = False  # whether the name can also be that of a program of a dependency


def task_of(text: str, *, is_shell: bool) -> Iterator[Task]:
    """Yield the commands of the repository in a line of shell code, or in back quotes."""
    for part in _SEPARATOR.split(text):
        words = [word.strip("'\"") for word in part.split()]
        while words and (words[0] in _BEFORE or _SETTING.fullmatch(words[0])):
            words = words[2:] if words[:2] == ["uv", "run"] else words[1:]
        if len(words) > 1 and (is_shell or len(words) <= _MOST_WORDS):
            tool, *rest = words
            for read in _READERS.get(tool, ()):
                yield from read(tool, rest)


_MOST_WORDS = 6  # of a command in back quotes; more are a sentence


def _names(words: Sequence[str]) -> Iterator[str]:
    """Yield the words that are no options, up to the first that cannot be a name."""
    waiting = iter(words)
    for word in waiting:
        if word == "--":
            return
        if word in _VALUES:
            next(waiting, None)
        elif not word.startswith("-") and not _SETTING.fullmatch(word):
            if not _NAME.fullmatch(word) or "XXX" in word or "..." in word or word.isupper():
                return
            yield word


def _make(tool: str, words: Sequence[str]) -> Iterator[Task]:
    if not any(word.startswith(tuple(_ELSEWHERE)) for word in words):
        for name in _names(words):
            if not name.isdigit():
                yield Task("make", name, f"{tool} {name}")


def _npm(tool: str, words: Sequence[str]) -> Iterator[Task]:
    is_run = bool(words) and words[0] in ("run", "run-script")
    names = list(_names(words[1:] if is_run else words))[:1]
    if is_run and names:
        yield Task("npm", names[0], f"{tool} run {names[0]}", may_be_tool=tool == "yarn")
    elif tool != "npm" and names and names[0] not in _BUILT_IN:
        yield Task("npm", names[0], f"{tool} {names[0]}", may_be_tool=True)


def _just(tool: str, words: Sequence[str]) -> Iterator[Task]:
    if not words[0].startswith("-"):
        for name in list(_names(words))[:1]:
            yield Task("just", name, f"{tool} {name}")


def _tox(tool: str, words: Sequence[str]) -> Iterator[Task]:
    for at, word in enumerate(words[:-1]):
        if word == "-e":
            for name in words[at + 1].split(","):
                if _NAME.fullmatch(name) and not name.isupper():
                    yield Task("tox", name, f"{tool} -e {name}")


def _cargo(tool: str, words: Sequence[str]) -> Iterator[Task]:
    if words[0] == "run" and "--bin" in words[:-1]:
        name = words[words.index("--bin") + 1]
        if _NAME.fullmatch(name) and not name.isupper():
            yield Task("cargo", name, f"{tool} run --bin {name}")


def _python(tool: str, words: Sequence[str]) -> Iterator[Task]:
    if words[0] == "-m" and len(words) > 1 and _MODULE.fullmatch(words[1]):
        yield Task("python", words[1], f"{tool} -m {words[1]}")


_READERS: dict[str, tuple[Callable[[str, Sequence[str]], Iterator[Task]], ...]] = {
    "make": (_make,),
    "npm": (_npm,),
    "pnpm": (_npm,),
    "yarn": (_npm,),
    "just": (_just,),
    "tox": (_tox,),
    "cargo": (_cargo,),
    "python": (_python,),
    "python3": (_python,),
}


class Definitions(NamedTuple):
    """The names that files of one kind define."""

    names: frozenset[str]
    is_complete: bool = True  # whether it is certain that there are no others
    patterns: tuple[str, ...] = ()  # of make, each with one '%'

    def lacks(self, name: str) -> bool:
        """Return whether it is certain that a name is not defined."""
        return self.is_complete and not self.has(name)

    def has(self, name: str) -> bool:
        """Return whether a name is defined; or matches a pattern."""
        return name in self.names or self._matches(name)

    def _matches(self, name: str) -> bool:
        halves = (pattern.partition("%") for pattern in self.patterns)
        return any(
            name.startswith(start) and name.endswith(end) and len(name) > len(start) + len(end)
            for start, _, end in halves
        )


_BINARY = re.compile(r"src/bin/([\w-]+)(?:\.rs|/)")
_PYTHON = re.compile(r"py\w*\d*(?:\.\d+)?")  # environments that tox has by itself
_NONE = Definitions(frozenset(), is_complete=False)
_WHAT = {
    "make": "target",
    "npm": "script",
    "just": "recipe",
    "tox": "environment",
    "cargo": "binary",
}
_FOR_CONTRIBUTORS = re.compile(
    r"(?:^|/)(?:AGENTS|CLAUDE|GEMINI|CONTRIBUTING[^/]*|copilot-instructions)(?:\.md|$)|^\.cursor/",
    re.IGNORECASE,
)


class DefinedTasks:
    """The commands that a repository defines, read when they are first asked for."""

    def __init__(self, present: Present) -> None:
        self._present = present
        self._defined: dict[str, Definitions] = {}

    def fault(self, task: Task, document: str) -> str:
        """Return why a command cannot be run; empty if it can, or if that is not known."""
        if task.tool == "python":
            return self._missing_module(task)
        file = self.file_for(task.tool, document)
        if not file or self._present.exists(task.name):
            return ""
        names = task.name.split("-") if task.tool == "tox" else (task.name,)
        defined = self._definitions(task.tool)
        if not any(defined.lacks(name) and not _PYTHON.fullmatch(name) for name in names):
            return ""
        return f"'{task.written}': {file} has no {_WHAT[task.tool]} '{task.name}'"

    def is_certain(self, task: Task, document: str) -> bool:
        """Return whether a document speaks of this repository, not of one that its reader has.

        Texts for contributors do. Others may show how to use a package, with scripts that the
        reader's own project defines, unless the package is never published.
        """
        if task.may_be_tool:
            return False
        if _FOR_CONTRIBUTORS.search(document):
            return True
        if document.startswith("docs/"):
            return False
        if task.tool != "npm":
            return True
        return '"private": true' in (self._text(self.file_for("npm", document)) or "")

    def file_for(self, tool: str, document: str) -> str:
        """Return the file of a kind that is nearest to a document; empty if there is none."""
        places = reversed(paths.lineage(document))
        wanted = (paths.join(place, name) for place in places for name in FILES[tool])
        return next((file for file in wanted if file in self._present.tracked), "")

    def _definitions(self, tool: str) -> Definitions:
        if tool not in self._defined:
            wanted = FILES[tool] + (("pyproject.toml", "setup.cfg") if tool == "tox" else ())
            found = [
                text
                for file in self._present.files
                if (paths.name_of(file) in wanted or (tool == "make" and file.endswith(".mk")))
                and "node_modules/" not in file
                and (text := self._text(file)) is not None
            ]
            defined = [read_definitions(tool, text) for text in found]
            self._defined[tool] = _united([*defined, *self._binaries(tool)])
        return self._defined[tool]

    def _text(self, file: str) -> str | None:
        try:
            return self._present.read(file).decode("utf-8", "replace")
        except UnreadableError:
            return None

    def _binaries(self, tool: str) -> Iterator[Definitions]:
        """Yield the programs that Cargo finds by the names of files."""
        if tool == "cargo":
            found = (_BINARY.search(file) for file in self._present.files)
            yield Definitions(frozenset(match[1] for match in found if match))

    def _missing_module(self, task: Task) -> str:
        """Return why a module cannot be run: its package is in the repository, and it is not."""
        first, *rest = task.name.split(".")
        folders = self._packages.get(first, ())
        if not rest or not folders:
            return ""
        inner = "/".join(rest)
        found = (
            self._present.exists(place)
            for folder in folders
            for place in (f"{folder}/{inner}.py", f"{folder}/{inner}")
        )
        if any(found) or not all(self._is_plain(folder) for folder in folders):
            return ""
        return f"'{task.written}': {folders[0]} has no module '{'.'.join(rest)}'"

    def _is_plain(self, folder: str) -> bool:
        return f"{folder}/__init__.py" in self._present.tracked

    @cached_property
    def _packages(self) -> dict[str, list[str]]:
        """The folders of Python packages that are not inside another, by name."""
        found: dict[str, list[str]] = {}
        for file in self._present.files:
            if paths.name_of(file) == "__init__.py":
                folder = paths.parent(file)
                outer = paths.join(paths.parent(folder), "__init__.py")
                if folder != paths.ROOT and outer not in self._present.tracked:
                    found.setdefault(paths.name_of(folder), []).append(folder)
        return found


def _united(found: Sequence[Definitions]) -> Definitions:
    return Definitions(
        frozenset(name for each in found for name in each.names),
        is_complete=bool(found) and all(each.is_complete for each in found),
        patterns=tuple(pattern for each in found for pattern in each.patterns),
    )


def read_definitions(tool: str, text: str) -> Definitions:
    """Return what a file of a kind defines."""
    return _READ[tool](text)


def _targets(text: str) -> Definitions:
    names: set[str] = set()
    is_complete = True
    for line in text.replace("\\\n", " ").split("\n"):
        if re.match(r"-?s?include\s", line):
            is_complete = is_complete and re.search(r"[$*]", line) is None
        match = re.match(r"([^\s#:=][^#:=]{0,999}):(?![:=]{0,2}=)(.{0,9999})", line)
        if match:
            is_complete = is_complete and "$" not in match[1]
            names.update(match[1].split())
            names.update(match[2].split() if match[1].strip() == ".PHONY" else ())
    patterns = tuple(sorted(name for name in names if "%" in name))
    return Definitions(frozenset(names), is_complete, patterns)


def _scripts(text: str) -> Definitions:
    scripts = _package(text, "scripts")
    return _NONE if scripts is None else Definitions(scripts)


def dependencies(text: str) -> frozenset[str]:
    """Return the packages that a package.json names as dependencies of any kind."""
    kinds = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
    return frozenset(name for kind in kinds for name in _package(text, kind) or ())


def _package(text: str, key: str) -> frozenset[str] | None:
    """Return the keys of an object in a package.json; None if it cannot be read."""
    import json

    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    value = found.get(key, {}) if isinstance(found, dict) else None
    return frozenset(value) if isinstance(value, dict) else None


def _recipes(text: str) -> Definitions:
    is_complete = re.search(r"^(?:import|mod)\b", text, re.MULTILINE) is None
    recipes = re.findall(r"^@?([A-Za-z_][\w-]*)(?:[ \t][^\n:]*)?:(?!=)", text, re.MULTILINE)
    aliases = re.findall(r"^alias[ \t]+([\w-]+)", text, re.MULTILINE)
    return Definitions(frozenset((*recipes, *aliases)), is_complete)


def _environments(text: str) -> Definitions:
    """Return the words of a configuration; each part of the name of an environment is one."""
    return Definitions(frozenset(re.findall(r"[\w.]+", text)))


def _crates(text: str) -> Definitions:
    return Definitions(frozenset(re.findall(r'name\s*=\s*"([\w-]+)"', text)))


_READ: dict[str, Callable[[str], Definitions]] = {
    "make": _targets,
    "npm": _scripts,
    "just": _recipes,
    "tox": _environments,
    "cargo": _crates,
}
