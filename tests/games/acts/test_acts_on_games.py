"""The acts on games that are about time, orders, words and the game itself."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from lxml.html import document_fromstring

from games.acts import GAME_ACTS, PLAYER_ACTS
from games.acts.parameters import Ask, Parameter, parameters_of
from games.admin.act_form import form_for
from games.errors import BadInput, WrongState
from games.models import Game, OrderSet, Phase, Power, Press, Seat
from games.queries.lookup import seats_of
from games.queries.orders.current_orders import current_decisions
from games.queries.reports.log_text import sentence
from games.services.accounts.merging import players_merge
from games.services.adjudication.phases import phase_process_now
from games.services.adjudication.rollback import game_rollback
from games.services.clock.muster import game_begin
from games.services.clock.pauses import game_pause
from games.services.endings.ending import game_end
from games.services.moderation.conduct import player_ban
from games.services.ordering.readiness import readiness_set
from games.services.seating.joining import game_join
from games.services.seating.seats import seat_replace
from games.services.setup.games import game_create
from games.services.setup.gm_settings import settings_change
from games.settings import CHANGEABLE
from tests.cast import DAY, HOUR, NOW, OPENINGS, Cast, make_player, seat_fill, submit
from tests.games.acts.acting import Acting

pytestmark = pytest.mark.django_db


def test_processing_says_what_is_missing_and_does_it_when_confirmed(marne: Cast):
    submit(marne, "France", OPENINGS["France"])
    submit(marne, "Italy", ["A Rome - Apulia"])
    acts = Acting(marne.game, "process_now")
    shown = acts.foresee()
    assert "Spring 1901 movement is adjudicated at once." in shown
    assert "Its deadline is Thu 5 Mar 2026, 12:00 UTC, in 2 days and 23 hours" in shown
    assert "All orders are in from 1 of 7 powers." in shown
    assert "Orders are missing from Austria, England, Germany, Italy, Russia and Turkey." in shown
    assert "Nothing at all has come from Austria, England, Germany, Russia and Turkey." in shown
    assert "units without an order hold" in shown
    assert "Told by mail: Ana, Ben, Carla, Dmitri, Emma, Felix, Greta and the GM." in shown
    assert "Burgundy" not in shown
    assert marne.phase.name == "S1901M"
    assert "Processed Spring 1901 movement of marne." in acts.confirm()
    assert marne.phase.name == "F1901M"
    [event] = marne.events("phase_processed")
    assert sentence(event).startswith("Spring 1901 movement: gm had the phase processed.")


def test_processing_says_in_short_that_all_orders_are_in(marne: Cast):
    for power, orders in OPENINGS.items():
        submit(marne, power, orders)
    assert "All orders are in.\n" in Acting(marne.game, "process_now").foresee()


def test_processing_names_each_power_that_sent_nothing_once(marne: Cast):
    shown = Acting(marne.game, "process_now").foresee()
    assert "Nothing at all has come from Austria, England, France, Germany" in shown
    assert "Orders are missing from" not in shown
    assert "No power has sent all its orders." in shown


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
    marne: Cast, change: Callable[[], object]
):
    phase_process_now(game_id=marne.game.pk, now=NOW)
    acts = Acting(marne.game, "rollback")
    change()
    typed = {"phase": "S1901M", "why": "A slip."}
    assert "nothing was done" in acts.confirm(**typed)
    assert marne.game.phases.count() == 2


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"later": "1d", "why": ""}, "Please say why: all players are told."),
        ({"later": "soon", "why": "-"}, "write it like 72h"),
        ({"later": "0h", "why": "-"}, "later"),
        ({"later": "99999999d", "why": "-"}, "longer than any game lasts"),
    ],
)
def test_what_was_typed_badly_is_said_and_nothing_is_done(
    marne: Cast, typed: dict[str, str], said: str
):
    acts = Acting(marne.game, "extend")
    assert said in acts.foresee(**typed)
    assert said in acts.confirm(**typed)
    assert marne.phase.due_at == NOW + 3 * DAY


@pytest.mark.parametrize("act", ["extend", "pause", "add_co_gm"])
@pytest.mark.parametrize("zone", ["UTC", "America/New_York"])
def test_no_time_is_so_far_away_that_no_clock_shows_it(marne: Cast, act: str, zone: str):
    Game.objects.update(timezone=zone)
    typed = {"email": "co@players.test"} if act == "add_co_gm" else {"why": "-"}
    for to in ("9999-12-31 23:30", "2062-03-05", "0001-01-01"):
        acts = Acting(marne.game, act)
        assert f"“{to}” is farther away than any game lasts." in acts.foresee(to=to, **typed)


def test_pausing_and_resuming_say_when_the_clock_runs_again(marne: Cast):
    acts = Acting(marne.game, "pause")
    typed = {"length": "10d59m", "why": "Holidays."}
    assert "It runs again by itself on Thu 12 Mar 2026, 13:59 UTC, in 10 days." in acts.foresee(
        **typed
    )
    assert "The game marne is paused until Thu 12 Mar 2026, 13:59 UTC." in acts.confirm(**typed)
    acts = Acting(marne.game, "resume")
    assert "Spring 1901 movement is due Thu 5 Mar 2026, 12:00 UTC" in acts.foresee()
    said = acts.confirm()
    assert (
        "The clock of marne runs again. Spring 1901 movement is due Thu 5 Mar 2026, 12:00" in said
    )
    assert marne.phase.due_at == NOW + 3 * DAY


def test_resuming_a_game_says_so_when_nobody_plays_it(marne: Cast):
    Power.objects.filter(game=marne.game).exclude(name="Italy").update(disorder_since=NOW)
    game_pause(game=marne.game, until=None, why="Easter", by="gm", now=NOW)
    acts = Acting(marne.game, "resume")
    assert "No power has a player who answers" not in acts.foresee()
    Power.objects.filter(game=marne.game).update(disorder_since=NOW)
    assert "No power has a player who answers: until somebody comes back" in acts.foresee()
    assert "No power has a player who answers" in acts.confirm()


def test_a_game_with_free_seats_does_not_start_and_says_how_to_fill_it(marne: Cast):
    game = game_create(name="verdun", gm=marne.gm, now=NOW)
    with pytest.raises(WrongState, match="To fill them, send people the invitation on"):
        game_begin(game=game, now=NOW)


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
            "Spring 1901 movement: gm resumed the game, due 2026-03-05 12:00 UTC. We all agreed.",
        ),
    ],
)
def test_processing_and_resuming_take_a_reason_and_log_it(
    marne: Cast, act: str, event: str, logged: str
):
    if act == "resume":
        game_pause(game=marne.game, until=None, why="-", by="gm", now=NOW + HOUR)
    acts = Acting(marne.game, act)
    acts.foresee(why="We all agreed.")
    acts.confirm(why="We all agreed.")
    assert [sentence(one) for one in marne.events(event)] == [logged]


def test_a_pause_of_no_time_is_none_without_an_end(marne: Cast):
    acts = Acting(marne.game, "pause")
    assert "A pause has to end in the future." in acts.foresee(length="0h", why="-")


def test_an_end_says_beforehand_who_is_told_besides_those_who_play(marne: Cast):
    shown = Acting(marne.game, "end").foresee(why="-")
    assert "Greta and the GM.\nTold, too" not in shown
    ines, jan = make_player("Ines"), make_player("Jan")
    seat_replace(
        game=marne.game, power=marne.seat("Italy").power, player=ines, why="-", by="gm", now=NOW
    )
    shown = Acting(marne.game, "end").foresee(why="-")
    assert "Ines and the GM.\nAlso told: those who played before." in shown
    marne.game.watchers.create(player=jan, since=NOW)
    shown = Acting(marne.game, "end").foresee(why="-")
    assert "Also told: those who played before and those who observe the game." in shown


def test_a_game_that_has_not_started_ends_for_good_and_without_a_winner(
    marne: Cast, client: Client
):
    game = game_create(name="verdun", gm=marne.gm, now=NOW)
    game_join(game=game, player=marne.player("Hugo"), preferences="", now=NOW)
    acts = Acting(game, "end")
    shown = acts.foresee(why="Nobody comes.")
    assert "Nothing can bring it back.\nTold by mail: Hugo and the GM." in shown
    assert "What you chose is no longer on this list." in acts.foresee(winners=["France"], why="-")
    with pytest.raises(BadInput, match="has not started yet, so nobody can win it"):
        game_end(game=game, winners=["France"], why="-", by="gm", now=NOW)
    acts.confirm(why="Nobody comes.")
    assert "was never played" in Acting(game, "rollback").foresee(phase="S1901M", why="-")
    client.force_login(User.objects.create_superuser("root", "root@players.test"))
    page = client.get(reverse("admin:games_game_change", args=[game.pk])).content.decode()
    assert "Roll back" not in page


def test_a_rollback_says_what_is_undone(marne: Cast):
    phase_process_now(game_id=marne.game.pk, now=NOW)
    acts = Acting(marne.game, "rollback")
    typed = {"phase": "S1901M", "why": "A slip."}
    shown = acts.foresee(**typed)
    assert "Undone, but kept: Spring 1901 movement and Fall 1901 movement." in shown
    shown = acts.confirm(**typed)
    assert (
        "The game marne is back at Spring 1901 movement. "
        "Undone, but kept: Spring 1901 movement and Fall 1901 movement." in shown
    )
    [event] = marne.events("game_rolled_back")
    assert (event.payload["why"], event.payload["by"]) == ("A slip.", "gm")


def test_a_rollback_of_a_paused_game_says_that_its_clock_runs_again(marne: Cast):
    phase_process_now(game_id=marne.game.pk, now=NOW)
    acts, typed = Acting(marne.game, "rollback"), {"phase": "S1901M", "why": "A slip."}
    assert "pause" not in acts.foresee(**typed)
    game_pause(game=marne.game, until=None, why="A holiday.", by="gm", now=NOW)
    assert "The pause ends." in acts.foresee(**typed)


def test_a_rollback_says_whose_seats_open(marne: Cast):
    game_end(game=marne.game, winners=["France"], why="All agreed.", by="gm", now=NOW)
    acts, typed = Acting(marne.game, "rollback"), {"phase": "S1901M", "why": "A slip."}
    assert "Who plays which power does not change." in acts.foresee(**typed)
    player_ban(player=marne.player("Emma"), why="Insults.", by="mo", now=NOW)
    ana, ben = marne.player("Ana"), marne.player("Ben")
    players_merge(kept=ana, other=ben, why="Twins.", by="mo", now=NOW)
    shown = acts.foresee(**typed)
    assert "because their players may not play on: Italy; and because their players" in shown
    assert "have another power, too: England. Who plays another power does not change" in shown
    acts.confirm(**typed)
    assert set(marne.game.powers.exclude(open_since=None).values_list("name", flat=True)) == {
        "England",
        "Italy",
    }


def test_in_the_first_phase_there_is_nothing_to_undo_until_the_game_is_over(marne: Cast):
    undoes = GAME_ACTS["rollback"]
    first = "The game marne is in its first phase, so nothing can be undone."
    assert undoes.why_not(marne.game, NOW) == first
    phase_process_now(game_id=marne.game.pk, now=NOW)
    assert undoes.why_not(marne.game, NOW) == ""
    game_rollback(game=marne.game, phase="S1901M", why="A slip.", by="gm", now=NOW)
    assert undoes.why_not(marne.game, NOW) == first
    game_end(game=marne.game, winners=[], why="All agreed.", by="gm", now=NOW)
    marne.game.refresh_from_db()
    assert undoes.why_not(marne.game, NOW) == ""


def test_a_game_is_started_only_with_all_its_seats_taken(marne: Cast):
    game = game_create(name="yser", gm=marne.gm, now=NOW)
    game_join(game=game, player=marne.player("Hugo"), preferences="", now=NOW)
    acts = Acting(game, "start")
    assert "6 of its 7 seats are still free" in acts.foresee()
    assert "6 of its 7 seats are still free" in acts.confirm()
    game.refresh_from_db()
    assert game.status == "forming"


def test_the_log_says_who_started_a_game(marne: Cast):
    game = game_create(name="yser", gm=marne.gm, now=NOW)
    seats = seats_of(marne.game)
    for seat in seats[1:]:
        game_join(game=game, player=seat.player, preferences="", now=NOW)
    seat_fill(game=game, power=game.powers.all()[0], player=seats[0].player, now=NOW)
    acts = Acting(game, "start")
    everybody = "Ana, Ben, Carla, Dmitri, Emma, Felix and Greta"
    assert f"All seats are taken. Who plays: {everybody}." in acts.foresee()
    game.applications.filter(player__name="Greta").update(player=marne.player("Hugo"))
    assert "so nothing was done" in acts.confirm()
    assert "Felix and Hugo." in acts.foresee()
    assert "The game yser has started." in acts.confirm()
    assert sentence(game.events.get(kind="game_started")) == "gm started the game."


def test_orders_are_set_as_they_were_understood(marne: Cast):
    acts = Acting(marne.game, "set_orders")
    typed = {"power": "France", "orders": "par-bur\nF Bre H", "why": "Carla asked me to."}
    shown = acts.foresee(**typed)
    assert "These orders of France stand for Spring 1901 movement: A Paris - Burgundy" in shown
    assert "They replace whatever France has sent. Without an order: A Marseilles." in shown
    shown = acts.confirm(**typed)
    assert "Orders of France are set in Spring 1901 movement." in shown
    assert "Without an order: A Marseilles." in shown
    assert OrderSet.objects.get().by == "gm"
    assert "Burgundy" not in str(marne.events("orders_set")[0].payload)


def test_one_order_is_corrected_and_the_others_of_the_power_still_count(marne: Cast):
    """The GM, who may not see them, learns not even which units they are for."""
    submit(marne, "France", ["A Par-Bur", "F Bre-Eng"])
    acts = Acting(marne.game, "set_orders")
    typed = {"power": "France", "orders": "A Par-Gas", "amend": "on", "why": "We misread a line."}
    shown = acts.foresee(**typed)
    assert "All else that France has ordered still counts." in shown
    done = acts.confirm(**typed)
    assert "Orders of France are set in Spring 1901 movement." in done
    for secret in ("English", "Brest", "Burgundy", "Marseilles"):
        assert secret not in shown + done
    assert dict(current_decisions(marne.phase, marne.game.powers.get(name="France"))) == {
        "A Marseilles": None,
        "A Paris": "A Paris - Gascony",
        "F Brest": "F Brest - English Channel",
    }


def test_orders_that_cannot_be_followed_are_not_set(marne: Cast):
    acts = Acting(marne.game, "set_orders")
    typed = {"power": "France", "orders": "A Paris - London", "why": "-"}
    assert "“A Paris - London” cannot be followed for France" in acts.foresee(**typed)
    acts.confirm(**typed)
    assert not OrderSet.objects.exists()


def test_a_changed_setting_is_shown_before_with_what_it_was(marne: Cast):
    acts = Acting(marne.game, "settings")
    form = form_for(GAME_ACTS["settings"], marne.game, now=NOW)
    assert list(form.fields) == [*(name for name in CHANGEABLE if name != "start"), "why"]
    typed = {name: form[name].value() for name in form.fields if form[name].value() is not None}
    typed = {name: value for name, value in typed.items() if value is not False}
    typed |= {"movement_length": "4d", "why": "Easter."}
    shown = acts.foresee(**typed)
    assert "length of movement phases: 4 days (before: 3 days)" in shown
    without = {name: value for name, value in typed.items() if name != "process_early"}
    assert "early processing: no (before: yes)" in acts.foresee(**without), "of what was not shown"
    acts.foresee(**typed)
    shown = acts.confirm(**typed)
    assert "Changed in marne: length of movement phases: 4 days (before: 3 days)." in shown
    [event] = marne.events("settings_changed")
    assert len(event.payload["changes"]) == 1


def test_what_nobody_touched_stays_as_somebody_else_has_made_it_meanwhile(marne: Cast):
    form = form_for(GAME_ACTS["settings"], marne.game, now=NOW)
    shown = document_fromstring(f"<form>{form.as_p()}</form>").forms[0].form_values()
    settings_change(game=marne.game, changes={"reminders": "6h"}, why="-", by="co", now=NOW)
    typed = dict(shown) | {"retreat_length": "2d", "process_early": "", "why": "Easter."}
    acts = Acting(marne.game, "settings")
    assert "reminders" not in acts.foresee(**typed)
    assert acts.confirm(**typed) == (
        "Changed in marne: length of retreat phases: 2 days (before: 1 day); "
        "early processing: no (before: yes)."
    )


def test_a_setting_that_was_typed_before_we_knew_what_was_shown_is_changed(marne: Cast):
    """The page is shown once more, to confirm it: what it hides is not what was typed."""
    made = partial(form_for, GAME_ACTS["settings"], marne.game, now=NOW)
    fresh, typed = made(), {"retreat_length": "2d", "why": "-"}
    by_a_link = made(initial=typed)
    shown = ((name, fresh[name].value()) for name in fresh.fields)
    older = {name: value for name, value in shown if value is not None and value is not False}
    of_an_older_release = made(older | typed)
    for again in (by_a_link, of_an_older_release):
        page = document_fromstring(f"<form>{again.as_p()}</form>").forms[0]
        confirmed = made(dict(page.form_values()))
        assert confirmed.is_valid()
        assert confirmed.given().changes["retreat_length"] == 2 * DAY


def test_a_changed_length_says_that_the_clock_decides(marne: Cast):
    Game.objects.filter(pk=marne.game.pk).update(movement_clock="Tue Fri 20:00")
    acts = Acting(Game.objects.get(pk=marne.game.pk), "settings")
    form = form_for(GAME_ACTS["settings"], acts.subject, now=NOW)
    values = {name: form[name].value() for name in form.fields}
    typed = {name: one for name, one in values.items() if one is not None and one is not False}
    clock = (
        "Movement is due at Tue Fri 20:00, so the length of movement phases is only the least that "
        "one lasts."
    )
    assert clock in acts.foresee(**{**typed, "movement_length": "2d", "why": "Easter."})
    others = {**typed, "retreat_length": "2d", "why": "Easter."}
    assert "only the least" not in acts.foresee(**others)


def test_the_gm_writes_to_one_or_to_all(marne: Cast):
    acts = Acting(marne.game, "write")
    shown = acts.foresee(to=["France"], text="Are you well?")
    assert "France (Carla) gets this text, as a mail from the GM:\nAre you well?" in shown
    assert "Your text is on its way to France." in acts.confirm(to=["France"], text="Are you well?")
    acts.foresee(text="Hello all")
    acts.confirm(text="Hello all")
    assert [press.public for press in Press.objects.order_by("pk")] == [False, True]


def test_extending_says_whose_ready_is_void(marne: Cast):
    readiness_set(seat=marne.seat("Russia"), phase=marne.phase, word="READY", now=NOW)
    acts = Acting(marne.game, "extend")
    typed = {"later": "1d", "why": "Ana is ill."}
    assert "The READY of Russia no longer counts." in acts.foresee(**typed)
    assert "due on Fri 6 Mar 2026, 12:00 UTC." in acts.confirm(**typed)
    assert marne.phase.due_at == NOW + 4 * DAY


@pytest.mark.parametrize("name", sorted(GAME_ACTS))
@pytest.mark.parametrize("status", ["forming", "finished"])
def test_an_act_that_is_not_for_now_says_how_the_game_stands(name: str, status: str):
    game = game_create(name="yser", now=NOW)
    game.status = status
    act = GAME_ACTS[name]
    if status not in act.when:
        said = "is over" if status == "finished" else "has not started yet"
        assert said in act.why_not(game, NOW)


@pytest.mark.parametrize("name", sorted(GAME_ACTS))
def test_an_act_without_what_it_needs_says_what_is_missing(marne: Cast, name: str):
    act = GAME_ACTS[name]
    for one in parameters_of(act.parameters):
        if one.required and one.name != "changes":
            with pytest.raises(BadInput, match=r"^(Please|There is no text)"):
                one.check("")


def test_what_is_too_long_is_refused_wherever_it_was_typed():
    with pytest.raises(BadInput, match="Why: please use at most 3 characters"):
        Parameter("why", Ask("Why", longest=3), required=True, many=False).check("Easter")


@pytest.mark.parametrize("act", [*GAME_ACTS.values()], ids=list(GAME_ACTS))
def test_every_field_of_every_act_has_a_label(marne: Cast, act: object):
    for field in form_for(act, marne.game, now=NOW):  # type: ignore[arg-type]
        assert field.label


@pytest.mark.parametrize("act", [*PLAYER_ACTS.values()], ids=list(PLAYER_ACTS))
def test_every_field_of_every_act_about_a_player_has_a_label(marne: Cast, act: object):
    for field in form_for(act, marne.player("Ana"), now=NOW):  # type: ignore[arg-type]
        assert field.label


def test_a_gm_who_plays_does_not_read_who_plays_what_when_writing(marne: Cast):
    assert "Ben" in Acting(marne.game, "write").foresee(text="Hello")
    Game.objects.update(anonymous=True)
    carla = marne.player("Carla")
    carla.user = marne.gm
    carla.save()
    assert "Ben" not in Acting(marne.game, "write").foresee(text="Hello")
