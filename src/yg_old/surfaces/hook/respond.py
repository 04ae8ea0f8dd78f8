"""The answer to one event: from the memory of the session if it is enough, else from the graph."""

from __future__ import annotations

import os

from yg_old.disk.index.private import cache_folder
from yg_old.surfaces.hook.envelope import envelope
from yg_old.surfaces.hook.event import (
    AFTER,
    BEFORE,
    COMPACT,
    COPILOT,
    CURSOR,
    EVENTS,
    FORGETTING,
    GEMINI,
    HARNESSES,
    OPENCODE,
    PROMPT,
    START,
    STOP,
    Event,
    parsed,
)
from yg_old.surfaces.hook.log import note
from yg_old.surfaces.hook.memory import BusyError, Memory, doubt
from yg_old.surfaces.hook.where import inside_root, root_of
from yg_old.yggdrasil.places import FOLDER

TYPE_CHECKING = False  # importing `typing` takes time; type checkers accept this
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

# Harnesses in which no event after a compaction can say anything: the next answer does.
_LATE = (CURSOR, COPILOT, GEMINI)
_CARRIES = {CURSOR: AFTER, COPILOT: AFTER, GEMINI: PROMPT, OPENCODE: PROMPT}


def respond(words: Sequence[str], data: bytes, clock: Callable[[], float]) -> str:
    """Return what to print for an event; empty if there is nothing to say.

    Nothing is raised: problems are noted in the log.
    """
    here = os.getcwd()
    try:
        named = _named(words)
        event = Event(*named, parsed(data))
        here = event.directory
        return envelope(event, _text(event, clock))
    except BusyError:
        message = "another hook of this session has not ended"
    except ValueError as error:
        message = str(error)
    except Exception as error:  # noqa: BLE001
        message = f"{type(error).__name__}: {error}"
    note(here, f"{' '.join(words[:2])}: {message}", clock)
    return ""


def _named(words: Sequence[str]) -> tuple[str, str]:
    """Return the harness and the event that the command line names; raises ValueError."""
    if len(words) != 2:  # noqa: PLR2004
        raise ValueError("expected HARNESS EVENT")
    harness, name = words
    if harness not in HARNESSES:
        raise ValueError(f"unknown harness; known are {', '.join(HARNESSES)}")
    if name not in EVENTS:
        raise ValueError(f"unknown event; known are {', '.join(EVENTS)}")
    return harness, name


def _text(event: Event, clock: Callable[[], float]) -> str:
    """Return what to tell the model."""
    root = root_of(event.directory) or _root_of_files(event)
    if not root or event.name == BEFORE or (event.name == STOP and event.agent):
        return ""
    if event.name == PROMPT and _CARRIES.get(event.harness) != PROMPT:
        return ""
    folder = cache_folder(root, FOLDER) if event.session else ""
    if not folder:  # no memory: only what can be said without it
        if event.name != START:
            return ""
        from yg_old.surfaces.hook.start import opened, overview

        with opened(root) as workspace:
            return overview(workspace)
    with Memory(folder, event, clock) as memory:
        if memory.is_duplicate(event.identity):
            return ""
        text = _remembering(root, event, memory)
        memory.save()  # what is not remembered is not said, else it would be said again
        return text


def _root_of_files(event: Event) -> str:
    """Return the root of a graph below the directory of the session; empty if there is none."""
    inside = (file for file in event.files if inside_root(event.directory, file))
    return next(filter(None, (root_of(os.path.dirname(file)) for file in inside)), "")


def _remembering(root: str, event: Event, memory: Memory) -> str:
    is_forgetting = event.name == COMPACT or (event.name == START and event.source in FORGETTING)
    if is_forgetting:
        memory.forget()
        memory.is_pending = event.name == COMPACT and event.harness in _LATE
    if _is_silent(root, event, memory):
        return ""
    with memory.attempt(is_start=event.name == START) as is_worthwhile:
        return _found(root, event, memory, is_forgetting=is_forgetting) if is_worthwhile else ""


def _found(root: str, event: Event, memory: Memory, *, is_forgetting: bool) -> str:
    """Open the graph, and return what it has to say."""
    from yg_old.surfaces.hook.start import opened, start

    is_due = _is_carrying(event, memory)
    with opened(root) as workspace:
        if event.name in (START, PROMPT) and not is_forgetting and not is_due:
            return start(workspace, memory)
        from yg_old.surfaces.hook.tell import MOST, Teller

        teller = Teller(workspace, event, memory)
        if is_forgetting or is_due:
            memory.is_pending = False
            again = teller.after_compaction(goes_on=event.source != "clear")
            more = teller.touched(MOST - len(again)) if event.name == AFTER else ""
            return "\n".join(filter(None, (again, more)))
        return teller.stop() if event.name == STOP else teller.touched()


def _is_silent(root: str, event: Event, memory: Memory) -> bool:
    """Return whether the memory of the session shows that there is nothing to say."""
    match event.name:
        case "compact":
            return event.harness != OPENCODE  # another event says it
        case "stop":
            return memory.has_stopped or event.is_over or not memory.edited_by_all()
        case "prompt":
            return not memory.is_pending and (event.harness == GEMINI or memory.is_started)
        case "post-tool":
            return not _is_carrying(event, memory) and _is_known(root, event, memory)
    return False


def _is_carrying(event: Event, memory: Memory) -> bool:
    """Return whether the answer has to say what a compaction has made necessary."""
    return memory.is_pending and _CARRIES.get(event.harness) == event.name


def _is_known(root: str, event: Event, memory: Memory) -> bool:
    """Return whether there is nothing to say about the touched files."""
    inside = [path for file in event.files if (path := inside_root(root, file))]
    sources = [path for path in inside if not path.startswith(f"{FOLDER}/")]
    if event.is_edit and len(sources) < len(inside):
        memory.owners = {}  # the graph has changed
    if event.is_edit and any(memory.owners.get(path) != "" for path in sources):
        return len(sources) == 1 and _is_harmless(root, sources[0], memory)
    return memory.knows(sources, root)


def _is_harmless(root: str, file: str, memory: Memory) -> bool:
    """Return whether an edit of a file that has an owner makes no more sentences doubtful."""
    parts = memory.quoted_of(file, root)
    if parts is None:
        return False
    if parts:
        from yg_old.surfaces.hook.edited import same_parts

        node = memory.owners[file]
        wanted = {
            name: digest
            for name, digest in parts.items()
            if doubt(node, file, name) not in memory.doubts
        }
        if not same_parts(root, file, wanted):
            return False
    memory.note_edit(file, memory.owners[file])
    memory.note_stamp(file, root)
    return True
