"""Answer somebody who asked to join a game in which the GM lets people in."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from games.acts.base import Done
from games.acts.game import GameAct, Group, Status
from games.acts.parameters import Ask
from games.errors import NotFound
from games.events import JoinRefused, PlayersLetIn
from games.models import Event, Game, Player
from games.queries.access.disclosure import attendance_told
from games.queries.access.roles import masters
from games.queries.access.staff_names import Actor
from games.queries.players.attendance import reliability
from games.queries.players.places import WishToJoin, wishes_to_join
from games.queries.players.reliability import reliability_text
from games.queries.players.seats import seats_free
from games.queries.reports.what_game import when_full
from games.queries.reports.wording import listed, local_moment
from games.services.seating.invitations import asker_let_in, join_refuse
from games.services.seating.joining import game_join

YES, NO = "yes", "no"


def waiting(game: Game) -> dict[str, WishToJoin]:
    """Return who waits for an answer, by the key of their row, the oldest first."""
    return {str(wish.row.pk): wish for wish in wishes_to_join(game)}


def last_answer(game: Game, name: str = "") -> str:
    """Write " Hugo was let in on …" about the last person to be answered, or the last with this
    name."""
    answers = game.events.filter(kind__in=(PlayersLetIn.kind, JoinRefused.kind))
    answered = [(event, _players_answered(event)) for event in answers.order_by("-number")]
    players = Player.objects.in_bulk({key for _, keys in answered for key in keys})
    for event, keys in answered:
        let_in = event.kind == PlayersLetIn.kind
        names = [players[key].name for key in keys if key in players]
        if names and (not name or name.lower() in map(str.lower, names)):
            did = "was let in" if let_in else "was told that they cannot join"
            return f" {listed(names)} {did} on {local_moment(event.created_at, game.timezone)}."
    return ""


def _players_answered(event: Event) -> Sequence[int]:
    """The keys of the players whom the GM answered."""
    if event.kind == PlayersLetIn.kind:
        return PlayersLetIn.of(event).players
    return [JoinRefused.of(event).player]


def _choices(game: Game, now: dt.datetime) -> Mapping[str, str]:
    return {key: wish.player.name for key, wish in waiting(game).items()}


def _answers(game: Game, now: dt.datetime) -> Mapping[str, str]:
    return {YES: "Let them in", NO: "Do not let them in"}


@dataclass(frozen=True, kw_only=True)
class Parameters:
    who: Annotated[str, Ask("Who", missing="Please say whom.", choices=_choices)]
    answer: Annotated[
        str,
        Ask(
            "Answer",
            missing="Please say yes or no.",
            choices=_answers,
        ),
    ]


class LetIn(GameAct[Parameters]):
    name = "let_in"
    title = "Let players in"
    help = "Answer those who ask to join: let them in, or not."
    group = Group.SEATS
    when = frozenset({Status.FORMING})
    undo = "An answer cannot be taken back, but “Invite players” can let in somebody you refused."
    parameters = Parameters

    def why_not(self, subject: Game, now: dt.datetime) -> str:
        """Say so if nobody is waiting, and what came of it if the GM answers the same person
        twice."""
        if subject.status != Status.FINISHED and not _choices(subject, now):
            return f"Nobody is waiting to be let into {subject.name}.{last_answer(subject)}"
        return super().why_not(subject, now)

    def forecast(self, subject: Game, given: Parameters, now: dt.datetime) -> Sequence[str]:
        player = _wish(subject, given.who).player
        found = reliability(player, now=now, known=attendance_told(masters(subject, now)))
        known = f"Reliability of {player.name}: {reliability_text(found)}."
        if given.answer == NO:
            return [known, f"{player.name} is told by mail that they cannot join."]
        said = [known, f"{player.name} has a place in {subject.name}, and is told by mail."]
        if seats_free(subject) > 1:
            return said
        return [*said, f"It is the last seat, so {when_full(subject)}."]

    def seated(self, subject: Game, given: Parameters) -> Sequence[Player]:
        return [_wish(subject, given.who).player] if given.answer == YES else []

    def do(self, subject: Game, given: Parameters, *, by: Actor, now: dt.datetime) -> Done:
        player, row = _wish(subject, given.who)
        if given.answer == NO:
            join_refuse(game=subject, player=player, by=by.name, now=now)
            return Done(f"{player.name} cannot join {subject.name}.")
        asker_let_in(game=subject, email=row.email, by=by.name, now=now)
        game_join(
            game=subject,
            player=player,
            preferences=row.preferences,
            now=now,
            received_at=row.preferences_at or row.at,
            let_in_by=by.user,
        )
        return Done(f"{player.name} has a place in {subject.name}. {_what_follows(subject)}")


def _what_follows(game: Game) -> str:
    """Say what follows that no mail tells the GM who let the player in."""
    free = seats_free(game)
    if not free:
        return f"All seats are taken, so {when_full(game)}."
    return f"{free} seats are still free." if free > 1 else "One seat is still free."


def _wish(game: Game, key: str) -> WishToJoin:
    wish = waiting(game).get(key)
    if wish is None:
        raise NotFound("Somebody has already answered that.")
    return wish
