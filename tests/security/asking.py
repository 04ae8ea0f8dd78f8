"""Ask every command about a repository, and see that each ends with an answer or a refusal."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from graphs import NODE, SCHEMAS
from yg.surfaces.cli.main import BUG, Outcome, answer

PATIENCE = 20  # seconds; what waits for a pipe would wait for ever
LINES = (
    "validate",
    "validate --json",
    "validate --format sarif",
    "build-context a",
    "build-context a --lenient --json",
    "build-context a --why",
    "build-context --file src/a.py",
    "tree",
    "tree --json",
    "aspects",
    "flows",
    "owner src/a.py src src/gone.py .yggdrasil/model/a/responsibility.md",
    "coverage",
    "coverage --uncovered --json",
    "explain E001",
)
TEXT = "Does what has to be done, and nothing else that anybody could think of.\n"
SHOP: dict[str, str | bytes] = {
    **SCHEMAS,
    "yg-config.yaml": "name: shop\nnode_types: {service: {description: S}}\n"
    "artifacts: {responsibility.md: {included_in_relations: true}}\n",
    "aspects/z/yg-aspect.yaml": "name: Z\n",
    "aspects/z/content.md": TEXT,
    "flows/f/yg-flow.yaml": "name: F\nnodes: [a]\n",
    "flows/f/description.md": TEXT,
    "model/a/yg-node.yaml": f"{NODE}mapping: {{paths: [src]}}\naspects: [{{aspect: z}}]\n",
    "model/a/responsibility.md": TEXT,
    "model/b/yg-node.yaml": f"{NODE}relations: [{{target: a, type: calls}}]\n",
    "model/b/responsibility.md": TEXT,
    "src/a.py": "a = 1\n",
    "other/b.py": "b = 1\n",
}


@contextmanager
def in_time() -> Iterator[None]:
    """Raise TimeoutError in what takes too long."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise TimeoutError("it waits for something")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def ask(root: Path, line: str | Sequence[str], *options: str) -> Outcome:
    """Answer a command line about a repository; a bug is none."""
    name, *words = line.split() if isinstance(line, str) else line
    with in_time():
        outcome = answer([name, "-C", str(root), *options, *words])
    assert outcome.code in (0, 1), f"{line}: {outcome.notes}"
    assert outcome.code != BUG
    return outcome


def ask_all(root: Path, *options: str) -> dict[str, Outcome]:
    """Answer every line."""
    return {line: ask(root, line, *options) for line in LINES}
