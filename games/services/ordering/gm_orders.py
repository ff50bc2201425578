"""What a GM does with orders: sets them when a player cannot, and sees what they would lead to.

Whether this GM may do so in this game is for the caller to ask (`games.queries.access.roles`).
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from games import lifecycle, log
from games.board_json import ResultJson
from games.errors import BadInput, WrongState
from games.events import OrdersSet
from games.models import Game, OrderSet, Phase, Power
from games.models.phase import ReadLine
from games.proofs.digests import new_salt
from games.queries import board
from games.queries.endings.ending import end_after, sentence_of
from games.queries.lookup import open_phase
from games.queries.orders.current_orders import adjudicate_phase, all_current_lines, duty
from games.queries.orders.waiting import missing_powers
from games.queries.phases.phase_now import PhaseNow
from games.queries.players.seats import PLAYED
from games.services.common import lock_game, power_named
from games.services.ordering.order_receipts import Before, OrderReceipt, receipt_of
from games.services.ordering.orders import line_receipts, lines_to_keep
from games.services.ordering.readiness import all_in_refresh

SOURCE = "the GM's desk"


@transaction.atomic
def orders_set(
    *,
    game: Game,
    power: str,
    lines: Sequence[str],
    why: str,
    by: str,
    now: dt.datetime,
    amend: bool = False,
) -> OrderReceipt:
    """Give a power's orders in its player's place. Like the player's own they replace earlier
    orders, or with `amend` only those for the same units.

    `why` and `by` are told to everybody, the orders to the power's player only, who may send better
    ones. Raises BadInput unless every line is an order that can be followed: nobody reads a GM's
    receipt back to them. Raises NotFound for no power of the game, and WrongState when the game is
    not being played, or the power has nothing to decide.
    """
    game = lock_game(game)
    lifecycle.require(game, *PLAYED)
    phase, seated = _phase(game), power_named(game, power)
    _require_duty(phase, seated)
    numbered = [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]
    reading = line_receipts(phase, seated, numbered)
    _require_followed(reading, seated)
    seen, texts = PhaseNow.of(phase), lines_to_keep(numbered, reading, amend=amend)
    before = (*seen.book.decisions(seated), *seen.book.leave(seated))
    order_set = OrderSet.objects.create(
        phase=phase,
        power=seated,
        by=by,
        mode=OrderSet.Mode.AMEND if amend else OrderSet.Mode.REPLACE,
        lines=texts,
        reading=reading,
        received_at=now,
        recorded_at=now,
        source=SOURCE,
        digest=_digest(by, texts, now),
        salt=new_salt(),
    )
    seen.book.put(order_set)
    all_in_refresh(phase=phase, now=now, orders_changed=True, seen=seen)
    facts = OrdersSet(phase=phase.name, power=seated.name, why=why, by=by)
    log.record(game=game, phase=phase, facts=facts, now=now)
    return receipt_of(order_set, seated, seen, Before(before))


@dataclass(frozen=True, slots=True)
class Preview:
    """What would happen if the open phase were processed with the current orders."""

    phase: Phase
    results: tuple[ResultJson, ...]
    """What the judge says of each order, as a phase would store it."""
    after: board.Position
    """The position that would follow."""
    missing: tuple[str, ...]
    """The powers from which nothing has come."""
    ending: str
    """How the game would end; empty when it would go on."""


def preview(game: Game) -> Preview:
    """Adjudicate the open phase and store nothing. Raises WrongState without an open phase.

    This shows orders, so callers need the right to see them.
    """
    phase = _phase(game)
    outcome = adjudicate_phase(phase, all_current_lines(phase))
    end = end_after(game, phase.name, outcome.next, outcome.winner)
    return Preview(
        phase=phase,
        results=tuple(outcome.results),
        after=board.position_of(game.variant, outcome.next),
        missing=missing_powers(phase),
        ending=sentence_of(end.how, end.winners, outcome.next, game) if end else "",
    )


def _phase(game: Game) -> Phase:
    phase = open_phase(game)
    if phase is None:
        raise WrongState(f"The game {game.name} has no open phase.")
    return phase


def _require_duty(phase: Phase, power: Power) -> None:
    if not duty(phase, power.name).size:
        title = board.phase_title(phase.name)
        raise WrongState(f"{power.name} has nothing to decide in {title}.")


def _require_followed(reading: Sequence[ReadLine], power: Power) -> None:
    if not reading:
        raise BadInput("Please write the orders, one per line.")
    wrong = [one for one in reading if not one["counts"]]
    if wrong:
        why = wrong[0]["problem"] or "another line already orders this unit."
        raise BadInput(f"“{wrong[0]['text']}” cannot be followed for {power.name}: {why}")


def _digest(by: str, lines: Sequence[str], now: dt.datetime) -> str:
    said = json.dumps([SOURCE, by, now.isoformat(), list(lines)])
    return hashlib.sha256(said.encode()).hexdigest()
