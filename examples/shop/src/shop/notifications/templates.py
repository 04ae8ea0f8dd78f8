"""The texts of our mails."""

from email.message import EmailMessage

from shop.orders import OrderPlaced

SENDER = "Shop <orders@shop.example>"


def order_confirmation(event: OrderPlaced) -> EmailMessage:
    """Return the mail that confirms a placed order."""
    message = EmailMessage()
    message["From"] = SENDER
    message["To"] = event.customer_email
    message["Subject"] = f"Your order {event.order_id}"
    message["X-Entity-Ref-ID"] = event.order_id
    message.set_content(f"Thank you for your order. We have charged {event.total} to your card.\n")
    return message
