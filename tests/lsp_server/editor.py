"""An editor without a process: a repository, and documents that are open in it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from lsprotocol import types

from support import CONFIG, NODE, write
from yg.kernel.issue import Issue
from yg.surfaces.lsp.documents import Documents
from yg.surfaces.lsp.session import EditorView, Session
from yg.workspace import results

MODEL = ".yggdrasil/model"
TEXT = "Fifty characters: the least that an artifact says.\n"
SHOP = {
    ".yggdrasil/yg-config.yaml": f"{CONFIG}code: {{imports: warning}}\n",
    **{f".yggdrasil/schemas/{name}.yaml": "" for name in ("yg-node", "yg-aspect", "yg-flow")},
    f"{MODEL}/orders/yg-node.yaml": (
        "name: Orders\ntype: service\naspects:\n  - aspect: audit\nrelations:\n"
        "  - target: pay/gateway # 😀 pay/gateway\n    type: uses\n    consumes: [charge]\n"
        "  - target: mail\n    type: emits\n    event_name: Paid\n"
        "mapping:\n  paths: [src/orders.py]\n"
    ),
    f"{MODEL}/pay/yg-node.yaml": NODE,
    f"{MODEL}/mail/yg-node.yaml": (
        f"{NODE}relations:\n  - {{target: orders, type: listens, event_name: Paid}}\n"
    ),
    f"{MODEL}/pay/gateway/yg-node.yaml": f"{NODE}mapping: {{paths: [src/pay.py]}}\n",
    f"{MODEL}/pay/gateway/interface.md": f"{TEXT}\n- `charge(order)` takes the money\n",
    **{f"{MODEL}/{node}/responsibility.md": f"What {node} does. {TEXT}" for node in
       ("mail", "orders", "pay", "pay/gateway")},
    f"{MODEL}/orders/interface.md": TEXT,
    f"{MODEL}/mail/interface.md": TEXT,
    ".yggdrasil/aspects/audit/yg-aspect.yaml": "name: Audit\ndescription: Write it down.\n",
    ".yggdrasil/aspects/log/yg-aspect.yaml": "name: Log\nimplies: [audit]\n",
    ".yggdrasil/flows/buy/yg-flow.yaml": "name: Buy\nnodes: [orders]\naspects: [log]\n",
    ".yggdrasil/flows/buy/description.md": (
        "## Business context\n## Trigger\n## Goal\n## Participants\n## Paths\n### Happy path\n"
        "## Invariants across all paths\n"
    ),
    "src/orders.py": "from pay import charge\n",
    "src/pay.py": "def charge(order):\n    return order\n",
}  # fmt: skip


class Editor:
    """A repository with open documents."""

    def __init__(self, root: Path, files: Mapping[str, str | bytes] = SHOP) -> None:
        self.root = write(root, files)
        self.session = Session(str(root))
        self.documents = Documents()
        self._version = 0

    def uri(self, path: str) -> str:
        return (self.root / path).as_uri()

    def type(self, path: str, text: str) -> None:
        """Give a document another text, without saving it."""
        if self.documents.get(self.uri(path)) is None:
            self.documents = self.documents.opened(self.uri(path), text, 0)
        self._version += 1
        self.documents = self.documents.changed(
            self.uri(path), [(None, text)], self._version, "utf-16"
        )

    def save(self) -> None:
        """Save all documents."""
        for document in self.documents:
            path = Path(document.path)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(document.text.encode("utf-8", "surrogatepass"))
            self.documents = self.documents.saved(document.uri)

    @property
    def view(self) -> EditorView:
        self.session.forget()  # a test may have written files
        found = self.session.view(self.documents)
        assert found is not None
        return found

    @property
    def issues(self) -> tuple[Issue, ...]:
        return results.verdict(self.view.workspace).issues

    def at(self, path: str, word: str, after: str = "") -> tuple[EditorView, str, int]:
        """Return the state, a file and the place of a word in it."""
        view = self.view
        text = view.lines(path).text
        return view, path, text.index(word, text.index(after))

    def place(self, location: types.Location) -> str:
        """Return a location as `path:line:character text`."""
        path = next(
            path.relative_to(self.root).as_posix()
            for path in self.root.rglob("*")
            if path.as_uri() == location.uri
        )
        start, end = location.range.start, location.range.end
        lines = self.view.lines(path)
        first = lines.offset_of(start.line, start.character, "utf-16")
        last = lines.offset_of(end.line, end.character, "utf-16")
        text = lines.text[first:last]
        return f"{path.removeprefix('.yggdrasil/')}:{start.line}:{start.character} {text}".rstrip()
