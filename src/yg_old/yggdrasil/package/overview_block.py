"""The overview of the graph behind the rules for agents, between two marks."""

from __future__ import annotations

from yg_old.yggdrasil.places import FOLDER

AGENT_RULES = f"{FOLDER}/agent-rules.md"
# The files of rules for agents that are told nothing at the start of a session.
FILES = (
    ".clinerules/yggdrasil.md",
    ".roo/rules/yggdrasil.md",
    ".windsurf/rules/yggdrasil.md",
    AGENT_RULES,
)
OVERVIEW_BEGIN = "<!-- yggdrasil: overview (written by yg init and yg validate --fix) -->"
OVERVIEW_END = "<!-- yggdrasil: end of overview -->"


def with_overview(rules: str, overview: str) -> str:
    """Return the rules, followed by an overview of the graph if there is one."""
    return f"{rules}\n{OVERVIEW_BEGIN}\n{overview}{OVERVIEW_END}\n" if overview else rules


def overview_in(text: str) -> str | None:
    """Return the overview in the text of a file; None if there is none."""
    _, begin, rest = text.replace("\r\n", "\n").partition(f"{OVERVIEW_BEGIN}\n")
    overview, end, _ = rest.partition(OVERVIEW_END)
    return overview if begin and end else None


def without_overview(text: str) -> str:
    """Return the rules without the overview that may follow them."""
    overview = overview_in(text)
    return (
        text
        if overview is None
        else text.replace("\r\n", "\n").replace(with_overview("", overview or " "), "")
    )
