"""Compares the uses of names that we find with those that another program finds.

    python benchmarks/uses.py python DIRECTORY FOLDER
    python benchmarks/uses.py typescript DIRECTORY FOLDER

Every public name of the files below FOLDER is asked for: those of modules, and with `--members`
also those of classes. Python is compared with jedi, which must be installed; TypeScript with the
compiler, which Node must find from DIRECTORY or by NODE_PATH. Prints how many lines both find, and
the lines that only one of the two finds. Recall is the share of the other's lines that we find,
precision the share of ours that the other finds as well.
"""

from __future__ import annotations

import argparse
import ast
import json
import subprocess
import sys
import time
from pathlib import Path

from yg_old.code.identifiers import read_identifiers
from yg_old.code.languages import ENDINGS, ending
from yg_old.code.read import read_facts
from yg_old.code.resolve import RESOLVED, Resolution
from yg_old.code.uses.bindings import code_file
from yg_old.code.uses.matches import SourcePart
from yg_old.code.uses.search import CodeUses

SKIPPED = {".git", ".venv", "__pycache__", "node_modules"}
MOST_SHOWN = 30
Places = dict[SourcePart, set[tuple[str, int]]]

COMPILER = r"""
const ts = require('typescript'), fs = require('fs'), path = require('path');
const { root, files, parts } = JSON.parse(fs.readFileSync(0, 'utf8'));
const manifest = path.join(root, 'package.json');
const exported = fs.existsSync(manifest) ? JSON.parse(fs.readFileSync(manifest)).exports || {} : {};
const conditions = new Set(Object.values(exported).flatMap(entry => Object.keys(entry || {})));
const options = {
  allowJs: true, target: 99, module: 99, moduleResolution: 100, jsx: 1, noLib: true,
  customConditions: [...conditions].filter(name => name.includes('source')),
};
const host = {
  getScriptFileNames: () => files.map(file => path.join(root, file)),
  getScriptVersion: () => '1',
  getScriptSnapshot: file => fs.existsSync(file)
    ? ts.ScriptSnapshot.fromString(fs.readFileSync(file, 'utf8')) : undefined,
  getCurrentDirectory: () => root, getCompilationSettings: () => options,
  getDefaultLibFileName: () => 'none', fileExists: ts.sys.fileExists, readFile: ts.sys.readFile,
  readDirectory: ts.sys.readDirectory, directoryExists: ts.sys.directoryExists,
};
const service = ts.createLanguageService(host), program = service.getProgram();
const named = (source, words) => {
  const found = [];
  const visit = (node, at) => ts.forEachChild(node, child => {
    const name = child.name && child.name.text;
    if (name === words[at] && !ts.isImportSpecifier(child) && !ts.isExportSpecifier(child)) {
      if (at === words.length - 1) found.push(child.name); else visit(child, at + 1);
    } else if (ts.isVariableStatement(child) || ts.isVariableDeclarationList(child)
      || ts.isModuleBlock(child)) visit(child, at);
  });
  visit(source, 0);
  return found;
};
const inside = (node, test) => { while (node && !test(node)) node = node.parent; return node; };
const token = (node, at) => {
  for (;;) {
    const inner = ts.forEachChild(node, c => c.pos <= at && at < c.end ? c : undefined);
    if (!inner) return node;
    inner.parent = inner.parent || node; node = inner;
  }
};
process.stdout.write(JSON.stringify(parts.map(([file, name]) => {
  const source = program.getSourceFile(path.join(root, file));
  const declared = named(source, name.split('.'));
  if (!declared.length) return null;
  const lines = new Set();
  const groups = declared.flatMap(
    one => service.findReferences(source.fileName, one.getStart(source)) || []);
  for (const group of groups)
    for (const { fileName, textSpan, isDefinition } of group.references) {
      const other = program.getSourceFile(fileName), node = token(other, textSpan.start);
      if (textSpan.start < node.getStart(other)) continue;  // in a comment
      const exported = inside(node, ts.isExportSpecifier);
      if (inside(node, ts.isImportDeclaration) || (isDefinition && !exported)) continue;
      const line = other.getLineAndCharacterOfPosition(textSpan.start).line + 1;
      lines.add(path.relative(root, fileName) + ':' + line);
    }
  return [...lines];
})));
"""


def our_uses(root: Path, folder: str, *, members: bool) -> tuple[Places, list[str]]:
    """Return the uses that we find of all public names below a folder, and all files there."""
    every = (path for path in sorted(root.rglob("*")) if path.is_file())
    files = [path.relative_to(root).as_posix() for path in every if SKIPPED.isdisjoint(path.parts)]
    inside = [
        file
        for file in files
        if file.startswith(f"{folder}/") and ENDINGS.get(ending(file)) in RESOLVED
    ]
    read = {file: read_facts(file, (root / file).read_bytes()) for file in inside}
    facts = {file: found for file, found in read.items() if found}
    imported = {file: found.imported for file, found in facts.items()}
    resolution = Resolution(files, imported, lambda file: (root / file).read_text("utf-8-sig"))
    known = {file: read_identifiers(file, (root / file).read_bytes()) for file in facts}
    code = {file: code_file(file, found, resolution) for file, found in facts.items()}
    search = CodeUses(code, facts.get, known.get, resolution.targets)
    parts = [
        SourcePart(file, name)
        for file, found in facts.items()
        for name in found.parts
        if name in found.signatures and ("." in name) == members and not name.startswith("__")
    ]
    started = time.perf_counter()
    uses: Places = {part: set() for part in parts}
    for use in search.uses(parts).uses:
        uses[use.used].add((use.path, use.line))
    print(f"{len(parts)} names in {len(facts)} files: {time.perf_counter() - started:.1f} s")
    return uses, list(facts)


def of_jedi(root: Path, parts: list[SourcePart]) -> Places:
    """Return the lines that jedi takes for references."""
    import jedi

    project = jedi.Project(root)
    found: Places = {}
    trees = {part.path: ast.parse((root / part.path).read_bytes()) for part in parts}
    for part in parts:
        places = declared_at(trees[part.path], part.name.split("."))
        script = jedi.Script(path=root / part.path, project=project)
        if places:
            found[part] = {
                (reference.module_path.relative_to(root).as_posix(), reference.line)
                for reference in script.get_references(*places)
                if not reference.is_definition() and reference.module_path is not None
            }
    return {part: without_imports(root, lines) for part, lines in found.items()}


def declared_at(tree: ast.AST, words: list[str]) -> tuple[int, int] | None:
    """Return the line and column of the name of a declaration."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            if node.name == words[0]:
                if len(words) > 1:
                    return declared_at(node, words[1:])
                return node.lineno, node.col_offset + 4 + 2 * isinstance(node, ast.ClassDef)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                if isinstance(target, ast.Name) and [target.id] == words:
                    return target.lineno, target.col_offset
        elif isinstance(node, (ast.If, ast.Try)) and (found := declared_at(node, words)):
            return found
    return None


def without_imports(root: Path, lines: set[tuple[str, int]]) -> set[tuple[str, int]]:
    """Return the lines without those of imports, except in packages, which export them."""
    return {
        (path, line)
        for path, line in lines
        if path.endswith("__init__.py") or line not in import_lines(root, path)
    }


IMPORT_LINES: dict[str, set[int]] = {}


def import_lines(root: Path, path: str) -> set[int]:
    """Return the lines of the imports of a file."""
    if path not in IMPORT_LINES:
        nodes = ast.walk(ast.parse((root / path).read_bytes()))
        IMPORT_LINES[path] = {
            line
            for node in nodes
            if isinstance(node, (ast.Import, ast.ImportFrom))
            for line in range(node.lineno, (node.end_lineno or 0) + 1)
        }
    return IMPORT_LINES[path]


def of_compiler(root: Path, files: list[str], parts: list[SourcePart]) -> Places:
    """Return the lines that the TypeScript compiler takes for references."""
    asked = {"root": str(root), "files": files, "parts": [[one.path, one.name] for one in parts]}
    done = subprocess.run(
        ["node", "-e", COMPILER], input=json.dumps(asked).encode(), capture_output=True, check=True
    )
    found: Places = {}
    for part, lines in zip(parts, json.loads(done.stdout), strict=True):
        if lines is not None:
            pairs = (line.rpartition(":") for line in lines)
            found[part] = {(path, int(number)) for path, _, number in pairs}
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="compare uses with another program")
    parser.add_argument("language", choices=("python", "typescript"))
    parser.add_argument("directory")
    parser.add_argument("folder")
    parser.add_argument("--members", action="store_true")
    parser.add_argument("--every", type=int, default=1, help="only every Nth name")
    options = parser.parse_args()
    root = Path(options.directory).resolve()
    ours, files = our_uses(root, options.folder, members=options.members)
    parts = list(ours)[:: options.every]
    theirs = (
        of_jedi(root, parts) if options.language == "python" else of_compiler(root, files, parts)
    )
    both = sum(len(ours[part] & theirs[part]) for part in theirs)
    only_ours = sorted((part, *use) for part in theirs for use in ours[part] - theirs[part])
    only_theirs = sorted((part, *use) for part in theirs for use in theirs[part] - ours[part])
    print(f"{len(theirs)} of {len(parts)} names known to both; {both} lines found by both")
    print(f"recall {both / max(1, both + len(only_theirs)):.3f}", end=", ")
    print(f"precision {both / max(1, both + len(only_ours)):.3f}")
    for title, only in (("only ours", only_ours), ("only theirs", only_theirs)):
        print(f"{title}: {len(only)}")
        for part, path, line in only[:MOST_SHOWN]:
            print(f"  {part.path}::{part.name} at {path}:{line}")


if __name__ == "__main__":
    sys.exit(main())
