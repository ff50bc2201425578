"""What must be true of games: their phases, deadlines, votes and ends."""
