"""Commands that start, move, stop or end a game."""
