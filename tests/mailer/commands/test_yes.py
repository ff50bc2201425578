"""What says yes to a question of ours, and what does not: vacation programs answer, too.

`vacations.json` has answers of such programs that bear no mark of a machine.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_django import Settings

from games.models import Address, Game, Offer, OrderSet, Player, Press
from games.queries.phases.musters import silent_players
from games.services.seating.joining import game_join
from games.services.setup.games import game_create
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import addresses
from mailer.outbound.tokens import ForGmPress
from tests.cast import HOUR, NOW, POWERS, Cast, address_of, make_player
from tests.made import made_once
from tests.mailer.correspondence import JUDGE, answer_to, eml, flat, home, receive, to_seat, write
from tests.mailer.identity_tables import SERVER, results
from tests.rows import each_row

pytestmark = pytest.mark.django_db
State = InboundMail.State
VACATIONS: dict[str, str] = json.loads(
    (Path(__file__).parent / "vacations.json").read_text("utf-8")
)
ORDERS = "A Paris - Picardy\nA Marseilles - Gascony\nF Brest - English Channel\n"
YES = [
    "YES",
    "yes",
    "Yes.",
    "CONFIRM",
    "confirm!",
    "*Yes*",
    "“Yes”",
    "  yes  ",
    "- YES",
    "ja",
    "Oui!",
    "Yes please!",
    "Yes, it was mine.",
    "yes that was me",
    "Ja, danke",
    "Yep!",
    "“Yeah, thanks”",
    "*Yes, please!*",
    "Yes please do",
    "yep, for all",
]


def vacation(case: str, question: OutboundMail) -> str:
    """The answer, which may repeat our mail below, without a mark of a quote or our own marker."""
    body = "\n".join(question.body.splitlines()[1:])
    return VACATIONS[case].replace("{question}", body)


def question_of(held: InboundMail) -> OutboundMail:
    return held.answers.get(kind="question")


@each_row("case", VACATIONS)
def test_a_vacation_answer_frees_no_held_orders(marne: Cast, case: str) -> None:
    held = write("Carla", ORDERS)
    question = question_of(held)
    write("Carla", vacation(case, question), to=question.reply_to)
    held.refresh_from_db()
    assert held.state == State.HELD
    assert not OrderSet.objects.exists()


@each_row("case", VACATIONS)
def test_a_vacation_answer_frees_no_command_of_a_game_master(marne: Cast, case: str) -> None:
    to = addresses.gm_address(user=marne.gm, game=marne.game, now=NOW)
    held = receive(eml("PROCESS", sender="gm@players.test", to=to))
    question = question_of(held)
    receive(eml(vacation(case, question), sender="gm@players.test", to=question.reply_to))
    held.refresh_from_db()
    assert held.state == State.HELD
    assert marne.phase.name == "S1901M"


@each_row("case", VACATIONS)
def test_a_vacation_answer_neither_takes_a_seat_nor_confirms_a_second_address(
    marne: Cast, case: str
) -> None:
    hugo = marne.player("Hugo")
    record = hugo.record
    assert record
    offer = Offer.objects.create(
        power=marne.seat("Italy").power, player=hugo, made_at=NOW, expires_at=NOW + HOUR
    )
    to = addresses.offer_address(address=record, offer=offer, now=NOW)
    asked = answer_to(write("Hugo", VACATIONS[case].replace("{question}", ""), to=to))
    assert asked.kind == "reply"
    write("Hugo", "SET ADDRESS hugo@work.test", to=home("Hugo"))
    question = OutboundMail.objects.get(recipient="hugo@work.test")
    receive(eml(vacation(case, question), sender="hugo@work.test", to=question.reply_to))
    assert marne.seat("Italy").player.name == "Emma"
    assert Address.objects.get(email="hugo@work.test").confirmed_at is None


@pytest.fixture
def muster(db: None) -> Game:
    """A game of seven that waits for all of them to say that they are here."""
    made_once("a muster of seven", _muster)
    return Game.objects.get(name="marne")


def _muster() -> None:
    game = game_create(name="marne", muster=dt.timedelta(days=2), now=NOW)
    for name in POWERS:
        game_join(game=game, player=make_player(name), preferences="", now=NOW)


@each_row("case", VACATIONS)
def test_a_vacation_answer_does_not_say_that_somebody_is_here(muster: Game, case: str) -> None:
    record = Player.objects.get(name="Ana").record
    assert record
    to = addresses.here_address(address=record, game=muster, now=NOW)
    write("Ana", VACATIONS[case].replace("{question}", ""), to=to)
    assert "Ana" in {player.name for player in silent_players(muster)}


HINT = "Precedence: bulk\r\n"
"""Mostly programs write it; a company's mail server does, too, on what people write."""


def test_a_held_word_that_somebody_is_here_counts_once_they_say_it_was_theirs(muster: Game) -> None:
    record = Player.objects.get(name="Ana").record
    assert record
    to = addresses.here_address(address=record, game=muster, now=NOW)
    held = receive(eml("YES", sender=address_of("Ana"), to=to, headers=HINT))
    assert "Ana" in {player.name for player in silent_players(muster)}
    write("Ana", "YES", to=question_of(held).reply_to)
    assert "Ana" not in {player.name for player in silent_players(muster)}


def test_a_gm_s_held_answer_to_press_is_passed_on_once_they_say_it_was_theirs(marne: Cast) -> None:
    france = to_seat(marne)
    write("Carla", "PRESS TO GM\nMay I go on holiday?", to=france)
    asked = Press.objects.get()
    to = addresses.address_for(ForGmPress(marne.gm, asked), now=NOW)
    held = receive(eml("Of course!", sender="gm@players.test", to=to, headers=HINT))
    assert held.state == State.HELD
    receive(eml("YES", sender="gm@players.test", to=question_of(held).reply_to))
    assert (Press.objects.latest("number").text, Press.objects.count()) == ("Of course!", 2)


def test_an_unclear_answer_of_a_gm_leaves_the_question_open_to_the_next(marne: Cast) -> None:
    to = addresses.gm_address(user=marne.gm, game=marne.game, now=NOW)
    held = receive(eml("PROCESS", sender="gm@players.test", to=to))
    unclear = receive(eml("Hm?", sender="gm@players.test", to=question_of(held).reply_to))
    assert "still waits" in answer_to(unclear).body
    receive(eml("YES", sender="gm@players.test", to=answer_to(unclear).reply_to))
    assert marne.phase.name == "F1901M"


@each_row(
    ("text", "events", "said"),
    [
        ("STATUS", 0, "reply YES or REFUSE to that question"),
        ("EXTEND 24h because of rain", 1, "please send the command again"),
        ("VACATE Italy because Emma is gone", 0, "Emma no longer plays Italy"),
        ("No, EXTEND 24h because of rain", 0, "We are not sure what you mean"),
        ("Ok, but extend by 24h because of rain first", 0, "We are not sure what you mean"),
        (
            "PROCESS in marne:\n- Nobody waits for missing orders",
            0,
            "We are not sure what you mean",
        ),
    ],
)
def test_a_gm_who_answers_with_other_commands_has_them_done(
    marne: Cast, text: str, events: int, said: str
) -> None:
    to = addresses.gm_address(user=marne.gm, game=marne.game, now=NOW)
    held = receive(eml("PROCESS", sender="gm@players.test", to=to))
    reply = receive(eml(text, sender="gm@players.test", to=question_of(held).reply_to))
    assert said in flat(answer_to(reply).body)
    assert len(marne.events("deadline_moved")) == events
    held.refresh_from_db()
    assert held.state == State.HELD


def test_an_unclear_answer_about_a_resignation_is_asked_whether_it_is_wanted(marne: Cast) -> None:
    to = to_seat(marne)
    held = write("Carla", "RESIGN", to=to)
    reply = answer_to(write("Carla", "yes, sorry everybody", to=question_of(held).reply_to))
    assert reply.subject == "NOT done yet: please answer YES or REFUSE"
    assert "If you want what it asks for, reply with the word YES" in flat(reply.body)
    assert marne.seat("France").until is None


def test_a_mail_as_of_a_program_is_held_even_if_it_does_not_say_for_which_game(
    marne: Cast, settings: Settings
) -> None:
    settings.TRUSTED_AUTHSERV_ID = SERVER
    game_create(name="yser", gm=marne.gm, now=NOW)
    marks = "Auto-Submitted: auto-generated\r\n" + results("passed")
    mail = receive(eml("GM PROCESS", sender="gm@players.test", headers=marks))
    assert (mail.state, mail.error) == (State.HELD, "")


@each_row(
    "text",
    [
        "I did not send this!\n\nOk",
        "That wasn't me.\nYes",
        "Yes\n\nIt is not mine, somebody forged it",
        "Das war nicht von mir.\nJa",
        "I never sent this.\nYes",
        "Yes\n\nI haven't written it",
        "This mail is not from me\nYes",
        "That was not my mail.\nYes",
        "Ce n'est pas de moi.\nOui",
        "No es mío.\nSí",
        "Niet van mij.\nJa",
    ],
)
def test_whoever_says_that_a_mail_was_not_theirs_frees_nothing(marne: Cast, text: str) -> None:
    held = write("Carla", ORDERS)
    reply = answer_to(write("Carla", text, to=question_of(held).reply_to))
    assert reply.subject == "NOT done yet: please answer YES or REFUSE"
    held.refresh_from_db()
    assert held.state == State.HELD


@each_row("text", YES)
def test_the_word_on_a_line_of_its_own_frees_a_held_mail(marne: Cast, text: str) -> None:
    held = write("Carla", ORDERS)
    write("Carla", f"Hello,\n\n{text}\n\nCarla", to=question_of(held).reply_to)
    held.refresh_from_db()
    assert held.state == State.DONE
    assert OrderSet.objects.get().counts


@pytest.mark.parametrize("mark", ["Auto-Submitted: auto-replied\r\n", "Precedence: bulk\r\n"])
def test_the_word_in_a_machine_s_mail_says_nothing(marne: Cast, mark: str) -> None:
    held = write("Carla", ORDERS)
    to = question_of(held).reply_to
    receive(eml("YES", sender=address_of("Carla"), to=to, headers=mark))
    held.refresh_from_db()
    assert held.state == State.HELD


def test_what_an_answer_that_is_no_yes_asks_for_is_named_and_not_done(marne: Cast) -> None:
    question = question_of(write("Carla", ORDERS))
    body = flat(answer_to(write("Carla", "STATUS\nlater", to=question.reply_to)).body)
    assert "The mail we asked you about still waits." in body
    assert "please send it again after your answer: - You wrote “STATUS”" in body
    assert "later" not in body


def test_a_question_about_a_programs_mail_names_no_way_around_it(marne: Cast) -> None:
    to = to_seat(marne)
    raw = eml("A Par H", sender=address_of("Carla"), to=to, headers="Auto-Submitted: yes\r\n")
    around = "To avoid this question"
    assert around not in question_of(receive(raw)).body
    assert around in question_of(write("Carla", ORDERS)).body


def test_another_command_is_no_yes_to_the_one_we_asked_about(marne: Cast) -> None:
    to = to_seat(marne)
    held = write("Carla", "RESIGN marne", to=to)
    write("Carla", "RETURN marne", to=question_of(held).reply_to)
    assert marne.seat("France").until is None
    write("Carla", "RESIGN marne", to=question_of(held).reply_to)
    held.refresh_from_db()
    assert held.state == State.DONE


def test_any_reply_of_a_person_still_registers(db: None) -> None:
    asked = answer_to(write("Zoe", "REGISTER Zoe Miller"))
    write("Zoe", "That's me, thanks", to=asked.reply_to)
    assert Player.objects.get().address == address_of("Zoe")


# --- what the question says ------------------------------------------------------------------


def test_the_question_names_game_power_and_deadline_and_what_to_write(marne: Cast) -> None:
    question = question_of(write("Carla", ORDERS))
    body = flat(question.body)
    assert question.subject == "[marne] NOT counted yet: was this mail yours?"
    assert "It does NOT count yet. It contains 3 order lines for France in the game marne." in body
    assert "The deadline is Thu 5 Mar 2026, 12:00 UTC, in 3 days." in body
    assert "reply to this one with the word YES on a line of its own" in body
    assert "SET ADDRESS" not in body


def test_the_question_offers_to_add_the_address_that_a_mail_came_from(marne: Cast) -> None:
    to = to_seat(marne)
    question = question_of(receive(eml(ORDERS, sender="carla@work.test", to=to)))
    body = flat(question.body)
    assert question.recipient == address_of("Carla")
    assert "from carla@players.test with the line “SET ADDRESS carla@work.test”" in body


def test_a_question_about_no_power_names_no_game(marne: Cast) -> None:
    question = question_of(write("Carla", "STANDBY"))
    assert question.subject == "NOT done yet: was this mail yours?"
    assert "marne" not in question.body


def test_a_question_about_a_phase_that_is_over_tells_no_deadline(marne: Cast) -> None:
    to = to_seat(marne)
    late = NOW + dt.timedelta(days=9)
    raw = eml(ORDERS, sender="carla@work.test", to=to)
    assert "The deadline" not in question_of(receive(raw, received_at=late)).body


def test_to_our_own_address_by_somebody_registered_elsewhere_is_no_question(marne: Cast) -> None:
    mail = receive(eml(ORDERS, sender="carla@work.test", to=JUDGE))
    assert "REGISTER" in answer_to(mail).body


# --- What a held mail asked for -------------------------------------------------------------


def released(cast: Cast, text: str) -> InboundMail:
    """What answers the owner of a mail that came from an address we do not know, once they said
    that it was theirs."""
    to = to_seat(cast)
    held = write("Carla", text, to=to, sender="carla@elsewhere.test")
    return write("Carla", "YES", to=question_of(held).reply_to)


def test_a_held_yes_to_an_offer_of_ours_does_what_we_offered(marne: Cast) -> None:
    to = to_seat(marne)
    write("Carla", "Hi Germany, shall we be friends?", to=to)
    released(marne, "YES")
    assert Press.objects.get().to == ["Germany"]


def test_the_greeting_of_held_press_is_passed_on_and_not_among_what_was_left_out(
    marne: Cast,
) -> None:
    done = released(marne, "PRESS TO Germany\nHi Germany,\nshall we be friends?\nRegards")
    assert "Hi Germany" in Press.objects.get().text
    assert "a greeting" not in flat(answer_to(done).body)


# --- a yes that answers nothing ---------------------------------------------------------------


def newcomer(cast: Cast) -> tuple[str, str]:
    write("Zoe", "REGISTER Zoe")
    return address_of("Zoe"), "reply YES to that mail itself. If you cannot find it, write REGISTER"


def further_address(cast: Cast) -> tuple[str, str]:
    write("Hugo", "SET ADDRESS hugo@work.test", to=home("Hugo"))
    return "hugo@work.test", "We asked whether hugo@work.test is yours, but your mail does not"


def held_mail(cast: Cast) -> tuple[str, str]:
    write("Carla", ORDERS)
    return address_of("Carla"), "asked you: “[marne] NOT counted yet: was this mail yours?”."


def offered_seat(cast: Cast) -> tuple[str, str]:
    power, hugo = cast.seat("Italy").power, cast.player("Hugo")
    Offer.objects.create(power=power, player=hugo, made_at=NOW, expires_at=NOW + HOUR)
    return address_of(
        "Hugo"
    ), "If you mean the seat that we offered you, write TAKEOVER marne Italy."


def muster_of_hugo(cast: Cast) -> tuple[str, str]:
    game = game_create(name="aisne", variant="germany_italy", muster=dt.timedelta(days=2), now=NOW)
    for name in ("Hugo", "Carla"):
        game_join(game=game, player=cast.player(name), preferences="", now=NOW)
    return address_of("Hugo"), "If you mean that you are here to play, write HERE aisne."


@each_row("asked", [newcomer, further_address, held_mail, offered_seat, muster_of_hugo])
def test_a_yes_to_our_plain_address_is_told_which_mail_to_answer(
    marne: Cast, asked: Callable[[Cast], tuple[str, str]]
) -> None:
    """Some programs reply to the sender of a mail, or cut a long reply address off."""
    sender, words = asked(marne)
    read = flat(answer_to(receive(eml("YES", sender=sender, to=JUDGE))).body)
    assert words in read
    assert "Nobody is registered" not in read
