"""Decides which order lines of a mail count, and why we do not follow the others."""
