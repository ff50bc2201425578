"""Faults put in on purpose, and how to find them."""
