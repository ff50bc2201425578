"""Games with everything in them that needs a moderator, and what a page of it says."""

from __future__ import annotations

import re

from games.models import Phase
from games.queries.moderators.moderation import ForModerators, for_moderators
from games.services.moderation.conduct import moderators_ask, player_suspend
from games.services.ordering.disorder import disorder_declare
from games.services.seating.seats import seat_resign
from tests.cast import DAY, HOUR, NOBODY, NOW, Cast

DUE = NOW + 3 * DAY
LATER = DUE + HOUR


def resign(cast: Cast, power: str) -> None:
    seat_resign(seat=cast.seat(power), now=NOW)


def lose(cast: Cast, name: str) -> None:
    """Let no mail reach the player any more."""
    record = cast.player(name).addresses.filter(of_record=True)
    record.update(failing_since=NOW, failure="550 No such user")


def everything(cast: Cast) -> ForModerators:
    """Put something of each kind into the queue."""
    disorder_declare(
        game=cast.game, power=cast.seat("Italy").power, why="Silent.", by="mo", now=NOW
    )
    resign(cast, "Turkey")
    lose(cast, "Ana")
    moderators_ask(player=cast.player("Ben"), text="Is Carla Dmitri?", now=NOW)
    Phase.objects.filter(pk=cast.phase.pk).update(overdue_at=NOW)
    player_suspend(player=cast.player("Hugo"), until=DUE, why="Rude.", by="mo", now=NOW)
    return for_moderators(now=NOW + HOUR, viewer=NOBODY)


def plain(page: str) -> str:
    """The text of a page."""
    return " ".join(re.sub(r"<[^>]+>", " ", page).replace("&#x27;", "'").split())
