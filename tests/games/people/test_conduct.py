"""What moderators do about players, and what that changes in games."""

from __future__ import annotations

import pytest

from games.bans import players_free, require_free, why_barred
from games.errors import BadInput, NotAllowed, WrongState
from games.models import Conduct, Game, Phase, Player, Seat
from games.services.moderation.conduct import (
    MOST_A_DAY,
    moderators_ask,
    player_answer,
    player_ban,
    player_lift,
    player_note,
    player_suspend,
    request_settle,
)
from games.services.seating.joining import game_join
from games.services.seating.seats import seat_take
from games.services.seating.standby import standby_join
from games.services.setup.games import game_create
from tests.cast import DAY, HOUR, NOW, Cast, seat_fill

UNTIL = NOW + 30 * DAY


@pytest.fixture
def hugo(marne: Cast) -> Player:
    """Hugo, who plays nowhere."""
    return marne.player("Hugo")


def suspend(player: Player) -> Conduct:
    return player_suspend(player=player, until=UNTIL, why="Three NMRs.", by="mo", now=NOW)


def ban(player: Player) -> Conduct:
    return player_ban(player=player, why="Two accounts.", by="mo", now=NOW)


def test_every_decision_stands_in_the_players_file(hugo: Player) -> None:
    player_note(player=hugo, text="Friendly.", by="mo", now=NOW)
    suspend(hugo)
    ban(hugo)
    player_lift(player=hugo, why="He explained it.", by="di", now=NOW + DAY)
    file = [(one.kind, one.why, one.by) for one in hugo.conduct.order_by("pk")]
    assert file == [
        ("note", "Friendly.", "mo"),
        ("suspended", "Three NMRs.", "mo"),
        ("banned", "Two accounts.", "mo"),
        ("lifted", "He explained it.", "di"),
    ]
    assert hugo.conduct.get(kind="suspended").until == UNTIL


def test_a_suspended_player_can_take_no_seat_until_then(marne: Cast, hugo: Player) -> None:
    suspend(hugo)
    hugo.refresh_from_db()
    game = game_create(name="yser", now=NOW)
    with pytest.raises(
        NotAllowed, match=r"cannot take a seat until Wednesday, 1 April 2026, 12:00"
    ):
        game_join(game=game, player=hugo, preferences="", now=NOW)
    italy = marne.seat("Italy").power
    italy.open_since = NOW
    italy.save()
    with pytest.raises(NotAllowed, match="cannot take a seat"):
        seat_take(game=marne.game, power=italy, player=hugo, now=NOW)
    with pytest.raises(NotAllowed, match="cannot take a seat"):
        standby_join(player=hugo, now=NOW)
    game_join(game=game, player=hugo, preferences="", now=UNTIL)


def test_the_end_of_a_suspension_is_told_in_the_players_own_zone(hugo: Player) -> None:
    suspend(hugo)
    hugo.refresh_from_db()
    hugo.timezone = "America/New_York"
    assert "Wednesday, 1 April 2026, 08:00" in why_barred(hugo, now=NOW)


def test_only_players_who_may_play_are_free(marne: Cast, hugo: Player) -> None:
    ana, ben = marne.player("Ana"), marne.player("Ben")
    suspend(ana)
    ban(ben)
    Player.objects.filter(pk=hugo.pk).update(merged_into=marne.player("Carla"))
    assert not players_free(now=NOW).filter(pk__in=[ana.pk, ben.pk, hugo.pk]).exists()
    assert players_free(now=UNTIL).filter(pk__in=[ana.pk, ben.pk, hugo.pk]).get() == ana


def test_a_suspension_leaves_running_seats_alone(marne: Cast) -> None:
    suspend(marne.player("Ana"))
    assert marne.seat("Austria").player.name == "Ana"


def test_a_suspended_player_loses_places_in_games_that_have_not_started(hugo: Player) -> None:
    game = game_create(name="yser", now=NOW)
    game_join(game=game, player=hugo, preferences="", now=NOW)
    standby_join(player=hugo, now=NOW)
    suspend(hugo)
    assert game.applications.get().withdrawn_at == NOW
    assert hugo.standby.get().until == NOW
    event = game.events.get(kind="player_withdrawn")
    assert event.payload["free"] == 7
    assert "NMR" not in str(event.payload)


def test_so_does_whom_the_gm_had_seated_before_the_start(hugo: Player) -> None:
    game = game_create(name="yser", muster=DAY, now=NOW)
    seat_fill(game=game, power=game.powers.get(name="Italy"), player=hugo, now=NOW)
    ban(hugo)
    assert not Seat.objects.filter(player=hugo).exists()
    assert game.events.filter(kind="player_withdrawn").count() == 1


def test_a_ban_opens_the_players_seats_and_keeps_the_reason_to_itself(marne: Cast) -> None:
    ban(marne.player("Ana"))
    austria = marne.game.powers.get(name="Austria")
    assert austria.open_since == NOW
    assert austria.seats.get().ended_because == "vacated"
    (event,) = marne.events("seat_vacated")
    assert "Two accounts" not in str(event.payload)
    with pytest.raises(NotAllowed, match="may no longer play on this server"):
        require_free(marne.player("Ana"), now=NOW)


def test_a_ban_takes_no_power_from_whoever_has_it_now(marne: Cast) -> None:
    italy, hugo = marne.seat("Italy").power, marne.player("Hugo")
    seat_fill(game=marne.game, power=italy, player=hugo, now=NOW)
    player_ban(player=marne.player("Emma"), why="Two accounts.", by="mo", now=NOW)
    assert italy.seats.get(until=None).player == hugo


def test_a_ban_leaves_games_that_are_over_as_they_are(marne: Cast) -> None:
    Phase.objects.update(status=Phase.Status.PROCESSED)
    Game.objects.update(status=Game.Status.FINISHED)
    ban(marne.player("Ana"))
    assert marne.seat("Austria").player.name == "Ana"


def test_who_is_banned_is_not_banned_again(hugo: Player) -> None:
    ban(hugo)
    with pytest.raises(WrongState, match="Hugo is already banned"):
        ban(hugo)
    assert hugo.conduct.count() == 1


def test_a_lifted_player_may_play_again(hugo: Player) -> None:
    suspend(hugo)
    ban(hugo)
    player_lift(player=hugo, why="A mistake.", by="mo", now=NOW)
    hugo.refresh_from_db()
    require_free(hugo, now=NOW)


def test_nothing_is_lifted_from_who_may_play(hugo: Player) -> None:
    with pytest.raises(WrongState, match="neither suspended nor banned"):
        player_lift(player=hugo, why="Kindness.", by="mo", now=NOW)


@pytest.mark.parametrize("why", ["", "  "])
def test_no_decision_without_a_reason(hugo: Player, why: str) -> None:
    with pytest.raises(BadInput, match="say why"):
        player_suspend(player=hugo, until=UNTIL, why=why, by="mo", now=NOW)
    with pytest.raises(BadInput, match="say why"):
        player_ban(player=hugo, why=why, by="mo", now=NOW)
    with pytest.raises(BadInput, match="write something"):
        player_note(player=hugo, text=why, by="mo", now=NOW)
    hugo.refresh_from_db()
    assert (hugo.banned_at, hugo.suspended_until) == (None, None)
    assert not Conduct.objects.exists()


def test_a_suspension_ends_in_the_future(hugo: Player) -> None:
    with pytest.raises(BadInput, match="in the future"):
        player_suspend(player=hugo, until=NOW, why="Late.", by="mo", now=NOW)


def test_a_question_stays_in_the_queue_until_somebody_has_dealt_with_it(hugo: Player) -> None:
    asked = moderators_ask(player=hugo, text="My game stands still.", now=NOW)
    answer = player_answer(entry=asked, text="It goes on.", by="mo", now=NOW + HOUR)
    asked.refresh_from_db()
    assert asked.settled_at == NOW + HOUR
    assert (answer.kind, answer.why, answer.player) == ("answered", "It goes on.", hugo)
    with pytest.raises(WrongState, match="already dealt with that"):
        player_answer(entry=asked, text="Me too.", by="di", now=NOW + HOUR)
    with pytest.raises(WrongState, match="already dealt with that"):
        request_settle(entry=asked, now=NOW + HOUR)


def test_nothing_is_settled_but_what_waits_for_a_moderator(hugo: Player) -> None:
    note = player_note(player=hugo, text="Friendly.", by="mo", now=NOW)
    with pytest.raises(WrongState, match="already dealt with that"):
        request_settle(entry=note, now=NOW)
    note.refresh_from_db()
    assert note.settled_at is None


def test_a_question_has_words_but_not_too_many(hugo: Player) -> None:
    for text in ("", "x" * 2001):
        with pytest.raises(BadInput):
            moderators_ask(player=hugo, text=text, now=NOW)


def test_the_moderators_get_so_many_letters_of_a_player_a_day_and_the_rest_tomorrow(
    hugo: Player,
) -> None:
    for _ in range(MOST_A_DAY):
        moderators_ask(player=hugo, text="Please help.", now=NOW)
    with pytest.raises(NotAllowed, match="this one was not passed on"):
        moderators_ask(player=hugo, text="Please!", now=NOW + HOUR)
    assert hugo.conduct.count() == MOST_A_DAY
    assert moderators_ask(player=hugo, text="Good morning.", now=NOW + DAY)


def test_what_moderators_note_about_a_player_counts_among_none_of_their_letters(
    hugo: Player,
) -> None:
    for _ in range(MOST_A_DAY):
        player_note(player=hugo, text="Friendly.", by="mo", now=NOW)
    assert moderators_ask(player=hugo, text="Please help.", now=NOW)
