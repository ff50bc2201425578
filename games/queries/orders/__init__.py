"""The orders of a phase: which count, which are missing, and how they read."""
