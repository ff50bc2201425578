"""Our answers to mails: what became of them, and what we ask before we do anything."""
