"""Variants by mail: RULES, the start mail, the orders that only one map knows, results."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from games.models import Game
from games.queries.orders.advance_orders import orders_kept
from games.queries.orders.current_orders import followed_orders
from games.services.adjudication.phases import phase_process
from judge import load_variant, variant_names
from mailer import jobs
from mailer.models import OutboundMail
from tests.cast import DAY, Cast
from tests.mailer.by_variant import Table, begun_by_mail, place, start_mail
from tests.mailer.correspondence import answer_to, flat, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db

PAGE = Path(__file__).parents[2] / "docs" / "variants.md"


def test_rules_lists_all_variants_to_whoever_asks() -> None:
    body = flat(answer_to(write("Nobody", "RULES", sender="x@players.test")).body)
    for name in variant_names():
        assert f"- {name}: {load_variant(name).title}" in body
    assert "Modern by Vincent Mous: 10 powers, 33 of 64 centres win." in body
    assert body.index("A unit that is driven out retreats") < body.index("- 1898: 1898")
    listed = flat(answer_to(write("Nobody", "VARIANTS", sender="x@players.test")).body)
    assert "- 1898: 1898" in listed
    assert "driven out" not in listed


@each_row("written", ["colonial", "Colonial", "ancient med", "1900"])
def test_rules_and_a_name_says_how_the_variant_is_played(written: str) -> None:
    body = flat(answer_to(write("Nobody", f"RULES {written}", sender="x@players.test")).body)
    name = written.lower().replace(" ", "_")
    assert all(paragraph in body for paragraph in load_variant(name).differs)
    assert f"/variants/{name}/" in body


def test_rules_of_a_game_says_which_variant_it_is(marne: Cast) -> None:
    body = flat(answer_to(write("Hugo", "RULES marne")).body)
    assert "The game marne is played as Standard by Allan B. Calhamer" in body
    assert "Germany, Italy, Russia and Turkey." in body
    assert "What you promise each other in letters binds nobody" in body
    Game.objects.update(press_mode="none")
    assert "in letters" not in flat(answer_to(write("Hugo", "RULES marne")).body)


def test_rules_of_something_unknown_names_the_variants(marne: Cast) -> None:
    body = flat(answer_to(write("Hugo", "RULES atlantis")).body)
    assert "There is no game and no variant “atlantis”" in body
    assert "colonial" in body


def test_the_page_of_variants_is_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("list_variants", "--page")
    assert capsys.readouterr().out == PAGE.read_text("utf-8"), (
        "run: manage.py list_variants --page > docs/variants.md"
    )
    call_command("list_variants")
    assert "colonial: Colonial by Peter Hawes: 7 powers" in capsys.readouterr().out


def test_a_train_and_a_canal_by_mail() -> None:
    """The start mail explains them; orders, AMEND, WHATIF and the result know them."""
    table = begun_by_mail("colonial")
    seats = {seat.power.name: seat for seat in table.seats()}
    russia = seats["Russia"]
    assert "Write “A Moscow - TSR - Vladivostok”." in start_mail(russia)
    receipt = table.write(russia, "A Mos - TSR - Irk\nA Vla - Seo\nA Omsk - Kra")
    assert "A Moscow - TSR - Irkutsk" in receipt.body
    amended = table.write(russia, "AMEND\nA Mos - Prm via TSR")
    assert "A Moscow - TSR - Perm" in amended.body
    assert "before: A Moscow - TSR - Irkutsk" in amended.body
    assert "A Vladivostok - Seoul" in amended.body
    what_if = table.write(russia, "WHATIF\nRussia: A Mos - TSR - Irk\nRussia: A Omsk - Kra")
    assert "Stops in Perm" in flat(what_if.body)
    table.write(russia, "A Mos - TSR - Irk\nA Omsk - Kra")
    table.write(seats["China"], "A Peking - Mongolia")
    table.now += 4 * DAY
    phase_process(game_id=table.game.pk, now=table.now)
    jobs.tell(table.now)
    mails = OutboundMail.objects.filter(player=russia.player, subject__contains="1870")
    body = flat(mails.exclude(kind="reply").latest("pk").body)
    assert "A Moscow - TSR - Irkutsk" in body
    assert "Stops in Perm" in body
    assert any(str(unit) == "A Perm" for unit in table.position.units_of("Russia"))


def test_leave_to_go_through_the_canal_by_mail() -> None:
    """Receipt, AMEND, WHATIF and results know one power's leave and another one's fleet."""
    table = begun_by_mail("colonial")
    seats = {seat.power.name: seat for seat in table.seats()}
    place(table, {"Turkey": ["A Egypt"], "Russia": ["F Mediterranean Sea"]})
    leave, voyage = "SC F Mediterranean Sea - Red Sea", "F Mediterranean Sea - Red Sea"
    assert leave in table.write(seats["Turkey"], "A Egypt H\nSC F Med - Red").body
    amended = table.write(seats["Turkey"], "AMEND\nA Egypt S F Med - Red").body
    assert leave in amended or "cannot support" in flat(amended)
    assert leave in table.write(seats["Turkey"], "A Egypt H\nsc f med-red").body
    assert voyage in table.write(seats["Russia"], "F Med - Red").body
    tried = flat(table.write(seats["Russia"], f"WHATIF\nRussia: {voyage}").body)
    assert "Turkey, with A Egypt, did not let it through the Suez Canal." in tried
    table.now += 4 * DAY
    phase_process(game_id=table.game.pk, now=table.now)
    jobs.tell(table.now)
    assert [str(unit) for unit in table.position.units_of("Russia")] == ["F Red Sea"]
    mails = OutboundMail.objects.filter(player=seats["China"].player, kind="phase_processed")
    body = flat(mails.latest("pk").body)
    assert leave in body
    assert voyage in body


def test_a_phase_of_antiquity_is_looked_up_by_its_name() -> None:
    """Its year has one digit, so that a mail once took it for the name of a game."""
    table = begun_by_mail("ancient_med")
    seat = next(table.seats())
    table.write(seat, "Orders for Spring 1:\nA Carthage - Cirta")
    table.now += 4 * DAY
    phase_process(game_id=table.game.pk, now=table.now)
    jobs.tell(table.now)
    for command in ("HISTORY S1M", "HISTORY s1m", "HISTORY somme S1M"):
        said = flat(table.write(seat, command).body)
        assert "Spring 1 movement" in said, command
        assert "There is no" not in said, command


def test_same_sends_a_train_again_that_did_not_leave() -> None:
    """It is a new order: where the way is free now, the train goes."""
    table = begun_by_mail("colonial")
    russia = {seat.power.name: seat for seat in table.seats()}["Russia"]
    table.write(russia, "A Mos - TSR - Irk\nA Omsk - Moscow via TSR")
    table.now += 4 * DAY
    phase_process(game_id=table.game.pk, now=table.now)
    jobs.tell(table.now)
    assert {"A Moscow", "A Omsk"} <= {str(unit) for unit in table.position.units_of("Russia")}
    again = table.write(russia, "SAME")
    assert "A Moscow - TSR - Irkutsk" in again.body
    amended = table.write(russia, "AMEND\nA Omsk - Kra")
    assert "A Moscow - TSR - Irkutsk" in amended.body


def test_orders_ahead_are_kept_for_phases_that_come_in_that_variant_only() -> None:
    """In Hundred, Fall 1430 follows Spring 1425: what is kept for Fall 1425 nobody would use."""
    table = begun_by_mail("hundred")
    seat = next(table.seats())
    refused = flat(table.write(seat, "PHASE F1425M\nA Dijon H").body)
    assert "This game has no Fall 1425 movement. Write PHASE F1430M for Fall 1430" in refused
    assert not orders_kept(seat)
    for phase in ("S1425R", "F1430M", "W1430A", "S1435M", "W1480A"):
        kept = flat(table.write(seat, f"PHASE {phase}\nDisband A Dijon").body)
        assert "are kept for" in kept, phase
    far = flat(table.write(seat, "PHASE S1485M\nA Dijon H").body)
    assert "is too far off: orders are kept for phases up to Winter 1480 adjustments" in far


def test_leave_stands_in_the_receipt_beside_the_orders_of_units() -> None:
    """It is no decision, so nobody waits for it; a set without it says that it is gone."""
    table = begun_by_mail("colonial")
    turkey = {seat.power.name: seat for seat in table.seats()}["Turkey"]
    place(table, {"Turkey": ["A Egypt"], "Russia": ["F Mediterranean Sea"]})
    leave = "SC F Mediterranean Sea - Red Sea"
    given = table.write(turkey, f"A Egypt H\n{leave}")
    assert "1 of 1: A Egypt Holds\nleave given: " + leave in given.body
    amended = flat(table.write(turkey, "AMEND\nA Egypt - Sudan").body)
    assert f"leave given: {leave}" in amended
    assert f"This leave does nothing if your unit in Egypt moves away: {leave}." in amended
    assert f"leave given: {leave}" in table.write(turkey, "ORDERS").body
    gone = table.write(turkey, "A Egypt H")
    assert f"leave given: none\n  before: {leave}" in gone.body
    assert "leave given" not in table.write(turkey, "A Egypt - Syria").body


@pytest.mark.parametrize("fog", [False, True])
def test_leave_counts_that_is_written_below_an_order_for_every_unit(fog: bool) -> None:
    """In fog, and in sealed orders, as many orders once counted as there were units."""
    table = begun_by_mail("colonial", fog=fog)
    turkey = {seat.power.name: seat for seat in table.seats()}["Turkey"]
    place(table, {"Turkey": ["A Egypt", "F Mediterranean Sea", "F Red Sea"]})
    lines = ["A Egypt H", "F Mediterranean Sea - Red Sea", "F Red Sea - Gulf of Aden"]
    leave = "SC F Mediterranean Sea - Red Sea"
    table.write(turkey, "\n".join([*lines, leave]))
    assert leave in followed_orders(table.phase, "Turkey", [*lines, leave])
    table.now += 4 * DAY
    phase_process(game_id=table.game.pk, now=table.now)
    jobs.tell(table.now)
    mails = OutboundMail.objects.filter(player=turkey.player, kind="phase_processed")
    assert f"{leave}: given." in flat(mails.latest("pk").body)


def after_fall(table: Table, power: str, phase: Mapping[str, Any]) -> str:
    """Let the open phase be processed in this position; what the power is told of it."""
    now = table.phase
    state: Any = {**now.position, **phase}
    now.position = state
    now.save()
    table.now += 4 * DAY
    phase_process(game_id=table.game.pk, now=table.now)
    jobs.tell(table.now)
    player = {seat.power.name: seat for seat in table.seats()}[power].player
    mails = OutboundMail.objects.filter(player=player, kind="phase_processed")
    return flat(mails.latest("pk").body)


def test_who_may_build_less_than_their_centres_reads_by_which_rule() -> None:
    """Hong Kong counts as a centre of China in the text, but gives it no build."""
    table = begun_by_mail("colonial")
    units = {"China": ["A Hong Kong", "A Canton", "A Peking", "A Shanghai", "A Sinkiang"]}
    told = after_fall(table, "China", {"phase": "F1870M", "units": {**units, "Japan": ["A Tokyo"]}})
    assert "nothing to decide in Winter 1870 adjustments. Hong Kong gives China no build." in told
    assert "no free place to build" not in told


def test_who_may_build_more_than_their_centres_reads_by_which_rule() -> None:
    table = begun_by_mail("1900")
    units = {"Russia": ["A Moscow", "F Sevastopol"], "Germany": ["A Warsaw"]}
    told = after_fall(table, "Russia", {"phase": "F1900M", "units": units})
    assert "you may build 2 units. By its emergency measures Russia may have one unit more" in told


def test_one_unit_without_an_order_is_one_unit() -> None:
    """Most powers of Chaos and 1898 have one."""
    table = begun_by_mail("1898")
    germany = {seat.power.name: seat for seat in table.seats()}["Germany"]
    assert "orders for 0 of 1 unit." in flat(table.write(germany, "A Kiel - Paris").body)


def test_same_gives_the_same_leave_again_while_its_unit_stays() -> None:
    table = begun_by_mail("colonial")
    turkey = {seat.power.name: seat for seat in table.seats()}["Turkey"]
    place(table, {"Turkey": ["A Egypt"], "Russia": ["F Mediterranean Sea"]})
    leave = "SC F Mediterranean Sea - Red Sea"
    alone = flat(table.write(turkey, leave).body)
    assert "They are the first that you have sent for this phase." in alone
    table.write(turkey, f"A Egypt H\n{leave}")
    table.now += 4 * DAY
    phase_process(game_id=table.game.pk, now=table.now)
    jobs.tell(table.now)
    assert f"leave given: {leave}" in table.write(turkey, "SAME").body
    place(table, {"Turkey": ["A Syria"], "Russia": ["F Mediterranean Sea"]})
    assert "is still where it was" in flat(table.write(turkey, "SAME").body)
