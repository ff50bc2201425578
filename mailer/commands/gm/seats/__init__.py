"""Commands about who plays, and about the orders of a power."""
