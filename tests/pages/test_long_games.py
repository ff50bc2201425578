"""A game of many phases: its pages read no more boards than those of a short one."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from atlas import influence_after
from games.models import Game, Phase
from games.queries import board
from games.queries.endings.ending import counts_centers
from games.queries.phases.centers import center_history
from games.queries.reports.pictures import influence_before
from tests.cast import Cast
from tests.pages.playing import played

pytestmark = pytest.mark.django_db

WHOLE = re.compile(r'(?:SELECT |, )"games_phase"\."(?:position|outcome|orders)"(?:,|$| AS)')
"""A column with boards. A part of one, as its centres, is taken out of it in the database."""


@pytest.fixture
def game(db: None) -> Cast:
    """Marne in its fourth year, with press to everybody."""
    return played(18)


def boards_read(client: Client, page: str) -> tuple[int, int]:
    """How many whole boards a page reads, and how many statements it takes."""
    with CaptureQueriesContext(connection) as sent:
        assert client.get(page).status_code == 200
    read = 0
    for one in sent.captured_queries:
        columns, _, _ = one["sql"].partition(" FROM ")
        if WHOLE.search(columns):
            with connection.cursor() as cursor:
                cursor.execute(one["sql"].replace("%", "%%"))
                read += len(cursor.fetchall())
    return read, len(sent)


@pytest.mark.parametrize(
    "page", ["", "press/", "S1901M/", "S1901M/part.json", "S1901M.svg", "S1901M.json"]
)
def test_a_page_reads_the_board_that_it_shows_and_the_newest(
    game: Cast, client: Client, page: str
) -> None:
    read, statements = boards_read(client, f"/games/marne/{page}")
    assert read <= 2
    whole, phases = game.game, game.game.phases
    phases.filter(number__gt=8, number__lt=18).delete()
    assert Game.objects.filter(pk=whole.pk).exists()
    assert boards_read(client, f"/games/marne/{page}") == (read, statements)


def test_who_was_last_in_a_province_is_what_the_judge_s_positions_say(game: Cast) -> None:
    for phase in game.game.phases.order_by("number"):
        known: dict[str, str] = {}
        for earlier in game.game.phases.filter(number__lte=phase.number).order_by("number"):
            known = influence_after(known, board.position_of("standard", earlier.position))
        assert influence_before(phase, None) == known
    assert len(known) > 5


def test_the_years_centres_are_those_with_which_their_last_phases_left_the_board(
    game: Cast,
) -> None:
    phases = game.game.phases.filter(status=Phase.Status.PROCESSED).order_by("number")
    ended = {
        board.year_of(one.name): one.outcome["next"]["centers"]
        for one in phases
        if one.outcome and counts_centers(one.name, one.outcome["next"]["phase"])
    }
    first, *others = center_history(game.game)
    assert (first.year, first.centers["Turkey"]) == (1900, 3)
    assert [one.year for one in others] == sorted(ended)
    for one in others:
        assert one.centers == {power: len(owned) for power, owned in ended[one.year].items()}
