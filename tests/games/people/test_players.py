"""Registering and confirming addresses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection

from games.errors import BadInput
from games.models import Address, Player
from games.queries.lookup import player_by_address, players_by_address
from games.services.accounts.players import address_confirm, player_register
from games.services.accounts.profile import address_add, player_rename
from tests.cast import DAY, HOUR, NOW, Cast, make_player

pytestmark = pytest.mark.django_db


def test_a_new_address_belongs_to_a_new_player_and_is_unconfirmed() -> None:
    address = player_register(name="Ana  Smith ", email=" ana@players.test ", now=NOW)
    assert (address.player.name, address.email) == ("Ana Smith", "ana@players.test")
    assert address.confirmed_at is None
    assert player_by_address("ana@players.test") is None


def test_the_first_confirmed_address_becomes_the_address_of_record() -> None:
    address = player_register(name="Ana", email="ana@players.test", now=NOW)
    player = address_confirm(address=address, now=NOW + HOUR)
    assert player.address == "ana@players.test"
    assert player_by_address("ANA@players.test") == player


@pytest.mark.on_both
def test_as_many_addresses_are_looked_up_at_once_as_somebody_pastes() -> None:
    """SQLite takes no thousand conditions, and the page of an invitation counts only afterwards."""
    ana = make_player("Ana")
    player_register(name="Ben", email="ben@players.test", now=NOW)
    strangers = [f"stranger{number}@players.test" for number in range(2000)]
    found = players_by_address([*strangers, " ANA@players.test ", "ben@players.test"])
    assert found == {"ana@players.test": ana}
    assert players_by_address([]) == {}


def test_confirming_twice_changes_nothing() -> None:
    address = player_register(name="Ana", email="ana@players.test", now=NOW)
    address_confirm(address=address, now=NOW)
    address_confirm(address=address, now=NOW + DAY)
    address.refresh_from_db()
    assert address.confirmed_at == NOW


def test_a_second_address_does_not_become_the_address_of_record() -> None:
    ana = make_player("Ana")
    second = Address.objects.create(player=ana, email="ana@work.test", created_at=NOW)
    address_confirm(address=second, now=NOW)
    assert ana.address == "ana@players.test"
    assert player_by_address("ana@work.test") == ana


def test_registering_again_before_the_reply_takes_the_newest_name() -> None:
    first = player_register(name="Ana", email="ana@players.test", now=NOW)
    again = player_register(name="Ana Smith", email="Ana@Players.test", now=NOW)
    assert again == first
    assert Player.objects.get().name == "Ana Smith"


def test_a_confirmed_address_cannot_be_registered_again() -> None:
    make_player("Ana")
    with pytest.raises(BadInput, match="already registered, as Ana"):
        player_register(name="Mallory", email="ANA@players.test", now=NOW)
    assert Player.objects.get().name == "Ana"


@pytest.mark.parametrize(
    "name",
    ["", "   ", "x" * 81, "Ana\x07", "Ana\u3164", "\u115f", "\u2800", "Ana\uffa0", "--", "…"],
)
def test_a_name_must_be_one(name: str) -> None:
    with pytest.raises(BadInput, match="name"):
        player_register(name=name, email="ana@players.test", now=NOW)


@pytest.mark.parametrize(
    "email", ["", "ana", "ana@", "a b@players.test", "ana@x\n.test", "dmıtri@players.test"]
)
def test_an_address_must_be_one(email: str) -> None:
    with pytest.raises(BadInput, match="not an e-mail address"):
        player_register(name="Ana", email=email, now=NOW)


@pytest.mark.parametrize(
    "name",
    ["Ben", "BEN", "bén", "B e n", "Веn", "Βεn", "8en", "Ben.", "ΒΕΝ", "ВEN"],
)
def test_nobody_gets_a_name_that_looks_like_another_player_s(marne: Cast, name: str) -> None:
    with pytest.raises(BadInput, match="for example: "):
        player_rename(player=marne.player("Carla"), name=name)
    with pytest.raises(BadInput, match="for example: "):
        player_register(name=name, email="new@players.test", now=NOW)


def test_the_name_that_is_suggested_is_free(marne: Cast) -> None:
    with pytest.raises(BadInput) as refused:
        player_rename(player=marne.player("Carla"), name="Ben")
    suggested = str(refused.value).rpartition("for example: ")[2]
    assert player_rename(player=marne.player("Carla"), name=suggested).name == suggested


def test_one_may_write_one_s_own_name_another_way(marne: Cast) -> None:
    assert player_rename(player=marne.player("Carla"), name="CARLA").name == "CARLA"


@pytest.mark.parametrize(
    "name",
    ["France", "türkey", "A Paris Holds", "Bob READY on a line of its own", "www.casino.example"],
)
def test_a_name_is_no_power_no_order_and_no_advertisement(marne: Cast, name: str) -> None:
    with pytest.raises(BadInput):
        player_rename(player=marne.player("Carla"), name=name)


@pytest.mark.parametrize(
    ("name", "taken"),
    [("Emıl", "Emil"), ("Inɡo", "Ingo"), ("Adɑ", "Ada"), ("ΗΑΝΝΑ", "HANNA"), ("Оӏһа", "Olha")],
)
def test_letters_of_other_alphabets_and_rare_ones_look_like_what_they_look_like(
    marne: Cast, name: str, taken: str
) -> None:
    player_rename(player=marne.player("Carla"), name=taken)
    with pytest.raises(BadInput, match="for example: "):
        player_register(name=name, email="new@players.test", now=NOW)


@pytest.mark.parametrize("name", ["Ηugo", "Μoderator", "Ӏvan", "Ꭰmitri", "Ana Ѕmіth", "Hugoᎇ"])
def test_no_word_of_a_name_mixes_alphabets(marne: Cast, name: str) -> None:
    player_rename(player=marne.player("Hugo"), name="Zoe")
    with pytest.raises(BadInput, match=r"one alphabet|whom players trust"):
        player_rename(player=marne.player("Carla"), name=name)


@pytest.mark.parametrize(
    "name",
    [
        "Łukasz Żak",
        "Ngọc Ánh",
        "Анна Schmidt",
        "田中 Taro",
        "Taro田中",
        "שרה",
        "O’Brien",
        "José Mª",
    ],
)
def test_names_from_everywhere_are_names(marne: Cast, name: str) -> None:
    assert player_rename(player=marne.player("Carla"), name=name).name == name


def test_who_registers_an_address_that_a_player_only_claimed_is_somebody_else(marne: Cast) -> None:
    carla = marne.player("Carla")
    claimed = address_add(player=carla, email="zoe@players.test", now=NOW)
    address = player_register(name="Zoe", email="zoe@players.test", now=NOW)
    carla.refresh_from_db()
    assert (carla.name, address.player.name) == ("Carla", "Zoe")
    assert not carla.addresses.filter(pk=claimed.pk).exists()
    assert address_confirm(address=address, now=NOW) != carla


def test_nobody_keeps_a_name_for_later_by_registering_before_its_owner(db: None) -> None:
    early = player_register(name="Hugo Martin", email="mallory@players.test", now=NOW)
    owner = player_register(name="Hugo Martin", email="hugo@players.test", now=NOW)
    address_confirm(address=owner, now=NOW)
    with pytest.raises(BadInput, match="REGISTER and another name"):
        address_confirm(address=early, now=NOW)
    early.refresh_from_db()
    assert early.confirmed_at is None
    player_register(name="Mallory", email="mallory@players.test", now=NOW)
    assert address_confirm(address=early, now=NOW).address == "mallory@players.test"


def test_a_name_that_nobody_confirmed_is_still_free(marne: Cast) -> None:
    player_register(name="Zoe", email="zoe@players.test", now=NOW)
    assert player_rename(player=marne.player("Carla"), name="Zoe").name == "Zoe"


@contextmanager
def confirmed_before_it_is_locked(address: Address) -> Iterator[None]:
    """Another worker has the YES of the address, and ends right before this one has its row."""
    met: list[str] = []

    def meet(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if met or 'FROM "games_address"' not in sql:
            return execute(sql, *rest)
        met.append(sql)
        read = None if "FOR NO KEY UPDATE" in sql else execute(sql, *rest)
        address_confirm(address=address, now=NOW)
        return read or execute(sql, *rest)

    with connection.execute_wrapper(meet):
        yield
    assert met


@pytest.mark.only_on("PostgreSQL")
@pytest.mark.parametrize("registered", [False, True])
def test_an_address_that_is_confirmed_at_that_moment_stays_with_its_player(
    marne: Cast, registered: bool
) -> None:
    """Nobody registers it anew, gives its player another name, or claims it as their own."""
    email, hugo = "x@home.test", marne.player("Hugo")
    if registered:
        address = player_register(name="Zoe", email=email, now=NOW)
    else:
        address = address_add(player=hugo, email=email, now=NOW)
    with (
        confirmed_before_it_is_locked(address),
        pytest.raises(BadInput, match="is already registered"),
    ):
        player_register(name="Yves", email=email, now=NOW)
    assert Address.objects.get(email=email).player == address.player
    assert not Player.objects.filter(name="Yves").exists()


@pytest.mark.only_on("PostgreSQL")
def test_an_address_that_is_confirmed_at_that_moment_is_not_forgotten_for_a_claim(
    marne: Cast,
) -> None:
    zoe = player_register(name="Zoe", email="x@home.test", now=NOW)
    with confirmed_before_it_is_locked(zoe):
        assert address_add(player=marne.player("Hugo"), email="x@home.test", now=NOW) == zoe
    assert player_by_address("x@home.test") == zoe.player
