"""The deterministic memory of a repository for AI coding agents.

Every command imports this module, so it imports nothing until something is asked of it.
"""

TYPE_CHECKING = False  # as type checkers read it; `typing` itself takes time to import
if TYPE_CHECKING:
    from yg.api import Package, Workspace, open_workspace
    from yg.kernel.dependencies import Dependency
    from yg.kernel.errors import YgError
    from yg.kernel.impact import NodeImpact
    from yg.kernel.issue import Issue, Severity
    from yg.kernel.plan import Plan
    from yg.version import __version__
    from yg.yggdrasil.compare import DiffImpact
    from yg.yggdrasil.drift import NodeDrift, State

__all__ = (
    "Dependency",
    "DiffImpact",
    "Issue",
    "NodeDrift",
    "NodeImpact",
    "Package",
    "Plan",
    "Severity",
    "State",
    "Workspace",
    "YgError",
    "__version__",
    "open_workspace",
)

_HOMES = {
    "Dependency": "yg.kernel.dependencies",
    "DiffImpact": "yg.yggdrasil.compare",
    "Issue": "yg.kernel.issue",
    "NodeDrift": "yg.yggdrasil.drift",
    "NodeImpact": "yg.kernel.impact",
    "Package": "yg.api",
    "Plan": "yg.kernel.plan",
    "Severity": "yg.kernel.issue",
    "State": "yg.yggdrasil.drift",
    "Workspace": "yg.api",
    "YgError": "yg.kernel.errors",
    "__version__": "yg.version",
    "open_workspace": "yg.api",
}

if not TYPE_CHECKING:  # or type checkers would take any name for one of ours

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module 'yg' has no attribute '{name}'")
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
