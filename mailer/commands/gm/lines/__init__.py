"""Reads a game master's lines: the words after a command, and lines that are no command."""
