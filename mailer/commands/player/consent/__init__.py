"""A player's yes or no, to our questions and to draws and concessions."""
