"""Who may join: the GM is asked, the player has the answer, the invited read how to join."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from games.events import JoinAsked, JoinRefused, PlayersInvited
from games.models import Event, Game, Player
from games.queries.attendance import reliability
from games.queries.board import variant_named
from games.queries.parsing.preferences import example_list
from games.queries.places import wishes_to_join
from games.queries.reliability import reliability_text
from games.queries.seats import power_names
from games.queries.timetable import timetable
from games.settings import agreed
from mailer.notices.news import News
from mailer.notices.notice import Notice, to_gm
from mailer.notices.to_player import to_player
from mailer.text import MARKER, listed, moment

ASKED = News("{name} asks to join")
UNANSWERED = News("{who} to be let in")
REFUSED = News("You cannot join this game")
INVITED = News("You are invited")
LET_IN = News("You have a place", template=PlayersInvited.kind)


def asked(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """Tell the GM who would like to play, and how reliable they have been."""
    player = Player.objects.get(pk=JoinAsked.of(event).player)
    found = reliability(player, now=now)
    known = reliability_text(found) if found.is_known else ""
    body = ASKED.body(event, event.game.timezone, name=player.name, reliability=known)
    return to_gm(event, subject=ASKED.subject(event, name=player.name), body=body)


def unanswered(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """Remind the GM of everybody who waits to be let in, with what to reply, unless all have their
    answer or the game takes nobody by now."""
    game = event.game
    waiting = wishes_to_join(game) if game.status == Game.Status.FORMING else []
    if not waiting:
        return []
    wishes = [(player.name, moment(row.at, game.timezone)) for player, row in waiting]
    body = UNANSWERED.body(event, game.timezone, wishes=wishes)
    names = [name for name, _ in wishes]
    who = f"{listed(names)} still {'waits' if len(names) == 1 else 'wait'}"
    return to_gm(event, subject=UNANSWERED.subject(event, who=who), body=body)


def refused(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """Tell the player."""
    player = Player.objects.get(pk=JoinRefused.of(event).player)
    never = event.game.status == Game.Status.FINISHED and event.game.started_at is None
    body = REFUSED.body(event, player.timezone, marker=MARKER, never_played=never)
    return to_player(event, player, subject=REFUSED.subject(event), body=body, now=now)


def invited(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """Tell those who are invited, unless they have a place meanwhile."""
    game = event.game
    about = [f"The map is {variant_named(game.variant).title}.", *timetable(game), *agreed(game)]
    example = example_list(power_names(game))
    for player in Player.objects.filter(pk__in=PlayersInvited.of(event).players).order_by("pk"):
        has_place = event.game.applications.filter(player=player, withdrawn_at=None).exists()
        said = {"marker": MARKER, "has_place": has_place, "about": about, "example": example}
        news = LET_IN if has_place else INVITED
        body = news.body(event, player.timezone, **said)
        yield from to_player(event, player, subject=news.subject(event), body=body, now=now)
