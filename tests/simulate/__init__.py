"""`make simulate`: years of play in seconds, in one process, with everything going wrong.

A simulated clock, mailbox, relay and broker stand where the real ones do (`machinery`); players
and staff write and forget (`players`, `staff`); after every step everything that was promised is
checked (`checks`). One number, the seed, decides everything: the same seed gives the same bytes.
`plants` has faults that must be found.
"""
