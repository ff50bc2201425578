"""Commands about when a phase is processed."""
