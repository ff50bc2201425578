"""Fixtures for every room: the cast."""

pytest_plugins = ["tests.cast"]
