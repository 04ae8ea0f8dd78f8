"""Hooks do no harm: they end with 0 and in time, print valid output or nothing, write nothing."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forked import START
from hook.sessions import (
    PRICING,
    SERVICE,
    SESSION,
    Clock,
    Harness,
    cache_of,
    change,
    said,
    shop_at,
)
from hostile import needs_shell, replace_git
from yg.disk.git.process import head_commit
from yg.surfaces.hook import main as hook_main
from yg.surfaces.hook import respond as respond_module
from yg.surfaces.hook.event import EVENTS, HARNESSES, Event
from yg.surfaces.hook.log import MOST, NAME
from yg.surfaces.hook.respond import respond

NUMBERS = count()  # of sessions
IN_TIME = 8.0  # seconds: the limit is 3, and the machine may be busy
HOOK = [sys.executable, "-c", START, "hook"]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    cache = tmp_path / "cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    return cache


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return shop_at(tmp_path / "shop")


def ran(root: Path, *words: str, data: bytes, **more: Any) -> str:
    """Run a hook in a process; return what it prints."""
    done = subprocess.run(
        [*HOOK, *words], cwd=root, input=data, capture_output=True, timeout=60, check=False, **more
    )
    assert (done.returncode, done.stderr) == (0, b"")
    printed: bytes = done.stdout
    return printed.decode()


def payload(event: tuple[str, dict[str, Any]]) -> bytes:
    return json.dumps(event[1]).encode()


def is_valid(output: str) -> bool:
    return not output or isinstance(json.loads(output), dict)


KEYS = (
    *("session_id", "sessionId", "conversation_id", "cwd", "hook_event_name", "tool_name"),
    *("toolName", "tool_input", "toolArgs", "file_path", "path", "files", "command", "source"),
    *("turn_id", "timestamp", "cursor_version", "workspace_roots", "agent_id", "edits", "input"),
)
WORDS = (
    *("SessionStart", "PostToolUse", "AfterTool", "afterFileEdit", "Stop", "BeforeAgent"),
    *(
        "PreCompress",
        "Edit",
        "Read",
        "apply_patch",
        "compact",
        "clear",
        "s",
        PRICING,
        "/etc/passwd",
    ),
    *("../../x", "\0", "*** Begin Patch\n*** Update File: \0\n", '{"path": 1}', "{", "\ud800"),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.sampled_from(WORDS),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6)
    ),
    max_leaves=12,
)


@pytest.fixture(scope="module")
def one_shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shop_at(tmp_path_factory.mktemp("hook") / "shop")


@given(
    st.sampled_from(HARNESSES),
    st.sampled_from(EVENTS),
    st.dictionaries(st.sampled_from(KEYS), JSON, max_size=8),
)
def test_any_payload_gives_valid_output(
    one_shop: Path, harness: str, event: str, given: dict[str, Any]
) -> None:
    data = json.dumps({"cwd": str(one_shop), **given}).encode()
    output = respond((harness, event), data, Clock())
    assert harness == "opencode" or is_valid(output)
    output.encode()


@given(st.binary() | st.text().map(str.encode), st.sampled_from(HARNESSES))
def test_any_bytes_give_nothing(data: bytes, harness: str) -> None:
    assert respond((harness, "post-tool"), data, Clock()) == ""


@given(st.data())
def test_the_beginning_of_a_long_payload_is_enough(one_shop: Path, data: st.DataObject) -> None:
    harness = Harness(one_shop)
    event, given = harness.edit(PRICING, "old", "new" * 50)
    given["session_id"] = f"session {next(NUMBERS):08}"
    whole = json.dumps(given)
    start = whole.index(PRICING) + len(PRICING) + 1
    cut = data.draw(st.integers(start, len(whole) - 1))
    output = respond((harness.name, event), whole[:cut].encode(), Clock())
    assert "# orders/pricing" in said(output)


def test_an_unknown_harness_event_or_option_is_noted_in_the_log(shop: Path) -> None:
    for words in (("vim", "stop"), ("claude", "boot"), ("claude",), ("claude", "stop", "--fast")):
        assert ran(shop, *words, data=b"{}") == ""
    log = subprocess.run([*HOOK, "--log"], cwd=shop, capture_output=True, check=True).stdout
    lines = log.decode().splitlines()
    assert all(line.endswith(f" (in {shop})") for line in lines)
    assert [re.split("; | [(]in ", line.split(": ", 1)[1])[0] for line in lines] == [
        "unknown harness",
        "unknown event",
        "expected HARNESS EVENT",
        "expected HARNESS EVENT",
    ]


@pytest.mark.parametrize("words", [("--test",), ("--test", "vim"), ("--log", "x", "y"), ("-C",)])
def test_wrong_usage_never_ends_with_2(words: tuple[str, ...], shop: Path) -> None:
    done = subprocess.run([*HOOK, *words], cwd=shop, capture_output=True, check=False)
    assert done.returncode in (0, 1)


def test_without_a_graph_nothing_is_said(tmp_path: Path) -> None:
    harness = Harness(tmp_path)
    for event in (harness.start("startup"), harness.read("a.py"), harness.stop()):
        assert ran(tmp_path, "claude", event[0], data=payload(event)) == ""


@needs_shell
def test_a_git_that_hangs_costs_three_seconds_and_is_killed(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_git(monkeypatch, tmp_path / "bin", f"echo $$ >> {tmp_path}/pids\nexec sleep 600\n")
    event = Harness(shop).start("startup")
    begun = time.monotonic()
    assert ran(shop, "claude", event[0], data=payload(event)) == ""
    assert time.monotonic() - begun < IN_TIME
    pids = [int(line) for line in (tmp_path / "pids").read_text().split()]
    assert pids
    assert all(map(ends, pids))
    log = subprocess.run([*HOOK, "--log"], cwd=shop, capture_output=True, check=True).stdout
    assert b"claude session-start: no answer within 3 seconds" in log
    assert f"(in {shop})\n".encode() in log


def ends(process: int) -> bool:
    """Return whether a process that was killed is gone, at once or as soon as it gets its turn."""
    end = time.monotonic() + IN_TIME
    while _is_running(process) and time.monotonic() < end:
        time.sleep(0.01)
    return not _is_running(process)


def _is_running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2]
    except OSError:
        return False
    return state.split()[0] != "Z"


@pytest.mark.parametrize("does", ["loops", "ignores signals", "is killed", "ends", "prints"])
def test_whatever_the_child_does_nothing_is_printed(
    does: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stuck(_words: object, _data: bytes, _clock: object) -> str:
        if does == "ignores signals":
            signal.signal(signal.SIGALRM, signal.SIG_IGN)
        if does == "is killed":
            os.kill(os.getpid(), signal.SIGKILL)
        if does == "ends":
            sys.exit(3)
        if does == "prints":
            os.write(1, b"printed by mistake")
            os._exit(0)
        while True:
            pass

    monkeypatch.setattr(respond_module, "respond", stuck)
    begun = time.monotonic()
    found = hook_main._from_child(("claude", "stop"), b"{}", begun + 0.5)
    assert found == b""
    assert time.monotonic() - begun < IN_TIME


def test_after_three_answers_that_took_too_long_a_session_is_left_in_peace(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempts = tmp_path / "attempts"

    def slow(_root: object, event: Event, *_more: object, **_options: object) -> str:
        with attempts.open("a") as file:
            file.write(f"{event.name}\n")
        while event.session == SESSION:
            pass
        return "An answer in time.\n"

    monkeypatch.setattr(respond_module, "_found", slow)
    harness = Harness(shop)

    def send(event: tuple[str, dict[str, Any]]) -> bytes:
        words = ("claude", event[0])
        return hook_main._from_child(words, payload(event), time.monotonic() + 1)

    for number in range(5):
        assert send(harness.read(f"src/shop/orders/{number}.py")) == b""
    assert attempts.read_text() == "post-tool\n" * 3
    assert send(harness.start("resume")) == b""
    assert send(harness.read(PRICING)) == b""
    assert attempts.read_text() == "post-tool\n" * 3 + "session-start\n" + "post-tool\n"
    harness.session = "another session"
    assert b"An answer in time." in send(harness.read(PRICING))


@needs_shell
def test_git_ends_with_a_child_that_has_to_be_killed(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_git(monkeypatch, tmp_path / "bin", f"echo $$ > {tmp_path}/pid\nsleep 600\n")

    def asks(_words: object, _data: bytes, _clock: object) -> str:
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        return head_commit(str(shop))

    monkeypatch.setattr(respond_module, "respond", asks)
    while not (tmp_path / "pid").exists():  # the machine may be too busy to start git in time
        assert hook_main._from_child(("claude", "stop"), b"{}", time.monotonic() + 1) == b""
    [shell] = (tmp_path / "pid").read_text().split()
    assert ends(int(shell))


def test_an_input_that_never_ends_is_read_for_a_second(shop: Path) -> None:
    endless = "import sys\nwhile True: sys.stdout.write(' ' * 4096)"
    with subprocess.Popen([sys.executable, "-c", endless], stdout=subprocess.PIPE) as source:
        begun = time.monotonic()
        done = subprocess.run(
            [*HOOK, "claude", "stop"],
            cwd=shop,
            stdin=source.stdout,
            capture_output=True,
            check=True,
        )
        source.kill()
    assert done.stdout == b""
    assert time.monotonic() - begun < IN_TIME


def eventually(answer: Callable[[], str]) -> str:
    """Ask again while nothing is said, because a busy machine may need more than three seconds."""
    answers = (answer() for _ in range(10))
    return next(filter(None, answers), "")


def test_an_input_that_stays_open_is_answered_when_it_is_complete(shop: Path) -> None:
    event = Harness(shop).start("startup")
    assert respond(("claude", event[0]), payload(event), Clock())  # so that the index is warm

    def answer() -> str:
        with subprocess.Popen(
            [*HOOK, "claude", event[0]], cwd=shop, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as process:
            assert process.stdin
            assert process.stdout
            process.stdin.write(payload(event))
            process.stdin.flush()
            printed = process.stdout.read().decode()
            assert process.wait() == 0
            return printed

    assert "# shop" in eventually(answer)


@needs_shell
@pytest.mark.parametrize("closed", ["<&-", ">&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_problem(closed: str, shop: Path) -> None:
    command = f'exec "$0" -c "$1" hook claude stop {closed}'
    done = subprocess.run(["sh", "-c", command, sys.executable, START], cwd=shop, check=False)
    assert done.returncode == 0


def test_a_large_input_is_read_in_part(shop: Path) -> None:
    event, given = Harness(shop).edit(PRICING, "a", "b" * 6_000_000)
    data = json.dumps(given).encode()
    assert "# orders/pricing" in said(respond(("claude", event), data[:4_000_000], Clock()))
    assert ran(shop, "claude", event, data=data) == ""  # it was said


def states(root: Path) -> dict[str, tuple[int, int]]:
    """Return all files of a repository, also those of git, with their times and sizes."""
    files = (path for path in root.rglob("*") if path.is_file())
    return {str(path): (path.stat().st_mtime_ns, path.stat().st_size) for path in files}


def session(harness: Harness) -> list[str]:
    """Send an event of each kind."""
    events = (
        *(harness.start("startup"), harness.read(PRICING), harness.edit(PRICING, "a", "b")),
        *(harness.edit(SERVICE, "a", "b"), harness.compact(), harness.start("compact")),
        *(harness.read(PRICING), harness.stop()),
    )
    return [harness.send(*event) for event in events]


def test_nothing_is_written_to_the_repository(shop: Path) -> None:
    change(shop, PRICING, "SHIPPING_MINOR = 4_90", "SHIPPING_MINOR = 5_90")
    os.utime(shop / SERVICE)  # git would refresh its index
    before = states(shop)
    assert any(session(Harness(shop)))
    assert states(shop) == before


@pytest.mark.parametrize("place", ["in the work tree", "missing", "a file", "no home", "relative"])
def test_without_a_place_for_memory_there_is_an_overview_and_nothing_else(
    place: str, shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.write_text("")
    caches = {"in the work tree": shop / "cache", "missing": file / "below", "a file": file}
    monkeypatch.setenv("XDG_CACHE_HOME", str(caches.get(place, "here")))
    monkeypatch.setenv("HOME", str(file / "nobody"))
    before = states(shop)
    start, *rest = session(Harness(shop))
    assert "# shop" in said(start)
    assert [output for output in rest if "# shop" not in said(output)] == [""] * 6
    assert states(shop) == before


def test_without_a_session_there_is_an_overview_and_nothing_else(shop: Path) -> None:
    harness = Harness(shop)
    harness.session = ""
    start, *rest = session(harness)
    assert "# shop" in said(start)
    assert "".join(rest[:4]) == ""


def link_to_everything(graph: Path) -> None:
    graph.rename(graph.with_name("elsewhere"))
    graph.symlink_to("/")


BREAKS: dict[str, Callable[[Path], object]] = {
    "bad configuration": lambda graph: (graph / "yg-config.yaml").write_text("{"),
    "no configuration": lambda graph: (graph / "yg-config.yaml").unlink(),
    "bad node": lambda graph: (graph / "model/orders/pricing/yg-node.yaml").write_text("- ]["),
    "binary text": lambda graph: (graph / "model/orders/pricing/responsibility.md").write_bytes(
        b"\0\xff"
    ),
    "bad aspect": lambda graph: (graph / "aspects/idempotency/yg-aspect.yaml").write_text("}"),
    "bad baseline": lambda graph: (graph / ".drift-state/orders/pricing.json").write_text("<<<"),
    "no model": lambda graph: (graph / "model").rename(graph / "gone"),
    "a link": link_to_everything,
}


@pytest.mark.parametrize("name", BREAKS)
def test_a_broken_graph_gives_valid_output(name: str, shop: Path) -> None:
    BREAKS[name](shop / ".yggdrasil")
    assert all(map(is_valid, session(Harness(shop))))


def test_a_write_that_was_interrupted_is_left_alone(shop: Path) -> None:
    harness = Harness(shop)
    harness.send(*harness.start("startup"))
    journal = cache_of(shop) / "journal"
    journal.write_bytes(b"{}")
    journal.chmod(0o600)
    assert harness.send(*harness.read(PRICING)) == ""
    assert journal.exists()
    journal.unlink()
    assert "# orders/pricing" in said(harness.send(*harness.read(PRICING)))


def test_many_at_once_say_everything_once(shop: Path) -> None:
    harness = Harness(shop)
    harness.send(*harness.start("startup"))
    nodes = {PRICING: "orders/pricing", SERVICE: "orders/order-service"}
    events = [harness.read(file) for file in nodes] * 5
    processes = [
        subprocess.Popen(
            [*HOOK, "claude", "post-tool"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        for _ in events
    ]
    for process, event in zip(processes, events, strict=True):
        assert process.stdin
        process.stdin.write(payload(event))
        process.stdin.close()
    outputs = []
    for process in processes:
        assert process.stdout
        outputs.append(process.stdout.read().decode())
        assert process.wait() == 0
        process.stdout.close()
    outputs += [harness.send(*event) for event in events]  # what took too long at first
    texts = [said(output) for output in outputs if output]
    assert sorted(text.split(" owns")[0] for text in texts) == sorted(nodes.values())


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b'{"nodes": [], "blocks": 3}', b"\xff"])
def test_a_damaged_memory_is_forgotten(content: bytes, shop: Path) -> None:
    harness = Harness(shop)
    harness.send(*harness.read(PRICING))
    [memory] = cache_of(shop).glob("hook-*.json")
    memory.write_bytes(content)
    assert "# orders/pricing" in said(harness.send(*harness.read(PRICING)))


def test_a_memory_that_others_can_read_is_not_used(shop: Path) -> None:
    harness = Harness(shop)
    harness.send(*harness.read(PRICING))
    [memory] = cache_of(shop).glob("hook-*.json")
    assert memory.stat().st_mode & 0o077 == 0
    memory.chmod(0o644)
    assert "# orders/pricing" in said(harness.send(*harness.read(PRICING)))


def test_sessions_are_removed_after_a_week(shop: Path) -> None:
    harness = Harness(shop)
    harness.send(*harness.start("startup"))
    for memory in cache_of(shop).glob("hook-*"):
        os.utime(memory, (harness.clock.now, harness.clock.now))
    harness.session = SESSION[::-1]
    harness.send(*harness.start("startup"), after=6 * 24 * 3600)
    assert len([*cache_of(shop).glob("hook-*.json")]) == 2
    harness.session = "third"
    harness.send(*harness.start("startup"), after=2 * 24 * 3600)
    assert len([*cache_of(shop).glob("hook-*.json")]) == 2


def test_the_log_does_not_grow_without_end(shop: Path, own_cache: Path) -> None:
    for _ in range(2 * MOST // 50):
        respond(("claude", "stop"), b"nonsense", Clock())
    log = own_cache / "yg" / NAME
    assert MOST / 3 < log.stat().st_size <= MOST + 400
    assert log.stat().st_mode & 0o077 == 0
    assert log.read_text().endswith(f"claude stop: the input is not JSON (in {Path.cwd()})\n")
