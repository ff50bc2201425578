"""What a moderator can do about a player: one act in one module each."""
