"""What a command gives back, and what it needs to give it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from yg.render.plain import PLAIN

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterable

    from yg.answers.answer import Answer
    from yg.render.plain import Palette


class Outcome(Struct, frozen=True):
    """A command's answer: text for stdout, notes for stderr, an exit code."""

    text: str
    code: int = 0
    notes: str = ""


class Terminal(Struct, frozen=True):
    """What a command may know of where it runs."""

    read_lines: Callable[[], Iterable[str]]  # of standard input
    show_progress: Callable[[str], None] | None = None  # one line; None: nobody is watching
    out: Palette = PLAIN
    err: Palette = PLAIN


class Call(Struct, frozen=True):
    """One call of a command: its arguments, and where it runs."""

    args: Namespace
    terminal: Terminal

    @property
    def wants_json(self) -> bool:
        """Whether the answer is for a program."""
        return bool(self.args.format == "json")


def shown(call: Call, answer: Answer, form: str = "") -> Outcome:
    """Give an answer in the form that was asked for, or in the one named."""
    chosen = form or call.args.format or answer.form
    text = answer.written(chosen, call.terminal.out)
    return Outcome(text, answer.code, answer.beside(chosen, call.terminal.err))
