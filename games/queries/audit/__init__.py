"""What anybody can check afterwards: seals, signed receipts, and the log of a game."""
