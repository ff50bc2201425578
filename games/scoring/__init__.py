"""What the end of a game is worth, by the system that the game names."""
