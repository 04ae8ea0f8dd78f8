"""What a `Cargo.toml` says about its package and its workspace, as far as imports need it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterator

MANIFEST = "Cargo.toml"
FIRST_EDITION = "2015"  # its paths start at the root of the crate
_TARGETS = ("bin", "test", "example", "bench")  # lists of a manifest
_DEPENDENCIES = ("dependencies", "dev-dependencies", "build-dependencies")


class Dependency(Struct, frozen=True):
    """A package that another one depends on."""

    package: str | None = None  # its name, if the dependency has another one
    path: str | None = None
    is_inherited: bool = False  # the workspace says the rest


class CargoManifest(Struct, frozen=True, kw_only=True):
    """One manifest; what it lacks, or has in another type, is None or empty."""

    package: str | None = None
    build: str | None = None  # the script that builds it
    edition: str | None = FIRST_EDITION  # None: that of the workspace, if there is one
    library: str | None = None  # the name of the library
    library_path: str | None = "src/lib.rs"
    targets: tuple[str, ...] = ()  # paths of other roots
    dependencies: tuple[tuple[str, Dependency], ...] = ()
    has_workspace: bool = False
    shared_edition: str | None = FIRST_EDITION
    shared: dict[str, Dependency] = {}  # dependencies that packages of the workspace inherit


def cargo_manifest(table: dict[str, Any]) -> CargoManifest:
    """Return what the table of a manifest says."""
    package, library = _entry(table, "package"), _entry(table, "lib")
    workspace = _entry(table, "workspace")
    items = (item for key in _TARGETS for item in _items(table, key))
    targets = (_text(item.get("path")) for item in items)
    return CargoManifest(
        package=_text(package.get("name")),
        build=_text(package.get("build")),
        edition=_text(package.get("edition", FIRST_EDITION)),
        library=_text(library.get("name")),
        library_path=_text(library.get("path", "src/lib.rs")),
        targets=tuple(path for path in targets if path is not None),
        dependencies=tuple(_dependencies(table)),
        has_workspace="workspace" in table,
        shared_edition=_text(_entry(workspace, "package").get("edition", FIRST_EDITION)),
        shared=dict(_listed(_entry(workspace, "dependencies"))),
    )


def _dependencies(table: dict[str, Any]) -> Iterator[tuple[str, Dependency]]:
    """Yield the dependencies of a package, for all platforms."""
    platforms = _entry(table, "target").values()
    for part in (table, *(part for part in platforms if isinstance(part, dict))):
        for kind in _DEPENDENCIES:
            yield from _listed(_entry(part, kind))


def _listed(table: dict[str, Any]) -> Iterator[tuple[str, Dependency]]:
    """Yield the dependencies of a table; one with only a version is that of its name."""
    for key in table:
        entry = _entry(table, key)
        yield (
            key,
            Dependency(
                package=_text(entry.get("package")),
                path=_text(entry.get("path")),
                is_inherited=entry.get("workspace") is True,
            ),
        )


def _entry(table: dict[str, Any], key: str) -> dict[str, Any]:
    found = table.get(key)
    return found if isinstance(found, dict) else {}


def _items(table: dict[str, Any], key: str) -> list[dict[str, Any]]:
    found = table.get(key)
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
