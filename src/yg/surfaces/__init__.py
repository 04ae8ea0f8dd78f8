"""Ways to run commands: the command line and the Python API."""
