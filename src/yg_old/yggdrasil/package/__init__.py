"""Context packages: blocks, their order, and views of them."""
