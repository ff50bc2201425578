"""All seats are taken: we ask the players whether they are here, and ask the silent ones once more.

The GM hears of the first question, of a new end, and of the outcome (see `muster_failed`).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator

from games.events import Mustering, MusterReminded
from games.models import Event, Game
from games.queries.phases.musters import silent_players
from games.queries.reports.wording import counted, local_moment, time_left
from mailer.notices.notice import Notice, to_gm
from mailer.notices.recipients.to_player import to_player
from mailer.outbound import addresses, layout
from mailer.text import MARKER


def ask_all(event: Event, now: dt.datetime) -> Iterator[Notice]:
    """The question for everybody who has not answered yet, and a mail for the GM."""
    yield from _questions(event, now, again=False)
    yield from _to_gm(event, "All seats are taken, the players are asked")


def ask_again(event: Event, now: dt.datetime) -> Iterator[Notice]:
    """The question once more, halfway through, unless the muster is already over."""
    if event.game.status == Game.Status.MUSTER and _until(event) > now:
        yield from _questions(event, now, again=True)
        if MusterReminded.of(event).why:
            yield from _to_gm(
                event, "The players have more time to say that they are here", more_time=True
            )


def _to_gm(event: Event, subject: str, *, more_time: bool = False) -> Iterable[Notice]:
    """What happens and until when; with `more_time` the end is later than the GM last read."""
    silent = silent_players(event.game)
    body = layout.render(
        "muster_gm",
        game=event.game,
        more_time=more_time,
        until=local_moment(_until(event), event.game.timezone),
        silent=counted(len(silent), "player has", "players have"),
    )
    return to_gm(event, subject=subject, body=body)


def _questions(event: Event, now: dt.datetime, *, again: bool) -> Iterator[Notice]:
    """The question to each player who has sent nothing; `again` in a reminder."""
    game = event.game
    left = time_left(_until(event), now)
    for player in silent_players(game):
        record = player.record
        if record is None:
            continue
        body = layout.render(
            "muster",
            marker=MARKER,
            name=player.name,
            game=game.name,
            again=again,
            more_time=again and bool(MusterReminded.of(event).why),
            until=local_moment(_until(event), player.timezone),
            left=left,
        )
        yield from to_player(
            event,
            player,
            subject="Are you here? The game is about to start"
            if not again
            else f"Are you here? {left} left to answer",
            body=body,
            reply_to=addresses.here_address(address=record, game=game, now=now),
        )


def _until(event: Event) -> dt.datetime:
    """When the muster ends."""
    return Mustering.of(event).until
