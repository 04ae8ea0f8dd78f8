"""Read the files of a Spec Graph."""
