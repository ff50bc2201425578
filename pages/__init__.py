"""The public pages: games, phases and players, for everybody, without a sign-in. They only read.

They show what everybody may know (`games.queries.access.audience`), whoever asks. Whatever else a
player, a GM or a moderator may see comes by mail or is in the admin.
"""
