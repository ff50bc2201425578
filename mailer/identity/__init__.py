"""From a letter to its sender: who wrote a mail, and how sure that is."""
