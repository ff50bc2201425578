"""How a line of a mail is read: which command it is, and what belongs to it."""
