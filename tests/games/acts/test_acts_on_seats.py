"""The acts on games that are about who plays, and how it ends."""

from __future__ import annotations

import pytest

from games.acts import GAME_ACTS
from games.acts.excuse import Excuse, Parameters
from games.admin.act_form import form_for
from games.errors import NotFound
from games.models import Attendance, Game, Offer, Seat, Standby
from games.queries.orders.current_orders import current_lines
from games.services.accounts.merging import players_merge
from games.services.accounts.players import player_register
from games.services.adjudication.phases import phase_process
from games.services.endings.proposals import draw_propose
from games.services.endings.votes import vote_cast
from games.services.moderation.conduct import player_ban
from games.services.ordering.disorder import disorder_declare
from games.services.seating.joining import game_join
from games.services.setup.games import game_create
from tests.cast import DAY, HOUR, NOW, OPENINGS, POWERS, Cast, make_player, submit
from tests.games.acts.acting import Acting, staff

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("player", ["Hugo", "hugo@players.test"])
def test_a_substitute_is_seated_by_name_or_by_an_address_that_the_gm_may_know(
    marne: Cast, player: str
):
    verdun, hugo = game_create(name="verdun", gm=marne.gm, now=NOW), marne.player("Hugo")
    game_join(game=verdun, player=hugo, preferences="", now=NOW)
    acts = Acting(marne.game, "replace")
    typed = {"power": "France", "player": player, "why": "Carla has no time."}
    shown = acts.foresee(**typed)
    assert "Hugo plays France from now on, and gets a mail with its position." in shown
    assert "Carla no longer plays it" in shown
    assert "Told by mail: Ana, Ben, Carla, Dmitri, Emma, Felix, Greta, Hugo and the GM." in shown
    assert marne.seat("France").player.name == "Carla"
    assert "Hugo plays France in marne now." in acts.confirm(**typed)
    assert marne.seat("France").player.name == "Hugo"
    assert Seat.objects.get(player__name="Carla").until is not None
    [event] = marne.events("seat_taken")
    assert (event.payload["by"], event.payload["why"]) == ("gm", "Carla has no time.")


def test_a_deadline_that_is_too_near_for_a_substitute_is_said_to_move(marne: Cast):
    Game.objects.update(takeover_time=5 * DAY)
    acts = Acting(marne.game, "replace")
    typed = {"power": "France", "player": "Hugo", "why": "-"}
    assert "moves to Sat 7 Mar 2026, 13:00 UTC, in 5 days at the earliest" in acts.foresee(**typed)
    acts.confirm(**typed)
    assert marne.phase.due_at == NOW + HOUR + 5 * DAY


def make_twins() -> None:
    for address in ("a", "b"):
        twin = make_player(f"Twin-{address}")
        twin.name = "Twin"
        twin.save()


@pytest.mark.parametrize("player", ["twin <Twin-b@players.test>", "Hugo <hugo@players.test>"])
def test_a_name_may_have_its_address_after_it_which_tells_namesakes_apart(marne: Cast, player: str):
    make_twins()
    said = Acting(marne.game, "replace").foresee(power="France", player=player, why="-")
    assert f"{player.partition(' ')[0].capitalize()} plays France" in said


@pytest.mark.parametrize(
    ("player", "said"),
    [
        ("Nobody", "Nobody is registered as Nobody. Write their whole name."),
        ("Twin", "Several players are called Twin: write the mail address after the name"),
        ("twin-a@players.test", "instead of twin-a@players.test; if you do not know it, ask"),
        (
            "Ivo <hugo@players.test>",
            "Nobody is registered as Ivo with the address hugo@players.test",
        ),
        ("nobody@players.test", "ask them. Moderators find it in the list of players."),
        ("Emma", "Emma already plays Italy in the game marne"),
    ],
)
def test_who_cannot_be_seated_is_refused_with_the_reason(marne: Cast, player: str, said: str):
    make_twins()
    acts = Acting(marne.game, "replace")
    typed = {"power": "France", "player": player, "why": "-"}
    assert said in acts.foresee(**typed)
    acts.confirm(**typed)
    assert marne.seat("France").player.name == "Carla"


@pytest.mark.parametrize("started", [True, False])
def test_why_somebody_takes_no_seat_is_said_to_the_gm_and_not_as_if_to_them(
    marne: Cast, started: bool
):
    game = marne.game if started else game_create(name="verdun", gm=marne.gm, now=NOW)
    player_register(name="Zoe", email="zoe@players.test", now=NOW)
    player_ban(player=marne.player("Hugo"), why="Abuse.", by="mo", now=NOW)
    part = make_player("Part")
    players_merge(kept=make_player("Whole"), other=part, why="One.", by="mo", now=NOW)
    for player, said in {
        "Zoe": "Zoe has not confirmed an address yet, and cannot be told.",
        "Hugo": "The moderators do not let Hugo take a seat at present.",
        "Part": "Nobody is registered as Part. Write their whole name.",
    }.items():
        acts = Acting(game, "replace")
        assert acts.foresee(power="France", player=player, why="-") == said


def test_a_substitute_for_another_player_than_on_the_page_is_not_seated(marne: Cast):
    acts = Acting(marne.game, "replace")
    other = Acting(marne.game, "replace")
    other.confirm(power="France", player="Hugo", why="-")
    make_player("Iris")
    assert "nothing was done" in acts.confirm(power="France", player="Iris", why="-")
    assert marne.seat("France").player.name == "Hugo"


def test_a_seat_is_opened_and_offered(marne: Cast):
    Standby.objects.create(player=marne.player("Hugo"), since=NOW)
    acts = Acting(marne.game, "vacate")
    typed = {"power": "France", "why": "Carla insults everybody."}
    shown = acts.foresee(**typed)
    assert "Carla no longer plays France, and cannot take it back." in shown
    assert "The seat of France in marne is open." in acts.confirm(**typed)
    assert not Seat.objects.filter(power__name="France", until=None).exists()
    [event] = marne.events("seat_vacated")
    assert (event.payload["by"], event.payload["why"]) == ("gm", "Carla insults everybody.")
    assert Offer.objects.get().player == marne.player("Hugo")


@pytest.mark.parametrize("act", ["vacate", "disorder"])
@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("open", "Anybody who has not played in this game may take over France; it is offered to"),
        ("approval", "may ask the GM for France; on the standby list, we offer it only to those"),
        ("invited", "Anybody who has the game's code, or is invited, and has not played in it may"),
    ],
)
def test_a_seat_that_opens_is_said_to_be_for_those_who_may_have_it(
    marne: Cast, act: str, entry: str, said: str
):
    Standby.objects.create(player=marne.player("Hugo"), since=NOW)
    Game.objects.update(entry=entry)
    acts, typed = Acting(marne.game, act), {"power": "France", "why": "-"}
    shown = acts.foresee(**typed)
    assert said in shown
    acts.confirm(**typed)
    assert Offer.objects.exists() is ("players on the standby list" in shown)


def test_orders_are_said_to_stand_when_a_seat_opens_and_to_be_lost_with_the_next_player(
    marne: Cast,
):
    submit(marne, "France", OPENINGS["France"])
    acts, typed = Acting(marne.game, "vacate"), {"power": "France", "why": "-"}
    shown = acts.foresee(**typed)
    assert "What was ordered for France in Spring 1901 movement stands until then." in shown
    assert acts.act.undo.endswith("but not their orders.")
    acts.confirm(**typed)
    assert current_lines(marne.phase, marne.game.powers.get(name="France"))
    Acting(marne.game, "replace").confirm(power="France", player="Carla", why="-")
    assert not current_lines(marne.phase, marne.game.powers.get(name="France"))


@pytest.mark.parametrize(
    ("act", "typed"),
    [
        ("vacate", {"power": "France", "why": "-"}),
        ("disorder", {"power": "France", "why": "-"}),
        ("ban", {"why": "-"}),
    ],
)
def test_a_vote_that_passes_when_a_power_loses_its_say_is_foreseen_and_told(
    marne: Cast, act: str, typed: dict[str, str]
):
    subject = marne.player("Carla") if act == "ban" else marne.game
    acts = Acting(subject, act)
    assert "open votes" not in acts.foresee(**typed)
    draw_propose(seat=marne.seat("Italy"), winners=(), now=NOW)
    shown = acts.foresee(**typed)
    assert "if all the others have agreed to one, it passes, and the game is over at once" in shown
    for power in set(POWERS.values()) - {"Italy", "France"}:
        vote_cast(seat=marne.seat(power), number=None, yes=True, now=NOW)
    assert acts.foresee(**typed) == shown, "nobody reads from it who has voted what"
    done = acts.confirm(**typed)
    assert Game.objects.get(pk=marne.game.pk).status == Game.Status.FINISHED
    assert ("a vote has passed, and the game is over." in done) is (act != "ban")


@pytest.mark.parametrize("anonymous", [True, False])
def test_before_the_start_the_reason_of_a_seat_is_no_place_for_a_name_either(
    marne: Cast, anonymous: bool
):
    game = game_create(name="verdun", gm=marne.gm, now=NOW)
    Game.objects.update(anonymous=anonymous)
    shown = Acting(game, "replace").foresee(power="France", player="Hugo", why="Hugo won a bet.")
    assert ("all players read your reason: name nobody in it." in shown) is anonymous


def test_civil_disorder_is_declared_and_ended(marne: Cast):
    said = Acting(marne.game, "end_disorder").foresee(power="Turkey", why="Greta is back.")
    assert said == "No power in marne is in civil disorder."
    acts = Acting(marne.game, "disorder")
    typed = {"power": "Turkey", "why": "Greta is silent."}
    shown = acts.foresee(**typed)
    assert "Turkey is in civil disorder: its units hold and may be supported" in shown
    assert "Greta is told first" in shown
    assert "Turkey in marne is in civil disorder." in acts.confirm(**typed)
    [event] = marne.events("disorder_declared")
    assert (event.payload["by"], event.payload["why"]) == ("gm", "Greta is silent.")
    assert marne.game.powers.get(name="Turkey").disorder_since
    acts = Acting(marne.game, "end_disorder")
    typed = {"power": "Turkey", "why": "Greta is back."}
    assert "Greta plays it as before" in acts.foresee(**typed)
    acts.confirm(**typed)
    [event] = marne.events("disorder_ended")
    assert event.payload["by"] == "gm"
    assert marne.game.powers.get(name="Turkey").disorder_since is None


def test_a_power_can_only_be_chosen_where_the_act_makes_sense(marne: Cast):
    disorder_declare(game=marne.game, power=marne.seat("Turkey").power, why="-", by="gm", now=NOW)
    chosen = {
        name: dict(form_for(GAME_ACTS[name], marne.game, now=NOW).fields["power"].choices)  # type: ignore[attr-defined]
        for name in ("disorder", "end_disorder", "offer")
    }
    assert set(chosen["disorder"]) == {"", *POWERS.values()} - {"Turkey"}
    for name in ("end_disorder", "offer"):
        assert chosen[name] == {"": "Please choose", "Turkey": "Turkey (Greta)"}


def test_an_open_seat_is_offered_to_who_came_to_the_list_later(marne: Cast):
    disorder_declare(game=marne.game, power=marne.seat("Turkey").power, why="-", by="gm", now=NOW)
    acts = Acting(marne.game, "offer")
    assert "There is nobody left on the standby list" in acts.foresee(power="Turkey")
    Standby.objects.create(player=marne.player("Hugo"), since=NOW)
    assert "1 player is on the standby list." in acts.foresee(power="Turkey")
    assert "Turkey is offered to 1 player." in acts.confirm(power="Turkey")
    assert len(marne.events("seat_offered")) == 1


def test_a_miss_is_excused_and_counts_no_longer(marne: Cast):
    phase_process(game_id=marne.game.pk, now=NOW + 3 * DAY)
    miss = Attendance.objects.get(seat__power__name="France")
    acts = Acting(marne.game, "excuse")
    typed = {"misses": [str(miss.pk)], "why": "A power cut."}
    shown = acts.foresee(**typed)
    assert "France (Carla) sent nothing for Spring 1901 movement.\n" in shown
    assert "That is excused: it counts neither against the reliability of Carla nor" in shown
    assert "Carla is told by mail." in shown
    assert "Excused: France (Carla), Spring 1901 movement." in acts.confirm(**typed)
    miss.refresh_from_db()
    assert (miss.excused_by, miss.excused_why) == ("gm", "A power cut.")
    assert len(marne.events("miss_excused")) == 1


def test_several_misses_are_excused_at_once_and_nobody_elses(marne: Cast):
    phase_process(game_id=marne.game.pk, now=NOW + 3 * DAY)
    rows = Attendance.objects.filter(seat__power__name__in=["France", "Italy"])
    acts = Acting(marne.game, "excuse")
    typed = {"misses": [str(row.pk) for row in rows], "why": "A power cut."}
    shown = acts.foresee(**typed)
    assert "Italy (Emma) sent nothing for Spring 1901 movement." in shown
    assert "against the reliability of Carla and Emma nor towards civil disorder." in shown
    assert "Carla and Emma are told by mail." in shown
    said = "France (Carla), Spring 1901 movement; Italy (Emma), Spring 1901 movement."
    assert f"Excused: {said}" in acts.confirm(**typed)
    excused = Attendance.objects.exclude(excused_at=None)
    assert {row.seat.power.name for row in excused} == {"France", "Italy"}
    assert len(marne.events("miss_excused")) == 2


def test_nothing_is_excused_when_one_of_several_cannot_be(marne: Cast):
    phase_process(game_id=marne.game.pk, now=NOW + 3 * DAY)
    row = Attendance.objects.get(seat__power__name="France")
    given = Parameters(misses=(str(row.pk), "0"), why="A power cut.")
    with pytest.raises(NotFound):
        Excuse().perform(marne.game, given, by=staff("gm"), now=NOW + 3 * DAY)
    assert not marne.events("miss_excused")


@pytest.mark.parametrize(
    ("winners", "said", "points"),
    [
        (["France"], "with a win for France", "Draw size (Calhamer): France 100, Russia 0,"),
        (["France", "Italy"], "in a draw between France and Italy", ": France 50, Italy 50, Rus"),
        ([], "without a result", "Nobody gets any points for a game without a result."),
    ],
)
def test_a_game_is_ended_as_the_gm_decides(marne: Cast, winners: list[str], said: str, points: str):
    Game.objects.update(scoring="draw-size")
    acts = Acting(marne.game, "end")
    shown = acts.foresee(winners=winners, why="All agreed.")
    assert f"The game marne ends {said}." in shown
    assert points in shown
    assert "Spring 1901 movement will not be adjudicated" in shown
    marne.game.refresh_from_db()
    assert marne.game.status == "active"
    assert f"The game marne has ended {said}." in acts.confirm(winners=winners, why="All agreed.")
    marne.game.refresh_from_db()
    assert (marne.game.status, marne.game.winners) == ("finished", winners)
    [event] = marne.events("game_finished")
    assert (event.payload["by"], event.payload["why"]) == ("gm", "All agreed.")
    assert Acting(marne.game, "pause").foresee(why="-") == "The game marne is over."


def test_a_game_that_is_cancelled_before_its_start_will_not_be_played(marne: Cast) -> None:
    acts = Acting(game_create(name="somme", gm=marne.gm, now=NOW), "end")
    assert "The game somme will not be played." in acts.foresee(why="Too few.")
    assert "The game somme will not be played." in acts.confirm(why="Too few.")
