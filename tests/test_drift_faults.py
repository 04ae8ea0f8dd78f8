"""Drift under bad conditions: killed, crowded, short of space, and among files that bite.

After each of them nothing is lost, nothing stands outside, and there is a message, no traceback.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import random
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from forked import UNPRIVILEGED, shared
from support import CONFIG, run, write
from support import node_owning as node

pytestmark = pytest.mark.slow

STATE = ".yggdrasil/.drift-state"
NODES = 60
NOT_FOLLOWED = "it is a link or a special file, and is not followed"
PATIENCE = 60  # seconds after which a command hangs

# Starts the program where no file can grow beyond a few bytes.
WITHOUT_SPACE = """\
import resource, sys
from yg.surfaces.cli.main import main
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
sys.exit(main(sys.argv[1:]))
"""
# Runs the program and then prints the most memory it ever had, in kilobytes.
MEASURED = """\
import sys
from yg.surfaces.cli.main import main
code = main(sys.argv[1:])
with open("/proc/self/status") as status:
    print(next(line.split()[1] for line in status if line.startswith("VmHWM")), file=sys.stderr)
sys.exit(code)
"""
# Copies a repository to a disk of one megabyte, fills that, and runs the program on it.
ON_A_FULL_DISK = """\
mount -t tmpfs -o size=1m none "$1" && cp -R "$2/." "$1" && cd "$1" || exit 99
shift 2
head -c 2000000 /dev/zero > filler
"$@"
cat .yggdrasil/.drift-state/a.json
ls -A .yggdrasil/.drift-state
"""

# Appends to a file for as long as it is needed, but not until the disk is full.
GROW = """\
import sys
for _ in range(200_000):
    with open(sys.argv[1], "a") as file:
        file.write("x" * 100)
"""

is_linux = pytest.mark.skipif(sys.platform != "linux", reason="needs Linux")


class Ran(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str


TWO = {
    ".yggdrasil/yg-config.yaml": CONFIG,
    ".yggdrasil/model/a/yg-node.yaml": node("src"),
    ".yggdrasil/model/b/yg-node.yaml": node("lib/b.py"),
    "src/a.py": "a\n",
    "lib/b.py": "b\n",
}


def many(text: str) -> dict[str, str]:
    """Return the sources of many nodes."""
    return {f"src/n{number}.py": f"{text} {number}\n" for number in range(NODES)}


MANY = {
    ".yggdrasil/yg-config.yaml": CONFIG,
    **{
        f".yggdrasil/model/n{number}/yg-node.yaml": node(f"src/n{number}.py")
        for number in range(NODES)
    },
    **many("first"),
}


def listing(directory: Path) -> dict[str, bytes | str]:
    """Return everything below a directory: the content of files, the targets of links."""
    found: dict[str, bytes | str] = {}
    for path in sorted(directory.rglob("*")):
        name = os.fsdecode(path.relative_to(directory))
        if path.is_symlink():
            found[name] = f"-> {os.readlink(path)}"
        elif path.is_file():
            found[name] = path.read_bytes()
        else:
            found[name] = "no file"
    return found


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Path]:
    """Make room for a repository, beside files that nobody may touch."""
    precious = {"outside/a.json": '{"hash": "1", "files": {}}', "outside/deep/b": "b", "c": "c"}
    write(tmp_path, precious)
    (tmp_path / "root").mkdir()
    yield tmp_path / "root"
    beside = {name for name in listing(tmp_path) if name.split("/")[0] != "root"}
    assert beside == {*precious, "outside", "outside/deep"}
    for name, content in precious.items():
        assert (tmp_path / name).read_text(encoding="utf-8") == content


def judged(ran: Ran) -> Ran:
    """Return what a command did, unless it fell over."""
    assert "Traceback" not in ran.err
    assert "yg has a bug" not in ran.err
    assert ran.code in (0, 1)
    assert (ran.out + ran.err).strip() != ""
    return ran


def yg(root: Path, *argv: str, start: Sequence[str] = ()) -> Ran:
    """Run a command as a process of its own, which has to end by itself."""
    done = subprocess.run(
        [*(start or shared().yg), *argv],
        cwd=root,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    return judged(Ran(done.returncode, done.stdout.decode(), done.stderr.decode()))


def unprivileged(root: Path, *argv: str) -> Ran:
    """Run a command to which permissions apply, even for root."""
    if os.geteuid() == 0 and sys.platform != "linux":
        pytest.skip("root may read everything here")
    return yg(root, *argv, start=shared().python(UNPRIVILEGED))


def begin(root: Path, *argv: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*shared().yg, *argv],
        cwd=root,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def kill(process: subprocess.Popen[bytes], after: float) -> None:
    """Kill a command some seconds after its start, unless it has ended by then."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(after)
    process.send_signal(signal.SIGKILL)
    process.communicate()


def ended(process: subprocess.Popen[bytes]) -> Ran:
    out, err = process.communicate(timeout=PATIENCE)
    return judged(Ran(process.returncode, out.decode(), err.decode()))


def is_clean(root: Path) -> bool:
    return run("drift", "-C", str(root)).code == 0


def record(root: Path) -> None:
    """Record every node, in this process."""
    assert run("drift-sync", "-C", str(root), "--all").code == 0


def states(root: Path) -> dict[str, Any]:
    """Return the state files, every one of which is whole."""
    found = {}
    for path in sorted((root / STATE).rglob("*.json")):
        state = json.loads(path.read_bytes())
        lines = "\n".join(f"{file}:{state['files'][file]}" for file in sorted(state["files"]))
        assert state["hash"] == sha256(lines.encode()).hexdigest()
        found[path.relative_to(root / STATE).as_posix()] = state
    return found


def leftovers(root: Path) -> list[str]:
    return [name for name in os.listdir(root / STATE) if name.startswith(".yg-tmp-")]


# Killed.


def test_a_sync_killed_at_any_moment_leaves_whole_files_only(root: Path) -> None:
    write(root, MANY)
    began = time.monotonic()
    assert yg(root, "drift-sync", "--all").code == 0
    whole_run = min(time.monotonic() - began, 0.6)
    moments = random.Random(20)  # noqa: S311
    for attempt in range(20):
        write(root, many(f"attempt {attempt}"))
        kill(begin(root, "drift-sync", "--all"), moments.uniform(0.2, 1.0) * whole_run)
        assert len(states(root)) == NODES
    record(root)
    assert (is_clean(root), leftovers(root)) == (True, [])


def test_a_sync_killed_while_it_writes_leaves_whole_files_only(root: Path) -> None:
    write(root, MANY)
    record(root)
    for attempt in range(3):
        write(root, many(f"attempt {attempt}"))
        process = begin(root, "drift-sync", "--all")
        while process.poll() is None and len(leftovers(root)) <= 20 * attempt:
            time.sleep(0.001)
        kill(process, after=0)
        assert len(states(root)) == NODES
    record(root)
    assert (is_clean(root), leftovers(root)) == (True, [])


def test_a_migration_killed_at_any_moment_loses_no_baseline(root: Path) -> None:
    write(root, MANY)
    record(root)
    before = states(root)
    legacy = json.dumps({name.removesuffix(".json"): state for name, state in before.items()})
    moments = random.Random(8)  # noqa: S311
    for _ in range(5):
        shutil.rmtree(root / STATE)
        for left in root.glob(f"{STATE}.*"):
            shutil.rmtree(left) if left.is_dir() else left.unlink()
        write(root, {STATE: legacy})
        kill(begin(root, "drift"), moments.uniform(0.1, 0.6))
        assert yg(root, "drift").code == 0
        assert states(root) == before


# Crowded.


def test_eight_syncs_at_once_and_readers_beside_them_get_along(root: Path) -> None:
    write(root, MANY)
    record(root)
    write(root, many("second"))
    writers = [begin(root, "drift-sync", "--all") for _ in range(8)]
    readers = [begin(root, "drift", "--json") for _ in range(4)]
    while any(process.poll() is None for process in (*writers, *readers)):
        assert len(states(root)) == NODES
        time.sleep(0.01)
    assert [ended(writer).code for writer in writers] == [0] * 8
    for reader in readers:
        found = json.loads(ended(reader).out)
        assert found["notes"] == []
        assert {item["state"] for item in found["nodes"]} <= {"ok", "source-drift"}
        assert len(found["nodes"]) == NODES
    assert (is_clean(root), leftovers(root)) == (True, [])


def test_syncs_of_different_nodes_at_once_lose_no_update(root: Path) -> None:
    write(root, MANY)
    writers = [begin(root, "drift-sync", f"n{number}") for number in range(8)]
    assert [ended(writer).code for writer in writers] == [0] * 8
    assert sorted(states(root)) == [f"n{number}.json" for number in range(8)]


def test_readers_that_all_bring_an_old_state_over_get_along(root: Path) -> None:
    write(root, MANY)
    record(root)
    before = states(root)
    shutil.rmtree(root / STATE)
    legacy = {name.removesuffix(".json"): state for name, state in before.items()}
    write(root, {STATE: json.dumps(legacy)})
    assert [ended(item).code for item in [begin(root, "drift") for _ in range(6)]] == [0] * 6
    assert states(root) == before
    assert list(root.glob(f"{STATE}.*")) == []


# Short of space.


def failing(monkeypatch: pytest.MonkeyPatch, call: str, at: int) -> None:
    """Let one call of the machine find the disk full."""
    real: Callable[..., object] = getattr(os, call)
    calls = iter(range(1, 10_000))

    def fail(*arguments: object, **named: object) -> object:
        if next(calls) == at:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(*arguments, **named)

    monkeypatch.setattr(os, call, fail)


@pytest.mark.parametrize("at", [1, 2])
@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_disk_that_is_full_at_any_step_leaves_whole_files_only(
    root: Path, monkeypatch: pytest.MonkeyPatch, call: str, at: int
) -> None:
    write(root, TWO)
    run("drift-sync", "-C", str(root), "--all")
    write(root, {"src/a.py": "!", "lib/b.py": "!"})
    with monkeypatch.context() as patch:
        failing(patch, call, at)
        outcome = run("drift-sync", "-C", str(root), "--all")
    assert (outcome.code, outcome.text) == (1, "")
    name = "ab"[at - 1]
    assert outcome.notes.startswith(
        f"error: cannot write '{STATE}/{name}.json': No space left on device\n"
    )
    assert (sorted(states(root)), leftovers(root)) == (["a.json", "b.json"], [])
    record(root)
    assert is_clean(root)


def test_files_that_cannot_grow_leave_the_old_ones_whole(root: Path) -> None:
    write(root, TWO)
    record(root)
    before = states(root)
    write(root, {"src/a.py": "!", "lib/b.py": "!"})
    ran = yg(root, "drift-sync", "--all", start=shared().python(WITHOUT_SPACE))
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith(f"error: cannot write '{STATE}/a.json': File too large\n")
    assert (states(root), leftovers(root)) == (before, [])


def test_a_full_disk_is_reported_and_loses_nothing(root: Path) -> None:
    disk = root / "disk"
    disk.mkdir()
    write(root / "repository", TWO)
    assert yg(root / "repository", "drift-sync", "--all").code == 0
    write(root / "repository", {"src/a.py": "!"})
    argv = [
        "sh",
        "-c",
        ON_A_FULL_DISK,
        "sh",
        str(disk),
        str(root / "repository"),
        *(sys.executable, "-m", "yg"),  # a fork of the server would not see this disk
        "drift-sync",
        "--all",
    ]
    try:
        # A namespace of its own: nothing stays mounted.
        done = subprocess.run(["unshare", "--mount", *argv], capture_output=True, check=False)
    except OSError:
        pytest.skip("there is no unshare here")
    if done.returncode != 0:
        pytest.skip("nothing can be mounted here")
    old = (root / "repository" / STATE / "a.json").read_bytes()
    assert done.stdout == old + b"a.json\nb.json\n"
    assert b"error: cannot write " in done.stderr
    assert b"Traceback" not in done.stderr


# Files that bite.


def test_a_file_that_changes_while_it_is_read_is_recorded_as_it_was_or_not_at_all(
    root: Path,
) -> None:
    write(root, {**TWO, "src/a.py": "x" * 4_000_000})
    with subprocess.Popen([sys.executable, "-c", GROW, root / "src/a.py"]) as growing:
        try:
            while (root / "src/a.py").stat().st_size == 4_000_000:
                pass
            ran = yg(root, "drift-sync", "a")
        finally:
            growing.kill()
    if ran.code == 1:
        assert "cannot read 'src/a.py': it changes while it is being read" in ran.err
        assert not (root / STATE).exists()
    else:
        content = (root / "src/a.py").read_bytes()
        digest = states(root)["a.json"]["files"]["src/a.py"]
        seen, digests = sha256(content[:4_000_000]), set()
        for at in range(4_000_000, len(content) + 1, 100):
            digests.add(seen.hexdigest())
            seen.update(content[at : at + 100])
        assert digest in digests


SPECIAL = [
    "fifo",
    "socket",
    "device",
    "broken link",
    "link loop",
    "link to the outside",
    "link to a device",
]


def make_special(path: Path, kind: str) -> bool:
    """Put something in the way that is not a regular file; return whether that was possible."""
    match kind:
        case "fifo":
            os.mkfifo(path)
        case "socket":
            with contextlib.chdir(path.parent), socket.socket(socket.AF_UNIX) as server:
                server.bind(path.name)  # such names are short
        case "device":
            try:
                os.mknod(path, stat.S_IFCHR | 0o666, os.stat("/dev/zero").st_rdev)
            except OSError:
                return False
        case "broken link":
            path.symlink_to("nothing")
        case "link loop":
            path.symlink_to(path.name)
        case "link to the outside":
            path.symlink_to("../../outside")
        case "link to a device":
            path.symlink_to("/dev/zero")
    return True


@pytest.mark.parametrize("has_git", [True, False])
def test_special_files_in_a_mapped_directory_are_passed_by(root: Path, *, has_git: bool) -> None:
    write(root, TWO)
    for kind in SPECIAL:
        make_special(root / "src" / kind, kind)
    if has_git:
        subprocess.run(["git", "init", "--quiet", root], check=True)
    record(root)
    files = states(root)["a.json"]["files"]
    assert [path for path in files if path.startswith("src")] == ["src/a.py"]
    assert is_clean(root)


def test_special_files_that_are_mapped_themselves_are_never_opened(root: Path) -> None:
    nodes = {f".yggdrasil/model/{kind}/yg-node.yaml": node(f"bad/{kind}") for kind in SPECIAL}
    write(root, {**TWO, **nodes, "bad/a.py": ""})
    made = [kind for kind in SPECIAL if make_special(root / "bad" / kind, kind)]
    ran = yg(root, "drift")
    assert [kind for kind in made if f"  [unmat.] {kind}\n" not in ran.out] == []
    ran = yg(root, "drift-sync", "fifo")
    assert (ran.code, ran.out, (root / STATE).exists()) == (1, "", False)
    assert ran.err.startswith("error: cannot synchronize fifo: ")
    ran = yg(root, "drift-sync", "--all")
    assert ran.code == 1
    assert [kind for kind in made if f"Failed: {kind}: " not in ran.out] == []
    assert sorted(states(root)) == ["a.json", "b.json"]


def test_sources_that_became_special_files_are_drift(root: Path) -> None:
    write(root, {**TWO, **{f"src/{kind}": "x" for kind in SPECIAL}})
    record(root)
    for kind in SPECIAL:
        (root / "src" / kind).unlink()
        make_special(root / "src" / kind, kind)
    ran = yg(root, "drift", "a")
    assert ran.code == 1
    assert [kind for kind in SPECIAL if f"    src/{kind} (deleted)\n" not in ran.out] == []


@is_linux
@pytest.mark.parametrize("head", [b"", b"x" * 8_000], ids=["binary", "text"])
def test_memory_does_not_grow_with_the_size_of_a_file(root: Path, head: bytes) -> None:
    write(root, {**TWO, "src/a.py": head})
    os.truncate(root / "src/a.py", 200_000_000)  # sparse: it takes no space
    ran = yg(root, "drift-sync", "a", start=(sys.executable, "-c", MEASURED))
    assert ran.code == 0
    assert int(ran.err) < 150_000


@is_linux
def test_a_name_that_is_not_utf8_is_one_message_and_no_lost_directory(root: Path) -> None:
    write(root, {**TWO, "src/z.py": "z"})
    top = os.fsencode(root)
    os.mkdir(top + b"/src/\xfe")
    for name in (b"/src/\xff.py", b"/src/\xfe/y.py"):
        with open(top + name, "wb") as file:
            file.write(b"x")
    record(root)
    assert [path for path in states(root)["a.json"]["files"] if path.startswith("src")] == [
        "src/a.py",
        "src/z.py",
    ]
    ran = yg(root, "drift")
    assert ran.code == 0
    assert ran.err.splitlines() == [
        "warning: 'src/\\376/y.py' is not tracked: its name is not UTF-8",
        "warning: 'src/\\377.py' is not tracked: its name is not UTF-8",
    ]
    notes = json.loads(yg(root, "drift", "--json").out)["notes"]
    assert [note.split("'")[1] for note in notes] == ["src/\udcfe/y.py", "src/\udcff.py"]


@pytest.mark.parametrize("has_git", [True, False])
def test_a_directory_that_cannot_be_opened_is_drift_and_a_message(
    root: Path, *, has_git: bool
) -> None:
    write(root, {**TWO, "src/closed/x.py": "x"})
    if has_git:
        subprocess.run(["git", "init", "--quiet", root], check=True)
    record(root)
    (root / "src/closed").chmod(0)
    ran = unprivileged(root, "drift")
    (root / "src/closed").chmod(0o755)
    assert (ran.code, ran.err) == (1, "warning: cannot look into 'src/closed'\n")
    assert "    src/closed/x.py (" in ran.out
    assert is_clean(root)


def test_a_file_that_cannot_be_read_is_drift_and_a_message(root: Path) -> None:
    write(root, TWO)
    record(root)
    before = states(root)
    (root / "src/a.py").chmod(0)
    ran = unprivileged(root, "drift")
    refused = unprivileged(root, "drift-sync", "a")
    (root / "src/a.py").chmod(0o644)
    assert (ran.code, ran.err) == (1, "warning: cannot read 'src/a.py': permission denied\n")
    assert "  [drift] a\n    src/a.py (unreadable)\n" in ran.out
    assert (refused.code, refused.out, states(root)) == (1, "", before)
    assert refused.err.startswith("error: cannot synchronize a: cannot read 'src/a.py': permission")


def test_a_graph_file_that_cannot_be_read_is_drift_and_a_message(root: Path) -> None:
    path = ".yggdrasil/model/a/responsibility.md"
    write(root, {**TWO, path: "text"})
    record(root)
    (root / path).chmod(0)
    ran = unprivileged(root, "drift")
    (root / path).chmod(0o644)
    assert (ran.code, ran.err) == (1, f"warning: cannot read '{path}': permission denied\n")
    assert f"    {path} (unreadable)\n" in ran.out


# State that is not what it seems.


@pytest.mark.parametrize("target", ["../../outside", "nowhere", ".drift-state"])
def test_a_state_directory_that_is_a_link_is_not_followed(root: Path, target: str) -> None:
    write(root, TWO)
    (root / STATE).symlink_to(target)
    before = listing(root)
    ran = yg(root, "drift")
    assert (ran.code, ran.err) == (
        1,
        f"warning: {STATE}: {NOT_FOLLOWED}; baseline ignored\n",
    )
    ran = yg(root, "drift-sync", "--all")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith(f"error: '{STATE}' is a link or a file, but must be a directory")
    assert listing(root) == before


def test_a_state_directory_below_that_is_a_link_is_not_followed(root: Path) -> None:
    write(root, {**TWO, ".yggdrasil/model/deep/a/yg-node.yaml": node("lib/c.py"), "lib/c.py": "c"})
    (root / STATE).mkdir()
    (root / STATE / "deep").symlink_to("../../../outside")
    ran = yg(root, "drift-sync", "deep/a")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith(f"error: '{STATE}/deep' is a link or a file, but must be a directory")


def test_a_directory_in_the_place_of_a_state_file_is_reported_and_stays(root: Path) -> None:
    write(root, {**TWO, f"{STATE}/a.json/mine.txt": "mine"})
    before = listing(root / STATE)
    ran = yg(root, "drift")
    assert (ran.code, ran.err) == (
        1,
        f"warning: {STATE}/a.json: it is not a file but a directory; baseline ignored\n",
    )
    ran = yg(root, "drift-sync", "a")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith(f"error: cannot write '{STATE}/a.json': Is a directory\n")
    assert listing(root / STATE) == before


def test_a_state_directory_that_cannot_be_written_is_reported_and_loses_nothing(root: Path) -> None:
    write(root, TWO)
    record(root)
    before = states(root)
    write(root, {"src/a.py": "!"})
    (root / STATE).chmod(0o555)
    ran = unprivileged(root, "drift-sync", "--all")
    (root / STATE).chmod(0o755)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith(f"error: cannot write '{STATE}/a.json': Permission denied\n")
    assert states(root) == before


def test_a_repository_that_cannot_be_written_can_still_be_looked_at(root: Path) -> None:
    write(root, TWO)
    record(root)
    expected = yg(root, "drift")
    (root / STATE).chmod(0o555)
    (root / ".yggdrasil").chmod(0o555)
    assert unprivileged(root, "drift") == expected
    ran = unprivileged(root, "drift-sync", "--all")
    for folder in (".yggdrasil", STATE):
        (root / folder).chmod(0o755)
    assert (ran.code, ran.out) == (0, "Unchanged: 2 nodes\n")


def test_damaged_state_files_are_reported_by_name_and_stop_no_command(root: Path) -> None:
    damage = [b"", b"\0" * 4_096, b"{" * 1_000, b'{"hash": "1", "files": {"a": "', b"\xff"]
    names = [f"{STATE}/n{number}.json" for number in range(len(damage))]
    write(root, MANY)
    record(root)
    write(root, dict(zip(names, damage, strict=True)))
    ran = yg(root, "drift")
    assert (ran.code, [line.split(": ")[1] for line in ran.err.splitlines()]) == (1, names)
    assert "5 source-drift" in ran.out
    assert f"{NODES - 5} ok" in ran.out
    assert yg(root, "status").code == 0
    record(root)
    assert is_clean(root)
