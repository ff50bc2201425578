"""Results for units without an order: none came, or none that could be used."""

from __future__ import annotations

import pytest

from games.services.adjudication.phases import phase_process
from mailer import jobs
from mailer.models import OutboundMail
from tests.cast import DAY, NOW, Cast, address_of
from tests.mailer.correspondence import flat, to_seat, write

pytestmark = pytest.mark.django_db
NONE_CAME, NO_VALID = "No order came for it.", "It had no valid order."


def test_only_who_sent_nothing_reads_that_no_order_came(marne: Cast) -> None:
    to = to_seat(marne)
    write("Carla", "A Paris - Burgundy\nA Marseilles - Gascony\nF Brest - Moscow", to=to)
    assert phase_process(game_id=marne.game.pk, now=NOW + 30 * DAY)
    jobs.tell(NOW + 30 * DAY)
    results = {
        name: flat(
            OutboundMail.objects.get(kind="phase_processed", recipient=address_of(name)).body
        )
        for name in ("Carla", "Emma")
    }
    assert f"Italy: A Venice Holds: stands. {NONE_CAME}" in results["Emma"]
    assert f"Italy: A Venice Holds: stands. {NO_VALID}" in results["Carla"]
    assert f"France: F Brest Holds: stands. {NO_VALID}" in results["Carla"]
    assert NONE_CAME not in results["Carla"]
