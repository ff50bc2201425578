"""Give a power to another player."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated

from django.db.models import Q

from games.acts.base import Done
from games.acts.game import GameAct, Group, Status, phase_of
from games.acts.parameters import ROOM_FOR_WHY, Ask
from games.acts.powers import powers_played, which_power
from games.acts.sentences import from_now, reason_read, title_of, who_is_told
from games.errors import NotFound
from games.models import Application, Game, Invitation, Player, Power, Seat
from games.queries.access.staff_names import Actor
from games.queries.lookup import emails_confirmed, player_by_address
from games.queries.players.seats import PLAYED, power_names, running_seat
from games.queries.reports.what_game import when_full
from games.services.cleaned import EMAIL_LENGTH
from games.services.clock.deadlines import due_at_least
from games.services.common import power_named
from games.services.seating.joining import seat_give
from games.services.seating.seats import seat_replace, time_to_take_over

_ADDRESSED = re.compile(r"(?:(?P<name>[^<>]*)<)?(?P<email>[^<>\s@]+@[^<>\s@]+)>?")
_NO_ADDRESS = (
    "By mail address alone you can name only somebody who has played, or asked to play, in a game "
    "of yours. Please write the name they registered with instead of {}; if you do not know it, "
    "ask them. Moderators find it in the list of players."
)
_NO_PAIR = (
    "Nobody is registered as {} with the address {}. Please check both, or write the name alone."
)


def _to_give(game: Game) -> list[str]:
    """Ask for any power; before the start, for one that nobody has."""
    every = power_names(game)
    taken = [] if game.started_at else powers_played(game)
    return [name for name in every if name not in taken]


def players_meant(texts: Iterable[str], game: Game) -> list[Player]:
    """Find several players like `player_meant`. Raises NotFound that says what is wrong with each,
    so that nobody has to mend a long list one name at a time."""
    found, wrong = [], []
    for text in texts:
        try:
            found.append(player_meant(text, game))
        except NotFound as error:
            wrong.append(str(error))
    if wrong:
        raise NotFound(" ".join(wrong))
    return found


def player_meant(text: str, game: Game) -> Player:
    """Find a player by name, or by address if whoever runs the game may know whose it is.

    A name and an address, as a mail program writes them, have to belong together; where several
    players share the name, the address tells which: `Hugo <hugo@players.example>`. Nobody learns
    here whether an address is registered, or under which name, unless they know both. That goes for
    moderators, too: they may look it up, but then the staff's log notes it. Raises NotFound.
    """
    text = text.strip()
    addressed = _ADDRESSED.fullmatch(text)
    if addressed:
        return _by_address((addressed["name"] or "").strip(), addressed["email"], game)
    called = _players_called(text)
    if not called:
        raise NotFound(f"Nobody is registered as {text}. Write their whole name.")
    if len(called) > 1:
        raise NotFound(
            f"Several players are called {text}: write the mail address after the name, as in "
            f"{text} <address>."
        )
    return called[0]


def _by_address(name: str, email: str, game: Game) -> Player:
    found = player_by_address(email)
    if found and (_has_met(game, found) or found in _players_called(name)):
        return found
    raise NotFound(_NO_PAIR.format(name, email) if name else _NO_ADDRESS.format(email))


def _players_called(name: str) -> list[Player]:
    return list(Player.objects.filter(name__iexact=name, merged_into=None)) if name else []


def _has_met(game: Game, player: Player) -> bool:
    """Say whether the player played, or asked to play, in the game, in another of its tournament,
    or in one that its GM runs."""
    games = Q(pk=game.pk)
    if game.tournament:
        games |= Q(tournament=game.tournament)
    if game.gm_id:
        games |= Q(gm=game.gm_id)
    run = Game.objects.filter(games).values("pk")
    asked = Invitation.objects.filter(
        kind=Invitation.Kind.ASKED, email__in=emails_confirmed(player)
    )
    return (
        Seat.objects.filter(player=player, power__game__in=run).exists()
        or Application.objects.filter(player=player, game__in=run).exists()
        or asked.filter(game__in=run).exists()
    )


@dataclass(frozen=True, kw_only=True)
class Parameters:
    power: Annotated[str, which_power(_to_give)]
    player: Annotated[
        str,
        Ask(
            "New player",
            "The name of somebody who has registered. For somebody who has played, or asked to "
            "play, in a game of yours, the mail address will do.",
            missing="Please say who will play it.",
            longest=EMAIL_LENGTH,
        ),
    ]
    why: Annotated[
        str,
        Ask(
            "Why",
            "One sentence; all players can read it.",
            missing="Please say why: all players can read it.",
            longest=ROOM_FOR_WHY,
        ),
    ]


class Replace(GameAct[Parameters]):
    name = "replace"
    title = "Seat a player"
    help = "Give a power to another player, whoever has it now. Before the start: one that is free."
    group = Group.SEATS
    when = PLAYED | {Status.FORMING}
    undo = "“Seat a player” can bring back the player who had the power, but not their orders."
    parameters = Parameters

    def undo_of(self, subject: Game) -> str:
        return self.undo if subject.started_at else "Until the start only the player can undo it."

    def forecast(self, subject: Game, given: Parameters, now: dt.datetime) -> Sequence[str]:
        power, player = power_named(subject, given.power), player_meant(given.player, subject)
        if not subject.started_at:
            return _before_the_start(subject, power, player)
        phase = phase_of(subject)
        seat = running_seat(power)
        due_at = due_at_least(phase, time_to_take_over(phase, power), now)
        said = [f"{player.name} plays {power.name} from now on, and gets a mail with its position."]
        if seat:
            said += [
                f"{seat.player.name} no longer plays it: what they write for {power.name} after "
                "that no longer counts."
            ]
        said += [f"What was ordered for {power.name} in {title_of(phase)} no longer counts."]
        if due_at and due_at != phase.due_at and phase.overdue_at is None:
            said += [
                f"The deadline of {title_of(phase)} moves to {from_now(due_at, subject, now)} at "
                "the earliest, so that there is time to look around."
            ]
        return [*said, who_is_told(subject, now, player), *reason_read(subject)]

    def seated(self, subject: Game, given: Parameters) -> Sequence[Player]:
        return [player_meant(given.player, subject)]

    def do(self, subject: Game, given: Parameters, *, by: Actor, now: dt.datetime) -> Done:
        power, player = power_named(subject, given.power), player_meant(given.player, subject)
        started = subject.started_at is not None
        give = seat_replace if started else seat_give
        give(game=subject, power=power, player=player, why=given.why, by=by.name, now=now)
        when = "now" if started else "when it starts"
        return Done(f"{player.name} plays {power.name} in {subject.name} {when}.")


def _before_the_start(game: Game, power: Power, player: Player) -> list[str]:
    return [
        f"{player.name} plays {power.name} when {game.name} starts. The other powers are given out "
        "by the preference lists.",
        f"If that takes the last seat, {when_full(game)}.",
        f"{player.name} is told by mail, and can give the seat back until the start. Everybody can "
        "read in the log that you gave a power to somebody, and why.",
        *reason_read(game),
    ]
