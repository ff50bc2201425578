"""Every read of games, for mails, pages and commands: they change nothing and lock nothing."""
