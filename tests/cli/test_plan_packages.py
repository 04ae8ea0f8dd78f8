"""`yg plan --packages`: the package of each node in a file, in a folder for each stage."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from schemas import faults_in
from support import CONFIG, run, write
from yg.disk.files.generated_folder import LIST
from yg.surfaces.cli.outcome import Outcome

if TYPE_CHECKING:
    from pathlib import Path

GRAPH = ".yggdrasil"
FIFTY = "Fifty characters: the least that an artifact says.\n"


def node(path: str, *, target: str = "") -> dict[str, str]:
    relations = f"relations: [{{target: {target}, type: calls}}]\n" if target else ""
    mapping = f"mapping: {{paths: [src/{path}.py]}}\n"
    return {
        f"{GRAPH}/model/{path}/yg-node.yaml": f"name: N\ntype: service\n{relations}{mapping}",
        f"{GRAPH}/model/{path}/responsibility.md": FIFTY,
        f"{GRAPH}/model/{path}/interface.md": FIFTY,
        f"src/{path}.py": "",
    }


@pytest.fixture
def root(tmp_path: Path) -> Path:
    place = tmp_path / "repository"
    shop = {**node("shop/pay"), **node("shop/orders", target="shop/pay"), **node("mail")}
    return write(place, {f"{GRAPH}/yg-config.yaml": CONFIG, **shop})


def plan(root: Path, *options: str) -> Outcome:
    return run("plan", *options, "-C", str(root))


def files_in(folder: Path) -> list[str]:
    found = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    return sorted(name for name in found if name != LIST)


FILES = ["stage-1/mail.txt", "stage-1/shop/pay.txt", "stage-2/shop/orders.txt"]


def test_each_node_has_a_file_with_what_build_context_prints(root: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    outcome = plan(root, "--packages", str(out))
    assert outcome.code == 0
    assert outcome.text.endswith(f"Wrote 3 packages to {out}, in a folder for each stage\n")
    assert files_in(out) == FILES
    package = run("build-context", "shop/orders", "-C", str(root)).text
    assert (out / "stage-2/shop/orders.txt").read_text() == package


def test_the_document_lists_the_files(root: Path, tmp_path: Path) -> None:
    data: dict[str, Any] = json.loads(plan(root, "--packages", "../out", "--json").text)
    assert faults_in(data) == []
    assert data["packages"]["directory"] == "../out"
    found = [(entry["stage"], entry["node"], entry["file"]) for entry in data["packages"]["files"]]
    assert found == [
        (1, "mail", FILES[0]),
        (1, "shop/pay", FILES[1]),
        (2, "shop/orders", FILES[2]),
    ]
    assert files_in(tmp_path / "out") == FILES
    assert "packages" not in json.loads(plan(root, "--json").text)


def test_a_folder_is_replaced_by_a_later_run(root: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    plan(root, "--packages", str(out))
    (out / "stage-1" / "report.md").write_text("from a worker\n")
    write(root, {f"{GRAPH}/model/mail/responsibility.md": f"{FIFTY}More.\n"})
    assert plan(root, "--node", "mail", "--packages", str(out)).code == 0
    assert files_in(out) == ["stage-1/mail.txt", "stage-1/report.md"]
    assert "More.\n" in (out / "stage-1/mail.txt").read_text()
    assert plan(root, "--packages", str(out)).code == 0
    assert files_in(out) == ["stage-1/mail.txt", "stage-1/report.md", *FILES[1:]]


def test_the_same_graph_gives_the_same_bytes(root: Path, tmp_path: Path) -> None:
    contents = []
    for name in ("one", "two"):
        plan(root, "--packages", str(tmp_path / name))
        plan(root, "--packages", str(tmp_path / name))
        found = sorted((tmp_path / name).rglob("*"))
        contents.append([path.read_bytes() for path in found if path.is_file()])
    assert contents[0] == contents[1]


def test_an_interrupted_run_is_completed_by_the_next(root: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    plan(root, "--packages", str(out))
    whole = (out / LIST).read_text()
    listed = json.loads(whole)
    name = FILES[0]
    # As left between the first list and the last file: an old and a new digest, a missing file.
    listed["files"][name].append("0" * 64)
    (out / LIST).write_text(json.dumps(listed))
    (out / FILES[1]).unlink()
    assert plan(root, "--packages", str(out)).code == 0
    assert files_in(out) == FILES
    assert (out / LIST).read_text() == whole


def test_an_empty_directory_is_used(root: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    assert plan(root, "--packages", str(tmp_path / "out")).code == 0
    assert plan(root, "--packages", "work/deep/out").code == 0
    assert files_in(root / "work/deep/out") == FILES


def refused(root: Path, directory: str, tmp_path: Path) -> str:
    before = {path: path.lstat().st_mtime_ns for path in sorted(tmp_path.rglob("*"))}
    outcome = plan(root, "--packages", directory, "--no-cache")
    after = {path: path.lstat().st_mtime_ns for path in sorted(tmp_path.rglob("*"))}
    assert (outcome.code, outcome.text) == (1, "")
    assert before == after
    return outcome.notes.removeprefix("error: ").partition("\n")[0]


@pytest.mark.parametrize(
    "content",
    ["", "{}", "[1]", '{"written_by": "somebody", "files": {}}', "\xff", "[" * 10_000]
    + [
        json.dumps({"written_by": "yg plan --packages", "files": {name: ["0"]}})
        for name in ("../x", "/etc/passwd", ".", "a/../b", "a\0b", LIST, "\ud800")
    ],
)
def test_a_folder_that_was_not_generated_is_refused(
    root: Path, tmp_path: Path, content: str
) -> None:
    out = tmp_path / "out"
    write(out, {LIST: content, "x": "mine"})
    assert refused(root, str(out), tmp_path) == f"'{out}' exists, and yg has not written it"
    (out / LIST).unlink()
    assert refused(root, str(out), tmp_path) == f"'{out}' exists, and yg has not written it"


def test_files_that_somebody_changed_or_put_there_are_kept(root: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    plan(root, "--node", "mail", "--packages", str(out))
    (out / FILES[0]).write_text("edited\n")
    message = "was not written by yg, or was changed since"
    assert refused(root, str(out), tmp_path) == f"'{out}/{FILES[0]}' {message}"
    (out / FILES[0]).unlink()
    write(out, {FILES[1]: "somebody's\n"})
    assert refused(root, str(out), tmp_path) == f"'{out}/{FILES[1]}' {message}"
    (out / FILES[1]).unlink()
    (out / FILES[1]).mkdir()
    assert refused(root, str(out), tmp_path) == f"'{out}/{FILES[1]}' {message}"


def test_nothing_is_written_through_a_link(root: Path, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    write(victim, {"keep": "me"})
    os.symlink(victim, root / "link")
    for name in ("link", "link/out"):
        assert refused(root, name, tmp_path) == f"'{name}' is, or goes through, a link or a file"
    plan(root, "--packages", "out")
    (root / "out/stage-1/mail.txt").unlink()
    os.symlink(victim / "keep", root / "out/stage-1/mail.txt")
    assert "was not written by yg" in refused(root, "out", tmp_path)
    (root / "out/stage-1/mail.txt").unlink()
    (root / "out/stage-2/shop/orders.txt").unlink()
    (root / "out/stage-2/shop").rmdir()
    os.symlink(victim, root / "out/stage-2/shop")
    assert "was not written by yg" in refused(root, "out", tmp_path)
    assert files_in(victim) == ["keep"]


@pytest.mark.parametrize(
    ("directory", "message"),
    [
        (GRAPH, "'.yggdrasil' is inside the graph"),
        (f"{GRAPH}/model/out", "'.yggdrasil/model/out' is inside the graph"),
        (".", "'.' exists, and yg has not written it"),
        ("src", "'src' exists, and yg has not written it"),
        ("src/mail.py", "'src/mail.py' belongs to node 'mail'"),
        (".git/out", "'.git/out' is inside .git/"),
        (f"{GRAPH}/../src/../{GRAPH}/x", f"'{GRAPH}/../src/../{GRAPH}/x' is inside the graph"),
        ("x\0y", r"'x\x00y' is not a valid name of a directory"),
        ("/", "'/' exists, and yg has not written it"),
    ],
)
def test_a_directory_of_something_else_is_refused(
    root: Path, tmp_path: Path, directory: str, message: str
) -> None:
    assert refused(root, directory, tmp_path) == message


def test_an_empty_name_is_wrong_usage(root: Path) -> None:
    assert plan(root, "--packages", "") == Outcome("", 2, "error: empty directory name\n")


def test_errors_give_no_packages_unless_what_they_affect_is_left_out(
    root: Path, tmp_path: Path
) -> None:
    write(root, node("bad", target="nowhere"))
    out = tmp_path / "out"
    assert refused(root, str(out), tmp_path).startswith("E004 bad")
    assert plan(root, "--lenient", "--packages", str(out)).code == 0
    assert files_in(out) == FILES


def test_a_file_cannot_be_the_folder_of_another_one(root: Path, tmp_path: Path) -> None:
    write(root, {**node("mail.txt"), **node("mail.txt/deep")})
    message = "the packages of 'mail' and 'mail.txt/deep' need the same file name"
    assert refused(root, str(tmp_path / "out"), tmp_path) == message


def test_a_spec_graph_has_packages_too(tmp_path: Path) -> None:
    root = str(tmp_path / "specs")
    os.mkdir(root)
    assert run("init", "--kind", "specgraph", "--name", "Shop", "-C", root).code == 0
    data = json.loads(run("plan", "--packages", "../out", "--json", "-C", root).text)
    assert [entry["file"] for entry in data["packages"]["files"]] == files_in(tmp_path / "out")
