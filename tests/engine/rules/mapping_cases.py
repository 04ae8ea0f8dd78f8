"""Rules about the source files that nodes map."""

from __future__ import annotations

from engine.rules.judged import ASPECT, Case, boxed, maps
from graphs import NODE
from yg.kernel.snapshot import Kind

CASES = (
    Case(
        code="E009",
        name="neighbours whose names begin alike",
        files={
            "model/a/yg-node.yaml": maps("src/a", "src/a.py"),
            "model/b/yg-node.yaml": maps("src/ab", "src/a-b"),
        },
        sources={"src/a/x": "", "src/a.py": "", "src/ab/x": "", "src/a-b": ""},
    ),
    Case(
        code="E009",
        name="a descendant inside its ancestor, and an ancestor inside its descendant",
        files={
            "model/a/yg-node.yaml": maps("src/a", "lib/b/main.py"),
            "model/a/b/yg-node.yaml": maps("src/a/b"),
            "model/a/b/c/yg-node.yaml": maps("src/a/b/c.py", "lib/b"),
        },
        sources={"src/a/b/c.py": "", "lib/b/main.py": ""},
    ),
    Case(
        code="E009",
        name="a node may map a directory and something in it",
        files={"model/a/yg-node.yaml": maps("src", "src/a.py")},
        sources={"src/a.py": ""},
    ),
    Case(
        code="E009",
        name="the same file in two nodes, spelled in five ways",
        files={
            "model/a/yg-node.yaml": maps("src/a.py"),
            "model/b/yg-node.yaml": maps("./src/a.py"),
            "model/c/yg-node.yaml": maps("src//a.py"),
            "model/d/yg-node.yaml": maps("src\\a.py"),
            "model/e/yg-node.yaml": maps("src/x/../a.py"),
        },
        sources={"src/a.py": ""},
        issues="""\
E009 b -> mapping 'src/a.py' is also mapped by 'a'.
  Map it in only one of the two nodes.
  .yggdrasil/model/b/yg-node.yaml:5:7
E009 c -> mapping 'src/a.py' is also mapped by 'a'.
  Map it in only one of the two nodes.
  .yggdrasil/model/c/yg-node.yaml:5:7
E009 d -> mapping 'src/a.py' is also mapped by 'a'.
  Map it in only one of the two nodes.
  .yggdrasil/model/d/yg-node.yaml:5:7
E009 e -> mapping 'src/a.py' is also mapped by 'a'.
  Map it in only one of the two nodes.
  .yggdrasil/model/e/yg-node.yaml:5:7
""",
    ),
    Case(
        code="E009",
        name="the same directory in an ancestor and its descendant",
        files={"model/a/yg-node.yaml": maps("src"), "model/a/b/yg-node.yaml": maps("src/")},
        sources={"src/a.py": ""},
    ),
    Case(
        code="E009",
        name="inside a directory of another node, and inside one of its sibling",
        files={
            "model/a/yg-node.yaml": maps("src"),
            "model/b/yg-node.yaml": maps("lib", "src/b.py"),
            "model/a/c/yg-node.yaml": maps("src/c"),
            "model/a/d/yg-node.yaml": maps("src/c/d.py"),
        },
        sources={"src/b.py": "", "src/c/d.py": "", "lib/x": ""},
        issues="""\
E009 a/d -> mapping 'src/c/d.py' is inside 'src/c', mapped by 'a/c'.
  Map it in only one of the two nodes.
  .yggdrasil/model/a/d/yg-node.yaml:5:7
E009 b -> mapping 'src/b.py' is inside 'src', mapped by 'a'.
  Map it in only one of the two nodes.
  .yggdrasil/model/b/yg-node.yaml:6:7
""",
    ),
    Case(
        code="E009",
        name="the whole repository and a part of it",
        files={"model/a/yg-node.yaml": maps("."), "model/b/yg-node.yaml": maps("src")},
        sources={"src/a.py": ""},
        issues="""\
E009 b -> mapping 'src' is inside '.', mapped by 'a'.
  Map it in only one of the two nodes.
  .yggdrasil/model/b/yg-node.yaml:5:7
""",
    ),
    Case(
        code="E020",
        name="files and directories, spelled in every way",
        files={
            "model/a/yg-node.yaml": maps("./src//", "lib\\a.py", "'..data/x'", "a/../.gitignore")
        },
        sources={"src/x": "", "lib/a.py": "", "..data/x": "", ".gitignore": ""},
    ),
    Case(
        code="E020",
        name="absolute paths of three systems",
        files={"model/a/yg-node.yaml": maps("/src/a.py", "C:\\src", "c:/src", "\\\\host\\share")},
        issues="""\
E020 a -> mapping '/src/a.py' is absolute.
  Use a file or directory in this repository, relative to its root.
  .yggdrasil/model/a/yg-node.yaml:5:7
E020 a -> mapping 'C:\\src' is absolute.
  Use a file or directory in this repository, relative to its root.
  .yggdrasil/model/a/yg-node.yaml:6:7
E020 a -> mapping 'c:/src' is absolute.
  Use a file or directory in this repository, relative to its root.
  .yggdrasil/model/a/yg-node.yaml:7:7
E020 a -> mapping '\\\\host\\share' is absolute.
  Use a file or directory in this repository, relative to its root.
  .yggdrasil/model/a/yg-node.yaml:8:7
""",
    ),
    Case(
        code="E020",
        name="out of the repository",
        files={"model/a/yg-node.yaml": maps("..", "../a.py", "src/../../a.py", "..\\a.py")},
        sources={"src/x": ""},
        issues="""\
E020 a -> mapping '..' leaves the repository.
  Use a file or directory in this repository, relative to its root.
  .yggdrasil/model/a/yg-node.yaml:5:7
E020 a -> mapping '../a.py' leaves the repository.
  Use a file or directory in this repository, relative to its root.
  .yggdrasil/model/a/yg-node.yaml:6:7
E020 a -> mapping 'src/../../a.py' leaves the repository.
  Use a file or directory in this repository, relative to its root.
  .yggdrasil/model/a/yg-node.yaml:7:7
E020 a -> mapping '..\\a.py' leaves the repository.
  Use a file or directory in this repository, relative to its root.
  .yggdrasil/model/a/yg-node.yaml:8:7
""",
    ),
    Case(
        code="E020",
        name="inside the graph or git's own folder",
        files={
            "model/a/yg-node.yaml": maps(
                ".yggdrasil/model", ".git/config", "src/../.git", "./.yggdrasil/"
            )
        },
        sources={".git/config": "", "src/x": ""},
        issues="""\
E020 a -> mapping '.yggdrasil/model' lies inside .yggdrasil/.
  Use a file or directory in this repository, relative to its root.
  .yggdrasil/model/a/yg-node.yaml:5:7
E020 a -> mapping '.git/config' lies inside .git/.
  Use a file or directory in this repository, relative to its root.
  .yggdrasil/model/a/yg-node.yaml:6:7
E020 a -> mapping 'src/../.git' lies inside .git/.
  Use a file or directory in this repository, relative to its root.
  .yggdrasil/model/a/yg-node.yaml:7:7
E020 a -> mapping './.yggdrasil/' lies inside .yggdrasil/.
  Use a file or directory in this repository, relative to its root.
  .yggdrasil/model/a/yg-node.yaml:8:7
""",
    ),
    Case(
        code="E020",
        name="nothing at all",
        files={"model/a/yg-node.yaml": maps('""', '"  "')},
        issues="""\
E020 a -> mapping '' is empty.
  Use a file or directory in this repository, relative to its root.
  .yggdrasil/model/a/yg-node.yaml:5:7
E020 a -> mapping '  ' is empty.
  Use a file or directory in this repository, relative to its root.
  .yggdrasil/model/a/yg-node.yaml:6:7
""",
    ),
    Case(
        code="E020",
        name="the same path twice in one node",
        files={"model/a/yg-node.yaml": maps("src", "./src/", "src\\")},
        sources={"src/x": ""},
        issues="""\
E020 a -> mapping './src/' is listed twice.
  Keep one entry.
  .yggdrasil/model/a/yg-node.yaml:6:7
E020 a -> mapping 'src\\' is listed twice.
  Keep one entry.
  .yggdrasil/model/a/yg-node.yaml:7:7
""",
    ),
    Case(
        code="E020",
        name="links, what is behind them, and special files",
        files={"model/a/yg-node.yaml": maps("link", "dir/link/a.py", "pipe")},
        sources={"link": Kind.LINK, "dir/link": Kind.LINK, "pipe": Kind.OTHER},
        issues="""\
E020 a -> mapping 'link' is a link.
  Use a file or directory in this repository, relative to its root.
  .yggdrasil/model/a/yg-node.yaml:5:7
E020 a -> mapping 'dir/link/a.py' passes through the link 'dir/link'.
  Use a file or directory in this repository, relative to its root.
  .yggdrasil/model/a/yg-node.yaml:6:7
E020 a -> mapping 'pipe' is not a plain file or directory.
  Use a file or directory in this repository, relative to its root.
  .yggdrasil/model/a/yg-node.yaml:7:7
""",
    ),
    Case(
        code="W012",
        name="files and directories that exist, with nothing in them too",
        files={"model/a/yg-node.yaml": maps("src", "lib", "a.py")},
        sources={"src/x": "", "lib": Kind.DIRECTORY, "a.py": ""},
    ),
    Case(
        code="W012",
        name="missing paths, as their author spelled them",
        files={"model/a/yg-node.yaml": maps("src/servce.py", "./lib\\", "a.py/b")},
        sources={"src/service.py": "", "a.py": ""},
        issues="""\
W012 a -> mapping path 'src/servce.py' does not exist.
  Write it, or correct the path if the file exists elsewhere.
  .yggdrasil/model/a/yg-node.yaml:5:7
W012 a -> mapping path './lib\\' does not exist.
  Write it, or correct the path if the file exists elsewhere.
  .yggdrasil/model/a/yg-node.yaml:6:7
W012 a -> mapping path 'a.py/b' does not exist.
  Write it, or correct the path if the file exists elsewhere.
  .yggdrasil/model/a/yg-node.yaml:7:7
""",
    ),
    Case(
        code="W012",
        name="patterns instead of paths",
        files={"model/a/yg-node.yaml": maps("src/*.py", "'**/x.py'", "lib/new.py")},
        sources={"src/a.py": ""},
        issues="""\
W012 a -> mapping path 'src/*.py' does not exist.
  Globs are not supported: map the directory 'src' or list the files.
  .yggdrasil/model/a/yg-node.yaml:5:7
W012 a -> mapping path '**/x.py' does not exist.
  Globs are not supported: map the directory or list the files.
  .yggdrasil/model/a/yg-node.yaml:6:7
W012 a -> mapping path 'lib/new.py' does not exist.
  Write it, or correct the path if the file exists elsewhere.
  .yggdrasil/model/a/yg-node.yaml:7:7
""",
    ),
    Case(
        code="W014",
        name="anchors anywhere in any mapped file",
        files={
            "model/a/yg-node.yaml": f"""\
{NODE}aspects:
  - {{aspect: x, anchors: [record_audit, "ä/ö = 1"]}}
mapping: {{paths: [src, b.py]}}
""",
            "aspects/x/yg-aspect.yaml": ASPECT,
        },
        sources={"src/deep/a.py": "record_audit()", "b.py": b"\xff\x00 \xc3\xa4/\xc3\xb6 = 1"},
    ),
    Case(
        code="W014",
        name="anchors of several words, and in a comment",
        files={
            "model/a/yg-node.yaml": f"""\
{NODE}aspects:
  - {{aspect: x, anchors: ["audit.record(", "in a note"]}}
mapping: {{paths: [src]}}
""",
            "aspects/x/yg-aspect.yaml": ASPECT,
        },
        sources={"src/a.py": "audit.record(1)\n", "src/b.txt": "# only in a note\n"},
    ),
    Case(
        code="W014",
        name="anchors that are gone",
        files={
            "model/a/yg-node.yaml": f"""\
{NODE}aspects:
  - aspect: x
    anchors: [here, gone]
  - aspect: y
    anchors: [gone]
mapping: {{paths: [src]}}
""",
            "aspects/x/yg-aspect.yaml": ASPECT,
            "aspects/y/yg-aspect.yaml": ASPECT,
        },
        sources={"src/a.py": "here", "src/b.py": "Gone g one"},
        issues="""\
W014 a -> anchor 'gone' of aspect 'x' is not in any mapped file.
  Correct it to a text in the code that meets the aspect, or remove it.
  Files searched: 2.
  .yggdrasil/model/a/yg-node.yaml:5:21
W014 a -> anchor 'gone' of aspect 'y' is not in any mapped file.
  Correct it to a text in the code that meets the aspect, or remove it.
  Files searched: 2.
  .yggdrasil/model/a/yg-node.yaml:7:15
""",
    ),
    Case(
        code="W014",
        name="an anchor in a file that belongs to a descendant",
        files={
            "model/a/yg-node.yaml": f"""\
{NODE}aspects: [{{aspect: x, anchors: [mark]}}]
mapping: {{paths: [src]}}
""",
            "model/a/b/yg-node.yaml": maps("src/b"),
            "aspects/x/yg-aspect.yaml": ASPECT,
        },
        sources={"src/a.py": "", "src/c.py": "", "src/b/b.py": "mark"},
        issues="""\
W014 a -> anchor 'mark' of aspect 'x' is not in any mapped file.
  Correct it to a text in the code that meets the aspect, or remove it.
  Files searched: 2.
  .yggdrasil/model/a/yg-node.yaml:3:33
""",
    ),
    Case(
        code="W014",
        name="an anchor of a node that does not exist",
        files={
            "model/a/yg-node.yaml": NODE
            + "aspects: [{aspect: x, anchors: [audit]}]\nmapping: {paths: [src/a.py]}\n",
            "aspects/x/yg-aspect.yaml": ASPECT,
        },
        issues="""\
W012 a -> mapping path 'src/a.py' does not exist.
  Write it, or correct the path if the file exists elsewhere.
  .yggdrasil/model/a/yg-node.yaml:4:19
""",
    ),
    Case(
        code="W037",
        name="blackboxes with code, without a mapping, and nodes that are not written yet",
        files={
            "model/a/yg-node.yaml": maps("src/new.py"),
            "model/b/yg-node.yaml": boxed(maps("src/old.py", "lib")),
            "model/c/yg-node.yaml": boxed(NODE),
        },
        sources={"src/old.py": "", "lib/x.py": ""},
        issues="""\
W012 a -> mapping path 'src/new.py' does not exist.
  Write it, or correct the path if the file exists elsewhere.
  .yggdrasil/model/a/yg-node.yaml:5:7
""",
    ),
    Case(
        code="W037",
        name="a blackbox of which some code is missing, and one with a pattern",
        files={
            "model/a/yg-node.yaml": boxed(maps("src/old.py", "src/older.py")),
            "model/b/yg-node.yaml": boxed(maps("lib/*.py")),
        },
        sources={"src/old.py": "", "lib/x.py": ""},
        issues="""\
W012 a -> mapping path 'src/older.py' does not exist.
  Correct it, or remove it: a blackbox is for existing code.
  .yggdrasil/model/a/yg-node.yaml:7:7
W012 b -> mapping path 'lib/*.py' does not exist.
  Globs are not supported: map the directory 'lib' or list the files.
  .yggdrasil/model/b/yg-node.yaml:6:7
""",
    ),
    Case(
        code="W037",
        name="a blackbox whose files do not exist, and one with an empty directory",
        files={
            "model/a/yg-node.yaml": boxed(maps("src/new.py", "src/newer.py")),
            "model/b/yg-node.yaml": boxed(maps("empty")),
        },
        sources={"empty": Kind.DIRECTORY},
        issues="""\
W012 a -> mapping path 'src/new.py' does not exist.
  Correct it, or remove it: a blackbox is for existing code.
  .yggdrasil/model/a/yg-node.yaml:6:7
W037 a -> is a blackbox, but there is no code in 'src/new.py', 'src/newer.py'.
  A blackbox is for existing code: correct the mapping if the code is elsewhere.
  For new code, remove 'blackbox: true' and describe the node before you write it.
  If the code was deleted, remove the node.
  .yggdrasil/model/a/yg-node.yaml:6:7
W012 a -> mapping path 'src/newer.py' does not exist.
  Correct it, or remove it: a blackbox is for existing code.
  .yggdrasil/model/a/yg-node.yaml:7:7
""",
    ),
    Case(
        code="E009",
        name="related nodes with one path, and others that map it or something in it",
        files={
            "model/a/yg-node.yaml": maps("src"),
            "model/a/b/yg-node.yaml": maps("src"),
            "model/a/c/yg-node.yaml": maps("src", "src/c"),
            "model/d/yg-node.yaml": maps("src/d"),
        },
        sources={"src/a.py": "", "src/c/c.py": "", "src/d/d.py": ""},
        issues="""\
E009 a/c -> mapping 'src' is also mapped by 'a/b'.
  Map it in only one of the two nodes.
  .yggdrasil/model/a/c/yg-node.yaml:5:7
E009 a/c -> mapping 'src/c' is inside 'src', mapped by 'a/b'.
  Map it in only one of the two nodes.
  .yggdrasil/model/a/c/yg-node.yaml:6:7
E009 d -> mapping 'src/d' is inside 'src', mapped by 'a/b'.
  Map it in only one of the two nodes.
  .yggdrasil/model/d/yg-node.yaml:5:7
""",
    ),
    Case(
        code="E009",
        name="a path that is rejected overlaps with none",
        files={"model/a/yg-node.yaml": maps("."), "model/b/yg-node.yaml": maps("vendor/.git/x")},
        sources={"vendor/.git/x": ""},
        issues="""\
E020 b -> mapping 'vendor/.git/x' lies inside .git/.
  Use a file or directory in this repository, relative to its root.
  .yggdrasil/model/b/yg-node.yaml:5:7
""",
    ),
)
