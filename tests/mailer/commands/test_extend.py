"""EXTEND by mail: what the player reads, and who else is told."""

from __future__ import annotations

import pytest
from django.db.models import Exists

from games.models import Event, Phase
from games.queries.orders.wishes import wishes
from games.services.adjudication.phases import phase_process
from mailer.models import InboundMail, OutboundMail
from mailer.notices.clock import extension_refused
from tests.cast import DAY, HOUR, NOW, OPENINGS, POWERS, Cast, address_of, make_cast, submit
from tests.mailer.correspondence import flat, gm_reads, tell_all, to_seat, write
from tests.mailer.gm.writing import order
from tests.rows import each_row

pytestmark = pytest.mark.django_db

DUE = NOW + 72 * HOUR


def ask(cast: Cast, line: str) -> str:
    """Let Carla write this to France's reply address; return what she reads."""
    address = to_seat(cast)
    return flat(write("Carla", line, to=address).answers.get(kind="reply").body)


def tell(kind: str) -> dict[str, str]:
    """Tell every event; return the mails of this kind by recipient."""
    tell_all()
    return {mail.recipient: flat(mail.body) for mail in OutboundMail.objects.filter(kind=kind)}


def test_a_player_puts_off_the_deadline_and_everybody_is_told_why(db: None) -> None:
    cast = make_cast(player_extensions=2)
    said = ask(cast, "EXTEND 24h I am travelling until Tuesday.")
    assert "everybody is told" in said
    assert "You can do so once more in this game." in said
    assert cast.phase.due_at == DUE + DAY
    told = tell("deadline_moved")
    assert set(told) == {address_of(name) for name in POWERS} | {"gm@players.test"}
    assert all("I am travelling until Tuesday." in body for body in told.values())
    assert all("France says why: " in body for body in told.values())


def test_a_gm_turns_down_who_asks_for_more_time(marne: Cast) -> None:
    nobody = gm_reads(marne, "REFUSE France because I said so")
    assert "Nobody in marne is waiting for more time" in nobody
    ask(marne, "EXTEND 24h I am ill")
    assert Phase.objects.filter(Exists(wishes())).exists()
    assert "REFUSE France because, and why" in tell("extension_asked")["gm@players.test"]
    assert "does not ask for more time: France does" in gm_reads(marne, "REFUSE Italy because so")
    assert "Please say why" in gm_reads(marne, "REFUSE")
    write("Emma", "EXTEND 24h I am away", to=to_seat(marne, "Italy"))
    answer = gm_reads(marne, "REFUSE France because you had two days")
    assert "France is told that the deadline in marne stays." in answer
    told = tell("extension_refused")
    assert set(told) == {address_of("Carla")}
    assert "stays where it is: Thu 5 Mar 2026, 12:00 UTC" in told[address_of("Carla")]
    assert "The GM says why: you had two days" in told[address_of("Carla")]
    assert "You can still send orders until then" in told[address_of("Carla")]
    [late] = extension_refused.notices(marne.events("extension_refused")[0], DUE)
    assert "until then" not in late.body
    assert "The game master has already turned you down" in ask(marne, "EXTEND 24h I am ill")
    assert "Italy is told that" in gm_reads(marne, "DECLINE since you had two days")
    assert not Phase.objects.filter(Exists(wishes())).exists()


@each_row(
    ("text", "said", "told"),
    [
        (
            "Yes, that is fine",
            "is now due on Fri 6 Mar 2026, 12:00 UTC",
            ["France asked for more time: I am ill"],
        ),
        ("NO", "Write: REFUSE France because reason", []),
        ("No, because we wait", "France is told that the deadline in marne stays.", ["we wait"]),
        ("No, because we\nwait", "The reason that is told: “we wait”.", []),
    ],
)
def test_a_gm_answers_the_mail_about_more_time_in_a_word(
    marne: Cast, text: str, said: str, told: list[str]
) -> None:
    ask(marne, "EXTEND 24h I am ill")
    tell_all()
    subject = "Re: [marne] Spring 1901 movement: France asks for more time"
    assert said in order(marne, text, subject=subject)
    answered = [*marne.events("deadline_moved"), *marne.events("extension_refused")]
    assert [one.payload["why"] for one in answered] == told


def test_a_yes_to_a_wish_of_an_earlier_phase_moves_no_deadline(marne: Cast) -> None:
    ask(marne, "EXTEND 72h I am ill")
    tell_all()
    for power, lines in OPENINGS.items():
        submit(marne, power, lines)
    phase_process(game_id=marne.game.pk, now=NOW)
    due = marne.phase.due_at
    subject = "Re: [marne] Spring 1901 movement: France asks for more time"
    assert "France no longer waits for more time" in order(marne, "Yes", subject=subject)
    assert marne.phase.due_at == due


def test_a_yes_to_no_mail_that_we_know_says_how_to_give_each_power_its_time(marne: Cast) -> None:
    ask(marne, "EXTEND 24h I am ill")
    write("Emma", "EXTEND 48h I am away", to=to_seat(marne, "Italy"))
    tell_all()
    said = gm_reads(marne, "Yes")
    assert "We cannot tell which mail of ours your YES answers, so it changed nothing." in said
    assert "To give France more time, write EXTEND TO 2026-03-06 12:00 because" in said
    assert "To give Italy more time, write EXTEND TO 2026-03-07 12:00 because" in said
    assert marne.phase.due_at == DUE
    gm_reads(marne, "EXTEND TO 2026-03-06 12:00 because France is ill")
    assert marne.phase.due_at == DUE + DAY


def test_a_no_to_no_mail_that_we_know_is_asked_for_a_reason(marne: Cast) -> None:
    ask(marne, "EXTEND 24h I am ill")
    assert "Write: NO because reason" in gm_reads(marne, "No")


def test_two_powers_are_turned_down_in_one_line(marne: Cast) -> None:
    ask(marne, "EXTEND 24h I am ill")
    said = gm_reads(marne, "REFUSE France and Italy because we have waited")
    assert "France is told" in said
    assert "waiting for more time" in said


def test_a_yes_said_twice_is_told_that_the_deadline_stands(marne: Cast) -> None:
    ask(marne, "EXTEND 24h I am ill")
    tell_all()
    subject = "Re: [marne] Spring 1901 movement: France asks for more time"
    order(marne, "Yes", subject=subject)
    assert "That is the deadline already" in order(marne, "Yes", subject=subject)


def test_all_read_the_reason_for_more_time_if_there_is_room(marne: Cast) -> None:
    ask(marne, f"EXTEND 24h I am {'very ' * 40}ill")
    tell_all()
    subject = "Re: [marne] Spring 1901 movement: France asks for more time"
    assert "is now due on" in order(marne, "YES", subject=subject)
    [moved] = marne.events("deadline_moved")
    assert moved.payload["why"] == "France asked for more time"


def test_a_yes_to_more_time_counts_once(marne: Cast) -> None:
    ask(marne, "EXTEND 24h I am ill")
    tell_all()
    Event.objects.update(created_at=NOW - HOUR)
    Phase.objects.update(opened_at=NOW - DAY)
    subject = "Re: [marne] Spring 1901 movement: France asks for more time"
    assert "To give France more time, write EXTEND" in order(marne, "APPROVE France")
    order(marne, "YES", subject=subject)
    assert "France no longer waits for more time" in order(marne, "YES", subject=subject)
    assert len(marne.events("deadline_moved")) == 1


def test_a_gm_who_plays_is_not_told_to_move_the_deadline(marne: Cast) -> None:
    marne.gm.email = address_of("Ben")
    marne.gm.save()
    ask(marne, "EXTEND 24h I am ill")
    body = tell("extension_asked")[address_of("Ben")]
    assert "you may not move the deadline: ask a moderator" in body
    assert "EXTEND" not in body


def test_where_players_may_not_the_gm_alone_is_asked(marne: Cast) -> None:
    assert "We have asked the game master" in ask(marne, "extend by 1d: I am ill")
    told = tell("extension_asked")
    assert set(told) == {"gm@players.test"}
    body = told["gm@players.test"]
    assert "France asks for more time for Spring 1901 movement in the game marne." in body
    assert "I am ill" in body
    assert "Until: Fri 6 Mar 2026, 12:00 UTC" in body
    assert marne.phase.due_at == DUE


@pytest.mark.parametrize("line", ["EXTEND 24h", "EXTEND 3 d"])
def test_who_gives_no_reason_is_asked_for_one(marne: Cast, line: str) -> None:
    assert "and why: everybody reads it" in ask(marne, line)
    assert tell("extension_asked") == {}


def test_too_much_is_refused_with_how_much_is_possible(marne: Cast) -> None:
    assert "3 days at most" in ask(marne, "EXTEND 30d I am sailing")


def test_a_wish_for_too_much_is_told_whom_to_ask_for_more(marne: Cast) -> None:
    body = ask(marne, "EXTEND 30d I am sailing")
    assert "please ask for less. If you need more, write to the game master: PRESS TO GM" in body


def test_a_sentence_that_begins_so_is_no_command(marne: Cast) -> None:
    ask(marne, "A Par - Bur\nExtend my greetings to your wife")
    assert not Event.objects.filter(kind__in=["extension_asked", "deadline_moved"]).exists()


def test_nobody_puts_off_a_deadline_by_a_forged_from(db: None) -> None:
    cast = make_cast(player_extensions=2)
    mail = write("Carla", "EXTEND 24h I am travelling")
    assert mail.state == InboundMail.State.HELD
    assert cast.phase.due_at == DUE


@pytest.mark.parametrize("why", ["because I am ill", "I am ill"])
def test_the_reason_is_told_without_the_word_that_begins_it(marne: Cast, why: str) -> None:
    address = to_seat(marne)
    answer = write("Carla", f"EXTEND 24h {why}", to=address).answers.get()
    assert answer.subject == "[marne] Spring 1901 movement: more time asked for"
    body = tell("extension_asked")["gm@players.test"]
    assert "Why: I am ill" in body
    assert "or EXTEND, how much and why" in body


@each_row(
    "length",
    [
        "24h",
        "1 day",
        "24 hours,",
        "by 1d:",
        "1440 minutes",
        "by one day because of",
        "a day please,",
        "the deadline by 24 hours:",
    ],
)
def test_a_length_may_be_written_in_words(marne: Cast, length: str) -> None:
    ask(marne, f"EXTEND {length} my wedding")
    body = tell("extension_asked")["gm@players.test"]
    assert "Until: Fri 6 Mar 2026, 12:00 UTC Why: my wedding" in body


def test_extend_alone_is_explained(marne: Cast) -> None:
    assert "Write: EXTEND length reason" in ask(marne, "EXTEND")
    assert "For example: EXTEND 24h" in ask(marne, "EXTEND 2 months my wedding")


def test_a_reason_after_because_of_is_told_as_a_reason(marne: Cast) -> None:
    assert "Until they decide" in ask(marne, "EXTEND 24h because of a storm")
    assert "Why: a storm" in tell("extension_asked")["gm@players.test"]
