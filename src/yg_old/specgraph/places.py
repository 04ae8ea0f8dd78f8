"""Where a Spec Graph lies in a repository, and what marks it."""

FOLDER = "specgraph"
INDEX_FILE = "graph.json"
MARKER = f"{FOLDER}/{INDEX_FILE}"  # a folder of that name may be anything
TRACE = f"{FOLDER}/nodes"  # where nodes are kept by convention
