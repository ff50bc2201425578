"""Results: everybody reads what all did, and only the person concerned what is theirs."""

from __future__ import annotations

import re

import pytest

from games.models import Game
from mailer.outbound import addresses
from mailer.text import MARKER
from tests.cast import DAY, HOUR, NOW, OPENINGS, Cast, address_of, seat_fill
from tests.mailer.correspondence import flat, tell_all
from tests.mailer.notices.played import (
    EVERYBODY,
    GM,
    PLAYER_OF,
    order,
    order_openings,
    process,
    set_position,
)

pytestmark = pytest.mark.django_db


def test_after_a_phase_everybody_gets_one_result_mail_that_begins_a_thread(marne: Cast):
    order_openings(marne)
    mails = process(marne)
    assert set(mails) == EVERYBODY | {GM}
    for recipient in EVERYBODY:
        power = next(power for power, address in PLAYER_OF.items() if address == recipient)
        units = 4 if power == "Russia" else 3
        assert mails[recipient].subject == (
            f"[marne] Spring 1901 movement: results; order {units} units by Sun 8 Mar 12:00 UTC"
        )
        assert (mails[recipient].references, mails[recipient].opens) == ("", marne.phase)


def test_a_result_mail_says_what_every_order_did_and_why(marne: Cast):
    order_openings(marne)
    body = flat(process(marne)["carla@players.test"].body)
    assert "France: A Paris - Burgundy: succeeds." in body
    assert re.search(r"Austria: A Vienna - Galicia: fails\. \w[^:]*Galicia[^:]*\.", body)
    assert "Italy: A Venice Holds: stands." in body


def test_a_result_mail_says_what_to_do_next_and_by_when(marne: Cast):
    order_openings(marne)
    mail = process(marne)["carla@players.test"]
    body = flat(mail.body)
    assert "Fall 1901 movement: you have 3 units to order. Deadline" in body
    assert "Your units (A Burgundy, A Spain, F Mid-Atlantic Ocean)" in body
    assert "Deadline: Sun 8 Mar 2026, 12:00 UTC, in 3 days." in body
    token = addresses.find([mail.reply_to])
    assert token is not None
    assert (token.seat, token.phase) == (marne.seat("France"), marne.phase)
    assert token.phase.name == "F1901M"


def test_missing_orders_are_told_to_the_player_concerned_and_to_the_gm_only(marne: Cast):
    order_openings(marne, "England")
    mails = process(marne)
    told = {recipient for recipient, mail in mails.items() if "missing" in mail.subject}
    assert told == {"ben@players.test", GM}
    assert "No orders came from you in time, so your units held." in mails["ben@players.test"].body
    assert "No orders came from England (Ben)." in mails[GM].body
    for recipient in EVERYBODY - told:
        assert "No orders came" not in mails[recipient].body


def test_whoever_had_time_left_is_not_told_that_they_missed_it(marne: Cast):
    order_openings(marne, "England")
    mails = process(marne, NOW + DAY)
    assert "No orders came from you, so your units held." in mails["ben@players.test"].body


def test_a_line_nobody_could_read_is_shown_to_its_writer_only(marne: Cast):
    order_openings(marne, "France")
    order(marne, "France", "A Paris - Burgundy", "I will stab Greta in 1903")
    mails = process(marne)
    assert {to for to, mail in mails.items() if "stab" in mail.body} == {"carla@players.test"}


def test_an_impossible_order_is_explained_to_its_writer_only(marne: Cast):
    order_openings(marne, "France")
    order(marne, "France", "A Paris - London", "F Brest - English Channel")
    mails = process(marne)
    told = {to for to, mail in mails.items() if "A Paris - London" in flat(mail.body)}
    assert told == {"carla@players.test"}
    assert "A Paris - London: illegal." in flat(mails["carla@players.test"].body)


def test_nothing_of_the_orders_is_in_any_mail_before_the_phase_is_over(marne: Cast):
    order_openings(marne)
    secrets = [line for lines in OPENINGS.values() for line in lines if "-" in line]
    told = tell_all()
    assert {mail.recipient for mail in told} >= set(EVERYBODY)
    for mail in told:
        said = flat(re.sub("Example of .*", "", mail.body))  # all legal, and none of an order
        assert not [secret for secret in secrets if secret in said]


def test_nobody_gets_the_reply_address_or_the_mail_address_of_another(marne: Cast):
    order_openings(marne)
    every = tell_all() + list(process(marne).values())
    assert {mail.kind for mail in every} >= {"game_started", "phase_processed"}
    for mail in every:
        if mail.recipient in EVERYBODY:
            token = addresses.find([mail.reply_to])
            assert token is not None
            assert token.seat is not None
            assert address_of(token.seat.player.name) == mail.recipient
        assert "@" not in mail.body


def test_dislodged_units_are_named_with_their_retreats(marne: Cast):
    set_position(
        marne,
        "S1902M",
        units={"France": ["A Burgundy", "A Ruhr"], "Germany": ["A Munich"]},
    )
    order(marne, "France", "A Burgundy - Munich", "A Ruhr S A Burgundy - Munich")
    order(marne, "Germany", "A Munich Holds")
    mails = process(marne)
    everybody_reads = "Germany: A Munich was dislodged. It may retreat to"
    why = "A Munich Holds: dislodged by A Burgundy - Munich."
    for mail in mails.values():
        assert everybody_reads in flat(mail.body)
        assert why in flat(mail.body)
    germany = flat(mails["dmitri@players.test"].body)
    assert "Spring 1902 retreats: you have 1 dislodged unit to retreat or disband." in germany
    assert "must retreat to Berlin, Bohemia, Kiel, Silesia or Tyrolia, or else disband." in germany
    france = flat(mails["carla@players.test"].body)
    assert "France has nothing to decide in Spring 1902 retreats." in france


def test_retreats_that_did_not_come_are_told_as_such(marne: Cast):
    set_position(
        marne,
        "S1902R",
        units={"France": ["A Munich"]},
        dislodged=[{"power": "Germany", "unit": "A Munich", "retreats": ["Berlin", "Kiel"]}],
    )
    body = flat(process(marne)["dmitri@players.test"].body)
    assert "No orders came from you in time, so your dislodged units were disbanded." in body


def test_builds_and_disbands_that_did_not_come_are_told_as_such(marne: Cast):
    centers = {**marne.phase.position["centers"], "Italy": ["Rome"]}
    units = {"Italy": ["A Rome", "A Apulia"], "France": ["A Paris"]}
    set_position(marne, "W1901A", units=units, centers=centers)
    mails = process(marne)
    assert "in time, so nothing was built." in flat(mails["carla@players.test"].body)
    assert "so the rules chose what to disband." in flat(mails["emma@players.test"].body)


def test_captured_centres_and_builds_are_told(marne: Cast):
    set_position(marne, "F1901M", units={"France": ["A Spain", "A Paris"], "Italy": ["A Rome"]})
    order(marne, "France", "A Spain H", "A Paris H")
    order(marne, "Italy", "A Rome H")
    mails = process(marne)
    france = flat(mails["carla@players.test"].body)
    assert "France: 4 centres (+1), may build 2. Gains Spain (it was free)." in france
    assert "Winter 1901 adjustments: you may build 2 units." in france
    assert "Places for new units (Brest, Marseilles)" in france
    assert "Italy: 3 centres, may build 2." in france


def test_a_power_that_must_disband_is_told_how_many(marne: Cast):
    phase = marne.phase
    centers = {**phase.position["centers"], "Italy": ["Rome"]}
    set_position(
        marne, "F1901M", units={"Italy": ["A Rome", "A Apulia"], "France": []}, centers=centers
    )
    order(marne, "Italy", "A Rome H", "A Apulia H")
    mails = process(marne)
    assert "you must disband 1 unit." in mails["emma@players.test"].body
    assert "Italy: 1 centre, must disband 1." in mails["carla@players.test"].body


def test_in_fog_a_power_reads_only_what_it_may_build_itself(marne: Cast):
    marne.game.fog = True
    marne.game.save(update_fields=["fog"])
    set_position(marne, "F1901M", units={"France": ["A Spain", "A Paris"], "Italy": ["A Rome"]})
    order(marne, "France", "A Spain H", "A Paris H")
    order(marne, "Italy", "A Rome H")
    france = flat(process(marne)["carla@players.test"].body)
    assert "France: 4 centres (+1), may build 2." in france
    assert france.count("may build") == 2


def test_a_power_without_unit_and_centre_is_thanked_and_still_gets_the_results(marne: Cast):
    phase = marne.phase
    centers = {**phase.position["centers"], "Italy": []}
    set_position(marne, "S1903M", units={"France": ["A Paris"]}, centers=centers)
    body = flat(process(marne)["emma@players.test"].body)
    assert "Italy is out of the game" in body
    assert "Italy: nothing left" in body


def test_whoever_gave_up_a_seat_hears_no_more_and_their_substitute_does(marne: Cast):
    order_openings(marne)
    hugo = marne.player("Hugo")
    power = marne.seat("France").power
    seat_fill(game=marne.game, power=power, player=hugo, now=NOW + HOUR)
    mails = process(marne)
    assert "hugo@players.test" in mails
    assert "carla@players.test" not in mails
    assert "You play France." in flat(mails["hugo@players.test"].body)


def test_the_last_results_say_how_the_game_ended_and_that_the_story_follows(marne: Cast):
    tell_all()
    everything = [one for owned in marne.phase.position["centers"].values() for one in owned]
    foreign = [one for one in everything if one not in ("Rome", "Brest", "Marseilles", "Paris")]
    mine = ["Brest", "Marseilles", "Paris", *foreign[:14]]
    assert len(mine) == 17
    set_position(
        marne,
        "F1908M",
        units={"France": ["A Spain"], "Italy": ["A Rome"]},
        centers={"France": mine, "Italy": ["Rome"]},
    )
    order(marne, "France", "A Spain Holds")
    mails = process(marne)
    assert set(mails) == EVERYBODY | {GM}
    for mail in mails.values():
        body = flat(mail.body)
        assert "The game is over: France has won with 18 centres" in body
        if mail.recipient != GM:
            assert "Nothing: the game is over, so there is no deadline. Another mail" in body
        assert mail.subject.endswith("; the game is over")
        assert (MARKER in body) == (mail.recipient == GM)  # who may still roll the game back
    assert Game.objects.get().status == Game.Status.FINISHED
