"""Repositories that golden calls run in, built below a directory with the same bytes each time.

Sources of the stored corpora have `.txt` behind their names, so that nothing takes them for code
of this repository.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import zlib
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

HERE = Path(__file__).parent
DATA = HERE / "data"
OWN_COMMIT = "25b03dc1"
STORED_SUFFIX = ".py.txt"

GIT_ENVIRONMENT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Golden",
    "GIT_AUTHOR_EMAIL": "golden@example.invalid",
    "GIT_AUTHOR_DATE": "2024-01-02T03:04:05+0000",
    "GIT_COMMITTER_NAME": "Golden",
    "GIT_COMMITTER_EMAIL": "golden@example.invalid",
    "GIT_COMMITTER_DATE": "2024-01-02T03:04:05+0000",
    "TZ": "UTC",
}


class MissingCommitError(Exception):
    """The clone does not have the commit that the corpus `own` is made of."""


def git(root: Path, *arguments: str) -> bytes:
    """Run git in a directory without the configuration of the user; return what it prints."""
    environment = {"PATH": os.environ["PATH"], "HOME": os.devnull, **GIT_ENVIRONMENT}
    command = ["git", "-c", "core.autocrlf=false", *arguments]
    done = subprocess.run(command, cwd=root, env=environment, check=True, capture_output=True)
    return done.stdout


def commit(root: Path) -> None:
    """Make a directory a git repository with one commit."""
    git(root, "-c", "init.defaultBranch=main", "init", "-q")
    git(root, "add", "-A", "-f")
    git(root, "-c", "gc.auto=0", "commit", "-q", "-m", "Everything")


def write(root: Path, files: Mapping[str, str | bytes]) -> None:
    """Write files below a directory."""
    for name, content in files.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())


def stored(name: str, root: Path) -> None:
    """Copy a corpus that is stored as files."""
    for file in sorted((DATA / name).rglob("*")):
        if file.is_file():
            path = file.relative_to(DATA / name).as_posix()
            if path.endswith(STORED_SUFFIX):
                path = path.removesuffix(".txt")
            write(root, {path: file.read_bytes()})


def broken(root: Path) -> None:
    """Copy the faulty graph, and add the faults that cannot be stored as plain files."""
    stored("broken", root)
    model, aspects = ".yggdrasil/model", ".yggdrasil/aspects"
    conflict = "<<<<<<< HEAD\nOne.\n=======\nTwo.\n>>>>>>> other\n"
    write(
        root,
        {
            f"{model}/cart/interface.md": "Préis".encode("latin-1"),
            f"{model}/listener/internals.md": conflict,
            f"{aspects}/audit/picture.png": b"\x89PNG\0\0",
            f"{aspects}/Audit/yg-aspect.yaml": "name: Audit again\n",
        },
    )
    (root / model / "orders" / "interface.md").symlink_to("notes.md")


# What 0.3.0 knows besides the specification, in the configuration and in declarations.
OWN_KEYS = {
    "yg-config.yaml": ("code", "coverage", "decisions", "drift", "hooks", "rules"),
    "yg-node.yaml": (
        *("artifacts", "decisions", "description"),
        *("documents", "drift", "external"),
    ),
    "yg-aspect.yaml": ("decisions", "documents"),
    "yg-flow.yaml": ("description",),
}


def without_keys(text: str, keys: Sequence[str]) -> str:
    """Remove keys at the left margin of a YAML text, with the lines inside them."""
    kept, is_inside = [], False
    for line in text.splitlines(keepends=True):
        if line[:1] not in (" ", "\n", "#", "-"):
            is_inside = line.partition(":")[0] in keys
        if not is_inside:
            kept.append(line)
    return "".join(kept)


def own(root: Path) -> None:
    """Take this repository at a fixed commit, with only the keys of the specification."""
    known = subprocess.run(
        ["git", "-C", HERE, "cat-file", "-e", f"{OWN_COMMIT}^{{commit}}"],
        check=False,
        capture_output=True,
    )
    if known.returncode != 0:
        raise MissingCommitError(f"commit {OWN_COMMIT} is not in this clone")
    top = Path(os.fsdecode(git(HERE, "rev-parse", "--show-toplevel")).rstrip("\n"))
    archive = git(top, "archive", "--format=tar", OWN_COMMIT)
    root.mkdir(parents=True, exist_ok=True)
    subprocess.run(["tar", "-x", "-C", root], input=archive, check=True)
    graph = root / ".yggdrasil"
    shutil.rmtree(graph / ".drift-state", ignore_errors=True)
    for name, keys in OWN_KEYS.items():
        for file in graph.rglob(name):
            file.write_text(without_keys(file.read_text(encoding="utf-8"), keys), encoding="utf-8")


NODES, ASPECTS, FLOWS, BRANCHES, FAN_OUT = 1000, 12, 12, 10, 3
SYLLABLES = ("der", "dex", "bel", "port", "quo", "ta", "men", "voice", "gate", "sig", "rou", "te")
WORDS = tuple(f"{first}{second}" for first in ("or", "in", "pay") for second in SYLLABLES)
KINDS = ("uses", "calls", "extends", "implements")
CONFIG = """\
version: "2.2.0"
name: synthetic
node_types:
  module: {description: "A domain"}
  service: {description: "A component of a domain"}
artifacts:
  responsibility.md: {required: always, description: "What it does", included_in_relations: true}
  interface.md:
    required: {when: has_incoming_relations}
    description: "What others may rely on"
    included_in_relations: true
  internals.md: {required: never, description: "How it works"}
quality:
  max_direct_relations: 8
  context_budget: {warning: 2000, error: 4000}
"""
HEADINGS = ("Business context", "Trigger", "Goal", "Participants", "Paths", "Happy path")


def pick(below: int, *about: object) -> int:
    """Choose a number below a limit, always the same one for the same subject."""
    return zlib.crc32(repr(about).encode()) % below


def prose(lines: int, *about: object) -> str:
    """Return sentences of words, always the same ones for the same subject."""
    sentences = [
        " ".join(WORDS[pick(len(WORDS), *about, line, at)] for at in range(9))
        for line in range(lines)
    ]
    return "".join(f"{sentence.capitalize()}.\n" for sentence in sentences)


def node_paths() -> list[str]:
    """Name nodes level by level, three levels deep."""
    names = [f"n{at:04d}" for at in range(NODES)]
    paths = names[:BRANCHES]
    paths += [f"{paths[at % BRANCHES]}/{names[at]}" for at in range(BRANCHES, 100)]
    paths += [f"{paths[10 + at % 90]}/{names[at]}" for at in range(100, NODES)]
    return paths


def relations_of(at: int, paths: list[str]) -> list[str]:
    """Relate a node to a few with lower numbers, so that there is no cycle."""
    chosen = {pick(at, "target", at, turn) for turn in range(FAN_OUT)} if at else set()
    targets = [paths[to] for to in sorted(chosen) if not paths[at].startswith(f"{paths[to]}/")]
    return [
        f"  - target: {target}\n    type: {KINDS[pick(len(KINDS), 'kind', at, target)]}\n"
        f"    consumes: [{WORDS[pick(len(WORDS), 'first', target)]}]\n"
        for target in targets
    ]


def synthetic(root: Path) -> None:
    """Generate a graph of a thousand nodes; some of its packages are above the thresholds."""
    graph = ".yggdrasil"
    files = {f"{graph}/yg-config.yaml": CONFIG}
    for kind in ("node", "aspect", "flow"):
        files[f"{graph}/schemas/yg-{kind}.yaml"] = f"# the shape of a {kind}\n"
    for at in range(ASPECTS):
        folder = f"{graph}/aspects/aspect{at:02d}"
        implied = f"implies: [aspect{at - 1:02d}]\n" if at % 4 == 3 else ""
        files[f"{folder}/yg-aspect.yaml"] = f"name: Aspect {at}\n{implied}"
        files[f"{folder}/content.md"] = prose(4, "aspect", at)
    paths = node_paths()
    relations = [relations_of(at, paths) for at in range(NODES)]
    for at in range(0, NODES, 25):
        source, target = pick(NODES, "emits", at), pick(NODES, "listens", at)
        event = f"    event_name: Event{at}\n"
        relations[source].append(f"  - target: {paths[target]}\n    type: emits\n{event}")
        if at % 100:
            relations[target].append(f"  - target: {paths[source]}\n    type: listens\n{event}")
    for at, path in enumerate(paths):
        files |= node_files(at, path, relations[at])
    for at in range(FLOWS):
        folder = f"{graph}/flows/flow{at:02d}"
        members = sorted({paths[pick(NODES, "member", at, turn)] for turn in range(5)})
        nodes = "".join(f"  - {path}\n" for path in members)
        aspects = f"aspects: [aspect{at:02d}]\n" if at % 3 == 0 else ""
        files[f"{folder}/yg-flow.yaml"] = f"name: Flow {at}\nnodes:\n{nodes}{aspects}"
        files[f"{folder}/description.md"] = flow_text(at, members)
    write(root, files)


def node_files(at: int, path: str, relations: list[str]) -> dict[str, str]:
    """Return the declaration, the texts and the source of one node."""
    kind = "module" if path.count("/") == 0 else "service"
    parts = [f"name: {path.rpartition('/')[2].upper()}\ntype: {kind}\n"]
    if at % 3 == 0:
        parts.append(f"aspects:\n  - aspect: aspect{pick(ASPECTS, 'aspect of', at):02d}\n")
    if relations:
        parts.append("relations:\n" + "".join(relations))
    parts.append(f"mapping:\n  paths:\n    - src/{path}.py\n")
    folder = f".yggdrasil/model/{path}"
    texts = {
        f"{folder}/responsibility.md": prose(3, "responsibility", at),
        f"{folder}/interface.md": prose(4, "interface", at),
    }
    if at % 2:
        texts[f"{folder}/internals.md"] = prose(3, "internals", at)
    source = f'"""{path}."""\n\n\ndef run(value: int) -> int:\n    return value + {at}\n'
    return {f"{folder}/yg-node.yaml": "".join(parts), **texts, f"src/{path}.py": source}


def flow_text(at: int, members: list[str]) -> str:
    """Return the description of a flow, with all the sections that one needs."""
    parts = []
    for heading in HEADINGS:
        level = "###" if heading == "Happy path" else "##"
        parts.append(f"{level} {heading}\n\n")
        if heading == "Participants":
            parts += [f"- `{path}`: {prose(1, 'part', at, path)}" for path in members]
        elif heading != "Paths":
            parts.append(prose(2, heading, at))
    rules = prose(2, "invariants", at)
    return "".join([*parts, f"## Invariants across all paths\n\n{rules}"])


CORPORA: dict[str, Callable[[Path], None]] = {
    "shop": partial(stored, "shop"),
    "shop-0x": partial(stored, "shop-0x"),
    "spec-shop": partial(stored, "spec-shop"),
    "broken": broken,
    "own": own,
    "synthetic": synthetic,
}


def build(name: str, root: Path) -> None:
    """Write one corpus below a directory that does not exist, and commit it."""
    root.mkdir(parents=True)
    CORPORA[name](root)
    commit(root)
