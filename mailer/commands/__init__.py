"""What people write in mails to have something done.

`script.py` reads a letter as calls. `lines` says which command a line is, `orders` which order
lines count; `player` and `gm` have a class for each command, `own_settings` what SET sets. `wishes`
and `advice` are for what is no command, and `texts` has what receipts say.
"""
