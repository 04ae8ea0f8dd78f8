"""Where graphs lie in a repository: the folder of each edition, and what marks it."""

FOLDER = ".yggdrasil"
DRIFT_STATE = f"{FOLDER}/.drift-state"
FOLDER_V0 = "yggdrasil"
CONFIG_V0 = f"{FOLDER_V0}/config.yaml"  # a folder of that name may be anything
