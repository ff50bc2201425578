"""The operators' admin: what it shows, what it does, and what it keeps secret."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from games.admin.base import countdown
from games.admin.player import PlayerForm
from games.models import Game, OrderSet, Player
from games.queries.access.staff_names import Actor
from games.services.accounts.erasing import player_erase
from games.services.accounts.profile import player_rename
from games.services.adjudication.phases import phase_process_now
from games.services.ordering.orders import orders_submit
from tests.cast import DAY, HOUR, NOW, Cast, make_player
from tests.games.admin.new_game_form import FORM

pytestmark = pytest.mark.django_db

SECRET = "A Par - Bur"


@pytest.fixture
def ordered(marne: Cast) -> Cast:
    """France has sent an order."""
    orders_submit(
        seat=marne.seat("France"),
        phase=marne.phase,
        lines=[(1, SECRET)],
        amend=False,
        received_at=NOW + HOUR,
        source="<1@players.test>",
        now=NOW + HOUR,
    )
    return marne


def page(client: Client, name: str, *args: object) -> str:
    """Return the text of an admin page of this room, with its tags."""
    response = client.get(reverse(f"admin:games_{name}", args=args))
    assert response.status_code == 200
    return response.content.decode()


def test_the_list_of_games_shows_at_a_glance_how_each_stands(
    ordered: Cast, operator: Client
) -> None:
    with time_machine.travel(NOW + DAY, tick=False):
        shown = page(operator, "game_changelist")
    assert "Spring 1901 movement" in shown
    assert "Thu 5 Mar 2026, 12:00 UTC, in 2 days" in shown
    assert "all 7" in shown
    assert "7 of 7" in shown


def test_the_list_waits_for_no_power_in_civil_disorder(marne: Cast, operator: Client) -> None:
    marne.game.powers.exclude(name="Italy").update(disorder_since=NOW)
    shown = page(operator, "game_changelist")
    assert 'class="field-waiting_for">Italy</td>' in shown


def test_an_overdue_game_stands_out(marne: Cast, operator: Client) -> None:
    with time_machine.travel(NOW + 4 * DAY, tick=False):
        assert "<strong>1 day overdue</strong>" in page(operator, "game_changelist")


def test_a_deadline_of_seconds_is_counted_in_seconds() -> None:
    assert ", in 20 seconds" in countdown(NOW + 20 * HOUR / 3600, NOW, "UTC")


def test_the_list_takes_the_same_number_of_queries_for_few_and_for_many_players(
    marne: Cast, operator: Client, django_assert_max_num_queries: object
) -> None:
    with django_assert_max_num_queries(14):  # type: ignore[operator]
        page(operator, "game_changelist")


@pytest.mark.parametrize(
    "name", ["phase", "orderset", "event", "player", "game"], ids=lambda name: name
)
def test_nothing_can_be_deleted_and_history_has_no_form(
    ordered: Cast, operator: Client, name: str
) -> None:
    shown = page(operator, f"{name}_changelist")
    assert "delete_selected" not in shown
    assert 'class="deletelink"' not in shown


@pytest.mark.parametrize("name", ["phase", "orderset", "event"])
def test_history_cannot_be_written_to(ordered: Cast, operator: Client, name: str) -> None:
    row = {
        "phase": ordered.phase.pk,
        "orderset": OrderSet.objects.get().pk,
        "event": ordered.game.events.first(),
    }[name]
    key = getattr(row, "pk", row)
    add = operator.get(reverse(f"admin:games_{name}_add"))
    change = operator.post(reverse(f"admin:games_{name}_change", args=[key]), {"name": "X"})
    assert (add.status_code, change.status_code) == (403, 403)


def every_page(client: Client, cast: Cast) -> str:
    """Return all the pages on which orders could show."""
    return "".join(
        [
            page(client, "orderset_changelist"),
            page(client, "orderset_change", OrderSet.objects.get().pk),
            page(client, "phase_changelist"),
            page(client, "phase_change", cast.game.phases.get(number=1).pk),
            page(client, "game_change", cast.game.pk),
            page(client, "event_changelist"),
        ]
    )


def test_lists_and_users_have_plain_titles(operator: Client, db: None) -> None:
    root = reverse("admin:auth_user_change", args=[User.objects.get().pk])
    assert "<h1>User root</h1>" in operator.get(root).content.decode()
    for name, title in {
        "auth_user": "Users",
        "auth_group": "Groups",
        "games_game": "Games",
    }.items():
        listed = operator.get(reverse(f"admin:{name}_changelist")).content.decode()
        assert f"<h1>{title}</h1>" in listed


def test_open_orders_are_hidden_from_a_superuser_too(ordered: Cast, operator: Client) -> None:
    shown = every_page(operator, ordered)
    assert SECRET not in shown
    assert "Burgundy" not in shown
    assert "hidden until the phase is processed" in shown


def test_orders_are_shown_once_the_phase_is_processed(ordered: Cast, operator: Client) -> None:
    phase_process_now(game_id=ordered.game.pk, now=NOW)
    assert SECRET in page(operator, "orderset_change", OrderSet.objects.get().pk)
    shown = page(operator, "phase_change", ordered.game.phases.get(number=1).pk)
    assert "France: A Paris - Burgundy – <strong>succeeds</strong>" in shown


@pytest.mark.parametrize("field", ["lines", "reading", "digest"])
def test_a_list_cannot_be_filtered_by_what_is_secret(
    ordered: Cast, operator: Client, field: str
) -> None:
    """A filter that answers yes or no would give the orders away word by word."""
    url = reverse("admin:games_orderset_changelist")
    assert operator.get(f"{url}?{field}__icontains=Bur").status_code == 400
    assert operator.get(f"{url}?{field}__isnull=False").status_code == 400


def test_a_search_does_not_look_into_orders(ordered: Cast, operator: Client) -> None:
    url = reverse("admin:games_orderset_changelist")
    assert "1 order set" in operator.get(f"{url}?q=marne").content.decode()
    assert "0 order sets" in operator.get(f"{url}?q=Bur").content.decode()


def test_a_gm_makes_a_game_by_the_form(operator: Client) -> None:
    with time_machine.travel(NOW, tick=False):
        response = operator.post(reverse("admin:games_game_add"), FORM, follow=True)
    assert "The game verdun has been made. Players join it by mail." in response.content.decode()
    game = Game.objects.get()
    assert (game.name, game.movement_length, game.retreat_length) == ("verdun", 2 * DAY, 12 * HOUR)
    assert (game.movement_clock, game.reminders) == ("Tue Fri 20:00", "24h 4h")
    assert (game.first_extra, game.transit_grace) == (DAY, HOUR / 12)
    assert (game.when_missing, game.extension_length) == ("extend", DAY)
    assert game.player_extensions == 2
    assert (game.muster, game.min_reliability) == (2 * DAY, 80)
    assert game.rules == "DATC"
    assert game.powers.count() == 7
    assert game.created_at == NOW
    assert [event.kind for event in game.events.all()] == ["game_created"]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"name": "ver dun"}, "letters, digits"),
        ({"variant": "atlantis"}, "atlantis"),
        ({"movement_length": "soon"}, "write it like 72h"),
        ({"timezone": "Mars/Olympus"}, "Mars/Olympus"),
        ({"rules": "1899"}, "1899"),
        ({"rules": "{4.A.2"}, "no JSON object"),
        ({"movement_clock": "Someday"}, "Someday"),
    ],
)
def test_a_form_that_makes_no_game_says_why(
    operator: Client, typed: dict[str, str], said: str
) -> None:
    response = operator.post(reverse("admin:games_game_add"), FORM | typed)
    assert response.status_code == 200
    assert said in response.content.decode()
    assert not Game.objects.exists()


def test_the_form_proposes_lengths_as_they_are_typed(operator: Client) -> None:
    shown = page(operator, "game_add")
    assert 'value="72h"' in shown


def test_single_rules_are_typed_as_an_object(operator: Client) -> None:
    rules = '{"preset": "DATC", "4.A.2": "1982"}'
    operator.post(reverse("admin:games_game_add"), FORM | {"rules": rules})
    assert Game.objects.get().rules == {"preset": "DATC", "4.A.2": "1982"}


def test_the_gm_is_proposed_to_be_who_makes_the_game(operator: Client) -> None:
    root = User.objects.get(username="root")
    assert f'<option value="{root.pk}" selected>root</option>' in page(operator, "game_add")


def test_the_standard_game_is_proposed(operator: Client) -> None:
    assert '<option value="standard" selected>' in page(operator, "game_add")


def test_players_are_shown_with_their_addresses_and_seats(marne: Cast, operator: Client) -> None:
    shown = page(operator, "player_changelist")
    assert "carla@players.test" in shown
    assert "France in marne" in shown
    assert "ana@players.test" in page(operator, "player_change", marne.player("Ana").pk)
    Game.objects.update(status=Game.Status.FINISHED)
    assert "France in marne" not in page(operator, "player_changelist")
    assert ">marne</a>, which is over" in page(operator, "player_change", marne.player("Ana").pk)


def change_ana(
    operator: Client, meanwhile: Callable[[Player], object] = lambda ana: None, **typed: str
) -> tuple[Player, str]:
    """Ana after an operator has typed this on her page, and the page if it says why not; what
    happened between the two."""
    ana = Player.objects.filter(name="Ana").first() or make_player("Ana")
    url = reverse("admin:games_player_change", args=[ana.pk])
    opened = page(operator, "player_change", ana.pk)
    shown = re.findall(r'name="(initial-\w+)" value="([^"]*)"', opened)
    meanwhile(ana)
    forms = {
        f"{prefix}-{field}": "0"
        for prefix in ("addresses", "seats")
        for field in ("TOTAL_FORMS", "INITIAL_FORMS")
    }
    own = {"name": "Ana", "timezone": "UTC", "user": "", **dict(shown)}
    told = operator.post(url, {**own, **forms, **typed})
    ana.refresh_from_db()
    return ana, html.unescape(told.content.decode())


def test_a_players_time_zone_can_be_changed(operator: Client) -> None:
    assert change_ana(operator, timezone="europe/madrid")[0].timezone == "Europe/Madrid"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"timezone": "Berlin/Europe"}, "There is no time zone “Berlin/Europe”."),
        ({"name": "Austria"}, "is the name of a power"),
        ({"name": "A\tB www.example.com"}, "cannot look like an address on the net"),
    ],
)
def test_an_operator_gives_a_player_nothing_that_the_player_could_not_take(
    operator: Client, typed: dict[str, str], said: str
) -> None:
    ana, told = change_ana(operator, **typed)
    assert (ana.name, ana.timezone) == ("Ana", "UTC")
    assert said in told


def test_a_players_page_takes_nothing_back_that_happened_since_it_was_opened(
    operator: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    clean = PlayerForm.clean_timezone

    def banned(form: PlayerForm) -> str:
        Player.objects.update(banned_at=NOW)
        return clean(form)

    def renamed(ana: Player) -> None:
        player_rename(player=ana, name="Zoe")

    monkeypatch.setattr(PlayerForm, "clean_timezone", banned)
    ana, _ = change_ana(operator, renamed, timezone="Europe/Madrid")
    assert (ana.name, ana.timezone, ana.banned_at) == ("Zoe", "Europe/Madrid", NOW)


def test_nobody_is_named_again_who_was_erased_since_their_page_was_opened(operator: Client) -> None:
    def erased(ana: Player) -> None:
        player_erase(player=ana, why="They asked.", by=Actor("mo"), now=NOW)

    ana, told = change_ana(operator, erased, name="Anna")
    assert (ana.name, ana.timezone) == (f"Former player {ana.pk}", "UTC")
    assert "is erased, so this was not done" in told


def test_an_operator_sees_how_often_telling_of_an_event_broke(
    marne: Cast, operator: Client
) -> None:
    event = marne.game.events.latest("number")
    event.tell_attempts, event.tell_again_at = 4, NOW
    event.save()
    shown = page(operator, "event_change", event.pk)
    assert "Failed attempts to tell" in shown
    assert "Next try" in shown
