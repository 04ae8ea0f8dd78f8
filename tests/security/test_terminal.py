"""A hostile graph cannot play with a terminal, and a pipe gets packages byte for byte.

Every command of the table runs in repositories whose names, texts and files are full of control
characters, with real terminals as its streams.
"""

from __future__ import annotations

import json
import os
import pty
import re
import shutil
import subprocess
import sys
import tty
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Thread

import pytest

from forked import shared
from support import git, write
from yg.commands.table import COMMANDS
from yg.surfaces.cli.requests import parser_of

pytestmark = pytest.mark.slow

CONTROLS = "".join(
    chr(code)
    for start, end in (
        (0x00, 0x08),
        (0x0B, 0x1F),
        (0x7F, 0x9F),
        (0x061C, 0x061C),
        (0x200E, 0x200F),
        (0x202A, 0x202E),
        (0x2066, 0x2069),
    )
    for code in range(start, end + 1)
)
# What our own colours look like to a terminal, and nothing else.
COLOUR = re.compile(r"\x1b\[(?:0|1|2|31;1|33;1)m")
PROGRESS = re.compile(r"\r(?:Hashing files: \d+ of \d+)?\x1b\[K")  # shown on slow machines only
# Our red, a window title, a return, a backspace, C1, DEL, and what changes the order of text.
EVIL = "\x1b[31;1mE\x1b]0;t\x07\r\x08\x9b2J\x7f\u202e\u2066\u202a\u200f\u061c"
RAW = f"# Raw {EVIL}\n\ttab\n{CONTROLS}\n".replace("\0", "")  # a file with NUL is binary
QUOTED = json.dumps(EVIL).replace("\x7f", "\\u007f")  # as YAML and JSON may hold it
GONE = f"gone{EVIL}"

CONFIG = f"""\
version: "2.2.0"
name: {QUOTED}
node_types:
  service: {{description: {QUOTED}}}
  {QUOTED}: {{description: {QUOTED}}}
artifacts:
  responsibility.md: {{required: always, description: {QUOTED}, included_in_relations: true}}
  interface.md: {{required: never, description: {QUOTED}, included_in_relations: true}}
"""
NODE = f"""\
name: {QUOTED}
type: {QUOTED}
aspects: [{{aspect: {QUOTED}, exceptions: [{QUOTED}], anchors: [{QUOTED}]}}]
mapping: {{paths: [{json.dumps(f"src/{EVIL}").replace(chr(0x7F), "x")}, src/plain.py]}}
relations:
  - {{target: plain, type: uses, consumes: [{QUOTED}], failure: {QUOTED}}}
  - {{target: plain, type: emits, event_name: {QUOTED}}}
"""
SOUND = {
    ".yggdrasil/yg-config.yaml": CONFIG,
    f".yggdrasil/model/{EVIL}/yg-node.yaml": NODE,
    f".yggdrasil/model/{EVIL}/responsibility.md": RAW,
    f".yggdrasil/model/{EVIL}/below/yg-node.yaml": f"name: {QUOTED}\ntype: service\n",
    f".yggdrasil/model/{EVIL}/below/responsibility.md": RAW,
    ".yggdrasil/model/plain/yg-node.yaml": f"name: {QUOTED}\ntype: service\nblackbox: true\n",
    ".yggdrasil/model/plain/responsibility.md": RAW,
    ".yggdrasil/model/plain/interface.md": RAW,
    f".yggdrasil/aspects/{EVIL}/yg-aspect.yaml": f"name: {QUOTED}\ndescription: {QUOTED}\n",
    f".yggdrasil/aspects/{EVIL}/content.md": RAW,
    f".yggdrasil/flows/{EVIL}/yg-flow.yaml": f"name: {QUOTED}\nnodes: [{QUOTED}, plain]\n",
    f".yggdrasil/flows/{EVIL}/description.md": RAW,
    f"src/{EVIL}/{EVIL}.py": RAW,
    "src/plain.py": "",
    f"{EVIL}.py": "",
}
BROKEN: dict[str, str | bytes] = {
    ".yggdrasil/yg-config.yaml": f"{CONFIG}{QUOTED}: 1\nquality: {{{QUOTED}: 1}}\n",
    f".yggdrasil/model/{EVIL}/yg-node.yaml": f"""\
name: {QUOTED}
type: {json.dumps(f"no type {GONE}").replace(chr(0x7F), "")}
{QUOTED}: 1
aspects: [{{aspect: {QUOTED}}}]
mapping: {{paths: [{QUOTED}, {QUOTED}]}}
relations:
  - {{target: {QUOTED}, type: {QUOTED}}}
  - {{target: gone, type: uses}}
  - {{target: plain, type: uses}}
""",
    f".yggdrasil/model/{EVIL}/bad/yg-node.yaml": f"name: [{EVIL}\n",
    f".yggdrasil/model/{EVIL}/binary/yg-node.yaml": b"\xff\x1b[2J",
    f".yggdrasil/model/{EVIL}/empty/{EVIL}.md": RAW,
    ".yggdrasil/model/plain/yg-node.yaml": f"""\
name: {QUOTED}
type: service
relations:
  - {{target: {QUOTED}, type: uses}}
  - {{target: gone, type: uses}}
""",
    f".yggdrasil/flows/{EVIL}/yg-flow.yaml": f"name: {QUOTED}\nnodes: [{QUOTED}, gone]\n",
    f".yggdrasil/aspects/{EVIL}/yg-aspect.yaml": f"name: a\nimplies: [{QUOTED}]\n",
    f".yggdrasil/.drift-state/{EVIL}.json": f'{{"hash": {QUOTED}, "files": {{{QUOTED}: {QUOTED}}}',
    f".yggdrasil/.drift-state/{EVIL}/x.json": f'{{"hash": {QUOTED}, "files": {{{QUOTED}: "1"}}}}',
    f"src/{EVIL}.py": "",
}
EDITION_0X = {
    "yggdrasil/config.yaml": f"name: {QUOTED}\nstack: {{{QUOTED}: {QUOTED}}}\n",
    f"yggdrasil/{EVIL}/node.yaml": f"""\
name: {QUOTED}
type: {QUOTED}
tags: [{QUOTED}]
mapping: src/plain.py
relations:
  - {{target: plain, type: uses}}
""",
    f"yggdrasil/{EVIL}/description.md": RAW,
    f"yggdrasil/{EVIL}/{EVIL}.md": RAW,
    "yggdrasil/plain/node.yaml": f"name: {QUOTED}\ntype: service\n",
    "yggdrasil/plain/description.md": RAW,
    f"yggdrasil/{EVIL}/bad/node.yaml": f"name: [{EVIL}\n",
    "src/plain.py": "",
}


def spec_node(name: str, kind: str, **fields: object) -> dict[str, str]:
    data = {"id": name, "type": kind, "title": f"{name} {EVIL}", **fields}
    return {f"specgraph/nodes/{name}.json": json.dumps(data)}


SPEC = {
    "specgraph/graph.json": json.dumps(
        {
            "specgraphVersion": "1.0.0",
            "nodes": [
                *({"id": name, "path": f"nodes/{name}.json"} for name in ("F-1", "B-1", "P-1")),
                {"id": f"X{EVIL}", "path": f"nodes/{EVIL}.json"},
                {"id": "BAD-1", "path": "nodes/bad.json"},
            ],
            EVIL: EVIL,
        }
    ),
    **spec_node("F-1", "feature", description=RAW, links={"contains": ["B-1"]}),
    **spec_node(
        "B-1",
        "behavior",
        expectation=RAW,
        constraints=[EVIL],
        verification=EVIL,
        metadata={"rationale": EVIL, EVIL: EVIL},
        links={"constrained_by": ["P-1"], "depends_on": [f"gone{EVIL}"], EVIL: [EVIL]},
    ),
    **spec_node("P-1", "policy", statement=RAW, severity="hard", verification=[EVIL]),
    "specgraph/nodes/bad.json": f'{{"id": "{EVIL}',
}
REPOSITORIES: dict[str, Mapping[str, str | bytes]] = {
    "sound": SOUND,
    "broken": BROKEN,
    "0.x": EDITION_0X,
    "spec": SPEC,
}
NODES = {"sound": EVIL, "broken": EVIL, "0.x": EVIL, "spec": "B-1"}
RAW_COMMANDS = ("brief", "build-context", "export", "inventory")  # whose answers are data
STATIC = ("completions", "explain", "mcp")  # no texts of a graph on a terminal
EMPTY = ("advise", "decisions")  # nothing to say about some of these graphs
# One runs until it is interrupted and writes an address alone; the other ends its process.
SERVERS = ("explore", "hook", "lsp")
# Commands for Spec Graphs: the other repositories are refused.
OTHER_GRAPHS = ("node", "link", "unlink", "pin", "lock", "verify")
HERE = "the node of the repository"
# What is named on the lines of a command; one that is new is called without anything.
OPERANDS: dict[str, list[tuple[str, ...]]] = {
    "draft": [("--add", "--root", EVIL), ("--add", "--dry-run"), ("--add",), ()],
    "new": [("flow", "f2", HERE, "--dry-run"), ("flow", "f2", HERE), ("node", HERE)],
    "mv": [
        (f"model/{HERE}", "plain", "--dry-run"),
        (HERE, HERE),
        (f"model/{HERE}", "plain"),
        ("plain", HERE),
    ],
    "rm": [
        (EVIL,),
        (HERE,),
        (HERE, "--force", "--dry-run"),
        (HERE, "--force"),
    ],
    "init": [
        ("--upgrade", "--dry-run"),
        ("--upgrade", "--platform", "codex"),
        ("-C", "new", "--name", EVIL),
        ("-C", GONE),
    ],
    "completions": [("bash",)],
    "build-context": [
        *((HERE,), (GONE,), (HERE, "--why"), (HERE, "--lenient")),
        *((HERE, "--at", "HEAD"), (HERE, "--at", GONE)),
        *(("--file", "src/plain.py"), ("--file", GONE)),
    ],
    "brief": [(HERE,), (GONE,), ("src/plain.py", f"{EVIL}.py")],
    "owner": [("src/plain.py", GONE, f"{EVIL}.py", f"src/{EVIL}/{EVIL}.py", f"../{EVIL}")],
    "deps": [(HERE,), (GONE,), ("plain",)],
    "uses": [("plain",), (GONE,), (f"{HERE}::plain",)],
    "impact": [
        *((HERE,), (GONE,), ("plain",), (HERE, "--method", EVIL)),
        *((HERE, "--simulate", "--show"), (HERE, "--simulate", "--since", GONE)),
        *(("--aspect", EVIL), ("--flow", EVIL), ("--aspect", GONE), ("--flow", GONE)),
        *(("--diff", "--show"), ("--diff", GONE)),
    ],
    "plan": [(HERE,), (GONE,), ("--changed",)],
    "find": [(EVIL,), ("raw", "plain", "gone")],
    "show": [(EVIL, "plain"), (GONE,), ("src/plain.py:1", f"{EVIL}.py:1"), (HERE, "--outline")],
    "tree": [(HERE,), (GONE,)],
    "export": [(HERE,), (GONE,), ("--repository", EVIL), ("--table", "edges")],
    "validate": [(HERE,), (GONE,)],
    "drift": [(HERE,), (GONE,), ("--file", GONE, "src/plain.py"), ("--limit", "1")],
    "drift-sync": [(HERE,), (GONE,), (HERE, "--recursive"), ("--all",)],
    "coverage": [("--uncovered",), ("--depth", "9")],
    "check-docs": [(GONE,), ("--fix",)],
    "preflight": [("--quick",)],
    "explain": [("E004",), (GONE,)],
    "node": [
        *(("show", HERE), ("show", GONE), ("set", HERE, "title", EVIL)),
        *(("add", "behavior", "B-9", "--title", EVIL, "--statement", RAW), ("remove", HERE)),
        *(("set", HERE, EVIL, EVIL, "--dry-run"), ("add", EVIL, EVIL)),
    ],
    "link": [(HERE, "depends_on", GONE), (HERE, EVIL, HERE), (HERE, "depends_on", HERE)],
    "unlink": [(HERE, "depends_on", GONE), (HERE, EVIL, HERE)],
    "pin": [(HERE,), (GONE,)],
    "lock": [("--dry-run",)],
    "inventory": [("--contracts",), ("--at", GONE)],
    "import": [
        *(("list",), ("add", EVIL, GONE), ("add", "x", ".")),
        *(("update",), ("update", GONE), (EVIL, EVIL)),
    ],
    "verify": [(HERE, "--dry-run"), (GONE,), (HERE, "--with-guides", "--dry-run")],
}


def calls(name: str, node: str) -> list[list[str]]:
    """Return lines of a command, in every format that it has."""
    command = next(command for command in COMMANDS if command.name == name)
    actions = parser_of(command).actions
    formats = next(
        (action.choices for action in actions if "--format" in action.option_strings), ()
    )
    options: list[tuple[str, ...]] = [("--format", form) for form in formats or ()] or [()]
    lines = [[name, *named] for named in [(), *OPERANDS.get(name, [])]]
    return [
        [*(word.replace(HERE, node) for word in line), *option]
        for line in lines
        for option in options
    ]


DRIVER = """\
import json, sys
from yg.surfaces.cli.main import main
codes = [main(argv) for argv in json.loads(sys.argv[1])]
with open(sys.argv[2], "w") as file:
    file.write(json.dumps(codes))
"""


class Ran:
    """What some commands wrote, and how each ended."""

    def __init__(self, out: str, err: str, codes: Sequence[int]) -> None:
        self.out = out
        self.err = err
        self.codes = codes


def started(root: Path, argvs: list[list[str]], **changes: str) -> tuple[list[str], dict[str, str]]:
    kept = {
        key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR")
    }
    argv = [*shared().python(DRIVER), json.dumps(argvs), str(root.with_suffix(".codes"))]
    return argv, {**kept, "TERM": "xterm", "SOURCE_DATE_EPOCH": "1", **changes}


def codes_of(root: Path) -> list[int]:
    codes: list[int] = json.loads(root.with_suffix(".codes").read_text(encoding="utf-8"))
    return codes


def on_terminals(root: Path, argvs: list[list[str]], **changes: str) -> Ran:
    """Run commands one after the other; two terminals get exactly what they write."""
    argv, environment = started(root, argvs, **changes)
    (out, out_end), (err, err_end) = pty.openpty(), pty.openpty()
    texts = {out: b"", err: b""}

    def collect(terminal: int) -> None:
        try:
            while piece := os.read(terminal, 1 << 16):
                texts[terminal] += piece
        except OSError:  # how a terminal says that nobody writes any more
            return

    readers = [Thread(target=collect, args=(terminal,)) for terminal in (out, err)]
    for end in (out_end, err_end):
        tty.setraw(end)  # otherwise it would turn every line feed into two characters
    with subprocess.Popen(
        argv, cwd=root, env=environment, stdin=subprocess.DEVNULL, stdout=out_end, stderr=err_end
    ):
        os.close(out_end)
        os.close(err_end)
        for reader in readers:
            reader.start()
        for reader in readers:
            reader.join()
    os.close(out)
    os.close(err)
    return Ran(texts[out].decode(), PROGRESS.sub("", texts[err].decode()), codes_of(root))


def through_pipes(root: Path, argvs: list[list[str]], **changes: str) -> Ran:
    """Run commands one after the other; files get what they write."""
    argv, environment = started(root, argvs, **changes)
    ran = subprocess.run(
        argv, cwd=root, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=True
    )
    return Ran(ran.stdout.decode(), ran.stderr.decode(), codes_of(root))


@pytest.fixture(scope="module")
def originals(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the hostile repositories, each with a commit and changes since."""
    place = tmp_path_factory.mktemp("hostile")
    for name, files in REPOSITORIES.items():
        root = write(place / name, files)
        (root / "new").mkdir()
        git(root, "init", "--quiet")
        git(root, "add", "--all")
        git(root, "commit", "--quiet", f"--message={name}")
        for path, text in files.items():
            if path.endswith((".md", ".py")):
                (root / path).write_text(f"changed\n{text!s}", encoding="utf-8")
    return place


def copy_of(root: Path, to: Path) -> Path:
    shutil.copytree(root, to, symlinks=True)
    return to


def controls_in(text: str) -> list[str]:
    """Return the lines that would make a terminal do something."""
    return [ascii(line) for line in text.split("\n") if not set(line).isdisjoint(CONTROLS)]


@pytest.mark.parametrize("repository", REPOSITORIES)
@pytest.mark.parametrize(
    "command", [command.name for command in COMMANDS if command.name not in SERVERS]
)
def test_no_control_character_of_a_graph_reaches_a_terminal(
    command: str, repository: str, originals: Path, tmp_path: Path
) -> None:
    if command in STATIC and repository != "sound":
        pytest.skip("the graph makes no difference to it")
    argvs, original = calls(command, NODES[repository]), originals / repository
    painted = on_terminals(copy_of(original, tmp_path / "1" / "root"), argvs)
    plain = on_terminals(copy_of(original, tmp_path / "2" / "root"), argvs, NO_COLOR="1")
    assert controls_in(plain.out) == controls_in(plain.err) == []
    assert COLOUR.sub("", painted.out) == plain.out
    assert COLOUR.sub("", painted.err) == plain.err
    assert painted.codes == plain.codes
    assert set(plain.codes) <= {0, 1, 2}
    is_json = command == "inventory"  # which has escapes of its own
    shows_names = command not in (*STATIC, *EMPTY, *OTHER_GRAPHS) and not is_json
    if shows_names and repository in ("sound", "broken"):
        assert "\\x1b[31;1mE" in plain.out + plain.err
        assert {0, 1} & set(plain.codes)


@pytest.mark.parametrize("repository", REPOSITORIES)
@pytest.mark.parametrize(
    "command", [command.name for command in COMMANDS if command.name not in (*STATIC, *SERVERS)]
)
def test_a_pipe_gets_control_characters_only_where_they_are_data(
    command: str, repository: str, originals: Path, tmp_path: Path
) -> None:
    argvs = calls(command, NODES[repository])
    ran = through_pipes(copy_of(originals / repository, tmp_path / "root"), argvs)
    assert controls_in(ran.err) == []
    if command not in RAW_COMMANDS:
        assert controls_in(ran.out) == []


def bytes_of(root: Path, *argv: str, **changes: str) -> bytes:
    """Return what a command writes into a pipe."""
    _, environment = started(root, [], **changes)
    start = [*shared().yg, *argv]
    return subprocess.run(start, cwd=root, env=environment, capture_output=True, check=True).stdout


@pytest.mark.parametrize("colour", ["0", "1"])
def test_a_pipe_gets_packages_byte_for_byte(originals: Path, tmp_path: Path, colour: str) -> None:
    root = copy_of(originals / "sound", tmp_path / "root")
    text = (root / f".yggdrasil/model/{EVIL}/responsibility.md").read_bytes()
    assert RAW.encode() in text
    for form in ("text", "markdown"):
        argv = ("build-context", EVIL, "--format", form)
        package = bytes_of(root, *argv, FORCE_COLOR=colour)
        assert text in package
        documents = json.loads(bytes_of(root, "build-context", EVIL, "--json"))["blocks"]
        own = next(block for block in documents if block["kind"] == "own-artifacts")
        assert own["documents"][1]["text"].encode() == text


def test_a_terminal_shows_a_package_with_escapes(originals: Path, tmp_path: Path) -> None:
    root = copy_of(originals / "sound", tmp_path / "root")
    shown = on_terminals(root, [["build-context", EVIL]]).out
    raw = bytes_of(root, "build-context", EVIL).decode()
    assert shown == re.sub(f"[{re.escape(CONTROLS)}]", lambda found: repr(found[0])[1:-1], raw)


def test_data_holds_the_same_text_in_a_pipe_and_on_a_terminal(
    originals: Path, tmp_path: Path
) -> None:
    root = copy_of(originals / "sound", tmp_path / "root")
    for argv in (["build-context", EVIL, "--json"], ["validate", "--format", "sarif"]):
        piped = bytes_of(root, *argv)
        assert on_terminals(root, [argv]).out.encode() == piped
        assert repr(EVIL)[1:-1] in str(json.loads(piped))


def test_the_traceback_of_a_bug_is_escaped(tmp_path: Path) -> None:
    start = (
        "import sys; import yg.surfaces.cli.main as program\n"
        f"def fail(*_): raise RuntimeError({EVIL!r})\n"
        "program._answered = fail\n"
        "sys.exit(program.main(['tree']))\n"
    )
    environment = {**os.environ, "YG_DEBUG": "1"}
    ran = subprocess.run(
        [sys.executable, "-c", start], env=environment, capture_output=True, check=False
    )
    assert ran.returncode == 70
    assert ran.stderr.startswith(b"Traceback ")
    assert controls_in(ran.stderr.decode()) == []
