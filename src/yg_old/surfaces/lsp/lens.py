"""The code lens of a source file: its owner and the state of its drift."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from yg_old.surfaces.lsp.hover import drift_of_node, state_text
from yg_old.surfaces.lsp.navigation import declaration, owner_of
from yg_old.surfaces.lsp.settings import COMMAND, LensSetting
from yg_old.text.paths import is_inside
from yg_old.yggdrasil.drift.states import State
from yg_old.yggdrasil.parts import GraphPart, PartKind

if TYPE_CHECKING:
    from yg_old.surfaces.lsp.session import EditorView, Session

_START = types.Range(types.Position(0, 0), types.Position(0, 0))


def lenses(
    session: Session, view: EditorView, file: str, setting: LensSetting
) -> list[types.CodeLens]:
    """Return the lens of a source file, unless the setting hides it."""
    format_ = view.workspace.format
    if setting is LensSetting.OFF or not format_.is_yggdrasil or is_inside(file, format_.folder):
        return []
    owner = owner_of(view, file)
    if owner is None:
        return []
    drift = drift_of_node(session, owner)
    is_wrong = drift is not None and drift.state is not State.OK
    if setting is LensSetting.PROBLEMS and not is_wrong:
        return []
    title = f"{owner} · {state_text(drift)}" if drift else owner
    command = types.Command(title=title, command=COMMAND, arguments=[view.uri(file)])
    return [types.CodeLens(range=_START, command=command)]


def node_of_file(view: EditorView, file: str) -> types.Location | None:
    """Return the declaration of the node that owns a source file."""
    owner = owner_of(view, file)
    return declaration(view, GraphPart(PartKind.NODE, owner)) if owner else None
