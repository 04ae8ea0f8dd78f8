"""The build hook of the wheel: add the JSON schemas, which the program generates."""

from __future__ import annotations

import os
import sys
import tempfile
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class SchemasBuildHook(BuildHookInterface[Any]):
    """Writes the schemas to a temporary directory, from where they are packed."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the schemas to a wheel; an editable install generates them when asked."""
        if version == "editable":
            return
        sys.path.insert(0, os.path.join(self.root, "src"))
        from yg.commands.schema import schema_files

        self._directory = tempfile.TemporaryDirectory()
        for name, text in schema_files().items():
            path = os.path.join(self._directory.name, name)
            with open(path, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
            build_data["force_include"][path] = f"yg/commands/schemas/{name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the temporary directory."""
        del build_data, artifact_path
        if version != "editable":
            self._directory.cleanup()
