"""A build that somebody could have made and did not order is told to all who may know of it."""

from __future__ import annotations

import pytest
from django.test import Client

from games.board_json import StateJson
from games.services.adjudication.phases import phase_process_now
from mailer.models import OutboundMail
from tests.cast import DAY, NOW, Cast, address_of, make_cast, submit
from tests.mailer.correspondence import flat, tell_all

pytestmark = pytest.mark.django_db

WINTER: StateJson = {
    "phase": "W1901A",
    "units": {
        "France": ["A Spain"],
        "Germany": ["A Berlin", "A Munich"],
        "Italy": ["A Venice", "F Naples"],
        "Turkey": ["A Smyrna"],
    },
    "centers": {
        "France": ["Brest", "Marseilles", "Paris"],
        "Germany": ["Berlin", "Kiel", "Munich"],
        "Italy": ["Naples", "Rome", "Venice"],
        "Turkey": ["Smyrna"],
    },
    "dislodged": [],
}
"""France may build two units, Germany and Italy one, Turkey none."""


def winter(**settings: object) -> Cast:
    """A winter in which France builds one unit of two, Italy waives one, and Germany is silent."""
    cast = make_cast(**settings)
    phase = cast.phase
    phase.name, phase.position = "W1901A", WINTER
    phase.save()
    submit(cast, "France", ["Build A Paris"])
    submit(cast, "Italy", ["Waive"])
    assert phase_process_now(game_id=cast.game.pk, now=NOW + DAY)
    tell_all(NOW + DAY)
    return cast


def result_to(recipient: str) -> str:
    [mail] = OutboundMail.objects.filter(kind="phase_processed", recipient=recipient)
    return flat(mail.body)


def test_everybody_reads_who_left_a_build_unused(db: None) -> None:
    cast = winter()
    for recipient in (address_of("Carla"), address_of("Greta"), cast.gm.email):
        body = result_to(recipient)
        assert "France: Build A Paris: succeeds. France: 1 build not used." in body
        assert "Germany: 1 build not used." in body
        assert "Italy: Waive: succeeds." in body
        for power in ("Italy", "Turkey", "England"):
            assert f"{power}: 1 build" not in body


def test_in_fog_nobody_learns_who_else_could_have_built(db: None) -> None:
    cast = winter(fog=True)
    carla = result_to(address_of("Carla"))
    assert "France: 1 build not used." in carla
    assert "Germany: 1 build not used." not in carla
    assert "not used" not in result_to(address_of("Greta"))
    assert "Germany: 1 build not used." in result_to(cast.gm.email)


def test_the_page_of_a_winter_says_it_beside_each_power(client: Client, db: None) -> None:
    winter()
    page = flat(client.get("/games/marne/W1901A/").content.decode())
    said = {
        power: page.partition(f"{power} <small>")[2].partition("</section>")[0]
        for power in WINTER["units"]
    }
    assert "1 build not used." in said["France"]
    assert "Build A Paris" in said["France"]
    assert "1 build not used." in said["Germany"]
    assert "Nothing to decide." not in said["Germany"]
    assert "not used" not in said["Italy"]
    assert said["Turkey"] == ""
    assert "Turkey" in page.partition("Nothing to decide")[2].partition("</section>")[0]


def test_who_has_no_free_place_to_build_reads_why_there_is_nothing_to_decide(db: None) -> None:
    cast = make_cast()
    phase = cast.phase
    phase.name = phase.position["phase"] = "F1901M"
    phase.position["units"] |= {"France": ["A Paris", "F Brest"], "Italy": ["A Marseilles"]}
    phase.position["centers"]["France"] += ["Portugal", "Spain"]
    phase.save()
    assert phase_process_now(game_id=cast.game.pk, now=NOW + DAY)
    tell_all(NOW + DAY)
    body = result_to(address_of("Carla"))
    assert (
        "Nothing: France has nothing to decide in Winter 1901 adjustments. France has centres for "
        "2 more units, but no free place to build them." in body
    )
    assert "no free place" not in result_to(address_of("Emma"))
