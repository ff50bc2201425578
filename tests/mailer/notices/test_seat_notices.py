"""Who is told what about seats: the person concerned first, and nobody what is not for them."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User

from games.models import Event, Game, Phase
from games.services.adjudication.phases import phase_process
from games.services.clock.deadlines import Mover, deadline_move
from games.services.clock.overdue import seat_reopen
from games.services.endings.proposals import draw_propose
from games.services.ordering.disorder import disorder_declare, disorder_end
from games.services.seating.seats import (
    seat_replace,
    seat_resign,
    seat_return,
    seat_take,
    seat_vacate,
)
from games.services.seating.standby import standby_join
from mailer import jobs
from mailer.models import OutboundMail
from mailer.text import MARKER
from tests.cast import DAY, HOUR, NOW, Cast, address_of, make_player
from tests.mailer.correspondence import flat, to_seat, write
from tests.mailer.notices.seats_told import (
    DUE,
    EMMA,
    GM,
    HUGO,
    INES,
    MOD,
    OTHERS,
    SECRET,
    cast_with_all,
    declare,
    italy,
    recipients,
    take,
    tell,
    to,
    waiting,
)

pytestmark = pytest.mark.django_db


def test_a_takeover_tells_the_former_player_then_the_new_one_then_the_others(db: None) -> None:
    cast = cast_with_all()
    declare(cast)
    take(cast)
    mails = tell("seat_taken")
    assert recipients(mails)[:3] == [EMMA, HUGO, GM]
    assert set(recipients(mails)[3:]) == OTHERS | {INES}
    former = to(mails, EMMA)
    assert "Another player has taken over Italy" in former
    assert not [mail for mail in mails if "did this" in mail.body], "who did is the news"
    assert "Hugo" not in former
    start = to(mails, HUGO)
    assert "From now on you play Italy in the game marne" in start
    assert "Your units (A Rome, A Venice, F Naples)" in start
    assert "Deadline: Thu 5 Mar 2026, 12:00 UTC" in start
    assert SECRET not in re.sub("Example of .*", "", start)
    assert "Emma" not in start
    assert "Italy has a new player in the game marne: Hugo." in to(mails, GM)
    assert "Italy has a new player in the game marne: Hugo." in to(mails, address_of("Ana"))
    assert "Italy has a new player in the game marne: Hugo." in to(mails, INES)
    assert "The deadline stays as it was." in to(mails, address_of("Ana"))


def test_the_new_reply_address_is_not_the_old_one(db: None) -> None:
    cast = cast_with_all()
    old = OutboundMail.objects.filter(recipient=EMMA).latest("pk").reply_to
    declare(cast)
    take(cast)
    [new] = [mail.reply_to for mail in tell("seat_taken") if mail.recipient == HUGO]
    assert new.startswith("judge+")
    assert new != old


def test_a_deadline_that_moves_for_the_new_player_is_told_in_everybodys_mail(db: None) -> None:
    cast = cast_with_all()
    declare(cast)
    hugo = cast.player("Hugo")
    seat_take(game=cast.game, power=italy(cast), player=hugo, now=DUE - HOUR)
    mails = tell("seat_taken", DUE - HOUR)
    moved = "the deadline has moved to Fri 6 Mar 2026, 11:00 UTC. If you said READY, say it again"
    assert moved in to(mails, address_of("Ana"))
    assert "Deadline: Fri 6 Mar 2026, 11:00 UTC, in 1 day." in to(mails, HUGO)
    assert OutboundMail.objects.filter(kind="deadline_moved").count() == 0


def test_a_substitute_reads_what_they_can_vote_on(db: None) -> None:
    cast = cast_with_all()
    declare(cast)
    draw_propose(seat=cast.seat("France"), winners=(), now=NOW)
    take(cast)
    mail = to(tell("seat_taken", NOW + HOUR), HUGO)
    assert "Proposal 1 is open: a draw among" in mail
    assert "To vote on it, write VOTE YES 1 or VOTE NO 1." in mail


@pytest.mark.parametrize("fog", [False, True])
def test_a_substitute_in_a_retreat_reads_which_units_are_dislodged(db: None, fog: bool) -> None:
    cast = cast_with_all()
    Game.objects.update(fog=fog)
    cast.game.refresh_from_db()
    declare(cast)
    away = [
        {"power": "Italy", "unit": "A Piedmont", "retreats": ["Tuscany"]},
        {"power": "Turkey", "unit": "A Armenia", "retreats": ["Syria"]},
    ]
    position = {**cast.phase.position, "phase": "S1901R", "dislodged": away}
    Phase.objects.filter(pk=cast.phase.pk).update(position=position, name="S1901R")
    take(cast)
    mail = to(tell("seat_taken", NOW + HOUR), HUGO)
    assert "Italy: A Piedmont was dislodged. It may retreat to Tuscany or else disband." in mail
    assert ("Turkey: A Armenia was dislodged." in mail) is not fog
    assert ("Syria" in mail) is not fog


def test_a_substitute_is_not_told_of_what_was_their_predecessors(db: None) -> None:
    cast = cast_with_all()
    declare(cast)
    take(cast)
    mails = tell("disorder_declared", NOW + HOUR)
    assert "Italy, which you play" not in to(mails, HUGO)


def test_in_an_anonymous_game_only_the_gm_learns_who_took_over(db: None) -> None:
    cast = cast_with_all(anonymous=True)
    declare(cast)
    take(cast)
    mails = tell("seat_taken")
    assert "Hugo" in to(mails, GM)
    for mail in mails:
        if mail.recipient not in (GM, HUGO):
            assert "Hugo" not in mail.body
            assert "Italy has a new player" in flat(mail.body) or mail.recipient == EMMA


def test_who_resigned_hears_that_the_seat_is_anothers(db: None) -> None:
    cast = cast_with_all()
    seat_resign(seat=cast.seat("Italy"), now=NOW)
    take(cast)
    [mail] = [mail for mail in tell("seat_taken") if mail.recipient == EMMA]
    assert "Another player has taken over Italy" in flat(mail.body)
    assert "Hugo" not in mail.body
    assert mail.body.startswith(MARKER)
    assert not mail.calendars, "the answer to RESIGN took the deadline out of calendars"
    seat_resign(seat=cast.seat("Italy"), now=NOW + HOUR)
    ida = make_player("Ida")
    seat_take(game=cast.game, power=italy(cast), player=ida, now=NOW + 2 * HOUR)
    assert [mail.recipient for mail in tell("seat_taken")].count(EMMA) == 1, "once is enough"


def test_a_replaced_player_is_the_first_to_hear_why(db: None) -> None:
    cast = cast_with_all()
    seat_replace(
        game=cast.game,
        power=italy(cast),
        player=cast.player("Hugo"),
        why="She asked me to.",
        by="the GM",
        now=NOW,
    )
    mails = tell("seat_taken")
    assert recipients(mails)[:2] == [EMMA, HUGO]
    assert "The GM says why: She asked me to." in to(mails, EMMA)
    assert "The GM says why: She asked me to." in to(mails, address_of("Ana"))


def test_a_player_who_comes_back_by_the_gm_gets_a_start_mail_again(db: None) -> None:
    cast = cast_with_all()
    for name in ("Hugo", "Emma"):
        seat_replace(
            game=cast.game,
            power=italy(cast),
            player=cast.player(name),
            why="So.",
            by="the GM",
            now=NOW,
        )
    mails = [mail for mail in tell("seat_taken") if mail.recipient == EMMA]
    assert "From now on you play Italy" in flat(mails[-1].body)


def test_a_vacated_player_is_the_first_to_hear_why(db: None) -> None:
    cast = cast_with_all()
    seat_vacate(game=cast.game, power=italy(cast), why="Two accounts.", by="a moderator", now=NOW)
    mails = tell("seat_vacated")
    assert recipients(mails)[:3] == [EMMA, GM, MOD]
    assert set(recipients(mails)[3:]) == OTHERS | {INES}
    assert "the seat was taken from you" in to(mails, EMMA)
    assert "A moderator says why: Two accounts." in to(mails, EMMA)


def test_a_resignation_is_told_to_all_others(db: None) -> None:
    cast = cast_with_all()
    seat_resign(seat=cast.seat("Italy"), now=NOW)
    mails = tell("seat_resigned")
    assert recipients(mails)[:2] == [GM, MOD]
    assert set(recipients(mails)[2:]) == OTHERS | {INES}
    assert "Orders already sent for Italy in Spring 1901 movement stand" in to(mails, GM)


def test_nobody_reads_that_a_phase_is_decided_early_which_waits_for_a_new_player(db: None) -> None:
    cast = cast_with_all()
    seat_resign(seat=cast.seat("Italy"), now=NOW)
    told = to(tell("seat_resigned"), address_of("Ana"))
    assert "The phase stays open until its deadline" in told
    assert "decided earlier" not in told
    seat_return(power=cast.game.powers.get(name="Italy"), player=cast.player("Emma"), now=NOW)
    assert "decided earlier" in to(tell("seat_returned"), address_of("Ana"))


def test_who_said_ready_without_orders_does_not_read_that_orders_are_in(marne: Cast) -> None:
    seat_resign(seat=marne.seat("Italy"), now=NOW)
    write("Carla", "READY", to=to_seat(marne))
    seat_return(power=marne.game.powers.get(name="Italy"), player=marne.player("Emma"), now=NOW)
    told = to(tell("seat_returned"), address_of("Carla"))
    assert "Nothing: you are ready in Spring 1901 movement." in told


def test_a_result_does_not_say_so_either(db: None) -> None:
    cast = cast_with_all()
    seat_resign(seat=cast.seat("Italy"), now=NOW)
    phase_process(game_id=cast.game.pk, now=DUE)
    mails = tell("phase_processed", DUE)
    assert "decided earlier" not in to(mails, address_of("Ana"))
    assert "Reply to this mail with your orders" in to(mails, address_of("Ana"))
    declare(cast)
    later = cast.phase.due_at
    assert later
    phase_process(game_id=cast.game.pk, now=later)
    mails = tell("phase_processed", later)[len(mails) :]
    assert "decided earlier" in to(mails, address_of("Ana")), "nobody waits for the disorderly"


def test_a_return_is_told_to_the_player_first(db: None) -> None:
    cast = cast_with_all()
    declare(cast)
    seat = cast.seat("Italy")
    seat_return(power=seat.power, player=seat.player, now=NOW)
    mails = tell("seat_returned")
    assert recipients(mails)[:2] == [EMMA, GM]
    assert set(recipients(mails)[2:]) == OTHERS | {INES}
    assert "Welcome back!" in to(mails, EMMA)
    assert "A receipt tells you how we read each line." in to(mails, EMMA)
    assert "the seat is no longer open" in to(mails, address_of("Ana"))


def test_the_end_of_a_disorder_is_told_to_the_player_first(db: None) -> None:
    cast = cast_with_all()
    declare(cast)
    disorder_end(game=cast.game, power=italy(cast), by="the GM", why="A mistake.", now=NOW)
    mails = tell("disorder_ended")
    assert recipients(mails)[:2] == [EMMA, GM]
    assert "Italy, which you play in the game marne, is no longer in" in to(mails, EMMA)
    assert "The others wait for your orders again." in to(mails, EMMA)
    assert "A mistake." in to(mails, address_of("Ana"))


def test_a_silent_substitute_is_the_first_to_hear_that_their_seat_is_open_again(db: None) -> None:
    cast = waiting()
    france = cast.game.powers.get(name="France")
    seat_take(game=cast.game, power=france, player=cast.player("Hugo"), now=DUE)
    assert seat_reopen(game=cast.game, power=france, now=DUE + DAY) is not None
    mails = tell("seat_opened", DUE + DAY)
    assert recipients(mails)[:3] == [HUGO, GM, MOD]
    assert "Send your orders, and the game goes on with you" in to(mails, HUGO)
    assert "TAKEOVER marne France" in to(mails, EMMA)


def test_several_disorders_of_one_phase_are_one_mail_to_everybody_else(db: None) -> None:
    cast = cast_with_all()
    for name in ("Italy", "Turkey", "Russia"):
        power = cast.game.powers.get(name=name)
        disorder_declare(game=cast.game, power=power, why="No word.", by="the server", now=NOW)
    mails = tell("disorder_declared")
    assert len(mails) == len(set(recipients(mails)))
    concerned = {EMMA, address_of("Greta"), address_of("Felix")}
    assert set(recipients(mails)) == concerned | OTHERS | {GM, MOD, INES}
    assert "1901 movement. It is your power. To come back, send your orders" in to(mails, EMMA)
    assert "Turkey and Russia fell into civil disorder at the same time." in to(mails, EMMA)
    for name in ("Ana", "Ben", "Carla", "Dmitri"):
        said = to(mails, address_of(name))
        assert (
            "Italy, Turkey and Russia are in civil disorder in the game marne. They have been"
            in said
        )
        assert "Deadline: " in said
    assert "TAKEOVER marne Italy" in to(mails, INES)
    subjects = {mail.subject for mail in mails} - {
        mail.subject for mail in mails if mail.recipient in concerned
    }
    assert subjects == {
        "[marne] Spring 1901 movement: Italy, Turkey and Russia are in civil disorder"
    }


def test_whoever_is_back_before_they_read_of_civil_disorder_is_not_told_to_return(db: None) -> None:
    cast = cast_with_all()
    power = cast.game.powers.get(name="Italy")
    disorder_declare(game=cast.game, power=power, why="No word.", by="the server", now=NOW)
    power.refresh_from_db()
    disorder_end(game=cast.game, power=power, by="Italy", now=NOW)
    body = to(tell("disorder_declared"), EMMA)
    assert "you have come back since" in " ".join(body.split())
    assert "RETURN" not in body
    assert "Your seat is open" not in body


def test_a_moderator_who_plays_in_the_game_is_told_as_a_player_only(db: None) -> None:
    cast = cast_with_all()
    User.objects.filter(username="mod").update(email=address_of("Ana"))
    declare(cast)
    mails = tell("disorder_declared")
    assert recipients(mails).count(address_of("Ana")) == 1


@pytest.mark.parametrize("act", [declare, lambda cast: take_resigned(cast)])
def test_telling_again_tells_nobody_twice(db: None, act: Callable[[Cast], None]) -> None:
    cast = cast_with_all()
    act(cast)
    tell("seat_taken")
    before = OutboundMail.objects.count()
    Event.objects.update(told_at=None)
    tell("seat_taken")
    assert OutboundMail.objects.count() == before


def take_resigned(cast: Cast) -> None:
    seat_resign(seat=cast.seat("Italy"), now=NOW)
    take(cast)


def test_the_job_ends_old_offers_and_opens_seats_again(db: None) -> None:
    cast = waiting()
    france = cast.game.powers.get(name="France")
    seat_take(game=cast.game, power=france, player=cast.player("Hugo"), now=DUE)
    assert jobs.seats(DUE + HOUR) == 0
    assert jobs.seats(DUE + DAY) == 1, "France"
    standby_join(player=make_player("Jan"), now=DUE + DAY)
    assert jobs.seats(DUE + 9 * DAY) == 6, "what was offered to Jan"


def test_a_result_tells_a_player_in_disorder_how_they_come_back(db: None) -> None:
    cast = cast_with_all()
    declare(cast)
    phase_process(game_id=cast.game.pk, now=DUE)
    mails = tell("phase_processed", DUE)
    assert "Your seat is open, but it is yours until somebody takes it over." in to(mails, EMMA)
    assert "Your seat is open" not in to(mails, address_of("Ana"))


def test_an_eliminated_player_is_thanked_once_and_nothing_is_asked_of_them(db: None) -> None:
    cast = cast_with_all()
    phase = cast.phase
    phase.position["units"] = {"Turkey": ["A Trieste"], "Austria": ["A Vienna"]}
    phase.position["centers"] = {"Turkey": ["Constantinople"], "Italy": ["Trieste"], "Austria": []}
    phase.position["phase"] = phase.name = "F1901M"
    phase.save()
    phase_process(game_id=cast.game.pk, now=DUE)
    first = to(tell("phase_processed", DUE), EMMA)
    assert "Nothing: Italy is out of the game, and nobody waits for you." in first
    assert "Thank you for playing!" in first
    assert "; Italy is out of the game." in to(tell("phase_processed", DUE), address_of("Ana"))
    deadline_move(
        game=cast.game, to=DUE + 9 * DAY, why="Holidays.", by=Mover("the GM"), now=DUE + HOUR
    )
    later = to(tell("deadline_moved", DUE + HOUR), EMMA)
    assert "Nothing: Italy is out of the game." in later
    assert "Thank you" not in later
