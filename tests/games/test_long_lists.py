"""Lists of thousands: sorted by deadline, filtered by a game's name, flat in statements."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from games.admin import lists
from games.models import Event, Game, Phase
from games.services.games import game_create
from games.services.staff import gm_appoint
from mailer.models import OutboundMail
from tests.cast import DAY, NOW, Cast

pytestmark = pytest.mark.django_db
Queries = Callable[[int], AbstractContextManager[object]]


@pytest.fixture
def operator(marne: Cast, client: Client) -> Client:
    client.force_login(User.objects.create_superuser("root", "root@players.test"))
    return client


def count(client: Client, name: str, **query: object) -> int:
    answer = client.get(reverse(f"admin:{name}_changelist"), query)
    assert answer.status_code == 200
    return int(answer.context["cl"].result_count)


def test_what_is_due_next_stands_first_and_what_has_no_deadline_last(
    marne: Cast, operator: Client
) -> None:
    forming = game_create(name="aisne", now=NOW)
    other = game_create(name="yser", now=NOW)
    Phase.objects.create(
        game=other, number=1, name="S1901M", position={}, opened_at=NOW, due_at=NOW + DAY
    )
    Phase.objects.filter(game=other).update(position=marne.phase.position)
    shown = operator.get(reverse("admin:games_game_changelist")).context["cl"].result_list
    assert [game.name for game in shown] == ["yser", "marne", forming.name]


@pytest.mark.parametrize("name", ["games_event", "games_phase", "games_press", "games_observer"])
def test_a_list_is_narrowed_by_the_name_of_a_game(marne: Cast, operator: Client, name: str) -> None:
    game_create(name="yser", now=NOW)
    whole = count(operator, name)
    mine = count(operator, name, game__name__iexact="MARNE")
    other = count(operator, name, game__name__iexact="yser")
    assert mine + other == whole
    assert count(operator, name, game__id__exact=marne.game.pk) == mine
    page = operator.get(reverse(f"admin:{name}_changelist")).content.decode()
    assert "yser</a>" not in page.partition('id="changelist-filter"')[2]
    assert 'list="games"' in page


def test_names_of_games_are_offered_while_one_types_and_only_ones_own(
    marne: Cast, operator: Client
) -> None:
    game_create(name="marne-2", now=NOW)
    asked = {"term": "marne", "app_label": "games", "model_name": "phase", "field_name": "game"}
    found = operator.get(reverse("admin:autocomplete"), asked).json()["results"]
    assert {one["text"] for one in found} == {"marne", "marne-2"}
    gm_appoint(user=marne.gm)
    operator.force_login(marne.gm)
    found = operator.get(reverse("admin:autocomplete"), asked).json()["results"]
    assert [one["text"] for one in found] == ["marne"]


def test_mails_are_found_by_their_whole_address(marne: Cast, operator: Client) -> None:
    for number in range(3):
        OutboundMail.objects.create(
            key=f"k{number}",
            kind="results",
            recipient=f"p{number}@players.test",
            message_id=f"<{number}@game.test>",
            subject="Results",
            body="-",
            created_at=NOW,
            not_before=NOW,
        )
    assert count(operator, "mailer_outboundmail", q="p1@players.test") == 1
    assert count(operator, "mailer_outboundmail", q="players.test") == 0


def test_no_list_counts_further_than_anybody_pages(
    marne: Cast, operator: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lists, "ENOUGH", 5)
    assert Event.objects.count() > 5
    assert count(operator, "games_event") == 5


@pytest.mark.parametrize(
    ("name", "most"),
    [("games_game", 20), ("games_event", 12), ("games_phase", 12), ("mailer_outboundmail", 12)],
)
def test_a_list_takes_the_same_statements_however_long_it_is(
    marne: Cast, operator: Client, name: str, most: int, django_assert_max_num_queries: Queries
) -> None:
    for number in range(30):
        game_create(name=f"g{number}", gm=marne.gm, now=NOW)
    assert Game.objects.count() == 31
    with django_assert_max_num_queries(most):
        operator.get(reverse(f"admin:{name}_changelist"))
