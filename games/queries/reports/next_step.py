"""What a game needs next, in one sentence, and the acts that would do it. Reads no row and no
clock.

One rule serves a GM's home, a game's own page and the count in the header: first what only a person
can settle, then what is due soon.
"""

from __future__ import annotations

import datetime as dt
import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from zoneinfo import ZoneInfo

from games.models import Game
from games.queries.players.seats import BEFORE_START
from games.queries.reports.wording import counted, listed, local_moment, time_left

Status = Game.Status

SOON = dt.timedelta(hours=24)
"""If orders are missing this close to a deadline, somebody should know."""
LONGEST_REASON = 200
"""How long the reason of an act may be."""
MOST_NAMED = 4
"""If there are more powers than this, we only count them."""


class Urgency(enum.IntEnum):
    """How much a game needs its GM; the smallest is the most urgent."""

    NOW = 0
    """It does not go on, or somebody waits for an answer."""
    SOON = 1
    CALM = 2
    FORMING = 3
    OVER = 4


@dataclass(frozen=True, slots=True)
class Wish:
    """A power asks for more time, until when and why."""

    power: str
    to: dt.datetime
    why: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Situation:
    """How a game stands, as far as somebody may have to do something about it."""

    status: str
    title: str = ""
    """Of the open phase: "Spring 1901 movement"."""
    due_at: dt.datetime | None = None
    stuck: bool = False
    halted: bool = False
    """The whole server stands still."""
    veiled: bool = False
    """The reader may not know whom it waits for."""
    waits: bool = False
    """The deadline has passed, and the game is waiting for missing orders."""
    policy: str = Game.WhenMissing.HOLD
    missing: tuple[str, ...] = ()
    """Powers that still owe orders."""
    to_speak_again: tuple[str, ...] = ()
    """Powers whose orders are complete, but that have been silent since the deadline moved."""
    to_confirm: str = ""
    """In the form of `to_confirm_text`."""
    deciding: int = 0
    """How many powers have something to decide."""
    by_itself: bool = False
    """The game processes phases before their deadlines once nothing is left to wait for."""
    early_at: dt.datetime | None = None
    """When it will do so with this phase, as things stand."""
    adrift: tuple[str, ...] = ()
    """Powers that nobody plays, or that are in civil disorder, and of which something is left."""
    asked: tuple[Wish, ...] = ()
    """Who has asked for more time since the deadline last moved."""
    reminded: bool = False
    """Whether somebody reminded the missing within the last hour."""
    open_seats: bool = True
    """Whether one of these powers may be offered to somebody who could take it over."""
    clock: str = "UTC"
    """The game's time zone."""
    zone: str = ""
    """The reader's; if empty, the game's."""
    resume_at: dt.datetime | None = None
    free: int = 0
    """Seats that are still free before the start."""
    asking: int = 0
    """Players who wait to be let in."""
    starts_at: dt.datetime | None = None
    """When it is to start, if that is set and it has not."""
    silent: int = 0
    """Players who have not said yet that they are here."""


A_WHILE = dt.timedelta(minutes=10)
"""After a deadline: mail settles in two minutes, and the rest takes seconds."""


@dataclass(frozen=True, slots=True)
class NextStep:
    """One sentence, and the names of the acts that answer it, the most probable first."""

    urgency: Urgency
    sentence: str
    acts: tuple[str, ...] = ()
    words: str = ""
    """What the button of the first act says, if that is more than the act's title."""
    given: Mapping[str, str] = field(default_factory=dict)
    """What is filled in on the page of the first act."""


def next_step(at: Situation, now: dt.datetime) -> NextStep:
    """Say what the game needs next."""
    if at.status == Status.FINISHED:
        return NextStep(Urgency.OVER, "The game is over.")
    if at.status in BEFORE_START:
        return _before_the_start(at)
    if at.status == Status.PAUSED:
        return _paused(at, now)
    if at.veiled and not at.stuck:
        return NextStep(Urgency.CALM, "We say whom it waits for when the game is over.")
    return _trouble(at) or _playing(at, now)


def _before_the_start(at: Situation) -> NextStep:
    if at.status == Status.MUSTER:
        have = "has" if at.silent == 1 else "have"
        said = f"{counted(at.silent, 'player')} {have} still to say that they are here."
        return NextStep(Urgency.FORMING, said, ("start",))
    if at.asking:
        ask = "asks" if at.asking == 1 else "ask"
        said = f"{counted(at.asking, 'player')} {ask} to join, and you let people in."
        return NextStep(Urgency.NOW, said, ("let_in",))
    if at.free:
        seats = "1 seat is" if at.free == 1 else f"{at.free} seats are"
        return NextStep(Urgency.FORMING, f"{seats} still free.", ("invite", "replace"))
    if at.starts_at:
        when = local_moment(at.starts_at, at.zone or at.clock)
        return NextStep(Urgency.FORMING, f"All seats are taken. It starts {when}.", ("start",))
    return NextStep(Urgency.SOON, "All seats are taken: the game can start.", ("start",))


def _paused(at: Situation, now: dt.datetime) -> NextStep:
    if at.resume_at is None:
        return NextStep(Urgency.SOON, "The game is paused until somebody resumes it.", ("resume",))
    return NextStep(
        Urgency.CALM,
        f"The game is paused, and goes on by itself in {time_until(at.resume_at, now)}.",
        ("resume",),
    )


def _trouble(at: Situation) -> NextStep | None:
    """The trouble that will not pass by itself."""
    if at.stuck:
        return NextStep(
            Urgency.NOW,
            f"{at.title} could not be adjudicated. Whoever runs the server has been told; you can "
            "try it again.",
            ("process_now",),
        )
    if at.waits:
        return _waits(at)
    if at.asked:
        return _answer_wishes(at)
    return None


def _answer_wishes(at: Situation) -> NextStep:
    """What those who need time ask for; the button has the latest time that one of them named."""
    last = max(at.asked, key=lambda one: one.to)
    to, zone = last.to + dt.timedelta(seconds=-last.to.second % 60), ZoneInfo(at.clock)
    return NextStep(
        Urgency.NOW,
        " ".join(_wish(one, at) for one in at.asked),
        ("extend", "turn_down"),
        f"Extend to {local_moment(to, at.zone or at.clock)}",
        {
            "to": f"{to.astimezone(zone):%Y-%m-%d %H:%M}",
            "why": f"{last.power} asked for more time{_why(last)}"[:LONGEST_REASON],
        },
    )


def _wish(one: Wish, at: Situation) -> str:
    more = time_until(one.to, at.due_at) if at.due_at and one.to > at.due_at else ""
    until = local_moment(one.to, at.zone or at.clock)
    asks = f"{one.power} asks for {more} more" if more else f"{one.power} asks for more time"
    return f"{asks}, until {until}{_why(one)}"


def _why(one: Wish) -> str:
    return f": “{one.why}”" if one.why else "."


def _with_reminder(at: Situation, *others: str) -> tuple[str, ...]:
    """The acts, a reminder first unless nobody may remind now."""
    return others if at.reminded or not at.missing else ("remind", *others)


def _waits(at: Situation) -> NextStep:
    late = listed(at.missing or at.adrift) or "nobody"
    said = f"The deadline has passed, and the game is waiting for {late}."
    rest = "Their seats may be taken over."
    if at.policy == Game.WhenMissing.GM:
        rest = "You decide how it goes on."
    lost = _to_fill(at) if at.adrift and not at.missing else ()
    acts = (*lost, *_with_reminder(at, "extend", "process_now"))
    return NextStep(Urgency.NOW, f"{said} {rest}", acts)


def _playing(at: Situation, now: dt.datetime) -> NextStep:
    if at.due_at is not None and at.due_at <= now:
        return NextStep(Urgency.CALM, f"The deadline has passed: {at.title} {_behind(at, now)}.")
    near = at.due_at is not None and at.due_at - now <= SOON
    if at.adrift and not (at.missing and near):
        return _adrift(at)
    if at.missing:
        return _missing(at) if near else _awaited(at)
    return _all_in(at, now)


def _behind(at: Situation, now: dt.datetime) -> str:
    """What a phase whose deadline has passed is waiting for."""
    if at.halted:
        return "waits until the server goes on"
    if at.due_at is None or now - at.due_at < A_WHILE:
        return "is being processed"
    return (
        "waits for mail that has still to be read or sent. If that takes long, ask whoever "
        "runs the server"
    )


def _missing(at: Situation) -> NextStep:
    """Orders are still missing, and the deadline is near."""
    acts = _with_reminder(at, "extend")
    return NextStep(Urgency.SOON, f"Orders are missing from {_few(at.missing)}.", acts)


def _awaited(at: Situation) -> NextStep:
    """Orders are still missing, but there is time: nothing is wrong."""
    awaited = tuple(sorted((*at.missing, *at.to_speak_again)))
    number = len(awaited)
    everybody = number == at.deciding and number > 2  # two are named
    whom = f"all {number} powers" if everybody else _few(awaited)
    acts = tuple(reversed(_with_reminder(at, "extend")))
    return NextStep(Urgency.CALM, f"Waiting for {whom}.", acts)


def _all_in(at: Situation, now: dt.datetime) -> NextStep:
    if at.to_speak_again:
        have = "has" if len(at.to_speak_again) == 1 else "have"
        said = (
            f"All orders are in, but {_few(at.to_speak_again)} {have} to speak again, since the "
            "deadline moved."
        )
        return NextStep(Urgency.CALM, said, ("extend",))
    acts = ("extend",) if at.by_itself else ("process_now", "extend")
    return NextStep(Urgency.CALM, f"All orders are in{at.to_confirm}.{_early(at, now)}", acts)


def _early(at: Situation, now: dt.datetime) -> str:
    """When a phase for which nothing is left to wait ends by itself."""
    if at.early_at is None:
        return ""
    if at.early_at <= now:
        return f" {at.title} is being processed."
    when = local_moment(at.early_at, at.zone or at.clock)
    return f" {at.title} is processed by itself in {time_until(at.early_at, now)}, on {when}."


def _adrift(at: Situation) -> NextStep:
    have = "has" if len(at.adrift) == 1 else "have"
    said = f"{listed(at.adrift)} {have} no player who answers."
    return NextStep(Urgency.SOON, said, _to_fill(at))


def _to_fill(at: Situation) -> tuple[str, ...]:
    """What will find a player for a power."""
    return ("offer", "replace") if at.open_seats else ("replace",)


def _few(powers: tuple[str, ...]) -> str:
    return listed(powers) if len(powers) <= MOST_NAMED else f"{len(powers)} powers"


def time_until(at: dt.datetime, now: dt.datetime) -> str:
    """Write the time until then."""
    if at - now < dt.timedelta(minutes=1):
        return "less than a minute"
    return time_left(at, now)
