"""Settings of a game were changed: everybody who plays or waits to play reads what is new."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from games.events import SettingsChanged
from games.models import Event
from games.queries import lookup
from games.queries.phases.musters import maker_without_place
from games.services.setup.making import THE_MAKER
from mailer.notices.notice import Notice, SeatMail, about, to_gm, to_seats
from mailer.notices.recipients.to_player import to_player
from mailer.outbound import layout
from mailer.text import MARKER, bullets

SUBJECT = "The settings have changed"


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """The mails for everybody; before the start, for those who have joined."""
    phase = lookup.open_phase(event.game)
    body = _body(event, marker=MARKER, phase=phase)
    letters = [SeatMail(seat, SUBJECT, body) for seat in lookup.seats_of(event.game)]
    yield from to_seats(event, letters, phase=phase)
    if event.game.started_at is None:
        yield from _to_applicants(event)
        yield from _to_maker(event)
    yield from to_gm(event, subject=SUBJECT, body=_body(event, phase=phase))


def _to_applicants(event: Event) -> Iterable[Notice]:
    seated = {seat.player_id for seat in lookup.seats_of(event.game)}
    for one in event.game.applications.filter(withdrawn_at=None).select_related("player"):
        if one.player_id not in seated and (address := one.player.address):
            yield Notice(
                key=f"{event.kind}/{event.pk}/player/{one.player_id}",
                recipient=address,
                subject=about(event.game, SUBJECT),
                body=_body(event, marker=MARKER, joined=True),
                player=one.player,
            )


def _to_maker(event: Event) -> Iterable[Notice]:
    """The mail for the player who made the game and looks after it without having joined; none if
    they changed the settings themselves."""
    maker = maker_without_place(event.game)
    if maker and SettingsChanged.of(event).by != THE_MAKER:
        yield from to_player(event, maker, subject=SUBJECT, body=_body(event, marker=MARKER))


def _body(event: Event, **context: object) -> str:
    said = SettingsChanged.of(event)
    return layout.render(
        "settings_changed",
        game=event.game.name,
        changes=bullets(said.changes),
        why=said.why,
        by=said.by,
        **context,
    )
