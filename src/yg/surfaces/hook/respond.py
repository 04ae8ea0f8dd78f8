"""The answer to one event: from the memory of the session if that is enough, else from the graph."""

from __future__ import annotations

import os

from yg.disk.index.private import cache_folder
from yg.surfaces.hook.envelope import envelope
from yg.surfaces.hook.event import (
    AFTER,
    BEFORE,
    COMPACT,
    COPILOT,
    CURSOR,
    EVENTS,
    GEMINI,
    HARNESSES,
    OPENCODE,
    PROMPT,
    START,
    STOP,
    Event,
    parsed,
)
from yg.surfaces.hook.log import note
from yg.surfaces.hook.memory import BusyError, Memory
from yg.surfaces.hook.where import inside_root, root_of
from yg.yggdrasil.places import FOLDER

TYPE_CHECKING = False  # importing `typing` takes time; type checkers accept this
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_FORGETTING = ("compact", "clear")  # sources of a session's start
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
    root = root_of(event.directory)
    if not root or event.name == BEFORE or (event.name == STOP and event.agent):
        return ""
    if event.name == PROMPT and _CARRIES.get(event.harness) != PROMPT:
        return ""
    folder = cache_folder(root, FOLDER) if event.session else ""
    if not folder:  # no memory: only what can be said without it
        if event.name != START:
            return ""
        from yg.surfaces.hook.tell import opened, overview

        with opened(root) as workspace:
            return overview(workspace)
    with Memory(folder, event, clock) as memory:
        if memory.is_duplicate(event.identity):
            return ""
        text = _remembering(root, event, memory)
        memory.save()  # what is not remembered is not said, else it would be said again
        return text


def _remembering(root: str, event: Event, memory: Memory) -> str:
    is_forgetting = event.name == COMPACT or (
        event.name == START and event.source in _FORGETTING
    )
    if is_forgetting:
        memory.forget()
        memory.is_pending = event.name == COMPACT and event.harness in _LATE
    if _is_silent(root, event, memory):
        return ""
    from yg.surfaces.hook.tell import Teller, opened

    with opened(root) as workspace:
        teller = Teller(workspace, event, memory)
        is_due = memory.is_pending and _CARRIES.get(event.harness) == event.name
        if is_forgetting or is_due:
            memory.is_pending = False
            return teller.after_compaction(goes_on=event.source != "clear") + (
                teller.touched() if event.name == AFTER else ""
            )
        if event.name == START:
            return teller.start()
        if event.name == PROMPT:
            return teller.start() if not memory.is_started else ""
        return teller.stop() if event.name == STOP else teller.touched()


def _is_silent(root: str, event: Event, memory: Memory) -> bool:
    """Return whether the memory of the session shows that there is nothing to say."""
    if event.name == COMPACT:
        return event.harness != OPENCODE  # another event says it
    if event.name == STOP:
        return memory.has_stopped or event.is_repeated or not memory.any_edited()
    if event.name == PROMPT:
        return not memory.is_pending and (event.harness == GEMINI or memory.is_started)
    if event.name != AFTER:
        return False
    if memory.is_pending and event.harness != GEMINI:
        return False
    inside = [path for path in (inside_root(root, file) for file in event.files) if path]
    if event.is_edit and any(path.startswith(f"{FOLDER}/") for path in inside):
        memory.owners = {}  # the graph has changed
    inside = [path for path in inside if not path.startswith(f"{FOLDER}/")]
    if event.is_edit and any(memory.owners.get(path) != "" for path in inside):
        return False
    return memory.knows(inside, root)
