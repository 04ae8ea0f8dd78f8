"""The keys of a baseline besides its files."""

from __future__ import annotations

EXTERNAL = "external"  # digests of contracts in other repositories
CODE = "code"  # facts about the sources
REVIEWS = "reviews"  # reasons for changes without a change of texts
