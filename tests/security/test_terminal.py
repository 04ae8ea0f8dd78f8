"""A hostile graph cannot play with a terminal, forge a line, or change what a pipe gets.

Every command runs in repositories whose names, texts and files are full of control characters,
with real terminals as its streams.
"""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
import tty
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Thread

import pytest

from graphs import SCHEMAS, git, write
from yg.commands.table import BY_NAME, COMMANDS

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
COLOUR = re.compile(r"\x1b\[(?:0|1|2|31;1|33;1)m")  # our own, and nothing else
# Our red, a window title, a return, a backspace, C1, DEL, what changes the order of text, and
# a line that is none of ours.
FORGED = "E999 forged"
EVIL = f"\x1b[31;1mE\x1b]0;t\x07\r\x08\x9b2J\x7f\u202e\u2066\u202a\u200f\u061c\n{FORGED}\n"
TEXT = f"# Raw {CONTROLS.replace(chr(0), '')}\n\ttab\n"  # a file with NUL is binary
QUOTED = json.dumps(EVIL).replace("\x7f", "\\u007f")  # as YAML may hold it
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
PLAIN = f"name: {QUOTED}\ntype: service\ndescription: {QUOTED}\n"
SOUND: dict[str, str | bytes] = {
    "yg-config.yaml": CONFIG,
    f"model/{EVIL}/yg-node.yaml": f"""\
name: {QUOTED}
type: {QUOTED}
aspects: [{{aspect: {QUOTED}, exceptions: [{QUOTED}], anchors: [{QUOTED}]}}]
mapping: {{paths: [{json.dumps(f"src/{EVIL}").replace(chr(0x7F), chr(0x5C) + "u007f")}]}}
relations:
  - {{target: plain, type: uses, consumes: [{QUOTED}], failure: {QUOTED}}}
  - {{target: plain, type: emits, event_name: {QUOTED}, consumes: [{QUOTED}]}}
""",
    f"model/{EVIL}/responsibility.md": TEXT,
    f"model/{EVIL}/below/yg-node.yaml": PLAIN,
    f"model/{EVIL}/below/responsibility.md": TEXT,
    "model/plain/yg-node.yaml": PLAIN,
    "model/plain/responsibility.md": TEXT,
    "model/plain/interface.md": TEXT,
    f"aspects/{EVIL}/yg-aspect.yaml": f"name: {QUOTED}\ndescription: {QUOTED}\n",
    f"aspects/{EVIL}/{EVIL}.md": TEXT,
    f"aspects/{EVIL}/{EVIL}.png": b"\0",
    f"flows/{EVIL}/yg-flow.yaml": f"name: {QUOTED}\nnodes: [{QUOTED}]\naspects: [{QUOTED}]\n",
    f"flows/{EVIL}/description.md": TEXT,
    f"src/{EVIL}/{EVIL}.py": TEXT,
    f"{EVIL}.py": "",
}
BROKEN: dict[str, str | bytes] = {
    "yg-config.yaml": f"{CONFIG}{QUOTED}: 1\nquality: {{{QUOTED}: 1}}\n",
    f"model/{EVIL}/yg-node.yaml": f"""\
name: {QUOTED}
type: {json.dumps(GONE).replace(chr(0x7F), "")}
{QUOTED}: 1
aspects: [{{aspect: {QUOTED}}}]
mapping: {{paths: [{QUOTED}, {QUOTED}, "../{QUOTED[1:]}]}}
relations:
  - {{target: {QUOTED}, type: uses}}
  - {{target: gone, type: uses}}
""",
    f"model/{EVIL}/kind/yg-node.yaml": f"name: N\ntype: t\nrelations: [{{type: {QUOTED}}}]\n",
    f"model/{EVIL}/bad/yg-node.yaml": f"name: [{EVIL}\n",
    f"model/{EVIL}/twice/yg-node.yaml": f"{QUOTED}: 1\n{QUOTED}: 2\n? [{QUOTED}]\n: *{EVIL}\n",
    f"model/{EVIL}/binary/yg-node.yaml": b"\xff\x1b[2J",
    f"model/{EVIL}/empty/{EVIL}.md": TEXT,
    "model/plain/yg-node.yaml": PLAIN + "relations: [{target: x, type: uses}]\n",
    f"flows/{EVIL}/yg-flow.yaml": f"name: {QUOTED}\nnodes: [{QUOTED}, gone]\n",
    f"aspects/{EVIL}/yg-aspect.yaml": f"name: a\nimplies: [{QUOTED}]\nstability: {QUOTED}\n",
    f"aspects/{EVIL}/below/{EVIL}.md": TEXT,
    f"src/{EVIL}.py": "",
}
REPOSITORIES: dict[str, Mapping[str, str | bytes]] = {"sound": SOUND, "broken": BROKEN}
OPERANDS: dict[str, list[tuple[str, ...]]] = {
    "build-context": [
        *((), (EVIL,), (GONE,), (EVIL, "--lenient"), (EVIL, "plain", "--why"), (EVIL, EVIL)),
        *((EVIL, "--at", "HEAD"), (EVIL, "--at", GONE), (EVIL, "--only", EVIL)),
        *(("--file", f"src/{EVIL}/{EVIL}.py"), ("--file", GONE)),
    ],
    "tree": [(), (EVIL,), (GONE,), ("--depth", EVIL), ("-C", GONE), ("--kind", EVIL)],
    "aspects": [(), ("--format", EVIL), ("--at", GONE)],
    "flows": [(), (EVIL,)],
    "validate": [(), (EVIL,), (GONE,), ("--since", "HEAD"), ("--since", GONE), ("--at", GONE)],
    "owner": [(f"{EVIL}.py", GONE, f"src/{EVIL}/{EVIL}.py", f"../{EVIL}"), (f"--{EVIL}",)],
    "coverage": [(), ("--uncovered",)],
    "explain": [(), ("E004",), (GONE,), ("--schema", GONE)],
}
CALLS = [
    [name, *words, *form]
    for name in OPERANDS
    for words in OPERANDS[name]
    for form in [(), *(("--format", form) for form in BY_NAME[name].load().format_names[1:])]
] + [[EVIL], ["-C", EVIL]]
DATA = ("build-context", "aspects", "flows")  # with texts that pipes get as they are
DRIVER = """\
import json, os, sys
from yg.surfaces.cli.main import main
codes = []
for number, argv in enumerate(json.loads(sys.argv[1])):
    for stream in (1, 2):
        os.write(stream, f"= {number}\\n".encode())
    codes.append(main(argv))
with open(sys.argv[2], "w") as file:
    json.dump(codes, file)
"""


class Ran:
    """What each of some commands wrote, and how it ended."""

    def __init__(self, out: bytes, err: bytes, codes: Sequence[int]) -> None:
        self.out, self.err = (
            [*re.split(r"^= \d+\n", text.decode(), flags=re.MULTILINE)][1:] for text in (out, err)
        )
        self.codes = codes


def on_terminals(root: Path, argvs: Sequence[list[str]], **changes: str) -> Ran:
    """Run commands one after the other; two terminals get exactly what they write."""
    (out, out_end), (err, err_end) = pty.openpty(), pty.openpty()
    texts = {out: b"", err: b""}

    def collect(end: int) -> None:
        while True:
            try:
                piece = os.read(end, 1 << 16)
            except OSError:  # on Linux, when the other end is closed
                return
            if not piece:
                return
            texts[end] += piece

    for end in (out_end, err_end):
        tty.setraw(end)
    readers = [Thread(target=collect, args=(end,)) for end in texts]
    for reader in readers:
        reader.start()
    codes = driven(root, argvs, out_end, err_end, **changes)
    for end in (out_end, err_end):
        os.close(end)
    for reader in readers:
        reader.join()
    for end in texts:
        os.close(end)
    return Ran(texts[out], texts[err], codes)


def driven(root: Path, argvs: Sequence[list[str]], out: int, err: int, **changes: str) -> list[int]:
    kept = {key: value for key, value in os.environ.items() if not key.endswith("_COLOR")}
    codes = root.with_suffix(".codes")
    subprocess.run(
        [sys.executable, "-c", DRIVER, json.dumps(argvs), codes],
        cwd=root,
        env={**kept, "TERM": "xterm", **changes},
        stdin=subprocess.DEVNULL,
        stdout=out,
        stderr=err,
        check=True,
        timeout=120,
    )
    found: list[int] = json.loads(codes.read_text(encoding="utf-8"))
    return found


def through_files(root: Path, argvs: Sequence[list[str]], **changes: str) -> Ran:
    """Run commands one after the other; files get what they write."""
    out, err = root.with_suffix(".out"), root.with_suffix(".err")
    with out.open("wb") as one, err.open("wb") as two:
        codes = driven(root, argvs, one.fileno(), two.fileno(), **changes)
    return Ran(out.read_bytes(), err.read_bytes(), codes)


@pytest.fixture(scope="module", params=REPOSITORIES)
def root(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a hostile repository with a commit, and changes since."""
    name: str = request.param
    root = tmp_path_factory.mktemp("hostile") / name
    root.mkdir()
    files = {**SCHEMAS, **REPOSITORIES[name]}
    write(root, files)
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "one")
    changed = {path: text for path, text in files.items() if path.endswith((".md", ".py"))}
    write(root, {path: f"changed\n{text!s}" for path, text in changed.items()})
    return root


def with_controls(texts: Sequence[str]) -> dict[str, str]:
    """Return what would make a terminal do something, by command."""
    return {
        ascii(CALLS[at]): ascii(text)
        for at, text in enumerate(texts)
        if not set(text).isdisjoint(CONTROLS)
    }


def forged(texts: Sequence[str], but: Sequence[str] = ()) -> dict[str, str]:
    """Return what has a line that a name of the repository made up, by command."""
    return {
        ascii(CALLS[at]): ascii(text)
        for at, text in enumerate(texts)
        if re.search(f"^ *{FORGED}", text, re.MULTILINE) and CALLS[at][0] not in but
    }


def test_every_command_is_asked() -> None:
    assert set(OPERANDS) == {entry.name for entry in COMMANDS}


def test_no_control_character_of_a_graph_reaches_a_terminal(root: Path) -> None:
    painted = on_terminals(root, CALLS)
    plain = on_terminals(root, CALLS, NO_COLOR="1")
    assert with_controls(plain.out) == with_controls(plain.err) == {}
    assert [COLOUR.sub("", text) for text in painted.out] == plain.out
    assert [COLOUR.sub("", text) for text in painted.err] == plain.err
    assert painted.codes == plain.codes
    assert set(plain.codes) == {0, 1, 2}
    assert sum("\\x1b[31;1mE" in text for text in (*plain.out, *plain.err)) > len(OPERANDS)


def test_no_name_forges_a_line_or_a_control_character_where_no_data_is_asked_for(
    root: Path,
) -> None:
    ran = through_files(root, CALLS)
    assert with_controls(ran.err) == forged(ran.err) == {}
    assert forged(ran.out, but=DATA) == {}
    assert (
        forged([text for text, call in zip(ran.out, CALLS, strict=True) if "--why" in call]) == {}
    )
    others = [text if CALLS[at][0] not in DATA else "" for at, text in enumerate(ran.out)]
    assert with_controls(others) == {}


def test_data_is_the_same_in_a_file_and_on_a_terminal(root: Path) -> None:
    forms = ("json", "sarif", "github")
    argvs = [argv for argv in CALLS if argv[-1] in forms]
    piped, shown = through_files(root, argvs), on_terminals(root, argvs, NO_COLOR="1")
    assert (piped.out, piped.err, piped.codes) == (shown.out, shown.err, shown.codes)
    for argv, out, err in zip(argvs, piped.out, piped.err, strict=True):
        if argv[-1] != "github":
            assert json.loads(out) if out else argv[-1] == "sarif" or json.loads(err), argv
    assert any(
        repr(EVIL)[1:-1] in str(json.loads(text)) for text in piped.out if text.startswith("{")
    )


@pytest.mark.parametrize("colour", ["0", "1"])
@pytest.mark.parametrize("root", ["sound"], indirect=True)
def test_a_file_gets_packages_byte_for_byte(root: Path, colour: str) -> None:
    text = (root / ".yggdrasil/model" / EVIL / "responsibility.md").read_bytes().decode()
    assert set(CONTROLS[1:]) <= set(text)
    forms = ("text", "markdown", "json")
    argvs = [["build-context", EVIL, "--lenient", "--format", form] for form in forms]
    ran = through_files(root, argvs, FORCE_COLOR=colour)
    assert ran.codes == [0, 0, 0]
    assert text in ran.out[0]
    assert text in ran.out[1]
    blocks = json.loads(ran.out[2])["packages"][0]["blocks"]
    own = next(block for block in blocks if block["kind"] == "own-artifacts")
    assert own["documents"][1]["text"] == text
    shown = on_terminals(root, argvs[:1]).out[0]
    escapes = re.sub(f"[{re.escape(CONTROLS)}]", lambda found: repr(found[0])[1:-1], ran.out[0])
    assert shown == escapes


def test_the_traceback_of_a_bug_is_escaped() -> None:
    start = (
        "import sys; import yg.surfaces.cli.main as program\n"
        f"def fail(*_): raise RuntimeError({EVIL!r})\n"
        "program._answer = fail\n"
        "sys.exit(program.main(['tree']))\n"
    )
    for debug in ("", "1"):
        ran = subprocess.run(
            [sys.executable, "-c", start],
            env={**os.environ, "YG_DEBUG": debug},
            capture_output=True,
            check=False,
        )
        assert ran.returncode == 70
        assert ran.stderr.startswith(b"Traceback " if debug else b"yg has a bug: RuntimeError: ")
        assert set(ran.stderr.decode()).isdisjoint(CONTROLS)
