"""What mails and pages say about games, as plain values and as sentences."""
