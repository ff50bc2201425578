"""What players and game masters write to each other, or to themselves."""
