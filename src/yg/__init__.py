"""The deterministic memory of a repository for AI coding agents.

Every command imports this module, so public names are imported on first use.
"""

TYPE_CHECKING = False  # importing `typing` takes time; type checkers accept this
if TYPE_CHECKING:
    from yg.commands.review.documents import NodeReview
    from yg.kernel.compare import DiffImpact
    from yg.kernel.dependencies import Dependency
    from yg.kernel.errors import YgError
    from yg.kernel.find import Found
    from yg.kernel.impact import NodeImpact
    from yg.kernel.issue import Issue, Severity
    from yg.kernel.plan import Plan
    from yg.surfaces.api import Package, Workspace, open_workspace
    from yg.version import __version__
    from yg.yggdrasil.drift.states import NodeDrift, State

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
    "Dependency": "yg.kernel.dependencies",
    "DiffImpact": "yg.kernel.compare",
    "Found": "yg.kernel.find",
    "Issue": "yg.kernel.issue",
    "NodeDrift": "yg.yggdrasil.drift.states",
    "NodeImpact": "yg.kernel.impact",
    "NodeReview": "yg.commands.review.documents",
    "Package": "yg.surfaces.api",
    "Plan": "yg.kernel.plan",
    "Severity": "yg.kernel.issue",
    "State": "yg.yggdrasil.drift.states",
    "Workspace": "yg.surfaces.api",
    "YgError": "yg.kernel.errors",
    "__version__": "yg.version",
    "open_workspace": "yg.surfaces.api",
}

if not TYPE_CHECKING:  # with `__getattr__`, type checkers would accept any name

    def __getattr__(name: str) -> object:
        if name not in _MODULES:
            raise AttributeError(f"module 'yg' has no attribute '{name}'")
        from importlib import import_module

        return getattr(import_module(_MODULES[name]), name)

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
