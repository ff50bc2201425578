"""The first page of the admin: what needs whoever comes in, and the counts in the header."""

from __future__ import annotations

import datetime as dt
import html
import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
import time_machine
from django.contrib.admin.models import ADDITION, LogEntry
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from diplomacy_server import staff
from diplomacy_server.health.findings import Finding, Level
from diplomacy_server.staff import StaffSite
from games.models import Care, Game, Phase, Player
from games.queries.access.roles import own_games
from games.queries.moderators.cases import waiting
from games.queries.reports import own_games as own_games_shown
from games.queries.reports.next_step import time_until
from games.queries.reports.own_games import game_cards
from games.queue import queue
from games.services.clock.deadlines import Mover, deadline_move
from games.services.clock.extensions import extension_ask
from games.services.clock.reminders import missing_remind
from games.services.moderation.conduct import moderators_ask
from games.services.moderation.staff import gm_appoint
from games.services.ordering.readiness import readiness_set
from games.services.seating.joining import game_join
from games.services.setup.games import game_create
from tests.cast import DAY, HOUR, NOW, OPENINGS, POWERS, Cast, submit
from tests.games.admin.queue_cases import everything, plain

pytestmark = pytest.mark.django_db
Queries = Callable[[int], AbstractContextManager[object]]
LATE = NOW + 3 * DAY - 2 * HOUR
"""Two hours before the first deadline."""


@pytest.fixture
def gm(client: Client, marne: Cast) -> Client:
    gm_appoint(user=marne.gm)
    client.force_login(marne.gm)
    return client


def home(client: Client, at: object = LATE) -> str:
    with time_machine.travel(at, tick=False):  # type: ignore[arg-type]
        return plain(client.get(reverse("admin:index")).content.decode())


def test_a_gm_finds_their_game_with_who_is_missing_and_one_button(gm: Client, marne: Cast) -> None:
    for power in set(POWERS.values()) - {"England"}:
        submit(marne, power, OPENINGS[power])
    shown = home(gm)
    assert (
        "marne Spring 1901 movement Orders are missing from England. 2 hours left, until " in shown
    )
    assert "2 hours left, until Thu 5 Mar 2026, 12:00 UTC Still to order: England" in shown
    assert "Remind the missing (marne)" in shown


def test_the_last_minute_is_not_called_a_whole_one() -> None:
    assert time_until(NOW + dt.timedelta(seconds=20), NOW) == "less than a minute"
    assert time_until(NOW + dt.timedelta(seconds=119), NOW) == "1 minute"


def test_the_time_is_that_of_the_gms_own_zone(gm: Client, marne: Cast) -> None:
    Player.objects.filter(name="Hugo").update(user=marne.gm, timezone="Europe/Berlin")
    shown = home(gm)
    assert "Times are in Europe/Berlin." in shown
    assert "Thu 5 Mar 2026, 13:00 CET (12:00 UTC)" in shown


def test_games_that_need_their_gm_come_first_and_are_counted(gm: Client, marne: Cast) -> None:
    game_create(name="yser", gm=marne.gm, now=NOW)
    other = game_create(name="somme", gm=marne.gm, now=NOW)
    for name in POWERS:
        game_join(game=other, player=marne.player(name), preferences="", now=NOW)
    assert "needs you" not in home(gm).replace("What needs you", "")
    extension_ask(
        seat=marne.seat("France"), phase=marne.phase, length="1d", why="Ill.", now=NOW + HOUR
    )
    with time_machine.travel(LATE, tick=False):
        answer = gm.get(reverse("admin:index"))
    assert [card.game.name for card in answer.context["cards"]] == ["marne", "somme", "yser"]
    shown = plain(answer.content.decode())
    assert "1 game needs you" in shown
    assert "France asks for 1 day more, until Fri 6 Mar 2026, 12:00 UTC: “Ill.”" in shown
    assert "Extend to Fri 6 Mar 2026, 12:00 UTC (marne)" in shown
    assert "0 of 7 players 7 seats are still free." in shown


def test_a_card_has_no_map_before_the_start(gm: Client, marne: Cast) -> None:
    game_create(name="yser", gm=marne.gm, now=NOW)
    with time_machine.travel(LATE, tick=False):
        shown = gm.get(reverse("admin:index")).content.decode()
    assert len(re.findall('<li class="game ', shown)) == 2
    [linked] = re.findall('<a class="map" href="([^"]+)"', shown)
    assert linked == reverse("admin:games_game_change", args=[marne.game.pk])


def test_boards_that_are_due_together_stand_in_the_order_of_their_names(marne: Cast) -> None:
    for name in ("cup-2", "cup-1", "cup-3"):
        game_create(name=name, gm=marne.gm, now=NOW)
    cups = own_games(marne.gm, now=NOW).exclude(name="marne")
    cards = game_cards(cups, now=NOW, played=(), zone="")
    assert [card.game.name for card in cards] == ["cup-1", "cup-2", "cup-3"]


def test_of_more_games_than_fit_those_that_are_due_are_shown(
    gm: Client, marne: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    for one in (own_games_shown, staff):
        monkeypatch.setattr(one, "SHOWN", 1)
    game_create(name="yser", gm=marne.gm, now=NOW)
    shown = home(gm)
    assert "Your games (2)" in shown
    assert "Spring 1901 movement" in shown
    assert "Not shown here: 1, due later or without a deadline. All your games" in shown
    Game.objects.update(status=Game.Status.FINISHED)
    assert "You are not running a game now. Games that are over (2)" in home(gm)


def test_a_wish_for_more_time_is_granted_by_two_clicks(gm: Client, marne: Cast) -> None:
    extension_ask(
        seat=marne.seat("France"), phase=marne.phase, length="1d", why="Ill.", now=NOW + HOUR
    )
    on_home = button(gm, reverse("admin:index"))
    assert on_home == button(gm, reverse("admin:games_game_change", args=[marne.game.pk]))
    with time_machine.travel(LATE, tick=False):
        asked = gm.get(on_home)
        assert "moves from Thu 5 Mar 2026, 12:00 UTC to Fri 6 Mar" in plain(asked.content.decode())
        context = asked.context
        typed = {**context["form"].data.dict(), "given": context["given"], "confirmed": "yes"}
        gm.post(on_home.partition("?")[0], {**typed, "expected": context["expected"]})
    assert marne.phase.due_at == NOW + 4 * DAY
    [moved] = marne.events("deadline_moved")
    assert moved.payload["why"] == "France asked for more time: “Ill.”"


def button(client: Client, url: str) -> str:
    """Where the likely button of a page leads."""
    with time_machine.travel(LATE, tick=False):
        page = client.get(url).content.decode()
    [found] = re.findall(r'class="button primary" href="([^"]+)"', page)
    return html.unescape(found)


def test_after_an_extension_home_and_list_name_who_has_to_speak_again(
    gm: Client, marne: Cast
) -> None:
    for power, lines in OPENINGS.items():
        submit(marne, power, lines)
    Game.objects.update(process_early=True)
    deadline_move(game=marne.game, to=NOW + 4 * DAY, why="", by=Mover("gm"), now=NOW + HOUR / 2)
    for power in [one for one in OPENINGS if one not in ("France", "Italy")]:
        readiness_set(seat=marne.seat(power), phase=marne.phase, word="READY", now=NOW + HOUR)
    shown = home(gm)
    assert "All orders are in, but France and Italy have to speak again, since the" in shown
    assert "Remind" not in shown
    with time_machine.travel(LATE, tick=False):
        listing = plain(gm.get(reverse("admin:games_game_changelist")).content.decode())
    assert "France, Italy, who have to speak again since the deadline moved" in listing


def test_who_was_just_reminded_is_not_to_be_reminded_again(gm: Client, marne: Cast) -> None:
    assert "Remind the missing (marne)" in home(gm)
    missing_remind(game=marne.game, by="gm", now=LATE - HOUR / 2)
    assert "Remind the missing" not in home(gm)
    assert "Extend the deadline (marne)" in home(gm)


@pytest.mark.parametrize("trouble", ["stuck", "overdue", "asked"])
def test_the_header_counts_what_the_home_calls_urgent(marne: Cast, trouble: str) -> None:
    if trouble == "asked":
        extension_ask(
            seat=marne.seat("France"), phase=marne.phase, length="1d", why="Ill.", now=NOW
        )
    elif trouble == "stuck":
        Phase.objects.update(status=Phase.Status.STUCK)
    else:
        Phase.objects.update(overdue_at=NOW)
    cards = game_cards(own_games(marne.gm, now=NOW), now=LATE, played=(), zone="")
    assert [card.step.urgency.name for card in cards] == ["NOW"]
    assert waiting(marne.gm, LATE) == (1, 0)


def test_who_asks_to_join_is_answered_from_the_home_and_counted_until_then(
    gm: Client, marne: Cast
) -> None:
    game = game_create(name="somme", gm=marne.gm, entry="approval", now=NOW)
    game_create(name="yser", gm=marne.gm, entry="approval", now=NOW)
    for name in ("Ana", "Ben"):
        game_join(game=game, player=marne.player(name), preferences="", now=NOW)
    shown = home(gm)
    assert "2 players ask to join, and you let people in. Let players in (somme)" in shown
    assert "1 game needs you" in shown
    assert shown.count("ask to join") == 1, "nobody asks to join yser"
    assert waiting(marne.gm, LATE)[0] == 1
    User.objects.filter(pk=marne.gm.pk).update(is_superuser=True)
    assert waiting(User.objects.get(pk=marne.gm.pk), LATE)[0] == 1


def test_a_gm_who_plays_is_offered_only_what_helps_nobody(gm: Client, marne: Cast) -> None:
    Phase.objects.update(status=Phase.Status.STUCK)
    Player.objects.filter(name="Carla").update(user=marne.gm)
    assert "Process now" not in home(gm)


def test_the_statements_do_not_grow_with_the_games(
    gm: Client, marne: Cast, django_assert_max_num_queries: Queries
) -> None:
    for number in range(5):
        game = game_create(name=f"game{number}", gm=marne.gm, now=NOW)
        for name in POWERS:
            game_join(game=game, player=marne.player(name), preferences="", now=NOW)
    with django_assert_max_num_queries(18):
        assert "game4" in home(gm)


def test_the_board_is_drawn_for_who_may_see_the_game_and_kept(gm: Client, marne: Cast) -> None:
    url = reverse("admin:games_game_board", args=[marne.game.pk])
    answer = gm.get(url)
    assert answer.content.startswith(b"\x89PNG")
    again = gm.get(url, headers={"if-none-match": answer["ETag"]})
    assert again.status_code == 304
    svg = gm.get(reverse("admin:games_game_orders", args=[marne.game.pk]))
    assert b"<svg" in svg.content[:200]
    other = game_create(name="yser", gm=User.objects.create_user("other"), now=NOW)
    assert gm.get(reverse("admin:games_game_board", args=[other.pk])).status_code in (302, 404)


def test_a_moderator_finds_the_queue(marne: Cast, moderator: Client) -> None:
    everything(marne)
    shown = home(moderator, NOW + 2 * HOUR)
    assert "Moderators’ queue (5)" in shown
    assert "The oldest come first." in shown


def test_a_queue_of_one_says_nothing_of_its_order(marne: Cast, moderator: Client) -> None:
    moderators_ask(player=marne.player("Ben"), text="Help!", now=NOW)
    shown = home(moderator, NOW + HOUR)
    assert "Moderators’ queue (1)" in shown
    assert "oldest" not in shown


def test_the_header_counts_what_the_queue_holds(marne: Cast) -> None:
    everything(marne)
    user = User.objects.create_superuser("root")
    found = queue(user, NOW + HOUR)
    assert counted(user) == len(found.waiting) == 5
    Game.objects.update(status=Game.Status.PAUSED, paused_at=NOW)
    assert counted(user) == len(queue(user, NOW + HOUR).waiting)


def counted(user: User) -> int:
    """How many cases the header of the user's pages counts."""
    return waiting(user, NOW + HOUR)[1]


def test_a_moderator_says_that_they_are_on_it_and_another_takes_it_over(
    marne: Cast, moderator: Client
) -> None:
    everything(marne)
    case = f"power/{marne.game.powers.get(name='Italy').pk}"
    url = reverse("admin:games_player_case")
    moderator.post(url, {"case": case, "wish": "take", "back": "queue"})
    shown = home(moderator)
    assert "a moderator is on it" not in shown
    assert "mo has been on it since" in shown
    assert "Leave it to others" in shown
    other = User.objects.create_superuser("di")
    moderator.force_login(other)
    assert "Take it over" in home(moderator)
    moderator.post(url, {"case": case, "wish": "take"})
    assert Care.objects.get(case=case).by == other
    moderator.post(url, {"case": case, "wish": "leave"})
    assert Care.objects.get(case=case).by is None


def test_a_case_that_was_put_off_is_back_when_its_time_has_come(
    marne: Cast, moderator: Client
) -> None:
    everything(marne)
    case = f"game/{marne.game.pk}"
    with time_machine.travel(NOW + HOUR, tick=False):
        moderator.post(reverse("admin:games_player_case"), {"case": case, "wish": "3"})
    shown = home(moderator, NOW + 2 * HOUR)
    assert "Moderators’ queue (4)" in shown
    assert "Put off (1)" in shown
    assert "4 cases for a moderator" in shown
    assert "Moderators’ queue (5)" in home(moderator, NOW + HOUR + 3 * DAY)


@pytest.mark.parametrize("button", ["games_player_case", "halt"])
def test_signing_in_anew_leads_from_a_button_home(moderator: Client, button: str) -> None:
    """Whoever pressed it was sent to the sign-in, and on to an address without a page."""
    answer = moderator.get(reverse(f"admin:{button}"), follow=True)
    assert "Please press the button again." in answer.content.decode()


@pytest.mark.parametrize("typed", [{"case": "x/1"}, {"case": "game/1", "wish": "9"}, {}])
def test_a_case_that_is_none_is_refused_in_a_sentence(
    moderator: Client, typed: dict[str, str]
) -> None:
    answer = moderator.post(reverse("admin:games_player_case"), typed, follow=True)
    assert re.search(r"There is no such case|A case can rest", answer.content.decode())
    assert not Care.objects.exists()


def test_what_was_done_this_week_is_listed(marne: Cast, moderator: Client) -> None:
    url = reverse("admin:games_player_act", args=[marne.player("Ana").pk, "note"])
    expected = moderator.post(url, {"text": "Wrote."}).context["expected"]
    moderator.post(url, {"text": "Wrote.", "confirmed": "yes", "expected": expected})
    game, by = Game.objects.filter(pk=marne.game.pk), LogEntry.objects.get().user_id
    LogEntry.objects.log_actions(by, game, ADDITION, [{"added": {}}], single_object=True)
    shown = home(moderator, timezone.now())
    assert re.search(r"Done in the last week \(2\) marne was made\. .*The note is in the", shown)


def test_an_operator_finds_how_the_server_is(client: Client, db: None) -> None:
    client.force_login(User.objects.create_superuser("root"))
    shown = home(client)
    assert "The server FAILS" in shown
    assert "has never been read." in shown
    assert "No mail waits to be sent." in shown


def test_a_server_that_is_well_takes_one_line(
    client: Client, admin_user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    findings = [Finding(Level.FINE, "mailbox", "Read just now.")] * 2
    monkeypatch.setattr(staff, "judge", lambda _: findings)
    client.force_login(admin_user)
    assert "<summary>The server is well: all 2 checks are ok</summary>" in raw_home(client)
    findings.append(Finding(Level.LOOK, "mailbox", "It fails right now."))
    shown = raw_home(client)
    assert "is well" not in shown
    news, _, rest = shown.partition("<summary>All other checks are ok (2)</summary>")
    assert "It fails right now." in news
    assert "Read just now." not in news
    assert "Read just now." in rest


def raw_home(client: Client) -> str:
    return client.get(reverse("admin:index")).content.decode()


def test_who_has_no_business_here_is_told_so(client: Client, db: None) -> None:
    client.force_login(User.objects.create_user("clerk", is_staff=True))
    assert "You have no rights here yet." in home(client)


def test_players_are_reminded_once_an_hour_at_most(gm: Client, marne: Cast) -> None:
    missing_remind(game=marne.game, by="gm", now=LATE)
    [event] = marne.events("orders_missing")
    assert (event.payload["by"], len(event.payload["powers"])) == ("gm", 7)
    url = reverse("admin:games_game_act", args=[marne.game.pk, "remind"])
    with time_machine.travel(LATE + HOUR / 2, tick=False):
        assert "reminded within the last hour" in plain(gm.get(url).content.decode())
    with time_machine.travel(LATE + HOUR, tick=False):
        assert "A mail to Austria (Ana), England (Ben)" in plain(gm.get(url).content.decode())


def test_the_list_of_tables_is_made_for_the_pages_that_show_it(
    client: Client, admin_user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.force_login(admin_user)
    make = StaffSite._build_app_dict
    made = []

    def noted(*given: Any) -> Any:
        made.append(given)
        return make(*given)

    monkeypatch.setattr(StaffSite, "_build_app_dict", noted)
    client.get(reverse("admin:games_event_changelist"))
    assert made == []
    shown = client.get(reverse("admin:index")).content.decode()
    assert reverse("admin:games_event_changelist") in shown
    assert len(made) == 1
    assert client.get(reverse("admin:app_list", args=["games"])).status_code == 200
