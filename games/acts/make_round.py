"""Make the games of a round of a tournament, and seat its players, in one act."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

from django.contrib.auth.models import User

from games import log
from games.acts.base import Done
from games.acts.game import GameAct, Group, Status
from games.acts.parameters import Ask, lines
from games.acts.replace import players_meant
from games.models import Game, Player, Seat
from games.queries.access import roles
from games.queries.access.staff_names import Actor
from games.queries.players.seats import PLAYED
from games.queries.reports.wording import counted, listed
from games.queries.tournaments.rounds import RoundPlanned, players_of, round_planned, seats_known
from games.queries.tournaments.tournament import games_of
from games.services.common import lock_game
from games.services.setup.rounds import round_make


def players_proposed(game: Game) -> str:
    """Return everybody who plays in the game's tournament, one per line."""
    return "\n".join(player.name for player in players_of(game.tournament))


@dataclass(frozen=True, kw_only=True)
class Parameters:
    name: Annotated[
        str,
        Ask(
            "Name of the round",
            "For cup-r2 its games are called cup-r2-1, cup-r2-2 and so on.",
            missing="Please write a name for the round.",
            longest=36,
        ),
    ]
    players: Annotated[
        tuple[str, ...],
        Ask(
            "Players",
            "Their names, one per line, as many as all games take. For somebody who has played, or "
            "asked to play, in a game of yours, the mail address will do.",
            missing="Please write who plays.",
            rows=12,
            read=lines,
            proposes=players_proposed,
        ),
    ]


class MakeRound(GameAct[Parameters]):
    name = "make_round"
    title = "Make a round"
    help = "Make the games of the tournament's next round like this one, and seat its players."
    group = Group.GAME
    when = frozenset(Status)
    undo = "Games of a round cannot be deleted, only ended."
    parameters = Parameters

    def refusal(self, user: User, subject: Game, now: dt.datetime) -> str:
        return super().refusal(user, subject, now) or _names_unknown(user, subject, now)

    def why_not(self, subject: Game, now: dt.datetime) -> str:
        """Say so if the game belongs to no tournament, or has no GM to run the new ones."""
        if not subject.tournament:
            return f"The game {subject.name} belongs to no tournament."
        return "" if subject.gm else f"The game {subject.name} has no GM to run the games."

    def lock(self, subject: Game) -> Game:
        """Lock the tournament's first game as well. Otherwise two people who make rounds at once,
        from different games, would seat the same players, and neither round would know of the
        other."""
        if first := games_of(subject.tournament).order_by("pk").first():
            lock_game(first)
        return super().lock(subject)

    def stamp(self, subject: Game) -> str:
        return log.digest([super().stamp(subject), seats_known(subject.tournament)])

    def forecast(self, subject: Game, given: Parameters, now: dt.datetime) -> Sequence[str]:
        planned = _plan(subject, given)
        return [
            f"{counted(len(planned.games), 'game')} with the settings of {subject.name} "
            f"{'is' if len(planned.games) == 1 else 'are'} made and "
            f"{'start' if len(planned.games) > 1 else 'starts'} at once.",
            *_seats(planned),
            *_repeats(planned),
            *_players_left_out(subject, planned),
            *_still_playing(subject, planned),
            "We mail each player their power, and then that their game has started. Everybody can "
            "read in the log that you gave out the powers.",
            *_only_a_model(subject),
        ]

    def seated(self, subject: Game, given: Parameters) -> Sequence[Player]:
        return players_meant(given.players, subject)

    def do(self, subject: Game, given: Parameters, *, by: Actor, now: dt.datetime) -> Done:
        made = round_make(like=subject, planned=_plan(subject, given), by=by.name, now=now)
        names = listed([game.name for game in made])
        return Done(f"The round {given.name.strip()} is made: {names}.")


def _plan(subject: Game, given: Parameters) -> RoundPlanned:
    return round_planned(subject, given.name.strip(), players_meant(given.players, subject))


def _names_unknown(user: User, game: Game, now: dt.datetime) -> str:
    """Return why somebody may not read who plays in the tournament: they play in an anonymous game
    of it, or others run one."""
    games = games_of(game.tournament)
    if roles.games_nameless(user).filter(pk__in=games).exists():
        return "You play in an anonymous game of this tournament yourself, so this is not for you."
    theirs = roles.games_for(user, now=now).values("pk")
    secret = games.filter(anonymous=True).exclude(status=Status.FINISHED).exclude(pk__in=theirs)
    if first := secret.order_by("pk").first():
        return (
            f"You do not run the anonymous game {first.name} of this tournament, so you may not "
            "learn who plays in it. Its GM can make you a co-GM; or wait until it is over."
        )
    return ""


def _seats(planned: RoundPlanned) -> Iterator[str]:
    for game in planned.games:
        seats = [f"{power} {player.name}" for power, player in game.seats]
        yield f"{game.name}: {', '.join(seats)}."


def _repeats(planned: RoundPlanned) -> Iterator[str]:
    again = [f"{player.name} ({power})" for power, player in planned.again]
    if again:
        yield f"These get a power that they have played before: {listed(again)}."
    else:
        yield "Nobody gets a power that they have played before."
    if planned.meetings:
        yield f"Players who have met before meet again {counted(planned.meetings, 'time')}."
    else:
        yield "No two players meet who have met before."


def _players_left_out(subject: Game, planned: RoundPlanned) -> Iterator[str]:
    """Name the tournament's players who are not in the round: it is easy to forget a name."""
    seated = {player for game in planned.games for _, player in game.seats}
    names = [one.name for one in players_of(subject.tournament) if one not in seated]
    if names:
        yield f"Left out of those who have played so far: {listed(names)}."


def _still_playing(subject: Game, planned: RoundPlanned) -> Iterator[str]:
    """Name the games of an earlier round that are not over: the new games start at once."""
    seated = [player for game in planned.games for _, player in game.seats]
    held = Seat.objects.filter(player__in=seated, until=None)
    games = games_of(subject.tournament).filter(pk__in=held.values("power__game"))
    names = list(games.filter(status__in=PLAYED).order_by("name").values_list("name", flat=True))
    if names:
        yield (
            f"Not over yet: {listed(names)}. Anybody who still plays there will play in two games "
            "at once; if that is not what you want, wait until all are over."
        )


def _only_a_model(subject: Game) -> Iterator[str]:
    if subject.status == Status.FORMING:
        yield (
            f"{subject.name} itself is not part of the round, does not change, and is still "
            "looking for players. If it only lends its settings, delete it afterwards."
        )
