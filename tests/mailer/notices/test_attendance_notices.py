"""Who is told of excuses, and what players are told of how reliable they are."""

from __future__ import annotations

import datetime as dt

import pytest

from games.services.accounts.absences import absence_declare
from games.services.adjudication.phases import phase_process, phase_process_now
from games.services.clock.attendance import excuse
from mailer.models import OutboundMail
from mailer.notices import tell_event
from mailer.outbound import addresses
from mailer.outbound.tokens import ForAddress
from tests.cast import DAY, NOW, OPENINGS, Cast, address_of, submit
from tests.mailer.correspondence import answer_to, flat, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db

DUE = NOW + 3 * DAY


def excused(cast: Cast) -> list[OutboundMail]:
    """Excuse what Ana missed, and return the mails that tell it."""
    phase, seat = cast.phase, cast.seat("Austria")
    assert phase_process(game_id=cast.game.pk, now=DUE)
    phase.refresh_from_db()
    event = excuse(seat=seat, phase=phase, why="The mail was down.", by="gm", now=DUE)
    tell_event(event, now=DUE)
    return list(OutboundMail.objects.filter(event=event))


def test_the_player_who_is_excused_is_told_and_nobody_else(marne: Cast) -> None:
    (mail,) = excused(marne)
    assert mail.recipient == address_of("Ana")
    assert mail.subject == "[marne] Spring 1901 movement: your missed orders are excused"
    assert "gm says why: The mail was down." in flat(mail.body)


def test_the_answer_to_it_speaks_for_the_player_and_for_no_power(marne: Cast) -> None:
    (mail,) = excused(marne)
    assert addresses.find([mail.reply_to]) == ForAddress(marne.player("Ana").record)


def test_who_has_lost_the_seat_is_told_and_not_their_substitute(marne: Cast) -> None:
    phase, seat = marne.phase, marne.seat("Austria")
    assert phase_process(game_id=marne.game.pk, now=DUE)
    phase.refresh_from_db()
    seat.until = DUE
    seat.save()
    seat.power.seats.create(player=marne.player("Hugo"), since=DUE)
    tell_event(excuse(seat=seat, phase=phase, why="Ill.", by="gm", now=DUE), now=DUE)
    mails = OutboundMail.objects.filter(kind="miss_excused")
    assert [mail.recipient for mail in mails] == [address_of("Ana")]


@each_row(
    ("sooner", "away", "why"),
    [
        (DAY, False, "The phase was decided before its deadline"),
        (0 * DAY, True, "You had said that you would be away"),
    ],
)
def test_results_say_why_a_miss_does_not_count(
    marne: Cast, sooner: dt.timedelta, away: bool, why: str
) -> None:
    for power in OPENINGS.keys() - {"Austria"}:
        submit(marne, power, OPENINGS[power])
    if away:
        day = DUE.date()
        absence_declare(player=marne.player("Ana"), first=day, last=day, now=NOW)
        event = phase_process(game_id=marne.game.pk, now=DUE)
    else:
        event = phase_process_now(game_id=marne.game.pk, now=DUE - sooner)
    assert event
    told = {mail.recipient: flat(mail.body) for mail in tell_event(event, now=DUE)}
    against = "so your missing orders do not count against you"
    assert f"{why}, {against}." in told[address_of("Ana")]
    assert sum(against in body for body in told.values()) == 1
    assert "from Austria (Ana). That counts against nobody." in told["gm@players.test"]


def test_status_tells_a_player_how_reliable_they_have_been_and_nobody_else(marne: Cast) -> None:
    seat, phase = marne.seat("France"), marne.phase
    submit(marne, "France", OPENINGS["France"])
    assert phase_process(game_id=marne.game.pk, now=DUE)
    to = addresses.seat_address(seat=seat, phase=phase, now=DUE)
    body = flat(answer_to(write("Carla", "STATUS", to=to, received_at=DUE)).body)
    assert body.count("eliability") == 1
    assert "Your reliability: 100%, with orders in time in 1 of 1 phase." in body
    body = flat(answer_to(write("Ana", "STATUS marne", received_at=DUE)).body)
    assert (
        "90%, with orders in time in 0 of 1 phase (everybody begins with ten phases in time)."
        in body
    )


def test_status_says_nothing_of_reliability_while_nothing_is_known(marne: Cast) -> None:
    assert "eliability" not in answer_to(write("Carla", "STATUS")).body
