"""Files and directories: stamps, safe writes, changes to watch for."""
