"""Moves by similarity: the same tokens, or most parts; compared with git on edited files."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from support import CONFIG, NODE, run, write
from yg.code.facts import FileFacts
from yg.code.parts import Part
from yg.code.read import read_facts
from yg.yggdrasil.drift.similar import similar_files

SOURCE = "".join(f"def f{at}(x):\n    return x + {at}\n\n\n" for at in range(10))


def facts(text: str, path: str = "a.py") -> FileFacts:
    found = read_facts(path, text.encode())
    assert found is not None
    return found


def edited(count: int) -> str:
    """Return the source with other bodies of some functions."""
    text = SOURCE
    for at in range(count):
        text = text.replace(f"return x + {at}\n", f"return {at} - x\n")
    return text


@pytest.mark.parametrize(("count", "is_move"), [(0, True), (1, True), (2, True), (3, False)])
def test_four_parts_of_five_make_a_move(count: int, *, is_move: bool) -> None:
    found = similar_files({"old.py": facts(SOURCE)}, {"new.py": facts(edited(count))})
    assert found == ({"old.py": "new.py"} if is_move else {})


def test_the_larger_file_decides_and_code_outside_of_parts_does_not_count() -> None:
    half = SOURCE[: len(SOURCE) // 2]
    assert similar_files({"o.py": facts(half)}, {"n.py": facts(SOURCE)}) == {}
    other = facts(f"LIMIT = {{1: 2}}\nprint(LIMIT)\n{edited(1)}")
    assert similar_files({"o.py": facts(SOURCE)}, {"n.py": other}) == {"o.py": "n.py"}


def test_imports_do_not_matter_and_languages_do() -> None:
    new = facts(f"import os\nfrom a import b\n\n\n{SOURCE}")
    assert similar_files({"o.py": facts(SOURCE)}, {"n.py": new}) == {"o.py": "n.py"}
    assert similar_files({"o.py": facts(SOURCE)}, {"n.pyi": new}) == {"o.py": "n.pyi"}
    assert similar_files({"o.py": facts(SOURCE)}, {"n.ts": new}) == {}


def test_the_best_match_wins_then_the_first_path_and_each_is_taken_once() -> None:
    new = {"z.py": facts(edited(0)), "b.py": facts(edited(1)), "a.py": facts(edited(1))}
    assert similar_files({"o.py": facts(SOURCE)}, new) == {"o.py": "z.py"}
    two = {"o.py": facts(SOURCE), "p.py": facts(SOURCE)}
    assert similar_files(two, new) == {"o.py": "z.py", "p.py": "a.py"}


def test_files_without_code_never_match() -> None:
    empty = FileFacts("t", "", "", {}, parts={"(file)": Part("")})
    assert similar_files({"o.py": empty}, {"n.py": empty}) == {}


def git(root: Path, *argv: str) -> str:
    command = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", str(root), *argv]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


# Where git and yg differ: git counts lines, so a file whose few long functions are the same and
# whose imports are all new is no rename for it; and it takes half of a file for enough.
@pytest.mark.parametrize(
    ("after", "by_git", "by_yg"),
    [
        (SOURCE, True, True),
        (edited(2), True, True),
        (edited(3), True, False),  # 70 in a hundred parts
        ("".join(f"import m{at}\n" for at in range(60)) + SOURCE, False, True),
        ("def g():\n    return 1\n", False, False),
    ],
)
def test_git_finds_the_same_renames_but_for_imports_and_its_lower_limit(
    tmp_path: Path, after: str, *, by_git: bool, by_yg: bool
) -> None:
    node = f"{NODE}mapping: {{paths: [src]}}\n"
    write(
        tmp_path,
        {
            ".yggdrasil/yg-config.yaml": CONFIG,
            ".yggdrasil/model/a/yg-node.yaml": node,
            "src/old.py": SOURCE,
            "src/rest.py": "x = 1\n",
        },
    )
    git(tmp_path, "init", "-q")
    assert run("drift-sync", "-C", str(tmp_path), "--all").code == 0
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "one")
    (tmp_path / "src/old.py").unlink()
    write(tmp_path, {"src/new.py": after})
    git(tmp_path, "add", "-A")
    renames = git(tmp_path, "diff", "--cached", "-M", "--name-status")
    assert ("src/old.py\tsrc/new.py" in renames) is by_git
    text = run("drift", "-C", str(tmp_path)).text
    assert ("src/old.py (moved to src/new.py" in text) is by_yg


def test_a_mapping_follows_a_file_that_moved_and_changed(tmp_path: Path) -> None:
    node = f"{NODE}mapping: {{paths: [src/old.py]}}\n"
    declaration = ".yggdrasil/model/a/yg-node.yaml"
    write(
        tmp_path,
        {".yggdrasil/yg-config.yaml": CONFIG, declaration: node, "src/old.py": SOURCE},
    )
    assert run("drift-sync", "-C", str(tmp_path), "--all").code == 0
    (tmp_path / "src/old.py").unlink()
    write(tmp_path, {"lib/new.py": edited(1)})
    run("validate", "-C", str(tmp_path), "--fix")
    assert (tmp_path / declaration).read_text() == node.replace("src/old.py", "lib/new.py")
    assert (
        "src/old.py (moved to lib/new.py; signature" not in run("drift", "-C", str(tmp_path)).text
    )
    assert "(moved to lib/new.py; body: f0 changed)" in run("drift", "-C", str(tmp_path)).text
