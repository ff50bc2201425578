"""Commands that show something and change nothing."""
