"""The deterministic memory of a repository for AI coding agents.

Every command imports this module, so public names are imported on first use.
"""

TYPE_CHECKING = False  # importing `typing` takes time; type checkers accept this
if TYPE_CHECKING:
    from yg_old.commands.review.documents import NodeReview
    from yg_old.kernel.compare import DiffImpact
    from yg_old.kernel.dependencies import Dependency
    from yg_old.kernel.errors import YgError
    from yg_old.kernel.find import Found
    from yg_old.kernel.impact import NodeImpact
    from yg_old.kernel.issue import Issue, Severity
    from yg_old.kernel.plan import Plan
    from yg_old.surfaces.api import Package, Workspace, open_workspace
    from yg_old.version import __version__
    from yg_old.yggdrasil.drift.states import NodeDrift, State

__all__ = (
    "Dependency",
    "DiffImpact",
    "Found",
    "Issue",
    "NodeDrift",
    "NodeImpact",
    "NodeReview",
    "Package",
    "Plan",
    "Severity",
    "State",
    "Workspace",
    "YgError",
    "__version__",
    "open_workspace",
)

_MODULES = {
    "Dependency": "yg_old.kernel.dependencies",
    "DiffImpact": "yg_old.kernel.compare",
    "Found": "yg_old.kernel.find",
    "Issue": "yg_old.kernel.issue",
    "NodeDrift": "yg_old.yggdrasil.drift.states",
    "NodeImpact": "yg_old.kernel.impact",
    "NodeReview": "yg_old.commands.review.documents",
    "Package": "yg_old.surfaces.api",
    "Plan": "yg_old.kernel.plan",
    "Severity": "yg_old.kernel.issue",
    "State": "yg_old.yggdrasil.drift.states",
    "Workspace": "yg_old.surfaces.api",
    "YgError": "yg_old.kernel.errors",
    "__version__": "yg_old.version",
    "open_workspace": "yg_old.surfaces.api",
}

if not TYPE_CHECKING:  # with `__getattr__`, type checkers would accept any name

    def __getattr__(name: str) -> object:
        if name not in _MODULES:
            raise AttributeError(f"module 'yg' has no attribute '{name}'")
        from importlib import import_module

        return getattr(import_module(_MODULES[name]), name)

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
