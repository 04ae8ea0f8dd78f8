"""Edits that the memory of a session answers: nothing is missed, and little is imported."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hook.sessions import PRICING, Harness, change, said, shop_at
from yg.surfaces.hook import respond
from yg.surfaces.hook.tell import Teller

INTERFACE = ".yggdrasil/model/orders/pricing/interface.md"
SERVICE_TEXT = ".yggdrasil/model/orders/order-service/internals.md"
PIECES = ("# note\n", '"""', "'", "(", ")", "    ", "x = 490\n", "def quote(): ...\n", "\x00", "é")


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return shop_at(tmp_path / "shop")


def edits(text: str, seed: int) -> Iterator[str]:
    """Yield versions of a source text, each a small change of the first or of the one before."""
    chance = random.Random(seed)  # noqa: S311
    latest = text
    for _ in range(25):
        lines = (latest if chance.random() < 0.5 else text).splitlines(keepends=True) or [""]
        at = chance.randrange(len(lines))
        kind = chance.randrange(7)
        if kind == 0:
            del lines[at]
        elif kind == 1:
            lines[at] = re.sub(r"\d+", str(chance.randrange(1_000)), lines[at])
        elif kind == 2:
            lines.insert(at, chance.choice(PIECES))
        elif kind == 3:
            names = re.findall(r"[A-Za-z_]{4,}", text)
            lines[at] = lines[at].replace(chance.choice(names), chance.choice(names))
        elif kind == 4:
            other = chance.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        elif kind == 5:
            column = chance.randrange(len(lines[at]) + 1)
            lines[at] = lines[at][:column] + chance.choice(PIECES) + lines[at][column:]
        else:
            lines[at] = lines[at].rstrip("\n") + "  # a comment\n"
        latest = "".join(lines)
        yield latest


class Reviewing(Harness):
    """A session in which each edit is reviewed, however little it needs that."""

    session = "reviewing"

    def answer(self, monkeypatch: pytest.MonkeyPatch, number: int) -> str:
        with monkeypatch.context() as patch:
            patch.setattr(respond, "_is_harmless", lambda *_: False)
            patch.setattr(Teller, "_is_given", lambda *_: False)
            return self.send(*self.edit(PRICING, "", str(number)))


@pytest.mark.parametrize("is_read", [True, False])
@pytest.mark.parametrize("seed", range(6))
def test_no_doubtful_sentence_is_missed(
    shop: Path, monkeypatch: pytest.MonkeyPatch, seed: int, *, is_read: bool
) -> None:
    quick, reviewing = Harness(shop), Reviewing(shop)
    if is_read:
        assert quick.send(*quick.read(PRICING)) == reviewing.send(*reviewing.read(PRICING))
    path = shop / PRICING
    for number, text in enumerate(edits(path.read_text(encoding="utf-8"), seed)):
        path.write_text(text, encoding="utf-8")
        found = quick.send(*quick.edit(PRICING, "", str(number)))
        assert found == reviewing.answer(monkeypatch, number)
        assert quick.send(*quick.read(PRICING)) == reviewing.send(*reviewing.read(PRICING))


@pytest.mark.parametrize("file", [INTERFACE, SERVICE_TEXT])
def test_a_text_that_somebody_else_changes_is_noticed(shop: Path, file: str) -> None:
    """The text of a dependent counts as well."""
    harness = Harness(shop)
    harness.send(*harness.read(PRICING))
    for number in range(2):
        change(shop, PRICING, "What an", f"{number} What an")
        assert harness.send(*harness.edit(PRICING, "", str(number))) == ""
    text = (shop / file).read_text(encoding="utf-8")
    (shop / file).write_text(f"{text}\n`unit_price()` is a property.\n", encoding="utf-8")
    change(shop, PRICING, "def unit_price(self) -> Money", "def unit_price(self) -> Money | None")
    assert "unit_price changed" in said(harness.send(*harness.edit(PRICING, "", "2")))


def test_a_deleted_file_is_reviewed(shop: Path) -> None:
    harness = Harness(shop)
    harness.send(*harness.read(PRICING))
    for number in range(2):
        change(shop, PRICING, "What an", f"{number} What an")
        assert harness.send(*harness.edit(PRICING, "", str(number))) == ""
    (shop / PRICING).unlink()
    assert "quote" in said(harness.send(*harness.edit(PRICING, "", "2")))


ANSWER = """\
import sys
from yg.surfaces.hook.respond import respond
found = respond(("claude", "post-tool"), sys.argv[1].encode(), lambda: float(sys.argv[2]))
assert bool(found) == (sys.argv[3] == "speaks")
print(*sys.modules)
"""


def imported(payload: dict[str, Any], number: int, *, speaks: bool = False) -> set[str]:
    """Return what the program imports because of an event."""
    said = "speaks" if speaks else "is silent"
    done = subprocess.run(
        [sys.executable, "-c", ANSWER, json.dumps(payload), str(10 * number), said],
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    return set(done.stdout.split())


HEAVY = ("yg.workspace", "yg.commands", "yg.yggdrasil.r", "yg.yggdrasil.g", "yg.disk.git")


@pytest.mark.parametrize("is_read", [True, False])
def test_an_edit_imports_the_engine_only_if_the_file_was_not_touched_before(
    shop: Path, *, is_read: bool
) -> None:
    harness = Harness(shop)
    touch = harness.read(PRICING) if is_read else harness.edit(PRICING, "", "0")
    harness.send(*touch)
    change(shop, PRICING, "What an", "1 What an")
    _, payload = harness.edit(PRICING, "", "1")
    own = {name for name in imported(payload, 1) if name.startswith("yg.")}
    assert "yg.code.read" in own  # the texts quote parts of the file, which are compared
    assert sorted(name for name in own if name.startswith(HEAVY)) == []


class LaterSession(Harness):
    """A session that begins when the index knows the files."""

    session = "later"


def test_a_file_that_has_not_changed_is_not_parsed_again(shop: Path) -> None:
    harness, later = Harness(shop), LaterSession(shop)
    harness.send(*harness.read(PRICING))
    _, payload = later.read(PRICING)
    assert "yg.code.languages.python" not in imported(payload, 1, speaks=True)
