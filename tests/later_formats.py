"""A graph as other tools write it in formats 2.3 to 3.0, with the baselines that they record."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path

from support import write

SHARED = ("responsibility.md", "interface.md")
ARTIFACTS = (*SHARED, "internals.md")
ARTIFACTS_SECTION = """\
artifacts:
  responsibility.md: {required: always, description: What it does, included_in_relations: true}
  interface.md:
    required: {when: has_incoming_relations}
    description: What it offers
    included_in_relations: true
  internals.md: {required: never, description: How it works}
"""
TEXT = "Fifty characters, which is the least that a text has to say here.\n"
FLOW_TEXT = "".join(
    f"# {title}\n\nText.\n\n"
    for title in (
        *("Business context", "Trigger", "Goal", "Participants"),
        *("Paths", "Happy path", "Invariants across all paths"),
    )
)


def config(version: str, *, quality: str = "", artifacts: str = ARTIFACTS_SECTION) -> str:
    """Write a configuration of a version."""
    types = "node_types:\n  module: {description: A domain}\n  service: {description: A part}\n"
    return f'version: "{version}"\nname: Music\n{types}{artifacts}{quality}'


BUDGET = "quality:\n  context_budget: {warning: 10000, error: 20000, own_warning: 5000}\n"
WIDE = f"{BUDGET}  max_mapping_source_files: 10\n"
# What each format adds, by name: the configuration, whether there are descriptions, and the key
# of a flow that lists the nodes.
FORMATS: dict[str, tuple[str, bool, str]] = {
    "2.0.0": (config("2.0.0"), False, "nodes"),
    "2.3.0": (config("2.3.0"), False, "nodes"),
    "2.4.0": (config("2.4.0"), False, "nodes"),
    "2.5.0": (config("2.5.0", quality=BUDGET), False, "nodes"),
    "2.5.1": (config("2.5.1", quality=BUDGET), False, "participants"),
    "2.6.0": (config("2.6.0", quality=BUDGET), True, "nodes"),
    "2.0.0 with keys of 2.6": (config("2.0.0", quality=BUDGET), True, "participants"),
    "2.8.0": (config("2.8.0", quality=WIDE), True, "nodes"),
    "2.12.0": (config("2.12.0", quality=WIDE), True, "nodes"),
    "3.0.0": (config("3.0.0", quality=WIDE, artifacts=""), True, "nodes"),
    "3.0.0 with artifacts": (config("3.0.0", quality=WIDE), True, "nodes"),
}
NAMED = {  # the format as `status` and `validate` name it; empty: they do not
    "2.0.0": "",
    "2.0.0 with keys of 2.6": "2.6 (yg-config.yaml says 2.0.0)",
    "3.0.0 with artifacts": "3.0.0",
}
MODEL = {  # the type and the other keys of each node
    "app": ("module", "aspects: [{aspect: audit}]\n"),
    "app/player": (
        "service",
        (
            "relations:\n"
            "  - {target: library/catalog, type: calls, consumes: [find], failure: stays silent}\n"
            "  - {target: mail/sender, type: emits, event_name: Played}\n"
            "mapping:\n  paths:\n    - src/player/\n"
        ),
    ),
    "library": ("module", ""),
    "library/catalog": ("service", "mapping:\n  paths: [src/catalog.py]\n"),
    "mail": ("module", ""),
    "mail/sender": (
        "service",
        (
            "relations: [{target: app/player, type: listens, event_name: Played}]\n"
            "mapping:\n  paths: [src/mail.py]\n"
        ),
    ),
    "old": ("service", "blackbox: true\nmapping:\n  paths: [src/old.py]\n"),
}
SOURCES = {
    "src/player/play.py": "import os\n\n\ndef play() -> None:\n    os.sync()\n",
    "src/player/stop.py": "STOP = 1\n",
    "src/catalog.py": "def find() -> int:\n    return 1\n",
    "src/mail.py": "def send() -> None:\n    pass\n",
    "src/old.py": "x = 1\n",
}


def graph_files(name: str) -> dict[str, str]:
    """Return the files of the graph in a format."""
    settings, has_descriptions, participants = FORMATS[name]
    files = {"yg-config.yaml": settings, "aspects/audit/yg-aspect.yaml": "name: Audit\n"}
    schemas = ("config", "node", "aspect", "flow")
    files |= {f"schemas/yg-{kind}.yaml": "# theirs\n" for kind in schemas}
    files |= {"agent-rules.md": "# Rules\n", ".gitignore": "x\n"}
    files["aspects/audit/content.md"] = TEXT
    flow = "description: From the click to the sound\n" if has_descriptions else ""
    files["flows/listen/yg-flow.yaml"] = (
        f"name: Listen\n{flow}{participants}:\n  - app/player\n  - library/catalog\n"
    )
    files["flows/listen/description.md"] = FLOW_TEXT
    for path, (kind, rest) in MODEL.items():
        described = f"description: About {path}\n" if has_descriptions else ""
        files[f"model/{path}/yg-node.yaml"] = f"name: {path}\ntype: {kind}\n{described}{rest}"
        for artifact in ARTIFACTS:
            files[f"model/{path}/{artifact}"] = f"{path} {artifact}: {TEXT}"
    return {f".yggdrasil/{path}": text for path, text in files.items()}


def lineage(path: str) -> list[str]:
    """Return the nodes above a path."""
    parts = path.split("/")
    return ["/".join(parts[:at]) for at in range(1, len(parts))]


def tracked(path: str) -> list[str]:
    """Return the graph files that tools of 2.4 to 3.0 track for a node."""
    found: list[str] = []
    for own in (*lineage(path), path):
        found += [f"model/{own}/{file}" for file in ("yg-node.yaml", *ARTIFACTS)]
    if path.startswith("app"):
        found += ["aspects/audit/yg-aspect.yaml", "aspects/audit/content.md"]
    if path in ("app/player", "library/catalog"):
        found += ["flows/listen/yg-flow.yaml", "flows/listen/description.md"]
    targets = {"app/player": ("library/catalog", "mail/sender"), "mail/sender": ("app/player",)}
    for target in targets.get(path, ()):
        for shared in (target, *lineage(target)):
            found += [f"model/{shared}/{file}" for file in SHARED]
    return [f".yggdrasil/{file}" for file in dict.fromkeys(found)]


MAPPED = {
    "app/player": ("src/player/play.py", "src/player/stop.py"),
    "library/catalog": ("src/catalog.py",),
    "mail/sender": ("src/mail.py",),
    "old": ("src/old.py",),
}


def baseline(root: Path, files: Iterable[str], *, has_crlf: bool = False) -> str:
    """Write a baseline as these tools do: digests of bytes, which may have come from Windows."""
    digests = {}
    for file in files:
        content = (root / file).read_bytes()
        content = content.replace(b"\n", b"\r\n") if has_crlf else content
        digests[file] = sha256(content).hexdigest()
    lines = "\n".join(f"{file}:{digest}" for file, digest in sorted(digests.items()))
    times = dict.fromkeys(digests, 1774780800000.25)
    return json.dumps(
        {"hash": sha256(lines.encode()).hexdigest(), "files": digests, "mtimes": times}, indent=2
    )


def repository(
    root: Path, name: str, *, has_crlf: bool = False, has_blackbox: bool = False
) -> Path:
    """Write the graph in a format, with its sources and baselines; a blackbox may have none."""
    write(root, {**graph_files(name), **SOURCES})
    states = {
        f".yggdrasil/.drift-state/{node}.json": baseline(
            root, [*tracked(node), *mapped], has_crlf=has_crlf
        )
        for node, mapped in MAPPED.items()
        if has_blackbox or node != "old"
    }
    return write(root, states)


def bytes_below(root: Path, folder: str = ".yggdrasil") -> Mapping[str, bytes]:
    """Return the content of each file of a folder."""
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted((root / folder).rglob("*"))
        if path.is_file()
    }
