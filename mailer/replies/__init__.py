"""Our answers to mails: what became of them, and questions that we ask before we do anything."""
