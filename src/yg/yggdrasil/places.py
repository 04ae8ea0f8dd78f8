"""Paths of graphs in a repository: the folder of each edition and the file that marks it."""

FOLDER = ".yggdrasil"
DRIFT_STATE = f"{FOLDER}/.drift-state"
FOLDER_V0 = "yggdrasil"
CONFIG_V0 = f"{FOLDER_V0}/config.yaml"  # required, since any project may have such a folder


def is_graph_file(path: str) -> bool:
    """Tell whether a tracked path belongs to the graph rather than to the sources."""
    return path.startswith(f"{FOLDER}/")
