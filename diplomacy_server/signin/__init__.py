"""Who may come in at the admin's door: throttle, lost passwords, and whom a request comes from."""
