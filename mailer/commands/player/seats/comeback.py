"""RETURN: a player whose seat is open wants to go on playing."""

from __future__ import annotations

import datetime as dt
import re

from games.errors import BadInput, WrongState
from games.models import Game, Phase, Player, Power, Seat
from games.queries import lookup
from games.queries.orders.current_orders import duty
from games.queries.players.seats import PLAYED
from games.queries.reports.wording import listed
from games.services.seating.seats import seat_return
from mailer.commands.base import Arrival, PlayerCommand, player_of
from mailer.commands.calls import Call, Takes
from mailer.commands.receipt import Receipt
from mailer.commands.seats import phase_title, require_not_over, seat_named
from mailer.commands.texts.prospects import kept_for_later
from mailer.commands.texts.sentences import zone_of
from mailer.identity.senders import Sender, seat_meant
from mailer.text import deadline

AFTER_DISORDER = (
    "Please send your orders now: what you had ordered before civil disorder was declared no "
    "longer counts."
)
AFTER_RESIGNING = (
    "Whatever you had ordered for the open phase still stands: ORDERS on a line of its own "
    "shows it."
)

FOLLOWS = "A mail follows with what you have to decide, and by when."


class Return(PlayerCommand):
    name = "return"
    usage = "RETURN [game]"
    summary = "come back to a seat of yours that is open"
    help = (
        "When nothing has come from you for a while, or you have resigned, your seat is open to "
        "others. Until somebody has taken it, RETURN makes it yours again; if you have "
        "not resigned, so do orders.\n"
        "Example: RETURN marne"
    )
    takes = Takes.MAYBE
    argument = re.compile(r"[\w-]*[ .!]*")
    secured = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        player = player_of(sender)
        power = _power(call.argument.strip(" .!"), sender, player)
        require_not_over(power.game, "so there is no seat to come back to")
        disorder = power.disorder_since is not None
        stayed = Seat.objects.filter(power=power, player=player, until=None).exists()
        seat = seat_return(power=power, player=player, now=arrival.now)
        phase = lookup.open_phase(power.game)
        stands = [_to_order(power, phase, disorder=disorder), *kept_for_later(seat)]
        # Nobody is told of a return for which the game only waited (SeatReturned.in_time).
        is_news = disorder or not stayed
        told = ", and everybody is told" if is_news else ""
        gets_mail = is_news and not player.mail_paused_at
        what_next = FOLLOWS if gets_mail else _when(power.game, phase, sender, arrival.now)
        return Receipt(
            title=f"You are back in {power.game.name}",
            text=(
                f"You play {seat.power.name} in the game {power.game.name} again{told}. "
                f"{' '.join(stands)} MAP {power.game.name} shows the board. {what_next}"
            ),
            subject=f"[{power.game.name}] You are back",
        )


def _when(game: Game, phase: Phase | None, sender: Sender, now: dt.datetime) -> str:
    """When decisions are due, for a player who gets no mail that says so."""
    due_at, paused = phase.due_at if phase else None, game.status == Game.Status.PAUSED
    return deadline(due_at, zone_of(sender), now, paused=paused, resumes_at=game.resume_at)


def _to_order(power: Power, phase: Phase | None, *, disorder: bool) -> str:
    """What is left to order in the open phase, or what is ordered already."""
    if phase and not duty(phase, power.name).size:
        return f"{power.name} has nothing to decide in {phase_title(phase)}."
    return AFTER_DISORDER if disorder else AFTER_RESIGNING


def _power(name: str, sender: Sender, player: Player) -> Power:
    """The power in the game that the player names or answers, or the only open one."""
    if name or seat_meant(sender):
        return seat_named(name, sender)[0].power
    seats = Seat.objects.filter(player=player, power__open_since__isnull=False)
    running = seats.filter(power__game__status__in=PLAYED).select_related("power__game")
    powers = {seat.power_id: seat.power for seat in running.order_by("power__game__name")}
    if len(powers) == 1:
        return next(iter(powers.values()))
    if not powers:
        raise WrongState("No seat of yours is open, so there is nothing to return to.")
    games: list[Game] = [power.game for power in powers.values()]
    names = [game.name for game in games]
    raise BadInput(f"Please write which game you mean, {listed(names, 'or')}: RETURN {names[0]}")
