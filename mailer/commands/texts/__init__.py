"""The sentences that commands answer with."""
