"""Who wrote a mail, and how sure that is: from a letter to a sender."""
