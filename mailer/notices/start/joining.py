"""Who may join: we ask the GM, tell the player the answer, and tell people who are invited how to
join."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from games.events import JoinAsked, JoinRefused, PlayersInvited
from games.models import Event, Game, Player
from games.queries.access.disclosure import attendance_told
from games.queries.access.roles import masters
from games.queries.parsing.preferences import example_list
from games.queries.players.attendance import reliability
from games.queries.players.places import invited_to, wishes_to_join
from games.queries.players.reliability import reliability_text
from games.queries.players.seats import power_names
from games.queries.reports.timetable import timetable
from games.queries.reports.what_game import before_joining, played_as, starts
from games.queries.reports.wording import listed, local_moment
from mailer.notices.news import News
from mailer.notices.notice import Notice, to_gm
from mailer.notices.recipients.to_player import those_with_a_place, to_player
from mailer.outbound.buttons import Button
from mailer.text import MARKER

ASKED = News("{name} asks to join")
UNANSWERED = News("{who} to be let in")
REFUSED = News("{why}")
INVITED = News("You are invited", template=PlayersInvited.kind)
RENAMED = News("The game {before} is called {to} now")
MOST_WITH_BUTTONS = 4
LET_IN = News("You have a place", template=PlayersInvited.kind)


def tell_asked(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """Tell the GM who would like to play, and how reliable they are.

    Not if they have their answer, or no longer want one.
    """
    player = Player.objects.get(pk=JoinAsked.of(event).player)
    if all(player != one for one, _ in wishes_to_join(event.game)):
        return []
    told = attendance_told(masters(event.game, now))
    found = reliability(player, now=now, known=told)
    known = reliability_text(found) if found.is_known else ""
    body = ASKED.body(event, event.game.timezone, name=player.name, reliability=known)
    subject = ASKED.subject(event, name=player.name)
    return _with_answers(to_gm(event, subject=subject, body=body), [player.name])


def remind_unanswered(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """Remind the GM of everybody who waits to be let in, and of what to reply.

    Not if all have their answer, or the game lets nobody in any more.
    """
    game = event.game
    waiting = wishes_to_join(game) if game.status == Game.Status.FORMING else []
    if not waiting:
        return []
    wishes = [(player.name, local_moment(row.at, game.timezone)) for player, row in waiting]
    body = UNANSWERED.body(event, game.timezone, wishes=wishes)
    names = [name for name, _ in wishes]
    who = f"{listed(names)} still {'waits' if len(names) == 1 else 'wait'}"
    subject = UNANSWERED.subject(event, who=who)
    return _with_answers(to_gm(event, subject=subject, body=body), names)


def tell_renamed(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """Tell the GM, those who have a place, and those who are invited or ask for one, since the line
    with which they join has a new name in it."""
    game, subject = event.game, RENAMED.subject(event)
    yield from those_with_a_place(event, RENAMED, now)
    for player in invited_to(game):
        body = RENAMED.body(event, player.timezone, marker=MARKER, invited=True)
        for one in to_player(event, player, subject=subject, body=body):
            yield replace(one, buttons=[Button("Take a seat", f"JOIN {game.name}")])
    for player, _ in wishes_to_join(game):
        body = RENAMED.body(event, player.timezone, marker=MARKER, asks=True)
        yield from to_player(event, player, subject=subject, body=body)


def _with_answers(notices: Iterable[Notice], names: Sequence[str]) -> Iterator[Notice]:
    """Add the answers about these players to each mail, but none if there are many: there would be
    more buttons than text."""
    buttons = [
        Button(label, f"{command} {name}")
        for name in names[:MOST_WITH_BUTTONS]
        for label, command in ((f"Let {name} in", "APPROVE"), (f"Do not let {name} in", "REFUSE"))
    ]
    for one in notices:
        yield replace(one, buttons=buttons if len(names) <= MOST_WITH_BUTTONS else ())


def tell_refused(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """Tell the player that the GM has said no."""
    facts = JoinRefused.of(event)
    player = Player.objects.get(pk=facts.player)
    never = event.game.status == Game.Status.FINISHED and event.game.started_at is None
    body = REFUSED.body(event, player.timezone, marker=MARKER, never_played=never)
    passed = "The game will not be played" if never else "The game has started without you"
    subject = REFUSED.subject(event, why="You cannot join this game" if facts.by else passed)
    return to_player(event, player, subject=subject, body=body)


def tell_invited(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """Tell people who are invited, or let in, how things stand.

    Nothing of a place in a game that has started meanwhile, since the start mail says that.
    """
    game = event.game
    about = [" ".join(played_as(game)), *timetable(game), *before_joining(game)]
    example = example_list(power_names(game))
    for player in Player.objects.filter(pk__in=PlayersInvited.of(event).players).order_by("pk"):
        has_place = game.applications.filter(player=player, withdrawn_at=None).exists()
        if has_place and game.started_at is not None:
            continue
        said = {"marker": MARKER, "has_place": has_place, "about": about, "example": example}
        when = " ".join(starts(game, player.timezone))
        news = LET_IN if has_place else INVITED
        body = news.body(event, player.timezone, **said, starts=when)
        answers = [] if has_place else [Button("Take a seat", f"JOIN {game.name}")]
        for one in to_player(event, player, subject=news.subject(event), body=body):
            yield replace(one, buttons=answers)
