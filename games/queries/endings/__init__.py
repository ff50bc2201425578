"""How games end, and the votes on it."""
