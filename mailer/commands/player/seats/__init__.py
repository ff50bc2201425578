"""Commands to take a seat, give it back, or follow a game without one."""
