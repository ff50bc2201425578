"""What a game needs next: one sentence, the acts, and how urgent it is."""

from __future__ import annotations

import datetime as dt

import pytest

from games.acts import GAME_ACTS
from games.admin.base import countdown
from games.queries.reports.next_step import (
    NextStep,
    Situation,
    Urgency,
    Wish,
    next_step,
    time_until,
)
from games.queries.reports.wording import time_left
from tests.cast import DAY, HOUR, NOW

PLAYED = {"status": "active", "title": "Spring 1901 movement", "due_at": NOW + 3 * HOUR}

CASES = {
    "over": (Situation(status="finished"), Urgency.OVER, "The game is over.", ""),
    "seats are free": (
        Situation(status="forming", free=2),
        Urgency.FORMING,
        "2 seats are still free.",
        "invite",
    ),
    "somebody asks to be let in": (
        Situation(status="forming", free=2, asking=1),
        Urgency.NOW,
        "1 player asks to join, and you let people in.",
        "let_in",
    ),
    "a muster": (
        Situation(status="muster", silent=1),
        Urgency.FORMING,
        "1 player has still to say that they are here.",
        "start",
    ),
    "full before its time": (
        Situation(status="forming", starts_at=NOW + DAY),
        Urgency.FORMING,
        "All seats are taken. It starts Tue 3 Mar 2026, 12:00 UTC.",
        "start",
    ),
    "paused for good": (
        Situation(status="paused"),
        Urgency.SOON,
        "The game is paused until somebody resumes it.",
        "resume",
    ),
    "paused for a while": (
        Situation(status="paused", resume_at=NOW + 2 * DAY),
        Urgency.CALM,
        "The game is paused, and goes on by itself in 2 days.",
        "resume",
    ),
    "stuck": (
        Situation(**PLAYED, stuck=True),
        Urgency.NOW,
        "Spring 1901 movement could not be adjudicated. Whoever runs the server has been told; "
        "you can try it again.",
        "process_now",
    ),
    "waits for the GM": (
        Situation(**PLAYED, waits=True, policy="gm", missing=("Italy",)),
        Urgency.NOW,
        "The deadline has passed, and the game is waiting for Italy. You decide how it goes on.",
        "remind",
    ),
    "waits for a player": (
        Situation(**PLAYED, waits=True, policy="wait", missing=("Italy", "Turkey")),
        Urgency.NOW,
        "The deadline has passed, and the game is waiting for Italy and Turkey. Their seats may be "
        "taken over.",
        "remind",
    ),
    "waits for a power that nobody plays": (
        Situation(**PLAYED, waits=True, policy="wait", adrift=("Italy",)),
        Urgency.NOW,
        "The deadline has passed, and the game is waiting for Italy. "
        "Their seats may be taken over.",
        "offer",
    ),
    "somebody asked for time": (
        Situation(**PLAYED, asked=(Wish("France", NOW + 27 * HOUR, "I am ill."),)),
        Urgency.NOW,
        "France asks for 1 day more, until Tue 3 Mar 2026, 15:00 UTC: “I am ill.”",
        "extend",
    ),
    "two asked for time": (
        Situation(
            **PLAYED,
            asked=(Wish("France", NOW + 27 * HOUR, ""), Wish("Italy", NOW + 6 * HOUR, "A train.")),
        ),
        Urgency.NOW,
        "France asks for 1 day more, until Tue 3 Mar 2026, 15:00 UTC. Italy asks for 3 hours more, "
        "until Mon 2 Mar 2026, 18:00 UTC: “A train.”",
        "extend",
    ),
    "missing, near, and just reminded": (
        Situation(**PLAYED, missing=("England",), reminded=True),
        Urgency.SOON,
        "Orders are missing from England.",
        "extend",
    ),
    "missing and near": (
        Situation(**PLAYED, missing=("England",)),
        Urgency.SOON,
        "Orders are missing from England.",
        "remind",
    ),
    "missing and far": (
        Situation(status="active", due_at=NOW + 3 * DAY, missing=("England", "Italy")),
        Urgency.CALM,
        "Waiting for England and Italy.",
        "extend",
    ),
    "far, and the deadline moved": (
        Situation(
            status="active", due_at=NOW + 3 * DAY, missing=("Italy",), to_speak_again=("England",)
        ),
        Urgency.CALM,
        "Waiting for England and Italy.",
        "extend",
    ),
    "a phase has just opened": (
        Situation(status="active", due_at=NOW + 3 * DAY, missing=tuple("ABCDEFG"), deciding=7),
        Urgency.CALM,
        "Waiting for all 7 powers.",
        "extend",
    ),
    "both powers that have to decide, and far": (
        Situation(status="active", due_at=NOW + 3 * DAY, missing=("Italy", "England"), deciding=2),
        Urgency.CALM,
        "Waiting for England and Italy.",
        "extend",
    ),
    "some of many are in, and far": (
        Situation(status="active", due_at=NOW + 3 * DAY, missing=tuple("ABCDE"), deciding=7),
        Urgency.CALM,
        "Waiting for 5 powers.",
        "extend",
    ),
    "nobody is in and no deadline is near": (
        Situation(status="active", missing=("England",), deciding=1),
        Urgency.CALM,
        "Waiting for England.",
        "extend",
    ),
    "a power without a player": (
        Situation(**PLAYED, adrift=("Turkey",)),
        Urgency.SOON,
        "Turkey has no player who answers.",
        "offer",
    ),
    "a power without a player whose seat is not open": (
        Situation(**PLAYED, adrift=("Turkey",), open_seats=False),
        Urgency.SOON,
        "Turkey has no player who answers.",
        "replace",
    ),
    "all in": (
        Situation(**PLAYED),
        Urgency.CALM,
        "All orders are in.",
        "process_now",
    ),
    "all in, and it goes on by itself": (
        Situation(**PLAYED, by_itself=True, early_at=NOW + HOUR / 2, zone="Europe/Berlin"),
        Urgency.CALM,
        "All orders are in. Spring 1901 movement is processed by itself in 30 minutes, on Mon 2 "
        "Mar 2026, 13:30 CET (12:30 UTC).",
        "extend",
    ),
    "all in, and it goes on by itself just now": (
        Situation(**PLAYED, by_itself=True, early_at=NOW),
        Urgency.CALM,
        "All orders are in. Spring 1901 movement is being processed.",
        "extend",
    ),
    "all in, but somebody said WAIT": (
        Situation(**PLAYED, by_itself=True),
        Urgency.CALM,
        "All orders are in.",
        "extend",
    ),
    "all in, and moved since": (
        Situation(**PLAYED, to_speak_again=("France", "Italy")),
        Urgency.CALM,
        "All orders are in, but France and Italy have to speak again, since the deadline moved.",
        "extend",
    ),
    "behind": (
        Situation(status="active", title="Fall 1901 movement", due_at=NOW - HOUR),
        Urgency.CALM,
        "The deadline has passed: Fall 1901 movement waits for mail that has still to be read or "
        "sent. If that takes long, ask whoever runs the server.",
        "",
    ),
    "being processed": (
        Situation(status="active", title="Fall 1901 movement", due_at=NOW - HOUR / 60),
        Urgency.CALM,
        "The deadline has passed: Fall 1901 movement is being processed.",
        "",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_game_says_what_it_needs_next(name: str) -> None:
    at, urgency, sentence, act = CASES[name]
    step = next_step(at, NOW)
    assert (step.urgency, step.sentence) == (urgency, sentence)
    assert next(iter(step.acts), "") == act
    assert set(step.acts) <= set(GAME_ACTS)


def test_many_powers_are_counted_and_not_named() -> None:
    at = Situation(**PLAYED, missing=tuple("ABCDE"))
    assert next_step(at, NOW) == NextStep(
        Urgency.SOON, "Orders are missing from 5 powers.", ("remind", "extend")
    )


def test_one_button_extends_to_the_latest_time_that_anybody_asked_for() -> None:
    asked = (
        Wish("Italy", NOW + 6 * HOUR, "A train."),
        Wish("France", NOW + 27 * HOUR + dt.timedelta(seconds=5), "I am ill."),
    )
    step = next_step(Situation(**PLAYED, asked=asked, clock="Europe/Berlin"), NOW)
    assert step.words == "Extend to Tue 3 Mar 2026, 16:01 CET (15:01 UTC)"
    assert step.given == {
        "to": "2026-03-03 16:01",
        "why": "France asked for more time: “I am ill.”",
    }


@pytest.mark.parametrize("seconds", [59 * 60 + 59, 2 * 3600 + 59 * 60, 5 * 3600 + 3599, 100_000])
def test_pages_and_mails_round_what_is_left_alike(seconds: int) -> None:
    """“5 hours left” beside “in 5 hours and 59 minutes” makes people ask which is true."""
    at = NOW + dt.timedelta(seconds=seconds)
    in_mails = time_left(at, NOW)
    assert time_until(at, NOW) == in_mails
    assert countdown(at, NOW, "UTC").endswith(f", in {in_mails}")
