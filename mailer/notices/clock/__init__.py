"""Notices of a game that stands still, of a phase that waits, and of halts of the whole server."""
