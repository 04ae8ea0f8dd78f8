"""The build hook of the wheel: add the JSON schemas and the digest of the code."""

from __future__ import annotations

import os
import sys
import tempfile
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class GeneratedFilesHook(BuildHookInterface[Any]):
    """Writes what the program generates to a temporary directory, from where it is packed."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the files to a wheel; an editable install does without them."""
        if version == "editable":
            return
        sources = os.path.join(self.root, "src")
        sys.path.insert(0, sources)
        from yg_old.commands.schema import schema_files
        from yg_old.disk.index.program import BUILD, digest_of_code

        self._directory = tempfile.TemporaryDirectory()
        schemas = {f"commands/schemas/{name}": text for name, text in schema_files().items()}
        build = digest_of_code(os.path.join(sources, "yg_old"))
        for place, text in {**schemas, BUILD: f"{build}\n"}.items():
            path = os.path.join(self._directory.name, os.path.basename(place))
            with open(path, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
            build_data["force_include"][path] = f"yg_old/{place}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the temporary directory."""
        del build_data, artifact_path
        if version != "editable":
            self._directory.cleanup()
