"""Notices of a game that looks for players, up to its start."""
