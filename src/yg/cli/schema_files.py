"""Write the JSON schemas that ship with the package: `python -m yg.cli.schema_files DIRECTORY`."""

from __future__ import annotations

import os
import sys

from yg.render.schema import schema_files


def main(directory: str) -> None:
    """Write all schema files to a directory."""
    for name, text in schema_files().items():
        with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main(sys.argv[1])
