"""The server under test, and what stands where its mailbox, relay, workers and machine are."""
