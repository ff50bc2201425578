"""What moderators look after: the cases in their queue, and what lies behind each."""
