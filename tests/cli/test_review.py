"""The sentences that a change of the code may have made untrue, from the command line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from schemas import faults_in
from support import CONFIG, git, run, write, write_graph

if TYPE_CHECKING:
    from pathlib import Path

    from yg.surfaces.cli.outcome import Outcome

PAY = """\
TIMEOUT_SECONDS = 300


def charge(amount):
    return amount


def _retry(times):
    return times


class Refused(Exception):
    pass
"""
GRAPH = {
    "model/pay/yg-node.yaml": "name: N\ntype: service\nmapping: {paths: [src/pay.py]}\n"
    "aspects: [{aspect: audit}]\n",
    "model/pay/responsibility.md": "Takes money. A charge is tried for 300 seconds.\n",
    "model/pay/interface.md": (
        "# Interface\n\n- `charge(amount)` takes money.\n- `Refused` if not.\n"
    ),
    "model/shop/yg-node.yaml": "name: N\ntype: service\nmapping: {paths: [src/shop.py]}\n"
    "relations: [{target: pay, type: calls}]\n",
    "model/shop/responsibility.md": "Sells things, and calls `charge`.\n",
    "aspects/audit/yg-aspect.yaml": "name: A\n",
    "aspects/audit/content.md": "Every call of `charge` is written down.\n",
    "flows/buy/yg-flow.yaml": "name: F\nnodes: [pay, shop]\n",
    "flows/buy/description.md": "## Business context\n\nThe shop calls `_retry`.\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Write a graph with two nodes, commit it, and record baselines."""
    write_graph(tmp_path, {"yg-config.yaml": CONFIG, **GRAPH})
    write(tmp_path, {"src/pay.py": PAY, "src/shop.py": "from pay import charge\n"})
    git(tmp_path, "init", "-q")
    commit(tmp_path)
    assert run("drift-sync", "-C", str(tmp_path), "--all").notes == ""
    return tmp_path


def commit(root: Path) -> None:
    git(root, "add", "-A")
    git(root, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x")


def change(root: Path, old: str, new: str, file: str = "src/pay.py") -> None:
    path = root / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def review(root: Path, *argv: str) -> Outcome:
    return run("review", "-C", str(root), *argv)


def data(root: Path, *argv: str) -> dict[str, Any]:
    outcome = review(root, "--json", *argv)
    found: dict[str, Any] = json.loads(outcome.text)
    assert faults_in(found) == []
    return found


def test_nothing_to_check_is_one_line(root: Path) -> None:
    outcome = review(root)
    assert (outcome.code, outcome.text, outcome.notes) == (0, "Nothing to check.\n", "")
    change(root, "    return times\n", "    return times  # again\n")
    assert review(root, "pay").text == "Nothing to check.\n"


def test_a_sentence_is_shown_with_the_code_and_the_value_that_is_gone(root: Path) -> None:
    change(root, "300", "600")
    change(root, "    return times\n", "    return times + 1\n")
    change(root, "    pass\n", "    code = 1\n")
    outcome = review(root)
    assert outcome.code == 1
    assert outcome.text == (
        "pay\n"
        "  src/pay.py (signature: TIMEOUT_SECONDS changed; body: _retry, Refused changed)\n"
        "  Check:\n"
        "    responsibility.md:1  A charge is tried for 300 seconds.\n"
        "      TIMEOUT_SECONDS changed (src/pay.py:1); 300 is gone\n"
        "    interface.md:4  `Refused` if not.\n"
        "      Refused changed (src/pay.py:12)\n"
        "    flows/buy/description.md:3  The shop calls `_retry`.\n"
        "      _retry changed (src/pay.py:8)\n"
        "  Next: correct the text, then run: yg drift-sync pay\n"
        "        or, if every sentence is still true: yg drift-sync pay --reason TEXT\n"
    )


def test_names_that_are_gone_are_looked_for_in_all_texts(root: Path) -> None:
    change(root, "charge", "take")
    change(root, "charge", "take", "src/shop.py")
    assert [
        (s["document"], s["line"], s["evidence"]) for s in data(root)["nodes"][0]["sentences"]
    ] == [
        ("interface.md", 3, "gone"),
        ("aspects/audit/content.md", 1, "gone"),
        ("shop/responsibility.md", 1, "gone"),
    ]
    assert "      charge is gone (src/pay.py)\n" in review(root).text


def test_data_has_files_parts_sentences_and_what_no_sentence_mentions(root: Path) -> None:
    change(root, "charge(amount)", "charge(amount, currency)")
    change(root, "class Refused", "class Late(Exception): ...\n\n\nclass Refused")
    assert data(root, "pay") == {
        "schema": "yg-review/1",
        "since": None,
        "nodes": [
            {
                "node": "pay",
                "state": "source-drift",
                "files": [
                    {
                        "path": "src/pay.py",
                        "class": "signature",
                        "parts": [
                            {"name": "charge", "change": "changed", "first": 4, "last": 5},
                            {"name": "Late", "change": "added", "first": 12, "last": 12},
                        ],
                    }
                ],
                "sentences": [
                    {
                        "document": document,
                        "file": f".yggdrasil/{file}",
                        "line": line,
                        "text": text,
                        "evidence": "signature",
                        "parts": [
                            {
                                "name": "charge",
                                "change": "changed",
                                "path": "src/pay.py",
                                "first": 4,
                            }
                        ],
                        "values": [],
                    }
                    for document, file, line, text in [
                        (
                            "interface.md",
                            "model/pay/interface.md",
                            3,
                            "`charge(amount)` takes money.",
                        ),
                        (
                            "aspects/audit/content.md",
                            "aspects/audit/content.md",
                            1,
                            "Every call of `charge` is written down.",
                        ),
                        (
                            "shop/responsibility.md",
                            "model/shop/responsibility.md",
                            1,
                            "Sells things, and calls `charge`.",
                        ),
                    ]
                ],
                "unmentioned": [
                    {
                        "name": "Late",
                        "change": "added",
                        "path": "src/pay.py",
                        "first": 12,
                        "class": "signature",
                    }
                ],
            }
        ],
        "notes": [],
    }


def test_differences_of_parts_are_shown_on_request(root: Path) -> None:
    change(root, "300", "600")
    change(root, "    return times\n", "    return times + 1\n")
    lines = review(root, "--diff").text
    assert (
        "  src/pay.py: TIMEOUT_SECONDS\n    -TIMEOUT_SECONDS = 300\n    +TIMEOUT_SECONDS = 600\n"
        "  src/pay.py: _retry\n     def _retry(times):\n    -    return times\n"
        "    +    return times + 1\n"
    ) in lines
    assert [each["name"] for each in data(root, "--diff")["nodes"][0]["differences"]] == [
        "TIMEOUT_SECONDS",
        "_retry",
    ]


def test_a_commit_is_compared_with_without_any_baseline(root: Path) -> None:
    for state in (root / ".yggdrasil" / ".drift-state").iterdir():
        state.unlink()
    change(root, "300", "600")
    (root / "src/more.py").write_text("X = 1\n", encoding="utf-8")
    found = review(root, "--since", "HEAD")
    assert found.code == 1
    assert found.text == (
        "pay\n"
        "  src/pay.py (signature: TIMEOUT_SECONDS changed)\n"
        "  Check:\n"
        "    responsibility.md:1  A charge is tried for 300 seconds.\n"
        "      TIMEOUT_SECONDS changed (src/pay.py:1); 300 is gone\n"
        "  Next: correct the sentences that are no longer true\n"
    )
    assert review(root, "--since", "HEAD", "shop").text == "Nothing to check.\n"
    assert data(root, "--since", "HEAD")["since"] == "HEAD"
    assert review(root, "--since", "").code == 2
    assert review(root, "--since", "nothing").code == 1


def test_a_file_that_was_deleted_or_moved_since_a_commit_is_reviewed(root: Path) -> None:
    node = root / ".yggdrasil/model/pay/yg-node.yaml"
    node.write_text(node.read_text().replace("src/pay.py", "src/pay"), encoding="utf-8")
    write(root, {"src/pay/charge.py": PAY})
    (root / "src/pay.py").unlink()
    assert review(root, "--since", "HEAD").code == 0
    (root / "src/pay/charge.py").unlink()
    write(root, {"src/pay/none.py": "X = 1\n", "src/shop.py": "\n"})
    found = data(root, "--since", "HEAD")["nodes"][0]["sentences"]
    assert [(sentence["document"], sentence["evidence"]) for sentence in found] == [
        ("responsibility.md", "value"),
        ("interface.md", "gone"),
        ("interface.md", "gone"),
        ("aspects/audit/content.md", "gone"),
        ("flows/buy/description.md", "gone"),
        ("shop/responsibility.md", "gone"),
    ]


def test_a_file_that_moved_with_its_mapping_since_a_commit_stays_with_its_node(root: Path) -> None:
    above = root / ".yggdrasil/model/pay/yg-node.yaml"
    mine = root / ".yggdrasil/model/pay/card/yg-node.yaml"
    write(root, {".yggdrasil/model/pay/card/yg-node.yaml": above.read_text(encoding="utf-8")})
    above.write_text(above.read_text().replace("src/pay.py", "src"), encoding="utf-8")
    commit(root)
    mine.write_text(mine.read_text().replace("src/pay.py", "src/paying.py"), encoding="utf-8")
    (root / "src/pay.py").rename(root / "src/paying.py")
    assert review(root, "--since", "HEAD").text == "Nothing to check.\n"
    (root / "src/paying.py").unlink()
    (found,) = data(root, "--since", "HEAD")["nodes"]
    assert (found["node"], [file["path"] for file in found["files"]]) == (
        "pay/card",
        ["src/pay.py"],
    )


def test_a_node_without_a_baseline_has_a_next_step(root: Path) -> None:
    (root / ".yggdrasil/.drift-state/pay.json").unlink()
    outcome = review(root, "pay")
    assert outcome.code == 0
    assert outcome.text == (
        "pay: no baseline\n"
        "  Next: compare with a commit: yg review --since REV\n"
        "        or, if code and graph match: yg drift-sync pay\n"
    )


def test_values_need_the_old_text(root: Path) -> None:
    git(root, "checkout", "-q", "--orphan", "other")
    change(root, "300", "600")
    commit(root)
    outcome = review(root)
    assert outcome.code == 0
    assert outcome.text.startswith(
        "pay\n  src/pay.py (signature: TIMEOUT_SECONDS changed)\n"
        "  Changed, but in no sentence: TIMEOUT_SECONDS (signature)\n"
    )
    assert outcome.notes == (
        "warning: values cannot be compared for 1 file: git does not have the old text\n"
    )


def test_a_corrected_sentence_leaves_nothing_to_check(root: Path) -> None:
    change(root, "300", "600")
    change(root, "300", "600", ".yggdrasil/model/pay/responsibility.md")
    outcome = review(root)
    assert outcome.code == 0
    assert "Check:" not in outcome.text


def test_annotations_stand_at_the_sentence(root: Path) -> None:
    change(root, "300", "600")
    change(root, "    pass\n", "    code = 1\n")
    assert review(root, "--format", "github").text == (
        "::warning file=.yggdrasil/model/pay/responsibility.md,line=1,title=yg review pay::"
        "A charge is tried for 300 seconds.%0ATIMEOUT_SECONDS changed (src/pay.py:1); 300 is gone. "
        "Is the sentence still true of pay?\n"
        "::notice file=.yggdrasil/model/pay/interface.md,line=4,title=yg review pay::"
        "`Refused` if not.%0ARefused changed (src/pay.py:12). Is the sentence still true of pay?\n"
    )
    sarif = json.loads(review(root, "--format", "sarif").text)["runs"][0]
    assert [(each["ruleId"], each["level"]) for each in sarif["results"]] == [
        ("review/value", "warning"),
        ("review/body", "note"),
    ]
    place = sarif["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == ".yggdrasil/model/pay/responsibility.md"
    assert place["region"]["startLine"] == 1


def test_sync_prints_what_remains_and_records_all_the_same(root: Path) -> None:
    change(root, "300", "600")
    outcome = run("drift-sync", "-C", str(root), "pay")
    assert outcome.code == 0
    assert outcome.text.splitlines()[2:] == [
        "  Recorded, but still to check:",
        "    responsibility.md:1  A charge is tried for 300 seconds.",
        "      TIMEOUT_SECONDS changed (src/pay.py:1); 300 is gone",
    ]
    assert outcome.notes == (
        "warning: commit 1 file as it is now, or its values cannot be compared later\n"
    )
    assert review(root).text == "Nothing to check.\n"


@pytest.mark.parametrize("gate", ["value", "signature", "body"])
def test_a_gate_wants_a_text_or_a_reason(root: Path, gate: str) -> None:
    config = root / ".yggdrasil/yg-config.yaml"
    config.write_text(f"{config.read_text()}drift: {{gate: {gate}}}\n", encoding="utf-8")
    change(root, "300", "600")
    refused = run("drift-sync", "-C", str(root), "pay")
    assert refused.code == 1
    assert refused.notes == (
        "error: cannot synchronize pay: 1 sentence is to be checked: responsibility.md:1 "
        "(TIMEOUT_SECONDS changed (src/pay.py:1); 300 is gone)\n"
        "  Nothing was written. 'yg review pay' shows what to check. Change the text, or say why "
        "it is still true: yg drift-sync pay --reason TEXT\n"
    )
    everything = run("drift-sync", "-C", str(root), "--all", "--json")
    assert everything.code == 1
    found = json.loads(everything.text)
    assert faults_in(found) == []
    assert [(node["node"], node["status"]) for node in found["nodes"]] == [
        ("pay", "needs-reason"),
        ("shop", "unchanged"),
    ]
    assert found["nodes"][0]["sentences"][0]["values"] == ["300"]
    assert run("drift-sync", "-C", str(root), "pay", "--reason", "it is an example").code == 0
    assert review(root).text == "Nothing to check.\n"


def test_the_lowest_gate_lets_other_changes_pass(root: Path) -> None:
    config = root / ".yggdrasil/yg-config.yaml"
    config.write_text(f"{config.read_text()}drift: {{gate: value}}\n", encoding="utf-8")
    change(root, "charge(amount)", "charge(amount, currency)")
    assert run("drift-sync", "-C", str(root), "pay").code == 0


def test_a_changed_text_opens_the_gate(root: Path) -> None:
    config = root / ".yggdrasil/yg-config.yaml"
    config.write_text(f"{config.read_text()}drift: {{gate: value}}\n", encoding="utf-8")
    change(root, "300", "600")
    change(root, "takes money", "takes the money", ".yggdrasil/model/pay/interface.md")
    outcome = run("drift-sync", "-C", str(root), "pay")
    assert outcome.code == 0
    assert "still to check" in outcome.text


def test_a_node_whose_files_are_all_gone_has_sentences_to_check(root: Path) -> None:
    (root / "src/pay.py").unlink()
    outcome = review(root, "pay")
    assert outcome.code == 1
    assert "responsibility.md:1  A charge is tried for 300 seconds.\n" in outcome.text
    assert outcome.text.endswith(
        "  Next: restore the missing files, or correct the mapping of the node\n"
    )


def test_what_is_outside_of_all_declarations_is_named_by_its_file(root: Path) -> None:
    write(root, {"src/shop.py": "from pay import charge\n\ncharge(1)\n"})
    assert "Changed, but in no sentence: src/shop.py (body)\n" in review(root, "shop").text


def test_the_next_step_for_a_missing_file_comes_before_drift_sync(root: Path) -> None:
    node = "name: N\ntype: service\nmapping: {paths: [src/pay.py, src/more.py]}\n"
    write_graph(root, {"model/pay/yg-node.yaml": node})
    write(root, {"src/more.py": "def _retry_later():\n    return 1\n"})
    run("drift-sync", "-C", str(root), "--all")
    (root / "src/more.py").unlink()
    assert review(root, "pay").text.endswith(
        "  Next: write src/more.py, or correct the mapping; then run: yg drift-sync pay\n"
    )
