"""`yg completions`: print a shell completion script."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Annotated, Literal

from yg_old.commands.command import Command
from yg_old.commands.request import Operand, Request
from yg_old.kernel.document import Document, Text, about

if TYPE_CHECKING:
    from yg_old.commands.command import Run
    from yg_old.kernel.palette import Palette

Shell = Literal["bash", "zsh", "fish"]


class CompletionsRequest(Request["CompletionScript"], frozen=True, kw_only=True):
    """The shell to complete in."""

    shell: Annotated[Shell, Operand("SHELL", "your shell")]


class CompletionScript(Document, frozen=True, kw_only=True, tag="yg-completions/1"):
    """What `yg completions --json` prints: the completion script of a shell."""

    shell: Annotated[Shell, about("The shell that the script is for.")]
    script: Annotated[Text, about("The completion script.")]


def ask(_run: Run, request: CompletionsRequest) -> CompletionScript:
    """Read the completion script of a shell."""
    file = files("yg_old.commands").joinpath(f"shell/yg.{request.shell}")
    return CompletionScript(shell=request.shell, script=file.read_text(encoding="utf-8"))


def text(completions: CompletionScript, _palette: Palette) -> str:
    """Write the script."""
    return completions.script


COMMAND = Command(request=CompletionsRequest, documents=(CompletionScript,), ask=ask, text=text)
