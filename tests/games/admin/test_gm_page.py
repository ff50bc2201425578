"""The GM's pages: one per game, and a page for each act that says what will happen."""

from __future__ import annotations

import re

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from games.acts import GAME_ACTS
from games.models import Absence, Address, Game, Player, Seat
from games.queries.access import roles
from games.queries.parsing.press_audience import Audience
from games.queries.reports.overview import LAST
from games.queries.reports.summary import game_summary
from games.services.adjudication.phases import phase_process
from games.services.clock.deadlines import Mover, deadline_move
from games.services.clock.pauses import game_pause, game_resume
from games.services.clock.reminders import missing_remind
from games.services.endings.ending import game_end
from games.services.messages.press import press_send
from games.services.messages.press_allowed import Fake
from games.services.moderation.staff import gm_appoint, moderator_appoint
from games.services.ordering.orders import orders_submit
from games.services.ordering.readiness import readiness_set
from games.services.seating.invitations import players_deny, players_invite
from games.services.seating.joining import game_join
from games.services.setup.co_gms import co_gm_add
from games.services.setup.games import game_create
from tests.cast import DAY, HOUR, NOW, OPENINGS, Cast, address_of, make_cast, make_player, submit
from tests.games.admin.gm_pages import page, page_of, text_of

pytestmark = pytest.mark.django_db
EVENTS_BEFORE = 9
"""What has happened in the game when it starts: it was made, seven joined, it started."""


# --- The page ------------------------------------------------------------------------------


def test_after_an_extension_the_page_names_who_has_to_speak_again(as_gm: Client, marne: Cast):
    for power, lines in OPENINGS.items():
        submit(marne, power, lines)
    Game.objects.update(process_early=True)
    later = NOW + 4 * DAY
    deadline_move(game=marne.game, to=later, why="", by=Mover("gm"), now=NOW + HOUR / 2)
    for power in [one for one in OPENINGS if one not in ("France", "Italy")]:
        readiness_set(seat=marne.seat(power), phase=marne.phase, word="READY", now=NOW + HOUR)
    shown = page(as_gm, marne)
    assert "All orders are in, but France and Italy have to speak again, since the" in shown
    assert "Waiting for France, Italy" in shown
    assert "France Carla since 2 Mar 2026 has to speak again, since the deadline moved" in shown
    assert "Germany Dmitri since 2 Mar 2026 all orders are in" in shown


def test_while_nobody_can_be_reminded_again_something_else_is_offered(as_gm: Client, marne: Cast):
    def first() -> str:
        with time_machine.travel(NOW + 3 * DAY - HOUR, tick=False):
            answer = as_gm.get(reverse("admin:games_game_change", args=[marne.game.pk]))
        return str(answer.context["likely"][0].act.name)

    assert first() == "remind"
    missing_remind(game=marne.game, by="gm", now=NOW + 3 * DAY - HOUR)
    assert first() == "extend"


def test_nothing_is_offered_to_be_excused_while_nobody_missed_anything(as_gm: Client, marne: Cast):
    assert "Excuse a miss" not in page(as_gm, marne)
    url = reverse("admin:games_game_act", args=[marne.game.pk, "excuse"])
    shown = text_of(as_gm.get(url).content.decode())
    assert "There is nothing to excuse in marne." in shown
    assert "orders that had not come by then count against nobody" in shown


def test_the_page_has_the_phase_the_deadline_and_who_is_waited_for(as_gm: Client, marne: Cast):
    submit(marne, "France", OPENINGS["France"])
    shown = page(as_gm, marne)
    assert "Waiting for 6 powers." in shown
    said = "Spring 1901 movement, deadline Thu 5 Mar 2026, 12:00 UTC, in 2 days and 23 hours"
    assert said in shown
    assert "Waiting for Austria, England, Germany, Italy, Russia, Turkey" in shown
    assert "nobody, sees no orders" not in shown
    assert "gm, sees no orders and no press before the deadline" in shown


def test_a_paused_game_names_no_deadline(as_gm: Client, marne: Cast):
    game_pause(game=marne.game, until=None, why="Easter", by="gm", now=NOW)
    shown = page(as_gm, marne)
    assert "Spring 1901 movement" in shown
    assert "movement, deadline" not in shown
    listed = text_of(as_gm.get(reverse("admin:games_game_changelist")).content.decode())
    assert "overdue" not in listed
    assert "UTC" not in listed.removesuffix("Times without a zone are UTC.")


@pytest.mark.parametrize("when_missing", Game.WhenMissing.values)
def test_a_power_that_nobody_plays_is_waited_for_until_the_deadline(
    as_gm: Client, marne: Cast, when_missing: str
):
    Game.objects.update(when_missing=when_missing)
    Seat.objects.filter(power__name="Italy").update(until=NOW)
    shown, summary = page(as_gm, marne), game_summary(Game.objects.get())
    assert "Italy" in summary.waiting_for
    assert f"Waiting for {', '.join(summary.waiting_for)} " in shown
    assert "Italy nobody nothing has come" in shown
    listing = text_of(as_gm.get(reverse("admin:games_game_changelist")).content.decode())
    assert "all 7" in listing


def test_so_is_one_that_was_left_with_its_orders_in(as_gm: Client, marne: Cast):
    submit(marne, "Italy", OPENINGS["Italy"])
    Seat.objects.filter(power__name="Italy").update(until=NOW)
    assert "Italy" in game_summary(Game.objects.get()).waiting_for
    assert "Italy nobody orders are in, but nobody plays it" in page(as_gm, marne)


def test_each_power_has_a_row_with_its_player_and_what_came_of_it(as_gm: Client, marne: Cast):
    submit(marne, "France", OPENINGS["France"])
    submit(marne, "Italy", ["A Rome - Apulia"])
    readiness_set(seat=marne.seat("Russia"), phase=marne.phase, word="WAIT", now=NOW)
    shown = page(as_gm, marne)
    assert "France Carla since 2 Mar 2026 all orders are in Mon 2 Mar 12:00 UTC 3 3" in shown
    assert "Italy Emma since 2 Mar 2026 some orders are missing" in shown
    assert "Russia Felix since 2 Mar 2026 nothing has come , said WAIT – 4 4" in shown
    assert "Burgundy" not in shown.replace("Board", "")
    Seat.objects.filter(power__name="France").update(since=NOW + HOUR)
    assert "France Carla since 2 Mar 2026 all orders are in – 3 3" in page(as_gm, marne)


def test_whoever_is_away_or_cannot_be_reached_stands_out(as_gm: Client, marne: Cast):
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
    shown = page(as_gm, marne)
    assert "away 1 Mar to 6 Mar" in shown
    assert "will be away 10 Mar to 12 Mar" in shown
    assert "Jun" not in shown
    assert "mails do not arrive since Mon 2 Mar 2026" in shown


def test_what_came_late_and_what_was_missed_is_counted(as_gm: Client, marne: Cast):
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
    shown = page(as_gm, marne)
    assert "1 late in this phase missed 1 phase" in shown


def test_civil_disorder_and_empty_seats_stand_out(as_gm: Client, marne: Cast):
    marne.game.powers.filter(name="Turkey").update(disorder_since=NOW)
    Seat.objects.filter(power__name="Italy").update(until=NOW)
    shown = page(as_gm, marne)
    assert "civil disorder since Mon 2 Mar 2026" in shown
    assert "Italy nobody" in shown


def test_the_page_counts_press_and_quotes_none(as_gm: Client, marne: Cast):
    for text in ("Let us stab Ana.", "Well?"):
        press_send(
            seat=marne.seat("France"), to=Audience(("Italy",)), text=text, source="<p>", now=NOW
        )
    shown = page(as_gm, marne)
    assert "France 2 2 Germany 0 0" in shown
    assert "stab" not in shown


def test_the_page_of_a_game_without_press_counts_only_letters_to_its_gm(as_gm, marne: Cast):
    Game.objects.update(press_mode=Game.PressMode.NONE)
    assert "How much press" not in page(as_gm, marne)
    press_send(seat=marne.seat("France"), to=Audience(gm=True), text="Hello?", source="", now=NOW)
    assert "How much press" in page(as_gm, marne)


@pytest.mark.parametrize("kind", [{"grey": True}, {"fake": Fake("Germany")}])
def test_grey_and_fake_press_are_counted_without_whose_they_are(as_gm, marne: Cast, kind):
    Game.objects.update(grey_press=True, fake_press=True)
    press_send(
        seat=marne.seat("France"),
        to=Audience(("Italy",)),
        text="Somebody told me …",
        source="<p>",
        **kind,
        now=NOW,
    )
    shown = page(as_gm, marne)
    assert "France 0 0 Germany 0 0" in shown
    assert "grey or fake, of any power 1 1" in shown


def test_the_page_has_the_newest_entries_of_the_log_with_their_numbers(as_gm: Client, marne: Cast):
    for number in range(LAST):
        press_send(
            seat=marne.seat("France"),
            to=Audience(("Italy",)),
            text=f"Number {number}",
            source="<p>",
            now=NOW,
        )
    response = as_gm.get(reverse("admin:games_game_change", args=[marne.game.pk]))
    numbers = [
        int(number) for number in re.findall(r'<li value="(\d+)">', response.content.decode())
    ]
    newest = EVENTS_BEFORE + LAST
    assert numbers == list(range(newest, newest - LAST, -1))
    assert "A power wrote to others." in page(as_gm, marne)


def test_the_page_has_the_board_the_phases_and_the_settings(as_gm: Client, marne: Cast):
    Game.objects.update(movement_clock="Tue Fri 20:00", timezone="Europe/Berlin")
    shown = page(as_gm, marne)
    assert "France, units: A Marseilles, A Paris, F Brest" in shown
    assert (
        "Spring 1901 movement open Mon 2 Mar 2026, 13:00 CET Thu 5 Mar 2026, 13:00 CET –" in shown
    )
    assert (
        "Movement phases are due on Tuesdays and Fridays at 20:00 and last at least 3 days" in shown
    )
    assert "Variant The map is Standard. Rules DATC" in shown


def test_a_gm_reads_the_choices_of_a_variant_in_words(as_gm: Client, marne: Cast):
    choices = "standard+victory=20"
    Game.objects.update(variant=choices, rules={"preset": "1982", "4.A.7": "b"})
    shown = page(as_gm, marne)
    assert "Variant The map is Standard. It takes 20 centres to win, not 18." in shown
    assert "By the rules of 1982." in shown
    assert choices not in shown
    assert "preset" not in shown


def test_a_game_looking_for_players_says_who_has_joined(as_gm: Client, marne: Cast):
    game = game_create(name="yser", gm=marne.gm, now=NOW)
    game_join(game=game, player=marne.player("Hugo"), preferences="", now=NOW)
    response = as_gm.get(reverse("admin:games_game_change", args=[game.pk]))
    shown = text_of(response.content.decode())
    assert "Who has joined Hugo, Mon 2 Mar 2026, 12:00 UTC" in shown
    assert "Seat a player" in shown
    assert "Start the game" not in shown, "most seats are free"
    assert "Process now" not in shown


def test_a_game_looking_for_players_says_who_is_invited_and_who_is_kept_out(
    as_gm: Client, marne: Cast
):
    game = game_create(name="yser", gm=marne.gm, now=NOW, entry="invited")
    players_invite(game=game, emails=["hugo@players.test", "ida@club.test"], by="gm", now=NOW)
    players_deny(game=game, emails=["ida@club.test"], by="gm", now=NOW)
    shown = page_of(as_gm, game)
    assert "Invited: hugo@players.test." in shown
    assert "Kept out: ida@club.test." in shown
    moderator = User.objects.create_user("mo", is_staff=True)
    moderator_appoint(user=moderator)
    as_gm.force_login(moderator)
    shown = page_of(as_gm, game)
    assert "Invited: 1 address. Kept out: 1 address." in shown, "no look without an entry"


def test_a_game_that_several_run_says_who_they_are(as_gm: Client, marne: Cast):
    assert "Co-GMs" not in page(as_gm, marne)
    row = co_gm_add(game=marne.game, email="di@players.test", until=None, by="gm", now=NOW)
    User.objects.filter(pk=row.user.pk).update(first_name="Di", last_name="Dale")
    co_gm_add(game=marne.game, email="ed@players.test", until=NOW + DAY, by="gm", now=NOW)
    assert "Co-GMs Di Dale, ed@players.test until Tue 3 Mar 2026, 12:00 UTC" in page(as_gm, marne)


def test_the_page_has_no_form_and_nothing_to_save(as_gm: Client, marne: Cast):
    url = reverse("admin:games_game_change", args=[marne.game.pk])
    shown = as_gm.get(url).content.decode()
    assert "_save" not in shown
    assert as_gm.post(url, {"name": "other"}).status_code == 405
    marne.game.refresh_from_db()
    assert marne.game.name == "marne"


@pytest.mark.parametrize("variant", ["standard", "chaos"])
def test_the_page_takes_few_queries_however_many_powers_play(
    as_gm: Client, marne: Cast, variant: str, django_assert_max_num_queries: object
):
    game = game_create(name="big", gm=marne.gm, variant=variant, now=NOW)
    for number in range(game.powers.count()):
        game_join(game=game, player=make_player(f"P{number}"), preferences="", now=NOW)
    url = reverse("admin:games_game_change", args=[game.pk])
    moderator = User.objects.create_user("mo", "mo@players.test")
    moderator_appoint(user=moderator)
    for user in (marne.gm, moderator, User.objects.create_superuser("root")):
        as_gm.force_login(user)
        with django_assert_max_num_queries(27):  # type: ignore[operator]
            assert as_gm.get(url).status_code == 200


def test_the_list_takes_the_same_queries_for_many_games_as_for_one(
    as_gm: Client, marne: Cast, django_assert_max_num_queries: object
):
    players = [
        marne.player(name) for name in ("Ana", "Ben", "Carla", "Dmitri", "Emma", "Felix", "Greta")
    ]
    for number in range(10):
        game = game_create(name=f"game{number}", gm=marne.gm, now=NOW)
        for player in players:
            game_join(game=game, player=player, preferences="", now=NOW)
    with django_assert_max_num_queries(20):  # type: ignore[operator]
        shown = as_gm.get(reverse("admin:games_game_changelist")).content.decode()
    assert shown.count("all 7") == 11


def test_a_gm_who_plays_is_not_shown_what_other_players_cannot_see(as_gm: Client, marne: Cast):
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
    shown = page(as_gm, marne)
    assert "WAIT" not in shown
    assert "Mon 2 Mar 12:00" not in shown
    assert "some orders" not in shown
    assert "away" not in shown.replace("announced absences", "")
    assert "mails do not arrive" not in shown
    assert "How much press" not in shown
    assert "Process now" not in shown
    assert "Pause" in shown


def test_a_gm_who_plays_does_not_learn_who_plays_what_in_an_anonymous_game(
    as_gm: Client, marne: Cast
):
    Game.objects.update(anonymous=True)
    assert "Ben" in page(as_gm, marne)
    carla = marne.player("Carla")
    carla.user = marne.gm
    carla.save()
    shown = page(as_gm, marne)
    assert "England somebody since 2 Mar 2026" in shown
    assert "Ben" not in shown


def test_the_page_says_how_reliable_a_player_has_been_unless_the_gm_plays(
    as_gm: Client, marne: Cast
) -> None:
    assert re.search(r"reliability \d+ %", page(as_gm, marne)) is None
    phase_process(game_id=marne.game.pk, now=NOW + 3 * DAY)
    assert page(as_gm, marne).count("reliability 90%") == 7
    emma = marne.player("Emma")
    emma.user = marne.gm
    emma.save()
    assert "reliability 90%" not in page(as_gm, marne)


def test_the_page_has_a_button_for_each_act_that_is_possible_now(as_gm: Client, marne: Cast):
    """And for handing over, whose page leads to the co-GM that it lacks."""
    shown = page(as_gm, marne)
    for act in GAME_ACTS.values():
        possible = act.name == "hand_over" or not act.why_not(marne.game, NOW)
        possible = possible and not roles.refusal(marne.gm, marne.game, act.name, now=NOW)
        assert (act.title in shown) == possible, act.name


def test_the_page_of_a_game_that_is_over_says_who_decided_it(as_gm: Client, marne: Cast):
    game_end(game=marne.game, winners=["France"], why="All agreed.", by="gm", now=NOW)
    marne.game.refresh_from_db()
    shown = page(as_gm, marne)
    assert "The game is over: the GM has decided on a win for France." in shown
    assert "decided by the GM" in shown
    assert "Roll back" in shown
    assert "Pause" not in shown
    assert "GM gm Page for all" in shown, "nothing is hidden from the GM any more"


def test_the_page_of_a_paused_game_says_who_paused_it_and_why(as_gm: Client, marne: Cast):
    game_pause(game=marne.game, until=None, why="Christmas.", by="Gerda", now=NOW)
    game_pause(game=marne.game, until=NOW + 9 * DAY, why="Easter.", by="the server", now=NOW)
    assert "Why The server: Easter." in page(as_gm, marne)
    game_resume(game=marne.game, by="gm", now=NOW)
    assert "Easter" not in page(as_gm, marne).partition("Powers")[0]


def test_the_page_of_a_drawn_game_says_what_the_end_is_worth(as_gm: Client, marne: Cast):
    winners = ["France", "Germany"]
    game_end(game=marne.game, winners=winners, why="All agreed.", by="gm", now=NOW)
    shown = page(as_gm, marne)
    assert "shared by France and Germany" in shown
    assert "Points Draw size (Calhamer): France 50, Germany 50, Russia 0" in shown


def test_the_page_of_a_game_without_a_result_says_nothing_of_points(as_gm: Client, marne: Cast):
    game_end(game=marne.game, winners=[], why="All agreed.", by="gm", now=NOW)
    assert "Points" not in page(as_gm, marne)


def test_the_filter_of_the_list_says_in_words_what_a_variant_chose(as_gm: Client, marne: Cast):
    game_create(name="yser", gm=marne.gm, now=NOW, variant="standard", variant_options="victory=20")
    listed = text_of(as_gm.get(reverse("admin:games_game_changelist")).content.decode())
    assert "Standard (It takes 20 centres to win, not 18)" in listed
    assert "victory=20" not in listed


def test_page_and_list_show_the_gms_own_clocks_or_those_of_the_game(as_gm: Client, marne: Cast):
    def listed() -> str:
        with time_machine.travel(NOW + HOUR, tick=False):
            answer = as_gm.get(reverse("admin:games_game_changelist"))
        return text_of(answer.content.decode())

    Game.objects.update(timezone="America/New_York")
    for shown in (page(as_gm, marne), listed()):
        assert "Thu 5 Mar 2026, 07:00 EST (12:00 UTC), in 2 days and 23 hours" in shown
    assert "Mon 2 Mar 2026, 07:00 EST" in page(as_gm, marne)
    Player.objects.filter(name="Hugo").update(user=marne.gm, timezone="Europe/Berlin")
    for shown in (page(as_gm, marne), listed()):
        assert "Thu 5 Mar 2026, 13:00 CET (12:00 UTC), in 2 days and 23 hours" in shown
    assert "EST" not in page(as_gm, marne)


def test_a_game_whose_zone_is_no_longer_known_is_shown_in_utc(as_gm: Client, marne: Cast):
    Game.objects.update(timezone="Nowhere/City")
    listed = as_gm.get(reverse("admin:games_game_changelist")).content.decode()
    assert "Thu 5 Mar 2026, 12:00 UTC" in text_of(listed)


@pytest.mark.parametrize("plays", [True, False])
def test_a_gm_does_not_see_by_the_share_who_missed_where_they_play_among_the_nameless(
    client: Client, plays: bool
):
    """Everybody there reads that France missed; then Carla's share falls on the GM's own page."""
    nameless = make_cast(anonymous=True)
    email = address_of("Ana" if plays else "Zoe")
    gm = User.objects.create_user("zoe", email, is_staff=True)
    gm_appoint(user=gm)
    own = game_create(name="yser", gm=gm, now=NOW)
    for one in [nameless.player("Carla"), *(make_player(f"P{n}") for n in range(6))]:
        game_join(game=own, player=one, preferences="", now=NOW)
    phase_process(game_id=nameless.game.pk, now=NOW + 3 * DAY)
    client.force_login(gm)
    page = client.get(reverse("admin:games_game_change", args=[own.pk])).content.decode()
    assert "Carla" in page
    assert ("reliability 90%" in page) != plays
