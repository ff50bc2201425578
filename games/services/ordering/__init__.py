"""The orders of a phase, and whether a power has any."""
