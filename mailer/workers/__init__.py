"""How the processes that do the jobs share a machine: when each works, for how long, and whether
it may begin at all."""
