"""Paths of graphs in a repository: the folder of each edition and the file that marks it."""

FOLDER = ".yggdrasil"
DRIFT_STATE = f"{FOLDER}/.drift-state"
FOLDER_V0 = "yggdrasil"
CONFIG_V0 = f"{FOLDER_V0}/config.yaml"  # required, since any project may have such a folder
