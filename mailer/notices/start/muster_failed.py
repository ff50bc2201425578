"""A muster ended without everybody: the silent players have lost their seats, the others go on
waiting."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence

from games.events import MusterFailed
from games.models import Event, Player
from games.queries.players.places import wishes_to_join
from games.queries.reports.wording import counted, listed
from mailer.notices.notice import Notice, to_gm
from mailer.notices.recipients.to_player import to_player
from mailer.outbound import layout
from mailer.text import MARKER


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """The mails for players who lost their seats, then for those who stay, then for the GM."""
    failed = MusterFailed.of(event)
    subject = "You have lost your seat, but can take it again"
    yield from _to_each(event, failed.silent, "muster_missed", subject)
    yield from _to_each(event, failed.stay, "muster_failed", "The game cannot start yet")
    silent = Player.objects.filter(pk__in=failed.silent).order_by("name")
    lost = listed([player.name for player in silent])
    waiting = listed([player.name for player, _ in wishes_to_join(event.game)])
    body = layout.render("muster_failed", **_context(event), gm=True, lost=lost, waiting=waiting)
    yield from to_gm(event, subject="The game cannot start yet", body=body)


def _to_each(event: Event, whom: Sequence[int], template: str, subject: str) -> Iterator[Notice]:
    for player in Player.objects.filter(pk__in=whom).order_by("pk"):
        body = layout.render(template, marker=MARKER, name=player.name, **_context(event))
        yield from to_player(event, player, subject=subject, body=body)


def _context(event: Event) -> dict[str, object]:
    failed = MusterFailed.of(event)
    return {
        "game": event.game.name,
        "free": counted(failed.free, "seat is", "seats are"),
        "wanted": counted(failed.free, "more player has", "more players have"),
        "silent": len(failed.silent),
    }
