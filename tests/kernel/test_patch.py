"""Patches: what a unified diff makes of files, and the messages about one that does not fit."""

from __future__ import annotations

from contextlib import suppress
from difflib import unified_diff

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yg.kernel.patch import PatchError, apply_patch
from yg.kernel.snapshot import DictSnapshot, Kind

BASE: dict[str, str | bytes | Kind] = {
    "g/a.md": "one\ntwo\nthree\nfour\nfive\n",
    "g/crlf.md": "one\r\ntwo\r\nthree\r\n",
    "g/open.md": "no line break",
    "g/link": Kind.LINK,
    "src/x.py": "x = 1\n",
}


def applied(patch: str | bytes, base: dict[str, str | bytes | Kind] = BASE) -> dict[str, bytes]:
    """Apply a patch; deleted files are empty texts."""
    data = patch.encode() if isinstance(patch, str) else patch
    found = apply_patch(data, DictSnapshot(base), "g", lambda path: path)
    return {path: content or b"" for path, content in found.files.items()}


def refused(patch: str | bytes) -> str:
    with pytest.raises(PatchError) as caught:
        applied(patch)
    assert caught.value.hint
    return caught.value.message


def changing(old: str, new: str, hunk: str) -> str:
    return f"diff --git a/{old} b/{new}\n--- a/{old}\n+++ b/{new}\n{hunk}"


CHANGE = "@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n"


def test_a_hunk_changes_its_lines() -> None:
    assert applied(changing("g/a.md", "g/a.md", CHANGE)) == {
        "g/a.md": b"one\n2\nthree\nfour\nfive\n"
    }


def test_a_hunk_is_looked_for_near_its_place() -> None:
    hunk = "@@ -20,3 +20,4 @@ anything\n two\n+2.5\n three\n four\n"
    assert applied(changing("g/a.md", "g/a.md", hunk)) == {
        "g/a.md": b"one\ntwo\n2.5\nthree\nfour\nfive\n"
    }


@pytest.mark.parametrize(
    "head",
    [
        "--- a/g/a.md\n+++ b/g/a.md\n",
        "--- g/a.md\t2026-01-01 10:00:00\n+++ g/a.md\t2026-01-02 10:00:00\n",
        'diff --git "a/g/a.md" "b/g/a.md"\n--- "a/g/\\141.md"\n+++ "b/g/\\141.md"\n',
        (
            "From 1 Mon\nSubject: diff\n---\n a.md | 2 +-\n\ndiff --git i/g/a.md w/g/a.md\n"
            "index 1..2 100644\n--- i/g/a.md\n+++ w/g/a.md\n"
        ),
    ],
    ids=["plain", "with times", "quoted", "a mail"],
)
def test_names_are_read_as_tools_write_them(head: str) -> None:
    assert applied(f"{head}{CHANGE}-- \n2.40\n") == {"g/a.md": b"one\n2\nthree\nfour\nfive\n"}


def test_line_breaks_of_the_file_are_kept() -> None:
    expected = {"g/crlf.md": b"one\r\n2\r\nthree\r\n"}
    patch = changing("g/crlf.md", "g/crlf.md", CHANGE)
    assert applied(patch) == expected
    assert applied(patch.replace("\n", "\r\n")) == expected
    written_by_git = patch.replace("one\n", "one\r\n").replace("2\n", "2\r\n")
    assert applied(written_by_git) == expected


def test_a_mail_with_other_line_breaks_changes_none_of_the_file() -> None:
    patch = changing("g/a.md", "g/a.md", CHANGE).replace("\n", "\r\n")
    assert applied(patch) == {"g/a.md": b"one\n2\nthree\nfour\nfive\n"}


def test_files_are_created_deleted_renamed_and_copied() -> None:
    created = (
        "diff --git a/g/new.md b/g/new.md\nnew file mode 100644\nindex 0..1\n"
        "--- /dev/null\n+++ b/g/new.md\n@@ -0,0 +1 @@\n+text\n\\ No newline at end of file\n"
    )
    empty = "diff --git a/g/none.md b/g/none.md\nnew file mode 100644\nindex 0..1\n"
    deleted = (
        "diff --git a/g/open.md b/g/open.md\ndeleted file mode 100644\n--- a/g/open.md\n"
        "+++ /dev/null\n@@ -1 +0,0 @@\n-no line break\n\\ No newline at end of file\n"
    )
    renamed = (
        "diff --git a/g/a.md b/g/b c.md\nsimilarity index 80%\nrename from g/a.md\n"
        f"rename to g/b c.md\n--- a/g/a.md\n+++ b/g/b c.md\t\n{CHANGE}"
    )
    copied = (
        "diff --git a/g/crlf.md b/g/two.md\nsimilarity index 100%\n"
        "copy from g/crlf.md\ncopy to g/two.md\n"
    )
    assert applied(created + empty + deleted + renamed + copied) == {
        "g/new.md": b"text",
        "g/none.md": b"",
        "g/open.md": b"",
        "g/a.md": b"",
        "g/b c.md": b"one\n2\nthree\nfour\nfive\n",
        "g/two.md": b"one\r\ntwo\r\nthree\r\n",
    }


def test_a_change_of_the_mode_changes_nothing() -> None:
    patch = "diff --git a/g/a.md b/g/a.md\nold mode 100644\nnew mode 100755\n"
    assert applied(patch) == {"g/a.md": b"one\ntwo\nthree\nfour\nfive\n"}


def test_a_series_of_patches_builds_on_the_earlier_ones() -> None:
    second = changing("g/a.md", "g/a.md", "@@ -1,3 +1,3 @@\n one\n-2\n+zwei\n three\n")
    patch = changing("g/a.md", "g/a.md", CHANGE) + second
    assert applied(patch) == {"g/a.md": b"one\nzwei\nthree\nfour\nfive\n"}


def test_files_elsewhere_are_left_out_and_counted() -> None:
    other = changing("src/x.py", "src/x.py", "@@ -1 +1 @@\n-anything\n+else\n")
    binary = "diff --git a/x.png b/x.png\nBinary files a/x.png and b/x.png differ\n"
    for patch, note in (
        (changing("g/a.md", "g/a.md", CHANGE) + other + binary, "changes 2 files outside g/"),
        (other, "changes no file in g/"),
        ("", "changes no file in g/"),
    ):
        found = apply_patch(patch.encode(), DictSnapshot(BASE), "g", lambda path: path)
        assert note in found.note


@pytest.mark.parametrize(
    ("patch", "message"),
    [
        ("hello\n", "line 1 of the patch: there is no change of a file in it"),
        (
            changing("g/a.md", "g/a.md", CHANGE.replace("-two", "-2")),
            (
                "line 4 of the patch does not apply to 'g/a.md' at line 2: "
                "the patch expects '2', the file has 'two'"
            ),
        ),
        (
            changing("g/a.md", "g/a.md", "@@ -5,2 +5,3 @@\n five\n six\n+7\n"),
            (
                "line 4 of the patch does not apply to 'g/a.md' at line 6: "
                "the patch expects 'six', and the file ends before"
            ),
        ),
        (
            changing("g/a.md", "g/a.md", "@@ -1,2 +1,3 @@\n one\n two\n+new end\n"),
            (
                "line 4 of the patch does not apply to 'g/a.md' at line 2: "
                "the patch expects the start or the end of the file there"
            ),
        ),
        (
            changing("g/open.md", "g/open.md", "@@ -1 +1 @@\n-no line break\n+x\n"),
            (
                "line 4 of the patch does not apply to 'g/open.md' at line 1: "
                "only one of the two has a line break at its end"
            ),
        ),
        (
            (
                "diff --git a/g/a.md b/g/a.md\ndeleted file mode 100644\n"
                "--- a/g/a.md\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n"
            ),
            (
                "line 5 of the patch does not apply to 'g/a.md' at line 2: "
                "the patch expects the start or the end of the file there"
            ),
        ),
        (
            "diff --git a/g/a.md b/g/a.md\ndeleted file mode 100644\n",
            "the patch does not apply to 'g/a.md' at line 1: it has more lines",
        ),
        (
            changing("g/no.md", "g/no.md", CHANGE),
            "line 1 of the patch: it changes 'g/no.md', which is not a file here",
        ),
        (
            changing("g/link", "g/link", CHANGE),
            "line 1 of the patch: it changes 'g/link', which is not a file here",
        ),
        (
            "diff --git a/g/a.md b/g/a.md\nnew file mode 100644\n",
            "line 1 of the patch: it creates 'g/a.md', which exists or cannot be a file",
        ),
        (
            "diff --git a/g/link/x b/g/link/x\nnew file mode 100644\n",
            "line 1 of the patch: it creates 'g/link/x', which exists or cannot be a file",
        ),
        (
            "diff --git a/g/l b/g/l\nnew file mode 120000\n",
            "line 1 of the patch: 'g/l' is a link or a submodule, which yg does not follow",
        ),
        (
            "diff --git a/g/a.md b/g/a.md\nindex 1..2 100644\nGIT binary patch\nliteral 1\nIcmZ\n",
            "line 1 of the patch: 'g/a.md' is binary, and only texts can be patched",
        ),
        (
            changing("../x", "../x", CHANGE),
            "line 1 of the patch: '../x' is outside the repository",
        ),
        (
            f"--- /etc/passwd\n+++ /etc/passwd\n{CHANGE}",
            "line 1 of the patch: '/etc/passwd' is outside the repository",
        ),
        (
            "diff --cc g/a.md\nindex 1,2..3\n",
            "line 1 of the patch: a combined diff of a merge cannot be applied",
        ),
        (
            changing("g/a.md", "g/a.md", "@@ -1,3 +1,3 @@\n one\n-two\n"),
            "line 6 of the patch: the patch ends in the middle of a hunk",
        ),
        (
            changing("g/a.md", "g/a.md", "@@ -1,3 +1,3 @@\n one\n*two\n"),
            "line 6 of the patch: this line does not belong to the hunk above it",
        ),
        (
            changing("g/a.md", "g/a.md", "@@ one @@\n"),
            "line 4 of the patch: this is not the first line of a hunk, such as '@@ -1,2 +1,3 @@'",
        ),
        ("diff --git a/x b/y\n", "line 1 of the patch: it does not say which file it changes"),
        (
            "diff --git a/g/a.md b/g/a.md\n--- a/g/a.md\nother\n",
            "line 3 of the patch: expected a line that starts with '+++ '",
        ),
        (
            "diff --git a/g/a.md b/g/b.md\nrename from \nrename to g/b.md\n",
            "line 2 of the patch: expected the name of a file",
        ),
    ],
)
def test_a_patch_that_cannot_be_applied_is_refused_with_its_line(patch: str, message: str) -> None:
    assert refused(patch) == message


LINES = st.lists(st.sampled_from(["a", "b", "", "--- x", "+++ y", "@@ -1 +1 @@"]), max_size=12)


@given(LINES, LINES, st.integers(1, 4))
def test_the_difference_of_two_texts_makes_one_of_the_other(
    old: list[str], new: list[str], context: int
) -> None:
    then, now = ([f"{line}\n" for line in lines] for lines in (old, new))
    patch = "".join(unified_diff(then, now, "a/g/t", "b/g/t", n=context))
    if patch:
        expected = {"g/t": "".join(now).encode()}
        assert applied(patch, {"g/t": "".join(then)}) == expected


@given(st.binary(max_size=200))
def test_any_bytes_give_a_result_or_a_refusal(data: bytes) -> None:
    for patch in (data, changing("g/a.md", "g/a.md", "@@ -1 +1 @@\n").encode() + data):
        with suppress(PatchError):
            assert all(path.startswith("g/") for path in applied(patch))
