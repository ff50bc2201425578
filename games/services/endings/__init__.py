"""How a game ends: by rule, by vote, or because nobody is left."""
