"""What somebody wants whose mail gives no command for it."""
