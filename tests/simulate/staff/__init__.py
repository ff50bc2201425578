"""Those who run games and the server, and those who pretend to."""
