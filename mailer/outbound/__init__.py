"""The way out: mails composed, queued, and sent once each."""
