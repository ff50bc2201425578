"""What must be true of mails: what they say, to whom, and what they keep secret."""
