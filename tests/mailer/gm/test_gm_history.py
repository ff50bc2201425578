"""HISTORY and MAP of a game master: what they may see of their own game, by mail."""

from __future__ import annotations

import pytest

from games.models import Seat
from games.services.adjudication.phases import phase_process_now
from games.services.ordering.disorder import disorder_declare
from mailer import jobs
from mailer.models import OutboundMail
from mailer.outbound import addresses
from tests.cast import NOW, OPENINGS, Cast, make_cast, submit
from tests.mailer.correspondence import answer_to, flat, to_seat, write

pytestmark = pytest.mark.django_db


def master(cast: Cast, text: str) -> str:
    """What a game master reads who writes this to their reply address."""
    to = addresses.gm_address(user=cast.gm, game=cast.game, now=NOW)
    return flat(answer_to(write("gm", text, sender="gm@players.test", to=to)).body)


def played(cast: Cast) -> Cast:
    """The game with its first phase over."""
    for power, lines in OPENINGS.items():
        submit(cast, power, lines)
    phase_process_now(game_id=cast.game.pk, now=NOW)
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


def test_status_says_what_a_page_does_of_each_power_and_of_the_votes(marne: Cast) -> None:
    for name, text in (("Ben", "WAIT"), ("Ana", "READY"), ("Carla", "VOTE DRAW")):
        seat = Seat.objects.get(player__name=name)
        to = addresses.seat_address(seat=seat, phase=marne.phase, now=NOW)
        write(name, text, to=to)
    italy = marne.game.powers.get(name="Italy")
    disorder_declare(game=marne.game, power=italy, why="Nothing came", by="gm", now=NOW)
    said = master(marne, "STATUS")
    assert "England: Ben. Nothing has come yet. Said WAIT." in said
    assert "Austria: Ana. Owes nothing. Said READY." in said
    assert "Italy: Emma. In civil disorder, so nobody waits for it. Its seat is open." in said
    assert "Proposal 1 is open: a draw among Austria, England" in said
    assert "Carla votes" not in said


def test_status_tells_a_master_who_plays_nobodys_word(marne: Cast) -> None:
    to = to_seat(marne, "England")
    write("Ben", "WAIT", to=to)
    carla = marne.player("Carla")
    carla.user = marne.gm
    carla.save()
    said = master(marne, "STATUS")
    assert "England: Ben. Orders are missing." in said
    assert "WAIT" not in said


def test_a_mail_about_an_open_seat_says_how_to_give_it_by_mail(marne: Cast) -> None:
    italy = marne.game.powers.get(name="Italy")
    disorder_declare(game=marne.game, power=italy, why="Nothing came", by="gm", now=NOW)
    jobs.tell(NOW)
    for mail in OutboundMail.objects.filter(kind="disorder_declared"):
        gets_it = "reply REPLACE Italy BY, their name and why" in flat(mail.body)
        assert gets_it == (mail.recipient == "gm@players.test")


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
