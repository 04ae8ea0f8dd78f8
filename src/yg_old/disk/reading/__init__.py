"""The files of a working tree, read once, with what is derived from them."""
