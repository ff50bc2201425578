"""A new game: three questions, six presets, all faults at once; and taking it back."""

from __future__ import annotations

import re
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from games.admin.acting import LIVE
from games.admin.forms import GameForm
from games.admin.game import next_name
from games.errors import WrongState
from games.models import Event, Game
from games.queries.board import variant_named, variant_names
from games.queries.phases.first_deadlines import first_deadlines, passed_over
from games.queries.players.places import with_places
from games.queries.reports.invitation import invitation
from games.services.clock.halts import server_halt
from games.services.seating.invitations import players_invite
from games.services.seating.joining import game_join
from games.services.setup.games import game_create
from games.services.setup.unstarted import game_delete, game_rename
from games.settings import SETTINGS
from games.settings.presets import PRESETS
from mailer import jobs, notices
from tests.cast import DAY, HOUR, NOW, Cast, address_of, make_player
from tests.games.acts.acting import Acting
from tests.games.admin.new_game_form import proposed
from tests.games.admin.queue_cases import plain

pytestmark = pytest.mark.django_db
ADD = "admin:games_game_add"
COPIED = ("name", "variant", "variant_options")


def typed(**answers: object) -> dict[str, object]:
    return {**proposed(), "name": "verdun", **answers}


@pytest.mark.parametrize("preset", PRESETS)
def test_each_preset_makes_a_game_with_its_settings(operator: Client, preset: str) -> None:
    operator.post(reverse(ADD), typed(preset=preset, timezone="Europe/Berlin"))
    game = Game.objects.get()
    for name, value in PRESETS[preset].settings.items():
        assert getattr(game, name) == value, name
    assert game.timezone == "Europe/Berlin"


def test_the_maps_have_their_titles_and_the_standard_one_stands_first(operator: Client) -> None:
    page = operator.get(reverse(ADD)).content.decode()
    assert '<option value="ancient_med">Ancient Mediterranean, 5 powers</option>' in page
    options = re.findall(r'<option value="(\w+)"[^>]*>[^<]+, \d+ powers<', page)
    assert options[0] == "standard"
    assert sorted(options) == sorted(variant_names())


def test_no_game_is_made_while_the_whole_server_stands_still(operator: Client) -> None:
    server_halt(why="A fault in the judge.", by="mo", now=NOW)
    shown = operator.post(reverse(ADD), typed(preset="steady"), follow=True).content.decode()
    assert "no game is made. Please try again when it goes on. Why: A fault in the judge." in shown
    with pytest.raises(WrongState, match="The server stands still"):
        game_create(name="marne", now=NOW)
    assert not Game.objects.exists()


def test_a_time_of_the_clock_that_can_be_no_deadline_is_named(operator: Client) -> None:
    clock = {"movement_clock": "Mon Wed Fri 20:00", "timezone": "Europe/Berlin"}
    said = "after Mon 2 Mar 2026, 20:00 CET (19:00 UTC) the next deadline is Fri 6 Mar 2026, "
    with time_machine.travel(NOW, tick=False):
        shown = operator.post(reverse(ADD), typed(**clock), headers={LIVE: "1"})
        assert said in plain(shown.content.decode())
        operator.post(reverse(ADD), typed(**clock))
        key = Game.objects.get().pk
        page = plain(operator.get(reverse("admin:games_game_change", args=[key])).content.decode())
        assert "A movement phase lasts at least 3 days: " + said in page
        shown = operator.post(
            reverse(ADD), typed(**clock, movement_length="24h"), headers={LIVE: "1"}
        )
        assert "not Wed" not in plain(shown.content.decode())


@pytest.mark.parametrize("preset", PRESETS)
def test_every_time_on_the_clock_of_a_preset_can_be_a_deadline(preset: str) -> None:
    assert passed_over(Game(**PRESETS[preset].settings), now=NOW) == ""


def test_the_form_makes_a_game_of_every_variant(operator: Client) -> None:
    for number, variant in enumerate(variant_names()):
        operator.post(reverse(ADD), typed(name=f"verdun{number}", variant=variant))
        game = Game.objects.get(name=f"verdun{number}")
        powers = variant_named(variant).powers
        assert game.variant == variant
        assert {power.name for power in game.powers.all()} == set(powers)
    assert Game.objects.count() == len(variant_names())


def test_what_somebody_typed_wins_over_the_preset(operator: Client) -> None:
    operator.post(reverse(ADD), typed(preset="weekly", muster="5d", movement_clock="Sat 18:00"))
    game = Game.objects.get()
    assert (game.muster, game.movement_clock) == (5 * DAY, "Sat 18:00")
    assert game.first_extra == 3 * DAY


def test_what_somebody_typed_wins_even_where_it_is_what_every_game_has(operator: Client) -> None:
    assert '<input type="hidden" name="typed"' in operator.get(reverse(ADD)).content.decode()
    answers = typed(preset="evening", movement_length="72h", typed=" name movement_length")
    operator.post(reverse(ADD), answers)
    game = Game.objects.get()
    assert game.movement_length == 3 * DAY
    assert game.retreat_length == HOUR / 12


def test_a_time_to_start_is_read_on_the_clocks_of_the_game(operator: Client) -> None:
    asked = typed(preset="evening", timezone="Europe/Berlin", start="tomorrow")
    assert (
        "Please write the time of day, too" in operator.post(reverse(ADD), asked).content.decode()
    )
    operator.post(reverse(ADD), {**asked, "start": "tomorrow 8pm"})
    game = Game.objects.get()
    assert game.starts_at
    assert (
        f"{game.starts_at.astimezone(ZoneInfo('Europe/Berlin')):%H:%M}"
        == game.start[-5:]
        == "20:00"
    )


def test_all_faults_are_said_at_once_each_at_its_field(operator: Client) -> None:
    wrong = {
        "name": "ver dun",
        "timezone": "CEST",
        "movement_clock": "Someday",
        "days_off": "Funday",
        "movement_length": "0h",
        "reminders": "soon",
        "last_year": "1800",
    }
    answer = operator.post(reverse(ADD), typed(**wrong))
    form = answer.context["adminform"].form
    assert set(form.errors) == set(wrong)
    assert "Sat Sun, 24 Dec - 6 Jan, 12-25" in form.errors["days_off"][0]
    assert "Tue Fri 20:00" in form.errors["movement_clock"][0]
    assert not Game.objects.exists()


def test_time_zones_are_offered_while_one_types(operator: Client) -> None:
    assert '<option value="Europe/Berlin">' in operator.get(reverse(ADD)).content.decode()


def test_the_first_three_deadlines_follow_what_is_typed(operator: Client) -> None:
    answers = typed(preset="steady", timezone="Europe/Berlin", name="")
    with time_machine.travel(NOW, tick=False):
        answer = operator.post(reverse(ADD), answers, headers={"X-Forecast": "1"})
    shown = plain(answer.content.decode())
    assert "Fri 6 Mar 2026, 20:00 CET (19:00 UTC): the first orders" in shown
    assert "Tue 10 Mar 2026, 20:00 CET (19:00 UTC): the second orders" in shown
    assert "Wed 11 Mar 2026, 20:00 CET (19:00 UTC): the first builds" in shown
    assert not Game.objects.exists()
    bad = operator.post(reverse(ADD), answers | {"timezone": "CEST"}, headers={"X-Forecast": "1"})
    assert "Time zone: There is no time zone “CEST”." in plain(bad.content.decode())
    wrong = operator.post(reverse(ADD), answers | {"name": "my game"}, headers={"X-Forecast": "1"})
    assert "Use letters, digits, - and _ only" in wrong.content.decode()


def test_days_off_move_the_first_deadlines() -> None:
    game = Game(name="x", movement_length=4 * DAY, days_off="Fri Sat Sun")
    assert first_deadlines(game, now=NOW)[0].startswith("Mon 9 Mar 2026, 12:00 UTC")


def test_ranges_of_days_off_may_follow_one_another_for_years(operator: Client) -> None:
    days = [NOW + 60 * number * DAY for number in range(20)]
    off = " ".join(f"{day:%Y-%m-%d}..{day + 59 * DAY:%Y-%m-%d}" for day in days)
    with time_machine.travel(NOW, tick=False):
        made = operator.post(reverse(ADD), typed(days_off=off), follow=True).content.decode()
    assert Game.objects.get().days_off == off
    assert "14 Jun 2029" in made


def test_the_page_of_a_new_game_has_an_invitation_to_copy(operator: Client) -> None:
    operator.post(reverse(ADD), typed())
    game = Game.objects.get()
    shown = operator.get(reverse("admin:games_game_change", args=[game.pk])).content.decode()
    assert "Play Diplomacy by e-mail: the game verdun" in shown
    steps = ("Line 1: REGISTER your name\n", "Line 2: JOIN verdun\n", "Answer it with YES")
    found = [shown.index(step) for step in steps]
    assert found == sorted(found)
    assert "7 of 7 seats are still free." in shown
    one = with_places(Game.objects.all()).get()
    one.taken = 6
    assert "1 of 7 seats is still free." in invitation(one)
    assert "The whole log: 1 entry" in plain(shown)


def test_the_settings_of_an_earlier_game_are_copied_under_the_next_name(operator: Client) -> None:
    game_create(name="marne-2", now=NOW, muster=3 * DAY, movement_clock="Tue 20:00")
    earlier = Game.objects.get()
    answer = operator.get(reverse(ADD), {"copy": earlier.pk})
    form: GameForm = answer.context["adminform"].form
    values = {name: form[name].value() for name in ("name", "muster", "movement_clock")}
    assert values == {"name": "marne-3", "muster": "72h", "movement_clock": "Tue 20:00"}
    assert next_name("verdun") == "verdun-2"


def test_a_game_with_choices_of_its_variant_is_copied_with_its_map(operator: Client) -> None:
    earlier = game_create(name="cup-1", now=NOW, variant_options="victory=20")
    form: GameForm = operator.get(reverse(ADD), {"copy": earlier.pk}).context["adminform"].form
    operator.post(reverse(ADD), {**typed(), **{name: form[name].value() for name in COPIED}})
    assert Game.objects.get(name="cup-2").variant == earlier.variant == "standard+victory=20"


def test_the_first_deadlines_of_a_copied_game_stand_there_at_once(operator: Client) -> None:
    earlier = game_create(name="marne-2", now=NOW, movement_length=4 * DAY, muster=3 * DAY)
    with time_machine.travel(NOW, tick=False):
        shown = plain(operator.get(reverse(ADD), {"copy": earlier.pk}).content.decode())
    assert first_deadlines(earlier, now=NOW)[0] in shown
    assert "Choose how it will be played" not in shown


def test_a_gm_copies_no_game_of_somebody_else(client: Client, marne: Cast) -> None:
    other = game_create(name="yser", now=NOW, muster=5 * DAY)
    client.force_login(marne.gm)
    marne.gm.is_superuser = False
    answer = client.get(reverse(ADD), {"copy": other.pk})
    assert answer.status_code in (302, 403) or "120h" not in answer.content.decode()


def test_a_gm_who_names_no_gm_reads_whom_to_choose(as_gm: Client) -> None:
    answer = as_gm.post(reverse(ADD), typed(name="yser", gm=""))
    [said] = answer.context["adminform"].form.errors["gm"]
    assert said == "Please choose yourself: you run the games that you make."


def test_a_renamed_game_tells_those_who_have_joined_who_may_and_who_ask_to(marne: Cast) -> None:
    game = game_create(name="yser", gm=marne.gm, entry="approval", now=NOW)
    players_invite(game=game, emails=[address_of("Ana"), address_of("Hugo")], by="gm", now=NOW)
    for name in ("Hugo", "Ben"):
        game_join(game=game, player=marne.player(name), preferences="", now=NOW)
    foreseen = Acting(game, "rename").foresee(to="somme")
    assert "Told by mail: Ben, Hugo and the GM.\nWe also tell everybody you invited, if" in foreseen
    game_rename(game=game, to="somme", by="gm", now=NOW + HOUR)
    [event] = Event.objects.filter(kind="game_renamed")
    told = {
        mail.recipient.partition("@")[0]: " ".join(mail.body.split())
        for mail in notices.tell_event(event, now=NOW + HOUR)
    }
    assert set(told) == {"hugo", "ana", "ben", "gm"}
    for name, what in {
        "hugo": "You keep your place in it.",
        "ana": "You are still invited. To take a seat, reply with this line: JOIN somme",
        "ben": "The game master has yet to say whether you can join.",
        "gm": "STATUS somme.",
    }.items():
        assert "it is called somme now" in told[name]
        assert what in told[name]
    with pytest.raises(WrongState, match="already being played"):
        game_rename(game=marne.game, to="verdun", by="gm", now=NOW)


def test_a_game_that_nobody_joined_is_deleted_by_its_name(operator: Client) -> None:
    game = game_create(name="yser", now=NOW)
    url = reverse("admin:games_game_act", args=[game.pk, "delete"])
    assert "The game yser is gone" in plain(operator.get(url).content.decode())
    expected = operator.get(url).context["expected"]
    operator.post(url, {"confirmed": "yes", "expected": expected})
    assert Game.objects.exists()
    sent = {"confirmed": "yes", "expected": expected, "typed_name": "yser"}
    assert operator.post(url, sent).url == reverse("admin:index")  # type: ignore[attr-defined]
    assert not Game.objects.exists()


def test_a_game_that_somebody_joined_is_not_deleted(db: None) -> None:
    game = game_create(name="yser", now=NOW)
    game_join(game=game, player=make_player("Ana"), preferences="", now=NOW)
    with pytest.raises(WrongState, match="end it instead"):
        game_delete(game=game)


def test_without_scripts_a_preset_is_shown_before_the_game_is_made(operator: Client) -> None:
    """A default that somebody typed looks like one that nobody touched: they decide by looking."""
    answers = typed(preset="evening", movement_length="72h", typed="")
    shown = operator.post(reverse(ADD), answers, follow=True)
    assert not Game.objects.exists()
    page = plain(shown.content.decode())
    assert "Nothing is made yet. “One evening” is filled in below" in page
    form = shown.context["adminform"].form
    evening = PRESETS["evening"].settings
    assert form["movement_length"].value() == SETTINGS["movement_length"].typed(
        evening["movement_length"]
    )
    now_shown = {one.html_name: one.value() for one in form}
    sent = {name: value for name, value in now_shown.items() if value not in (None, "", False)}
    operator.post(reverse(ADD), {**sent, "movement_length": "72h", "typed": ""})
    game = Game.objects.get()
    assert game.movement_length == 3 * DAY
    kept = {name: getattr(game, name) for name in evening if name != "movement_length"}
    assert kept == {name: value for name, value in evening.items() if name != "movement_length"}


def test_faults_stand_beside_the_form_without_scripts_too(operator: Client) -> None:
    page = plain(operator.post(reverse(ADD), typed(name="", timezone="Berlin")).content.decode())
    assert "Please give the game a name." in page
    assert "Time zone: There is no time zone “Berlin”." in page
    assert "Did you mean Europe/Berlin?" in page


def test_a_game_that_people_were_mailed_about_is_ended_not_deleted(marne: Cast) -> None:
    game = game_create(name="somme", gm=marne.gm, now=NOW)
    players_invite(game=game, emails=["ana@players.test"], by="gm", now=NOW)
    jobs.tell(NOW)
    acting = Acting(game, "delete")
    assert "People were mailed about somme" in acting.foresee()
    with pytest.raises(WrongState, match="End it instead"):
        game_delete(game=game)
    assert Game.objects.filter(name="somme").exists()


def test_whoever_chooses_a_scoring_reads_what_it_gives(operator: Client) -> None:
    assert "Scoring: Draw size (Calhamer)." in plain(operator.get(reverse(ADD)).content.decode())
    page = operator.post(reverse(ADD), typed(scoring="c-diplo-100"), headers={LIVE: "1"})
    assert "Scoring: C-Diplo 100. A solo wins 100 points" in plain(page.content.decode())
