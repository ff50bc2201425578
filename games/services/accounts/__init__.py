"""Players and their accounts: names, addresses, absences, and how somebody leaves."""
