"""Invoices: numbered without gaps, and booked."""

from billing.invoices.numbering import next_number
from billing.invoices.service import Invoice, InvoiceService

__all__ = ["Invoice", "InvoiceService", "next_number"]
