"""`manage.py doctor`: tries what real installations get wrong, instead of believing it.

Each module looks at one thing and yields lines: it connects, logs in, writes, sends itself a mail.
It changes nothing that it finds, and nothing that it leaves behind is read as a player's mail.
"""
