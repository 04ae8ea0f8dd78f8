"""What is handed out: a wheel and a source archive, complete, repeatable, and running."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from support import REPOSITORY, SHOP_ROOT
from yg.commands.schema import schema_files
from yg.disk.index.program import BUILD, PACKAGE, digest_of_code
from yg.version import GRAPH_FORMAT, __version__

pytestmark = pytest.mark.slow

NAME = f"yggdrasil_context-{__version__}"
INFO = f"{NAME}.dist-info"
BUILD_FILE = f"yg/{BUILD}"


@dataclass(frozen=True)
class Built:
    """The two files that a build makes."""

    wheel: Path
    sdist: Path

    @property
    def content(self) -> tuple[bytes, bytes]:
        return self.wheel.read_bytes(), self.sdist.read_bytes()


def build(source: Path, target: Path) -> Built:
    """Build as `make build` does, into another directory."""
    command = [sys.executable, "-m", "hatchling", "build", "--directory", str(target)]
    subprocess.run(command, cwd=source, capture_output=True, check=True)
    wheel, sdist = f"{NAME}-py3-none-any.whl", f"{NAME}.tar.gz"
    assert sorted(path.name for path in target.iterdir()) == sorted([wheel, sdist])
    return Built(target / wheel, target / sdist)


def unpacked(sdist: Path, target: Path) -> Path:
    with tarfile.open(sdist) as archive:
        archive.extractall(target, filter="data")
    return target / NAME


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    return build(REPOSITORY, tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def installed(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a directory into which nothing but the wheel is installed."""
    target = tmp_path_factory.mktemp("installed")
    options = ["--no-deps", "--no-index", "--quiet", "--target", str(target)]
    pip = [sys.executable, "-m", "pip", "install", *options, str(built.wheel)]
    subprocess.run(pip, env={**os.environ, "PIP_NO_CACHE_DIR": "1"}, check=True)
    return target


def run_installed(installed: Path, *command: str) -> str:
    """Run a program with the installed copy before all others."""
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    done = subprocess.run(
        command, cwd=SHOP_ROOT, env=environment, capture_output=True, encoding="utf-8", check=True
    )
    return done.stdout


def test_the_wheel_holds_the_package_and_nothing_else(built: Built) -> None:
    source = REPOSITORY / "src"
    package = [
        path.relative_to(source).as_posix()
        for path in (source / "yg").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    ]
    package.append("yg/surfaces/lsp/rules.md")  # docs/rules.md, to which diagnostics link
    package += [BUILD_FILE, *(f"yg/commands/schemas/{name}" for name in schema_files())]
    about = ("METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE")
    with zipfile.ZipFile(built.wheel) as archive:
        assert sorted(archive.namelist()) == sorted([*package, *(f"{INFO}/{x}" for x in about)])
    assert {"yg/py.typed", "yg/yggdrasil/start/templates/rules.md"} <= set(package)


def test_the_wheel_has_the_schemas_that_the_program_prints(built: Built) -> None:
    with zipfile.ZipFile(built.wheel) as archive:
        packed = {
            name: archive.read(f"yg/commands/schemas/{name}").decode() for name in schema_files()
        }
    assert packed == schema_files()


def test_the_wheel_tells_its_code_from_that_of_the_same_version(built: Built) -> None:
    with zipfile.ZipFile(built.wheel) as archive:
        packed = archive.read(BUILD_FILE).decode()
    assert packed == f"{digest_of_code(PACKAGE)}\n"


def test_the_source_archive_holds_every_file_of_the_repository(built: Built) -> None:
    if not (REPOSITORY / ".git").exists():
        pytest.skip("only git knows which files those are")
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=REPOSITORY, capture_output=True, check=True).stdout
    files = {name for name in listed.decode().split("\0") if (REPOSITORY / name).is_file()}
    with tarfile.open(built.sdist) as archive:
        names = [member.name for member in archive.getmembers() if member.isfile()]
    assert sorted(names) == sorted(f"{NAME}/{file}" for file in {*files, "PKG-INFO"})


def test_a_build_of_the_unpacked_source_archive_gives_the_same_bytes(
    built: Built, tmp_path: Path
) -> None:
    source = unpacked(built.sdist, tmp_path)
    assert build(source, tmp_path / "dist").content == built.content


def test_a_build_carries_the_date_it_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    built = build(REPOSITORY, tmp_path)
    with zipfile.ZipFile(built.wheel) as archive:
        assert {item.date_time for item in archive.infolist()} == {(2023, 11, 14, 22, 13, 20)}
    with tarfile.open(built.sdist) as sources:
        assert {member.mtime for member in sources.getmembers()} == {1700000000}


@pytest.mark.parametrize("program", ["yg", "ygg"])
def test_the_installed_program_shows_its_version(installed: Path, program: str) -> None:
    told = f"yg {__version__} (graph format {GRAPH_FORMAT})\n"
    assert run_installed(installed, str(installed / "bin" / program), "--version") == told


def test_the_installed_program_runs_from_where_it_was_installed(installed: Path) -> None:
    where = run_installed(installed, sys.executable, "-P", "-c", "import yg; print(yg.__file__)")
    assert where == f"{installed / 'yg' / '__init__.py'}\n"


def test_the_installed_program_gives_the_package_of_the_example(installed: Path) -> None:
    argv = ("build-context", "orders/order-service")
    golden = REPOSITORY / "tests" / "golden" / "build-context.out"
    text = run_installed(installed, sys.executable, "-P", "-m", "yg", *argv)
    assert text == golden.read_text(encoding="utf-8")


def test_the_installed_program_has_its_templates(installed: Path) -> None:
    argv = ("init", "--upgrade", "--dry-run", "--platform", "codex")
    golden = REPOSITORY / "tests" / "golden" / "init-upgrade-dry-run.out"
    text = run_installed(installed, sys.executable, "-P", "-m", "yg", *argv)
    assert text == golden.read_text(encoding="utf-8")


def test_the_version_is_in_one_place() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    assert "version" not in project["project"]
    assert project["tool"]["hatch"]["version"] == {"path": "src/yg/version.py"}
    sources = (REPOSITORY / "src").rglob("*.py")
    holding = [path.name for path in sources if f'"{__version__}"' in path.read_text("utf-8")]
    assert holding == ["version.py"]


def test_the_newest_entry_of_the_changes_is_this_version() -> None:
    changes = (REPOSITORY / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.search(r"^## (\S+?),? ", changes, re.MULTILINE)
    assert newest is not None
    assert newest[1] == __version__
