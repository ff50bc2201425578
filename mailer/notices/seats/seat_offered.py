"""Open seats were offered to people on the standby list: we tell each of them and nobody else.

Seats of a game that open together make one mail: the last of these events sends it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import replace

from games.events import SeatOffered
from games.models import Event, Game, Offer, Player
from games.queries.access.audience import Audience, is_foggy, shows_board
from games.queries.lookup import open_phase
from games.queries.phases import centers
from games.queries.players.seats import open_seats
from games.queries.reports.timetable import pace
from games.queries.reports.what_game import played_as
from games.queries.reports.wording import listed, local_moment
from mailer.notices.notice import Notice
from mailer.notices.parts import sections
from mailer.notices.recipients.to_player import to_player
from mailer.notices.start.game_started import board_of
from mailer.outbound import addresses, layout
from mailer.outbound.buttons import Button
from mailer.text import MARKER, PAUSED


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """The offer, for everybody who has not yet had an answer to it."""
    together = event.game.events.filter(kind=SeatOffered.kind, created_at=event.created_at)
    if together.filter(number__gt=event.number).exists():
        return
    made = Offer.objects.filter(power__game=event.game, made_at=event.created_at, end="")
    by_player: dict[Player, list[Offer]] = {}
    for offer in made.select_related("player", "power__game").order_by("pk"):
        by_player.setdefault(offer.player, []).append(offer)
    for player, offers in by_player.items():
        yield from _offer_notices(event, player, offers, now)


def _offer_notices(
    event: Event, player: Player, offers: Sequence[Offer], now: dt.datetime
) -> list[Notice]:
    """One mail about all of them; if there is only one, YES is enough to take it."""
    record = player.record
    open_now = {one.power: one for one in open_seats(event.game)}
    fits = sorted((one for one in offers if one.power.name in open_now), key=_name)
    if record is None or not fits:
        return []
    seen = shows_board(event.game, Audience.EVERYBODY)
    first, seats = fits[0], [open_now[one.power.name] for one in fits]
    several = seats if len(seats) > 1 else []
    seat, zone = seats[0], player.timezone
    body = layout.render(
        "seat_offered",
        marker=MARKER,
        name=player.name,
        seat=seat,
        seats=several,
        due_at=local_moment(seat.due_at, zone) if seat.due_at and not seat.waits else "",
        paused=PAUSED if seat.paused else "",
        until=local_moment(first.expires_at, zone),
        about=_about(event.game),
        fog=is_foggy(event.game),
        board=_board(event.game, [one.power for one in seats]) if seen else (),
    )
    notices = to_player(
        event,
        player,
        subject=f"Would you play {listed([one.power for one in seats], 'or')}?",
        body=body,
        reply_to=addresses.offer_address(address=record, offer=first, now=now),
    )
    pictured = board_of(open_phase(event.game), None) if seen else None
    choices = [Button(f"Play {one.power}", f"TAKEOVER {one.game} {one.power}") for one in several]
    return [replace(one, buttons=choices, pictured=pictured) for one in notices]


def _board(game: Game, offered: Sequence[str]) -> list[list[str]]:
    return sections.board(centers.possessions(game), first=offered)


def _about(game: Game) -> str:
    """What the game is like, in LIST's words for a game looking for players."""
    return f"{' '.join(played_as(game))} {pace(game)} RULES {game.name} says more."


def _name(offer: Offer) -> str:
    return offer.power.name
