"""Measure what a reader is shown in fixed sessions, in characters.

    python benchmarks/session.py
    python benchmarks/session.py tasks

The first is a reader who needs the context of ten nodes, one after the other.

Three ways to ask: for each node alone; for each node with `--have` of all nodes before it; for all
nodes in one package. The last column is what cannot be saved: each document of these packages
once, without tags and relations. The nodes are fixed, in the order of their paths: ten of one
folder of our own graph, and all of the example that are not blackboxes.

`tasks` are twelve questions about our own code, each answered in three ways. A reader of the code
alone reads files whole, and knows at once which ones. Before packages could be taken by the piece,
a reader of the graph read the package of the node and the files with the answer. Now the reader
searches, looks at the outline of the package, takes the documents that help, and has the functions
shown that the answer needs (whole files if there is no `yg show`). Nobody reads anything twice.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

REPOSITORY = Path(__file__).parent.parent
PARTS = "package drafting drift queries code model owners questions read rules"
OWN = [f"yggdrasil/{name}" for name in PARTS.split()]
SHOP = (
    "email-service inventory inventory/inventory-service orders orders/order-service "
    "orders/pricing payments payments/payment-service shared shared/money"
).split()
GRAPHS = {"yg": (REPOSITORY, OWN), "examples/shop": (REPOSITORY / "examples" / "shop", SHOP)}


class Task(NamedTuple):
    """A question, and what a reader takes to answer it."""

    question: str
    words: str  # searched for
    node: str
    documents: str  # of the node that help, by their first letters
    names: dict[str, str]  # the parts of each file that have the answer
    others: str = ""  # more files that a reader of the code alone reads


DOCUMENTS = {"r": "responsibility.md", "f": "interface.md", "n": "internals.md"}
SOURCE = "src/yg"
TASKS = (
    Task(
        "How are tokens estimated, and when are they counted?",
        "tokenizer estimate",
        "kernel/packages",
        "f",
        {"kernel/package.py": "tokens_of Budget", "kernel/tokens.py": "count_tokens"},
    ),
    Task(
        "What does --have leave out, and what is shown all the same?",
        "have package reader",
        "kernel/packages",
        "n",
        {
            "kernel/view.py": "leave_out_known _shortened",
            "yggdrasil/package/blocks.py": "Block.identity Block.is_always_shown",
        },
        "commands/build_context/__init__.py",
    ),
    Task(
        "In which order are the results of a search?",
        "search rank score",
        "kernel/questions",
        "f",
        {
            "disk/index/fulltext.py": "FullText.search FullText._fewest_lacking",
            "kernel/find.py": "Query",
        },
    ),
    Task(
        "When is a stored result of the index no longer valid?",
        "stored result valid",
        "disk/index",
        "n",
        {
            "disk/index/results.py": "Results._is_valid Results.get",
            "disk/index/changes.py": "ChangeKind",
            "disk/index/used.py": "UsedPaths.compare",
        },
        "disk/index/directories.py",
    ),
    Task(
        "Which errors refuse a package, and which does --lenient let pass?",
        "lenient refuse errors",
        "yggdrasil/rules",
        "fn",
        {
            "commands/refusal.py": "refuse_errors",
            "yggdrasil/rules/blocking.py": "errors_of errors_around _blocking",
        },
    ),
    Task(
        "How is the class of a change of a source file found?",
        "class change compare",
        "code",
        "fn",
        {"code/change_class.py": "ChangeClass compare _whole"},
        "code/facts.py",
    ),
    Task(
        "How are the arguments of a call by an agent checked?",
        "arguments call checked",
        "surfaces/mcp",
        "n",
        {"commands/arguments.py": "checked Argument.read", "surfaces/mcp/calls.py": "call_tool"},
    ),
    Task(
        "What does a selector of --only match?",
        "selector only heading",
        "kernel/packages",
        "f",
        {"kernel/selection.py": "Selector _split _named _spans"},
        "kernel/view.py",
    ),
    Task(
        "Which node owns a file that two mappings cover?",
        "owner mapping nearest",
        "yggdrasil/owners",
        "fn",
        {"yggdrasil/owners.py": "Ownership"},
        "commands/owner.py",
    ),
    Task(
        "What happens if the reader of the output is gone, or the disk is full?",
        "closed pipe disk",
        "surfaces/cli",
        "n",
        {"surfaces/cli/streams.py": "answer _write"},
        "surfaces/cli/main.py",
    ),
    Task(
        "In which order do aspects apply to a node?",
        "effective aspects order",
        "yggdrasil/package",
        "fn",
        {"yggdrasil/resolve.py": "effective_aspects _declared_aspects declarations"},
        "yggdrasil/editions.py",
    ),
    Task(
        "How is a write finished that a crash has interrupted?",
        "journal interrupted write",
        "disk/writing",
        "fn",
        {"disk/writing/journal.py": "commit recover complete _undone"},
        "disk/writing/generation.py",
    ),
)


def yg(root: Path, *arguments: str) -> str:
    """Return what `yg` prints."""
    settings = {**os.environ, "PYTHONUTF8": "1"}
    command = [sys.executable, "-m", "yg", *arguments]
    done = subprocess.run(
        command, cwd=root, env=settings, capture_output=True, check=True, encoding="utf-8"
    )
    return done.stdout


def package(root: Path, *arguments: str) -> str:
    """Return what `yg build-context` prints."""
    return yg(root, "build-context", *arguments)


def source(file: str) -> int:
    """Return the characters of a file."""
    return len((REPOSITORY / SOURCE / file).read_text(encoding="utf-8"))


def code_alone(task: Task) -> int:
    """Return what a reader of the code alone reads."""
    return sum(map(source, (*task.names, *task.others.split())))


def before(task: Task) -> int:
    """Return what a reader of packages and files read."""
    return len(package(REPOSITORY, task.node)) + sum(map(source, task.names))


def now(task: Task, *, has_show: bool) -> int:
    """Return what a reader of pieces reads."""
    found = yg(REPOSITORY, "find", *task.words.split(), "--limit", "3")
    outline = package(REPOSITORY, task.node, "--outline")
    only = [f"--only=own::{DOCUMENTS[letter]}" for letter in task.documents]
    read = len(found) + len(outline) + len(package(REPOSITORY, task.node, *only))
    if not has_show:
        return read + sum(map(source, task.names))
    wanted = [
        f"{SOURCE}/{file}::{name}" for file in task.names for name in task.names[file].split()
    ]
    return read + len(yg(REPOSITORY, "show", *wanted))


def print_tasks() -> None:
    """Print the table of the tasks."""
    from yg_old.commands.table import BY_NAME

    print("| question | code alone | package and files | pieces |")
    print("| --- | ---: | ---: | ---: |")
    rows = [
        (code_alone(task), before(task), now(task, has_show="show" in BY_NAME)) for task in TASKS
    ]
    for task, sizes in zip(TASKS, rows, strict=True):
        print(f"| {task.question} | {' | '.join(f'{size:,}' for size in sizes)} |")
    alone, *others = (sum(column) for column in zip(*rows, strict=True))
    cells = (f"{size:,} ({100 * size / alone:.0f} %)" for size in others)
    print(f"| all | {alone:,} | {' | '.join(cells)} |")


def measure(root: Path, nodes: Sequence[str]) -> tuple[int, ...]:
    """Return the characters shown in the three ways, and those of all documents."""
    alone = sum(len(package(root, node)) for node in nodes)
    known = 0
    for number, node in enumerate(nodes):
        have = [word for earlier in nodes[:number] for word in ("--have", earlier)]
        known += len(package(root, node, *have))
    return alone, known, len(package(root, *nodes)), documents(root, nodes)


def documents(root: Path, nodes: Sequence[str]) -> int:
    """Return the characters of all documents in the packages of some nodes, each counted once."""
    blocks = [
        block for node in nodes for block in json.loads(package(root, node, "--json"))["blocks"]
    ]
    texts = {item["path"]: item["text"] for block in blocks for item in block["documents"]}
    return sum(map(len, texts.values()))


def main() -> None:
    """Print a table."""
    if sys.argv[1:] == ["tasks"]:
        print_tasks()
        return
    print("| graph | each alone | with `--have` | all at once | each document once |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name, (root, nodes) in GRAPHS.items():
        alone, *others = measure(root, nodes)
        cells = (f"{size:,} ({100 * size / alone:.0f} %)" for size in others)
        print(f"| {name} | {alone:,} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
