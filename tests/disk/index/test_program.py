"""What tells two programs of the same version apart."""

from __future__ import annotations

import os
from pathlib import Path

from support import write
from yg.disk.index.program import BUILD, PACKAGE, code_of, digest_of_code

CODE = {"__init__.py": "", "rules/names.py": "x = 1\n", "page.html": "<p>\n"}


def test_the_code_of_an_editable_installation_is_known_by_its_stamps(tmp_path: Path) -> None:
    write(tmp_path, CODE)
    before = code_of(str(tmp_path))
    write(tmp_path, {"page.html": "<b>\n", "rules/note.txt": "", "rules/names.pyc": ""})
    assert code_of(str(tmp_path)) == before
    os.utime(tmp_path / "rules/names.py", ns=(1, 1))
    assert code_of(str(tmp_path)) != before
    before = code_of(str(tmp_path))
    write(tmp_path, {"rules/more.py": ""})
    assert code_of(str(tmp_path)) != before


def test_the_code_of_a_wheel_is_known_by_the_digest_in_it(tmp_path: Path) -> None:
    write(tmp_path, CODE)
    before = digest_of_code(str(tmp_path))
    os.utime(tmp_path / "rules/names.py", ns=(1, 1))
    assert digest_of_code(str(tmp_path)) == before
    write(tmp_path, {"rules/names.py": "x = 2\n"})
    assert digest_of_code(str(tmp_path)) != before
    write(tmp_path, {BUILD: f"{before}\n"})
    assert code_of(str(tmp_path)) == before


def test_the_package_is_the_whole_program() -> None:
    assert (Path(PACKAGE) / "version.py").is_file()
