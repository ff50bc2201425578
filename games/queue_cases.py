"""The cases of the moderators' queue: what is known of each, what is suggested, and the acts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from django.contrib.auth.models import User
from django.urls import reverse

from games.acts.players.erase import ASKED
from games.bans import barred
from games.models import Conduct, Game, Player, Seat
from games.queries import roles
from games.queries.moderation import ForModerators, OpenPower, Overdue
from games.queries.staff_names import staff_name
from games.queries.suggestions import about_unreached_gm, is_trusted
from games.queries.unreached import Unreachable
from games.queries.unreached_gms import UnreachedGM
from games.queries.wording import listed, moment
from games.queue_parts import Case, Link, about_player, on_game
from games.services.erasing import WISH

GAMES_OFFERED = 3
"""A case has buttons for this many of a GM's games; more would hide the others."""


def cases_for(user: User, found: ForModerators, now: dt.datetime) -> Iterator[Case]:
    """Make a case of all that needs a moderator, with the acts that this one may do."""
    viewer = _Viewer(user, now)
    yield from (viewer.of_game(_power(row), row.power.game) for row in found.powers)
    yield from (viewer.of_game(_still(row, viewer), row.game) for row in found.overdue)
    for row in found.unreachable:
        yield viewer.of_player(_unreached(row, viewer), row.player)
    for gm in found.gms:
        yield viewer.of_games(_unreached_gm(gm, viewer), gm.games)
    for asked in found.requests:
        case = viewer.of_player(_question(asked, now), asked.player)
        yield replace(case, facts=()) if case.closed else case


class _Viewer:
    """A moderator, with the games that they play in and the people with whom they play."""

    def __init__(self, user: User, now: dt.datetime) -> None:
        self.user, self.now = user, now
        self.games = frozenset(roles.games_played(user).values_list("pk", flat=True))
        self.fellows = frozenset(roles.fellows(user).values_list("pk", flat=True))

    def of_game(self, case: Case, game: Game) -> Case:
        """The case as they may see it: in a game that they play in, without what is not for
        them."""
        if game.pk not in self.games:
            return case
        refused = partial(roles.refusal, self.user, game, now=self.now, plays=True)
        acts = tuple(link for link in case.acts if link.game and not refused(link.act))
        return replace(case, acts=acts) if acts else _closed(case, refused("replace"))

    def of_games(self, case: Case, games: Sequence[Game]) -> Case:
        """The same of a case about several games, with no act where they play."""
        return case if case.acts else self.of_game(case, games[0])

    def of_player(self, case: Case, player: Player) -> Case:
        """The same of a case about a player: nothing about somebody with whom they play."""
        if player.pk not in self.fellows:
            return case
        return _closed(case, roles.refusal_about(self.user, player))

    def may_write(self, player: Player | None) -> bool:
        return player is not None and player.pk not in self.fellows


def _closed(case: Case, why: str) -> Case:
    """The case for somebody who may do nothing about it."""
    return replace(case, suggestion=why, acts=(), closed=True)


def _power(row: OpenPower) -> Case:
    power, game, player = row.power, row.power.game, row.player
    name = f"{power.name} in {game.name}"
    facts = ["civil disorder" if row.disorder else "open seat"]
    if player:
        facts.append(f"{player.name}{'' if row.seat_open else ' (gone)'}")
    if row.missed:
        facts.append(f"missed {row.missed} in a row")
    if row.found:
        facts.append(_reliability(row.found.percent))
    if row.players > 1:
        facts.append(f"{row.players} players so far")
    if row.lost > 1:
        facts.append(f"{row.lost} powers there have no player")
    facts.append(_next_deadline(game, row.due_at))
    return Case(
        f"power/{power.pk}",
        "Power without a player",
        name,
        reverse("admin:games_game_change", args=[game.pk]),
        row.since,
        tuple(facts),
        row.suggestion,
        tuple(_acts_for(row, name)),
        player,
    )


def _next_deadline(game: Game, due_at: dt.datetime | None) -> str:
    if game.status == Game.Status.PAUSED:
        return "the game is paused"
    return f"deadline {moment(due_at)} UTC" if due_at else "no deadline"


def _acts_for(row: OpenPower, name: str) -> Iterator[Link]:
    """What can be done, in the order of what is suggested."""
    power, game, player = row.power, row.power.game, row.player
    person = None if player is None or player.erased_at else player
    asked = person and row.reached and not person.banned_at
    write = [about_player(person, "write", "Write to the player")] if person and asked else []
    asks_first = row.seat_open and (row.offers or (not row.fitting and is_trusted(row.found)))
    if asks_first:
        yield from write
    if row.fitting:
        yield on_game(game, "offer", "Offer the seat", name, power=power.name)
    yield on_game(game, "replace", "Seat a player", name, power=power.name)
    if not asks_first:
        yield from write
    if row.seat_open and row.missed:
        yield on_game(game, "excuse", "Excuse a miss", name)
    if person:
        yield about_player(person, "note", "Note")


def _still(row: Overdue, viewer: _Viewer) -> Case:
    game = row.game
    gm = f"GM: {staff_name(game.gm)}" if game.gm else "no GM"
    return Case(
        f"game/{game.pk}",
        "Game that stands still",
        game.name,
        reverse("admin:games_game_change", args=[game.pk]),
        row.since,
        (row.title, _waits(row), gm, *(["mails to the GM do not arrive"] if row.gm_fails else [])),
        row.suggestion,
        tuple(_acts_for_still(row, viewer)),
    )


def _waits(row: Overdue) -> str:
    if row.abandoned:
        return "paused · nobody plays it any more"
    if row.paused or row.stuck:
        return "paused" if row.paused else "stuck"
    return f"waits for {listed(row.powers)}" if row.powers else "all orders are in"


def _acts_for_still(row: Overdue, viewer: _Viewer) -> Iterator[Link]:
    """What can be done, in the order of what is suggested."""
    game = row.game
    if row.gm and viewer.may_write(row.gm) and not row.stuck and _asks_gm(row):
        yield about_player(row.gm, "write", "Write to the GM")
    names = [("write", "Write to the players")]
    if row.abandoned:
        names = [*names, ("replace", "Seat a player"), ("resume", "Resume")]
    elif row.paused:
        names = [*names, ("resume", "Resume")] if not game.gm else [("resume", "Resume"), *names]
    elif row.stuck:
        names = [*names, ("extend", "Extend")]
    else:
        names = [("remind", "Remind the missing"), ("extend", "Extend"), *names]
        names += [("vacate", "Open a seat")]
        if row.powers and game.when_missing == Game.WhenMissing.WAIT:
            names = [("replace", "Seat a player"), *names]
    if roles.is_operator(viewer.user) and not row.stuck and _asks_gm(row):
        names += [("end", "End the game") if row.abandoned else ("add_co_gm", "Add a co-GM")]
    yield from (on_game(game, act, words, game.name) for act, words in names)


def _asks_gm(row: Overdue) -> bool:
    """Whether it is for the GM to say how the game goes on."""
    return row.paused or row.game.when_missing != Game.WhenMissing.WAIT


def _unreached(row: Unreachable, viewer: _Viewer) -> Case:
    player = row.player
    seats = [_seat_named(seat) for seat in row.seats]
    failure = f"{row.email}: {row.failure[:120]}" if row.failure else row.email
    due = f"next deadline {moment(row.due_at)} UTC" if row.due_at else "no deadline ahead"
    return Case(
        f"player/{player.pk}",
        "Player our mails do not reach",
        player.name,
        reverse("admin:games_player_change", args=[player.pk]),
        row.since,
        (
            failure,
            f"plays {listed(seats)}",
            due,
            _reliability(row.found.percent),
        ),
        row.suggestion,
        tuple(_acts_for_unreached(row, viewer)),
        player,
    )


def _acts_for_unreached(row: Unreachable, viewer: _Viewer) -> Iterator[Link]:
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


def _unreached_gm(row: UnreachedGM, viewer: _Viewer) -> Case:
    names = [game.name for game in row.games]
    return Case(
        f"gm/{row.user.pk}",
        "GM our mails do not reach",
        staff_name(row.user),
        reverse("admin:games_game_change", args=[row.games[0].pk]),
        row.since,
        (
            row.failure[:120] or "no reason was given",
            f"no other GM of {listed(names)} can be reached",
        ),
        about_unreached_gm(asks=viewer.may_write(row.account)),
        tuple(_acts_for_gm(row, viewer)),
    )


def _acts_for_gm(row: UnreachedGM, viewer: _Viewer) -> Iterator[Link]:
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
    return on_game(seat.power.game, act, words, _seat_named(seat), **query)


def _seat_named(seat: Seat) -> str:
    return f"{seat.power.name} in {seat.power.game.name}"


_QUESTIONS = {
    Conduct.Kind.ASKED: "Player who asked",
    Conduct.Kind.COMPLAINED: "Mail called spam",
    Conduct.Kind.ALIKE: "Newcomer like somebody who may not play",
}


def _question(row: Conduct, now: dt.datetime) -> Case:
    return Case(
        f"asked/{row.pk}",
        _QUESTIONS[Conduct.Kind(row.kind)],
        row.player.name,
        reverse("admin:games_player_change", args=[row.player.pk]),
        row.at,
        (*_sanction(row.player, now), row.why),
        "",
        (
            *_likely(row),
            about_player(row.player, "answer", "Answer", entry=str(row.pk)),
            *(
                [about_player(row.player, "lift", "Let play again")]
                if _sanction(row.player, now)
                else []
            ),
            about_player(row.player, "note", "Note"),
        ),
        row.player,
    )


def _sanction(player: Player, now: dt.datetime) -> list[str]:
    """What keeps the writer from playing, since their letter may be an appeal."""
    if not barred(player, now=now):
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


def _reliability(percent: int) -> str:
    return f"reliability {percent}%"
