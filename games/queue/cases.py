"""The cases of the moderators' queue, those about games and powers here and those about people in
people.py: what is known of each, what is suggested, and the acts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace

from django.contrib.auth.models import User
from django.urls import reverse

from games.models import Game
from games.queries.access import roles
from games.queries.access.staff_names import staff_name
from games.queries.moderators.moderation import ForModerators, OpenPower
from games.queries.moderators.overdue import Overdue
from games.queries.moderators.suggestions import is_trusted
from games.queries.reports.wording import listed, utc_moment
from games.queue.parts import Case, Link, Viewer, about_player, on_game, reliability_text
from games.queue.people import question, unreached_gm, unreached_player


def cases_for(user: User, found: ForModerators, now: dt.datetime) -> Iterator[Case]:
    """Make a case of all that needs a moderator, with the acts that this one may do."""
    viewer = Viewer(user, now)
    yield from (viewer.of_game(_power(row), row.power.game) for row in found.powers)
    yield from (viewer.of_game(_still(row, viewer), row.game) for row in found.overdue)
    for row in found.unreachable:
        yield viewer.of_player(unreached_player(row, viewer), row.player)
    for gm in found.gms:
        yield viewer.of_games(unreached_gm(gm, viewer), gm.games)
    for asked in found.requests:
        case = viewer.of_player(question(asked, now), asked.player)
        yield replace(case, facts=()) if case.closed else case


def _power(row: OpenPower) -> Case:
    power, game, player = row.power, row.power.game, row.player
    name = f"{power.name} in {game.name}"
    facts = ["civil disorder" if row.disorder else "open seat"]
    if player:
        facts.append(f"{player.name}{'' if row.seat_open else ' (gone)'}")
    if row.missed:
        facts.append(f"missed {row.missed} in a row")
    if row.found:
        facts.append(reliability_text(row.found.percent))
    if row.players > 1:
        facts.append(f"{row.players} players so far")
    if row.lost > 1:
        facts.append(f"{row.lost} powers there have no player")
    facts.append(_next_deadline(game, row.due_at))
    return Case(
        key=f"power/{power.pk}",
        kind="Power without a player",
        title=name,
        url=reverse("admin:games_game_change", args=[game.pk]),
        since=row.since,
        facts=tuple(facts),
        suggestion=row.suggestion,
        acts=tuple(_acts_for(row, name)),
        player=player,
    )


def _next_deadline(game: Game, due_at: dt.datetime | None) -> str:
    if game.status == Game.Status.PAUSED:
        return "the game is paused"
    return f"deadline {utc_moment(due_at)} UTC" if due_at else "no deadline"


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


def _still(row: Overdue, viewer: Viewer) -> Case:
    game = row.game
    gm = f"GM: {staff_name(game.gm)}" if game.gm else "no GM"
    gm_fails = ["mails to the GM do not arrive"] if row.gm_fails else []
    return Case(
        key=f"game/{game.pk}",
        kind="Game that stands still",
        title=game.name,
        url=reverse("admin:games_game_change", args=[game.pk]),
        since=row.since,
        facts=(row.title, _waits(row), gm, *gm_fails),
        suggestion=row.suggestion,
        acts=tuple(_acts_for_still(row, viewer)),
    )


def _waits(row: Overdue) -> str:
    if row.abandoned:
        return "paused · nobody plays it any more"
    if row.paused or row.stuck:
        return "paused" if row.paused else "stuck"
    return f"waits for {listed(row.powers)}" if row.powers else "all orders are in"


def _acts_for_still(row: Overdue, viewer: Viewer) -> Iterator[Link]:
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
