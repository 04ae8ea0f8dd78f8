"""Code blocks: the public names of the code in packages."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from support import CONFIG, git, node_owning, run, write, write_graph

MONEY = '''\
"""Money."""

class Money:
    """An amount; adding two currencies is an error.

    More about it.
    """

    def percent(self, share: int) -> "Money":
        return self

    def _private(self): pass


def parse(text: str) -> Money:
    """Read an amount."""
    return Money()


LIMIT = 3
'''
CART = "from money import Money\n\n\ndef total(one: Money) -> Money:\n    return one.percent(3)\n"
SHOP = "from cart import total\nfrom money import parse\n\n\ndef main():\n    total(parse('1'))\n"
RELATION = "relations: [{{target: {}, type: uses{}}}]\n"
OWN_MONEY = """\
<code node-path="money" names="3 of 4">
src/money.py:3-12 class Money
  An amount; adding two currencies is an error.
src/money.py:9-10   def percent(self, share: int) -> "Money"
src/money.py:15-17 def parse(text: str) -> Money
  Read an amount.
</code>
"""


def graph(root: Path, consumes: str = "", settings: str = "code: {packages: consumed}\n") -> Path:
    files = {
        "yg-config.yaml": CONFIG + settings,
        "model/money/yg-node.yaml": node_owning("src/money.py"),
        "model/cart/yg-node.yaml": node_owning("src/cart.py") + RELATION.format("money", consumes),
        "model/app/yg-node.yaml": node_owning("src/app.py")
        + "relations: [{target: cart, type: uses}, {target: money, type: uses}]\n",
    }
    write_graph(root, {**files, **{f"model/{n}/responsibility.md": f"{n}.\n" for n in FILES}})
    return write(root, {"src/money.py": MONEY, "src/cart.py": CART, "src/app.py": SHOP})


FILES = ("money", "cart", "app")


def package(root: Path, *argv: str) -> str:
    outcome = run("build-context", *argv, "-C", str(root))
    assert (outcome.code, outcome.notes) == (0, "")
    return outcome.text


def blocks(root: Path, *argv: str) -> list[dict[str, Any]]:
    found = json.loads(package(root, *argv, "--json"))["blocks"]
    return [block for block in found if block["kind"] == "code"]


def test_a_package_shows_the_names_that_other_nodes_use_after_its_own_artifacts(
    tmp_path: Path,
) -> None:
    text = package(graph(tmp_path), "money")
    assert f"</own-artifacts>\n\n{OWN_MONEY}\n<materialization-target" in text


def test_a_dependency_shows_what_the_code_of_the_node_uses(tmp_path: Path) -> None:
    text = package(graph(tmp_path), "app")
    assert (
        "</dependency>\n\n"
        '<code node-path="cart" names="1 of 1">\n'
        "src/cart.py:4-5 def total(one: Money) -> Money\n"
        "</code>\n\n<dependency"
    ) in text
    assert (
        '<code node-path="money" names="1 of 4">\n'
        "src/money.py:15-17 def parse(text: str) -> Money\n  Read an amount.\n</code>\n"
    ) in text
    assert '<code node-path="app"' in text  # nobody uses it: all names


def test_a_dependency_shows_what_the_relation_consumes_with_what_it_is_a_member_of(
    tmp_path: Path,
) -> None:
    [_, found] = blocks(graph(tmp_path, consumes=", consumes: [percent, gone]"), "cart")
    assert (found["subject"], found["attributes"]["names"]) == ("money", "2 of 4")
    assert found["opening"] == [
        "src/money.py:3-12 class Money",
        "  An amount; adding two currencies is an error.",
        'src/money.py:9-10   def percent(self, share: int) -> "Money"',
    ]
    assert found["files"] == []


def test_a_dependency_without_code_shows_that_of_the_nodes_inside_it(tmp_path: Path) -> None:
    root = graph(tmp_path)
    shutil.move(root / ".yggdrasil/model/money", root / ".yggdrasil/model/bank/money")
    uses_bank = "relations: [{target: bank, type: uses}]\n"
    group = {
        "yg-config.yaml": CONFIG + "code: {packages: consumed}\n",
        "model/bank/yg-node.yaml": "name: Bank\ntype: module\n",
        "model/bank/responsibility.md": "bank.\n",
        "model/cart/yg-node.yaml": node_owning("src/cart.py") + uses_bank,
        "model/app/yg-node.yaml": node_owning("src/app.py"),
    }
    write_graph(root, group)
    [_, found] = blocks(root, "cart")
    assert (found["subject"], found["attributes"]["names"]) == ("bank", "2 of 4")
    assert found["opening"][0] == "src/money.py:3-12 class Money"
    assert blocks(root, "bank") == []
    outline = run("show", "--outline", "bank", "-C", str(root))
    assert outline == run("show", "--outline", "bank/money", "-C", str(root))
    assert "class Money" in outline.text


def test_a_name_inside_two_dependencies_is_shown_once(tmp_path: Path) -> None:
    root = graph(tmp_path)
    shutil.move(root / ".yggdrasil/model/money", root / ".yggdrasil/model/cart/money")
    relations = "relations: [{target: cart, type: uses}, {target: cart/money, type: uses}]\n"
    group = {
        "yg-config.yaml": CONFIG + "code: {packages: consumed}\n",
        "model/cart/yg-node.yaml": node_owning("src/cart.py"),
        "model/app/yg-node.yaml": node_owning("src/app.py") + relations,
    }
    write_graph(root, group)
    text = package(root, "app")
    assert text.count("def total(") == text.count("def parse(") == 1


def test_names_that_do_not_exist_do_not_hide_what_is_used(tmp_path: Path) -> None:
    [_, found] = blocks(graph(tmp_path, consumes=", consumes: [POST /pay]"), "cart")
    assert found["opening"][0] == "src/money.py:3-12 class Money"


def test_the_option_goes_before_the_configuration(tmp_path: Path) -> None:
    root = graph(tmp_path)
    assert blocks(root, "money", "--code=off") == []
    [whole] = blocks(root, "money", "--code=all")
    assert whole["attributes"]["names"] == "4 of 4"
    other = graph(tmp_path / "other", settings="")
    assert "<code" not in package(other, "money")
    assert OWN_MONEY in package(other, "money", "--code")
    assert package(other, "money", "--code=off") == package(other, "money")


def test_the_digest_is_that_of_the_package_without_options(tmp_path: Path) -> None:
    root = graph(tmp_path)
    digests = {package(root, "money", *more, "--digest") for more in ((), ("--code=off",))}
    assert len(digests) == 1
    other = graph(tmp_path / "other", settings="")
    assert package(other, "money", "--digest") not in digests
    assert package(other, "money", "--digest") == package(other, "money", "--code", "--digest")


def test_a_name_shown_as_own_is_not_shown_again_as_a_dependencys(tmp_path: Path) -> None:
    found = blocks(graph(tmp_path), "app", "money")
    assert [block["subject"] for block in found] == ["app", "money", "cart"]
    text = package(graph(tmp_path), "cart", "app")
    assert text.index("</own-artifacts>\n\n<code") < text.index('<own-artifacts node-path="app"')


def test_a_block_has_at_most_twenty_names_the_most_used_first(tmp_path: Path) -> None:
    root = graph(tmp_path)
    many = "".join(f"def f{n:02}(): pass\n" for n in range(32))
    used = ", ".join(f"f{n:02}" for n in range(32))
    write(root, {"src/money.py": many, "src/cart.py": "from money import f31\n\nf31()\n"})
    write(root, {"src/app.py": f"from money import {used}\n\n[{used}]\n"})
    [found] = blocks(root, "app", "--only", "code:money")
    assert found["opening"][:2] == ["src/money.py:32-32 def f31()", "src/money.py:1-1 def f00()"]
    assert (found["attributes"]["names"], len(found["opening"])) == ("20 of 32", 20)
    assert found["closing"] == [".. and 12 more: yg show --outline money"]


def test_only_code_shows_nothing_else_and_without_code_leaves_it_out(tmp_path: Path) -> None:
    root = graph(tmp_path)
    assert package(root, "money", "--only", "code").count("\n<") == 3
    assert blocks(root, "app", "--without", "code:money")[-1]["subject"] == "cart"
    assert blocks(root, "app", "--without", "code") == []


def test_code_is_cut_before_interfaces_and_that_of_dependencies_first(tmp_path: Path) -> None:
    root = graph(tmp_path)
    whole = json.loads(package(root, "app", "--json"))["tokens"]
    fit = json.loads(package(root, "app", "--fit", str(whole - 1), "--json"))["fit"]
    assert [(cut["block"], cut["subject"], cut["step"]) for cut in fit["cut"]] == [("code", "", 5)]
    assert "document" not in fit["cut"][0]
    assert fit["cut"][0]["command"] == "yg build-context app --only code"
    listed = package(root, "app", "--fit", str(whole - 1)).partition("<left-out")[2]
    assert "\ncode of dependencies (" in listed


def test_the_markdown_form_has_the_same_lines(tmp_path: Path) -> None:
    text = package(graph(tmp_path), "app", "--format", "markdown")
    assert "### Code: money (1 of 4 names)\n\n```\nsrc/money.py:15-17 def parse" in text
    assert "## Code: app (1 of 1 names)\n" in text


def test_the_index_and_a_commit_change_nothing(tmp_path: Path) -> None:
    root = graph(tmp_path)
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "one")
    first = package(root, "app")
    assert package(root, "app") == package(root, "app", "--no-cache") == first
    assert package(root, "app", "--at", "HEAD") == first
    write(root, {"src/app.py": SHOP.replace("parse", "LIMIT")})
    assert "LIMIT = 3" in package(root, "app")
    assert package(root, "app") == package(root, "app", "--no-cache")


def test_code_is_not_tracked_for_drift(tmp_path: Path) -> None:
    root = graph(tmp_path)
    assert run("drift-sync", "--all", "-C", str(root)).code == 0
    write(root, {"src/money.py": MONEY.replace("An amount;", "A sum;")})
    states = json.loads(run("drift", "--json", "-C", str(root)).text)["nodes"]
    assert {node["node"]: node["state"] for node in states if node["state"] != "ok"} == {
        "money": "source-drift"
    }


def test_a_node_whose_code_has_parts_needs_no_interface(tmp_path: Path) -> None:
    def lacking(settings: str) -> int:
        write_graph(root, {"yg-config.yaml": f"{CONFIG}{settings}"})
        return run("validate", "-C", str(root)).text.count("missing artifact 'interface'")

    root = graph(tmp_path)
    assert lacking("code: {packages: consumed}\n") == 0
    assert lacking("code: {imports: off}\n") == 2
    write(root, {"src/money.py": "print('no parts')\n"})
    assert lacking("code: {packages: all}\n") == 1


def test_a_node_around_nodes_whose_code_has_parts_needs_no_interface(tmp_path: Path) -> None:
    root = graph(tmp_path)
    shutil.move(root / ".yggdrasil/model/money", root / ".yggdrasil/model/bank/money")
    uses_bank = "relations: [{target: bank, type: uses}]\n"
    group = {
        "model/bank/yg-node.yaml": "name: Bank\ntype: module\n",
        "model/app/yg-node.yaml": node_owning("src/app.py") + uses_bank,
    }
    for packages, count in (("consumed", 0), ("off", 1)):
        config = f"{CONFIG}code: {{packages: {packages}}}\n"
        write_graph(root, {"yg-config.yaml": config, **group})
        found = run("validate", "-C", str(root)).text
        assert len(re.findall("^W001 bank .*'interface'", found, re.MULTILINE)) == count


@pytest.mark.parametrize("which", ["", "some"])
def test_another_word_is_an_error_that_names_the_words(tmp_path: Path, which: str) -> None:
    outcome = run("build-context", "money", f"--code={which}", "-C", str(graph(tmp_path)))
    assert outcome.code == 2
    assert "consumed" in outcome.notes
