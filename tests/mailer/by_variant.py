"""A game of any variant, begun and played by mail: what its players write and get.

`make test-variants` plays one of each; `test_variants.py` plays those that have most to go wrong.
"""

from __future__ import annotations

import datetime as dt
import os
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from benchmarks.variant_games import random_orders
from games.models import Game, Phase, Player, Seat
from games.queries import board
from games.services.adjudication.phases import phase_process
from games.services.setup.games import game_create
from judge import DATC, Order, Position
from mailer import jobs
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import addresses
from tests.cast import DAY, NOW, PLAIN, make_gm, make_player
from tests.made import made_once
from tests.mailer.correspondence import eml, flat, receive

GAME = "somme"


@dataclass
class Table:
    """A game of a variant with a player for each power, and the time it is."""

    game: Game
    now: dt.datetime
    rng: random.Random

    @property
    def phase(self) -> Phase:
        """The phase that is open."""
        return self.game.phases.get(status=Phase.Status.OPEN)

    @property
    def position(self) -> Position:
        """What the judge makes of it."""
        return board.position_of(self.game.variant, self.phase.position)

    def seats(self) -> Iterator[Seat]:
        """Everybody who plays."""
        powers = board.variant_named(self.game.variant).powers
        seats = Seat.objects.filter(power__game=self.game, until=None)
        by_power = {seat.power.name: seat for seat in seats.select_related("power__game", "player")}
        return (by_power[power] for power in powers)

    def write(self, seat: Seat, text: str) -> OutboundMail:
        """Send a mail of the seat's player for the open phase; return the answer."""
        to = addresses.seat_address(seat=seat, phase=self.phase, now=self.now)
        return answer(mailed(seat.player, text, to=to, now=self.now))

    def play_phase(self) -> dict[str, list[str]]:
        """Let everybody order something legal by mail, and the deadline come; return the orders."""
        wanted = {power: lines(given) for power, given in self.random_orders().items()}
        for seat in self.seats():
            if given := wanted.get(seat.power.name):
                receipt = self.write(seat, "\n".join(given))
                body = flat(receipt.body)
                for line in given:
                    assert line in body, f"{line} is not in the receipt: {receipt.body}"
        self.now += 4 * DAY
        phase_process(game_id=self.game.pk, now=self.now)
        jobs.tell(self.now)
        self.game.refresh_from_db()
        return wanted

    def random_orders(self) -> dict[str, list[Order]]:
        """Legal orders of all powers, as the judge prints them."""
        return random_orders(self.position, self.rng, DATC)


def lines(orders: list[Order]) -> list[str]:
    """The orders as a player may write them: the notation that the judge prints."""
    return [str(order) for order in orders]


def begun_by_mail(variant: str, seed: int = 1, **settings: object) -> Table:
    """Make a game of the variant; everybody registers and joins by mail, each with a wish."""
    # Not for other processes: their mails have the same numbers.
    what = f"{variant} begun by mail, {sorted(settings.items())}, {os.getpid()}"
    made_once(what, lambda: _begin_by_mail(variant, settings))
    return Table(Game.objects.get(name=GAME), NOW, random.Random(seed))


def _begin_by_mail(variant: str, settings: Mapping[str, Any]) -> None:
    game = game_create(name=GAME, gm=make_gm(), now=NOW, variant=variant, **{**PLAIN, **settings})
    powers = board.variant_named(variant).powers
    for number, power in enumerate(powers):
        player = make_player(f"Player {number + 1}".replace(" ", ""))
        joined = answer(mailed(player, f"JOIN {GAME} {power}", now=NOW))
        assert "There is no power" not in joined.body, joined.body
    jobs.tell(NOW)
    game.refresh_from_db()
    assert game.status == Game.Status.ACTIVE
    seats = Seat.objects.filter(power__game=game, until=None)
    assert {seat.power.name for seat in seats} == set(powers)


def mailed(player: Player, text: str, *, to: str = "", now: dt.datetime) -> InboundMail:
    """A mail of a player, worked on."""
    record = player.record
    assert record
    to = to or addresses.player_address(address=record, now=now)
    raw = eml(text, sender=f"{player.name} <{record.email}>", to=to)
    return receive(raw, received_at=now)


def place(table: Table, units: dict[str, list[str]]) -> None:
    """Let nothing but these units stand on the board of the open phase."""
    phase = table.phase
    phase.position = {**phase.position, "units": units}
    phase.save()


def answer(mail: InboundMail) -> OutboundMail:
    """The answer to a mail."""
    return mail.answers.get(kind="reply")


def start_mail(seat: Seat) -> str:
    """What the seat's player was told at the start, without line breaks."""
    mails = OutboundMail.objects.filter(player=seat.player, subject__contains="The game starts")
    return flat(mails.latest("pk").body)
