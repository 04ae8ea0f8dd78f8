"""What runs in CI: scripts of the action and of the documented jobs, run as their hosts do."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import yaml

from forked import shared
from support import REPOSITORY, git, run, shop_files, write

pytestmark = pytest.mark.slow

ACTION = yaml.safe_load((REPOSITORY / "action.yml").read_text(encoding="utf-8"))
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
INSTALL, SINCE, VALIDATE, DRIFT, CHECK_DOCS, IMPACT, REVIEW, EXPLORER = STEPS
PAGE = (REPOSITORY / "docs" / "ci.md").read_text(encoding="utf-8")
PRICING = "src/shop/orders/pricing.py"
INTERFACE = ".yggdrasil/model/payments/payment-service/interface.md"
BROKEN = {".yggdrasil/model/orders/pricing/yg-node.yaml": "name: P\ntype: servce\n"}


def committed(root: Path, files: Mapping[str, str]) -> str:
    """Commit files, and return the name of the commit."""
    write(root, files)
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "Change")
    return git(root, "rev-parse", "HEAD")


@pytest.fixture
def shop(committed_shop: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(committed_shop, tmp_path / "shop"))


@dataclass
class Runner:
    """As much of a runner of GitHub as scripts can see."""

    checkout: Path
    values: dict[str, str] = field(default_factory=dict)  # of expressions
    environment: dict[str, str] = field(default_factory=dict)

    @property
    def temporary(self) -> Path:
        return self.checkout.parent / "runner"

    def file(self, name: str) -> str:
        """Return what scripts have written into one of the runner's files."""
        file = self.temporary / name
        return file.read_text(encoding="utf-8") if file.exists() else ""

    def run(self, step: Mapping[str, Any]) -> tuple[int, str]:
        """Run one step; return its exit code and what it printed."""
        self.temporary.mkdir(exist_ok=True)
        files = {f"GITHUB_{name}": str(self.temporary / name) for name in ("PATH", "OUTPUT")}
        path = [*self.file("PATH").splitlines(), shared().path]
        environment = {
            **os.environ,
            **files,
            "GITHUB_STEP_SUMMARY": str(self.temporary / "SUMMARY"),
            "RUNNER_TEMP": str(self.temporary),
            "PATH": os.pathsep.join(path),
            **self.environment,
            **{name: self._value(text) for name, text in step["env"].items()},
        }
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=self.checkout,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        return done.returncode, done.stdout

    def _value(self, text: str) -> str:
        """Evaluate an expression: the first name of several that has a value."""
        names = text.removeprefix("${{ ").removesuffix(" }}").split(" || ")
        defaults = {f"inputs.{name}": each["default"] for name, each in ACTION["inputs"].items()}
        values = {**defaults, **self.values}
        return next((values[name] for name in names if values.get(name)), "")


# The action as a whole.


def test_no_script_has_an_expression_in_it() -> None:
    for step in STEPS:
        assert "${{" not in step["run"], step["name"]
        assert all(re.fullmatch(r"\$\{\{ .* \}\}", text) for text in step["env"].values())


def test_the_action_uses_no_other_action() -> None:
    assert [step["shell"] for step in STEPS] == ["bash"] * len(STEPS)
    assert [step.get("uses") for step in STEPS] == [None] * len(STEPS)


def test_what_one_step_found_keeps_no_other_from_looking() -> None:
    is_installed = "!cancelled() && steps.install.outcome == 'success'"
    assert DRIFT["if"] == f"${{{{ {is_installed} && inputs.drift == 'true' }}}}"
    assert CHECK_DOCS["if"] == f"${{{{ {is_installed} && inputs.check-docs == 'true' }}}}"
    is_comparable = "(steps.impact.outputs.base || inputs.drift == 'true')"
    assert REVIEW["if"] == f"${{{{ {is_installed} && {is_comparable} }}}}"
    assert IMPACT["if"] == EXPLORER["if"] == f"${{{{ {is_installed} }}}}"


def test_every_input_of_the_action_is_documented() -> None:
    listed = re.findall(r"^\| `(\S+)` \| (?:`(.*?)`|(.*?)) \|", PAGE, re.MULTILINE)
    defaults = {name: default for name, default, _ in listed if name in ACTION["inputs"]}
    assert defaults == {name: each["default"] for name, each in ACTION["inputs"].items()}


def test_the_whole_action_runs_from_an_empty_environment(shop: Path, tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=REPOSITORY, capture_output=True, check=True)
    (wheel,) = tmp_path.glob("*.whl")
    base = git(shop, "rev-parse", "HEAD")
    committed(shop, {PRICING: "# changed\n"})
    values = {"github.action_path": str(wheel), "github.event.pull_request.base.sha": base}
    # The wheel alone is installed here: what it needs is that of this environment.
    runner = Runner(shop, values, {"PIP_NO_COMPILE": "1", "PIP_NO_DEPS": "1", "PIP_NO_INDEX": "1"})
    code, text = runner.run(INSTALL)
    assert code == 0, text
    (folder,) = runner.file("PATH").splitlines()
    assert [path.name for path in Path(folder).iterdir()] == ["yg"]
    site = next(path for path in sys.path if path.endswith("site-packages"))
    runner.environment = {"PYTHONPATH": site}
    assert [runner.run(step)[0] for step in (VALIDATE, DRIFT, IMPACT)] == [0, 1, 0]
    assert f"| `{PRICING}` | `orders/pricing` |" in runner.file("SUMMARY")


def test_an_old_python_is_told_what_to_do(shop: Path) -> None:
    old = shop.parent / "old" / "python3"
    write(old.parent, {"python3": "#!/bin/sh\nexit 1\n"})
    old.chmod(0o755)
    path = os.pathsep.join([str(old.parent), os.environ["PATH"]])
    code, text = Runner(shop, environment={"PATH": path}).run(INSTALL)
    assert code == 1
    assert text == (
        "::error title=yg::yg needs Python 3.11 or newer. Run actions/setup-python first.\n"
    )


# Its steps.


def test_a_sound_graph_gives_no_annotation_and_an_empty_report(shop: Path) -> None:
    runner = Runner(shop)
    assert runner.run(VALIDATE) == (0, "")
    name, file = runner.file("OUTPUT").strip().split("=")
    assert name == "sarif-file"
    report = json.loads(Path(file).read_text(encoding="utf-8"))
    assert (report["version"], report["runs"][0]["results"]) == ("2.1.0", [])
    assert git(shop, "status", "--porcelain") == ""


def test_errors_are_annotations_a_report_and_a_failure(tmp_path: Path) -> None:
    root = tmp_path / "checkout"
    write(root / "services/shop", {**shop_files(), **BROKEN})
    git(root, "init", "-q")
    runner = Runner(root, {"inputs.directory": "services/shop"})
    code, text = runner.run(VALIDATE)
    place = "services/shop/.yggdrasil/model/orders/pricing/yg-node.yaml"
    assert code == 1
    assert f"::error file={place},line=2,col=7,title=E002 unknown-node-type::" in text
    report = Path(runner.file("OUTPUT").strip().removeprefix("sarif-file="))
    found = json.loads(report.read_text(encoding="utf-8"))["runs"][0]["results"]
    assert found[0]["ruleId"] == "E002"
    location = found[0]["locations"][0]["physicalLocation"]
    assert location["artifactLocation"]["uri"] == place


def test_without_a_graph_there_is_no_report(tmp_path: Path) -> None:
    runner = Runner(write(tmp_path / "empty", {"README.md": "# Empty\n"}))
    code, text = runner.run(VALIDATE)
    assert (code, runner.file("OUTPUT")) == (1, "")
    assert "No .yggdrasil/ directory found. Run 'yg init' first.\n" in text
    code, text = runner.run(DRIFT)
    assert (code, "::error" in text) == (1, False)


def test_a_stale_reference_fails_at_its_line(shop: Path) -> None:
    runner = Runner(shop)
    assert runner.run(CHECK_DOCS) == (0, "")
    committed(shop, {"AGENTS.md": "[guide](docs/gone.md)\n"})
    code, text = runner.run(CHECK_DOCS)
    assert code == 1
    assert "::error file=AGENTS.md,line=1," in text


def test_drift_fails_and_a_clean_graph_does_not(shop: Path) -> None:
    assert Runner(shop).run(DRIFT)[0] == 0
    content = (shop / PRICING).read_text(encoding="utf-8")
    write(shop, {PRICING: f"{content}# changed\n"})
    code, text = Runner(shop).run(DRIFT)
    assert code == 1
    assert f"    {PRICING} (cosmetic)\n" in text
    assert text.splitlines()[-1].startswith("::error title=yg drift::Code and graph differ")


def shallow_clone(shop: Path) -> Path:
    """Clone a branch with two commits whose first has an error, one commit deep; return it."""
    committed(shop, BROKEN)
    git(shop, "branch", "-f", "base")
    git(shop, "checkout", "-q", "-b", "feature")
    committed(shop, {"README.md": "# Changed\n"})
    git(shop, "clone", "-q", "--depth=1", shop.as_uri(), str(shop.parent / "clone"))
    return shop.parent / "clone"


def since(clone: Path, **values: str) -> str:
    """Return the commit that the action finds."""
    runner = Runner(clone, {"inputs.since": "base", "github.ref_name": "1/merge"} | values)
    shutil.rmtree(runner.temporary, ignore_errors=True)
    code, text = runner.run(SINCE)
    assert code == 0, text
    return runner.file("OUTPUT").strip().removeprefix("since=")


def test_only_what_is_new_fails_if_that_is_asked_for(shop: Path) -> None:
    clone = shallow_clone(shop)
    assert Runner(clone).run(VALIDATE)[0] == 1
    found = {"steps.since.outputs.since": since(clone)}
    assert found == {"steps.since.outputs.since": git(shop, "rev-parse", "base")}
    assert Runner(clone, found).run(VALIDATE) == (0, "")
    assert Runner(clone, found).run(DRIFT)[0] == 0
    write(clone, {INTERFACE: "Pay.\n"})
    assert Runner(clone, found).run(DRIFT)[0] == 1


def test_everything_counts_on_a_default_branch(shop: Path) -> None:
    clone = shallow_clone(shop)
    assert since(clone, **{"github.ref_name": "base"}) == ""
    default = {"github.ref_name": "main", "github.event.repository.default_branch": "main"}
    assert since(clone, **default) == ""
    assert since(clone, **{"inputs.since": ""}) == ""


def test_a_commit_that_cannot_be_fetched_fails_every_check(shop: Path) -> None:
    clone = shallow_clone(shop)
    git(clone, "remote", "set-url", "origin", (shop.parent / "gone").as_uri())
    found = {"steps.since.outputs.since": since(clone)}
    assert found == {"steps.since.outputs.since": "base"}
    for step in (VALIDATE, DRIFT):
        code, text = Runner(clone, found).run(step)
        assert (code, "git fetch --unshallow origin base:base" in text) == (1, True)


def test_names_from_the_repository_are_not_commands_to_the_runner(shop: Path) -> None:
    node = "name: N\ntype: module\nmapping: {paths: ['::error::x']}\n"
    write(shop, {".yggdrasil/model/n/yg-node.yaml": node, "::error::x": ""})
    assert run("drift-sync", "-C", str(shop), "n").code == 0
    write(shop, {"::error::x": "changed"})
    lines = Runner(shop).run(DRIFT)[1].splitlines()
    token = lines[0].removeprefix("::stop-commands::")
    assert re.fullmatch("[0-9a-f]{32}", token)
    inside = lines[1 : lines.index(f"::{token}::")]
    assert "    ::error::x (changed)" in inside


def test_the_summary_says_what_a_pull_request_reaches(shop: Path) -> None:
    base = git(shop, "rev-parse", "HEAD")
    committed(shop, {PRICING: "# changed\n", INTERFACE: "Everything is different now.\n"})
    write(shop, {"node_modules/left/behind.js": "", "src/shop/orders/generated.py": ""})
    runner = Runner(shop, {"github.event.pull_request.base.sha": base})
    assert runner.run(IMPACT) == (0, "")
    expected = run("impact", "-C", str(shop), "--diff", base, "--staged", "--format", "markdown")
    assert runner.file("SUMMARY") == expected.text
    assert runner.file("SUMMARY").startswith("## What this change reaches\n\n2 changed files since")


@pytest.mark.parametrize("name", ["commit", "before"])
def test_a_base_that_was_not_checked_out_is_fetched(shop: Path, name: str) -> None:
    base = git(shop, "rev-parse", "HEAD")
    committed(shop, {PRICING: "# changed\n"})
    git(shop, "branch", "before", base)
    clone = shop.parent / "clone"
    git(shop, "clone", "-q", "--depth=1", shop.as_uri(), str(clone))
    runner = Runner(clone, {"inputs.base": base if name == "commit" else name})
    assert runner.run(IMPACT) == (0, "")
    assert f"| `{PRICING}` | `orders/pricing` |" in runner.file("SUMMARY")
    runner.values = {"steps.impact.outputs.base": base}
    assert runner.run(REVIEW)[0] == 0
    assert "error:" not in runner.run(REVIEW)[1]


@pytest.mark.parametrize("depth", [(), ("--depth=1",)], ids=["complete", "shallow"])
def test_a_base_that_is_missing_is_reported_and_does_not_fail(
    shop: Path, depth: tuple[str, ...]
) -> None:
    clone = shop.parent / "clone"
    git(shop, "clone", "-q", *depth, shop.as_uri(), str(clone))
    git(clone, "remote", "set-url", "origin", (shop.parent / "gone").as_uri())
    runner = Runner(clone, {"inputs.base": "0123456789" * 4})
    code, text = runner.run(IMPACT)
    assert code == 0
    assert text.splitlines()[-1] == f"::warning title=yg impact::{runner.file('SUMMARY')}".strip()
    assert runner.file("SUMMARY").endswith("Check out with fetch-depth: 0.\n")


def test_without_a_base_there_is_nothing_to_tell(shop: Path) -> None:
    runner = Runner(shop)
    assert runner.run(IMPACT) == (
        0,
        "Not a pull request, and no base given: nothing to compare with.\n",
    )
    assert runner.file("SUMMARY") == ""


@pytest.mark.parametrize(
    "value", ["""$(touch owned)`touch owned`"; touch owned; '""", "--upload-pack=touch owned"]
)
def test_no_value_becomes_code(shop: Path, value: str) -> None:
    clone = shop.parent / "clone"
    git(shop, "clone", "-q", "--depth=1", shop.as_uri(), str(clone))
    for name in ("inputs.directory", "inputs.base", "inputs.since", "steps.since.outputs.since"):
        for step in (SINCE, VALIDATE, DRIFT, IMPACT, REVIEW, EXPLORER):
            Runner(clone, {"inputs.base": "main", name: value}).run(step)
    assert list(shop.parent.rglob("owned")) == []


def test_sentences_that_may_be_untrue_are_annotated_and_fail_nothing(shop: Path) -> None:
    base = git(shop, "rev-parse", "HEAD")
    pricing = "src/shop/orders/pricing.py"
    text = (shop / pricing).read_text(encoding="utf-8")
    committed(shop, {pricing: text.replace("4_90", "5_90")})
    for values in ({}, {"steps.impact.outputs.base": base}):
        code, said = Runner(shop, values).run(REVIEW)
        assert code == 0
        assert said.startswith(
            "::warning file=.yggdrasil/model/orders/pricing/interface.md,line=7,"
        )
        assert said.endswith("4_90 is gone. Is the sentence still true of orders/pricing?\n")


def test_the_page_shows_what_the_pull_request_changes(shop: Path) -> None:
    base = git(shop, "rev-parse", "HEAD")
    committed(shop, {INTERFACE: "Pay.\n"})
    runner = Runner(shop, {"inputs.base": base})
    assert runner.run(IMPACT) == (0, "")
    (given,) = re.findall(r"^base=(.*)$", runner.file("OUTPUT"), re.MULTILINE)
    runner.values = {"steps.impact.outputs.base": given}
    assert runner.run(EXPLORER) == (0, "")
    (page,) = re.findall(r"^page-file=(.*)$", runner.file("OUTPUT"), re.MULTILINE)
    expected = run("export", "-C", str(shop), "--format", "html", "--diff", base)
    assert Path(page).read_text(encoding="utf-8") == expected.text


def test_the_page_of_a_broken_graph_is_written_too(shop: Path) -> None:
    committed(shop, BROKEN)
    runner = Runner(shop)
    assert runner.run(EXPLORER) == (0, "")
    assert "page-file=" in runner.file("OUTPUT")


# The pages.


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def documented(first_line: str) -> Any:
    """Return the example for one file, read as YAML."""
    (text,) = [block for block in blocks("yaml") if block.startswith(f"# {first_line}\n")][:1]
    return yaml.safe_load(text)


def shell(root: Path, script: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-eo", "pipefail", "-c", script],
        cwd=root,
        env={**os.environ, "PATH": shared().path, **environment},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_the_workflow_names_what_the_action_has() -> None:
    steps = documented(".github/workflows/graph.yml")["jobs"]["graph"]["steps"]
    assert set(steps[1].get("with", {})) <= set(ACTION["inputs"])
    outputs = re.findall(r"steps\.yg\.outputs\.([a-z-]+)", str(steps))
    assert set(outputs) == set(ACTION["outputs"])


def test_the_job_for_gitlab_does_what_it_says(shop: Path) -> None:
    job = documented(".gitlab-ci.yml")["graph"]
    base = git(shop, "rev-parse", "HEAD")
    script = "\n".join(job["script"])
    assert shell(shop, script, CI_MERGE_REQUEST_DIFF_BASE_SHA=base).returncode == 0
    committed(shop, BROKEN)
    done = shell(shop, script, CI_MERGE_REQUEST_DIFF_BASE_SHA=base)
    assert (done.returncode, "E002 orders/pricing ->" in done.stdout) == (1, True)
    (impact,) = job["artifacts"]["paths"]
    assert "| `orders/pricing` |" in (shop / impact).read_text(encoding="utf-8")
    report = (shop / job["artifacts"]["reports"]["junit"]).read_text(encoding="utf-8")
    suite = ET.fromstring(report).find("testsuite")  # noqa: S314
    assert suite is not None
    assert suite.get("failures") == "1"


def test_the_hooks_of_the_page_are_those_of_the_manifest() -> None:
    manifest = yaml.safe_load((REPOSITORY / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    config = documented(".pre-commit-config.yaml")
    ids = [hook["id"] for hook in config["repos"][0]["hooks"]]
    assert ids == [hook["id"] for hook in manifest]


def test_the_shell_scripts_pass_and_fail(shop: Path) -> None:
    whole, changed = blocks("sh")
    assert [shell(shop, script).returncode for script in (whole, changed)] == [0, 0]
    write(shop, {PRICING: "# changed\n"})
    assert [shell(shop, script).returncode for script in (whole, changed)] == [1, 1]
