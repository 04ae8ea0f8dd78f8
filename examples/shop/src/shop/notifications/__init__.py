"""Notifications: what customers hear from the shop.

Services here react to events; no other domain calls them. They are exported
for `shop.app`, which delivers the events.
"""

from shop.notifications.service import EmailService
from shop.notifications.templates import (
    order_confirmation,
)

__all__ = [
    "EmailService",
    "order_confirmation",
]
