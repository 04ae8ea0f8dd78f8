"""`yg check-docs`: references in documents that are not true any more."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from schemas import faults_in
from support import CONFIG, NODE, git, run, write
from yg.commands.check_docs import past
from yg.surfaces.cli.outcome import Outcome

CODE = "def charge_card():\n    pass\n\n\ndef other_name():\n    pass\n"


def commit(root: Path, files: Mapping[str, str | bytes] = {}, message: str = "one") -> str:
    write(root, files)
    if not (root / ".git").exists():
        git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-q", "--allow-empty", "-m", message)
    return git(root, "rev-parse", "HEAD").strip()[:7]


def check(root: Path, *argv: str) -> Outcome:
    return run("check-docs", *argv, "-C", str(root))


def found(root: Path, *argv: str) -> list[str]:
    """Return the findings as text, without the line that counts them."""
    outcome = check(root, *argv)
    lines = outcome.text.splitlines()
    assert outcome.code == (1 if len(lines) > 1 else 0)
    return lines[:-2]


def test_a_renamed_path_is_reported_with_its_new_name(tmp_path: Path) -> None:
    page = "# A\n\nMoney: `src/old/pay.py`, see [code](src/old/pay.py#L3).\n"
    commit(tmp_path, {"AGENTS.md": page, "src/old/pay.py": CODE})
    (tmp_path / "src/pay").mkdir()
    git(tmp_path, "mv", "src/old/pay.py", "src/pay/charge.py")
    renamed = commit(tmp_path)
    message = f"src/old/pay.py does not exist (renamed to src/pay/charge.py in {renamed})"
    assert check(tmp_path) == Outcome(
        f"AGENTS.md:3: {message}\nAGENTS.md:3: {message}\n\n"
        "2 stale references. 1 document checked.\n",
        code=1,
    )


def test_a_path_that_was_renamed_several_times_has_its_last_name(tmp_path: Path) -> None:
    commit(tmp_path, {"README.md": "`src/a.py` and `lib/`\n", "src/a.py": CODE, "lib/x/b.py": "1"})
    git(tmp_path, "mv", "src/a.py", "src/b.py")
    commit(tmp_path)
    git(tmp_path, "mv", "src/b.py", "src/c.py")
    git(tmp_path, "mv", "lib", "kit")
    last = commit(tmp_path)
    assert found(tmp_path) == [
        f"README.md:1: src/a.py does not exist (renamed to src/c.py in {last})",
        f"README.md:1: lib does not exist (renamed to kit in {last})",
    ]


def test_a_rename_that_is_only_staged_is_named_too(tmp_path: Path) -> None:
    commit(tmp_path, {"README.md": "`src/a.py`\n", "src/a.py": CODE})
    git(tmp_path, "mv", "src/a.py", "src/b.py")
    assert found(tmp_path) == [
        "README.md:1: src/a.py does not exist (renamed to src/b.py in the index)"
    ]


def test_a_path_in_back_quotes_that_never_existed_is_not_reported(tmp_path: Path) -> None:
    commit(tmp_path, {"README.md": "`src/never.py` `a/<x>/b` `src/*.py` `/etc/x/y` `a/XXX/b`\n"})
    assert check(tmp_path) == Outcome("No stale references found. 1 document checked.\n")


def test_a_path_that_came_and_went_before_the_line_is_not_reported(tmp_path: Path) -> None:
    commit(tmp_path, {"README.md": "\n", "src/a.py": CODE})
    (tmp_path / "src/a.py").unlink()
    commit(tmp_path, {"README.md": "`src/a.py` is gone since then.\n"})
    assert found(tmp_path) == []


def test_a_path_may_be_relative_to_the_file_or_to_the_top(tmp_path: Path) -> None:
    page = "`x/a.py` `src/b.py` `../src/b.py` [a](x/a.py) [b](/src/b.py) [c](../src/b.py)\n"
    commit(tmp_path, {"docs/page.md": page, "docs/x/a.py": "", "src/b.py": ""})
    assert found(tmp_path) == []
    git(tmp_path, "rm", "-q", "docs/x/a.py", "src/b.py")
    commit(tmp_path)
    assert [line.partition(": ")[2] for line in found(tmp_path)] == [
        "docs/x/a.py does not exist",
        "src/b.py does not exist",
        "src/b.py does not exist",
        "docs/x/a.py does not exist",
        "src/b.py does not exist",
        "src/b.py does not exist",
    ]


def test_a_link_is_reported_even_if_its_target_never_existed(tmp_path: Path) -> None:
    page = "[a](gone.md) ![b](img/b.png) [c](LICENSE)\n\n[d]: other/d.md\n"
    commit(tmp_path, {"README.md": page})
    assert found(tmp_path) == [
        "README.md:1: gone.md does not exist",
        "README.md:1: img/b.png does not exist",
        "README.md:1: LICENSE does not exist",
        "README.md:3: other/d.md does not exist",
    ]


@pytest.mark.parametrize(
    "link",
    [
        "https://example.org/a.md",
        "mailto:a@example.org",
        "//example.org/a.md",
        "../outside.md",
        "../../issues",
        "{{ site.url }}/a.md",
        "a%20b.md",
        "a%20b.md?raw=true",
        "build/made.md",
        "docs",
        "docs/",
        "docs/page",
        "src/a.py#L10",
        "#title",
        "#the-anchor",
        "#second-title-1",
        "#top",
        "docs/page.md#sub-title",
        "docs/page.md#setext",
        "docs/page.md#a-and-b",
        "",
    ],
)
def test_links_that_lead_somewhere_or_out_are_not_reported(tmp_path: Path, link: str) -> None:
    page = f"# Title\n\n<a id='the-anchor'></a>\n## Second title\n## Second title\n[x]({link})\n"
    files = {
        "README.md": page,
        "a b.md": "",
        ".gitignore": "build/\n",
        "docs/page.md": "# Page\n## Sub *title*!\nSetext\n------\n## A and b&#xA;\n",
        "src/a.py": "",
    }
    commit(tmp_path, files)
    assert found(tmp_path) == []


def test_a_heading_that_does_not_exist_is_reported(tmp_path: Path) -> None:
    page = "# Title\n[a](#setup) [b](docs/page.md#usage)\n"
    commit(tmp_path, {"README.md": page, "docs/page.md": "```\n# Usage\n```\n"})
    assert found(tmp_path) == [
        "README.md:2: README.md has no heading '#setup'",
        "README.md:2: docs/page.md has no heading '#usage'",
    ]


def test_a_path_in_another_case_is_reported_as_such(tmp_path: Path) -> None:
    page = "[a](docs/api.md) `src/Never.py` `src/Was.py`\n"
    commit(tmp_path, {"README.md": page, "docs/API.md": "", "src/never.py": "", "src/Was.py": CODE})
    git(tmp_path, "rm", "-q", "src/Was.py")
    commit(tmp_path, {"src/was.py": "other = 1\n"})
    assert found(tmp_path) == [
        "README.md:1: docs/api.md does not exist (but docs/API.md does)",
        "README.md:1: src/Was.py does not exist (but src/was.py does)",
    ]


def test_a_name_that_was_in_the_code_is_reported(tmp_path: Path) -> None:
    page = "Call `charge_card()`, `pay.charge_card`, `neverThere` or `other_name`.\n"
    first = commit(tmp_path, {"README.md": page, "pay.py": CODE, "NOTES.md": "`charge_card()`"})
    assert found(tmp_path) == []
    commit(tmp_path, {"pay.py": CODE.replace("charge_card", "take_money")})
    assert found(tmp_path) == [
        f"README.md:1: charge_card() is not in the code (it was in pay.py in {first})",
        f"README.md:1: pay.charge_card is not in the code (it was in pay.py in {first})",
    ]


def test_a_qualified_name_is_sought_in_files_with_its_first_part(tmp_path: Path) -> None:
    commit(tmp_path, {"README.md": "`bank.charge`\n", "a.py": "bank.charge\n", "b.py": "charge\n"})
    commit(tmp_path, {"a.py": "bank.pay\n"})
    assert len(found(tmp_path)) == 1
    commit(tmp_path, {"b.py": "charge\nbank\n"})
    assert found(tmp_path) == []


@pytest.mark.parametrize(
    "now",
    ["take_charge_card()\n", "# charge_card\n", '{"key": "charge_card"}\n'],
)
def test_a_name_that_is_anywhere_but_in_markdown_is_not_reported(tmp_path: Path, now: str) -> None:
    commit(tmp_path, {"README.md": "`charge_card`\n", "pay.py": CODE})
    commit(tmp_path, {"pay.py": "", "other.txt": now})
    assert found(tmp_path) == []


def test_a_name_that_moved_to_a_new_dependency_is_not_reported(tmp_path: Path) -> None:
    page = "`pollEvery` is an option of `@shop/gateway`.\n"
    commit(tmp_path, {"README.md": page, "a.js": "o.pollEvery = 1", "package.json": "{}"})
    commit(tmp_path, {"a.js": ""})
    assert len(found(tmp_path)) == 1
    commit(tmp_path, {"package.json": '{"devDependencies": {"@shop/gateway": "1"}}'})
    assert found(tmp_path) == []


@pytest.mark.parametrize(
    "file", ["tests/a.py", "dist/a.js", "a.test.js", "page.html", "docs/x.txt"]
)
def test_a_name_that_no_source_defined_is_not_reported(tmp_path: Path, file: str) -> None:
    commit(tmp_path, {"README.md": "`charge_card`\n", file: CODE})
    git(tmp_path, "rm", "-q", file)
    commit(tmp_path)
    assert found(tmp_path) == []


def test_an_argument_that_has_another_name_now_is_not_reported(tmp_path: Path) -> None:
    commit(tmp_path, {"README.md": "`htmlString`\n", "a.js": "f(htmlString, 1)\n"})
    commit(tmp_path, {"a.js": "f(html, 1)\n"})
    assert found(tmp_path) == []


def test_a_method_may_come_from_a_base_class(tmp_path: Path) -> None:
    files = {"a.js": "class Pool { destroy() {} }\n", "b.js": ""}
    commit(tmp_path, {"README.md": "`Pool.destroy()`\n", **files})
    commit(tmp_path, {"a.js": "class Pool {}\n", "b.js": "class Base { destroy() {} }\n"})
    assert len(found(tmp_path)) == 1
    commit(tmp_path, {"a.js": "class Pool extends Base {}\n"})
    assert found(tmp_path) == []


def test_short_and_plain_words_are_no_names(tmp_path: Path) -> None:
    words = "`pay` `a_b` `None` `int` `os.path` `charge` `example.com` `JSON.parse` `x.py`"
    code = words.replace("`", "")
    commit(tmp_path, {"README.md": f"{words}\n", "pay.py": code, "x.py": ""})
    commit(tmp_path, {"pay.py": ""})
    assert found(tmp_path) == []


def test_what_changelogs_and_sections_about_the_past_say_stays_true(tmp_path: Path) -> None:
    page = "# A\n## Changes in 2.0\n`charge_card`\n### More\n`src/a.py`\n## Use\n`charge_card`\n"
    files = {"README.md": page, "docs/changelog.md": "`charge_card` [x](x.md)\n", "src/a.py": CODE}
    commit(tmp_path, files)
    git(tmp_path, "rm", "-q", "src/a.py")
    commit(tmp_path)
    places = [line.partition(": ")[0] for line in found(tmp_path)]
    assert places == ["README.md:7", "docs/changelog.md:1"]


MANIFESTS = {
    "Makefile": ".PHONY: test lint\ntest: build/%.o\n\techo\nlint::\nV := x\nbuild/%.o: %.c\n",
    "package.json": '{"scripts": {"dev": "x"}, "private": true}',
    "justfile": "alias t := test\n@test ARG='':\n  x\n",
    "tox.ini": "[tox]\nenvlist = py{310,311}-django\n[testenv:lint]\n",
    "Cargo.toml": '[package]\nname = "app"\n',
    "src/bin/tool.rs": "",
    "shop/__init__.py": "",
    "shop/cli.py": "",
}


@pytest.mark.parametrize(
    "command",
    [
        "make test lint",
        "make -j4 test V=1",
        "make build/x.o",
        "make -C other all",
        "npm run dev",
        "npm test",
        "pnpm install",
        "yarn jest",
        "just t",
        "just test a b",
        "tox -e lint,py311-django,py39",
        "cargo run --bin tool",
        "cargo run --bin app",
        "python -m shop.cli",
        "python -m pytest",
        "make TARGET",
        "make it work, somehow, by whatever means there are",
    ],
)
def test_commands_that_can_be_run_are_not_reported(tmp_path: Path, command: str) -> None:
    commit(tmp_path, {**MANIFESTS, "README.md": f"Run `{command}`.\n"})
    assert found(tmp_path) == []


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("make test old", "'make old': Makefile has no target 'old'"),
        ("npm run old", "'npm run old': package.json has no script 'old'"),
        ("pnpm run old", "'pnpm run old': package.json has no script 'old'"),
        ("just old", "'just old': justfile has no recipe 'old'"),
        ("tox -e old", "'tox -e old': tox.ini has no environment 'old'"),
        ("cargo run --bin old", "'cargo run --bin old': Cargo.toml has no binary 'old'"),
        ("python -m shop.old", "'python -m shop.old': shop has no module 'old'"),
    ],
)
def test_commands_that_nothing_defines_are_reported(
    tmp_path: Path, command: str, message: str
) -> None:
    page = f"Run `{command}`.\n\n```sh\ncd x && {command} # {command}\n```\n"
    commit(tmp_path, {**MANIFESTS, "README.md": page})
    assert found(tmp_path) == [f"README.md:1: {message}", f"README.md:4: {message}"]


def test_without_a_file_of_its_kind_a_command_is_not_reported(tmp_path: Path) -> None:
    page = "`make x` `npm run x` `just x` `tox -e x` `cargo run --bin x`\n"
    commit(tmp_path, {"README.md": page})
    assert found(tmp_path) == []


def test_a_script_that_readers_define_themselves_is_not_reported(tmp_path: Path) -> None:
    files = {"package.json": '{"scripts": {"old": ""}}', "README.md": "`npm run dev`, `yarn old`\n"}
    commit(tmp_path, {**files, "CONTRIBUTING.md": "`npm run dev`\n"})
    commit(tmp_path, {"package.json": '{"scripts": {}}'})
    assert found(tmp_path) == [
        "CONTRIBUTING.md:1: 'npm run dev': package.json has no script 'dev'",
        "README.md:1: 'yarn old': package.json has no script 'old'",
    ]


def test_paths_in_shell_code_count_and_in_other_code_they_do_not(tmp_path: Path) -> None:
    page = "```sh\npython tools/run.py --x # tools/b.py\n```\n```python\ntools/run.py `x_y`\n```\n"
    commit(tmp_path, {"README.md": page, "tools/run.py": "x_y", "tools/b.py": ""})
    git(tmp_path, "rm", "-rq", "tools")
    commit(tmp_path)
    assert found(tmp_path) == ["README.md:2: tools/run.py does not exist"]


def test_a_line_can_be_silenced(tmp_path: Path) -> None:
    page = "[a](x.md) <!-- yg-ignore -->\n\n<!-- yg-ignore -->\n[a](x.md)\n[a](y.md)\n"
    commit(tmp_path, {"README.md": page})
    assert found(tmp_path) == ["README.md:5: y.md does not exist"]


def test_an_uncommitted_line_is_compared_with_the_last_commit(tmp_path: Path) -> None:
    commit(tmp_path, {"README.md": "# A\n\nText.\n", "src/a.py": CODE, "src/b.py": "keep_it = 1\n"})
    write(tmp_path, {"README.md": "# A\n\nNew: `src/a.py` `keep_it`\n\nText.\n", "src/b.py": ""})
    (tmp_path / "src/a.py").unlink()
    first = git(tmp_path, "rev-parse", "HEAD").strip()[:7]
    assert found(tmp_path) == [
        "README.md:3: src/a.py does not exist",
        f"README.md:3: keep_it is not in the code (it was in src/b.py in {first})",
    ]


def test_the_usual_documents_are_checked(tmp_path: Path) -> None:
    names = [
        *(".cursor/rules/x.mdc", ".github/copilot-instructions.md", "AGENTS.md", "CLAUDE.md"),
        *("CONTRIBUTING.md", "GEMINI.md", "README.md", "docs/a/b.md", "sub/AGENTS.md"),
        "sub/README.md",
    ]
    others = ["other.md", "sub/CONTRIBUTING.md", "README.rst", "docs/a.txt", "README.png"]
    commit(tmp_path, dict.fromkeys((*names, *others), "[x](gone.md)\n"))
    (tmp_path / "docs/untracked.md").write_text("[x](gone.md)\n")
    assert sorted({line.partition(":")[0] for line in found(tmp_path)}) == sorted(names)
    assert found(tmp_path, str(tmp_path / "other.md")) == ["other.md:1: gone.md does not exist"]
    outcome = run("check-docs", "other.md", "-C", str(tmp_path / "sub"))
    assert outcome.code == 1
    assert "there is no file 'other.md'" in outcome.notes


def test_a_fix_writes_the_new_name_and_reports_what_else_is_wrong(tmp_path: Path) -> None:
    page = "`src/a.py`, [a](../src/a.py#L3), [b](./gone.md) and `charge_card`.\r\n"
    commit(tmp_path, {"docs/x.md": page, "src/a.py": CODE})
    git(tmp_path, "mv", "src/a.py", "src/b.py")
    second = commit(tmp_path, {"src/b.py": CODE.replace("charge_card", "take_money")})
    outcome = check(tmp_path, "--fix")
    renamed = f"src/a.py does not exist (renamed to src/b.py in {second})"
    assert outcome.code == 1
    assert outcome.text.splitlines()[:3] == [
        f"docs/x.md:1: fixed: {renamed}",
        f"docs/x.md:1: fixed: {renamed}",
        "docs/x.md:1: docs/gone.md does not exist",
    ]
    assert "charge_card is not in the code" in outcome.text
    assert outcome.text.endswith("\n2 stale references, 2 fixed. 1 document checked.\n")
    fixed = page.replace("src/a.py", "src/b.py").encode()
    assert (tmp_path / "docs/x.md").read_bytes() == fixed


def test_the_other_forms_have_the_same_findings(tmp_path: Path) -> None:
    commit(tmp_path, {"README.md": "[a](gone.md) <b>\n"})
    document = json.loads(check(tmp_path, "--json").text)
    assert faults_in(document) == []
    assert document["findings"][0] == {
        "kind": "link",
        "file": "README.md",
        "line": 1,
        "column": 5,
        "reference": "gone.md",
        "message": "gone.md does not exist",
        "renamed_to": None,
        "commit": None,
        "rule": None,
        "fixed": False,
    }
    assert check(tmp_path, "--format", "github").text == (
        "::error file=README.md,line=1,col=5,title=yg check-docs%3A link::gone.md does not exist.\n"
    )
    sarif = json.loads(check(tmp_path, "--format", "sarif").text)
    assert [result["ruleId"] for result in sarif["runs"][0]["results"]] == ["check-docs/link"]
    junit = check(tmp_path, "--format", "junit").text
    assert '<testsuites name="yg check-docs" tests="5" failures="1">' in junit
    assert "README.md:1: gone.md does not exist." in junit


def test_without_git_one_sentence_says_so(tmp_path: Path) -> None:
    write(tmp_path, {"README.md": "[a](gone.md)\n"})
    outcome = check(tmp_path)
    assert (outcome.code, outcome.text) == (1, "")
    assert "there is none here" in outcome.notes


def test_without_commits_links_and_commands_are_checked(tmp_path: Path) -> None:
    git(write(tmp_path, {"README.md": "[a](gone.md) `src/a.py`\n"}), "init", "-q")
    git(tmp_path, "add", "-A")
    outcome = check(tmp_path)
    assert outcome.text.startswith("README.md:1: gone.md does not exist\n\n1 stale")
    assert "this repository has no commits yet: only links and commands are" in outcome.notes


def test_in_a_shallow_clone_links_and_commands_are_checked(tmp_path: Path) -> None:
    origin = tmp_path / "origin"
    commit(origin, {"README.md": "[a](gone.md) `src/a.py`\n", "src/a.py": CODE})
    git(origin, "rm", "-q", "src/a.py")
    commit(origin, {"AGENTS.md": "`make x`\n", "Makefile": "y:\n"})
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{origin}", "clone")
    outcome = check(tmp_path / "clone")
    assert outcome.text.splitlines()[:2] == [
        "AGENTS.md:1: 'make x': Makefile has no target 'x'",
        "README.md:1: gone.md does not exist",
    ]
    assert outcome.notes.count("this clone is shallow") == 1
    assert outcome.text.count("\n") == 4


def test_documents_that_are_no_text_are_named_and_left_out(tmp_path: Path) -> None:
    commit(tmp_path, {"README.md": b"\0[a](gone.md)", "docs/a.md": b"\xff [a](gone.md)\n"})
    outcome = check(tmp_path)
    assert outcome.text.startswith("docs/a.md:1: docs/gone.md does not exist\n")
    assert outcome.notes == "warning: 'README.md' is not text\n"


def test_strange_names_of_files_do_no_harm(tmp_path: Path) -> None:
    page = "[a](gone.md) `--old.py` `src/--x.py` `charge_card`\n"
    names = ("docs/-rf.md", "docs/a\nb.md", "docs/:(top)x.md", "docs/ü.md", "docs/'q\".md")
    files = {"--old.py": CODE, "src/--x.py": CODE, "src/new\nline.py": CODE}
    commit(tmp_path, {**dict.fromkeys(names, page), **files})
    git(tmp_path, "rm", "-q", "--", *files)
    commit(tmp_path)
    outcome = check(tmp_path)
    assert "20 stale references. 5 documents checked." in outcome.text
    assert "docs/a\\nb.md:1: docs/gone.md does not exist" in outcome.text


def test_a_link_out_of_the_work_tree_is_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    write(outside, {"README.md": "[a](gone.md)\n"})
    root = tmp_path / "root"
    commit(root, {"a.py": ""})
    os.symlink(outside / "README.md", root / "README.md")
    os.symlink(outside, root / "docs")
    commit(root)
    assert found(root) == []
    assert check(root, str(outside / "README.md")).notes.startswith("error: ")


def test_at_most_forty_commits_are_looked_at_the_newest_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(past, "MOST_COMMITS", 2)
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2020-01-01T00:00:00Z")
    lines = [f"`src/{number}.py`\n" for number in range(3)]
    sources = {f"src/{number}.py": CODE for number in range(3)}
    for number in range(3):
        monkeypatch.setenv("GIT_COMMITTER_DATE", f"202{number}-01-01T00:00:00Z")
        commit(tmp_path, {**sources, "README.md": "".join(lines[: number + 1])})
    git(tmp_path, "rm", "-rq", "src")
    commit(tmp_path)
    assert [line.partition(": ")[0] for line in found(tmp_path)] == ["README.md:2", "README.md:3"]
    assert check(tmp_path).notes == (
        "warning: lines last changed by 1 older commit were not compared with them\n"
    )


GRAPH = {
    ".yggdrasil/yg-config.yaml": f"{CONFIG}code: {{}}\n",
    ".yggdrasil/model/a/yg-node.yaml": f"{NODE}mapping: {{paths: [src]}}\n",
}


def test_in_the_texts_of_a_graph_the_rules_decide_about_names_and_paths(tmp_path: Path) -> None:
    text = "# A\n\n`charge_card` in `src/gone.py`, see [x](gone.md).\n"
    node = ".yggdrasil/model/a/responsibility.md"
    commit(tmp_path, {**GRAPH, node: text, "src/a.py": "x = 1\n"})
    lines = found(tmp_path)
    assert lines == [
        f"{node}:3: responsibility.md names 'charge_card', which is not in the code (W024)",
        f"{node}:3: responsibility.md names 'src/gone.py', which does not exist (W030)",
        f"{node}:3: .yggdrasil/model/a/gone.md does not exist",
    ]
    issues = json.loads(run("validate", "--json", "-C", str(tmp_path)).text)["issues"]
    reported = {
        (issue["file"], issue["line"], issue["message"])
        for issue in issues
        if issue["code"] in ("W024", "W030")
    }
    assert reported == {
        (node, 3, line.partition(": ")[2].rpartition(" (")[0]) for line in lines[:2]
    }


def test_ten_thousand_documents_take_their_time_once(tmp_path: Path) -> None:
    pages = {f"docs/{number}.md": "# A\n[b](0.md#a)\n" for number in range(10_000)}
    commit(tmp_path, pages)
    assert check(tmp_path).text == "No stale references found. 10000 documents checked.\n"


@pytest.mark.parametrize(
    "piece", ["../", "a.", "a/", "`a", "#", "[x](#a) ", "<a id=", "make a ", "<h1>"]
)
def test_no_document_takes_long(tmp_path: Path, piece: str) -> None:
    long = piece * (200_000 // len(piece))
    commit(tmp_path, {"README.md": f"`{long}`\n\n{long}\n", "a.js": f"name{' ' * 200_000}\n"})
    assert check(tmp_path).code in (0, 1)
