"""Who plays which power: joining, leaving, open seats and the standby list."""
