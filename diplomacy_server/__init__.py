"""What wires the rooms together; nobody imports it."""
