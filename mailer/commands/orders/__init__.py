"""Which of the order lines in a mail count, and why the others are not followed."""
