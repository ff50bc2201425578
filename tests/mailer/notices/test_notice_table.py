"""The table of notices: every event is told or left out on purpose, in words that can be filled."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from string import Formatter

import pytest
from django.conf import settings

from games.events import KINDS, Facts, InPhase, OfPower, OfSeat, OnProposal
from mailer.notices import audiences, audiences_of_votes
from mailer.notices.news import Row
from mailer.notices.table import TABLE, UNTOLD

ROWS = {kind: row for kind, row in TABLE.items() if isinstance(row, Row)}
NEEDS = {
    audiences.the_player: OfSeat,
    audiences_of_votes.everybody_with_a_say: OnProposal,
    audiences.everybody: OfPower,
    audiences.everybody_and_moderators: OfPower,
}
"""What an event has to say for an audience to be found."""

every_row = pytest.mark.parametrize("kind", ROWS, ids=lambda kind: kind.__name__)


def test_every_kind_of_event_is_told_or_left_out_on_purpose() -> None:
    assert set(TABLE) | UNTOLD == set(KINDS.values())
    assert not UNTOLD & set(TABLE)
    assert len(ROWS) > 10


@every_row
def test_a_row_has_its_template(kind: type[Facts]) -> None:
    folder = Path(settings.BASE_DIR) / "templates" / "mail"
    assert (folder / f"{ROWS[kind].template or kind.kind}.txt").is_file()


@every_row
def test_a_subject_names_only_what_the_event_says(kind: type[Facts]) -> None:
    said = {one.name for one in dataclasses.fields(kind)} | {"game"}
    if issubclass(kind, InPhase | OnProposal):
        said.add("title")
    if issubclass(kind, OnProposal):
        said.add("kind")  # “a draw”: the audience looks at the proposal
    for subject in (ROWS[kind].news, ROWS[kind].mine):
        assert {name for _, name, _, _ in Formatter().parse(subject) if name} <= said
    assert ROWS[kind].news


@every_row
def test_an_audience_can_be_found_from_what_the_event_says(kind: type[Facts]) -> None:
    assert issubclass(kind, NEEDS.get(ROWS[kind].to, Facts))  # type: ignore[call-overload]
