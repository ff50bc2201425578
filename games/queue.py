"""The moderators' queue as their pages show it: one list, the oldest first, each with its acts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.urls import reverse

from games.acts.players.erase import ASKED
from games.models import Care, Conduct, Game, Player
from games.queries import roles
from games.queries.cases import cares, done_lately
from games.queries.moderation import Desk, OpenPower, Overdue, Unreachable, desk
from games.queries.wording import listed, moment
from games.services.erasing import WISH


@dataclass(frozen=True, slots=True)
class Link:
    """An act that is offered: its words, what they are about for those who only hear them."""

    words: str
    about: str
    url: str


@dataclass(frozen=True, slots=True)
class Case:
    """One case: its key, what it is, since when, what is known, what one might do, and the acts.

    The first of the acts is the likely one.
    """

    key: str
    kind: str
    title: str
    url: str
    since: dt.datetime
    facts: tuple[str, ...]
    suggestion: str
    acts: tuple[Link, ...]
    player: Player | None = None
    care: Care | None = None

    @property
    def keeper(self) -> str:
        """Who is on it; empty for nobody."""
        by = self.care.by if self.care else None
        return roles.staff_name(by) if by else ""

    def rests(self, now: dt.datetime) -> bool:
        """Say whether it was put off."""
        until = self.care.rests_until if self.care else None
        return until is not None and until > now


AT_ONCE = 40
"""So many cases a page shows, the oldest, unless somebody asks for all."""


@dataclass(frozen=True, slots=True)
class Queue:
    """What needs a moderator, what rests, who is kept out at present, and what was done lately."""

    waiting: tuple[Case, ...]
    resting: tuple[Case, ...]
    barred: tuple[Player, ...]
    done: tuple[LogEntry, ...]
    everything: bool = False

    @property
    def shown(self) -> tuple[Case, ...]:
        """What a page shows of what waits."""
        return self.waiting if self.everything else self.waiting[:AT_ONCE]

    @property
    def shows_addresses(self) -> bool:
        """Whether a case has an address in it."""
        return any("@" in fact for case in (*self.shown, *self.resting) for fact in case.facts)

    @property
    def kinds(self) -> list[tuple[str, int]]:
        """How many wait of each kind."""
        kinds = [case.kind for case in self.waiting]
        return [(kind, kinds.count(kind)) for kind in dict.fromkeys(kinds)]


def queue(user: User, now: dt.datetime, *, everything: bool = False) -> Queue:
    """Return the queue as this moderator may see it; its page may show `everything` of it."""
    found = desk(now=now, viewer=user)
    cases = sorted(_cases(found), key=lambda case: case.since)
    said = cares(case.key for case in cases)
    known = [replace(case, care=said.get(case.key)) for case in cases]
    return Queue(
        waiting=tuple(case for case in known if not case.rests(now)),
        resting=tuple(case for case in known if case.rests(now)),
        barred=found.barred,
        done=tuple(done_lately(now)),
        everything=everything,
    )


def _cases(found: Desk) -> Iterator[Case]:
    yield from map(_power, found.powers)
    yield from map(_still, found.overdue)
    yield from map(_unreached, found.unreachable)
    yield from map(_question, found.requests)


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
    facts.append(f"deadline {moment(row.due_at)} UTC" if row.due_at else "no deadline")
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


def _acts_for(row: OpenPower, name: str) -> Iterator[Link]:
    """What can be done, in the order of what is suggested."""
    power, game, player = row.power, row.power.game, row.player
    write = [_about(player, "write", "Write to the player")] if player and row.reached else []
    asks_first = row.seat_open and (row.offers or not row.fitting)
    if asks_first:
        yield from write
    if row.fitting:
        yield _on_game(game, "offer", "Offer the seat", name, power=power.name)
    yield _on_game(game, "replace", "Seat a player", name, power=power.name)
    if not asks_first:
        yield from write
    if row.seat_open and row.missed:
        yield _on_game(game, "excuse", "Excuse a miss", name)
    if player:
        yield _about(player, "note", "Note")


def _still(row: Overdue) -> Case:
    game = row.game
    waits = "paused" if row.paused else "stuck" if row.stuck else f"waits for {listed(row.powers)}"
    gm = f"GM: {roles.staff_name(game.gm)}" if game.gm else "no GM"
    likely = ("resume", "Resume") if row.paused else ("remind", "Remind the missing")
    names = [likely, ("extend", "Extend"), ("write", "Write to the players")]
    names += [] if row.paused or row.stuck else [("vacate", "Open a seat")]
    offered = [pair for pair in names if not (row.paused and pair[0] == "extend")]
    return Case(
        f"game/{game.pk}",
        "Game that stands still",
        game.name,
        reverse("admin:games_game_change", args=[game.pk]),
        row.since,
        (row.title, waits, gm),
        row.suggestion,
        tuple(_on_game(game, act, words, game.name) for act, words in offered),
    )


def _unreached(row: Unreachable) -> Case:
    player = row.player
    seats = [f"{seat.power.name} in {seat.power.game.name}" for seat in row.seats]
    failure = f"{row.email}: {row.failure[:120]}" if row.failure else row.email
    opened = [
        _on_game(
            seat.power.game,
            "vacate",
            "Open the seat",
            f"{seat.power.name} in {seat.power.game.name}",
            power=seat.power.name,
        )
        for seat in row.seats
    ]
    due = f"next deadline {moment(row.due_at)} UTC" if row.due_at else "no deadline ahead"
    return Case(
        f"player/{player.pk}",
        "Player whom mails do not reach",
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
        (*opened, _about(player, "note", "Note"), _about(player, "merge", "Merge accounts")),
        player,
    )


def _question(row: Conduct) -> Case:
    return Case(
        f"asked/{row.pk}",
        "Player who asked" if row.kind == Conduct.Kind.ASKED else "Mail called spam",
        row.player.name,
        reverse("admin:games_player_change", args=[row.player.pk]),
        row.at,
        (row.why,),
        "",
        (
            *_likely(row),
            _about(row.player, "answer", "Answer", entry=str(row.pk)),
            _about(row.player, "note", "Note"),
        ),
        row.player,
    )


def _likely(row: Conduct) -> Iterator[Link]:
    """What stands before an answer."""
    if row.kind == Conduct.Kind.COMPLAINED:
        yield _about(row.player, "pause_mail", "Pause mail")
    elif row.why == WISH:
        yield _about(row.player, "erase", "Erase", because=ASKED)


def _on_game(game: Game, act: str, words: str, about: str, **query: str) -> Link:
    url = reverse("admin:games_game_act", args=[game.pk, act])
    return Link(words, about, _with(url, query))


def _about(player: Player, act: str, words: str, **query: str) -> Link:
    url = reverse("admin:games_player_act", args=[player.pk, act])
    return Link(words, player.name, _with(url, query))


def _with(url: str, query: dict[str, str]) -> str:
    return f"{url}?{urlencode(query)}" if query else url


def _reliability(percent: int) -> str:
    return f"reliability {percent}%"
