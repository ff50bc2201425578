"""Where the GM lets people in, they let in whoever takes over a seat, too."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from games.models import Event, Game, Invitation, Offer
from games.queries.access.staff_names import Actor
from games.services.accounts.erasing import player_erase
from games.services.moderation.staff import moderator_appoint
from games.services.seating.joining import game_join
from games.services.seating.seats import seat_resign
from games.services.seating.standby import seat_offer, standby_join
from games.services.setup.co_gms import co_gm_add
from games.services.setup.making import NewGame, game_make
from mailer import jobs
from mailer.models import OutboundMail
from tests.cast import HOUR, NOW, Cast
from tests.mailer.correspondence import flat, home, said, told_cast, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db
CODE = "abcdefgh"


@pytest.fixture
def cast(db: None) -> Cast:
    """Marne, into which its GM lets people, and the seat of Austria open."""
    found = told_cast()
    Game.objects.update(entry=Game.Entry.APPROVAL, code=CODE)
    found.game.refresh_from_db()
    seat_resign(seat=found.seat("Austria"), now=NOW)
    jobs.tell(NOW)
    return found


def takes(words: str = "TAKEOVER marne Austria") -> str:
    return flat(write("Hugo", words, to=home("Hugo")).answers.get(kind="reply").body)


def plays(cast: Cast) -> bool:
    return cast.player("Hugo").seats.filter(until=None).exists()


def test_a_stranger_asks_and_only_the_gm_reads_who_it_is(cast: Cast) -> None:
    assert "In the game marne the game master lets people in" in takes()
    assert not plays(cast)
    jobs.tell(NOW)
    [asked] = OutboundMail.objects.filter(kind="takeover_asked")
    assert asked.recipient == "gm@players.test"
    assert asked.subject == "[marne] Hugo would like to play Austria"
    assert "REPLACE Austria BY Hugo because" in flat(asked.body)
    event = Event.objects.get(kind="takeover_asked")
    assert "Hugo" not in str(event)


def test_a_yes_of_the_gm_is_told_the_line_that_seats_them(cast: Cast) -> None:
    takes()
    jobs.tell(NOW)
    asked = OutboundMail.objects.get(kind="takeover_asked")
    subject = f"Re: {asked.subject}"
    mail = write("gm", "YES", sender="gm@players.test", to=asked.reply_to, subject=subject)
    assert "Write: REPLACE Austria BY Hugo because reason" in said(mail)


def test_the_line_that_the_gm_reads_seats_them(cast: Cast) -> None:
    takes()
    jobs.tell(NOW)
    asked = OutboundMail.objects.get(kind="takeover_asked")
    line = "REPLACE Austria BY Hugo because you need a player."
    write("gm", line, to=asked.reply_to, received_at=NOW)
    question = OutboundMail.objects.filter(recipient="gm@players.test").latest("pk")
    write("gm", "CONFIRM", to=question.reply_to, received_at=NOW)
    assert plays(cast)


def test_whoever_asks_again_is_told_so_and_nobody_else(cast: Cast) -> None:
    takes()
    assert "already knows that you would like to play Austria" in takes()
    assert Event.objects.filter(kind="takeover_asked").count() == 1


def test_without_a_gm_the_moderators_are_told(cast: Cast) -> None:
    moderator_appoint(user=User.objects.create_user("mo", "mo@players.test"))
    Game.objects.update(gm=None)
    takes()
    jobs.tell(NOW)
    [asked] = OutboundMail.objects.filter(kind="takeover_asked")
    assert asked.recipient == "mo@players.test"
    assert "which has no game master at the moment" in flat(asked.body)


@each_row("way", ["let in before", "the code", "an offer"])
def test_whoever_the_gm_has_let_in_takes_the_seat_at_once(cast: Cast, way: str) -> None:
    words = "TAKEOVER marne Austria"
    if way == "let in before":
        Invitation.objects.create(
            game=cast.game, email="hugo@players.test", kind=Invitation.Kind.INVITED, at=NOW
        )
    elif way == "the code":
        words = f"{words} {CODE}"
    else:
        standby_join(player=cast.player("Hugo"), now=NOW)
        power = cast.game.powers.get(name="Austria")
        seat_offer(game=cast.game, power=power, by="the GM", now=NOW)
    assert "The seat is yours" in takes(words)
    assert plays(cast)


def test_the_server_offers_the_seat_to_nobody_by_itself(cast: Cast) -> None:
    standby_join(player=cast.player("Hugo"), now=NOW)
    assert not Offer.objects.exists()


def test_all_read_that_one_asks_for_the_seat(cast: Cast) -> None:
    told = OutboundMail.objects.filter(kind="seat_resigned")
    assert told
    for mail in told:
        assert "The game master lets people in" in flat(mail.body)


# --- before the start -------------------------------------------------------------------------


@pytest.fixture
def verdun(cast: Cast) -> Game:
    """A game of Ben's, into which Hugo waits to be let."""
    ben = cast.player("Ben")
    game = game_make(player=ben, wanted=NewGame("verdun", "steady", as_gm=True), now=NOW)
    Game.objects.filter(pk=game.pk).update(entry=Game.Entry.APPROVAL)
    game.refresh_from_db()
    game_join(game=game, player=cast.player("Hugo"), preferences="", now=NOW)
    jobs.tell(NOW)
    OutboundMail.objects.all().delete()
    return game


def told(kind: str) -> dict[str, str]:
    return {one.recipient: flat(one.body) for one in OutboundMail.objects.filter(kind=kind)}


def leave(cast: Cast) -> None:
    later = NOW + HOUR
    player_erase(player=cast.player("Ben"), why="They asked for it.", by=Actor("mo"), now=later)
    jobs.tell(later)


def test_whoever_waits_when_the_gm_leaves_is_told_and_the_next_gm_answers(
    cast: Cast, verdun: Game
) -> None:
    leave(cast)
    assert "We will tell the next game master" in told("gm_left")["hugo@players.test"]
    assert not told("joins_unanswered")
    co_gm_add(game=verdun, email="new@staff.test", until=None, by="op", now=NOW + HOUR)
    jobs.tell(NOW + HOUR)
    asked = OutboundMail.objects.get(kind="joins_unanswered")
    assert asked.recipient == "new@staff.test"
    assert "APPROVE Hugo" in asked.body
    write("new", "APPROVE Hugo", sender="new@staff.test", to=asked.reply_to)
    assert cast.player("Hugo").applications.filter(game=verdun, withdrawn_at=None).exists()


def test_a_co_gm_who_takes_over_is_told_who_waits(cast: Cast, verdun: Game) -> None:
    co_gm_add(game=verdun, email="new@staff.test", until=None, by="Ben", now=NOW)
    leave(cast)
    assert list(told("joins_unanswered")) == ["new@staff.test"]
    assert "They know that, and will answer you." in told("gm_left")["hugo@players.test"]


def test_a_second_gm_beside_the_first_is_told_nothing_anew(cast: Cast, verdun: Game) -> None:
    co_gm_add(game=verdun, email="new@staff.test", until=None, by="Ben", now=NOW)
    jobs.tell(NOW)
    assert not told("joins_unanswered")
