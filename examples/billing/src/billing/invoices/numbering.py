"""The numbers of invoices."""


def next_number(last: str, year: int) -> str:
    """Return the number after the last one; each year starts again at 1."""
    before, _, count = last.partition("-")
    return f"{year}-{int(count) + 1:06d}" if before == str(year) else f"{year}-000001"
