"""Reads what people write beside orders into plain values: conditions, preferences, audiences."""
