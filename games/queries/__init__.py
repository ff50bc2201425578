"""Every read of games, for mails, pages and commands. They change nothing and lock nothing."""
