"""A round of a tournament: its games made and its players seated in one act."""

from __future__ import annotations

from collections import Counter

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.core.management import CommandError

from games.acts import GAME_ACTS
from games.admin.act_form import form_for
from games.models import CoGM, Game, Player, Seat
from games.queries.access import roles
from games.queries.tournaments.rounds import players_of, round_planned
from games.services.clock.halts import server_halt
from games.services.moderation.conduct import player_ban
from games.services.seating.joining import seat_give
from games.services.setup.games import game_create
from mailer import jobs
from mailer.models import OutboundMail
from tests.cast import DAY, NOW, POWERS, Cast, make_cast, make_player, seat_fill
from tests.games.acts.acting import Acting, world
from tests.games.commands import run
from tests.games.tournaments.games import CUP, end

pytestmark = pytest.mark.django_db

ALL = "\n".join(POWERS)


@pytest.fixture
def cup(db: None) -> Cast:
    """The game `marne`, of the tournament `spring-cup`."""
    return make_cast(tournament=CUP, scoring="draw-size", anonymous=False)


def played(game: str) -> dict[str, str]:
    """Who has which power of a game."""
    seats = Seat.objects.filter(power__game__name=game, until=None)
    return dict(seats.values_list("player__name", "power__name"))


def may_make_games(user: User) -> User:
    user.groups.add(Group.objects.get_or_create(name=roles.GM)[0])
    user.user_permissions.add(Permission.objects.get(codename="add_game"))
    return User.objects.get(pk=user.pk)


def refused(user: User, game: Game) -> str:
    return GAME_ACTS["make_round"].refusal(user, game, NOW)


# --- What it does ----------------------------------------------------------------------------


def test_the_games_are_like_the_one_that_is_copied_and_start_at_once(cup: Cast) -> None:
    others = [make_player(f"P{number}").name for number in range(7)]
    acts = Acting(cup.game, "make_round")
    said = acts.foresee(name="cup-r2", players="\n".join([ALL, *others]))
    assert "2 games with the settings of marne are made and start at once." in said
    assert acts.confirm(name="cup-r2", players="\n".join([ALL, *others])) == (
        "The round cup-r2 is made: cup-r2-1 and cup-r2-2."
    )
    made = Game.objects.filter(name__startswith="cup-r2")
    assert {(game.status, game.tournament, game.scoring, game.gm) for game in made} == {
        ("active", CUP, "draw-size", cup.gm)
    }
    assert sorted([*played("cup-r2-1"), *played("cup-r2-2")]) == sorted([*POWERS, *others])


def test_all_names_that_nobody_has_are_said_at_once(cup: Cast) -> None:
    said = Acting(cup.game, "make_round").foresee(name="cup-r2", players=f"{ALL}\nAnna\nBent")
    assert "Nobody is registered as Anna." in said
    assert "Nobody is registered as Bent." in said


def test_what_is_foreseen_is_what_is_done(cup: Cast) -> None:
    acts, before = Acting(cup.game, "make_round"), world()
    said = acts.foresee(name="cup-r2", players=ALL)
    assert world() == before
    acts.confirm(name="cup-r2", players=ALL)
    seats = sorted((power, name) for name, power in played("cup-r2-1").items())
    assert f"cup-r2-1: {', '.join(f'{power} {name}' for power, name in seats)}." in said


def test_nobody_plays_a_power_again_whatever_became_of_the_game(cup: Cast) -> None:
    end(cup.game)
    for number in range(2, 8):
        run("make_round", "marne", f"r{number}")
    powers = Counter(Seat.objects.values_list("player__name", "power__name"))
    assert len(powers) == 7 * 7
    said = Acting(cup.game, "make_round").foresee(name="r8", players=ALL)
    assert "These get a power that they have played before: " in said
    assert "Players who have met before meet again 147 times." in said


def test_a_power_that_somebody_lost_halfway_counts_as_played(cup: Cast) -> None:
    carla, hugo = cup.player("Carla"), Player.objects.get(name="Hugo")
    seat_fill(game=cup.game, power=cup.game.powers.get(name="France"), player=hugo, now=NOW)
    players = [*players_of(CUP), carla]
    assert hugo in players
    planned = [
        round_planned(cup.game, f"r{number}", [one for one in players if one != without])
        for number in range(20)
        for without in (carla, hugo)
    ]
    france = {
        player for one in planned for power, player in one.games[0].seats if power == "France"
    }
    assert france.isdisjoint({carla, hugo})
    assert len(france) == 6


def test_a_game_that_never_started_has_taught_nobody_anything(cup: Cast) -> None:
    other = game_create(name="aisne", gm=cup.gm, tournament=CUP, now=NOW)
    hugo, italy = Player.objects.get(name="Hugo"), other.powers.get(name="Italy")
    seat_give(game=other, power=italy, player=hugo, why="-", by="gm", now=NOW)
    assert hugo in players_of(CUP)
    end(other)
    assert hugo not in players_of(CUP)


def test_those_who_play_in_the_tournament_are_proposed_and_who_is_left_out_is_said(
    cup: Cast,
) -> None:
    acts = Acting(cup.game, "make_round")
    assert form_for(acts.act, cup.game, now=NOW)["players"].initial == ALL
    without_ana = "\n".join([name for name in POWERS if name != "Ana"] + ["Hugo"])
    said = acts.foresee(name="cup-r2", players=without_ana)
    assert "Left out of those who have played so far: Ana." in said
    assert "Not over yet: marne. Anybody who still plays there" in said
    end(cup.game)
    assert "Not over yet" not in acts.foresee(name="cup-r2", players=without_ana)


def test_a_round_that_changed_in_between_is_shown_again(cup: Cast) -> None:
    acts = Acting(cup.game, "make_round")
    acts.foresee(name="cup-r2", players=ALL)
    run("make_round", "marne", "cup-r3")
    assert "The game has changed in the meantime" in acts.confirm(name="cup-r2", players=ALL)
    assert not Game.objects.filter(name="cup-r2-1").exists()


def test_a_second_click_makes_nothing_twice(cup: Cast) -> None:
    acts = Acting(cup.game, "make_round")
    acts.confirm(name="cup-r2", players=ALL)
    before = world()
    assert "The game has changed in the meantime" in acts.confirm(name="cup-r2", players=ALL)
    assert world() == before


def test_a_game_looking_for_players_is_only_the_model(cup: Cast) -> None:
    game = game_create(name="aisne", gm=cup.gm, tournament=CUP, now=NOW)
    said = Acting(game, "make_round").foresee(name="cup-r2", players=ALL)
    assert (
        "aisne itself is not part of the round, does not change, and is still looking for "
        "players." in said
    )


def test_nobody_is_asked_whether_they_are_here(cup: Cast) -> None:
    Game.objects.update(muster=2 * DAY)
    Acting(cup.game, "make_round").confirm(name="cup-r2", players=ALL)
    assert Game.objects.get(name="cup-r2-1").status == "active"


def test_the_gm_reads_that_the_games_of_a_round_start_at_once(cup: Cast) -> None:
    Game.objects.update(muster=2 * DAY)
    Acting(cup.game, "make_round").confirm(name="cup-r2", players=ALL)
    jobs.tell(NOW + DAY)
    mails = OutboundMail.objects.filter(recipient=cup.gm.email, subject__startswith="[cup-r2-1]")
    assert [mail.subject for mail in mails] == ["[cup-r2-1] The game starts"]


def test_the_choices_of_a_variant_are_those_of_the_game_that_is_copied(cup: Cast) -> None:
    options = {"variant": "standard", "variant_options": "builds=owned"}
    game = game_create(name="aisne", gm=cup.gm, tournament=CUP, now=NOW, **options)  # type: ignore[arg-type]
    Acting(game, "make_round").confirm(name="cup-r2", players=ALL)
    made = Game.objects.get(name="cup-r2-1")
    assert (made.variant, made.variant_options) == (game.variant, game.variant_options)


# --- What is refused -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "said"),
    [
        (f"{ALL}\nHugo", "8 players do not fill games of 7 powers: leave out 1, or name 6 more."),
        ("Ana\nBen", "2 players do not fill games of 7 powers: name 5 more."),
        (ALL.replace("Ben", "ana@players.test"), "Ana is named twice."),
        (ALL.replace("Ben", "Zacharias"), "Nobody is registered as Zacharias."),
    ],
)
def test_players_who_fill_no_games_are_refused(cup: Cast, players: str, said: str) -> None:
    before = world()
    assert said in Acting(cup.game, "make_round").confirm(name="cup-r2", players=players)
    assert world() == before


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("cup r2", "Use letters, digits, - and _ only"),
        ("marne", "There is already a game marne-1. Please choose another name."),
    ],
)
def test_a_name_that_cannot_be_one_or_is_taken_is_refused(cup: Cast, name: str, said: str) -> None:
    game_create(name="marne-1", gm=cup.gm, now=NOW)
    before = world()
    assert said in Acting(cup.game, "make_round").confirm(name=name, players=ALL)
    assert world() == before


def test_one_who_may_take_no_seat_keeps_the_whole_round_from_being_made(cup: Cast) -> None:
    hugo = Player.objects.get(name="Hugo")
    player_ban(player=hugo, why="Cheated.", by="mo", now=NOW)
    before = world()
    said = Acting(cup.game, "make_round").confirm(name="cup-r2", players=ALL.replace("Ana", "Hugo"))
    assert "Hugo" in said
    assert world() == before


def test_no_round_is_made_while_the_whole_server_stands_still(cup: Cast) -> None:
    server_halt(why="A fault.", by="mo", now=NOW)
    before = world()
    said = Acting(cup.game, "make_round").foresee(name="cup-r2", players=ALL)
    assert "The server stands still for a while" in said
    assert world() == before


def test_a_game_of_no_tournament_has_no_rounds(marne: Cast) -> None:
    said = Acting(marne.game, "make_round").foresee(name="r2", players=ALL)
    assert said == "The game marne belongs to no tournament."


def test_a_game_without_a_gm_has_nobody_to_run_the_round(db: None) -> None:
    game = game_create(name="aisne", tournament=CUP, now=NOW)
    said = Acting(game, "make_round").foresee(name="r2", players=ALL)
    assert said == "The game aisne has no GM to run the games."


# --- Who may ---------------------------------------------------------------------------------


def test_its_gm_may_who_may_make_games(cup: Cast) -> None:
    only = "Only the GM of the game marne can make more games like it."
    assert refused(cup.gm, cup.game) == only
    assert refused(may_make_games(cup.gm), cup.game) == ""


def test_a_co_gm_makes_no_games_for_the_gm(cup: Cast) -> None:
    other = may_make_games(User.objects.create_user("gus", "gus@players.test", is_staff=True))
    CoGM.objects.create(game=cup.game, user=other, since=NOW)
    assert "Only the GM of the game marne" in refused(other, cup.game)


def test_an_operator_makes_rounds_of_any_game(cup: Cast) -> None:
    assert refused(User.objects.create_superuser("op"), cup.game) == ""


def test_nobody_reads_by_it_who_plays_in_an_anonymous_game_of_theirs(cup: Cast) -> None:
    other = game_create(name="aisne", gm=cup.gm, tournament=CUP, anonymous=True, now=NOW)
    hugo = Player.objects.get(name="Hugo")
    hugo.user = cup.gm
    hugo.save()
    gm = may_make_games(cup.gm)
    assert refused(gm, cup.game) == ""
    italy = other.powers.get(name="Italy")
    seat_give(game=other, power=italy, player=hugo, why="-", by="gm", now=NOW)
    assert "You play in an anonymous game of this tournament" in refused(gm, cup.game)


def test_nobody_reads_by_it_who_plays_in_an_anonymous_game_that_another_runs(cup: Cast) -> None:
    gus = may_make_games(User.objects.create_user("gus", "gus@players.test", is_staff=True))
    cup.game.anonymous = True
    cup.game.save()
    CoGM.objects.create(game=cup.game, user=gus, since=NOW, until=NOW + DAY)
    own = game_create(name="aisne", gm=gus, tournament=CUP, now=NOW)
    refusal = GAME_ACTS["make_round"].refusal
    assert refusal(gus, own, NOW) == ""
    assert "You do not run the anonymous game marne" in refusal(gus, own, NOW + 2 * DAY)
    end(cup.game)
    assert refusal(gus, own, NOW + 2 * DAY) == ""


# --- From a shell ----------------------------------------------------------------------------


def test_the_command_seats_everybody_of_the_tournament(cup: Cast) -> None:
    said = run("make_round", "marne", "cup-r2", "--show")
    assert "Nobody gets a power that they have played before." in said
    assert not Game.objects.filter(name="cup-r2-1").exists()
    assert "The round cup-r2 is made: cup-r2-1." in run("make_round", "marne", "cup-r2")
    assert sorted(played("cup-r2-1")) == sorted(POWERS)


def test_the_command_seats_those_who_are_named(cup: Cast) -> None:
    without_ana = list(POWERS)[1:]
    named = [word for one in (*without_ana, "Hugo") for word in ("--player", one)]
    run("make_round", "marne", "cup-r2", *named)
    assert sorted(played("cup-r2-1")) == sorted([*without_ana, "Hugo"])
    with pytest.raises(CommandError, match="7 powers"):
        run("make_round", "marne", "cup-r3", "--player", "Ana")
