"""The cases of the moderators' queue about people: players and GMs whom our mails do not reach, and
players who asked."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator

from django.urls import reverse

from games.acts.players.erase import ASKED
from games.bans import why_barred
from games.models import Conduct, Player, Seat
from games.queries.access import roles
from games.queries.access.staff_names import staff_name
from games.queries.moderators.suggestions import about_unreached_gm
from games.queries.moderators.unreached import Unreachable
from games.queries.moderators.unreached_gms import UnreachedGM
from games.queries.reports.wording import listed, utc_moment
from games.queue.parts import (
    Case,
    Link,
    Viewer,
    about_player,
    on_game,
    reliability_text,
    seat_named,
)
from games.services.accounts.erasing import WISH

GAMES_OFFERED = 3
"""A case has buttons for this many of a GM's games; more would hide the others."""
_LETTER_ABOUT = re.compile(r"\(Sent in reply to a mail about the game ([\w-]+)\.\)")
"""What stands below a letter that came in reply to a mail about a game."""
_QUESTIONS = {
    Conduct.Kind.ASKED: "Question from a player",
    Conduct.Kind.COMPLAINED: "Mail called spam",
    Conduct.Kind.ALIKE: "Newcomer like somebody who may not play",
}


def unreached_player(row: Unreachable, viewer: Viewer) -> Case:
    """Make the case of a player whom our mails do not reach."""
    player = row.player
    seats = [seat_named(seat) for seat in row.seats]
    failure = f"{row.email}: {row.failure[:120]}" if row.failure else row.email
    due = f"next deadline {utc_moment(row.due_at)} UTC" if row.due_at else "no deadline ahead"
    return Case(
        key=f"player/{player.pk}",
        kind="Player our mails do not reach",
        title=player.name,
        url=reverse("admin:games_player_change", args=[player.pk]),
        since=row.since,
        facts=(failure, f"plays {listed(seats)}", due, reliability_text(row.found.percent)),
        suggestion=row.suggestion,
        acts=tuple(_acts_for_unreached(row, viewer)),
        player=player,
    )


def _acts_for_unreached(row: Unreachable, viewer: Viewer) -> Iterator[Link]:
    """What can be done, in the order of what is suggested."""
    opened = [_on_seat(seat, "vacate", "Open the seat") for seat in row.seats]
    helpful = row.urgent and not row.reached_at
    if row.reached_at:
        yield about_player(row.player, "write", "Write to the player")
    elif helpful:
        if row.due_at and row.due_at > viewer.now:
            yield from (_on_seat(seat, "extend", "Extend") for seat in row.seats)
        yield from opened
    else:
        for gm in filter(viewer.may_write, row.gms):
            yield about_player(gm, "write", "Write to the GM")
    yield about_player(row.player, "note", "Note")
    yield about_player(row.player, "merge", "Merge accounts")
    if not helpful:
        yield from opened


def unreached_gm(row: UnreachedGM, viewer: Viewer) -> Case:
    """Make the case of a GM whom our mails do not reach."""
    names = [game.name for game in row.games]
    failure = row.failure[:120] or "no reason was given"
    return Case(
        key=f"gm/{row.user.pk}",
        kind="GM our mails do not reach",
        title=staff_name(row.user),
        url=reverse("admin:games_game_change", args=[row.games[0].pk]),
        since=row.since,
        facts=(failure, f"no other GM of {listed(names)} can be reached"),
        suggestion=about_unreached_gm(asks=viewer.may_write(row.account)),
        acts=tuple(_acts_for_gm(row, viewer)),
    )


def _acts_for_gm(row: UnreachedGM, viewer: Viewer) -> Iterator[Link]:
    """What can be done, in the order of what is suggested."""
    if row.account and viewer.may_write(row.account):
        yield about_player(row.account, "write", "Write to the GM")
    gm = staff_name(row.user)
    games = [one for one in row.games if one.pk not in viewer.games][:GAMES_OFFERED]
    for game in games:
        yield on_game(game, "write", f"Write to the players of {game.name}", gm)
    if roles.is_operator(viewer.user):
        yield from (on_game(game, "add_co_gm", f"Add a co-GM to {game.name}", gm) for game in games)


def _on_seat(seat: Seat, act: str, words: str) -> Link:
    """An act on a seat's game, about its power where the act asks for one."""
    query = {"power": seat.power.name} if act == "vacate" else {}
    return on_game(seat.power.game, act, words, seat_named(seat), **query)


def question(row: Conduct, now: dt.datetime) -> Case:
    """Make the case of something that a player asked, or that was noted about one."""
    sanction = _sanction(row.player, now)
    lift = [about_player(row.player, "lift", "Let play again")] if sanction else []
    return Case(
        key=f"asked/{row.pk}",
        kind=_QUESTIONS[Conduct.Kind(row.kind)],
        title=row.player.name,
        url=reverse("admin:games_player_change", args=[row.player.pk]),
        since=row.at,
        facts=(*sanction, row.why),
        acts=(
            *_likely(row),
            about_player(row.player, "answer", "Answer", entry=str(row.pk)),
            *lift,
            about_player(row.player, "note", "Note"),
        ),
        player=row.player,
        game="".join(_LETTER_ABOUT.findall(row.why)[-1:]),
    )


def _sanction(player: Player, now: dt.datetime) -> list[str]:
    """What keeps the writer from playing, since their letter may be an appeal."""
    if not why_barred(player, now=now):
        return []
    return ["banned" if player.banned_at else "suspended"]


def _likely(row: Conduct) -> Iterator[Link]:
    """What comes before an answer."""
    if row.kind == Conduct.Kind.COMPLAINED:
        yield about_player(row.player, "pause_mail", "Pause mail")
    elif row.kind == Conduct.Kind.ALIKE:
        yield about_player(row.player, "merge", "Merge accounts")
    elif row.why == WISH:
        yield about_player(row.player, "erase", "Erase", because=ASKED)
