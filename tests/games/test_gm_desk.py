"""The GM's desk: a page per game, and a page for each act that says what will happen."""

from __future__ import annotations

import html
import re

import pytest
import time_machine
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, Permission, User
from django.test import Client
from django.urls import reverse

from games import roles
from games.acts import GAME_ACTS
from games.admin.act_form import form_for
from games.audience import Audience
from games.chronicle import sentence
from games.models import Absence, Address, Event, Game, OrderSet, Phase, Press, Seat
from games.overview import LAST
from games.selectors import game_summary, seats_of
from games.services.deadlines import game_pause
from games.services.games import game_create
from games.services.joining import game_join
from games.services.orders import orders_submit, readiness_set
from games.services.phases import phase_process
from games.services.press import press_send
from tests.cast import DAY, HOUR, NOW, OPENINGS, Cast, make_player, seat_fill, submit

pytestmark = pytest.mark.django_db

EVENTS_BEFORE = 9
"""What has happened in the game when it starts: it was made, seven joined, it started."""


@pytest.fixture
def desk(client: Client, marne: Cast) -> Client:
    """The GM of the game, logged in."""
    marne.gm.groups.add(Group.objects.get_or_create(name=roles.GM)[0])
    marne.gm.user_permissions.set(_permissions())
    client.force_login(marne.gm)
    return client


def _permissions() -> list[int]:
    return list(Permission.objects.filter(codename="view_game").values_list("pk", flat=True))


def page(client: Client, cast: Cast) -> str:
    """The page of the cast's game, its tags taken out."""
    return page_of(client, cast.game)


def page_of(client: Client, game: Game) -> str:
    """A game's page, its tags taken out."""
    with time_machine.travel(NOW + HOUR, tick=False):
        response = client.get(reverse("admin:games_game_change", args=[game.pk]))
    assert response.status_code == 200
    return text_of(response.content.decode())


def text_of(page: str) -> str:
    """What a reader sees, on one line."""
    page = re.sub(r"(?s)<(style|script|svg).*?</\1>", " ", page)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


class Acts:
    """The pages of one act, as a browser walks through them."""

    def __init__(self, client: Client, game: Game, name: str) -> None:
        self.client = client
        self.url = reverse("admin:games_game_act", args=[game.pk, name])
        self.expected = ""

    def look(self, **query: str) -> str:
        with time_machine.travel(NOW + HOUR, tick=False):
            return self._seen(self.client.get(self.url, query))

    def send(self, **typed: object) -> str:
        with time_machine.travel(NOW + HOUR, tick=False):
            sent = {"expected": self.expected, **typed}
            return self._seen(self.client.post(self.url, sent, follow=True))

    def confirm(self, **typed: object) -> str:
        return self.send(confirmed="yes", **typed)

    def _seen(self, response: object) -> str:
        content = response.content.decode()  # type: ignore[attr-defined]
        found = re.search(r'name="expected" value="(\w+)"', content)
        self.expected = found[1] if found else self.expected
        return text_of(content)


def acting(client: Client, cast: Cast, name: str) -> Acts:
    acts = Acts(client, cast.game, name)
    acts.look()
    return acts


def world() -> list[object]:
    """All that an act could change in games."""
    tables = (Game, Phase, Seat, OrderSet, Press, Event)
    return [list(table.objects.order_by("pk").values()) for table in tables]  # type: ignore[attr-defined]


# --- The page ------------------------------------------------------------------------------


def test_the_page_has_the_phase_the_deadline_and_who_is_waited_for(desk: Client, marne: Cast):
    submit(marne, "France", OPENINGS["France"])
    shown = page(desk, marne)
    assert "Phase Spring 1901 movement" in shown
    assert "Deadline (UTC) Thu 5 Mar 2026 12:00 (in 2 days 23 hours)" in shown
    assert "Waiting for Austria, England, Germany, Italy, Russia, Turkey" in shown
    assert "nobody, sees no orders" not in shown
    assert "gm, sees no orders and no press before the deadline" in shown


@pytest.mark.parametrize("when_missing", Game.WhenMissing.values)
def test_a_power_that_nobody_plays_is_waited_for_where_a_replacement_is(
    desk: Client, marne: Cast, when_missing: str
):
    Game.objects.update(when_missing=when_missing)
    Seat.objects.filter(power__name="Italy").update(until=NOW)
    shown, summary = page(desk, marne), game_summary(Game.objects.get())
    named = "Italy" in summary.waiting_for
    assert named == (when_missing == Game.WhenMissing.WAIT)
    assert f"Waiting for {', '.join(summary.waiting_for)} " in shown
    assert ("Italy nobody nothing has come" in shown) == named
    assert ("Italy nobody nobody plays it" in shown) != named
    listing = text_of(desk.get(reverse("admin:games_game_changelist")).content.decode())
    assert ("all 7" in listing) == named


def test_each_power_has_a_row_with_its_player_and_what_came_of_it(desk: Client, marne: Cast):
    submit(marne, "France", OPENINGS["France"])
    submit(marne, "Italy", ["A Rome - Apulia"])
    readiness_set(seat=marne.seat("Russia"), phase=marne.phase, word="WAIT", now=NOW)
    shown = page(desk, marne)
    assert "France Carla since 2 Mar 2026 all orders are in last mail Mon 2 Mar 12:00" in shown
    assert "Italy Emma since 2 Mar 2026 some orders are missing" in shown
    assert "Russia Felix since 2 Mar 2026 nothing has come , said WAIT" in shown
    assert "Burgundy" not in shown.replace("Board", "")


def test_whoever_is_away_or_cannot_be_reached_stands_out(desk: Client, marne: Cast):
    Absence.objects.create(
        player=marne.player("Ana"), first="2026-03-01", last="2026-03-06", created_at=NOW
    )
    Absence.objects.create(
        player=marne.player("Ben"), first="2026-03-10", last="2026-03-12", created_at=NOW
    )
    Absence.objects.create(
        player=marne.player("Felix"), first="2026-06-01", last="2026-06-02", created_at=NOW
    )
    Address.objects.filter(player__name="Carla").update(failing_since=NOW)
    shown = page(desk, marne)
    assert "away 1 Mar to 6 Mar" in shown
    assert "will be away 10 Mar to 12 Mar" in shown
    assert "Jun" not in shown
    assert "mails do not arrive since Mon 2 Mar 2026" in shown


def test_what_came_late_and_what_was_missed_is_counted(desk: Client, marne: Cast):
    phase_process(game_id=marne.game.pk, now=NOW + 3 * DAY)
    phase = marne.phase
    orders_submit(
        seat=marne.seat("France"),
        phase=phase,
        lines=[(1, "A Paris H")],
        amend=False,
        received_at=NOW + 30 * DAY,
        source="<late>",
        now=NOW + 30 * DAY,
    )
    shown = page(desk, marne)
    assert "1 late in this phase missed 1 phase" in shown


def test_civil_disorder_and_empty_seats_stand_out(desk: Client, marne: Cast):
    marne.game.powers.filter(name="Turkey").update(disorder_since=NOW)
    Seat.objects.filter(power__name="Italy").update(until=NOW)
    shown = page(desk, marne)
    assert "civil disorder since Mon 2 Mar 2026" in shown
    assert "Italy nobody" in shown


def test_the_page_counts_press_and_quotes_none(desk: Client, marne: Cast):
    for text in ("Let us stab Ana.", "Well?"):
        press_send(
            seat=marne.seat("France"), to=Audience(("Italy",)), text=text, source="<p>", now=NOW
        )
    shown = page(desk, marne)
    assert "France 2 2 Germany 0 0" in shown
    assert "stab" not in shown


def test_grey_press_is_counted_without_whose_it_is(desk: Client, marne: Cast):
    Game.objects.update(grey_press=True)
    press_send(
        seat=marne.seat("France"),
        to=Audience(("Italy",)),
        text="Somebody told me …",
        source="<p>",
        grey=True,
        now=NOW,
    )
    shown = page(desk, marne)
    assert "France 0 0 Germany 0 0" in shown
    assert "grey, of any power 1 1" in shown


def test_the_page_has_the_newest_entries_of_the_log_with_their_numbers(desk: Client, marne: Cast):
    for number in range(LAST):
        press_send(
            seat=marne.seat("France"),
            to=Audience(("Italy",)),
            text=f"Number {number}",
            source="<p>",
            now=NOW,
        )
    response = desk.get(reverse("admin:games_game_change", args=[marne.game.pk]))
    numbers = [
        int(number) for number in re.findall(r'<li value="(\d+)">', response.content.decode())
    ]
    newest = EVENTS_BEFORE + LAST
    assert numbers == list(range(newest, newest - LAST, -1))
    assert "A power wrote to others." in page(desk, marne)


def test_the_page_has_the_board_the_phases_and_the_settings(desk: Client, marne: Cast):
    Game.objects.update(movement_clock="Tue Fri 20:00", timezone="Europe/Berlin")
    shown = page(desk, marne)
    assert "France, units: A Marseilles, A Paris, F Brest" in shown
    assert "S1901M open Mon 2 Mar 2026 12:00 Thu 5 Mar 2026 12:00 –" in shown
    assert "A movement phase is due Tue Fri 20:00, 3 days after it began" in shown
    assert "Variant and rules standard, DATC" in shown


def test_a_game_that_takes_players_says_who_has_joined(desk: Client, marne: Cast):
    game = game_create(name="yser", gm=marne.gm, now=NOW)
    game_join(game=game, player=marne.player("Hugo"), preferences="", now=NOW)
    response = desk.get(reverse("admin:games_game_change", args=[game.pk]))
    shown = text_of(response.content.decode())
    assert "Who has joined Hugo, Mon 2 Mar 2026 12:00 UTC" in shown
    assert "Start the game" in shown
    assert "Process now" not in shown


def test_the_page_has_no_form_and_nothing_to_save(desk: Client, marne: Cast):
    url = reverse("admin:games_game_change", args=[marne.game.pk])
    shown = desk.get(url).content.decode()
    assert "_save" not in shown
    assert desk.post(url, {"name": "other"}).status_code == 405
    marne.game.refresh_from_db()
    assert marne.game.name == "marne"


@pytest.mark.parametrize("variant", ["standard", "chaos"])
def test_the_page_takes_few_queries_however_many_powers_play(
    desk: Client, marne: Cast, variant: str, django_assert_max_num_queries: object
):
    game = game_create(name="big", gm=marne.gm, variant=variant, now=NOW)
    for number in range(game.powers.count()):
        game_join(game=game, player=make_player(f"P{number}"), preferences="", now=NOW)
    url = reverse("admin:games_game_change", args=[game.pk])
    with django_assert_max_num_queries(70):  # type: ignore[operator]
        assert desk.get(url).status_code == 200


def test_the_list_takes_the_same_queries_for_many_games_as_for_one(
    desk: Client, marne: Cast, django_assert_max_num_queries: object
):
    players = [
        marne.player(name) for name in ("Ana", "Ben", "Carla", "Dmitri", "Emma", "Felix", "Greta")
    ]
    for number in range(10):
        game = game_create(name=f"game{number}", gm=marne.gm, now=NOW)
        for player in players:
            game_join(game=game, player=player, preferences="", now=NOW)
    with django_assert_max_num_queries(20):  # type: ignore[operator]
        shown = desk.get(reverse("admin:games_game_changelist")).content.decode()
    assert shown.count("all 7") == 11


def test_a_gm_who_plays_is_not_shown_what_other_players_cannot_see(desk: Client, marne: Cast):
    carla = marne.player("Carla")
    carla.user = marne.gm
    carla.save()
    submit(marne, "France", OPENINGS["France"])
    readiness_set(seat=marne.seat("Russia"), phase=marne.phase, word="WAIT", now=NOW)
    submit(marne, "Italy", ["A Rome - Apulia"])
    Absence.objects.create(
        player=marne.player("Ana"), first="2026-03-01", last="2026-03-06", created_at=NOW
    )
    Address.objects.filter(player__name="Ben").update(failing_since=NOW)
    shown = page(desk, marne)
    assert "WAIT" not in shown
    assert "last mail" not in shown
    assert "some orders" not in shown
    assert "away" not in shown.replace("announced absences", "")
    assert "mails do not arrive" not in shown
    assert "How much press" not in shown
    assert "Process now" not in shown
    assert "Pause" in shown


def test_a_gm_who_plays_does_not_learn_who_plays_what_in_an_anonymous_game(
    desk: Client, marne: Cast
):
    Game.objects.update(anonymous=True)
    assert "Ben" in page(desk, marne)
    carla = marne.player("Carla")
    carla.user = marne.gm
    carla.save()
    shown = page(desk, marne)
    assert "England somebody since 2 Mar 2026" in shown
    assert "Ben" not in shown
    acts = acting(desk, marne, "write")
    assert "Ben" not in acts.look() + acts.send(text="Hello")


# --- Acts ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(GAME_ACTS))
def test_looking_at_the_page_of_an_act_changes_nothing(desk: Client, marne: Cast, name: str):
    before = world()
    response = desk.get(reverse("admin:games_game_act", args=[marne.game.pk, name]))
    assert response.status_code in (200, 403)
    assert GAME_ACTS[name].help in text_of(response.content.decode()) or "Back to marne" in text_of(
        response.content.decode()
    )
    assert world() == before


def test_an_act_for_which_there_is_nothing_says_so(desk: Client, marne: Cast):
    url = reverse("admin:games_game_act", args=[marne.game.pk, "end_disorder"])
    said = text_of(desk.get(url).content.decode())
    assert "No power of marne is in civil disorder." in said


@pytest.mark.parametrize("name", sorted(GAME_ACTS))
@pytest.mark.parametrize("status", ["forming", "finished"])
def test_an_act_that_is_not_for_now_says_how_the_game_stands(
    desk: Client, marne: Cast, name: str, status: str
):
    game = game_create(name="yser", gm=marne.gm, now=NOW)
    Game.objects.filter(pk=game.pk).update(status=status)
    response = desk.get(reverse("admin:games_game_act", args=[game.pk, name]))
    if response.status_code == 403:
        assert name == "preview"
    elif status not in GAME_ACTS[name].when:
        said = "is over" if status == "finished" else "has not started yet"
        assert said in text_of(response.content.decode())


def test_every_field_of_every_act_has_a_label(desk: Client, marne: Cast):
    for act in GAME_ACTS.values():
        for field in form_for(act, marne.game):
            assert field.label


def test_processing_says_what_is_missing_and_does_it_when_confirmed(desk: Client, marne: Cast):
    submit(marne, "France", OPENINGS["France"])
    submit(marne, "Italy", ["A Rome - Apulia"])
    acts = acting(desk, marne, "process_now")
    shown = acts.send()
    assert "Spring 1901 movement is adjudicated at once." in shown
    assert "The deadline was to be Thu 5 Mar 2026 12:00 UTC, in 2 days 23 hours" in shown
    assert "All orders are in from 1 of 7 powers." in shown
    assert "Orders are missing from Austria, England, Germany, Italy, Russia and Turkey." in shown
    assert "Nothing at all has come from Austria, England, Germany, Russia and Turkey." in shown
    assert "units without an order hold" in shown
    assert "Told by mail: Ana, Ben, Carla, Dmitri, Emma, Felix, Greta and the GM." in shown
    assert "Burgundy" not in shown
    assert marne.phase.name == "S1901M"
    assert "Processed S1901M of marne." in acts.confirm()
    assert marne.phase.name == "F1901M"
    [event] = marne.events("phase_processed")
    assert sentence(event).startswith("Spring 1901 movement: gm had the phase processed.")
    assert LogEntry.objects.get().user == marne.gm


def test_a_confirmation_of_a_page_that_is_out_of_date_does_nothing(desk: Client, marne: Cast):
    acts = acting(desk, marne, "process_now")
    phase_process(game_id=marne.game.pk, now=NOW, force=True)
    before = world()
    shown = acts.confirm()
    assert "The game has changed in the meantime, so nothing was done." in shown
    assert world() == before
    assert "Processed F1901M of marne." in acts.confirm()


@pytest.mark.parametrize(
    "change",
    [
        lambda: Phase.objects.update(due_at=NOW + 9 * DAY),
        lambda: Seat.objects.filter(power__name="Italy").update(until=NOW),
        lambda: Game.objects.update(status="paused"),
    ],
    ids=["another deadline", "another player", "another status"],
)
def test_a_page_is_out_of_date_when_what_it_says_has_changed(
    desk: Client, marne: Cast, change: object
):
    acts = acting(desk, marne, "rollback")
    change()  # type: ignore[operator]
    typed = {"phase": "S1901M", "why": "A slip."}
    assert "nothing was done" in acts.confirm(**typed)
    assert marne.game.phases.count() == 1


def test_a_confirmation_without_any_page_does_nothing(desk: Client, marne: Cast):
    acts = Acts(desk, marne.game, "process_now")
    assert "nothing was done" in acts.confirm()
    assert marne.phase.name == "S1901M"


def test_extending_says_from_when_to_when_and_whose_ready_is_void(desk: Client, marne: Cast):
    readiness_set(seat=marne.seat("Russia"), phase=marne.phase, word="READY", now=NOW)
    acts = acting(desk, marne, "extend")
    typed = {"later": "1d", "why": "Ana is ill."}
    shown = acts.send(**typed)
    assert (
        "The deadline of Spring 1901 movement moves from Thu 5 Mar 2026 12:00 UTC to "
        "Fri 6 Mar 2026 12:00 UTC, in 3 days 23 hours." in shown
    )
    assert "The READY of Russia holds no longer." in shown
    assert "“Ana is ill.”" in shown
    assert marne.phase.due_at == NOW + 3 * DAY
    shown = acts.confirm(**typed)
    assert "Spring 1901 movement of marne is due at Fri 6 Mar 2026 12:00 UTC now." in shown
    assert marne.phase.due_at == NOW + 4 * DAY
    [event] = marne.events("deadline_moved")
    assert (event.payload["by"], event.payload["why"]) == ("gm", "Ana is ill.")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"later": "1d", "why": ""}, "This field is required."),
        ({"later": "soon", "why": "-"}, "write it like 72h"),
        ({"later": "0h", "why": "-"}, "later"),
        ({"later": "99999999d", "why": "-"}, "longer than any game lasts"),
    ],
)
def test_what_was_typed_badly_is_said_and_nothing_is_done(
    desk: Client, marne: Cast, typed: dict[str, str], said: str
):
    acts = acting(desk, marne, "extend")
    assert said in acts.send(**typed)
    assert said in acts.confirm(**typed)
    assert marne.phase.due_at == NOW + 3 * DAY


def test_who_wants_to_change_something_finds_what_was_typed(desk: Client, marne: Cast):
    acts = acting(desk, marne, "extend")
    url = acts.url
    response = desk.post(url, {"later": "5d", "why": "Easter.", "back": "yes"})
    shown = response.content.decode()
    assert 'value="5d"' in shown
    assert 'value="Easter."' in shown
    assert "confirmed" not in shown


def test_pausing_and_resuming_say_when_the_clock_runs_again(desk: Client, marne: Cast):
    acts = acting(desk, marne, "pause")
    typed = {"length": "10d", "why": "Holidays."}
    assert "It runs again by itself on Thu 12 Mar 2026 13:00 UTC, in 10 days." in acts.send(**typed)
    assert "The game marne is paused until Thu 12 Mar 2026 13:00 UTC." in acts.confirm(**typed)
    acts = acting(desk, marne, "resume")
    assert "Spring 1901 movement is due Thu 5 Mar 2026 12:00 UTC" in acts.send()
    assert "The clock of marne runs again." in acts.confirm()
    assert marne.phase.due_at == NOW + 3 * DAY


@pytest.mark.parametrize(
    ("act", "event", "logged"),
    [
        (
            "process_now",
            "phase_processed",
            "Spring 1901 movement: gm had the phase processed. Without orders: Austria, England, "
            "France, Germany, Italy, Russia, Turkey. We all agreed.",
        ),
        (
            "resume",
            "game_resumed",
            "Spring 1901 movement: the game was resumed by gm, due 2026-03-05 12:00 UTC. "
            "We all agreed.",
        ),
    ],
)
def test_processing_and_resuming_take_a_reason_and_log_it(
    desk: Client, marne: Cast, act: str, event: str, logged: str
):
    if act == "resume":
        game_pause(game=marne.game, until=None, why="-", by="gm", now=NOW + HOUR)
    acts = acting(desk, marne, act)
    assert "Why, as all will read it: “We all agreed.”" in acts.send(why="We all agreed.")
    acts.confirm(why="We all agreed.")
    assert [sentence(one) for one in marne.events(event)] == [logged]


def test_a_pause_of_no_time_is_none_without_an_end(desk: Client, marne: Cast):
    acts = acting(desk, marne, "pause")
    assert "A pause has to end in the future." in acts.send(length="0h", why="-")


def test_a_rollback_says_what_is_undone(desk: Client, marne: Cast):
    phase_process(game_id=marne.game.pk, now=NOW, force=True)
    acts = acting(desk, marne, "rollback")
    typed = {"phase": "S1901M", "why": "A slip."}
    shown = acts.send(**typed)
    assert "Undone, but kept: Spring 1901 movement and Fall 1901 movement." in shown
    shown = acts.confirm(**typed)
    assert "The game marne is back at S1901M. Undone, but kept: S1901M, F1901M." in shown
    [event] = marne.events("game_rolled_back")
    assert (event.payload["why"], event.payload["by"]) == ("A slip.", "gm")


def test_a_game_is_started_only_with_all_its_seats_taken(desk: Client, marne: Cast):
    game = game_create(name="yser", gm=marne.gm, now=NOW)
    game_join(game=game, player=marne.player("Hugo"), preferences="", now=NOW)
    acts = Acts(desk, game, "start")
    assert "6 of its 7 seats are still free" in acts.look()
    assert "6 of its 7 seats are still free" in acts.confirm()
    game.refresh_from_db()
    assert game.status == "forming"


def test_the_log_says_who_started_a_game(desk: Client, marne: Cast):
    game = game_create(name="yser", gm=marne.gm, now=NOW)
    seats = seats_of(marne.game)
    for seat in seats[1:]:
        game_join(game=game, player=seat.player, preferences="", now=NOW)
    seat_fill(game=game, power=game.powers.all()[0], player=seats[0].player, now=NOW)
    acts = Acts(desk, game, "start")
    assert "All seats are taken." in acts.look()
    assert "The game yser has started." in acts.confirm()
    assert sentence(game.events.get(kind="game_started")) == "The game was started by gm."


def test_orders_are_set_as_they_were_understood(desk: Client, marne: Cast):
    acts = acting(desk, marne, "set_orders")
    typed = {"power": "France", "orders": "par-bur\nF Bre H", "why": "Carla asked me to."}
    shown = acts.send(**typed)
    assert "These orders of France stand for Spring 1901 movement: A Paris - Burgundy" in shown
    shown = acts.confirm(**typed)
    assert "Orders of France are set in Spring 1901 movement." in shown
    assert "Without an order: A Marseilles." in shown
    assert OrderSet.objects.get().by == "gm"
    assert "Burgundy" not in str(marne.events("orders_set")[0].payload)


def test_orders_that_cannot_be_followed_are_not_set(desk: Client, marne: Cast):
    acts = acting(desk, marne, "set_orders")
    typed = {"power": "France", "orders": "A Paris - London", "why": "-"}
    assert '"A Paris - London" cannot be followed for France' in acts.send(**typed)
    acts.confirm(**typed)
    assert not OrderSet.objects.exists()


def test_the_link_beside_a_power_has_that_power_chosen(desk: Client, marne: Cast):
    url = reverse("admin:games_game_act", args=[marne.game.pk, "set_orders"])
    shown = desk.get(url, {"power": "Italy"}).content.decode()
    assert '<option value="Italy" selected>' in shown


def test_a_blind_gm_has_no_preview(desk: Client, marne: Cast):
    submit(marne, "France", OPENINGS["France"])
    assert "Preview" not in page(desk, marne)
    shown = acting(desk, marne, "preview").confirm(why="-")
    assert "You may not see the orders of the game marne before the deadline." in shown
    assert "Burgundy" not in shown


def test_a_preview_shows_the_results_stores_nothing_and_is_told(desk: Client, marne: Cast):
    Game.objects.update(gm_sees="orders")
    submit(marne, "France", OPENINGS["France"])
    acts = acting(desk, marne, "preview")
    before = world()
    shown = acts.send(why="A player doubts the rules.")
    assert "That you looked, and why, stands in the log for ever." in shown
    assert "Burgundy" not in shown
    assert world() == before
    shown = acts.confirm(why="A player doubts the rules.")
    assert "France: A Paris - Burgundy: succeeds." in shown
    assert "France, units: A Burgundy, A Spain, F Mid-Atlantic Ocean" in shown
    assert marne.phase.name == "S1901M"
    [event] = marne.events("orders_looked_at")
    assert (event.payload["by"], event.payload["why"]) == ("gm", "A player doubts the rules.")


def test_a_changed_setting_is_shown_before_with_what_it_was(desk: Client, marne: Cast):
    acts = acting(desk, marne, "settings")
    response = desk.get(acts.url)
    names = re.findall(r'name="(\w+)"', response.content.decode())
    assert "variant" not in names
    assert "rules" not in names
    form = form_for(GAME_ACTS["settings"], marne.game)
    typed = {name: form[name].value() for name in form.fields if form[name].value() is not None}
    typed = {name: value for name, value in typed.items() if value is not False}
    typed |= {"movement_length": "4d", "why": "Easter."}
    shown = acts.send(**typed)
    assert "length of movement phases: 4 days (before: 3 days)" in shown
    shown = acts.confirm(**typed)
    assert "Changed in marne: length of movement phases: 4 days (before: 3 days)." in shown
    [event] = marne.events("settings_changed")
    assert len(event.payload["changes"]) == 1


def test_the_gm_writes_to_one_or_to_all(desk: Client, marne: Cast):
    acts = acting(desk, marne, "write")
    shown = acts.send(to=["France"], text="Are you well?")
    assert "France (Carla) gets this text, as a mail from the GM: Are you well?" in shown
    assert "Your text is on its way to France." in acts.confirm(to=["France"], text="Are you well?")
    acts.look()
    acts.confirm(text="Hello all")
    assert [press.public for press in Press.objects.order_by("pk")] == [False, True]


def test_the_gm_of_another_game_finds_neither_page_nor_act(client: Client, marne: Cast):
    other = User.objects.create_user("other", "other@players.test", is_staff=True)
    other.user_permissions.set(_permissions())
    game_create(name="yser", gm=other, now=NOW)
    client.force_login(other)
    for url in (
        reverse("admin:games_game_change", args=[marne.game.pk]),
        reverse("admin:games_game_act", args=[marne.game.pk, "process_now"]),
    ):
        assert client.get(url).status_code == 404
        assert client.post(url, {"confirmed": "yes"}).status_code == 404
    assert marne.phase.name == "S1901M"


def test_the_desk_says_how_reliable_a_player_has_been_unless_the_gm_plays(
    desk: Client, marne: Cast
) -> None:
    assert re.search(r"reliability \d+ %", page(desk, marne)) is None
    phase_process(game_id=marne.game.pk, now=NOW + 3 * DAY)
    assert page(desk, marne).count("reliability 90 %") == 7
    emma = marne.player("Emma")
    emma.user = marne.gm
    emma.save()
    assert "reliability 90 %" not in page(desk, marne)
