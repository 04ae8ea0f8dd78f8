"""The shape of `yg completions --json`."""

from __future__ import annotations

from typing import Annotated, Literal

from yg.render.shapes.base import JsonDocument, Text, about


class CompletionsDocument(JsonDocument, frozen=True, kw_only=True, tag="yg-completions/1"):
    """What `yg completions --json` prints: the completion script of a shell."""

    shell: Annotated[Literal["bash", "zsh", "fish"], about("The shell that the script is for.")]
    script: Annotated[Text, about("The completion script.")]
