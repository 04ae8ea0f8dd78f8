"""The audit trail: who changed what, and when."""

import json
from datetime import UTC, datetime
from pathlib import Path

AUDIT_FILE = Path("audit.jsonl")


def record_audit(actor: str, action: str, entity: str, **changes: object) -> None:
    """Append one entry; raises OSError if it cannot be written."""
    entry = {
        "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "actor": actor,
        "action": action,
        "entity": entity,
        "changes": changes,
    }
    with AUDIT_FILE.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(entry, default=str) + "\n")
