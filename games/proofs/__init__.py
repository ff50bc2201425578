"""What lets players prove what happened: digests, seals, signed receipts, and how to check them.

Nothing in here needs Django, a database or a network: `python -m games.verify` runs on any machine
that has the source and Python. What it proves, and what not, stands in docs/proofs.md.
"""
