"""Who may see what, and do what."""
