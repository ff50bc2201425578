"""What events say: the rows they are stored in, and the values that come out again."""

from __future__ import annotations

import dataclasses
import datetime as dt
import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import log
from games.events import (
    KINDS,
    DeadlineMoved,
    Facts,
    GameStarted,
    PhaseHeld,
    SeatTaken,
    facts_of,
    is_readable,
    payload_of,
    rows_saying,
)
from games.events.facts import secret_keys
from games.models import Event
from games.queries.audit import log_faults
from games.queries.reports.log_text import entries
from tests.cast import NOW, Cast

FIRST_RELEASE = Path(__file__).parent.parent / "first_release.json.gz"
moments = st.datetimes(timezones=st.just(dt.UTC))
VALUES = {
    str: st.text(),
    int: st.integers(min_value=0),
    bool: st.booleans(),
    dt.datetime: moments,
    str | None: st.none() | st.text(),
    int | None: st.none() | st.integers(min_value=0),
    dt.datetime | None: st.none() | moments,
    tuple[str, ...]: st.lists(st.text()).map(tuple),
    tuple[int, ...]: st.lists(st.integers()).map(tuple),
    Mapping[str, str]: st.dictionaries(st.text(), st.text()),
}


@st.composite
def anything_said(draw: st.DrawFn) -> Facts:
    """Any kind of event with any values in it."""
    cls = draw(st.sampled_from(sorted(KINDS.values(), key=lambda one: one.__name__)))
    hints = get_type_hints(cls)
    fields = dataclasses.fields(cls)
    return cls(**{one.name: draw(VALUES[hints[one.name]]) for one in fields})


def test_every_kind_of_event_is_known_by_its_own_name() -> None:
    assert {cls.kind: cls for cls in KINDS.values()} == KINDS
    assert len(KINDS) >= 35


COUNTS = {"free", "number", "offers", "press"}
"""The whole numbers in events that are no keys of rows: they name nobody."""


@pytest.mark.parametrize("cls", KINDS.values(), ids=lambda cls: cls.kind)
def test_no_proof_tells_the_key_of_a_player_whose_page_has_their_name(cls: type[Facts]) -> None:
    numbers = (int, int | None, tuple[int, ...])
    keys = {name for name, hint in get_type_hints(cls).items() if hint in numbers} - COUNTS
    assert keys <= secret_keys(cls.kind)


@given(facts=anything_said())
def test_what_is_written_to_a_row_is_read_back_the_same(facts: Facts) -> None:
    stored = json.loads(json.dumps(payload_of(facts)))
    assert facts_of(Event(kind=facts.kind, payload=stored)) == facts


@given(facts=anything_said())
def test_the_sentence_for_the_log_names_only_fields_that_there_are(facts: Facts) -> None:
    said = {**dict(facts.said()), "title": ""}
    written = {"due_at": "due", "missing": "without_orders", "free": "seats_free"}
    said |= {name: "" for fact, name in written.items() if fact in said}  # by the log, from these
    facts.sentence.format_map(said)
    facts.sentence_by.format_map(said)


def test_a_field_that_has_its_default_is_left_out_of_the_row() -> None:
    assert payload_of(GameStarted()) == {}
    assert payload_of(GameStarted(by="gm")) == {"by": "gm"}


def test_a_row_from_before_a_field_was_added_still_reads() -> None:
    held = Event(kind="phase_held", payload={"phase": "S1901M", "due_at": None, "since": None})
    assert PhaseHeld.of(held).moved is False


def test_the_deadline_before_is_stored_under_its_old_key() -> None:
    moved = DeadlineMoved(phase="S1901M", before=NOW, to=NOW, why="", by="gm")
    assert payload_of(moved)["from"] == NOW.isoformat()


def test_asking_an_event_of_one_kind_for_another_is_a_fault() -> None:
    with pytest.raises(TypeError, match="a game_started event is no SeatTaken"):
        SeatTaken.of(Event(kind="game_started", payload={}))


@pytest.mark.django_db
def test_rows_are_found_by_what_they_say(marne: Cast) -> None:
    for by in ("France", "gm"):
        moved = DeadlineMoved(phase="S1901M", before=None, to=NOW, why="", by=by)
        log.record(game=marne.game, phase=marne.phase, facts=moved, now=NOW)
    [row] = rows_saying(marne.game.events.all(), DeadlineMoved, by="France", to=NOW)
    assert DeadlineMoved.of(row).by == "France"


@pytest.mark.django_db
def test_a_log_with_a_row_that_cannot_be_read_is_shown_all_the_same(marne: Cast) -> None:
    marne.game.events.filter(number=2).update(payload={})
    told = [one.sentence for one in entries(marne.game)]
    assert told[1] == "What this entry said can no longer be read."
    assert told[2].startswith("A player joined.")
    faults = list(log_faults.faults(marne.game))
    assert any("Event 2" in fault and "can no longer be read" in fault for fault in faults)


def test_every_event_of_the_first_release_still_reads() -> None:
    rows = json.loads(gzip.decompress(FIRST_RELEASE.read_bytes()))["rows"]
    said = [row["fields"] for row in rows if row["model"] == "games.event"]
    events = [Event(kind=fields["kind"], payload=fields["payload"]) for fields in said]
    assert events
    assert [event.kind for event in events if not is_readable(event)] == []
