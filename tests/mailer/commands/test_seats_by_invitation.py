"""The seats of a game by invitation are for those it has invited, before the start and after it."""

from __future__ import annotations

import pytest
from django.test import Client

from games.acts.offer import Offer as OfferAct
from games.acts.offer import Parameters
from games.models import Game, Invitation, Offer
from games.services.seating.seats import seat_resign, seat_take
from games.services.seating.standby import seat_offer, standby_join
from mailer import jobs
from mailer.models import OutboundMail
from tests.cast import NOW, Cast
from tests.mailer.correspondence import flat, home, told_cast, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db
CODE = "abcdefgh"
Kind = Invitation.Kind


@pytest.fixture
def cast(db: None) -> Cast:
    """Marne by invitation only, watched by anybody, and the seat of Austria open."""
    found = told_cast()
    Game.objects.update(entry=Game.Entry.INVITED, code=CODE)
    found.game.refresh_from_db()
    seat_resign(seat=found.seat("Austria"), now=NOW)
    jobs.tell(NOW)
    return found


def say(cast: Cast, kind: Kind) -> None:
    """What the GM said of Hugo before the start."""
    Invitation.objects.create(game=cast.game, email="hugo@players.test", kind=kind, at=NOW)


def takes(words: str) -> str:
    """The answer to Hugo, who writes these words."""
    return flat(write("Hugo", words, to=home("Hugo")).answers.get(kind="reply").body)


def plays(cast: Cast) -> bool:
    return cast.player("Hugo").seats.filter(until=None).exists()


def offered(cast: Cast) -> bool:
    return Offer.objects.filter(player=cast.player("Hugo"), end="").exists()


def test_a_stranger_does_not_take_the_seat(cast: Cast) -> None:
    said = takes("TAKEOVER marne Austria")
    assert "by invitation only" in said
    assert "TAKEOVER marne Austria and the code" in said
    assert not plays(cast)


@each_row(
    "words",
    [
        *(f"Austria {CODE}", f"{CODE.upper()} Austria", f"code {CODE}", f"Austria ({CODE})"),
        *(f"Austria with the code {CODE}", f"Austria, and the code is “{CODE}”."),
    ],
)
def test_whoever_has_the_code_takes_it(cast: Cast, words: str) -> None:
    assert "The seat is yours" in takes(f"TAKEOVER marne {words}")
    assert plays(cast)


def test_a_wrong_code_is_no_code(cast: Cast) -> None:
    takes("TAKEOVER marne Austria code")
    takes("TAKEOVER marne Austria aaaaaaaa")
    assert not plays(cast)


@each_row("words", ["marne", "marne Atlantis", "marne aaaaaaaa"])
def test_no_stranger_reads_which_seats_of_a_private_game_are_open(cast: Cast, words: str) -> None:
    Game.objects.update(observers=False)
    said = takes(f"TAKEOVER {words}")
    assert "are open" not in said
    assert "These seats are open: marne Austria" in takes(f"TAKEOVER marne Atlantis {CODE}")
    assert "which power of marne you would take, and the game's code" in said


def test_a_game_for_everybody_asks_for_no_code(cast: Cast) -> None:
    Game.objects.update(entry=Game.Entry.OPEN, code="")
    assert "The seat is yours" in takes("TAKEOVER marne Austria")


def test_whoever_was_invited_takes_it_and_is_offered_it(cast: Cast) -> None:
    say(cast, Kind.INVITED)
    standby_join(player=cast.player("Hugo"), now=NOW)
    assert offered(cast)
    assert "The seat is yours" in takes("TAKEOVER marne Austria")


def test_who_has_played_the_power_may_have_it_back(cast: Cast) -> None:
    assert seat_take(
        game=cast.game,
        power=cast.game.powers.get(name="Austria"),
        player=cast.player("Ana"),
        now=NOW,
    )


def test_the_server_offers_it_to_nobody_who_was_not_invited(cast: Cast) -> None:
    standby_join(player=cast.player("Hugo"), now=NOW)
    assert not offered(cast)


def test_what_is_offered_on_purpose_may_be_taken(cast: Cast) -> None:
    standby_join(player=cast.player("Hugo"), now=NOW)
    austria = cast.game.powers.get(name="Austria")
    [warned, *_] = OfferAct().forecast(cast.game, Parameters(power="Austria"), NOW)
    assert "by invitation only" in warned
    seat_offer(game=cast.game, power=austria, by="the GM", now=NOW)
    assert offered(cast)
    assert "The seat is yours" in takes("TAKEOVER marne Austria")


@pytest.mark.parametrize("entry", [Game.Entry.OPEN, Game.Entry.INVITED])
def test_whom_the_gm_keeps_out_neither_takes_it_nor_is_offered_it(
    cast: Cast, entry: Game.Entry
) -> None:
    Game.objects.update(entry=entry)
    say(cast, Kind.DENIED)
    standby_join(player=cast.player("Hugo"), now=NOW)
    assert not offered(cast)
    assert "does not let you play in it" in takes(f"TAKEOVER marne Austria {CODE}")
    assert not plays(cast)


def test_no_list_has_the_seat(cast: Cast, client: Client) -> None:
    assert "need a new player" not in takes("LIST")
    assert "No seat is open" in takes("TAKEOVER")
    assert b"TAKEOVER" not in client.get("/").content
    page = client.get("/games/marne/").content.decode()
    assert 'class="seat">open<' in page
    assert "TAKEOVER" not in page


def test_all_read_who_may_take_it_and_nobody_reads_the_code(cast: Cast) -> None:
    told = OutboundMail.objects.filter(kind="seat_resigned")
    assert told.count() == 7, "six players and the GM"
    for mail in told:
        assert "by invitation only. Anybody who has its code" in flat(mail.body)
        assert "TAKEOVER marne Austria and the code" in flat(mail.body)
        assert CODE not in mail.body
