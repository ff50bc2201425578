"""Wires the rooms together; no room imports it."""
