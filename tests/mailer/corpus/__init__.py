"""Whole mails as people write them, with what a fair game master would take from each."""
