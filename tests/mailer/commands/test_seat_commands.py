"""RESIGN, RETURN, STANDBY, TAKEOVER and LIST by mail, and what old reply addresses still do."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from games.models import Address, AdvanceOrders, Offer, Power, Seat, Standby
from games.queries.orders.current_orders import current_lines
from games.services.adjudication.phases import phase_process, phase_process_now
from games.services.endings.ending import game_end
from games.services.ordering.disorder import disorder_declare
from games.services.ordering.orders import orders_submit
from games.services.seating.joining import game_join
from games.services.seating.seats import seat_resign, seat_take, seat_vacate
from games.services.setup.games import game_create
from mailer.admin.visibility import sight
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import addresses
from tests.cast import DAY, HOUR, NOW, OPENINGS, Cast, address_of, make_player, submit
from tests.mailer.correspondence import answer_to, flat, said, tell_all, told_cast, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db


@pytest.fixture
def marne(db: None) -> Cast:
    """The game, of whose start everybody was told: most tests here tell of what comes after."""
    return told_cast()


State = InboundMail.State


def at_seat(cast: Cast, seat: Seat) -> str:
    return addresses.seat_address(seat=seat, phase=cast.phase, now=NOW)


def power(cast: Cast, name: str = "Italy") -> Power:
    return cast.game.powers.get(name=name)


def from_home(name: str, text: str) -> InboundMail:
    """A mail of a player to their own reply address: proved, and about no game."""
    address = Address.objects.get(email=address_of(name))
    return write(name, text, to=addresses.player_address(address=address, now=NOW))


def resign(cast: Cast) -> Seat:
    seat = cast.seat("Italy")
    seat_resign(seat=seat, now=NOW)
    seat.refresh_from_db()
    return seat


def play_on(cast: Cast) -> None:
    """Spring 1901 is decided: the others open, Italy stays where it is."""
    for name, lines in OPENINGS.items():
        if name != "Italy":
            submit(cast, name, lines)
    phase_process(game_id=cast.game.pk, now=NOW + 3 * DAY)


def offer_mail(cast: Cast) -> OutboundMail:
    """The offer that Hugo got."""
    tell_all()
    return OutboundMail.objects.get(kind="seat_offered", recipient=address_of("Hugo"))


def test_resign_asks_back_and_is_done_on_confirm(marne: Cast) -> None:
    mail = write("Emma", "RESIGN", to=at_seat(marne, marne.seat("Italy")))
    assert mail.state == State.HELD
    question = answer_to(mail)
    assert question.subject == "[marne] Are you sure you want to resign from Italy?"
    assert "Do you want to give up Italy in the game marne?" in flat(question.body)
    assert "the command RESIGN" in flat(question.body)
    assert "reply to this mail with the word YES" in flat(question.body)
    assert marne.seat("Italy").until is None
    done = write("Emma", "CONFIRM", to=question.reply_to)
    assert answer_to(done).subject == "[marne] You have resigned from Italy"
    assert "You have given up Italy in the game marne." in said(done)
    assert "write RETURN marne" in said(done)
    assert power(marne).open_since is not None


@each_row(
    ("reply", "resigned"),
    [("Let me think", False), ("no", False), ("REFUSE", False), ("RESIGN", True), ("yes", True)],
)
def test_only_a_clear_word_makes_a_resignation_true(
    marne: Cast, reply: str, resigned: bool
) -> None:
    mail = write("Emma", "RESIGN marne", to=at_seat(marne, marne.seat("Italy")))
    write("Emma", reply, to=answer_to(mail).reply_to)
    assert (power(marne).open_since is not None) == resigned


def test_resign_without_proof_is_asked_about_once_and_done(marne: Cast) -> None:
    mail = write("Emma", "RESIGN marne")
    assert mail.state == State.HELD
    write("Emma", "CONFIRM", to=answer_to(mail).reply_to)
    assert power(marne).open_since is not None


@pytest.mark.parametrize("text", ["RESIGN", "RESIGN marne"])
def test_who_resigns_from_a_game_that_is_over_is_told_so_at_once(marne: Cast, text: str) -> None:
    to = at_seat(marne, marne.seat("Italy"))
    game_end(game=marne.game, winners=["Italy"], why="-", by="gm", now=NOW)
    mail = write("Emma", text, to=to)
    assert mail.state == State.DONE
    assert "The game marne is over, so there is nothing to resign from" in said(mail)
    assert "write LOG marne" in said(mail)


def test_who_resigns_once_more_is_told_so_at_once(marne: Cast) -> None:
    mail = write("Emma", "RESIGN", to=at_seat(marne, resign(marne)))
    assert mail.state == State.DONE
    assert "You no longer play Italy in the game marne" in said(mail)


def test_who_resigns_before_the_start_is_told_at_once_how_to_leave(marne: Cast) -> None:
    game = game_create(name="verdun", now=NOW)
    game_join(game=game, player=marne.player("Hugo"), preferences="", now=NOW)
    mail = from_home("Hugo", "RESIGN verdun")
    assert mail.state == State.DONE
    assert "has not started yet. Until it does, LEAVE verdun gives back a place" in said(mail)


def test_without_proof_a_resignation_that_cannot_be_is_answered_to_the_address_of_record(
    marne: Cast,
) -> None:
    game_end(game=marne.game, winners=["Italy"], why="-", by="gm", now=NOW)
    answer = answer_to(write("Emma", "RESIGN marne"))
    assert (answer.kind, answer.recipient) == ("reply", address_of("Emma"))
    assert "nothing to resign from" in flat(answer.body)


def test_nobody_resigns_for_another(marne: Cast) -> None:
    mail = write("Ben", "RESIGN", to=at_seat(marne, marne.seat("Italy")))
    assert answer_to(mail).recipient == address_of("Emma")
    assert marne.seat("Italy").until is None


def test_who_resigned_is_told_how_to_come_back_when_they_order(marne: Cast) -> None:
    seat = resign(marne)
    mail = write("Emma", "A Rome Holds", to=at_seat(marne, seat))
    assert "You have resigned. Nobody has taken your seat yet" in said(mail)
    assert not marne.phase.order_sets.exists()
    mail = write("Emma", "RETURN", to=at_seat(marne, seat))
    assert "You play Italy in the game marne again, and everybody is told." in said(mail)
    assert marne.seat("Italy").player.name == "Emma"


@each_row(
    "text",
    [
        "A Rome Holds",
        "READY",
        "ORDERS",
        "CLEAR",
        "SAME",
        "HOLD ALL",
        "PHASE F1901M\nA Rome Holds",
        "PRESS TO Austria\nHello\nEND PRESS",
        "EXTEND 24h I need more time",
        "VOTE DRAW",
    ],
)
def test_the_reply_address_of_an_ended_tenure_opens_nothing_any_more(
    marne: Cast, text: str
) -> None:
    old = resign(marne)
    new = seat_take(game=marne.game, power=old.power, player=marne.player("Hugo"), now=NOW)
    orders_submit(
        seat=new,
        phase=marne.phase,
        lines=list(enumerate(OPENINGS["Italy"], start=1)),
        amend=False,
        received_at=NOW,
        source="<new@players.test>",
        now=NOW,
    )
    mail = write("Emma", text, to=at_seat(marne, old))
    assert "You no longer play Italy in the game marne, so nothing was done." in said(mail)
    assert "Apulia" not in said(mail), "what the new player ordered is not shown"
    assert marne.phase.order_sets.count() == 1
    assert not marne.game.press.exists()


@pytest.mark.parametrize("to_all", [True, False])
def test_an_answer_to_old_press_is_not_passed_on_for_an_ended_tenure(
    marne: Cast, to_all: bool
) -> None:
    write("Ana", "PRESS TO Italy\nHello\nEND PRESS", to=at_seat(marne, marne.seat("Austria")))
    press = marne.game.press.get()
    old = resign(marne)
    answer = addresses.answer_address(seat=old, press=press, to_all=to_all, now=NOW)
    mail = write("Emma", "Farewell, my friend", to=answer)
    assert "You no longer play Italy in the game marne" in said(mail)
    assert marne.game.press.count() == 1


def test_a_substitute_is_not_shown_the_press_of_their_predecessor(marne: Cast) -> None:
    write("Ana", "PRESS TO Italy\nLet us ally\nEND PRESS", to=at_seat(marne, marne.seat("Austria")))
    tell_all()
    resign(marne)
    from_home("Hugo", "TAKEOVER marne Italy")
    tell_all()
    new = at_seat(marne, marne.seat("Italy"))
    for text in ("ORDERS", "STATUS", "LOG", "HISTORY", "MAP", "PRESS", "SAME"):
        write("Hugo", text, to=new)
    mails = OutboundMail.objects.filter(recipient=address_of("Hugo"))
    assert mails.count() >= 8
    assert not any("Let us ally" in flat(mail.body) for mail in mails)


def test_who_was_replaced_is_told_so_when_they_return(marne: Cast) -> None:
    old = resign(marne)
    seat_take(game=marne.game, power=old.power, player=marne.player("Hugo"), now=NOW)
    mail = write("Emma", "RETURN", to=at_seat(marne, old))
    assert "has a new player now, so you cannot come back" in said(mail)


def test_a_player_in_disorder_returns_by_a_word_or_by_orders(marne: Cast) -> None:
    for text in ("RETURN", "A Rome Holds"):
        disorder_declare(game=marne.game, power=power(marne), why="Gone.", by="gm", now=NOW)
        write("Emma", text, to=at_seat(marne, marne.seat("Italy")))
        assert power(marne).disorder_since is None


def test_status_tells_a_player_in_disorder_how_to_come_back(marne: Cast) -> None:
    seat = marne.seat("Italy")
    disorder_declare(game=marne.game, power=power(marne), why="x", by="the GM", now=NOW)
    status = said(write("Emma", "STATUS", to=at_seat(marne, seat)))
    assert "Your power Italy is in civil disorder." in status
    assert power(marne).disorder_since, "to look is not to come back"
    assert "civil disorder." not in said(from_home("Ben", "STATUS"))


def test_status_tells_a_late_player_that_the_seat_is_open_and_return_until_when(
    marne: Cast,
) -> None:
    seat = marne.seat("Italy")
    Power.objects.filter(name="Italy").update(open_since=NOW)
    status = said(write("Emma", "STATUS", to=at_seat(marne, seat)))
    assert "The seat of your power Italy is open to others." in status
    back = said(write("Emma", "RETURN", to=at_seat(marne, seat)))
    assert "MAP marne shows the board. Deadline:" in back, "no mail is sent that says so"
    assert "in the game marne again. " in back, "and nobody else hears of it"


def test_who_returns_from_civil_disorder_reads_that_the_orders_are_void(marne: Cast) -> None:
    disorder_declare(game=marne.game, power=power(marne), why="Gone.", by="gm", now=NOW)
    mail = write("Emma", "RETURN", to=at_seat(marne, marne.seat("Italy")))
    assert "before civil disorder was declared no longer counts" in said(mail)


def test_who_takes_a_resignation_back_reads_that_the_orders_stand(marne: Cast) -> None:
    submit(marne, "Italy", OPENINGS["Italy"], NOW)
    resign(marne)
    body = said(from_home("Emma", "RETURN"))
    assert "Whatever you had ordered for the open phase still stands" in body
    assert "civil disorder" not in body
    shown = said(write("Emma", "ORDERS", to=at_seat(marne, marne.seat("Italy"))))
    assert "A Venice" in shown
    assert "no order yet" not in shown


def resign_and_return(cast: Cast) -> Seat:
    """What Emma's reply addresses name; she has Italy again by another tenure."""
    old = resign(cast)
    from_home("Emma", "RETURN")
    assert cast.seat("Italy") != old
    return old


def test_who_came_back_may_answer_the_mails_from_before(marne: Cast) -> None:
    old = resign_and_return(marne)
    write("Emma", "\n".join(OPENINGS["Italy"]), to=at_seat(marne, old))
    order_set = marne.phase.order_sets.get()
    assert (order_set.seat, order_set.counts) == (marne.seat("Italy"), True)


def test_who_came_back_may_answer_the_press_from_before(marne: Cast) -> None:
    write("Ana", "PRESS TO Italy\nHello\nEND PRESS", to=at_seat(marne, marne.seat("Austria")))
    press = marne.game.press.get()
    old = resign_and_return(marne)
    answer = addresses.answer_address(seat=old, press=press, to_all=False, now=NOW)
    write("Emma", "Hello again", to=answer)
    assert marne.game.press.latest("pk").seat == marne.seat("Italy")


def test_nobody_else_speaks_by_the_reply_address_of_who_came_back(marne: Cast) -> None:
    old = resign_and_return(marne)
    mail = write("Ben", "A Rome Holds", to=at_seat(marne, old))
    assert mail.state == State.HELD
    assert answer_to(mail).recipient == address_of("Emma")
    assert not marne.phase.order_sets.exists()


def test_an_old_address_is_nobody_s_while_another_plays_though_its_player_was_back_once(
    marne: Cast,
) -> None:
    oldest = resign_and_return(marne)
    middle = resign(marne)
    seat_take(game=marne.game, power=oldest.power, player=marne.player("Hugo"), now=NOW)
    for seat in (oldest, middle):
        mail = write("Emma", "A Rome Holds", to=at_seat(marne, seat))
        assert "You no longer play Italy in the game marne" in said(mail)
    assert not marne.phase.order_sets.exists()


AHEAD = "PHASE F1901M\nA Rome - Apulia\nA Venice Holds\nF Naples Holds"


def test_orders_sent_ahead_come_back_with_who_resigned(marne: Cast) -> None:
    write("Emma", AHEAD, to=at_seat(marne, marne.seat("Italy")))
    resign(marne)
    assert "We are keeping orders of yours for Fall 1901 movement" in said(
        from_home("Emma", "RETURN")
    )
    assert "A Rome - Apulia" in said(from_home("Emma", "PHASE"))
    play_on(marne)
    assert "A Rome - Apulia" in current_lines(marne.phase, power(marne))


def test_orders_sent_ahead_for_a_phase_that_opened_meanwhile_count_in_it(marne: Cast) -> None:
    write("Emma", f"A Rome Holds\n{AHEAD}", to=at_seat(marne, marne.seat("Italy")))
    resign(marne)
    play_on(marne)
    assert current_lines(marne.phase, power(marne)) == ()
    body = said(from_home("Emma", "RETURN marne"))
    assert "still stands" in body
    assert "are kept for" not in body
    assert "A Rome - Apulia" in current_lines(marne.phase, power(marne))


def test_a_mail_stays_secret_while_its_orders_ahead_wait_in_the_new_tenure(marne: Cast) -> None:
    text = "A Rome Holds\nPHASE S1902M\nA Rome - Apulia"
    mail = write("Emma", text, to=at_seat(marne, marne.seat("Italy")))
    resign(marne)
    from_home("Emma", "RETURN")
    play_on(marne)
    boss = User.objects.create_superuser("boss")
    assert not sight(boss, mail).may_read
    AdvanceOrders.objects.update(used_at=NOW)
    assert sight(boss, mail).may_read


def test_orders_sent_ahead_stay_away_from_a_phase_that_began_in_civil_disorder(marne: Cast) -> None:
    write("Emma", f"{AHEAD}\nPHASE S1902M\nF Naples Holds", to=at_seat(marne, marne.seat("Italy")))
    resign(marne)
    disorder_declare(game=marne.game, power=power(marne), why="Gone.", by="gm", now=NOW)
    play_on(marne)
    body = said(from_home("Emma", "RETURN marne"))
    assert current_lines(marne.phase, power(marne)) == ()
    assert "We are keeping orders of yours for Spring 1902 movement." in body


def test_who_takes_over_gets_no_orders_that_were_sent_ahead(marne: Cast) -> None:
    write("Emma", AHEAD, to=at_seat(marne, marne.seat("Italy")))
    old = resign(marne)
    new = seat_take(game=marne.game, power=old.power, player=marne.player("Hugo"), now=NOW)
    assert not new.advance_orders.exists()
    play_on(marne)
    assert current_lines(marne.phase, power(marne)) == ()


def test_return_needs_no_game_when_only_one_seat_is_open(marne: Cast) -> None:
    resign(marne)
    assert "MAP marne shows the board. A mail follows" in said(from_home("Emma", "RETURN"))


def test_return_asks_for_orders_only_where_there_is_something_to_decide(marne: Cast) -> None:
    play_on(marne)
    submit(marne, "France", ["A Spain Holds"], NOW + 4 * DAY)  # a centre, so there are builds
    phase_process_now(game_id=marne.game.pk, now=NOW + 6 * DAY)
    assert marne.phase.name == "W1901A"
    assert power(marne).disorder_since  # Italy sent nothing twice
    body = said(from_home("Emma", "RETURN"))
    assert "Italy has nothing to decide in Winter 1901 adjustments. MAP marne shows the" in body
    assert "send your orders" not in body


def test_return_after_disorder_asks_for_orders_and_names_the_board(marne: Cast) -> None:
    disorder_declare(game=marne.game, power=power(marne), why="-", by="gm", now=NOW)
    body = said(from_home("Emma", "RETURN"))
    assert "Please send your orders now" in body
    assert "MAP marne shows the board. A mail follows with what you have to decide" in body


def test_return_without_an_open_seat_says_so(marne: Cast) -> None:
    assert "No seat of yours is open" in said(from_home("Hugo", "RETURN"))
    assert "nothing has changed" in said(from_home("Emma", "RETURN"))


def test_who_was_removed_is_told_whom_to_ask(marne: Cast) -> None:
    seat = marne.seat("Italy")
    seat_vacate(game=marne.game, power=seat.power, why="Two accounts.", by="gm", now=NOW)
    for again in ("RETURN marne", "TAKEOVER marne Italy"):
        answer = said(from_home("Emma", again))
        assert "only the game's GM or a moderator can give it back" in answer
        assert "write MODERATOR and why" in answer


@pytest.mark.parametrize(("text", "at_most"), [("STANDBY", 1), ("standby 2.", 2)])
def test_standby_puts_a_player_on_the_list(marne: Cast, text: str, at_most: int) -> None:
    mail = from_home("Hugo", text)
    assert "You are on the standby list." in said(mail)
    assert Standby.objects.get(until=None).at_most == at_most


def test_standby_off_takes_them_from_it(marne: Cast) -> None:
    assert "You are not on the standby list" in said(from_home("Hugo", "STANDBY OFF"))
    from_home("Hugo", "STANDBY")
    assert "no longer on the standby list" in said(from_home("Hugo", "STANDBY OFF"))
    assert not Standby.objects.filter(until=None).exists()


def test_a_stranger_is_asked_to_register_first(marne: Cast) -> None:
    mail = write("Nobody", "STANDBY", sender="nobody@elsewhere.test")
    assert "REGISTER" in said(mail)


def test_list_shows_open_seats_and_how_to_take_one(marne: Cast) -> None:
    assert "TAKEOVER" not in said(from_home("Hugo", "LIST"))
    resign(marne)
    text = said(from_home("Hugo", "LIST"))
    assert (
        "- marne: Italy, 3 centres and 3 units. The map is Standard. The phase is Spring 1901 "
        "movement. Deadline: Thu 5 Mar" in text
    )
    assert "for example: TAKEOVER marne Italy" in text


@each_row(
    "text",
    [
        "TAKEOVER marne Italy",
        "takeover Italy marne.",
        "TAKEOVER ital@marne",
        "TAKEOVER marne",
        "TAKEOVER http://127.0.0.1:8000/games/marne/?utm_source=mail Italy",
    ],
)
def test_takeover_takes_an_open_seat(marne: Cast, text: str) -> None:
    resign(marne)
    mail = from_home("Hugo", text)
    assert "you now play Italy in the game marne" in said(mail)
    assert marne.seat("Italy").player.name == "Hugo"


def test_takeover_without_proof_is_held(marne: Cast) -> None:
    resign(marne)
    mail = write("Hugo", "TAKEOVER marne Italy")
    assert mail.state == State.HELD
    assert not Seat.objects.filter(player__name="Hugo").exists()


@each_row(
    ("text", "answer"),
    [
        ("TAKEOVER", "These seats are open: marne Italy."),
        ("TAKEOVER verdun Italy", "“verdun Italy” names no game that is played here."),
        ("TAKEOVER marne Spain", "which power of marne you would take"),
        ("TAKEOVER marne France", "The seat of France in the game marne is not open"),
    ],
)
def test_takeover_says_what_is_open(marne: Cast, text: str, answer: str) -> None:
    resign(marne)
    assert answer in said(from_home("Hugo", text))


def test_the_second_reads_that_somebody_was_faster(marne: Cast) -> None:
    make_player("Ines")
    resign(marne)
    from_home("Ines", "TAKEOVER marne Italy")
    assert "Somebody else was faster" in said(from_home("Hugo", "TAKEOVER marne Italy"))


def test_a_standby_reads_that_the_player_has_come_back(marne: Cast) -> None:
    from_home("Hugo", "STANDBY")
    resign(marne)
    offer = offer_mail(marne)
    from_home("Emma", "RETURN marne")
    answer = said(write("Hugo", "YES", to=offer.reply_to))
    assert "The player of Italy in the game marne has come back." in answer
    assert "faster" not in answer


@each_row(
    "text",
    [
        *("YES", "yes", "TAKEOVER", "TAKEOVER marne Italy", "Oui", "Yes, I'd love to!\n\nHugo"),
        *("Sure, count me in", "Of course, I’ll take it. Thank you!", "I’d love to play"),
    ],
)
def test_a_yes_to_an_offer_takes_the_seat(marne: Cast, text: str) -> None:
    from_home("Hugo", "STANDBY")
    resign(marne)
    mail = write("Hugo", text, to=offer_mail(marne).reply_to)
    assert "you now play Italy in the game marne" in said(mail)
    assert Offer.objects.get().end == "taken"


@each_row(
    "text", ["Yes, but only until May", "Yes, if nobody else wants to", "Sure, who else plays?"]
)
def test_half_a_yes_to_an_offer_is_asked_about(marne: Cast, text: str) -> None:
    from_home("Hugo", "STANDBY")
    resign(marne)
    mail = write("Hugo", text, to=offer_mail(marne).reply_to)
    assert "We are not sure what you mean" in said(mail)


def test_a_later_reply_to_the_offer_is_for_the_seat(marne: Cast) -> None:
    from_home("Hugo", "STANDBY")
    resign(marne)
    reply_to = offer_mail(marne).reply_to
    write("Hugo", "YES", to=reply_to)
    assert "A Rome Holds" in said(write("Hugo", "A Rome Holds", to=reply_to))
    assert marne.phase.order_sets.get().seat == marne.seat("Italy")


def test_a_no_declines_the_offer(marne: Cast) -> None:
    from_home("Hugo", "STANDBY")
    resign(marne)
    mail = write("Hugo", "NO", to=offer_mail(marne).reply_to)
    assert "we will not offer you this seat again. If you change your mind" in said(mail)
    assert "write TAKEOVER marne Italy." in said(mail)
    assert Offer.objects.get().end == "declined"


def test_words_that_are_neither_are_asked_about(marne: Cast) -> None:
    from_home("Hugo", "STANDBY")
    resign(marne)
    mail = write("Hugo", "What is the press like there?", to=offer_mail(marne).reply_to)
    assert "To take the seat, write YES on a line of its own." in said(mail)
    assert Offer.objects.get().end == ""


def test_an_offer_that_somebody_else_took_is_over(marne: Cast) -> None:
    make_player("Ines")
    from_home("Hugo", "STANDBY")
    resign(marne)
    offer = offer_mail(marne)
    from_home("Ines", "TAKEOVER marne Italy")
    assert "Somebody else was faster" in said(write("Hugo", "YES", to=offer.reply_to))
    assert "already over" in said(write("Hugo", "NO", to=offer.reply_to))


def test_a_forwarded_offer_is_no_use_to_its_reader(marne: Cast) -> None:
    make_player("Ines")
    from_home("Hugo", "STANDBY")
    resign(marne)
    mail = write("Ines", "YES", to=offer_mail(marne).reply_to)
    assert mail.state == State.HELD
    assert answer_to(mail).recipient == address_of("Hugo")
    assert power(marne).open_since is not None
    done = write("Hugo", "CONFIRM", to=answer_to(mail).reply_to, received_at=NOW + HOUR)
    assert "you now play Italy" in said(done)


def test_what_is_neither_yes_nor_no_is_asked_back_and_a_yes_to_that_takes_the_seat(
    marne: Cast,
) -> None:
    from_home("Hugo", "STANDBY")
    resign(marne)
    asked_back = write("Hugo", "What is it like there?", to=offer_mail(marne).reply_to)
    write("Hugo", "YES", to=asked_back.answers.get().reply_to)
    assert Offer.objects.get().end == "taken"
