"""Commands: what people write in mails to get something done.

`script.py` reads a letter as calls. `lines` says which command a line is, `orders` which order
lines count; `player` and `gm` have a class for each command, `own_settings` what SET sets. `wishes`
and `advice` are for everything that is not a command, and `texts` has what receipts say.
"""
