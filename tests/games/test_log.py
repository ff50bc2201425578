"""The log: a chain in which no later change stays unseen."""

from __future__ import annotations

import io
import itertools
from collections.abc import Callable, Iterable

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import log
from games.models import Event, Game, Phase
from games.queries.audit import log_faults, proofs
from games.queries.reports import log_text
from games.services.adjudication.phases import phase_process
from games.services.adjudication.rollback import game_rollback
from games.services.ordering.orders import orders_submit
from games.services.setup.games import game_create
from tests.cast import DAY, NOW, OPENINGS, Cast, make_cast
from tests.pages.playing import play

pytestmark = pytest.mark.on_both

DUE = NOW + 3 * DAY


@pytest.fixture
def played(marne: Cast) -> Cast:
    """A game in which France has ordered and Spring 1901 is over."""
    orders_submit(
        seat=marne.seat("France"),
        phase=marne.phase,
        lines=list(enumerate(OPENINGS["France"], 1)),
        amend=False,
        received_at=NOW,
        source="<france@players.test>",
        now=NOW,
    )
    assert phase_process(game_id=marne.game.pk, now=DUE)
    return marne


def changed(played: Cast, **values: object) -> str:
    """Change the first event behind everybody's back; what the log says then."""
    Event.objects.filter(game=played.game, number=2).update(**values)
    return " ".join(log_faults.faults(played.game))


def test_events_are_numbered_and_chained(played: Cast) -> None:
    events = list(played.game.events.order_by("number"))
    assert [event.number for event in events] == list(range(1, len(events) + 1))
    assert events[0].previous == ""
    for before, after in itertools.pairwise(events):
        assert after.previous == before.digest
    assert log.head(played.game) == events[-1].digest


def test_an_untouched_game_has_no_faults(played: Cast) -> None:
    assert list(log_faults.faults(played.game)) == []


def test_telling_an_event_is_no_change_of_it(played: Cast) -> None:
    played.game.events.update(told_at=DUE)
    assert list(log_faults.faults(played.game)) == []


def test_a_changed_payload_is_found_and_named(played: Cast) -> None:
    assert "Event 2 (player_joined, 2026-03-02 12:00 UTC) was changed" in changed(
        played, payload={"player": 99, "free": 3}
    )


def test_a_changed_time_is_found(played: Cast) -> None:
    assert "Event 2" in changed(played, created_at=DUE)


def test_a_change_with_its_digest_made_anew_breaks_the_chain(played: Cast) -> None:
    event = played.game.events.get(number=2)
    event.payload = {"player": 99, "free": 3}
    faults = changed(played, payload=event.payload, digest=log.digest_of(event))
    assert "Event 3 (player_joined, 2026-03-02 12:00 UTC) does not follow" in faults


def test_a_missing_event_is_found(played: Cast) -> None:
    played.game.events.filter(number=3).delete()
    assert any("Event 3 is missing" in fault for fault in log_faults.faults(played.game))


@pytest.mark.parametrize("what", ["orders", "position"])
def test_changed_orders_and_positions_are_found(played: Cast, what: str) -> None:
    Phase.objects.filter(game=played.game, number=1).update(**{what: {"France": ["A Paris H"]}})
    faults = list(log_faults.faults(played.game))
    assert any(f"Spring 1901 movement: the {what}" in fault for fault in faults)


def test_a_changed_position_of_the_open_phase_is_found(played: Cast) -> None:
    phase = played.phase
    del phase.position["units"]["France"][0]
    phase.save()
    assert list(log_faults.faults(played.game)) == [
        "Fall 1901 movement: the game never came to its position."
    ]


@pytest.mark.parametrize(
    ("kind", "fault"),
    [
        ("phase_processed", "Spring 1901 movement was processed, but no event says so."),
        ("game_rolled_back", "Fall 1901 movement: what was undone is not what the log says."),
    ],
)
def test_a_log_without_its_end_is_found_by_the_phases(played: Cast, kind: str, fault: str) -> None:
    game_rollback(game=played.game, phase="F1901M", why="A mistake.", by="gm", now=DUE)
    assert list(log_faults.faults(played.game)) == []
    first = played.game.events.get(kind=kind).number
    played.game.events.filter(number__gte=first).delete()
    assert fault in list(log_faults.faults(played.game))


def test_a_phase_that_is_called_undone_behind_the_logs_back_is_found(played: Cast) -> None:
    played.game.phases.filter(number=1).update(status=Phase.Status.UNDONE)
    assert any(
        "Spring 1901 movement: what was undone" in one for one in log_faults.faults(played.game)
    )


def test_a_rollback_that_names_what_is_no_phase_is_found(played: Cast) -> None:
    game_rollback(game=played.game, phase="F1901M", why="A mistake.", by="gm", now=DUE)
    event = played.game.events.get(kind="game_rolled_back")
    event.payload["undone"] = ["nonsense"]
    event.save()
    found = " ".join(log_faults.faults(played.game))
    assert f"Event {event.number} (game_rolled_back" in found
    assert "can no longer be read." in found
    assert "Fall 1901 movement: what was undone is not what the log says." in found


def test_a_changed_outcome_is_found(played: Cast) -> None:
    phase = played.game.phases.get(number=1)
    assert phase.outcome
    phase.outcome["results"][0]["result"] = ["available"]
    phase.save()
    assert any("the outcome is not what Event" in fault for fault in log_faults.faults(played.game))


def test_an_outcome_that_the_judge_does_not_come_to_is_found(played: Cast) -> None:
    phase = played.game.phases.get(number=1)
    event = played.game.events.get(kind="phase_processed")
    assert phase.outcome
    phase.outcome["winner"] = "France"
    phase.save()
    event.payload["outcome_sha256"] = log.digest(phase.outcome)
    event.digest = log.digest_of(event)
    event.save()
    assert [fault for fault in log_faults.faults(played.game) if "another outcome" in fault]


def test_the_command_says_that_a_log_is_whole(played: Cast) -> None:
    out = io.StringIO()
    call_command("verify_log", "MARNE", stdout=out)
    count = played.game.events.count()
    shown = log.head(played.game)[: log_text.SHOWN]
    assert out.getvalue() == f"The log of marne is whole: {count} events, the newest {shown}.\n"


def test_a_log_of_one_event_is_whole_in_one_event(marne: Cast) -> None:
    game_create(name="ypres", gm=marne.gm, now=NOW)
    out = io.StringIO()
    call_command("verify_log", "ypres", stdout=out)
    assert out.getvalue().startswith("The log of ypres is whole: 1 event, the newest ")


def test_a_log_is_checked_in_as_many_statements_however_long_the_game(played: Cast) -> None:
    counts = []
    for phases in (0, 6):
        play(played, phases)
        with CaptureQueriesContext(connection) as sent:
            assert not list(log_faults.faults(played.game))
        counts.append(len(sent))
    assert played.game.phases.count() == 8
    assert counts[0] == counts[1]


def test_the_command_fails_and_names_what_was_changed(played: Cast) -> None:
    played.game.events.filter(number=2).update(payload={})
    with pytest.raises(CommandError, match=r"Event 2 .* was changed after it was written"):
        call_command("verify_log", "marne")


@pytest.mark.parametrize("read", [log_text.entries, proofs.proof_file, log_faults.faults])
def test_a_long_log_is_read_in_few_statements_and_without_its_boards(
    db: None, read: Callable[[Game], Iterable[object]]
) -> None:
    game = make_cast(fog=True).game  # where what is told hangs on the game of each event's phase
    newest = game.events.exclude(phase=None).values().latest("number")
    counts = []
    for last in (30, 60):
        for number in range(last - 20, last):
            Event.objects.create(**newest | {"id": None, "number": number})
        with CaptureQueriesContext(connection) as sent:
            list(read(Game.objects.get(pk=game.pk)))  # not one that remembers what it was asked
        counts.append(len(sent))
        of_events = [one["sql"] for one in sent if 'FROM "games_event"' in one["sql"]]
        assert of_events
        assert not [sql for sql in of_events if '"games_phase"."position"' in sql]
    assert counts[1] == counts[0]
