"""Players, the seats they hold, and how reliable they are."""
