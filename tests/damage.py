"""What may happen to an index between two runs, chosen at random but repeatably."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

from yg.disk.lines import HEADER, NAME

CACHE = Path(".yggdrasil/.cache")
INDEX = CACHE / NAME
WRONG: tuple[Any, ...] = (None, 7, -1, "", "text", [], [[]], {}, {"a": 1}, True, 10**30)

Damage = Callable[[Path, Random], object]


def _content(root: Path) -> bytes:
    return (root / INDEX).read_bytes()


def _without(path: Path) -> Path:
    """Take a file or directory away, and return where it was."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
    return path


def flip_a_bit(root: Path, rng: Random) -> None:
    content = bytearray(_content(root))
    content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    (root / INDEX).write_bytes(content)


def spoil_some_bytes(root: Path, rng: Random) -> None:
    content = bytearray(_content(root))
    for _ in range(20):
        content[rng.randrange(len(content))] = rng.randrange(256)
    (root / INDEX).write_bytes(content)


def cut_it(root: Path, rng: Random) -> None:
    content = _content(root)
    (root / INDEX).write_bytes(content[: rng.randrange(len(content))])


def fill_the_end_with_zeros(root: Path, rng: Random) -> None:
    content = _content(root)
    at = rng.randrange(len(content))
    (root / INDEX).write_bytes(content[:at] + bytes(len(content) - at))


def swap_two_lines(root: Path, rng: Random) -> None:
    lines = _content(root).split(b"\n")
    one, two = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[one], lines[two] = lines[two], lines[one]
    (root / INDEX).write_bytes(b"\n".join(lines))


def lose_a_line(root: Path, rng: Random) -> None:
    lines = _content(root).split(b"\n")
    del lines[rng.randrange(len(lines))]
    (root / INDEX).write_bytes(b"\n".join(lines))


def have_a_line_twice(root: Path, rng: Random) -> None:
    lines = _content(root).split(b"\n")
    lines.insert(rng.randrange(len(lines)), rng.choice(lines))
    (root / INDEX).write_bytes(b"\n".join(lines))


def give_it_another_shape(root: Path, rng: Random) -> None:
    """Put something else in place of a part of an entry, and make its checksum right."""
    lines = _content(root).split(b"\n")
    at = rng.randrange(1, len(lines) - 1)
    key, _, text = lines[at][9:].partition(b"\t")
    entry = _misshapen(json.loads(text), rng)
    line = checked(key, entry)
    if at > 1:  # keep the table true
        sizes = json.loads(lines[1].partition(b"\t")[2])
        more = len(line) - len(lines[at])
        if key.startswith(b"*"):
            sizes["large"][json.loads(key[1:])] += more
        else:
            sizes["rows"] += more
        lines[1] = checked(b"", sizes)
    lines[at] = line
    (root / INDEX).write_bytes(b"\n".join(lines))


def checked(key: bytes, entry: Any) -> bytes:
    """Write a line of the index, with the checksum it has to have."""
    body = key + b"\t" + json.dumps(entry, separators=(",", ":")).encode()
    return b"%08x %b" % (crc32(body), body)


def _misshapen(entry: Any, rng: Random, depth: int = 2) -> Any:
    """Change one of the outer two layers of something."""
    if depth and isinstance(entry, dict) and entry:
        # What an answer says is for those who packed it to read.
        key = rng.choice(sorted(entry.keys() - {"answer"}))
        if rng.random() < 0.3:
            return {each: inner for each, inner in entry.items() if each != key}
        return {**entry, key: _misshapen(entry[key], rng, depth - 1)}
    if depth and isinstance(entry, list) and entry:
        at = rng.randrange(len(entry))
        if rng.random() < 0.3 and not isinstance(entry[at], str):  # names may be fewer
            return entry[:at] + entry[at + 1 :]
        return [*entry[:at], _misshapen(entry[at], rng, depth - 1), *entry[at + 1 :]]
    return rng.choice([each for each in WRONG if type(each) is not type(entry)])


def put_another_version_in_place(root: Path, rng: Random) -> None:
    header = rng.choice((b"yg-index 0 0.1 cpython-3.9\n", HEADER.replace(b"-3.", b"-2."), b"\n"))
    (root / INDEX).write_bytes(header + _content(root).partition(b"\n")[2])


def put_something_else_in_place(root: Path, rng: Random) -> None:
    other = (b"", b"\n", b"{}", b"\x89PNG\r\n\x1a\n", b"DIRC\0\0\0\2", HEADER, HEADER + b"\n")
    (root / INDEX).write_bytes(rng.choice(other))


def put_a_directory_in_place(root: Path, rng: Random) -> None:
    _without(root / INDEX).mkdir()
    if rng.random() < 0.5:
        (root / INDEX / "full").touch()


def put_a_pipe_in_place(root: Path, rng: Random) -> None:
    os.mkfifo(_without(root / INDEX))


def put_a_link_in_place(root: Path, rng: Random) -> None:
    (root / INDEX).rename(root / CACHE / "target")
    (root / INDEX).symlink_to(rng.choice(("target", "nowhere", NAME)))


def link_the_cache(root: Path, rng: Random) -> None:
    (root / CACHE).rename(root / ".yggdrasil/.target")
    (root / CACHE).symlink_to(rng.choice((".target", "nowhere", ".cache")))


def put_a_file_in_place_of_the_cache(root: Path, rng: Random) -> None:
    _without(root / CACHE).touch()


def close_the_cache(root: Path, rng: Random) -> None:
    (root / CACHE).chmod(rng.choice((0o000, 0o500)))


def delete_the_index(root: Path, rng: Random) -> None:
    _without(root / rng.choice((INDEX, CACHE)))


DAMAGES: tuple[Damage, ...] = (
    flip_a_bit,
    spoil_some_bytes,
    cut_it,
    fill_the_end_with_zeros,
    swap_two_lines,
    lose_a_line,
    have_a_line_twice,
    give_it_another_shape,
    put_another_version_in_place,
    put_something_else_in_place,
    put_a_directory_in_place,
    put_a_pipe_in_place,
    put_a_link_in_place,
    link_the_cache,
    put_a_file_in_place_of_the_cache,
    close_the_cache,
    delete_the_index,
)
