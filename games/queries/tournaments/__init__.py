"""Tournaments: their rounds, who plays in which game, and the table of points."""
