"""`make simulate`: years of play in seconds, in one process, with everything going wrong.

A simulated clock, mailbox, relay and broker stand where the real ones do (`clock`, `post`,
`process`); players, a game master and an operator write and forget (`people`); after every step all
that was promised is checked (`promises`). One number, the seed, decides everything: the same seed
gives the same bytes. `planted` has faults that must be found.
"""
