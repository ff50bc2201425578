"""Mails to people without a seat: newcomers, observers, moderators and earlier players."""
