"""Commands about players themselves: their name, their mails, and what we keep about them."""
