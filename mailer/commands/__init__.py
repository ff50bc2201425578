"""What people write in mails to have something done."""
