"""Who gets in at the admin's door: throttle, lost passwords, and where a request comes from."""
