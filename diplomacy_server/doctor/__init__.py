"""`manage.py doctor`: what real installations get wrong, tried rather than believed.

Each module looks at one thing and yields lines: it connects, logs in, writes, sends itself a mail.
Nothing that is found is changed, and nothing that it leaves behind is read as a player's mail.
"""
