"""Reading the configuration: invalid parts are reported and left empty, the rest is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from yg.kernel.errors import AnotherModelError, UnreadableError
from yg.kernel.fields import has
from yg.kernel.issue import Finding, Place
from yg.kernel.snapshot import Kind, Recipe
from yg.text.suggest import did_you_mean, listing, nearest
from yg.version import HIGHEST_FORMAT, has_another_model, is_newer
from yg.yggdrasil.config import STANDARD_ARTIFACTS, Config
from yg.yggdrasil.declaration import CONFIG, Reading, read_declaration, unreadable
from yg.yggdrasil.model import CONFIG_FILE, FOLDER, Problem

if TYPE_CHECKING:
    from yg.kernel.fields import Report
    from yg.kernel.snapshot import Snapshot
    from yg.text.decode import Datum

ARCHITECTURE_FILE = "yg-architecture.yaml"  # of format 4 and later ones
# Files that decide which format a graph has.
FORMAT_FILES = (f"{FOLDER}/{CONFIG_FILE}", f"{FOLDER}/{ARCHITECTURE_FILE}")
_WITHOUT_ARTIFACTS = "3"  # the first format that has no section `artifacts`
_DESCRIBE = "Describe at least one entry under 'artifacts'."


def read_config(snapshot: Snapshot) -> Reading[Config]:
    """Return the configuration as far as it is valid; raises AnotherModelError."""
    file = f"{FOLDER}/{CONFIG_FILE}"
    if snapshot.kind(f"{FOLDER}/{ARCHITECTURE_FILE}") is Kind.FILE:
        raise another_model("4 or later")
    if snapshot.kind(file) is None:
        try:
            if snapshot.kind(FOLDER) is Kind.DIRECTORY:
                snapshot.entries(FOLDER)
        except UnreadableError as error:
            return Reading(None, (unreadable(CONFIG_FILE, FOLDER, error.reason),))
        hint = "Restore it, or run 'yg init' in a new repository."
        finding = Finding(CONFIG_FILE, f"there is no {CONFIG_FILE}", Place(file), (hint,))
        return Reading(None, (Problem(CONFIG, finding),))
    try:
        reading = snapshot.made(file, CONFIG_RECIPE)
    except UnreadableError as error:
        return Reading(None, (unreadable(CONFIG_FILE, file, error.reason),))
    if reading.value is not None and reading.value.other_model:
        raise another_model(reading.value.other_model)
    return reading


def another_model(version: str) -> AnotherModelError:
    """Return the error for a graph of format 4 or later."""
    return AnotherModelError(
        f"the graph in {FOLDER}/ has format {version}, which has another model; "
        f"yg reads formats up to {HIGHEST_FORMAT}"
    )


def _read(file: str, data: bytes) -> Reading[Config]:
    return read_declaration(
        Config, CONFIG, CONFIG_FILE, file, data, finish=_finish, keeps_valid_keys=True
    )


CONFIG_RECIPE: Recipe[Reading[Config]] = Recipe(CONFIG_FILE, Reading[Config], _read)


def _finish(values: dict[str, Any], datum: Datum, report: Report) -> None:
    values["other_model"] = _other_model(datum)
    _complete_artifacts(values, datum, report)
    if values.get("artifacts"):
        _check_templates(values, report)


def _other_model(datum: Datum) -> str:
    """Return the format of a configuration that has another model; empty for ours."""
    entries = datum.value if isinstance(datum.value, dict) else {}
    version = str(entries["version"].datum.value) if "version" in entries else ""
    if has_another_model(version):
        return version
    is_ours = has(datum, "name") or has(datum, "node_types")
    is_other = not is_ours and (has(datum, "reviewer") or has(datum, "parallel"))
    return "4 or later" if is_other else ""


def _complete_artifacts(values: dict[str, Any], datum: Datum, report: Report) -> None:
    """Fill in what a configuration without `artifacts` means; before format 3 it is an error."""
    if values.get("artifacts"):
        return
    is_standard = not is_newer(_WITHOUT_ARTIFACTS, than=values.get("version", ""))
    if is_standard:
        values["artifacts"] = STANDARD_ARTIFACTS
    elif "artifacts" in values:
        entries = datum.value if isinstance(datum.value, dict) else {}
        report.add_problem("'artifacts' must not be empty", entries["artifacts"].datum, _DESCRIBE)
    elif not has(datum, "artifacts"):
        report.add_problem(f"{CONFIG_FILE} has no 'artifacts'", datum, _DESCRIBE)


def _check_templates(values: dict[str, Any], report: Report) -> None:
    """Report templates of artifacts that are not configured."""
    artifacts = values["artifacts"]
    for kind in values.get("node_types", {}).values():
        for name, template in kind.template.items():
            if name not in artifacts:
                hint = did_you_mean(nearest(name, artifacts)) or (
                    f"Configured artifacts: {listing(artifacts)}."
                )
                message = f"the template of '{kind.name}' names '{name}', which is no artifact"
                report.add_problem(message, template.artifact, hint)
