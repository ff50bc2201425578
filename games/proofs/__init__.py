"""What lets players prove what happened: digests, seals, signed receipts.

How they are checked stands in `games.queries.checking`. Nothing in either needs Django, a database
or a network: `python -m games.verify` runs on any machine that has the source and Python. What it
proves, and what not, stands in docs/proofs.md.
"""
