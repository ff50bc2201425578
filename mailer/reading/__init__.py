"""The steps from the bytes of a mail to the lines that its writer wrote. All of them are pure.

headers (who, to whom) · machine (did a program write it) · mime (which parts are text) ·
html (HTML as text) · clean (characters) · quotes (whose lines are these). `mailer.letter` walks
through them in this order. Every step takes time linear in the size of the mail.

The words that show what a line is stand in phrases (what mail programs write), courtesies (what
people write out of politeness), doubts (what takes orders back) and speech (what makes a line a
sentence), in rows that `patterns` puts together.
"""
