"""The public pages: games, phases, players, for everybody and without a sign-in; they only read.

They show what everybody may know (`games.queries.audience`), whoever asks: what a player, a GM or a
moderator may see besides comes by mail or stands in the admin.
"""
