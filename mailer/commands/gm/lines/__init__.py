"""Reads a game master's lines: the words behind a command, and lines that are no command."""
