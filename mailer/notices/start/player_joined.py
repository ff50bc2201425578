"""A player joined a game still looking for players: we tell the GM (the player has a receipt).

One mail names everybody who joined since the GM last heard, so that a large game that fills within
minutes does not bring dozens; players who have left again are not named. A GM who let somebody in
has an answer that says so, and gets no mail; we tell others who run the game at once. Players whom
the GM seated also read which power is theirs, and how to give it back. Their seat may have been the
last, so that the game has started before they read it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence

from games.events import GameStarted, PlayerJoined
from games.models import Event, Game, Player
from games.models.prepared import Given, Query
from games.queries.players.seats import BEFORE_START, seats_free
from games.queries.reports.what_game import starts, when_full
from games.queries.reports.wording import listed
from mailer.models import OutboundMail
from mailer.notices.notice import Notice, gm_key, to_gm
from mailer.notices.recipients.to_player import to_player
from mailer.outbound import layout
from mailer.text import MARKER


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """A mail for the GM, and for the player if somebody else gave them the place."""
    joined = PlayerJoined.of(event)
    player = _PLAYER.get(player=joined.player)
    yield from _word_for_gm(event)
    if joined.power and player.pk not in _players_gone(event.game):
        game, started = event.game.name, event.game.started_at is not None
        said = {**dict(joined.said()), "game": game, "started": started, "marker": MARKER}
        said["starts"] = " ".join(starts(event.game, player.timezone))
        body = layout.render("seat_given", **said)
        subject = f"You {'play' if started else 'will play'} {joined.power}"
        yield from to_player(event, player, subject=subject, body=body)


def _word_for_gm(event: Event) -> Iterable[Notice]:
    """The mail about everybody who joined since the last such mail.

    None if a later event tells of them, or has told, or if the start mail will name everybody who
    plays.
    """
    if _STARTS.all(game=event.game_id):
        return []
    if PlayerJoined.of(event).let_in_by:
        return _mail_for_gm(event, [PlayerJoined.of(event)])
    joins = _JOINS.all(game=event.game_id)
    unasked = [one for one in joins if not PlayerJoined.of(one).let_in_by]
    mailed, since = _keys_mailed(unasked), []
    for one in unasked:
        if one.number > event.number:
            if one.told_at is None or gm_key(one) in mailed:
                return []
        elif one != event and gm_key(one) in mailed:
            break
        else:
            since.append(PlayerJoined.of(one))
    return _mail_for_gm(event, since)


_PLAYER = Query(lambda: Player.objects.filter(pk=Given("player")))
_STARTS = Query(
    lambda: Event.objects.filter(game=Given("game"), kind=GameStarted.kind, told_at=None)[:1]
)
_JOINS = Query(
    lambda: Event.objects.filter(game=Given("game"), kind=PlayerJoined.kind).order_by("-number")
)


def _mail_for_gm(event: Event, joined: Sequence[PlayerJoined]) -> Iterable[Notice]:
    """Tell of these, the last first, but not the GM who let the only one in."""
    game, left = event.game, _players_gone(event.game)
    keys = [one.player for one in reversed(joined) if one.player not in left]
    names = dict(Player.objects.filter(pk__in=keys).values_list("pk", "name"))
    who = [names[key] for key in dict.fromkeys(keys)]
    if not who:
        return []
    free = seats_free(game) if game.status in BEFORE_START else 0
    said = {"game": game, "who": listed(who), "several": len(who) > 1, "free": free}
    said["follows"] = when_full(game) if game.started_at is None else "the game starts now"
    body = layout.render("player_joined", **said)
    subject = f"{who[0]} has joined" if len(who) == 1 else f"{len(who)} players have joined"
    return to_gm(event, subject=subject, body=body, but=joined[0].let_in_by)


def _players_gone(game: Game) -> set[int]:
    """The keys of those who had a place before the start and have lost it."""
    gone = game.applications.exclude(withdrawn_at=None)
    return set(gone.values_list("player", flat=True))


def _keys_mailed(joins: Iterable[Event]) -> frozenset[str]:
    """The keys of the mails that told the GM of one of these."""
    keys = [gm_key(one) for one in joins]
    found = OutboundMail.objects.filter(key__in=keys)
    return frozenset(found.values_list("key", flat=True))
