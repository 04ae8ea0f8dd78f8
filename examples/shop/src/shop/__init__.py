"""Backend of the shop.

One package per domain: `orders`, `payments`, `inventory`, `notifications`.
`shared` holds code that knows nothing about the shop. `app` wires it all together.
Domains import each other's package, never the modules inside it.
"""

import logging

__all__ = ["__version__"]

__version__ = "0.4.0"

# Whoever runs the shop decides where log records go; importing it must not print anything.
logging.getLogger(__name__).addHandler(logging.NullHandler())
