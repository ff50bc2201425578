"""The server's health, for operators, monitors and load balancers, from the database alone.

`signs.take` reads the figures, `findings.judge` says which of them are bad. The pages /healthz and
/metrics, `manage.py status`, `tick`'s exit code and the dead man's ping all follow from these two,
so that they never say different things.
"""
