"""`yg drift` names the parts that changed, also where a baseline has no facts but git the text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from schemas import faults
from support import git, run, write, write_graph
from yg.disk.git import process

if TYPE_CHECKING:
    from pathlib import Path

    from yg.surfaces.cli.outcome import Outcome
from yg.yggdrasil.drift.baseline import Baseline
from yg.yggdrasil.drift.baseline_parts import recorded_facts
from yg.yggdrasil.drift.parse import baseline_from

PAY = '''"""Payments."""


def charge(amount):
    """Charge."""
    return _retry(amount)


def _retry(amount):
    return amount > 0


class Ledger:
    def add(self, amount):
        return amount


main()
'''
STATE = ".yggdrasil/.drift-state/app.json"


def commit(root: Path) -> None:
    git(root, "add", "-A")
    git(root, "commit", "-q", "--allow-empty", "-m", "message")


def repository(root: Path, sources: dict[str, str], *, has_git: bool = False) -> Path:
    """Write a repository with a node and its baseline."""
    node = "name: N\ntype: service\nmapping: {paths: [src]}\n"
    write_graph(root, {"model/app/yg-node.yaml": node, "model/app/responsibility.md": "One.\n"})
    write(root, sources)
    if has_git:
        git(root, "init", "-q")
    assert run("drift-sync", "-C", str(root), "--all").code == 0
    if has_git:
        commit(root)
    return root


def drift(root: Path, *argv: str) -> Outcome:
    return run("drift", "-C", str(root), *argv)


def lines(root: Path, *argv: str) -> list[str]:
    """Return what is said about each file; the same without the index."""
    text = drift(root, *argv).text
    assert drift(root, "--no-cache", *argv).text == text
    return [line.strip() for line in text.splitlines() if line.startswith("    src/")]


def parts(root: Path) -> list[dict[str, Any]]:
    text = drift(root, "--json").text
    assert faults(text.encode()) == []
    found: list[dict[str, Any]] = json.loads(text)["nodes"][0]["source"][0]["parts"]
    return found


def state(root: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((root / STATE).read_text(encoding="utf-8"))
    return found


def with_code(root: Path, code: object) -> None:
    """Replace the facts of the baseline, or remove them."""
    found = state(root)
    del found["code"]
    write(root, {STATE: json.dumps({**found, **({"code": code} if code else {})})})


@pytest.mark.parametrize(
    ("old", "new", "shown"),
    [
        ("amount > 0", "amount >= 0", "body: _retry changed"),
        ("return amount\n", "return -amount\n", "body: Ledger.add changed"),
        ("class Ledger:", "class Ledger(Base):", "signature: Ledger changed"),
        ("main()", "main(1)", "body: (file) changed"),
        ("amount", "value", "signature: Ledger.add, charge changed; body: _retry changed"),
        ("_retry", "_try", "body: charge changed, _try added, _retry removed"),
        (
            "\n\nmain()",
            "\n\ndef refund(): pass\nmain(1)",
            "signature: refund added; body: (file) changed",
        ),
    ],
)
def test_the_line_of_a_file_names_its_parts(tmp_path: Path, old: str, new: str, shown: str) -> None:
    root = repository(tmp_path, {"src/pay.py": PAY})
    write(root, {"src/pay.py": PAY.replace(old, new)})
    assert lines(root) == [f"src/pay.py ({shown})"]


def test_at_most_five_names_of_each_kind_are_listed(tmp_path: Path) -> None:
    sources = "".join(f"def f{n}(): 1\ndef _g{n}(): 1\n" for n in range(8))
    root = repository(tmp_path, {"src/pay.py": sources})
    write(root, {"src/pay.py": sources.replace("()", "(a)").replace("f0(a)", "f0()")})
    assert lines(root) == [
        (
            "src/pay.py (signature: f1, f2, f3, f4, f5 changed and 2 more;"
            " body: _g0, _g1, _g2, _g3, _g4 changed and 3 more)"
        )
    ]
    assert len(parts(root)) == 15


def test_data_has_the_lines_of_the_parts_now(tmp_path: Path) -> None:
    root = repository(tmp_path, {"src/pay.py": PAY})
    changed = PAY.replace("_retry", "_try").replace("main()", "\n@cache\ndef main(): pass")
    write(root, {"src/pay.py": changed})
    assert parts(root) == [
        {"name": "(file)", "change": "changed", "first": 1, "last": 20},
        {"name": "charge", "change": "changed", "first": 4, "last": 6},
        {"name": "_try", "change": "added", "first": 9, "last": 10},
        {"name": "main", "change": "added", "first": 19, "last": 20},
        {"name": "_retry", "change": "removed"},
    ]


def test_a_baseline_has_only_the_digests_of_parts(tmp_path: Path) -> None:
    found = state(repository(tmp_path, {"src/pay.py": PAY, "src/a.c": "int a;\n"}))["code"]
    assert found["algo"] == "lex-2/lines"
    digests = found["files"]["src/pay.py"]["parts"]
    assert list(digests) == ["(file)", "Ledger", "Ledger.add", "_retry", "charge"]
    assert [len(digest) for digest in digests.values()] == [6, 13, 13, 6, 13]
    assert all(" " not in part for part in found["files"]["src/a.c"]["parts"].values())


# Baselines without facts of this kind.


def older(root: Path) -> dict[str, Any]:
    """Return facts as an earlier version recorded them, without parts."""
    baseline = baseline_from(json.dumps(state(root)))
    assert isinstance(baseline, Baseline)
    files = {
        path: {
            "tokens": facts.tokens,
            "docs": facts.docs,
            "imports": facts.imports,
            "signatures": {
                name: {"digest": each.digest, "header": name}
                for name, each in facts.signatures.items()
            },
        }
        for path, facts in recorded_facts(baseline)[0].items()
    }
    return {"algo": "lex-1", "files": files}


def test_older_facts_are_compared_as_far_as_they_go(tmp_path: Path) -> None:
    root = repository(tmp_path, {"src/pay.py": PAY, "src/z.py": "z()\n"})
    with_code(root, older(root))
    write(root, {"src/pay.py": PAY.replace("(amount)", "(value)"), "src/z.py": "y()\n"})
    assert lines(root) == [
        "src/pay.py (signature: charge changed)",
        "src/z.py (body)",
    ]
    write(root, {"src/pay.py": PAY.replace("Charge.", "Charges."), "src/z.py": "z() # z\n"})
    assert lines(root) == ["src/pay.py (docs)", "src/z.py (cosmetic)"]


def test_older_facts_of_rust_know_too_few_public_names(tmp_path: Path) -> None:
    root = repository(tmp_path, {"src/a.rs": "pub(crate) fn f() { 1 }\n"})
    with_code(root, older(root))
    write(root, {"src/a.rs": "pub(crate) fn f() { 2 }\n"})
    assert lines(root) == ["src/a.rs (changed)"]


@pytest.mark.parametrize("code", [None, {"algo": "lex-0", "files": "anything"}, "older"])
def test_without_facts_the_text_in_git_is_compared(tmp_path: Path, code: object) -> None:
    sources = {"src/pay.py": PAY, "src/gone.py": "def gone(): ...\n", "src/note.txt": "one\n"}
    root = repository(tmp_path, sources, has_git=True)
    with_code(root, older(root) if code == "older" else code)
    for number in range(3):  # the recorded text is in an older commit
        write(root, {"src/pay.py": PAY.replace("amount > 0", f"amount > {number + 1}")})
        commit(root)
    (root / "src/gone.py").unlink()
    write(root, {"src/new.py": "def new(): ...\n", "src/note.txt": "two\n"})
    expected = [
        "src/gone.py (deleted; signature: gone removed)",
        "src/new.py (added; signature: new added)",
        "src/note.txt (changed)",
        "src/pay.py (body: _retry changed)",
    ]
    assert lines(root) == expected
    assert drift(root).notes == ""
    # The index remembers it.
    write(root, {"src/pay.py": PAY.replace("amount > 0", "amount > 9")})
    git_asked = asked(root)
    assert (lines(root), git_asked) == (expected, [])


def asked(root: Path) -> list[str]:
    """Return the commands of git that search for contents while drift is looked for."""
    commands: list[str] = []
    ask, start = process.ask, process.start
    searching = ("rev-list", "diff-tree", "ls-tree", "cat-file")

    def noted_ask(directory: str, *arguments: str, **options: Any) -> Any:
        commands.append(arguments[0])
        return ask(directory, *arguments, **options)

    def noted_start(repository: Any, *arguments: str, **options: Any) -> Any:
        commands.append(arguments[0])
        return start(repository, *arguments, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("yg.disk.git.history.ask", noted_ask)
        patch.setattr(process, "start", noted_start)
        assert drift(root).code == 1
    return [command for command in commands if command in searching]


def test_all_files_are_searched_together(tmp_path: Path) -> None:
    sources = {f"src/f{n}.py": f"def f(): return {n}\n" for n in range(20)}
    root = repository(tmp_path, sources, has_git=True)
    with_code(root, None)
    write(root, {path: text.replace("f():", "f(a):") for path, text in sources.items()})
    commit(root)
    assert (
        asked(root) == ["ls-tree", "cat-file", "rev-list", "diff-tree"] or sorted(asked(root)) == []
    )
    assert lines(root) == [f"{path} (signature: f changed)" for path in sorted(sources)]


def test_a_text_that_git_lacks_is_searched_again_only_after_a_commit(tmp_path: Path) -> None:
    root = repository(tmp_path, {"src/pay.py": PAY}, has_git=True)
    with_code(root, None)
    write(root, {"src/pay.py": PAY.replace("amount > 0", "amount > 1")})
    git(root, "rm", "-q", "--cached", "src/pay.py")
    git(root, "commit", "-q", "--amend", "-m", "without it")
    assert lines(root) == ["src/pay.py (changed)"]
    assert asked(root) == []
    now = (root / "src/pay.py").read_text(encoding="utf-8")
    write(root, {"src/pay.py": PAY})
    commit(root)
    write(root, {"src/pay.py": now})
    assert lines(root) == ["src/pay.py (body: _retry changed)"]


def test_a_text_is_found_at_another_path(tmp_path: Path) -> None:
    root = repository(tmp_path, {"src/pay.py": PAY}, has_git=True)
    with_code(root, None)
    git(root, "mv", "src/pay.py", "src/money.py")
    git(root, "commit", "-q", "--amend", "-m", "moved")
    write(root, {"src/pay.py": PAY.replace("amount > 0", "amount > 1")})
    assert lines(root)[-1] == "src/pay.py (body: _retry changed)"


def test_without_git_a_change_is_of_unknown_class(tmp_path: Path) -> None:
    root = repository(tmp_path, {"src/pay.py": PAY})
    with_code(root, None)
    write(root, {"src/pay.py": PAY.replace("amount > 0", "amount > 1")})
    assert lines(root) == ["src/pay.py (changed)"]
    git(root, "init", "-q")
    now = (root / "src/pay.py").read_text(encoding="utf-8")
    write(root, {"src/pay.py": PAY})
    commit(root)
    write(root, {"src/pay.py": now})
    assert lines(root) == ["src/pay.py (body: _retry changed)"]


def test_a_gate_knows_the_class_from_git(tmp_path: Path) -> None:
    root = repository(tmp_path, {"src/pay.py": PAY}, has_git=True)
    with_code(root, None)
    settings = root / ".yggdrasil/yg-config.yaml"
    text = settings.read_text(encoding="utf-8")
    settings.write_text(f"{text}drift: {{gate: signature}}\n", encoding="utf-8")
    write(root, {"src/pay.py": PAY.replace("charge(amount)", "charge(amount, to)")})
    outcome = run("drift-sync", "-C", str(root), "app")
    assert "its public names changed (charge), but none of its texts did" in str(outcome)
    write(root, {"src/pay.py": PAY.replace("amount > 0", "amount > 1")})
    assert run("drift-sync", "-C", str(root), "app").code == 0
