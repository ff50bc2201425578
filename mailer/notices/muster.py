"""All seats are taken: we ask the players whether they are here, and those who are silent once
more.

The GM is told of the first question and of its outcome (see `muster_failed`).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from games.events import Mustering
from games.models import Event, Game
from games.queries.musters import silent_players
from mailer.notices.notice import Notice, to_gm
from mailer.notices.to_player import to_player
from mailer.outbound import addresses, layout
from mailer.text import MARKER, counted, local_moment, time_left


def begun(event: Event, now: dt.datetime) -> Iterator[Notice]:
    """The question to everybody who has not answered yet, and word for the GM."""
    yield from _questions(event, now, again=False)
    silent = silent_players(event.game)
    body = layout.render(
        "muster_gm",
        game=event.game,
        until=local_moment(_until(event), event.game.timezone),
        silent=counted(len(silent), "player has", "players have"),
    )
    yield from to_gm(event, subject="All seats are taken, the players are asked", body=body)


def reminded(event: Event, now: dt.datetime) -> Iterator[Notice]:
    """The question once more, half-way through, unless the muster is already over."""
    if event.game.status == Game.Status.MUSTER and _until(event) > now:
        yield from _questions(event, now, again=True)


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
