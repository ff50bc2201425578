"""The sentences with which commands answer."""
