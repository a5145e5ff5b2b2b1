"""Tools whose output is read, one file each."""
