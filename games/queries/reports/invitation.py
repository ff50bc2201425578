"""The text that invites people to a game. Its GM copies it, and CREATE mails it to its maker."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings

from games.queries.reports.timetable import timetable
from games.queries.reports.what_game import before_joining, played_as

if TYPE_CHECKING:
    from games.queries.players.places import GameWithPlaces


def invitation(game: GameWithPlaces) -> str:
    """Return the text with which a game `with_places` asks people to join, ready to copy.

    No line begins like a command, since an answer to CREATE's mail sends the text back. Nor is a
    line so long that a mail would break it: half a command does nothing.
    """
    the_map, *others = played_as(game)
    free = game.places - game.taken
    seats = f"{free} of {game.places} seats {'is' if free == 1 else 'are'} still free."
    return "\n".join(
        [
            f"Play Diplomacy by e-mail: the game {game.name}",
            "",
            f"{the_map} {seats}",
            *others,
            *timetable(game),
            *before_joining(game),
            "",
            f"To join, send a mail with two lines to {settings.JUDGE_ADDRESS}",
            "",
            "   Line 1: REGISTER your name",
            f"   Line 2: JOIN {game.name}{f' {game.code}' if game.code else ''}",
            "",
            "A mail asks whether the address is yours. Answer it with YES, and both are done.",
            "If you already play here, line 2 is enough.",
            "From then on, all you do is answer mails.",
            f"More about the game: {settings.SITE_URL}/games/{game.name}/",
        ]
    )
