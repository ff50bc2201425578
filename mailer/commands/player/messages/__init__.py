"""Commands that carry words to other people, and the player's own diary."""
