"""The pages of tournaments: what everybody sees of them."""

from __future__ import annotations

import pytest
from django.test import Client

from games.models import Player
from games.services.setup.games import game_create
from tests.cast import NOW, Cast, make_cast
from tests.games.tournaments.games import CUP, another, end

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup(db: None) -> Cast:
    return make_cast(tournament=CUP, scoring="draw-size")


def page(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def test_all_tournaments_are_listed_with_their_games(client: Client, cup: Cast) -> None:
    assert f'<a href="/tournaments/{CUP}/">{CUP}</a>' in page(client, "/tournaments/")


def test_the_list_says_when_there_is_none(client: Client, marne: Cast) -> None:
    assert "Nobody has made one yet." in page(client, "/tournaments/")


def test_the_table_has_everybody_who_finished_a_game(client: Client, cup: Cast) -> None:
    another(cup, "aisne")
    end(cup.game, "France", "Austria")
    found = page(client, f"/tournaments/{CUP}/")
    carla = cup.player("Carla").pk
    assert f'<a href="/players/{carla}/">Carla</a>' in found
    assert '50 as France in <a href="/games/marne/">marne</a>' in found
    assert "Is being played" in found
    assert "The GM has decided on a draw between Austria and France" in found


def test_the_table_can_be_had_for_a_spreadsheet(client: Client, cup: Cast) -> None:
    second = another(cup, "aisne")
    end(cup.game, "France", "Austria")
    end(second, "France")
    link = f"/tournaments/{CUP}/table.csv"
    assert f'<a href="{link}">' in page(client, f"/tournaments/{CUP}/")
    answer = client.get(link)
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert answer["X-Robots-Tag"] == "noindex"
    assert answer.content.decode("utf-8-sig").splitlines()[:3] == [
        "Place,Player,Points,Games,Game 1,Power 1,Points 1,Game 2,Power 2,Points 2",
        "1,Ben,100,2,marne,England,0,aisne,France,100",
        "2,Ana,50,2,marne,Austria,50,aisne,England,0",
    ]


@pytest.mark.parametrize("sign", "=+-@\uff1d\uff20")
def test_a_name_in_the_file_is_no_formula(client: Client, cup: Cast, sign: str) -> None:
    Player.objects.filter(name="Ana").update(name=f"{sign}1+1")
    end(cup.game, "Austria")
    assert f"1,'{sign}1+1,100,1,marne,Austria,100" in page(client, f"/tournaments/{CUP}/table.csv")


def test_a_spreadsheet_knows_the_letters_of_the_file(client: Client, cup: Cast) -> None:
    """Excel takes a file that does not begin so for one in the machine's old charset."""
    Player.objects.filter(name="Ana").update(name="Zoë")
    end(cup.game, "Austria")
    file = client.get(f"/tournaments/{CUP}/table.csv").content
    assert file.startswith("\ufeffPlace,".encode())
    assert "1,Zoë,100" in file.decode()


def test_before_a_game_is_over_the_file_names_nobody(client: Client, cup: Cast) -> None:
    assert page(client, f"/tournaments/{CUP}/table.csv") == "\ufeffPlace,Player,Points,Games"
    assert "table.csv" not in page(client, f"/tournaments/{CUP}/")
    assert client.get("/tournaments/nowhere/table.csv").status_code == 404


def test_before_a_game_is_over_it_names_nobody(client: Client, cup: Cast) -> None:
    found = page(client, f"/tournaments/{CUP}/")
    assert "Nobody has points yet" in found
    assert [name for name in ("Ana", "Ben", "Carla") if name in found] == []


def test_the_front_page_leads_to_them_once_there_is_one(client: Client, marne: Cast) -> None:
    assert "/tournaments/" not in page(client, "/")
    game_create(name="aisne", gm=marne.gm, tournament=CUP, now=NOW)
    assert '<a href="/tournaments/">' in page(client, "/")


def test_a_game_leads_to_its_tournament(client: Client, cup: Cast) -> None:
    found = page(client, "/games/marne/")
    assert f'<a href="/tournaments/{CUP}/">Tournament</a>' in found
    assert f"A game of the tournament {CUP}." in found


def test_one_that_there_is_not_is_not_found(client: Client, marne: Cast) -> None:
    assert client.get("/tournaments/nowhere/").status_code == 404


def test_a_long_list_goes_on_on_another_page(client: Client, cup: Cast) -> None:
    for number in range(101):
        game_create(name=f"g{number}", gm=cup.gm, tournament=f"t{number}", now=NOW)
    first, second = page(client, "/tournaments/"), page(client, "/tournaments/?page=2")
    assert f"/{CUP}/" not in first
    assert f"/{CUP}/" in second
