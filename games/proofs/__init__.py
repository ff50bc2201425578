"""What lets players prove what happened: digests, seals, signed receipts.

`games.queries.checking` checks them. Nothing in either needs Django, a database or a network:
`python -m games.verify` runs on any machine that has the source and Python. docs/proofs.md says
what it proves, and what it does not.
"""
