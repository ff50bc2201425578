"""What people want whose mail gives no command for it."""
