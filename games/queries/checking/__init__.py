"""Checks whether a game agrees with its log, for a document or the database, without Django."""
