"""Names that imports take from their targets."""

EVERYTHING = "*"
