"""Result mails say first what matters: what became of my orders, what I must do, and by when."""

from __future__ import annotations

import dataclasses

import pytest

from games.board_json import ResultJson, StateJson
from games.models import Game, Phase, Player, Power, Seat
from games.queries import board
from games.queries.board import Dislodgement, Duty, Step
from games.queries.orders.order_lines import OrderLine, PowerOrders, orders_shown
from games.queries.phases.centers import Possessions
from games.queries.phases.next_phase import NextPhase
from games.queries.reports.phase_report import Capture, PhaseReport
from mailer.notices.parts import duties, sections
from mailer.notices.parts.headline import headline
from mailer.notices.parts.mappers import mapper_lines
from mailer.notices.phases.phase_processed import after, named_in_subject
from mailer.outbound import layout
from mailer.text import MARKER
from tests.cast import DAY, NOW
from tests.rows import each_row

DUE = NOW + 3 * DAY
FALL = NextPhase(
    name="F1904M",
    title="Fall 1904 movement",
    step="M",
    due_at=DUE,
    second_thoughts="",
    paused=False,
    duty=Duty("France", "M", units=("A Paris", "F Brest")),
    out=False,
)
RETREAT = Dislodgement("France", "F Brest", ("Gascony", "Picardy"))
SPRING = PhaseReport(
    game="marne",
    phase="S1904M",
    title="Spring 1904 movement",
    step="M",
    processed_at=NOW,
    viewer="France",
    orders=(),
    dislodged=(),
    possessions=(Possessions("France", "Carla", ("Brest", "Paris"), ("A Paris", "F Brest")),),
    captures=(),
    missing=(),
    eliminated=(),
    ending="",
    next=FALL,
)
SEAT = Seat(
    power=Power(name="France", game=Game(name="marne", variant="standard", process_early=True)),
    player=Player(name="Carla", timezone="Europe/Paris"),
)


def ordered(*lines: tuple[str, str], power: str = "France") -> PowerOrders:
    """Orders with their result words; a line in capitals was not given by anybody."""
    return PowerOrders(
        power,
        tuple(
            OrderLine(None if "!" in order else order, order.strip("!"), (result,), None, False)
            for order, result in lines
        ),
    )


def report(step: Step = "M", *orders: PowerOrders, **changes: object) -> PhaseReport:
    return dataclasses.replace(SPRING, step=step, orders=orders, **changes)


def following(**changes: object) -> NextPhase:
    return dataclasses.replace(FALL, **changes)


MOVE, SUPPORT = ("A Paris - Burgundy", "succeeds"), ("A Gascony Supports A Paris", "given")
BOUNCED, LOST = ("F Brest - English Channel", "fails"), ("F Brest Holds", "dislodged")

IN_FOG = (Possessions("Italy", "", (), (), in_part=True),)
UNSEEN = ("A Burgundy Supports A Berlin - Munich", "out of sight")

SECOND = ("A Paris - Picardy", "illegal")

HEADLINES = [
    (report("M", ordered(SECOND, MOVE, BOUNCED)), "1 of your 2 orders worked."),
    (report("M", ordered(SECOND, MOVE)), "Your order worked."),
    (report("M", ordered(MOVE, SUPPORT)), "Both of your orders worked."),
    (report("M", ordered(MOVE)), "Your order worked."),
    (report("M", ordered(BOUNCED)), "Your order did not work."),
    (report("M", ordered(BOUNCED, LOST)), "None of your 2 orders worked."),
    (
        report("M", ordered(MOVE, LOST), dislodged=(RETREAT,)),
        "1 of your 2 orders worked; your F Brest must retreat or disband.",
    ),
    (
        report("M", ordered(MOVE, ("F Brest Holds", "destroyed"))),
        "1 of your 2 orders worked; 1 of your units was destroyed.",
    ),
    (report("M", ordered(("!A Paris Holds", "stands"))), "None of your units had an order."),
    (
        report(
            "M",
            ordered(MOVE, SUPPORT),
            captures=(Capture("Belgium", None, "France"), Capture("Brest", "France", "England")),
        ),
        "Both of your orders worked; you lose Brest; you gain Belgium.",
    ),
    (
        report("M", ordered(MOVE, power="Italy"), ordered(BOUNCED, power="Turkey")),
        "1 of 2 orders worked.",
    ),
    (
        report("M", ordered(MOVE, power="Italy"), ordered(MOVE, SUPPORT, power="Turkey")),
        "All 3 orders worked.",
    ),
    (report("M", ordered(MOVE, power="Italy")), "The one order worked."),
    (
        report("M", ordered(MOVE, SUPPORT, UNSEEN)),
        "Of your 3 orders, 2 worked and 1 is out of sight.",
    ),
    (
        report("M", ordered(MOVE, BOUNCED, UNSEEN)),
        "Of your 3 orders, 1 worked, 1 did not and 1 is out of sight.",
    ),
    (
        report("M", ordered(BOUNCED, UNSEEN)),
        "Of your 2 orders, 1 did not work and 1 is out of sight.",
    ),
    (report("M", ordered(UNSEEN)), "You cannot see what became of your order."),
    (report("M", missing=("France",)), "No orders came from you in time, so your units held."),
    (
        report("R", ordered(("F Brest - Gascony", "succeeds"), ("A Paris - Gascony", "fails"))),
        "1 of your 2 dislodged units retreated.",
    ),
    (
        report("R", ordered(("F Kiel - Denmark", "succeeds"), power="Germany")),
        "1 unit retreated.",
    ),
    (
        report("A", ordered(("Build A Paris", "succeeds"), ("Build F Brest", "succeeds"))),
        "You built 2 units.",
    ),
    (
        report("R", ordered(("Disband F Brest", "succeeds"))),
        "Your unit was disbanded.",
    ),
    (
        report("A", ordered(("Disband F Brest", "succeeds"))),
        "1 of your units was disbanded.",
    ),
    (report("A", ordered(("Waive", "succeeds"))), "You built nothing."),
    (report("A"), "Nothing was built or disbanded."),
    (
        report("A", eliminated=("Italy",)),
        "Nothing was built or disbanded; Italy is out of the game.",
    ),
    (
        report("M", ordered(MOVE), eliminated=("Italy", "Turkey")),
        "Your order worked; Italy and Turkey are out of the game.",
    ),
    (report("M", possessions=IN_FOG), "You saw no orders."),
    (report("R", possessions=IN_FOG), "You saw no unit retreat or disband."),
    (report("A", possessions=IN_FOG), "You saw no unit built or disbanded."),
    (
        report("R", possessions=IN_FOG, captures=(Capture("Belgium", None, "France"),)),
        "You gain Belgium.",
    ),
    (
        report("M", ordered(BOUNCED), eliminated=("France",)),
        "France is out of the game, with no units or centres left; your order did not work.",
    ),
    (
        report("M", ordered(MOVE), next=None, ending="France has won with 18 centres"),
        "The game is over: France has won with 18 centres. Your order worked.",
    ),
    (
        report("M", missing=("France",), next=None, ending="France has won with 18 centres"),
        "The game is over: France has won with 18 centres. No orders came from you in time, so "
        "your units held.",
    ),
]


@pytest.mark.parametrize(("seen", "sentence"), HEADLINES, ids=[one for _, one in HEADLINES])
def test_the_headline_says_what_became_of_me(seen: PhaseReport, sentence: str) -> None:
    assert headline(seen) == sentence


RETREATS = following(
    title="Spring 1904 retreats",
    step="R",
    duty=Duty("France", "R", units=("F Brest",), retreats=(RETREAT,)),
)
BUILDS = following(
    title="Winter 1904 adjustments",
    step="A",
    duty=Duty("France", "A", builds=2, sites=("Brest", "Paris")),
)
UNITS = tuple(f"F St Petersburg({coast}c)" for coast in "nsnsnsnsnsnsnsnsn")
BY = "Thu 5 Mar 13:00 CET"
DEADLINE = "Deadline: Thu 5 Mar 2026, 13:00 CET (12:00 UTC), in 3 days."

DUTIES = {
    "movement": (report(), "you have 2 units to order", f"order 2 units by {BY}"),
    "seventeen units": (
        report(next=following(duty=Duty("France", "M", units=UNITS))),
        "you have 17 units to order",
        f"order 17 units by {BY}",
    ),
    "retreats": (
        report(next=RETREATS),
        "you have 1 dislodged unit to retreat or disband",
        f"retreat F Brest by {BY}",
    ),
    "builds": (report(next=BUILDS), "you may build 2 units", f"build 2 by {BY}"),
    "builds without a place": (
        report(next=dataclasses.replace(BUILDS, unplaced=1)),
        "you may build 2 units. France has centres for 1 more unit, but no free place to build it",
        f"build 2 by {BY}",
    ),
    "nothing but builds without a place": (
        report(next=dataclasses.replace(BUILDS, duty=None, unplaced=2)),
        "adjustments. France has centres for 2 more units, but no free place to build them.",
        f"nothing to do until {BY}",
    ),
    "disbands": (
        report(next=following(duty=Duty("France", "A", disbands=1))),
        "you must disband 1 unit",
        f"disband 1 by {BY}",
    ),
    "nothing to decide": (
        report(next=following(duty=None)),
        "Nothing: France has nothing to decide",
        f"nothing to do until {BY}",
    ),
    "eliminated": (
        report(eliminated=("France",)),
        "Nothing: France is out of the game, and nobody waits for you.",
        "you are out of the game",
    ),
    "paused": (
        report(next=following(paused=True)),
        "you have 2 units to order",
        "order 2 units, the game is paused",
    ),
    "without a deadline": (
        report(next=following(due_at=None)),
        "you have 2 units to order",
        "order 2 units",
    ),
    "finished": (
        report(next=None, ending="France has won with 18 centres"),
        "Nothing: the game is over, so there is no deadline.",
        "the game is over",
    ),
}


def mail_about(seen: PhaseReport, missing: tuple[str, ...] | None = None) -> str:
    """A result mail as France gets it."""
    return layout.render(
        "phase_processed",
        marker=MARKER,
        headline=headline(seen),
        report=seen,
        power="France",
        mine=sections.own_orders(seen),
        orders=sections.other_orders(seen),
        todo=duties.after_phase(seen, SEAT, NOW, missing=missing),
        how=duties.how_to_answer(seen.next, SEAT.power.game, NOW) if seen.next else [],
        after=after(seen),
    )


@each_row("case", DUTIES)
def test_duty_and_deadline_stand_within_the_first_twelve_lines(case: str) -> None:
    seen, duty, _ = DUTIES[case]
    worst = dataclasses.replace(seen, missing=("France",), dislodged=(RETREAT,))
    for one in (seen, worst):
        top = " ".join(" ".join(mail_about(one).splitlines()[:12]).split())
        assert duty in top
        whens = (
            DEADLINE,
            "The game is paused",
            "There is no deadline.",
            "over, so there is no deadline",
        )
        assert any(when in top for when in whens)


@each_row("case", DUTIES)
def test_the_subject_ends_with_the_duty_and_its_deadline(case: str) -> None:
    seen, _, brief = DUTIES[case]
    assert duties.in_subject(seen, "Europe/Paris", NOW) == brief


AHEAD = [
    (
        FALL,
        ("F Brest",),
        "of your 2 units still has no order",
        f"order 1 of 2 units by {BY}",
    ),
    (FALL, (), "Nothing: what you sent ahead for Fall 1904 movement is in.", "your orders are in"),
    (BUILDS, ("Build 2",), "1 of your 2 builds still to decide", f"build 1 of 2 by {BY}"),
    (RETREATS, (), "Nothing: what you sent ahead for Spring 1904 retreats", "your orders are in"),
]


@each_row(("phase", "missing", "said", "brief"), AHEAD)
def test_orders_sent_ahead_count_in_what_there_is_to_do(
    phase: NextPhase, missing: tuple[str, ...], said: str, brief: str
) -> None:
    seen = report(next=phase)
    assert said in mail_about(seen, missing)
    assert duties.in_subject(seen, "Europe/Paris", NOW, missing=missing).startswith(brief)


def test_the_parts_come_in_the_order_of_their_weight() -> None:
    seen = report("M", ordered(MOVE), ordered(BOUNCED, power="Italy"))
    text = mail_about(seen)
    parts = [
        MARKER,
        headline(seen),
        "you have 2 units to order",
        DEADLINE,
        "YOUR ORDERS",
        "France: A Paris - Burgundy: succeeds.",
        "ALL OTHER ORDERS",
        "Italy: F Brest - English Channel: fails.",
        "THE BOARD NOW",
        "HOW TO ANSWER",
    ]
    places = [text.index(part) for part in parts]
    assert places == sorted(places)


def test_centres_are_told_with_their_balance() -> None:
    possessions = (
        Possessions("France", "", ("Belgium", "Brest", "Paris"), ()),
        Possessions("Italy", "", (), ("A Rome",)),
        Possessions("Turkey", "", (), ()),
    )
    captures = (
        Capture("Belgium", None, "France"),
        Capture("Brest", "Italy", "France"),
        Capture("Rome", "Italy", None),
    )
    assert sections.centers(report(possessions=possessions, captures=captures)) == [
        "France: 3 centres (+2). Gains Belgium (it was free) and Brest from Italy.",
        "Italy: no centre (-2). Loses Brest to France and Rome (it is now free).",
    ]
    assert sections.centers(report(possessions=possessions)) == []


def test_centres_that_had_the_same_owner_are_told_together() -> None:
    france, italy = Possessions("France", "", ("Brest",), ()), Possessions("Italy", "", (), ())
    won = (
        Capture("Belgium", None, "France"),
        Capture("Holland", None, "France"),
        Capture("Naples", "Italy", "France"),
        Capture("Rome", "Italy", "France"),
        Capture("Venice", "Italy", "France"),
    )
    first, second = sections.centers(report(possessions=(france, italy), captures=won))
    assert first.endswith(
        "Gains Belgium and Holland (they were free); Naples, Rome and Venice from Italy."
    )
    assert second.endswith("Loses Naples, Rome and Venice to France.")


def test_an_elimination_is_told_where_no_centre_changed_hands() -> None:
    out = sections.centers(report("A", eliminated=("Italy",)))
    assert out == ["Italy: eliminated, with no units or centres left."]


def test_a_long_list_takes_several_lines_and_none_of_them_is_ever_broken() -> None:
    lines = sections.bracketed_lines("Russia: 17 units", UNITS, more="Russia: and")
    assert len(lines) > 3
    assert max(map(len, lines)) <= 72
    assert {line.partition("(")[0] for line in lines[1:]} == {"Russia: and "}
    assert sum(line.count("Petersburg") for line in lines) == 17
    assert layout.laid_out("\n".join(lines)).splitlines() == lines


def test_a_board_of_small_powers_takes_a_line_for_each() -> None:
    small = [Possessions(city, "", (city,), ()) for city in ("Ankara", "Paris")]
    assert sections.board(small) == [
        ["Ankara: 1 centre (Ankara), no unit"],
        ["Paris: 1 centre (Paris), no unit"],
    ]


def test_programs_that_draw_maps_find_the_header_they_know() -> None:
    game = Game(name="marne", variant="standard", anonymous=True)
    assert mapper_lines(SPRING, game) == [
        ":: Judge: JUDGE  Game: marne  Variant: Standard Gunboat",
        ":: Deadline: F1904M Thu Mar 05 2026 12:00:00 UTC",
    ]
    assert len(mapper_lines(report(next=None), game)) == 1


def result_of(order: str | None, word: str, text: str | None = "") -> ResultJson:
    """A line of France as the judge gives it; without a text: what nobody ordered."""
    return {
        "power": "France",
        "text": order if text == "" else text,
        "order": order,
        "result": [word],
        "reason": None,
        "automatic": False,
    }


FOLLOWED = (result_of("A Paris - Burgundy", "succeeds"), result_of("F Brest Holds", "stands"))
IN_VAIN = (
    result_of("A Paris - Picardy", "illegal"),
    result_of("A Munich - Burgundy", "illegal"),
    result_of(None, "void", "Let us see what happens."),
)


def test_lines_that_cost_nothing_are_neither_shown_nor_counted() -> None:
    """The receipt said what became of prose, of foreign units and of what AMEND replaced."""
    shown = orders_shown([*IN_VAIN, *FOLLOWED], "France")
    assert [one.order for one in shown[0].lines] == ["A Paris - Burgundy", "F Brest Holds"]
    assert headline(report("M", *shown)) == "Both of your orders worked."


def test_an_illegal_order_that_left_a_unit_without_one_is_shown_and_counted() -> None:
    illegal = result_of("A Marseilles - Moscow", "illegal")
    held = result_of("A Marseilles Holds", "stands", None)
    shown = orders_shown([illegal, *FOLLOWED, held], "France")
    assert [one.order for one in shown[0].lines][:1] == ["A Marseilles - Moscow"]
    assert headline(report("M", *shown)) == "2 of your 3 orders worked."


@pytest.mark.parametrize(("builds", "shown"), [(1, False), (2, True)])
def test_an_illegal_build_is_shown_only_where_it_cost_one(builds: int, shown: bool) -> None:
    """What AMEND replaced by a build that could be made cost nothing."""
    first = board.first_state("standard")
    units = ["A Burgundy", "A Spain"][: 3 - builds]
    state: StateJson = {
        **first,
        "phase": "W1901A",
        "units": {**first["units"], "France": units},
        "centers": {**first["centers"], "France": ["Brest", "Paris", "Marseilles"]},
    }
    phase = Phase(game=Game(name="marne", variant="standard"), name="W1901A", position=state)
    lines = [result_of("Build A Munich", "illegal"), result_of("Build A Paris", "succeeds")]
    said = [one.order for one in orders_shown(lines, "France", phase)[0].lines]
    assert said == [*(["Build A Munich"] if shown else []), "Build A Paris"]


def test_a_subject_names_seven_powers_and_counts_thirty_four() -> None:
    assert named_in_subject(["Italy", "Turkey"]) == "Italy and Turkey"
    assert named_in_subject([f"Power {number}" for number in range(34)]) == "34 powers"
