"""Each phase has a thread in each mailbox: its first mail begins it, the others refer to it."""

from __future__ import annotations

import pytest

from games.services.adjudication.phases import phase_process_now
from games.services.clock.deadlines import Mover, deadline_move
from games.services.clock.reminders import players_remind
from games.services.seating.seats import seat_replace
from mailer import jobs
from mailer.models import OutboundMail
from mailer.outbound import threads
from tests.cast import DAY, HOUR, NOW, OPENINGS, Cast, address_of, submit
from tests.mailer.correspondence import answer_to, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db

LATER = NOW + 3 * DAY


def newest(name: str, kind: str) -> OutboundMail:
    mails = OutboundMail.objects.filter(recipient=address_of(name), kind=kind)
    return mails.latest("pk")


def process(cast: Cast) -> None:
    for power, lines in OPENINGS.items():
        submit(cast, power, lines)
    assert phase_process_now(game_id=cast.game.pk, now=LATER)
    jobs.tell(LATER)


def test_the_start_mail_begins_a_thread_and_so_do_results(told: Cast) -> None:
    start = newest("Carla", "game_started")
    assert threads.root(told.phase, told.player("Carla")) == (start.message_id, start.subject)
    process(told)
    results = newest("Carla", "phase_processed")
    assert results.references == ""
    assert threads.root(told.phase, told.player("Carla")).message_id == results.message_id
    assert threads.newest(told.game, [told.player("Carla")]) == {
        told.player("Carla").pk: (results.message_id, results.subject)
    }


def test_what_is_about_the_phase_refers_to_its_results(told: Cast) -> None:
    process(told)
    root = newest("Carla", "phase_processed").message_id
    deadline_move(game=told.game, to=LATER + 9 * DAY, why="Holidays.", by=Mover("gm"), now=LATER)
    remind_at = told.phase.remind_at
    assert remind_at is not None
    assert players_remind(phase_id=told.phase.pk, now=remind_at)
    jobs.tell(remind_at)
    mail = write(
        "Dmitri",
        "PRESS TO France\nShall we?",
        to=newest("Dmitri", "phase_processed").reply_to,
        received_at=LATER + HOUR,
    )
    jobs.tell(LATER + HOUR)
    assert answer_to(mail).references.split()[0] == newest("Dmitri", "phase_processed").message_id
    for kind in ("deadline_moved", "orders_missing", "press_sent"):
        assert newest("Carla", kind).references == root
        assert newest("Carla", kind).opens is None


def test_a_new_player_has_a_thread_of_their_own(told: Cast) -> None:
    hugo, power = told.player("Hugo"), told.seat("Italy").power
    seat_replace(game=told.game, power=power, player=hugo, why="Ill.", by="the GM", now=NOW + HOUR)
    jobs.tell(NOW + HOUR)
    start = newest("Hugo", "seat_taken")
    assert threads.root(told.phase, hugo).message_id == start.message_id
    assert start.references == ""


@each_row(
    ("text", "news"),
    [
        ("A Par - Bur\nA Mar - Spa\nF Bre - MAO", ""),
        ("A Par - Bur\nA Mar - Spa\nF Bre - MAO\nREADY", ""),
        ("WAIT", ""),
        ("PHASE F1901M\nA Bur - Mun", ""),
        ("A Par - Bur", "[marne] Spring 1901 movement: NOT ordered"),
        ("A Par - Bur\nA Mar - Spa\nF Bre - MAO\nfoo bar baz", "[marne] Spring 1901 movement: "),
    ],
)
def test_a_receipt_keeps_the_subject_of_its_thread_only_when_all_is_well(
    told: Cast, text: str, news: str
) -> None:
    start = newest("Carla", "game_started")
    answer = answer_to(write("Carla", text, to=start.reply_to))
    assert answer.references.split()[0] == start.message_id
    if news:
        assert answer.subject.startswith(news)
    else:
        assert answer.subject == f"Re: {start.subject}"
