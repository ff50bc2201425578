"""What players may be called: nothing that others would take for somebody else."""

from __future__ import annotations

import pytest

from games.errors import BadInput
from games.services.accounts.names import require_name_free
from tests.cast import Cast

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "name",
    [
        *("judge", "Diplomacy Judge", "The Judges", "GM", "Game Master", "The Moderators", "Adm1n"),
        *("GM of marne", "ⒼⓂ", "Gᴍ", "GМ", "coGM of marne", "The server", "Support team"),
        *("Staff of marne", "System", "Postmaster", "Webmaster"),
    ],
)
def test_nobody_is_called_as_those_whom_players_trust(name: str) -> None:
    with pytest.raises(BadInput, match="whom players trust"):
        require_name_free(name, None)


def test_a_role_is_written_as_everywhere() -> None:
    with pytest.raises(BadInput, match="“Gina Gm” sounds like the GM, whom"):
        require_name_free("Gina Gm", None)


@pytest.mark.parametrize(
    "name", ["Judy Garland", "G. M. Hopkins", "Judgement", "Modesty Blaise", "Serena", "Stafford"]
)
def test_a_name_that_only_begins_like_an_office_is_free(name: str) -> None:
    require_name_free(name, None)


@pytest.mark.parametrize(
    "name",
    [
        *("Austria", "Аustria", "Austria of marne", "FRANCE in yser", "Italy, of marne"),
        *("The Austria", "Austria (marne)", "Austria, marne", "Austria/marne", "Austria @ marne"),
        *("Frankreich", "Frankreich (marne)", "Autriche", "Turquía"),
    ],
)
def test_nobody_is_called_like_a_power_of_a_game(name: str) -> None:
    with pytest.raises(BadInput, match="the name of a power"):
        require_name_free(name, None)


@pytest.mark.parametrize(
    "name",
    [
        *("The player of Austria", "Austria’s player", "Everybody", "Everyone", "all"),
        *("Anonymous", "Nobody", "The players", "Austria player", "Player (Austria)", "A player"),
        *("Player", "Player 3", "playing Austria"),
    ],
)
def test_nobody_is_called_as_we_call_players_whom_we_do_not_name(name: str) -> None:
    with pytest.raises(BadInput, match="could be anybody"):
        require_name_free(name, None)


@pytest.mark.parametrize("name", ["[verdun]", "Ana [marne", "[marne] Ana"])
def test_no_name_is_taken_for_a_game_in_the_subject_of_a_mail(name: str) -> None:
    with pytest.raises(BadInput, match="has brackets"):
        require_name_free(name, None)


@pytest.mark.parametrize("name", ["ᎪᏞᎬᏒ", "ꓮꓠꓮ", "𐐃𐐐"])
def test_nobody_writes_a_name_in_letters_that_only_look_like_ours(name: str) -> None:
    with pytest.raises(BadInput, match="could be taken for another name"):
        require_name_free(name, None)


@pytest.mark.parametrize(
    "name",
    [
        *("Henry of England", "Paul England", "Gary Player", "Player1"),
        *("Андрей", "Ελένη", "李雷", "ישראל", "أحمد", "अनिल"),
    ],
)
def test_people_are_called_what_they_are_called(name: str) -> None:
    require_name_free(name, None)


def test_who_registers_under_the_name_they_have_is_told_how_to_get_their_games_back(
    marne: Cast,
) -> None:
    with pytest.raises(BadInput, match="can no longer read your mail there") as said:
        require_name_free("Ana", None)
    assert ".." not in str(said.value)
    with pytest.raises(BadInput) as said:
        require_name_free("Ana", marne.player("Ben"))
    assert "can no longer read" not in str(said.value)
