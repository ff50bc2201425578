"""Each promise of the chaos run holds for a run in which all went well, and can be broken."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import pytest

from tests.chaos.count import CAME_BEFORE, Whose, counts, latest_after
from tests.chaos.diary import Attempt
from tests.chaos.facts import Arrival, Calm, Facts, Inbound, OrderSet, Outbound, Phase

NOON = dt.datetime(2026, 3, 2, 12, 0, tzinfo=dt.UTC)
JUDGE, GM, ANA, BEN = "judge@game.test", "gm@players.test", "ana@players.test", "ben@players.test"
WHOSE = Whose(judge=JUDGE, gm=GM, players=(ANA, BEN))
LINES = ["A Paris - Burgundy"]

STORED = "mails delivered to the judge are in the database"
ONE_EFFECT = "mails are done once, with one receipt"
ONE_SET = "mails with orders made one order set"
THEIR_TIME = "order sets have the time at which they came"
IN_TIME = "orders in time were taken, late ones not"
AS_WRITTEN = "whole sets were adjudicated as they were written"
ONCE = "phases were adjudicated once"
ONE_RESULT = "phases have one result for each player and the GM"
DELIVERED = "mails sent were delivered"
WITHIN_A_MINUTE = "results were delivered within a minute of recovery"
NOTHING_LEFT = "rows: nothing is stuck, set aside, held or queued"
WHOLE_LOGS = "games' logs are whole"
QUOTED = "lines of our logs quote no player"


def at(seconds: float) -> dt.datetime:
    return NOON + dt.timedelta(seconds=seconds)


def calm(recovered: float, ended: float) -> Calm:
    return Calm(at(recovered).timestamp(), at(ended).timestamp())


def result(whom: str, phase: int = 1) -> Outbound:
    return Outbound(f"<result-{whom}>", whom, "phase_processed", "sent", at(61), phase, False)


ORDERS = Attempt("<orders>", ANA, "orders", "arras", at(9).timestamp(), taken=True)
CAME = Inbound("<orders>", "done", "", at(10), answers=1, order_sets=1)
COPY = Inbound("<orders>", "ignored", CAME_BEFORE, at(12), answers=0, order_sets=0)
RECEIPT = Outbound("<receipt>", ANA, "reply", "sent", at(11), None, True)
SET = OrderSet(1, "France", "replace", LINES, True, False, at(10), "<orders>")
PLAYED = Phase(1, "arras", 1, "S1901M", "processed", at(60), at(61), 1, {"France": LINES})
OPEN = Phase(2, "arras", 2, "F1901M", "open", at(4000), None, 0, None)
WELL = Facts(
    attempts=[ORDERS],
    arrivals=[
        Arrival(JUDGE, "<orders>", at(10)),
        Arrival(JUDGE, "<orders>", at(12)),
        Arrival(ANA, "<receipt>", at(12)),
        *(Arrival(whom, f"<result-{whom}>", at(110)) for whom in (GM, ANA, BEN)),
    ],
    inbound=[CAME, COPY],
    outbound=[RECEIPT, *(result(whom) for whom in (GM, ANA, BEN))],
    phases=[PLAYED, OPEN],
    order_sets=[SET],
    calms=[calm(100, 170)],
    games={"arras": "active"},
    logs={"worker-1": "Mail #3 broke the program\n"},
)


def broken(facts: Facts) -> set[str]:
    return {count.what for count in counts(facts, WHOSE) if count.faults}


def test_a_run_in_which_all_went_well_breaks_no_promise() -> None:
    assert broken(WELL) == set()
    assert all(count.cases for count in counts(WELL, WHOSE))


def without(mailbox: str, message_id: str) -> list[Arrival]:
    gone = [one for one in WELL.arrivals if (one.mailbox, one.message_id) == (mailbox, message_id)]
    assert gone
    return [one for one in WELL.arrivals if one not in gone]


UNSTORED = Arrival(JUDGE, "<never stored>", at(20))
TAKEN_AND_LOST = replace(ORDERS, message_id="<lost>")
LATE_SET = replace(SET, received_at=at(62))

BROKEN = {
    "a mail was never stored": (
        replace(WELL, arrivals=[*WELL.arrivals, UNSTORED]),
        {STORED},
    ),
    "the relay took a mail that nobody has": (
        replace(WELL, attempts=[ORDERS, TAKEN_AND_LOST]),
        {STORED},
    ),
    "both copies of a mail took effect": (
        replace(WELL, inbound=[CAME, replace(CAME, received_at=at(12))]),
        {ONE_EFFECT, ONE_SET},
    ),
    "a mail was ignored": (
        replace(WELL, inbound=[replace(CAME, state="ignored", note="A program wrote it."), COPY]),
        {ONE_EFFECT},
    ),
    "a mail has no receipt": (
        replace(WELL, inbound=[replace(CAME, answers=0), COPY]),
        {ONE_EFFECT},
    ),
    "a mail has two receipts": (
        replace(WELL, inbound=[replace(CAME, answers=2), COPY]),
        {ONE_EFFECT},
    ),
    "orders went nowhere": (
        replace(WELL, inbound=[replace(CAME, order_sets=0), COPY]),
        {ONE_SET},
    ),
    "orders count from another time": (
        replace(WELL, order_sets=[replace(SET, received_at=at(11))]),
        {THEIR_TIME},
    ),
    "orders in time were called late": (
        replace(WELL, order_sets=[replace(SET, late=True)]),
        {IN_TIME},
    ),
    "orders were taken after the deadline": (
        replace(WELL, order_sets=[LATE_SET]),
        {IN_TIME, THEIR_TIME},
    ),
    "other orders were adjudicated": (
        replace(WELL, phases=[replace(PLAYED, orders={"France": ["A Paris Holds"]}), OPEN]),
        {AS_WRITTEN},
    ),
    "a phase was adjudicated twice": (
        replace(WELL, phases=[replace(PLAYED, adjudications=2), OPEN]),
        {ONCE},
    ),
    "a phase was adjudicated and says it is open": (
        replace(WELL, phases=[PLAYED, replace(OPEN, adjudications=1)]),
        {ONCE},
    ),
    "a number is missing": (
        replace(WELL, phases=[PLAYED, replace(OPEN, number=3)]),
        {ONCE},
    ),
    "the GM has no result": (
        replace(WELL, outbound=[one for one in WELL.outbound if one.recipient != GM]),
        {ONE_RESULT, DELIVERED},
    ),
    "a player has two results": (
        replace(WELL, outbound=[*WELL.outbound, result(BEN)]),
        {ONE_RESULT},
    ),
    "a result was marked and never came": (
        replace(WELL, arrivals=without(BEN, f"<result-{BEN}>")),
        {DELIVERED, WITHIN_A_MINUTE},
    ),
    "a mail came that is no row": (
        replace(WELL, outbound=WELL.outbound[1:]),
        {DELIVERED},
    ),
    "a result came too late after the recovery": (
        replace(
            WELL,
            arrivals=[
                *without(BEN, f"<result-{BEN}>"),
                Arrival(BEN, f"<result-{BEN}>", at(161)),
            ],
        ),
        {WITHIN_A_MINUTE},
    ),
    "a mail is set aside": (
        replace(WELL, inbound=[replace(CAME, state="quarantined"), COPY]),
        {ONE_EFFECT, NOTHING_LEFT},
    ),
    "a mail is queued": (
        replace(WELL, outbound=[*WELL.outbound, replace(RECEIPT, state="queued")]),
        {NOTHING_LEFT},
    ),
    "a phase is stuck": (
        replace(WELL, phases=[PLAYED, replace(OPEN, status="stuck")]),
        {NOTHING_LEFT},
    ),
    "a phase waits": (
        replace(WELL, phases=[PLAYED, replace(OPEN, due_at=at(90))]),
        {NOTHING_LEFT},
    ),
    "nobody was told of an event": (replace(WELL, untold=1), {NOTHING_LEFT}),
    "a game's log was changed": (
        replace(WELL, log_faults={"arras": "Event 3 was changed."}),
        {WHOLE_LOGS},
    ),
    "a log quotes an order": (
        replace(WELL, logs={"worker-1": "KeyError: 'A Paris - Burgundy'\n"}),
        {QUOTED},
    ),
    "a log has a reply address in it": (
        replace(WELL, logs={"worker-1": f"refused: judge+{'a' * 27}@game.test\n"}),
        {QUOTED},
    ),
}


@pytest.mark.parametrize(("facts", "promises"), BROKEN.values(), ids=list(BROKEN))
def test_a_promise_that_is_broken_is_counted(facts: Facts, promises: set[str]) -> None:
    assert broken(facts) == promises


def test_every_promise_can_be_broken() -> None:
    assert set[str]().union(*(promises for _, promises in BROKEN.values())) == {
        count.what for count in counts(WELL, WHOSE)
    }


def test_a_mail_that_came_twice_is_no_fault_while_its_message_id_is_the_same() -> None:
    twice = replace(WELL, arrivals=[*WELL.arrivals, Arrival(ANA, "<receipt>", at(13))])
    assert broken(twice) == set()


def test_late_orders_are_rightly_late_and_so_are_those_after_an_early_end() -> None:
    late = replace(SET, received_at=at(62), late=True, counts=False, message_id="<late>")
    came = Arrival(JUDGE, "<late>", at(62))
    row = replace(CAME, message_id="<late>", received_at=at(62))
    facts = replace(
        WELL,
        order_sets=[SET, late],
        arrivals=[*WELL.arrivals, came],
        inbound=[*WELL.inbound, row],
    )
    assert broken(facts) == set()

    early = replace(PLAYED, processed_at=at(30))
    assert (
        broken(replace(WELL, order_sets=[replace(SET, late=True)], phases=[early, OPEN])) == set()
    )


def test_a_mail_in_the_second_of_the_deadline_may_be_either() -> None:
    """INTERNALDATE has whole seconds: nobody can say which came first."""
    due = replace(PLAYED, due_at=at(10.4))
    assert broken(replace(WELL, phases=[due, OPEN])) == set()


def test_what_must_be_done_has_a_minute_of_calm() -> None:
    calms = [calm(100, 130), calm(200, 270), calm(400, 900)]
    assert latest_after(at(90), calms) == at(260), "the first calm was too short"
    assert latest_after(at(205), calms) == at(265)
    assert latest_after(at(220), calms) == at(460), "it was due too late in that calm"
    assert latest_after(at(500), calms) == at(560)
    assert latest_after(at(880), calms) is None


@pytest.mark.parametrize("seconds", [0, 90])
def test_a_result_need_not_come_within_a_minute_while_it_storms(seconds: float) -> None:
    assert broken(replace(WELL, calms=[calm(500, 500 + seconds)])) == set()
