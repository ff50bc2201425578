"""Whole games through the services: what always holds, whatever is ordered."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

import pytest

from games import log
from games.models import Phase
from games.queries.board import adjudicate_orders, phase_title, position_of
from games.queries.orders.current_orders import current_decisions
from games.queries.orders.waiting import powers_not_in
from games.queries.reports.phase_report import phase_report
from games.services.adjudication.phases import phase_process_now
from games.services.ordering.orders import orders_submit
from judge import legal_orders
from tests.cast import HOUR, POWERS, Cast

pytestmark = pytest.mark.django_db

YEARS = 3


def random_lines(phase: Phase, power: str, rng: random.Random) -> list[str]:
    """Return a legal order for each of the power's decisions, at random, and some nonsense."""
    choices = legal_orders(position_of(phase.game.variant, phase.position)).get(power, {})
    lines = [
        str(order)
        for unit, orders in choices.items()
        for order in rng.sample(orders, k=1 if unit else min(3, len(orders)))
    ]
    return [*lines, "A Atlantis - Lemuria", "see you on Friday"]


def play(cast: Cast, rng: random.Random) -> Iterator[Phase]:
    """Play some years; yield each phase when it is processed."""
    while (phase := cast.phase).name < f"S{1901 + YEARS}":
        for power in POWERS.values():
            if rng.random() < 0.9:
                orders_submit(
                    seat=cast.seat(power),
                    phase=phase,
                    lines=list(enumerate(random_lines(phase, power, rng), start=1)),
                    amend=False,
                    received_at=phase.opened_at,
                    source=f"<{phase.name}@players.test>",
                    now=phase.opened_at,
                )
        assert phase_process_now(game_id=cast.game.pk, now=phase.opened_at + HOUR)
        phase.refresh_from_db()
        yield phase


@pytest.mark.parametrize("seed", range(3))
def test_a_game_at_random_keeps_its_books(marne: Cast, seed: int) -> None:
    for phase in play(marne, random.Random(seed)):
        assert phase.outcome is not None
        assert cast_next(marne, phase).position == phase.outcome["next"]
        assert_replays(phase)
        assert_reported(marne, phase)
    assert [event.payload["phase"] for event in marne.events("phase_processed")] == [
        phase.name for phase in marne.game.phases.all() if phase.processed_at
    ]


def cast_next(cast: Cast, phase: Phase) -> Phase:
    return cast.game.phases.get(number=phase.number + 1)


def assert_replays(phase: Phase) -> None:
    """What was stored is enough to adjudicate the phase again, to the same outcome."""
    assert phase.orders is not None
    assert phase.outcome is not None
    assert phase.orders_sha256 == log.digest(phase.orders)
    game = phase.game
    again = adjudicate_orders(
        variant=game.variant, rules=game.rules, state=phase.position, orders=phase.orders
    )
    assert again.results == phase.outcome["results"]
    assert again.next == phase.outcome["next"]
    assert again.engine == phase.engine
    assert json.loads(json.dumps(again.next)) == again.next


def assert_reported(cast: Cast, phase: Phase) -> None:
    """Every unit and every centre is in the report, and everybody is told what they have to do."""
    report = phase_report(phase, None)
    assert report.title == phase_title(phase.name)
    after = cast_next(cast, phase)
    stands = {one.power: list(one.units) for one in report.possessions if one.units}
    assert stands == {power: sorted(units) for power, units in after.position["units"].items()}
    owners = {one.power: list(one.centers) for one in report.possessions if one.centers}
    assert owners == after.position["centers"]
    deciding = set(powers_not_in(after))
    for power in POWERS.values():
        seen = phase_report(phase, cast.seat(power).power)
        assert seen.next is not None
        assert (seen.next.duty is not None) == (power in deciding)
        undecided = current_decisions(after, cast.seat(power).power)
        assert len(undecided) == (seen.next.duty.size if seen.next.duty else 0)
        assert "see you on Friday" not in str(report)
