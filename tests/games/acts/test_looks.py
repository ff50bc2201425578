"""Looks at what is secret: for a reason, in the log, told to all; and otherwise by nobody."""

from __future__ import annotations

import pytest
import time_machine
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse

from games.errors import BadInput, NotFound, WrongState
from games.models import AdvanceOrders, Game, OrderSet
from games.queries.access import roles
from games.queries.access.staff_names import Actor
from games.queries.audit import log_faults
from games.queries.parsing.press_audience import Audience
from games.queries.reports.log_text import sentence
from games.services.adjudication.phases import phase_process_now
from games.services.messages.press import press_send
from games.services.moderation.looks import Glimpse, Secret, look, look_record
from games.services.ordering.advance_orders import orders_keep
from games.services.ordering.orders import orders_submit
from tests.cast import HOUR, NOW, Cast

pytestmark = pytest.mark.django_db

ORDER, AHEAD, PRESS = "A Par - Bur", "A Mar - Gas", "Meet me in Tyrolia."
GERMAN = "A Mun - Bur"


def order(cast: Cast, power: str, line: str) -> None:
    orders_submit(
        seat=cast.seat(power),
        phase=cast.phase,
        lines=[(1, line)],
        amend=False,
        received_at=NOW + HOUR,
        source=f"<{power}@players.test>",
        now=NOW + HOUR,
    )


@pytest.fixture
def secrets(marne: Cast) -> Cast:
    """France and Germany have sent orders; France has sent some ahead and written to Italy."""
    order(marne, "France", ORDER)
    order(marne, "Germany", GERMAN)
    orders_keep(
        seat=marne.seat("France"),
        phase_name="F1901M",
        lines=[(1, AHEAD)],
        received_at=NOW,
        source="<ahead@players.test>",
        now=NOW,
    )
    press_send(seat=marne.seat("France"), to=Audience(("Italy",)), text=PRESS, source="", now=NOW)
    return marne


def seen(cast: Cast, *what: Secret, powers: tuple[str, ...] = (), why: str = "Why.") -> Glimpse:
    return look(phase=cast.phase, what=what, powers=powers, why=why, by=Actor("Olga"), now=NOW)


def test_a_look_stands_in_the_log_with_who_why_what_and_whose(secrets: Cast) -> None:
    event = seen(secrets, Secret.ORDERS, powers=("France",), why="A complaint.").event
    assert sentence(event) == (
        "Spring 1901 movement: Olga looked at orders of France. A complaint."
    )
    assert list(log_faults.faults(secrets.game)) == []


def test_the_log_never_says_what_was_seen(secrets: Cast) -> None:
    event = seen(secrets, *Secret).event
    for secret in (ORDER, "Burgundy", AHEAD, PRESS):
        assert secret not in str(event.payload)


def test_a_look_shows_what_was_asked_for_of_the_powers_that_were_named(secrets: Cast) -> None:
    glimpse = seen(secrets, Secret.ORDERS, powers=("France",))
    assert [one.lines for one in glimpse.order_sets] == [[ORDER]]
    assert (glimpse.ahead, glimpse.press) == ((), ())
    glimpse = seen(secrets, Secret.ORDERS, Secret.AHEAD, Secret.PRESS, powers=("Germany",))
    assert [one.power.name for one in glimpse.order_sets] == ["Germany"]
    assert (glimpse.ahead, glimpse.press) == ((), ())  # France alone sent some


def test_a_look_shows_nothing_of_the_same_power_in_another_game(secrets: Cast) -> None:
    other = Game.objects.create(name="elsewhere", created_at=NOW)
    seat = other.powers.create(name="France").seats.create(player=secrets.player("Ana"), since=NOW)
    AdvanceOrders.objects.update(seat=seat)
    assert seen(secrets, Secret.AHEAD).ahead == ()


def test_a_look_at_no_power_by_name_is_one_at_all(secrets: Cast) -> None:
    glimpse = seen(secrets, Secret.ORDERS, Secret.AHEAD, Secret.PRESS)
    assert [one.power.name for one in glimpse.order_sets] == ["France", "Germany"]
    assert [one.phase_name for one in glimpse.ahead] == ["F1901M"]
    assert [one.text for one in glimpse.press] == [PRESS]
    assert len(glimpse.event.payload["powers"]) == 7


@pytest.mark.parametrize("why", ["", "  ", "x" * 201])
def test_without_a_reason_of_one_sentence_nothing_is_shown(secrets: Cast, why: str) -> None:
    with pytest.raises(BadInput, match="why"):
        seen(secrets, Secret.ORDERS, why=why)
    assert secrets.events("orders_looked_at") == []


def test_a_look_at_nothing_and_at_no_power_of_the_game_is_refused(secrets: Cast) -> None:
    with pytest.raises(BadInput):
        seen(secrets)
    with pytest.raises(NotFound, match="Atlantis"):
        seen(secrets, Secret.ORDERS, powers=("Atlantis",))


def test_when_the_game_is_over_nobody_is_told_of_looks(secrets: Cast) -> None:
    phase = secrets.phase
    Game.objects.update(status=Game.Status.FINISHED)
    with pytest.raises(WrongState, match="nothing secret"):
        look_record(
            phase=phase,
            what=[Secret.MAIL],
            powers=[],
            why="Why.",
            by=Actor("Olga"),
            now=NOW,
        )


# --- The page -----------------------------------------------------------------------------


@pytest.fixture
def gm(client: Client, secrets: Cast) -> Client:
    """The GM of marne, as the group lets them be."""
    secrets.gm.groups.add(Group.objects.get(name=roles.GM))
    client.force_login(secrets.gm)
    return client


def page_of(cast: Cast) -> str:
    return reverse("admin:games_phase_look", args=[cast.game.phases.get(number=1).pk])


ASKED = {"what": ["orders"], "powers": ["France"], "why": "A complaint."}


def test_a_superuser_is_asked_for_a_reason_before_they_see_orders(
    operator: Client, secrets: Cast
) -> None:
    shown = operator.get(page_of(secrets)).content.decode()
    assert "all its players are told by mail" in shown
    assert ORDER not in shown
    shown = operator.post(page_of(secrets), ASKED | {"why": ""}).content.decode()
    assert ORDER not in shown
    assert secrets.events("orders_looked_at") == []


def test_a_superuser_who_gives_a_reason_sees_what_they_asked_for(
    operator: Client, secrets: Cast
) -> None:
    with time_machine.travel(NOW, tick=False):
        shown = operator.post(page_of(secrets), ASKED).content.decode()
    assert ORDER in shown
    assert GERMAN not in shown
    assert PRESS not in shown
    (event,) = secrets.events("orders_looked_at")
    assert (event.payload["by"], event.payload["powers"]) == ("root", ["France"])
    assert event.created_at == NOW


def test_a_look_at_everything_shows_orders_ahead_and_press(operator: Client, secrets: Cast) -> None:
    every = {"what": [one.value for one in (Secret.ORDERS, Secret.AHEAD, Secret.PRESS)]}
    shown = operator.post(page_of(secrets), ASKED | every).content.decode()
    assert all(secret in shown for secret in (ORDER, AHEAD, PRESS))


def test_each_look_is_told_anew(operator: Client, secrets: Cast) -> None:
    for _ in range(2):
        operator.post(page_of(secrets), ASKED)
    assert len(secrets.events("orders_looked_at")) == 2


def test_the_way_to_a_look_stands_on_the_page_of_the_phase(operator: Client, secrets: Cast) -> None:
    url = reverse("admin:games_phase_change", args=[secrets.phase.pk])
    assert page_of(secrets) in operator.get(url).content.decode()


def test_a_blind_gm_cannot_look(gm: Client, secrets: Cast) -> None:
    for answer in (gm.get(page_of(secrets)), gm.post(page_of(secrets), ASKED)):
        assert answer.status_code == 403
        assert ORDER not in answer.content.decode()
    assert secrets.events("orders_looked_at") == []


def test_a_gm_who_may_see_orders_looks_like_everybody_else(gm: Client, secrets: Cast) -> None:
    Game.objects.update(gm_sees=Game.GMSees.ORDERS)
    order_set = reverse("admin:games_orderset_change", args=[OrderSet.objects.first().pk])
    assert ORDER not in gm.get(order_set).content.decode()
    assert ORDER in gm.post(page_of(secrets), ASKED).content.decode()
    assert len(secrets.events("orders_looked_at")) == 1


def test_the_gm_of_another_game_does_not_even_find_the_phase(gm: Client, secrets: Cast) -> None:
    Game.objects.update(gm_sees=Game.GMSees.ORDERS, gm=None)
    assert gm.get(page_of(secrets)).status_code == 404


def test_who_plays_cannot_look_whoever_they_are(operator: Client, secrets: Cast) -> None:
    User.objects.filter(username="root").update(email="ANA@players.test")
    assert operator.post(page_of(secrets), ASKED).status_code == 403


def test_once_the_phase_is_processed_there_is_nothing_to_look_for(
    operator: Client, secrets: Cast
) -> None:
    phase_process_now(game_id=secrets.game.pk, now=NOW)
    answer = operator.post(page_of(secrets), ASKED)
    assert answer.status_code == 302
    assert secrets.events("orders_looked_at") == []
