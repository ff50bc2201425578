"""What a phase and a mail cost the database: the same in a game's fortieth year as in its first.

Counted are statements, not seconds. A statement for each player, or for each phase that is over,
would show.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection
from django.db.models.sql.compiler import SQLCompiler
from django.test.utils import CaptureQueriesContext

from games.models import Game, Observer, OrderSet, Phase
from games.queries import board
from games.services.clock.deadlines import Mover, deadline_move
from games.services.endings.ending import game_end
from games.services.endings.proposals import draw_propose
from games.services.ordering.disorder import disorder_declare
from mailer import jobs
from mailer.inbound import processing, store
from mailer.jobs import due_phases
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import addresses
from tests.cast import DAY, HOUR, NOW, OPENINGS, POWERS, Cast, address_of, make_player, submit
from tests.mailer.correspondence import all_sent, answer_to, eml, stored

URL = "imap://judge:secret@127.0.0.1:1/INBOX"
A_PHASE, A_MAIL = 10, 10
_CONTROL = ("BEGIN", "SAVEPOINT", "RELEASE", "COMMIT")


@pytest.fixture
def game(marne: Cast, settings) -> Cast:
    """Marne in S1901M with everybody told of the start."""
    settings.IMAP_URLS = [URL]
    jobs.tell(NOW)
    all_sent()
    return marne


def statements(work: Callable[[], object]) -> int:
    """How many statements the work takes, those that begin and end transactions left out."""
    with CaptureQueriesContext(connection) as captured:
        work()
    return sum(not query["sql"].startswith(_CONTROL) for query in captured)


def hold_all(cast: Cast, times: int = 1) -> None:
    """Have every power order its units to hold, so many times."""
    position = board.position_of("standard", cast.phase.position)
    for power in OPENINGS:
        for _ in range(times):
            lines = [f"{unit} H" for unit in position.units_of(power)]
            submit(cast, power, lines, cast.phase.opened_at + HOUR)


@contextmanager
def building() -> Iterator[list[str]]:
    """What is read by statements that Django builds anew: the models."""
    built: list[str] = []

    def noted(self: Any, *given: Any, **more: Any) -> Any:
        built.append(self.query.model.__name__)
        return execute(self, *given, **more)

    execute = SQLCompiler.execute_sql
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SQLCompiler, "execute_sql", noted)
        yield built


def process(cast: Cast, *, builds_any: bool = True) -> int:
    """Process the open phase when it is due and tell it; what that takes. `builds_any` says whether
    it may have Django build a statement, which takes several times as long as one that is kept."""
    phase = cast.phase
    assert phase.due_at, "every phase of the cast has a deadline"
    mailbox = store.mailbox_for(URL)
    mailbox.last_ok_poll = now = phase.due_at + HOUR
    mailbox.save()
    with building() as built:
        taken = statements(lambda: list(due_phases.process_all([cast.game.pk], lambda: now)))
    assert builds_any or not built
    phase.refresh_from_db()
    assert phase.status == Phase.Status.PROCESSED
    told = OutboundMail.objects.filter(event__phase=phase, kind="phase_processed")
    assert told.count() >= 8
    return taken


def order_by_mail(cast: Cast, text: str) -> int:
    """Work on an order mail from France; what that takes."""
    phase = cast.phase
    at = phase.opened_at + 2 * HOUR
    to = addresses.seat_address(seat=cast.seat("France"), phase=phase, now=at)
    mail = stored(eml(text, sender=address_of("Carla"), to=to), received_at=at)
    taken = statements(lambda: processing.process_mail(mail_id=mail.pk, now=at))
    assert answer_to(mail).kind == "reply"
    return taken


def _moved(cast: Cast) -> None:
    deadline_move(game=cast.game, to=NOW + 9 * DAY, why="Snow.", by=Mover("the GM"), now=NOW)


def _disordered(cast: Cast) -> None:
    power = cast.seat("Italy").power
    disorder_declare(game=cast.game, power=power, why="Gone.", by="the GM", now=NOW)


def _proposed(cast: Cast) -> None:
    draw_propose(seat=cast.seat("France"), winners=(), now=NOW)


def _ended(cast: Cast) -> None:
    game_end(game=cast.game, winners=("France",), why="", by="the GM", now=NOW)


@pytest.mark.parametrize("happens", [_moved, _disordered, _proposed, _ended])
def test_news_for_everybody_costs_no_statement_for_each_player(
    game: Cast, happens: Callable[[Cast], None]
) -> None:
    happens(game)
    with CaptureQueriesContext(connection) as captured:
        jobs.tell(NOW)
    asked = Counter(re.sub(r"\d+", "", query["sql"]) for query in captured)
    often, times = asked.most_common(1)[0]
    assert times < len(POWERS), often


def test_a_start_is_told_without_reading_the_board_for_each_player(marne: Cast) -> None:
    with CaptureQueriesContext(connection) as captured:
        jobs.tell(NOW)
    assert OutboundMail.objects.filter(event__kind="game_started").count() == len(POWERS) + 1
    tables = [re.search(r' FROM "(\w+)"', query["sql"]) for query in captured]
    read = Counter(table[1] for table in tables if table)
    assert read["games_phase"] <= 2
    assert read["games_seat"] <= 4, "all that run, and which of its games the GM runs or plays"
    assert read["games_power"] == 0


def test_a_phase_costs_the_same_in_a_long_game_as_in_a_new_one(game: Cast) -> None:
    Game.objects.update(process_early=False)
    hold_all(game)
    first = process(game)
    assert first <= A_PHASE + 1, "at the deadline we look who could know of it"
    for _ in range(6):
        all_sent()
        hold_all(game, times=2)
        later = process(game, builds_any=False)
        assert later == first
    assert game.phase.name == "F1904M"


def test_a_phase_in_which_nothing_came_costs_no_statement_for_each_power(game: Cast) -> None:
    """Three of them ask whether its players had been told of it (test_untold.py)."""
    assert process(game) <= A_PHASE + 14


def test_an_observer_of_a_phase_costs_no_statement(game: Cast) -> None:
    for name in ("Oda", "Pia"):
        Observer.objects.create(game=game.game, player=make_player(name), since=NOW)
    hold_all(game)
    few = process(game)
    for name in ("Quin", "Rosa", "Sven", "Tess"):
        Observer.objects.create(game=game.game, player=make_player(name), since=NOW)
    hold_all(game)
    assert process(game) == few


def test_orders_ahead_of_others_cost_nobody_a_statement(game: Cast) -> None:
    for name, power in POWERS.items():
        to = addresses.seat_address(seat=game.seat(power), phase=game.phase, now=NOW)
        text = f"PHASE S1902M\n{OPENINGS[power][0]}"
        mail = stored(eml(text, sender=address_of(name), to=to), received_at=NOW + HOUR)
        processing.process_mail(mail_id=mail.pk, now=NOW + HOUR)
        assert mail.answers.exists()
    hold_all(game)
    assert (
        process(game) <= A_PHASE + 4
    )  # what was kept for the next phase, and what for earlier ones


def test_an_order_mail_costs_the_same_however_many_came_before(game: Cast) -> None:
    first = order_by_mail(game, "A Par - Bur")
    assert first <= A_MAIL
    for number in range(5):
        later = order_by_mail(game, f"A Par - Pic\nA Mar - {('Spa', 'Bur')[number % 2]}")
        assert later <= first
    assert OrderSet.objects.filter(power__name="France", counts=True).count() == 6
    hold_all(game)
    process(game)
    assert order_by_mail(game, "A Pic - Par") <= first
    assert InboundMail.objects.filter(state="done").count() == 7


def test_a_line_that_is_not_followed_costs_an_order_mail_no_statement(game: Cast) -> None:
    """Whether it takes back a READY, and whether the others wait, is known already."""
    followed = order_by_mail(game, "A Par - Bur\nA Mar - Spa")
    assert order_by_mail(game, "A Par - Bur\nA Mar - Moscow") == followed


def test_order_mails_that_wait_are_taken_and_committed_together(game: Cast) -> None:
    at = game.phase.opened_at + 2 * HOUR
    for name, power in POWERS.items():
        to = addresses.seat_address(seat=game.seat(power), phase=game.phase, now=at)
        text = "\n".join(OPENINGS[power])
        stored(eml(text, sender=address_of(name), to=to), received_at=at)
    taken = statements(lambda: processing.process_inbound(now=at, limit=len(POWERS)))
    assert InboundMail.objects.filter(state="done").count() == len(POWERS)
    # Once for all: whose turn it is, the claim, how long to wait, the mails themselves, what their
    # addresses stand for and who gets the answers (on SQLite each by itself), which games nobody
    # else has, that all orders are in, the answers, in which mails the orders came, and that the
    # mails are done.
    by_itself = 7 if connection.vendor == "postgresql" else 4
    assert taken <= len(POWERS) * (A_MAIL - by_itself) + 11


def test_the_rules_that_end_a_game_read_no_more_of_a_long_game(game: Cast) -> None:
    game.game.quiet_years, game.game.most_years = 9, 35
    game.game.save()
    falls = []
    for _ in range(8):
        hold_all(game)
        taken = process(game)
        if game.phase.name.startswith("S"):
            falls.append(taken)
    assert len(falls) == 4
    assert len(set(falls)) == 1
    assert game.phase.opened_at > NOW + 20 * DAY


@pytest.mark.only_on("PostgreSQL")
def test_mail_to_work_on_is_found_without_a_look_at_all_that_ever_came(game: Cast) -> None:
    with connection.cursor() as cursor, CaptureQueriesContext(connection) as captured:
        processing.process_inbound(now=NOW, limit=500)
        cursor.execute("SET LOCAL enable_seqscan = off")  # so few rows are always read through
        cursor.execute(f"EXPLAIN {captured[0]['sql']}")
        plan = "\n".join(line for (line,) in cursor.fetchall())
    assert "inbound_to_do" in plan
    # The index of all that is neither new nor done serves as well.
    assert "inbound_later" in plan or "inbound_special" in plan
