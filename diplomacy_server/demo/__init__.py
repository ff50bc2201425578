"""The demo of `make run`: its games, its scripted players, and the page that shows all mail.

None of it works, or is even reachable, without the setting DEMO, which the system checks refuse on
anything but this machine's own loopback address.
"""
