"""Notices about orders that are due, what came of them, and how the game ended."""
