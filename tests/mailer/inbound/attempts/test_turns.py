"""Whose turn it is: the mails of one sender delay nobody else."""

from __future__ import annotations

import pytest

from games.models import OrderSet
from mailer.commands.player.views.list import List
from mailer.inbound import processing, turns
from mailer.models import InboundMail
from mailer.outbound import addresses
from tests.cast import HOUR, NOW, Cast
from tests.mailer.correspondence import answer_to, eml, flat, stored, write
from tests.mailer.inbound.attempts.attempting import MINUTE, State, at_work, raiser, state
from tests.rows import each_row

pytestmark = pytest.mark.django_db


# --- Turns ----------------------------------------------------------------------------------


def test_the_mails_of_one_sender_delay_nobody_else(marne: Cast) -> None:
    flood = [stored(eml("STATUS", sender="carla@players.test")) for _ in range(40)]
    late = stored(eml("STATUS", sender="Ben <Ben@players.test>"), received_at=NOW + HOUR)
    assert processing.process_inbound(now=NOW + HOUR, limit=2) == 2
    assert state(late) == State.DONE
    assert [state(mail) for mail in flood].count(State.DONE) == 1


def test_whoever_comes_while_a_flood_is_worked_on_waits_for_a_few_mails(marne: Cast) -> None:
    for _ in range(40):
        stored(eml("STATUS", sender="carla@players.test"))
    processing.process_inbound(now=NOW, limit=20)
    for name in ("ben", "dora", "emma"):
        stored(eml("STATUS", sender=f"{name}@players.test"), received_at=NOW + MINUTE)
    before = InboundMail.objects.filter(state=State.DONE).count()
    processing.process_inbound(now=NOW + MINUTE, limit=4)
    done = InboundMail.objects.filter(state=State.DONE)
    assert done.count() == before + 4
    assert done.exclude(sender="carla@players.test").count() == 3


def test_the_mails_of_one_sender_are_worked_on_in_their_order(marne: Cast, france: str) -> None:
    mails = [stored(eml(f"A Par - {to}", sender="carla@players.test", to=france)) for to in "BPG"]
    processing.process_inbound(now=NOW, limit=10)
    worked_on = list(OrderSet.objects.order_by("pk").values_list("mail__mail", flat=True))
    assert worked_on == [mail.pk for mail in mails]


def test_nobody_takes_the_next_mail_of_a_sender_whose_mail_is_being_worked_on(marne: Cast) -> None:
    first, second = (stored(eml("STATUS", sender="carla@players.test")) for _ in range(2))
    at_work(first, NOW)
    assert turns.next_turn(NOW) == []
    assert turns.next_turn(NOW + turns.LEASE) == [first.pk]
    processing.process_mail(mail_id=first.pk, now=NOW + turns.LEASE)
    assert turns.next_turn(NOW + turns.LEASE) == [second.pk]


def test_a_mail_that_breaks_does_not_stop_the_next_of_its_sender(
    marne: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(List, "run", raiser(RuntimeError("boom")))
    stored(eml("LIST", sender="carla@players.test"))
    good = stored(eml("STATUS", sender="carla@players.test"))
    assert processing.process_inbound(now=NOW, limit=10) == 1
    assert state(good) == State.DONE


def test_of_mails_taken_together_the_one_that_breaks_costs_the_others_nothing(
    marne: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs: list[str] = []

    def breaks(*args: object) -> None:
        runs.append("run")
        raise RuntimeError("boom")

    monkeypatch.setattr(List, "run", breaks)
    good, bad, another = (
        stored(eml(text, sender=f"{name}@players.test"))
        for name, text in (("ben", "STATUS"), ("carla", "LIST"), ("dora", "STATUS"))
    )
    assert processing.process_inbound(now=NOW, limit=10) == 2
    assert [state(mail) for mail in (good, bad, another)] == [State.DONE, State.NEW, State.DONE]
    assert [mail.answers.count() for mail in (good, bad, another)] == [1, 0, 1]
    assert bad.attempts == 1
    assert bad.error.startswith("RuntimeError")
    assert len(runs) == 2  # among the others, and by itself


@each_row(
    ("line", "claimed"),
    [
        ("From: Carla <Carla@Players.test>", "carla@players.test"),
        ("From: a@x.test, b@x.test", ""),
        ("From: a@x.test\r\nFrom: b@x.test", ""),
        ("X-From: a@x.test", ""),
        (f"X: {'x' * 100_000}\r\nFrom: a@x.test", ""),
    ],
)
def test_the_sender_of_whom_it_is_the_turn_is_read_when_a_mail_is_stored(
    db: None, line: str, claimed: str
) -> None:
    assert stored(f"{line}\r\n\r\nFrom: z@z.test\r\n".encode()).sender == claimed


# --- Too many commands ----------------------------------------------------------------------


def test_of_very_many_commands_the_first_are_done_and_the_sender_is_told(
    marne: Cast, france: str
) -> None:
    text = "\n".join([*["STATUS", "SET"] * 10, "LIST", *["STATUS"] * 30])
    body = flat(answer_to(write("Carla", text, to=france)).body)
    assert "One mail can hold 20 commands, and yours has 51." in body
    assert "the first of those is LIST." in body
    assert "send the others in another mail" in body
    assert body.count("marne: it is Spring") == 10


def test_twenty_commands_and_any_number_of_orders_are_none_too_many(
    marne: Cast, france: str
) -> None:
    text = "\n".join([*["STATUS"] * 19, *["A Par H"] * 30])
    body = flat(answer_to(write("Carla", text, to=france)).body)
    assert "can hold" not in body
    assert OrderSet.objects.exists()


def test_a_game_master_is_told_as_well(marne: Cast) -> None:
    to = addresses.gm_address(user=marne.gm, game=marne.game, now=NOW)
    text = "\n".join(["STATUS"] * 25)
    body = flat(answer_to(write("gm", text, to=to, sender="gm@players.test")).body)
    assert "One mail can hold 20 commands, and yours has 25." in body
    assert body.count("STATUS in marne") == 20


def test_a_grave_command_after_twenty_others_is_not_done_unasked(marne: Cast, france: str) -> None:
    text = "\n".join([*["STATUS"] * 20, "RESIGN marne"])
    write("Carla", text, to=france)
    assert marne.seat("France").player.name == "Carla"
