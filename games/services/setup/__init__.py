"""Games and their settings, before and around the play."""
