"""Values become text or plain data here, one file per thing shown."""
