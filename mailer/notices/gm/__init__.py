"""Notices about who runs a game, and about what they change in it."""
