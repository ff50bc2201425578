"""What people write beside orders, read into plain values: conditions, preferences, audiences."""
