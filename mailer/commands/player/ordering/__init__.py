"""Commands about a power's own orders."""
