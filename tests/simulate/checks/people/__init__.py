"""What must be true about people: who may do what, and what becomes known of them."""
