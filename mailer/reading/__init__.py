"""The steps from the bytes of a mail to the lines that are its writer's own; all of them pure.

headers (who, to whom) · machine (did a program write it) · mime (which parts are text) ·
html (HTML as text) · clean (characters) · quotes (whose lines are these). `mailer.letter` walks
through them in this order. Every step takes time linear in the size of the mail.

The words by which a line is known stand in phrases (what mail programs write), courtesies (what
people write for the sake of form), doubts (what takes orders back) and speech (what makes a line a
sentence), in rows that `patterns` puts together.
"""
