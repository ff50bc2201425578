"""A phase opened, found due, adjudicated, and undone."""
