"""What moderators and the rest of the staff do, and what is kept of it."""
