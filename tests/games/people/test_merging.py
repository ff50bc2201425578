"""Two accounts of one person become one, and nothing is lost."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection

from games.acts import PLAYER_ACTS
from games.acts.players.base import PlayerAct
from games.bans import players_free, why_barred
from games.errors import BadInput, NotAllowed, WrongState
from games.models import Conduct, Game, Offer, Player, Seat
from games.queries.access.staff_names import Actor
from games.queries.lookup import player_by_address
from games.services.accounts.absences import absence_declare
from games.services.accounts.erasing import player_erase
from games.services.accounts.merging import players_merge
from games.services.moderation.conduct import player_ban, player_mute, player_note, player_suspend
from games.services.seating.joining import game_join
from games.services.seating.seats import (
    seat_replace,
    seat_resign,
    seat_return,
    seat_take,
    seat_vacate,
)
from games.services.seating.standby import standby_join
from games.services.setup.games import game_create
from games.services.setup.making import NewGame, game_make
from tests.cast import DAY, NOW, Cast, address_of


@pytest.fixture
def hugo(marne: Cast) -> Player:
    """Hugo, who plays nowhere: Ana's second account."""
    return marne.player("Hugo")


def merge(kept: Player, other: Player) -> Conduct:
    return players_merge(kept=kept, other=other, why="She wrote so.", by="mo", now=NOW)


def test_the_seats_go_to_the_account_that_is_kept(marne: Cast, hugo: Player) -> None:
    merge(hugo, marne.player("Ana"))
    assert marne.seat("Austria").player == hugo
    assert [event.payload for event in marne.events("accounts_merged")] == [{"by": "mo"}]


def test_the_log_of_an_anonymous_game_does_not_tell_that_somebody_in_it_was_merged(
    marne: Cast, hugo: Player
) -> None:
    Game.objects.update(anonymous=True)
    merge(hugo, marne.player("Ana"))
    assert not marne.events("accounts_merged")


def test_the_addresses_of_both_are_theirs_and_the_address_of_record_stays(
    marne: Cast, hugo: Player
) -> None:
    ana = marne.player("Ana")
    merge(ana, hugo)
    assert player_by_address(address_of("Hugo")) == ana
    assert ana.address == address_of("Ana")
    assert ana.addresses.count() == 2


def test_who_had_no_address_gets_those_of_the_other(marne: Cast, hugo: Player) -> None:
    nobody = Player.objects.create(name="Old Hugo", created_at=NOW)
    merge(nobody, hugo)
    assert nobody.address == address_of("Hugo")


def test_the_other_row_stays_and_points_on(marne: Cast, hugo: Player) -> None:
    ana = marne.player("Ana")
    merge(ana, hugo)
    hugo.refresh_from_db()
    assert hugo.merged_into == ana
    assert not players_free(now=NOW).filter(pk=hugo.pk).exists()
    carla = marne.player("Carla")
    Seat.objects.filter(player=carla).update(until=NOW)
    merge(carla, ana)
    hugo.refresh_from_db()
    assert hugo.merged_into == carla


def test_absences_file_places_and_wishes_go_along(marne: Cast, hugo: Player) -> None:
    ana = marne.player("Ana")
    day = dt.date(2026, 5, 1)
    absence_declare(player=hugo, first=day, last=day, now=NOW)
    player_note(player=hugo, text="Ana's brother?", by="mo", now=NOW)
    standby_join(player=hugo, now=NOW)
    yser = game_create(name="yser", now=NOW)
    game_join(game=yser, player=hugo, preferences="France", now=NOW)
    merge(ana, hugo)
    assert ana.absences.count() == 1
    assert [one.kind for one in ana.conduct.order_by("pk")] == ["note", "merged"]
    assert ana.standby.filter(until=None).exists()
    assert yser.applications.get().player == ana


def test_where_both_stand_by_one_place_goes_on(marne: Cast, hugo: Player) -> None:
    ana = marne.player("Ana")
    for player in (ana, hugo):
        standby_join(player=player, now=NOW)
    merge(ana, hugo)
    assert ana.standby.count() == 2
    assert ana.standby.filter(until=None).count() == 1


@pytest.mark.parametrize("plays", ["Ana", "Hugo"])
def test_who_plays_in_a_game_is_offered_none_of_its_seats(marne: Cast, plays: str) -> None:
    """Else the moderators would wait for an answer that can only be no."""
    ana, hugo = marne.player("Ana"), marne.player("Hugo")
    standby_join(player=hugo, now=NOW)
    seat_resign(seat=marne.seat("Italy"), now=NOW)
    kept, other = (ana, hugo) if plays == "Ana" else (hugo, ana)
    merge(kept, other)
    assert [(one.player, one.end) for one in Offer.objects.all()] == [(kept, "withdrawn")]


def test_where_both_had_joined_the_wish_that_counts_is_kept(marne: Cast, hugo: Player) -> None:
    ana, yser = marne.player("Ana"), game_create(name="yser", now=NOW)
    game_join(game=yser, player=ana, preferences="Italy", now=NOW)
    yser.applications.update(withdrawn_at=NOW)
    game_join(game=yser, player=hugo, preferences="France", now=NOW)
    merge(ana, hugo)
    mine = yser.applications.get(player=ana)
    assert (mine.preferences, mine.withdrawn_at) == ("France", None)
    assert yser.applications.filter(withdrawn_at=None).count() == 1


@pytest.mark.parametrize("suspended", ["Ana", "Hugo"])
def test_a_suspension_of_either_holds(marne: Cast, suspended: str) -> None:
    until = NOW + 9 * DAY
    player = marne.player(suspended)
    player_suspend(player=player, until=until, why="Late.", by="mo", now=NOW)
    merge(marne.player("Ana"), marne.player("Hugo"))
    assert why_barred(marne.player("Ana"), now=NOW)


def test_a_mute_of_either_holds(marne: Cast, hugo: Player) -> None:
    until = NOW + 9 * DAY
    player_mute(player=hugo, until=until, why="Rude.", by="mo", now=NOW)
    merge(marne.player("Ana"), hugo)
    assert marne.player("Ana").muted_until == until


@pytest.mark.parametrize(("kept", "other"), [("Ana", "Hugo"), ("Hugo", "Ana")])
def test_a_ban_of_one_account_opens_the_seats_of_both(marne: Cast, kept: str, other: str) -> None:
    """Else nobody could open them: who is banned cannot be banned again."""
    yser = game_create(name="yser", now=NOW)
    game_join(game=yser, player=marne.player("Ana"), preferences="", now=NOW)
    player_ban(player=marne.player("Hugo"), why="Cheated.", by="mo", now=NOW)
    merge(marne.player(kept), marne.player(other))
    assert marne.game.powers.get(name="Austria").open_since == NOW
    assert not yser.applications.filter(withdrawn_at=None).exists()


def test_a_suspension_of_one_account_leaves_the_seats_of_the_other(marne: Cast) -> None:
    until = NOW + 9 * DAY
    standby_join(player=marne.player("Ana"), now=NOW)
    player_suspend(player=marne.player("Hugo"), until=until, why="Late.", by="mo", now=NOW)
    merge(marne.player("Ana"), marne.player("Hugo"))
    assert marne.seat("Austria").until is None
    assert not marne.player("Ana").standby.filter(until=None).exists()  # but gives them no other


def test_games_that_either_made_count_for_the_person(marne: Cast, hugo: Player) -> None:
    game = game_make(player=hugo, wanted=NewGame("yser", "weekly"), now=NOW)
    merge(marne.player("Ana"), hugo)
    game.refresh_from_db()
    assert game.maker == marne.player("Ana")


def test_two_accounts_in_one_game_are_a_double_account_and_not_merged(marne: Cast) -> None:
    ana, ben = marne.player("Ana"), marne.player("Ben")
    with pytest.raises(
        NotAllowed, match=r"Ana and Ben are both in marne: that is a double account"
    ):
        merge(ana, ben)
    assert not Conduct.objects.exists()
    assert marne.seat("England").player == ben


@pytest.mark.parametrize("left", ["resigned", "taken away"])
def test_whoever_had_two_powers_of_a_game_by_two_accounts_plays_one_of_them(
    marne: Cast, left: str
) -> None:
    ana, ben = marne.player("Ana"), marne.player("Ben")
    england = marne.seat("England").power
    if left == "resigned":
        seat_resign(seat=marne.seat("England"), now=NOW)
    else:
        seat_vacate(game=marne.game, power=england, why="A double.", by="mo", now=NOW)
    merge(ana, ben)
    with pytest.raises(NotAllowed):
        seat_take(game=marne.game, power=england, player=ana, now=NOW + DAY)
    with pytest.raises(NotAllowed):
        seat_return(power=england, player=ana, now=NOW + DAY)
    with pytest.raises(NotAllowed, match="Ana already plays Austria in the game marne"):
        seat_replace(game=marne.game, power=england, player=ana, why="-", by="mo", now=NOW + DAY)
    assert [seat.power.name for seat in ana.seats.filter(until=None)] == ["Austria"]


def test_of_a_double_account_in_several_games_a_seat_in_each_has_to_go(marne: Cast) -> None:
    ana, ben = marne.player("Ana"), marne.player("Ben")
    yser = game_create(name="yser", gm=marne.gm, now=NOW)
    for player in (ana, ben):
        game_join(game=yser, player=player, preferences="", now=NOW)
    said = "are both in marne and yser: .* First give one of the two seats in each to somebody else"
    with pytest.raises(NotAllowed, match=said):
        players_merge(kept=ana, other=ben, why="Twins.", by="mo", now=NOW)


def test_places_in_a_game_that_has_not_started_count_as_well(marne: Cast, hugo: Player) -> None:
    yser = game_create(name="yser", now=NOW)
    for player in (marne.player("Ana"), hugo):
        game_join(game=yser, player=player, preferences="", now=NOW)
    with pytest.raises(NotAllowed, match="both in yser"):
        merge(marne.player("Ana"), hugo)


def test_nobody_comes_to_play_in_fog_by_a_merge_who_sees_the_whole_board(
    marne: Cast, hugo: Player
) -> None:
    Game.objects.filter(pk=marne.game.pk).update(fog=True)
    Player.objects.filter(pk=hugo.pk).update(user=marne.gm)
    ana = marne.player("Ana")
    for kept, other in ((ana, hugo), (hugo, ana)):
        with pytest.raises(NotAllowed, match=r"Hugo runs marne in fog of war .* Ana's seat to"):
            merge(kept, other)


def test_an_account_is_not_merged_with_itself_nor_twice(marne: Cast, hugo: Player) -> None:
    ana = marne.player("Ana")
    with pytest.raises(BadInput, match="the same one"):
        merge(ana, ana)
    merge(ana, hugo)
    with pytest.raises(BadInput, match="Hugo is already part of Ana"):
        merge(marne.player("Carla"), hugo)


def test_what_waited_for_a_merge_is_not_done_for_the_account_that_is_no_more(
    marne: Cast, hugo: Player
) -> None:
    """Nobody would find it there. What is sent again is done for the account that is kept."""
    merge(marne.player("Ana"), marne.player("Hugo"))
    first = (NOW + DAY).date()
    with pytest.raises(WrongState, match="Hugo has just become part of another account"):
        absence_declare(player=hugo, first=first, last=first, now=NOW)
    assert not hugo.absences.exists()


@pytest.mark.only_on("PostgreSQL")
@pytest.mark.parametrize("about", ["Ana", "Hugo"])
def test_a_merge_is_not_done_after_what_another_moderator_did_while_it_waited(
    marne: Cast, hugo: Player, about: str
) -> None:
    """It waits where it locks the two."""
    act, ana, waited = PLAYER_ACTS["merge"], marne.player("Ana"), list[str]()
    given = act.parameters(other=address_of("Hugo"), why="She wrote so.")
    shown = act.stamp_with(ana, given)

    def wait(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if "FOR NO KEY UPDATE" in sql and not waited:
            waited.append(sql)
            player_note(player=marne.player(about), text="Two people.", by="mo2", now=NOW)
        return execute(sql, *rest)

    with connection.execute_wrapper(wait), pytest.raises(WrongState, match="Somebody else has"):
        act.perform(ana, given, by=None, now=NOW, expected=shown)
    assert waited
    assert not Player.objects.exclude(merged_into=None).exists()


@pytest.mark.parametrize("erased", ["kept", "other"])
def test_nobody_is_merged_with_what_is_left_of_somebody_erased(
    marne: Cast, hugo: Player, erased: str
) -> None:
    both = {"kept": marne.player("Ana"), "other": hugo}
    player_erase(player=both[erased], why="They asked.", by=Actor("mo"), now=NOW)
    with pytest.raises(BadInput, match="is erased: nothing is left to merge"):
        merge(both["kept"], both["other"])
    assert not Player.objects.exclude(merged_into=None).exists()


def test_a_merge_has_a_reason(marne: Cast, hugo: Player) -> None:
    with pytest.raises(BadInput, match="say why"):
        players_merge(kept=marne.player("Ana"), other=hugo, why=" ", by="mo", now=NOW)


@pytest.mark.parametrize("act", PLAYER_ACTS.values(), ids=lambda act: act.name)
def test_nothing_but_to_end_a_ban_is_done_to_somebody_erased(
    marne: Cast, act: PlayerAct[Any]
) -> None:
    ana = marne.player("Ana")
    player_erase(player=ana, why="They asked.", by=Actor("mo"), now=NOW)
    moderator = User.objects.create(username="mo", is_staff=True, is_superuser=True)
    said = act.refusal(moderator, Player.objects.get(pk=ana.pk), NOW)
    assert ("is erased: nothing is left to act on." in said) == (act.name != "lift")
