"""What must be true, looked for in the tables and in the mails that went out."""
