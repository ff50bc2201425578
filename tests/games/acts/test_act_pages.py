"""The page of an act, each of its states once; what acts say and do stands in test_acts*.py."""

from __future__ import annotations

import re

import pytest
import time_machine
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from games.models import CoGM, Game, Player
from games.services.adjudication.phases import phase_process_now
from games.services.clock.pauses import game_pause
from games.services.seating.joining import game_join
from games.services.setup.co_gms import co_gm_add
from games.services.setup.games import game_create
from tests.cast import DAY, HOUR, NOW, OPENINGS, Cast, submit
from tests.games.acts.acting import world
from tests.games.admin.gm_pages import page, permissions, text_of

pytestmark = pytest.mark.django_db


class Pages:
    """The pages of one act, as a browser walks through them."""

    def __init__(self, client: Client, game: Game, name: str) -> None:
        self.client = client
        self.url = reverse("admin:games_game_act", args=[game.pk, name])
        self.expected = self.given = ""

    def look(self, **query: str) -> str:
        with time_machine.travel(NOW + HOUR, tick=False):
            return self._seen(self.client.get(self.url, query))

    def send(self, **typed: object) -> str:
        with time_machine.travel(NOW + HOUR, tick=False):
            sent = {"expected": self.expected, **typed}
            sent |= {"given": self.given} if self.given else {}
            return self._seen(self.client.post(self.url, sent, follow=True))

    def confirm(self, **typed: object) -> str:
        return self.send(confirmed="yes", **typed)

    def _seen(self, response: object) -> str:
        content = response.content.decode()  # type: ignore[attr-defined]
        found = re.search(r'name="expected" value="(\w+)"', content)
        self.expected = found[1] if found else self.expected
        found = re.search(r'name="given" value="(\w+)"', content)
        self.given = found[1] if found else ""
        return text_of(content)


def acting(client: Client, cast: Cast, name: str) -> Pages:
    pages = Pages(client, cast.game, name)
    pages.look()
    return pages


def test_a_confirmation_of_a_page_that_is_out_of_date_does_nothing(as_gm: Client, marne: Cast):
    pages = acting(as_gm, marne, "process_now")
    phase_process_now(game_id=marne.game.pk, now=NOW)
    before = world()
    shown = pages.confirm()
    assert "The game has changed in the meantime, so nothing was done." in shown
    assert world() == before
    assert "Processed Fall 1901 movement of marne." in pages.confirm()


def test_a_confirmation_without_any_page_does_nothing(as_gm: Client, marne: Cast):
    pages = Pages(as_gm, marne.game, "process_now")
    assert "nothing was done" in pages.confirm()
    assert marne.phase.name == "S1901M"


def test_an_act_asks_says_what_will_happen_and_is_done_when_confirmed(as_gm: Client, marne: Cast):
    pages = acting(as_gm, marne, "extend")
    asked = pages.look()
    assert "Move the deadline of the open phase to a later time, or take it back" in asked
    assert "How much later" in asked
    assert "Like 24h, 3d, 1d12h." in asked
    assert "Please say why: all players are told." in pages.send(later="1d", why="")
    typed = {"later": "1d", "why": "Ana is ill."}
    shown = pages.send(**typed)
    assert (
        "The deadline of Spring 1901 movement moves from Thu 5 Mar 2026, 12:00 UTC to "
        "Fri 6 Mar 2026, 12:00 UTC, in 3 days and 23 hours." in shown
    )
    assert "What will happen" in shown
    assert "Why, as all will read it: “Ana is ill.”" in shown
    assert "Yes, do it" in shown
    assert marne.phase.due_at == NOW + 3 * DAY
    shown = pages.confirm(**typed)
    assert "Spring 1901 movement of marne is now due on Fri 6 Mar 2026, 12:00 UTC." in shown
    assert marne.phase.due_at == NOW + 4 * DAY
    assert LogEntry.objects.get().user == marne.gm
    [event] = marne.events("deadline_moved")
    assert (event.payload["by"], event.payload["why"]) == ("the GM", "Ana is ill.")


def test_while_one_types_a_length_that_makes_no_sense_gets_its_word(as_gm: Client, marne: Cast):
    pages = acting(as_gm, marne, "extend")
    with time_machine.travel(NOW + HOUR, tick=False):
        typed = {"later": "soon", "why": ""}
        response = as_gm.post(pages.url, typed, headers={"X-Forecast": "1"})
    shown = response.content.decode()
    assert "How much later: " in shown
    assert "soon" in shown
    assert "Please say why: all players are told." not in shown
    assert "Yes, do it" not in shown


def test_what_was_typed_stands_beside_what_it_would_do(as_gm: Client, marne: Cast):
    pages = acting(as_gm, marne, "extend")
    with time_machine.travel(NOW + HOUR, tick=False):
        response = as_gm.post(pages.url, {"later": "5d", "why": "Easter."})
    shown = response.content.decode()
    assert 'value="5d"' in shown
    assert 'value="Easter."' in shown
    assert "to Tue 10 Mar 2026, 12:00 UTC" in shown


def test_while_somebody_types_the_forecast_alone_is_sent(as_gm: Client, marne: Cast):
    pages = acting(as_gm, marne, "extend")
    live = {"X-Forecast": "1"}
    with time_machine.travel(NOW + HOUR, tick=False):
        early = as_gm.post(pages.url, {"later": "5d"}, headers=live).content.decode()
        done = as_gm.post(pages.url, {"later": "5d", "why": "Easter."}, headers=live)
        late = as_gm.post(pages.url, {"to": "2026-03-04", "why": "-"}, headers=live)
    assert "<html" not in early
    assert "Once you have filled in enough" in early
    assert "to Tue 10 Mar 2026, 12:00 UTC" in done.content.decode()
    assert 'name="confirmed"' in done.content.decode()
    assert "A deadline can only be moved to a later time" in text_of(late.content.decode())
    assert 'name="confirmed"' not in late.content.decode()
    assert marne.phase.due_at == NOW + 3 * DAY
    game_pause(game=marne.game, until=None, why="Easter.", by="co", now=NOW)
    refused = as_gm.post(pages.url, {"later": "5d", "why": "-"}, headers=live).content.decode()
    assert "The game marne is paused. Resume it first." in refused
    assert "<html" not in refused


def test_what_is_confirmed_is_what_was_foreseen(as_gm: Client, marne: Cast):
    pages = acting(as_gm, marne, "extend")
    pages.send(later="1d", why="Ana is ill.")
    shown = pages.confirm(later="9d", why="Ana is ill.")
    assert "You have changed something since you were shown what would happen" in shown
    assert "to Sat 14 Mar 2026, 12:00 UTC" in shown
    assert marne.phase.due_at == NOW + 3 * DAY
    pages.confirm(later="9d", why="Ana is ill.")
    assert marne.phase.due_at == NOW + 12 * DAY


def test_what_cannot_be_taken_back_asks_for_the_games_name(as_gm: Client, marne: Cast):
    pages = acting(as_gm, marne, "end")
    typed = {"winners": "France", "why": "All agreed."}
    assert "Type “marne” to show that you mean it" in pages.send(**typed)
    assert "Please type “marne” below" in pages.confirm(**typed, typed_name="yser")
    assert marne.phase.status == "open"
    pages.confirm(**typed, typed_name=" Marne ")
    marne.game.refresh_from_db()
    assert marne.game.status == "finished"


def test_the_admins_own_history_has_no_address(as_gm: Client, marne: Cast):
    game = game_create(name="yser", gm=marne.gm, now=NOW)
    for name, field in (("add_co_gm", "email"), ("invite", "emails"), ("deny", "emails")):
        pages = Pages(as_gm, game, name)
        pages.look()
        assert "di@club.test" in pages.send(**{field: "di@club.test"})
        assert "di@club.test" in pages.confirm(**{field: "di@club.test"})
    pages, key = Pages(as_gm, game, "remove_co_gm"), str(CoGM.objects.get().pk)
    pages.look()
    pages.send(who=key)
    assert "di@club.test no longer runs yser." in pages.confirm(who=key)
    assert [*LogEntry.objects.order_by("pk").values_list("change_message", flat=True)] == [
        "Add a co-GM or deputy: yser",
        "Invite players: yser",
        "Keep somebody out: yser",
        "Remove a co-GM: yser",
    ]


def test_no_power_is_chosen_for_anybody(as_gm: Client, marne: Cast):
    for name in ("disorder", "vacate", "replace", "set_orders"):
        url = reverse("admin:games_game_act", args=[marne.game.pk, name])
        content = as_gm.get(url).content.decode()
        assert '<option value="" selected>Please choose</option>' in content, name
        refused = as_gm.post(url, {"why": "-", "power": ""}).content.decode()
        assert "Please say which power." in refused, name


CLOCK = {"movement_clock": "Tue Fri 20:00", "days_off": "Sat Sun", "timezone": "Europe/Berlin"}


@pytest.mark.parametrize(
    ("typed", "to"),
    [
        ({}, "Fri 6 Mar 2026, 20:00 CET"),
        ({"to": "2026-03-10"}, "Tue 10 Mar 2026, 20:00 CET"),
        ({"to": "2026-03-11T18:30"}, "Wed 11 Mar 2026, 18:30 CET"),
        ({"to": "2026-03-07 20:00"}, "Mon 9 Mar 2026, 20:00 CET"),
        ({"later": "1d", "to": "2026-03-11"}, "either how much later, or until when"),
        ({"to": "2026-02-31"}, "is not a day and time that exists"),
        ({"to": "Easter"}, "We cannot read “Easter” as a day."),
    ],
)
def test_a_deadline_moves_to_a_date_or_to_the_games_next_regular_one(
    as_gm: Client, marne: Cast, typed: dict[str, str], to: str
):
    Game.objects.update(**CLOCK)
    pages = acting(as_gm, marne, "extend")
    asked = pages.look()
    assert "Deadlines are on Tuesdays and Fridays at 20:00, times in Europe/Berlin" in asked
    assert "the next regular deadline: Fri 6 Mar 2026, 20:00 CET" in asked
    assert to in pages.send(why="Ana is ill.", **typed)


def test_a_pause_until_a_day_says_when_the_phase_is_due_then(as_gm: Client, marne: Cast):
    pages = acting(as_gm, marne, "pause")
    shown = pages.send(to="2026-03-10 12:00", why="Holidays.")
    assert "It runs again by itself on Tue 10 Mar 2026, 12:00 UTC" in shown
    assert "Spring 1901 movement is due Fri 13 Mar 2026, 11:00 UTC then." in shown


def test_civil_disorder_says_how_many_orders_fall_away(as_gm: Client, marne: Cast):
    submit(marne, "France", OPENINGS["France"])
    pages = acting(as_gm, marne, "disorder")
    said = "3 orders that were sent for it in Spring 1901 movement no longer count."
    assert said in pages.send(power="France", why="Gone.")
    said = "Nothing was sent for it in Spring 1901 movement."
    assert said in pages.send(power="Italy", why="Gone.")


def test_the_link_beside_a_power_has_that_power_chosen(as_gm: Client, marne: Cast):
    url = reverse("admin:games_game_act", args=[marne.game.pk, "set_orders"])
    shown = as_gm.get(url, {"power": "Italy"}).content.decode()
    assert '<option value="Italy" selected>' in shown


def test_a_blind_gm_has_no_preview(as_gm: Client, marne: Cast):
    submit(marne, "France", OPENINGS["France"])
    assert "Preview" not in page(as_gm, marne)
    shown = acting(as_gm, marne, "preview").confirm(why="-")
    assert "You may not see the orders of the game marne before the deadline." in shown
    assert "Burgundy" not in shown


def test_a_preview_shows_the_results_stores_nothing_and_is_told(as_gm: Client, marne: Cast):
    Game.objects.update(gm_sees="orders")
    submit(marne, "France", OPENINGS["France"])
    pages = acting(as_gm, marne, "preview")
    before = world()
    shown = pages.send(why="A player doubts the rules.")
    assert "the log keeps for good that you looked, and why." in shown
    assert "Burgundy" not in shown
    assert world() == before
    shown = pages.confirm(why="A player doubts the rules.")
    assert "France: A Paris - Burgundy: succeeds." in shown
    assert "France, units: A Burgundy, A Spain, F Mid-Atlantic Ocean" in shown
    assert "A whole line with a head is a move that worked" in shown
    assert "A ring round a star marks a centre that changed hands" in shown
    assert marne.phase.name == "S1901M"
    [event] = marne.events("orders_looked_at")
    assert (event.payload["by"], event.payload["why"]) == ("the GM", "A player doubts the rules.")


def test_an_act_for_which_there_is_nothing_says_so(as_gm: Client, marne: Cast):
    url = reverse("admin:games_game_act", args=[marne.game.pk, "end_disorder"])
    said = text_of(as_gm.get(url).content.decode())
    assert "No power in marne is in civil disorder." in said


def test_the_gm_of_another_game_finds_neither_page_nor_act(client: Client, marne: Cast):
    other = User.objects.create_user("other", "other@players.test", is_staff=True)
    other.user_permissions.set(permissions())
    game_create(name="yser", gm=other, now=NOW)
    client.force_login(other)
    for url in (
        reverse("admin:games_game_change", args=[marne.game.pk]),
        reverse("admin:games_game_act", args=[marne.game.pk, "process_now"]),
    ):
        assert client.get(url).status_code == 404
        assert client.post(url, {"confirmed": "yes"}).status_code == 404
    assert marne.phase.name == "S1901M"


def test_an_act_that_asks_nothing_says_at_once_why_it_cannot_be_done(as_gm: Client, marne: Cast):
    game = game_create(name="yser", gm=marne.gm, now=NOW)
    game_join(game=game, player=marne.player("Hugo"), preferences="", now=NOW)
    pages = Pages(as_gm, game, "start")
    shown = pages.look()
    assert "6 of its 7 seats are still free" in shown
    assert "Look again" in shown


def test_a_stranger_does_no_act(as_gm: Client, marne: Cast):
    pages = acting(as_gm, marne, "extend")
    typed = {"later": "1d", "why": "-", "expected": pages.expected, "confirmed": "yes"}
    before = world()
    response = Client().post(pages.url, typed)
    assert response.status_code == 302
    assert "/login/" in response["Location"]
    assert world() == before


@pytest.mark.parametrize(
    ("act", "says", "leads_to"),
    [
        ("hand_over", "has none: add one first.", "add_co_gm"),
        ("extend", "is paused. Resume it first.", "resume"),
    ],
)
def test_a_page_that_cannot_do_it_now_leads_to_what_it_lacks(
    marne: Cast, as_gm: Client, act: str, says: str, leads_to: str
) -> None:
    game_pause(game=marne.game, until=None, why="-", by="gm", now=NOW)
    url = reverse("admin:games_game_act", args=[marne.game.pk, act])
    shown = as_gm.get(url).content.decode()
    assert says in shown
    assert f'href="../{leads_to}/"' in shown


def test_the_page_of_a_game_that_cannot_be_deleted_leads_to_its_end(
    marne: Cast, as_gm: Client
) -> None:
    game = game_create(name="yser", gm=marne.gm, now=NOW)
    game_join(game=game, player=marne.player("Hugo"), preferences="", now=NOW)
    shown = as_gm.get(reverse("admin:games_game_act", args=[game.pk, "delete"])).content.decode()
    assert "end it instead" in shown
    assert 'href="../end/"' in shown


def test_the_page_that_cannot_pause_all_games_leads_to_both_acts_that_it_names(
    marne: Cast, as_gm: Client
) -> None:
    Game.objects.filter(pk=marne.game.pk).update(tournament="Spring cup")
    game_pause(game=marne.game, until=None, why="-", by="gm", now=NOW)
    url = reverse("admin:games_game_act", args=[marne.game.pk, "pause_all"])
    shown = as_gm.get(url).content.decode()
    assert "“Resume all games” ends it" in shown
    assert 'href="../pause/"' in shown
    assert 'href="../resume_all/"' in shown


def test_the_page_of_an_act_on_a_player_that_cannot_be_done_says_so(
    marne: Cast, client: Client
) -> None:
    hugo = marne.player("Hugo")
    Player.objects.filter(pk=hugo.pk).update(banned_at=NOW)
    client.force_login(User.objects.create_superuser("op"))
    shown = client.get(reverse("admin:games_player_act", args=[hugo.pk, "ban"])).content.decode()
    assert "Hugo is already banned." in shown


def test_whoever_may_not_do_what_it_lacks_either_is_not_led_there(
    as_gm: Client, marne: Cast
) -> None:
    """A GM who plays may pause the game, but not add a co-GM."""
    player = marne.seat("France").player
    player.user = marne.gm
    player.save()
    url = reverse("admin:games_game_act", args=[marne.game.pk, "hand_over"])
    assert "../add_co_gm/" not in as_gm.get(url).content.decode()


def test_the_page_of_a_game_without_co_gms_offers_to_hand_it_over(
    marne: Cast, as_gm: Client
) -> None:
    """Whoever wants to finds there what is lacking."""
    shown = as_gm.get(reverse("admin:games_game_change", args=[marne.game.pk])).content.decode()
    assert reverse("admin:games_game_act", args=[marne.game.pk, "hand_over"]) in shown


def test_what_was_done_is_said_as_it_is_written(as_gm: Client, marne: Cast) -> None:
    """Django's own template begins it with a capital, which makes another address of one."""
    co_gm_add(game=marne.game, email="di@far.test", until=None, by="gm", now=NOW)
    pages = acting(as_gm, marne, "hand_over")
    typed = {"who": str(CoGM.objects.get().pk), "stays": "on"}
    pages.send(**typed)
    assert "di@far.test is the GM of marne now." in pages.confirm(**typed)
