"""Who is offered a seat, in which words, and what a bare yes to several takes."""

from __future__ import annotations

import pytest

from games.models import Offer, Seat
from games.services.ordering.disorder import disorder_declare
from games.services.seating.seats import seat_take
from mailer.models import OutboundMail
from mailer.outbound.buttons import asked_for
from tests.cast import NOW, Cast, make_player
from tests.mailer.correspondence import answer_to, flat, on_the_wire, write
from tests.mailer.notices.seats_told import HUGO, SECRET, cast_with_all, declare, take, tell
from tests.rows import each_row

pytestmark = pytest.mark.django_db


def test_an_offer_goes_to_the_standby_list_alone(db: None) -> None:
    cast = cast_with_all()
    declare(cast)
    [mail] = tell("seat_offered")
    assert mail.recipient == HUGO
    assert mail.subject == "[marne] Would you play Italy?"
    text = flat(mail.body)
    assert "You would have 3 centres and 3 units." in text
    assert "The phase is Spring 1901 movement." in text
    assert "The map is Standard. Movement is due after 3 days" in text
    assert "reply YES on a line of its own" in text
    assert "The offer stands until Mon 9 Mar 2026, 12:00 UTC" in text
    assert "Italy: 3 units (A Rome, A Venice, F Naples)" in text
    assert mail.reply_to.startswith("judge+")
    for word in ("Emma", SECRET, "No word from him"):
        assert word not in text


def test_an_offer_begins_with_the_power_in_need_and_ends_with_the_answer(db: None) -> None:
    """Its buttons stand below the answer they write, not below the word that ends all offers. The
    board, too, begins with what the reader would play, not with the strongest."""
    declare(cast_with_all())
    [mail] = tell("seat_offered")
    text = flat(mail.body)
    asked = text.index("Italy needs a player in the game marne. Would you like to take over?")
    why = text.index("because you are on the standby list")
    assert asked < text.index("The map is Standard.") < why < text.index("reply YES")
    assert text.index("reply YES") < text.index("THE BOARD")
    board = text[text.index("THE BOARD") :]
    assert board.index("Italy: 3 centres") < board.index("Russia: 4 centres")
    assert board.index("Russia: 4 centres") < board.index("Austria: 3 centres")


def test_an_offer_that_is_over_is_not_told_any_more(db: None) -> None:
    cast = cast_with_all()
    declare(cast)
    take(cast)
    assert tell("seat_offered") == []


def offered(cast: Cast) -> OutboundMail:
    """The mail to Hugo about the seats of three powers that open at one stroke."""
    for name in ("Italy", "Turkey", "Russia"):
        power = cast.game.powers.get(name=name)
        disorder_declare(game=cast.game, power=power, why="No word.", by="the server", now=NOW)
    [mail] = tell("seat_offered")
    return mail


@each_row(
    ("said", "plays"),
    [("TAKEOVER marne Italy", "Italy"), ("TAKEOVER marne Turkey", "Turkey"), ("NO", "")],
)
def test_seats_that_open_together_are_offered_in_one_mail(db: None, said: str, plays: str) -> None:
    cast = cast_with_all()
    mail = offered(cast)
    assert mail.subject == "[marne] Would you play Italy, Russia or Turkey?"
    assert "- Russia: 4 centres and 4 units" in mail.body
    assert ["Play Russia", "TAKEOVER marne Russia"] in mail.buttons
    assert [one.label for one in asked_for(mail.body)] == ["Say no"]
    write("Hugo", said, to=mail.reply_to)
    held = Seat.objects.filter(player=cast.player("Hugo"), until=None)
    assert [seat.power.name for seat in held] == ([plays] if plays else [])
    assert not Offer.objects.filter(end="").exists()


THREE_LINES = [
    *("- for Italy: TAKEOVER marne Italy", "- for Russia: TAKEOVER marne Russia"),
    "- for Turkey: TAKEOVER marne Turkey",
]


def test_an_offer_of_several_seats_has_a_line_for_each_and_says_that_yes_takes_none(
    db: None,
) -> None:
    mail = offered(cast_with_all())
    said = flat(mail.body)
    assert "reply with the line for it; a bare YES takes none of them." in said
    assert [line for line in mail.body.splitlines() if line.startswith("- for")] == THREE_LINES
    html = on_the_wire(mail)
    assert "TAKEOVER marne Russia" in html
    assert "Say yes" not in html


def taken_by(name: str, cast: Cast, power: str) -> None:
    player = make_player(name)
    seat_take(game=cast.game, power=cast.game.powers.get(name=power), player=player, now=NOW)


@each_row("said", ["YES", "Yes, I'd love to!", "TAKEOVER", "Which is best?"])
def test_a_bare_yes_to_an_offer_of_several_seats_takes_none_and_is_asked_about(
    db: None, said: str
) -> None:
    cast = cast_with_all()
    mail = offered(cast)
    asked = answer_to(write("Hugo", said, to=mail.reply_to))
    assert asked.subject == "[marne] Which power would you play?"
    assert "your answer does not say which one you want" in flat(asked.body)
    assert [line for line in asked.body.splitlines() if line.startswith("- for")] == THREE_LINES
    assert ["Play Turkey", "TAKEOVER marne Turkey"] in asked.buttons
    assert not Seat.objects.filter(player=cast.player("Hugo")).exists()
    assert Offer.objects.filter(player=cast.player("Hugo"), end="").count() == 3
    write("Hugo", "TAKEOVER marne Turkey", to=asked.reply_to)
    assert cast.seat("Turkey").player == cast.player("Hugo")


def test_a_bare_yes_when_one_seat_of_several_is_left_is_asked_about(db: None) -> None:
    cast = cast_with_all()
    mail = offered(cast)
    for name, power in (("Jon", "Italy"), ("Kim", "Turkey")):
        taken_by(name, cast, power)
    asked = answer_to(write("Hugo", "YES", to=mail.reply_to))
    assert asked.subject == "[marne] Would you play Russia?"
    assert "Only one of them is still open" in flat(asked.body)
    assert "- for Russia: TAKEOVER marne Russia" in asked.body
    assert not Seat.objects.filter(player=cast.player("Hugo")).exists()


def test_a_bare_yes_when_no_seat_of_several_is_left_hears_why(db: None) -> None:
    cast = cast_with_all()
    mail = offered(cast)
    for name, power in (("Jon", "Italy"), ("Kim", "Turkey"), ("Lea", "Russia")):
        taken_by(name, cast, power)
    asked = answer_to(write("Hugo", "YES", to=mail.reply_to))
    assert "Somebody else was faster" in flat(asked.body)
