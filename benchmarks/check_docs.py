"""Run `yg check-docs` on histories of real projects, made from their releases.

    python benchmarks/check_docs.py FOLDER [PROJECT..]

Each release of a project is downloaded (`pip download`, `npm pack`) and becomes one commit of a git
repository in FOLDER, so that a line of a document is as old as the release that changed it. Then
the documents of each release but the first are checked. What is printed: a row for each project
(releases, documents, findings, and links to files that no archive has), and with `--show` every
finding. Whether a finding is true is for a reader to say; the results are in
docs/check-docs.md. A repository that exists is not built again.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tarfile
import time
from pathlib import Path
from typing import Any

PROJECTS = {
    "bunyan": ("npm", "0.7.0 0.14.0 0.17.0 0.21.2 1.0.0 1.3.2 1.7.0 1.8.6 2.0.0"),
    "cibuildwheel": ("pip", "2.8.0 2.11.0 2.14.0 2.17.0 2.19.0 2.21.0 2.23.0 3.0.0 3.2.0"),
    "copier": ("pip", "7.0.1 8.0.0 9.1.0 9.4.0 9.7.0 9.10.0 9.14.0"),
    "date-fns": ("npm", "0.14.9 1.8.1 1.18.0 1.28.0 2.4.1 2.15.0 2.22.0 3.0.1 4.1.0"),
    "eslint-plugin-import": ("npm", "1.0.0 1.10.0 2.0.1 2.7.0 2.16.0 2.20.0 2.25.1 2.29.1 2.32.0"),
    "fast-json-stringify": ("npm", "1.1.1 1.11.0 1.16.0 2.2.1 2.5.4 3.0.2 5.5.0 5.16.0"),
    "fastapi-users": ("pip", "10.0.0 10.4.0 11.0.0 12.0.0 13.0.0 14.0.0"),
    "fastify": ("npm", "1.1.1 1.14.3 2.0.0 2.15.0 3.0.0 3.11.0 3.21.5 4.0.0 4.13.0 5.0.0 5.7.0"),
    "fuse.js": ("npm", "1.2.0 2.4.1 3.0.1 3.3.0 3.4.6 5.2.3 6.2.1 6.4.5 7.0.0"),
    "hatch": ("pip", "1.2.1 1.6.1 1.9.2 1.13.0 1.16.2"),
    "hubot": ("npm", "2.3.5 2.12.0 2.18.0 3.2.0 3.5.0 7.0.0 9.1.1 11.2.0 11.6.0"),
    "immer": ("npm", "1.3.0 1.10.3 3.1.4 5.3.5 7.0.7 9.0.5 10.0.0 11.1.6 11.2.7"),
    "jupyterhub": ("pip", "1.5.0 2.0.0 2.3.0 3.0.0 4.0.0 4.1.0 5.0.0 5.3.0"),
    "mercurius": ("npm", "6.0.0 7.1.0 7.9.1 8.8.0 9.3.0 10.0.0 11.4.0 13.3.1 16.1.0"),
    "mobx": ("npm", "2.4.3 3.1.9 4.0.2 4.10.0 5.1.2 5.15.6 6.3.5 6.10.2 7.0.0"),
    "nock": ("npm", "0.10.7 0.22.1 0.43.0 2.1.0 6.0.0 9.0.23 11.1.0 13.2.3 15.0.2"),
    "pino": ("npm", "4.5.4 4.15.2 5.4.0 5.16.0 6.0.0 6.11.0 7.4.0 8.2.0 8.15.1 9.3.0 10.0.0"),
    "repo-review": ("pip", "0.7.0 0.9.0 0.10.0 0.11.0 0.12.0 1.0.0"),
    "scikit-build-core": ("pip", "0.3.0 0.5.0 0.7.0 0.8.0 0.9.0 0.10.0 0.11.0"),
    "semantic-release": ("npm", "11.0.1 15.0.1 15.6.6 15.12.3 16.0.0 17.4.5 19.0.0 22.0.4 24.0.0"),
    "sequelize": ("npm", "3.15.1 4.3.2 4.16.0 4.31.2 5.1.0 5.9.4 5.22.1 6.20.0 6.37.7"),
    "starlette": ("pip", "0.12.5 0.13.7 0.21.0 0.26.1 0.32.0 0.36.3 0.41.2 0.45.3"),
    "stylelint": ("npm", "7.2.0 8.0.0 9.1.0 10.0.0 13.2.0 13.13.0 14.4.0 14.16.1 15.5.0 16.3.1"),
    "undici": ("npm", "4.2.2 4.10.0 5.4.0 5.19.0 5.28.0 6.0.1 6.10.1 6.19.8 7.2.2 7.20.0"),
    "zod": ("npm", "1.7.1 3.2.0 3.10.1 3.17.8 3.24.0 3.25.30 3.25.63 4.1.1 4.6.2"),
}
ENVIRONMENT = {
    **os.environ,
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "release",
    "GIT_AUTHOR_EMAIL": "release@example.org",
    "GIT_COMMITTER_NAME": "release",
    "GIT_COMMITTER_EMAIL": "release@example.org",
}


def git(repository: Path, *arguments: str) -> str:
    command = ["git", "-C", str(repository), *arguments]
    done = subprocess.run(command, env=ENVIRONMENT, check=True, capture_output=True, text=True)
    return done.stdout


def download(kind: str, name: str, version: str, folder: Path) -> Path:
    """Download the archive of a release, unless it is there."""
    place = folder / "archives" / f"{name}-{version}"
    if not place.is_dir():
        part = place.with_name(f"{place.name}.part")
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        wanted = f"{name}=={version}" if kind == "pip" else f"{name}@{version}"
        pip = [sys.executable, "-m", "pip", "download", "--no-deps", "--no-binary", ":all:"]
        command = [*pip, "-d", ".", wanted] if kind == "pip" else ["npm", "pack", wanted]
        subprocess.run(command, cwd=part, check=True, capture_output=True)
        part.rename(place)
    return next(file for file in place.iterdir() if file.name.endswith((".tgz", ".tar.gz")))


def unpack(archive: Path, repository: Path) -> None:
    """Replace the files of a work tree by those of an archive, without its top folder."""
    for entry in repository.iterdir():
        if entry.name == ".git":
            continue
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()
    with tarfile.open(archive) as opened:
        for member in opened.getmembers():
            member.name = member.name.partition("/")[2]
            if member.name and member.isfile() and ".git/" not in f"/{member.name}":
                opened.extract(member, repository, filter="data")


def build(name: str, folder: Path) -> Path:
    """Build the repository of a project, unless it is there."""
    kind, versions = PROJECTS[name]
    repository = folder / "repositories" / name
    if repository.is_dir():
        return repository
    part = folder / "repositories" / f"{name}.part"
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    git(part, "init", "-q", "-b", "main")
    for version in versions.split():
        unpack(download(kind, name, version, folder), part)
        git(part, "add", "--all", "--force")
        git(part, "commit", "-q", "--allow-empty", "-m", version)
    part.rename(repository)
    return repository


def synthetic(repository: Path) -> None:
    """Write 5,000 files of code and 10,000 lines of Markdown, in 60 commits."""
    git_ready = repository / ".git"
    if git_ready.is_dir():
        return
    repository.mkdir(parents=True)
    git(repository, "init", "-q")
    for number in range(5_000):
        file = repository / "src" / f"part{number % 50}" / f"module_{number}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(_code(number, "first"))
    for number in range(100):
        file = repository / "docs" / f"part{number % 10}" / f"page-{number}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(_line(number, line) for line in range(100)))
    git(repository, "add", "--all")
    git(repository, "commit", "-q", "-m", "first")
    for change in range(60):
        for number in range(change * 20, change * 20 + 20):
            file = repository / "src" / f"part{number % 50}" / f"module_{number}.py"
            file.write_text(_code(number, "second"))
        for number in range(0, 100, 3):
            page = repository / "docs" / f"part{number % 10}" / f"page-{number}.md"
            lines = page.read_text().split("\n")
            lines[change] = f"{lines[change]} And `helper_{change}_first()`."
            page.write_text("\n".join(lines))
        git(repository, "add", "--all")
        git(repository, "commit", "-q", "-m", f"change {change}")


def _code(number: int, word: str) -> str:
    functions = (
        f"def helper_{number}_{word}_{at}(value: int) -> int:\n"
        f'    """Return what module {number} makes of a value."""\n'
        f"    return value + {at}\n\n\n"
        for at in range(12)
    )
    return f"def helper_{number}_{word}() -> None:\n    pass\n\n\n" + "".join(functions)


def _line(page: int, line: int) -> str:
    number = page * 37 + line
    kinds = (
        f"See `src/part{number % 50}/module_{number}.py` and `helper_{number}_first()`.\n",
        f"The [page](page-{(page + 10) % 100}.md#title) says more about `otherName.call()`.\n",
        f"A sentence about `unknown_name_{number}` without anything else in it.\n",
        "\n",
        "# Title\n",
    )
    return kinds[line % 5]


def measure(folder: Path) -> None:
    repository = folder / "synthetic"
    synthetic(repository)
    command = [sys.executable, "-m", "yg", "-C", str(repository), "check-docs", "--json"]
    for _ in range(3):
        start = time.perf_counter()
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        seconds = time.perf_counter() - start
        found = json.loads(done.stdout)
        lines = f"{found['documents']} documents, {found['lines']} lines"
        print(f"{lines}, {len(found['findings'])} findings: {seconds:.2f} s")


def report(name: str, repository: Path, *, show: bool) -> None:
    """Check each release with the history up to it; a reference counts once."""
    releases = git(repository, "rev-list", "--reverse", "main").split()
    found: dict[tuple[str, ...], tuple[str, dict[str, Any]]] = {}
    documents = 0
    for release in releases[1:]:
        git(repository, "checkout", "-q", "--force", release)
        git(repository, "clean", "-qfdx")
        command = [sys.executable, "-m", "yg", "-C", str(repository), "check-docs", "--json"]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        answer = json.loads(done.stdout)
        documents = max(documents, answer["documents"])
        for one in answer["findings"]:
            key = (one["kind"], one["file"], one["reference"])
            found.setdefault(key, (release[:7], one))
    git(repository, "checkout", "-q", "--force", "main")
    # An archive may leave files out, so a link to one that no release has says nothing.
    counted = {
        key: value for key, value in sorted(found.items()) if key[0] != "link" or value[1]["commit"]
    }
    rest = len(found) - len(counted)
    print(f"| {name} | {len(releases)} | {documents} | {len(counted)} | {rest} |", flush=True)
    for release, one in counted.values() if show else ():
        print(f"    {release} {one['file']}:{one['line']}: {one['message']}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("projects", nargs="*", default=sorted(PROJECTS))
    parser.add_argument("--show", action="store_true", help="print every finding")
    parser.add_argument("--build-only", action="store_true")
    parser.add_argument("--speed", action="store_true", help="measure a generated repository")
    options = parser.parse_args()
    if options.speed:
        measure(options.folder.resolve())
        return
    for name in options.projects:
        repository = build(name, options.folder.resolve())
        if not options.build_only:
            report(name, repository, show=options.show)


if __name__ == "__main__":
    main()
