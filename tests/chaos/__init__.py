"""`make chaos`: the whole server as processes, killed at random while seven people play by mail.

Afterwards it is counted whether a mail, an order, a phase or a result was lost, doubled or late.
Everything that happens is drawn from one seed; when it happens depends on the machine as well.
"""
