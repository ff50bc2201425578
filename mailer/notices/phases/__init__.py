"""Notices about orders that are due, what came of them, and the end of the game."""
