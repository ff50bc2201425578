"""HISTORY and MAP of a game master: what they may see of their own game, by mail."""

from __future__ import annotations

import pytest

from games.services.phases import phase_process
from mailer.outbound import addresses
from tests.cast import NOW, OPENINGS, Cast, make_cast, submit
from tests.mailer.correspondence import answer_to, flat, write

pytestmark = pytest.mark.django_db


def master(cast: Cast, text: str) -> str:
    """What a game master reads who writes this to their reply address."""
    to = addresses.gm_address(user=cast.gm, game=cast.game, now=NOW)
    return flat(answer_to(write("gm", text, sender="gm@players.test", to=to)).body)


def played(cast: Cast) -> Cast:
    """The game with its first phase over."""
    for power, lines in OPENINGS.items():
        submit(cast, power, lines)
    phase_process(game_id=cast.game.pk, now=NOW, force=True)
    return cast


def test_a_master_reads_results_and_the_board_again(marne: Cast) -> None:
    assert "No phase of the game marne is over yet." in master(marne, "HISTORY")
    assert "France: 3 units (A Marseilles, A Paris, F Brest)" in master(marne, "MAP")
    played(marne)
    assert "France: A Paris - Burgundy: succeeds." in master(marne, "HISTORY S1901M")
    assert "France: 3 units (A Burgundy, A Spain, F Mid-Atlantic Ocean)" in master(marne, "MAP")
    assert "France: 3 units (A Marseilles, A Paris, F Brest)" in master(marne, "MAP S1901M")


def test_nothing_of_an_open_phase_is_in_it(marne: Cast) -> None:
    for power, lines in OPENINGS.items():
        submit(marne, power, lines)
    for text in ("HISTORY", "HISTORY S1901M", "MAP"):
        assert "Burgundy" not in master(marne, text)


def test_in_fog_of_war_a_master_sees_all_and_one_who_plays_nothing(db: None) -> None:
    fog = played(make_cast(fog=True, observers=False))
    assert "Turkey: A Smyrna - Armenia: succeeds." in master(fog, "HISTORY")
    carla = fog.player("Carla")
    carla.user = fog.gm
    carla.save()
    for text in ("HISTORY", "MAP", "MAP S1901M"):
        said = master(fog, text)
        assert "here you are shown nothing of its board" in said
        assert "Turkey" not in said
