"""An open seat was offered: each on the standby list to whom it was, and nobody else."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from games.events import SeatOffered
from games.models import Event, Offer
from games.queries import centers
from games.queries.audience import is_foggy
from games.queries.seats import open_seats
from mailer.notices import sections
from mailer.notices.notice import Notice
from mailer.notices.to_player import to_player
from mailer.outbound import addresses, layout
from mailer.text import MARKER, PAUSED, moment


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """The offer for everybody who has not got an answer to it already."""
    made = Offer.objects.filter(
        power__game=event.game,
        power__name=SeatOffered.of(event).power,
        made_at=event.created_at,
        end="",
    )
    for offer in made.select_related("player", "power__game").order_by("pk"):
        yield from _offer(event, offer, now)


def _offer(event: Event, offer: Offer, now: dt.datetime) -> list[Notice]:
    record = offer.player.record
    seats = open_seats(event.game)
    seat = next((one for one in seats if one.power == offer.power.name), None)
    if record is None or seat is None:
        return []
    zone = offer.player.timezone
    body = layout.render(
        "seat_offered",
        marker=MARKER,
        name=offer.player.name,
        seat=seat,
        due_at=moment(seat.due_at, zone) if seat.due_at and not seat.waits else "",
        paused=PAUSED if seat.paused else "",
        until=moment(offer.expires_at, zone),
        board=() if is_foggy(event.game) else sections.board(centers.standings(event.game, None)),
    )
    return to_player(
        event,
        offer.player,
        subject=f"Would you play {offer.power.name}?",
        body=body,
        now=now,
        reply_to=addresses.offer_address(address=record, offer=offer, now=now),
    )
