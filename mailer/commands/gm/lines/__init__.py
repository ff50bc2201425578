"""How a game master's lines are read: what stands behind a command, and what is no command."""
