"""Completion in real shells: what they hand over, and what they make of the answer."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forked import shared
from support import NODE, SHOP_ROOT, run, write_graph
from yg.surfaces.cli.completions import SHELLS, Line, completed, split

# What surrounds a completion function of zsh, without the rest of its system.
AROUND = {
    "zsh": r"""
compdef() { }
_describe() { print -rl -- "${(@P)2}" }
_files() { print -r -- files "$@" }
"""
}
ODD = ("do$lar", "it's", "my node", "two:parts", 'quo"te', "ünï", "x/y z/deep")


def in_shell(shell: str, script: str, cwd: Path) -> str:
    """Run a script in a real shell that has the completion loaded."""
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    with TemporaryDirectory() as home:  # fish makes itself comfortable there
        ran = subprocess.run(
            [shell, "-c", f"{AROUND.get(shell, '')}{run('completions', shell).text}\n{script}"],
            cwd=cwd,
            env={"PATH": shared().path, "LC_ALL": "C.UTF-8", "HOME": home},
            capture_output=True,
            check=False,
        )
    assert ran.stderr.decode() == ""
    return ran.stdout.decode()


BASH = r"""
COMP_LINE=$line COMP_POINT=${#line}
COMP_WORDS=("${words[@]}") COMP_CWORD=$((${#words[@]} - 1))
_yg
((${#COMPREPLY[@]} == 0)) || printf '%s\n' "${COMPREPLY[@]}"
"""
ZSH = r"""
CURRENT=${#words} PREFIX=${words[-1]}
_yg
"""


def by_bash(line: str, words: str, cwd: Path = SHOP_ROOT) -> list[str]:
    """Complete a line; the words are as bash itself takes it apart."""
    return in_shell("bash", f"line={_quoted(line)} words=({words})\n{BASH}", cwd).splitlines()


def by_zsh(words: str, cwd: Path = SHOP_ROOT) -> list[str]:
    return in_shell("zsh", f"words=({words})\n{ZSH}", cwd).splitlines()


def by_fish(line: str, cwd: Path = SHOP_ROOT) -> list[str]:
    return in_shell("fish", f"complete -C {_quoted(line)}", cwd).splitlines()


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    return write_graph(tmp_path, {f"model/{item}/yg-node.yaml": NODE for item in ODD})


def test_bash_completes_commands_names_and_values() -> None:
    assert by_bash("yg expla", "yg expla") == ["explain"]
    assert by_bash("yg deps orders/", "yg deps orders/") == [
        "orders/order-service",
        "orders/pricing",
    ]
    assert by_bash("yg impact --flow ", "yg impact --flow ''") == ["checkout"]
    assert by_bash("yg tree --format=j", "yg tree --format = j") == ["json"]
    assert by_bash("yg tree --format=", "yg tree --format =") == ["text", "json"]
    assert by_bash("yg frobnicate ", "yg frobnicate ''") == []
    assert by_bash("yg owner sr", "yg owner sr") == []  # bash looks for files itself


def test_bash_gets_words_that_it_can_put_into_the_line(odd: Path) -> None:
    assert by_bash("yg deps ", "yg deps ''", odd) == [
        "do\\$lar",
        "it\\'s",
        "my\\ node",
        'quo\\"te',
        "two:parts",
        "x/y\\ z/deep",
        "ünï",
    ]
    assert by_bash("yg deps my\\ n", r"yg deps my\\\ n", odd) == ["my\\ node"]
    assert by_bash('yg deps "my n', "yg deps '\"my n'", odd) == ["my node"]
    assert by_bash('yg deps "do', "yg deps '\"do'", odd) == ["do\\$lar"]
    assert by_bash("yg deps two:p", "yg deps two : p", odd) == ["parts"]


def test_zsh_gets_words_with_what_they_mean(odd: Path) -> None:
    assert "explain:Explain a rule: what it checks, why, how to fix it." in by_zsh("yg expl")
    assert by_zsh("yg impact --aspect ''")[0] == "idempotency"
    assert by_zsh("yg deps ''", odd)[-3:] == ["two\\:parts", "x/y z/deep", "ünï"]
    assert by_zsh("yg owner sr") == ["files"]
    assert by_zsh("yg -C sr") == ["files -/"]


def test_fish_completes_commands_names_and_values(odd: Path) -> None:
    assert by_fish("yg expl") == ["explain\tExplain a rule: what it checks, why, how to fix it."]
    assert by_fish("yg deps orders/pr") == ["orders/pricing"]
    assert by_fish("yg deps 'my", odd) == ["my node"]
    assert by_fish("yg -C sr") == ["src/"]
    assert by_fish("yg owner pyp") == ["pyproject.toml"]


@pytest.mark.parametrize("shell", SHELLS)
def test_scripts_answer_for_both_names_of_the_program(shell: str) -> None:
    script = run("completions", shell).text
    assert "yg" in script.split()
    assert "ygg" in script.replace(";", " ").split()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", Line((), "", "", "")),
        ("yg  deps ", Line(("yg", "deps"), "", "", "")),
        ("yg 'a b' c", Line(("yg", "a b"), "c", "c", "")),
        ('yg "a \\" b', Line(("yg",), 'a " b', '"a \\" b', '"')),
        ("yg 'a\\", Line(("yg",), "a\\", "'a\\", "'")),
        ("yg a\\ b", Line(("yg",), "a b", "a\\ b", "")),
        ("yg ''", Line(("yg",), "", "''", "")),
        ("yg '' x", Line(("yg", ""), "x", "x", "")),
        ("yg a\\", Line(("yg",), "a", "a\\", "")),
    ],
)
def test_a_line_may_end_anywhere(line: str, expected: Line) -> None:
    assert split(line) == expected


@given(st.lists(st.text(min_size=1)))
def test_quoted_words_come_apart_as_they_were(words: list[str]) -> None:
    assert split(" ".join(map(_quoted, words)) + " ").words == tuple(words)


@given(st.sampled_from([*SHELLS, "csh", ""]), st.lists(st.text(max_size=5), max_size=4))
def test_whatever_is_handed_over_there_is_an_answer(shell: str, typed: list[str]) -> None:
    first = completed(shell, typed).split("\n")[0]
    assert first in (("words", "files", "directories") if shell in SHELLS else ("",))
