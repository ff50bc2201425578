"""Tells people who no longer take part that a game is over, or that it is not over after all."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Q

from games.models import Event, Player
from games.queries import lookup
from games.services.seating.observers import observers_of
from mailer.notices.notice import Notice, about
from mailer.outbound import threads
from mailer.outbound.tokens import ForAddress


def to_earlier_players(event: Event, *, subject: str, body: str) -> Iterator[Notice]:
    """The mails for people who took part earlier, and neither hold a seat now nor observe the game.

    They once had a seat, or have a place before the start, or made a game that nobody runs and that
    never started.
    """
    playing = {seat.player_id for seat in lookup.seats_of(event.game)}
    watching = {one.player_id for one in observers_of(event.game)}
    earlier = Player.objects.filter(seats__power__game=event.game)
    if event.game.started_at is None:
        joined = event.game.applications.filter(withdrawn_at=None)
        maker = None if event.game.gm_id else event.game.maker_id
        earlier = Player.objects.filter(Q(pk__in=joined.values("player")) | Q(pk=maker))
    players = list(earlier.distinct().order_by("pk").exclude(pk__in=playing | watching))
    roots = threads.newest(event.game, players)
    for player in players:
        if address := player.record:
            yield Notice(
                key=f"{event.kind}/{event.pk}/player/{player.pk}",
                recipient=address.email,
                subject=about(event.game, subject),
                body=body,
                player=player,
                reply_to=ForAddress(address),
                references=roots.get(player.pk, threads.NO_ROOT).message_id,
            )
