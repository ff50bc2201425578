"""Those who play, watch or write to the server."""
