"""Before the first phase everybody says that they are here, or loses their place."""

from __future__ import annotations

import datetime as dt

import pytest

from games.errors import BadInput, NotAllowed, WrongState
from games.models import Attendance, Game, Player, Seat
from games.queries.phases.musters import games_mustering, silent_players
from games.queries.reports.summary import game_summary
from games.services.clock.muster import game_begin, muster_proceed, musters_due, player_here
from games.services.seating.joining import game_join, game_leave, player_withdraw
from games.services.setup.games import game_create, game_start
from tests.cast import DAY, HOUR, NOW, NOWHERE, POWERS, make_player, seat_fill
from tests.made import made_once

NAMES = list(POWERS)
END = NOW + 2 * DAY


@pytest.fixture
def players(db: None, request: pytest.FixtureRequest) -> dict[str, Player]:
    """The cast and Hugo, who play nowhere yet, if the test does not want the `game`."""
    if "game" in request.fixturenames:
        made_once("a muster of two days", muster)
    else:
        made_once("eight players", everybody)
    return {player.name: player for player in Player.objects.all()}


@pytest.fixture
def game(players: dict[str, Player]) -> Game:
    """A game in its muster of two days: everybody has joined, Greta as the last."""
    return Game.objects.get(name="marne")


def everybody() -> None:
    for name in [*NAMES, "Hugo"]:
        make_player(name)


def muster() -> None:
    everybody()
    game = game_create(name="marne", muster=2 * DAY, now=NOW)
    for name in NAMES:
        player = Player.objects.get(name=name)
        game_join(game=game, player=player, preferences=POWERS[name], now=NOW)


def kinds(game: Game) -> list[str]:
    """What has happened since the first seven players joined."""
    return [event.kind for event in game.events.order_by("number")][8:]


def all_here(game: Game, players: dict[str, Player], at: dt.datetime, *but: str) -> None:
    """Everybody says that they are here, save those named."""
    for name in NAMES:
        if name not in but and game.applications.get(player=players[name]).here_at is None:
            player_here(game=game, player=players[name], now=at)
    game.refresh_from_db()


def test_a_game_musters_when_its_last_seat_is_taken(game: Game) -> None:
    assert game.status == Game.Status.MUSTER
    assert game.muster_until == END
    assert kinds(game) == ["muster_begun"]
    assert not game.phases.exists()


def test_without_the_setting_a_game_starts_at_once(players: dict[str, Player]) -> None:
    game = game_create(name="marne", now=NOW)
    for name in NAMES:
        game_join(game=game, player=players[name], preferences="", now=NOW)
    game.refresh_from_db()
    assert game.status == Game.Status.ACTIVE


def test_who_joined_last_need_not_answer(game: Game) -> None:
    assert [player.name for player in silent_players(game)] == NAMES[:-1]


def test_the_powers_are_given_out_only_at_the_start(game: Game, players: dict[str, Player]) -> None:
    assert not Seat.objects.exists()
    all_here(game, players, NOW + HOUR, "Ana")
    assert not Seat.objects.exists()


def test_when_all_have_answered_the_game_starts_at_once(
    game: Game, players: dict[str, Player]
) -> None:
    all_here(game, players, NOW + HOUR)
    assert game.status == Game.Status.ACTIVE
    assert game.muster_until is None
    assert kinds(game) == ["muster_begun", "game_started"]
    seats = Seat.objects.values_list("player__name", "power__name")
    assert dict(seats) == POWERS


def test_to_answer_twice_does_no_harm(game: Game, players: dict[str, Player]) -> None:
    for hours in (1, 2):
        player_here(game=game, player=players["Ana"], now=NOW + hours * HOUR)
    assert game.applications.get(player=players["Ana"]).here_at == NOW + HOUR


def test_at_the_end_the_silent_lose_their_places_and_the_others_keep_theirs(
    game: Game, players: dict[str, Player]
) -> None:
    all_here(game, players, NOW + HOUR, "Ana", "Ben")
    event = muster_proceed(game_id=game.pk, now=END)
    game.refresh_from_db()
    assert event is not None
    assert game.status == Game.Status.FORMING
    assert event.payload["silent"] == [players["Ana"].pk, players["Ben"].pk]
    assert event.payload["stay"] == [players[name].pk for name in NAMES[2:]]
    assert event.payload["free"] == 2


def test_the_silent_can_join_again_and_all_are_asked_anew(
    game: Game, players: dict[str, Player]
) -> None:
    all_here(game, players, NOW + HOUR, "Ana")
    muster_proceed(game_id=game.pk, now=END)
    game_join(game=game, player=players["Ana"], preferences="", now=END + HOUR)
    game.refresh_from_db()
    assert game.status == Game.Status.MUSTER
    assert game.muster_until == END + HOUR + 2 * DAY
    assert [player.name for player in silent_players(game)] == NAMES[1:]


def test_an_answer_that_comes_while_the_game_still_waits_counts(
    game: Game, players: dict[str, Player]
) -> None:
    all_here(game, players, END + HOUR)
    assert game.status == Game.Status.ACTIVE


def test_the_muster_ends_only_when_all_answers_are_read(game: Game) -> None:
    assert muster_proceed(game_id=game.pk, now=END, ready=lambda game: False) is None
    game.refresh_from_db()
    assert game.status == Game.Status.MUSTER


def test_the_muster_is_found_when_it_is_time_and_only_then(game: Game) -> None:
    assert musters_due(now=NOW + DAY - HOUR) == []
    assert musters_due(now=NOW + DAY) == [game.pk]
    assert musters_due(now=END) == [game.pk]


def test_nothing_happens_twice(game: Game) -> None:
    assert muster_proceed(game_id=game.pk, now=END)
    assert muster_proceed(game_id=game.pk, now=END) is None
    assert musters_due(now=END) == []
    assert kinds(game).count("muster_failed") == 1


def test_two_reminders_come_at_half_the_time_and_at_half_of_the_rest(game: Game) -> None:
    reminded = []
    for hours in range(1, 48):
        if muster_proceed(game_id=game.pk, now=NOW + hours * HOUR):
            reminded.append(hours)
    assert reminded == [24, 36]
    assert kinds(game)[1:] == ["muster_reminded"] * 2


def test_after_an_outage_one_reminder_is_enough(game: Game) -> None:
    late = NOW + 40 * HOUR
    assert muster_proceed(game_id=game.pk, now=late)
    assert muster_proceed(game_id=game.pk, now=late + HOUR) is None


def test_who_leaves_ends_the_muster_and_nobody_else_loses_their_place(
    game: Game, players: dict[str, Player]
) -> None:
    game_leave(game=game, player=players["Ana"], now=NOW + HOUR)
    game.refresh_from_db()
    assert game.status == Game.Status.FORMING
    (event,) = game.events.filter(kind="muster_failed")
    assert event.payload["silent"] == []
    assert len(event.payload["stay"]) == 6
    game_join(game=game, player=players["Hugo"], preferences="", now=NOW + 2 * HOUR)
    game.refresh_from_db()
    assert game.status == Game.Status.MUSTER


def test_nobody_can_join_during_the_muster(game: Game, players: dict[str, Player]) -> None:
    with pytest.raises(WrongState, match="All seats of the game marne are taken"):
        game_join(game=game, player=players["Hugo"], preferences="", now=NOW)


def test_who_changes_their_list_is_here(game: Game, players: dict[str, Player]) -> None:
    game_join(game=game, player=players["Ana"], preferences="Turkey", now=NOW + HOUR)
    application = game.applications.get(player=players["Ana"])
    assert (application.preferences, application.here_at) == ("Turkey", NOW + HOUR)


def test_who_has_lost_their_place_is_told_how_to_come_back(
    game: Game, players: dict[str, Player]
) -> None:
    muster_proceed(game_id=game.pk, now=END)
    with pytest.raises(WrongState, match="write JOIN marne to take one"):
        player_here(game=game, player=players["Ana"], now=END + HOUR)


def test_nobody_answers_for_a_game_in_which_they_have_no_place(
    game: Game, players: dict[str, Player]
) -> None:
    with pytest.raises(WrongState, match="You have no place"):
        player_here(game=game, player=players["Hugo"], now=NOW)


def test_after_the_start_nobody_is_asked(game: Game, players: dict[str, Player]) -> None:
    game_start(game=game, now=NOW)
    with pytest.raises(WrongState, match="Nobody is asked just now"):
        player_here(game=game, player=players["Ana"], now=NOW)


def test_the_gm_need_not_wait(game: Game, players: dict[str, Player]) -> None:
    game_begin(game=game, now=NOW + HOUR)
    game.refresh_from_db()
    assert game.status == Game.Status.ACTIVE
    assert musters_due(now=END) == []


def test_who_was_seated_by_the_gm_is_not_asked(players: dict[str, Player]) -> None:
    game = game_create(name="marne", muster=DAY, now=NOW)
    for name in NAMES[:-1]:
        game_join(game=game, player=players[name], preferences="", now=NOW)
    turkey = game.powers.get(name="Turkey")
    seat_fill(game=game, power=turkey, player=players["Greta"], now=NOW)
    game_begin(game=game, now=NOW)
    assert [player.name for player in silent_players(game)] == NAMES[:-1]
    for name in NAMES[:-1]:
        player_here(game=game, player=players[name], now=NOW)
    game.refresh_from_db()
    assert game.status == Game.Status.ACTIVE
    assert turkey.seats.get().player == players["Greta"]


def test_whom_the_gm_seated_can_leave_like_everybody(players: dict[str, Player]) -> None:
    game = game_create(name="marne", muster=DAY, now=NOW)
    seat_fill(game=game, power=game.powers.get(name="Turkey"), player=players["Greta"], now=NOW)
    game_leave(game=game, player=players["Greta"], now=NOW)
    assert not Seat.objects.filter(until=None).exists()


def test_a_game_with_free_seats_does_not_muster(players: dict[str, Player]) -> None:
    game = game_create(name="marne", muster=DAY, now=NOW)
    with pytest.raises(WrongState, match="7 of its 7 seats are still free"):
        game_begin(game=game, now=NOW)


def test_a_muster_cannot_last_less_than_no_time(db: None) -> None:
    with pytest.raises(BadInput, match="cannot be negative"):
        game_create(name="marne", muster=-DAY, now=NOW)


def test_who_may_not_play_loses_their_place(game: Game, players: dict[str, Player]) -> None:
    player_withdraw(game=game, player=players["Ben"], why="Banned.", by="mo", now=NOW)
    game.refresh_from_db()
    assert game.status == Game.Status.FORMING
    assert kinds(game)[1:] == ["muster_failed", "player_withdrawn"]
    player_withdraw(game=game, player=players["Ben"], why="Banned.", by="mo", now=NOW)
    assert len(kinds(game)) == 3


def test_the_summary_says_how_far_the_muster_is(game: Game, players: dict[str, Player]) -> None:
    player_here(game=game, player=players["Ana"], now=NOW)
    summary = game_summary(game)
    assert (summary.muster_until, summary.silent) == (END, 5)


def test_a_player_finds_the_games_that_wait_for_their_word(
    game: Game, players: dict[str, Player]
) -> None:
    assert games_mustering(players["Ana"]) == [game]
    assert games_mustering(players["Greta"]) == []


def miss(player: Player, times: int) -> None:
    """Have the player miss so many phases in a game of old."""
    old = Game.objects.create(name="old", created_at=NOW)
    power = old.powers.create(name="France")
    seat = power.seats.create(player=player, since=NOW)
    for number in range(times):
        phase = old.phases.create(
            number=number, name="S1901M", status="processed", position=NOWHERE, opened_at=NOW
        )
        Attendance.objects.create(seat=seat, phase=phase, came="missed", recorded_at=NOW)


def test_a_game_can_want_reliable_players(players: dict[str, Player]) -> None:
    game = game_create(name="marne", min_reliability=80, now=NOW)
    miss(players["Ana"], 3)
    with pytest.raises(NotAllowed, match=r"80% or more\. Yours is 76%, with orders in time in 0"):
        game_join(game=game, player=players["Ana"], preferences="", now=NOW)


def test_a_newcomer_may_join_it_and_so_may_who_has_a_place(players: dict[str, Player]) -> None:
    game = game_create(name="marne", min_reliability=100, now=NOW)
    game_join(game=game, player=players["Ana"], preferences="", now=NOW)
    miss(players["Ana"], 1)
    game_join(game=game, player=players["Ana"], preferences="France", now=NOW)
    assert game.applications.get().preferences == "France"


@pytest.mark.parametrize("percent", [-1, 101])
def test_no_share_beyond_everything_can_be_wanted(db: None, percent: int) -> None:
    with pytest.raises(BadInput):
        game_create(name="marne", min_reliability=percent, now=NOW)


def test_a_game_that_ends_in_its_muster_musters_no_more(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(status=Game.Status.FINISHED)
    game.refresh_from_db()
    assert game_summary(game).muster_until is None
    assert musters_due(now=END) == []
    assert muster_proceed(game_id=game.pk, now=END) is None
