"""How much is too much: of one sender in an hour, of refusals in a day, of one mail."""

from __future__ import annotations

import datetime as dt
import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import TypeVar

import pytest
from pytest_django import Settings

from games.models import Game, OrderSet
from games.queries.board import reads_as_order
from judge.text.words import split_line
from mailer import jobs
from mailer.commands import gm, yes_and_no
from mailer.commands.calls import Call
from mailer.commands.gm import mail as gm_mail
from mailer.commands.gm.lines import arguments, greeted, plain_words
from mailer.commands.gm.seats import replace
from mailer.commands.lines import around_orders
from mailer.commands.lines.fair_share import MOST_LETTERS, MOST_LINES, fair_share
from mailer.commands.lines.splitting import MOST_BROKEN, MOST_SENTENCES, split_lines
from mailer.commands.lines.which_command import KIND_END
from mailer.commands.orders import repeated
from mailer.commands.player import WORDS
from mailer.commands.player.messages.press import without_identity
from mailer.commands.script import read_lines, read_script
from mailer.commands.texts import not_understood, order_lines
from mailer.commands.wishes import everyday_words
from mailer.identity.senders import Stranger
from mailer.inbound import processing, store
from mailer.letter import read_letter
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import addresses
from mailer.reading import courtesies, doubts, parser
from mailer.reading.quotes import Line
from mailer.replies import budget
from tests.cast import DAY, HOUR, NOW, Cast
from tests.mailer.correspondence import answer_to, eml, flat, receive, to_seat, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db
State = InboundMail.State
MINUTE = dt.timedelta(minutes=1)
T = TypeVar("T")
HEAD = b"From: a@b.test\r\n"


def to_france(cast: Cast) -> str:
    return to_seat(cast)


def of_kind(kind: str, recipient: str = "carla@players.test") -> list[OutboundMail]:
    mails = OutboundMail.objects.filter(kind=kind, recipient=recipient)
    return list(mails.order_by("pk"))


SQUARE = 8.0
"""Four times as much to read takes four times as long where each sign is gone through once, and
sixteen times as long where it grows with the square."""


_TELLING = 1_000_000
"""Nanoseconds that a clock tells apart."""


def growth(
    made: Callable[[int], T], most: int, look: Callable[[T], object], rounds: int = 3
) -> float:
    """How many times as long `look` takes for what is `made` with `most` of something as for that
    with a quarter of it: the same on any machine."""
    quarter = _usual(made(most // 4), look, rounds)
    return _usual(made(most), look, rounds) / quarter


def _usual(what: T, look: Callable[[T], object], rounds: int) -> float:
    """The processor time of one call, of so many in a row that a clock can tell; the usual one of
    several, because once in a while a virtual machine counts none."""
    calls = 1
    while _time_of(calls, what, look) < _TELLING:
        calls *= 2
    return statistics.median(_time_of(calls, what, look) for _ in range(rounds)) / calls


def _time_of(calls: int, what: T, look: Callable[[T], object]) -> int:
    begun = time.process_time_ns()
    for _ in range(calls):
        look(what)
    return time.process_time_ns() - begun


# --- Mails of one sender in an hour ---------------------------------------------------------


@pytest.fixture
def three(settings: Settings) -> None:
    settings.MAILS_PER_HOUR = 3


def test_what_is_too_much_for_an_hour_is_kept_and_done_when_there_is_room(
    marne: Cast, three: None
) -> None:
    to = to_france(marne)
    mails = [
        write("Carla", f"A Paris - {place}", to=to, received_at=NOW + number * MINUTE)
        for number, place in enumerate(["Burgundy", "Picardy", "Gascony", "Brest", "Burgundy"])
    ]
    assert [mail.state for mail in mails] == [State.DONE] * 3 + [State.LATER] * 2
    assert OrderSet.objects.count() == 3
    assert jobs.process(NOW + 59 * MINUTE) == 0
    assert jobs.process(NOW + HOUR) == 1
    mails[3].refresh_from_db()
    assert mails[3].state == State.DONE
    assert OrderSet.objects.latest("pk").received_at == NOW + 3 * MINUTE
    jobs.process(NOW + 2 * HOUR)
    assert OrderSet.objects.count() == 5


def test_the_sender_is_told_once_a_day_what_that_means(marne: Cast, three: None) -> None:
    for number in range(8):
        write("Carla", f"STATUS\nnumber {number}", to=to_france(marne))
    [said] = of_kind("later")
    assert "Nothing is lost" in flat(said.body)
    assert "More than 3 mails" in flat(said.body)
    assert max(map(len, said.body.splitlines())) <= 72


def test_who_forges_a_player_uses_up_nothing_of_hers(marne: Cast, three: None) -> None:
    for number in range(10):
        write("Carla", f"LIST\nnumber {number}", sender="carla@players.test")
    mine = write("Carla", "A Paris - Burgundy", to=to_france(marne))
    assert mine.state == State.DONE
    assert OrderSet.objects.get().counts


def test_others_are_not_held_up(marne: Cast, three: None) -> None:
    for number in range(6):
        write("Zoe", f"hello {number}")
    assert write("Ana", "LIST").state == State.DONE


def test_mails_that_wait_hold_up_no_deadline(marne: Cast, three: None, settings: Settings) -> None:
    settings.IMAP_URLS = ["imap://judge:secret@mail.test/INBOX"]
    mails = [write("Zoe", f"hello {number}") for number in range(5)]
    assert mails[-1].state == State.LATER
    assert store.all_mail_read(due_at=NOW, now=NOW)


def test_a_mail_that_waits_is_not_done_twice(marne: Cast, three: None) -> None:
    mails = [write("Carla", f"A Par - Bur\nnumber {n}", to=to_france(marne)) for n in range(4)]
    assert processing.process_mail(mail_id=mails[-1].pk, now=NOW) is None
    assert processing.process_mail(mail_id=mails[-1].pk, now=NOW + HOUR) is State.DONE
    assert processing.process_mail(mail_id=mails[-1].pk, now=NOW + HOUR) is None
    assert OrderSet.objects.count() == 4


# --- Answers --------------------------------------------------------------------------------


def test_a_day_has_only_so_many_refusals_and_the_last_one_says_so(
    marne: Cast, settings: Settings
) -> None:
    settings.REFUSALS_PER_DAY = 3
    mails = [write("Carla", f"gibberish {n}", to=to_france(marne)) for n in range(5)]
    answered = [mail.answers.count() for mail in mails]
    assert answered == [1, 1, 1, 0, 0]
    assert "until tomorrow" in flat(answer_to(mails[2]).body)
    assert "until tomorrow" not in flat(answer_to(mails[1]).body)
    good = write("Carla", "A Paris - Burgundy", to=to_france(marne))
    assert good.answers.count() == 1
    tomorrow = NOW + DAY
    assert write("Carla", "gibberish 9", to=to_france(marne), received_at=tomorrow).answers.exists()


def test_whoever_proved_themselves_can_resign_after_the_last_question_of_a_day(marne: Cast) -> None:
    for number in range(9):
        write("Carla", f"A Paris - Burgundy\nnumber {number}")
    write("Carla", "RESIGN", to=to_france(marne))
    assert "Are you sure you want to resign" in of_kind("question")[-1].subject


def test_after_the_last_question_of_a_day_the_player_is_told_that_no_more_are_asked(
    marne: Cast,
) -> None:
    mails = [write("Carla", f"A Paris - Burgundy\nnumber {number}") for number in range(9)]
    assert len(of_kind("question")) == budget.STRANGERS_BUDGET
    [said] = of_kind("unasked")
    assert "asked you 5 times" in flat(said.body)
    assert "a reply to one of our mails" in flat(said.body)
    assert {mail.state for mail in mails} == {State.HELD}
    assert "nobody was asked" in mails[-1].note
    assert write("Carla", "A Paris - Burgundy", to=to_france(marne)).state == State.DONE


def test_a_gm_of_many_boards_is_asked_to_confirm_every_act_of_a_day(marne: Cast) -> None:
    to = addresses.gm_address(user=marne.gm, game=marne.game, now=NOW)
    for number in range(budget.UNPROVED_BUDGET + 5):
        mail = write("gm", f"PROCESS because {number}", to=to)
        assert answer_to(mail).subject == "[marne] NOT done yet: please confirm"


def test_a_gm_who_is_not_proved_is_told_that_no_more_is_asked(marne: Cast) -> None:
    mails = [
        write("gm", f"GM marne PROCESS because {number}")
        for number in range(budget.UNPROVED_BUDGET + 5)
    ]
    assert len(of_kind("question", "gm@players.test")) == budget.UNPROVED_BUDGET
    [said] = of_kind("unasked", "gm@players.test")
    assert "asked you 30 times to confirm a mail to us as game master" in flat(said.body)
    assert {mail.state for mail in mails} == {State.HELD}
    to = addresses.gm_address(user=marne.gm, game=marne.game, now=NOW)
    assert "please confirm" in answer_to(write("gm", "PROCESS", to=to)).subject


# --- One mail -------------------------------------------------------------------------------


def nested(depth: int) -> bytes:
    head, tail = b"", b""
    for level in range(depth):
        cut = f"b{level}".encode()
        head += b'Content-Type: multipart/mixed; boundary="' + cut + b'"\r\n\r\n--' + cut + b"\r\n"
        tail = b"\r\n--" + cut + b"--\r\n" + tail
    return b"From: ana@players.test\r\n" + head + b"\r\nA Vienna - Galicia" + tail


@each_row("depth", [parser.DEEPEST + 1, parser.MOST_PARTS - 1, parser.MOST_PARTS + 1, 5000])
def test_parts_nested_too_deep_are_left_out_and_said(depth: int) -> None:
    letter = read_letter(nested(depth))
    assert letter.lines == ()
    assert letter.left_out


def test_parts_nested_as_deep_as_people_s_mails_are_read() -> None:
    assert [line.text for line in read_letter(nested(10)).lines] == ["A Vienna - Galicia"]


def test_more_parts_than_people_send_are_left_out_and_said() -> None:
    parts = b"--x\r\nContent-Type: text/plain\r\n\r\nA Vienna - Galicia\r\n"
    raw = (
        b"From: ana@players.test\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n"
        + parts * (parser.MOST_PARTS + 50)
        + b"--x--\r\n"
    )
    letter = read_letter(raw)
    assert 0 < len(letter.lines) <= parser.MOST_PARTS
    assert "parts beyond" in letter.left_out[0]


@pytest.mark.parametrize(
    "text", ["A Par H\n" * (parser.MOST_LINES + 100), "x" * 70 + "\n" + "words and more " * 10_000]
)
def test_more_text_than_people_write_is_left_out_and_said(text: str) -> None:
    letter = read_letter(eml(text, sender="ana@players.test"))
    assert len(letter.lines) <= parser.MOST_LINES
    assert sum(len(line.text) for line in letter.lines) <= parser.LONGEST_TEXT
    assert "everything after" in letter.left_out[0]


@pytest.mark.parametrize(
    ("made", "most"),
    [
        (lambda number: nested(number), 10_000),
        (lambda n: b"To: " + b"a@b.test," * n + b"\r\nFrom: a@b.test\r\n\r\nhello", 100_000),
        (lambda n: b"From: " + b"(" * n + b"a@b.test\r\n\r\nhello", 50_000),
        (lambda n: HEAD + b"Subject: " + b"=?utf-8?q?=41?= " * n + b"\r\n\r\nhello", 25_000),
        (lambda n: HEAD + b"Content-Type: text/html\r\n\r\n" + b"<div><b>" * n, 100_000),
        (lambda n: HEAD + b"X-A: b\r\n" * n + b"\r\nhello", 20_000),
    ],
    ids=["parts", "recipients", "comments", "words", "html", "headers"],
)
def test_a_mail_made_to_keep_us_busy_does_not(made: Callable[[int], bytes], most: int) -> None:
    assert growth(made, most, read_letter) < SQUARE


def test_headers_that_only_look_like_addresses_leave_time_for_the_text() -> None:
    to = (b"To: " + b"a." * 9_900 + b"\r\n") * 12
    letter = read_letter(b"From: a@b.test\r\n" + to + b"\r\nhello")
    assert (letter.sender, letter.left_out) == ("a@b.test", ())


def test_a_press_without_a_blank_is_looked_through_in_no_time(db: None) -> None:
    stranger = Stranger("a@b.test")
    looked = partial(without_identity, sender=stranger)
    assert growth(lambda number: "a;" * number, 150_000, looked) < SQUARE


def test_such_a_mail_is_answered_or_ignored_and_the_next_one_is_read(marne: Cast) -> None:
    receive(nested(20_000))
    assert write("Carla", "A Paris - Burgundy", to=to_france(marne)).state == State.DONE


def split_order(line: str) -> list[object]:
    """The pieces of a line of orders."""
    return list(split_line(line))


def gm_commands(text: str) -> list[Call]:
    """The commands of a game master's mail."""
    lines = [Line(number, line) for number, line in enumerate(text.splitlines(), start=1)]
    whole = Call(gm_mail.GM, "", 1, calls=tuple(read_lines(lines, [], gm.WORDS)))
    return gm_mail._commands(whole, Game())


@pytest.mark.parametrize(
    ("look", "text"),
    [
        (partial(courtesies.THANKS_AFTER.sub, ""), ("x", "\t", 198, "y")),
        (doubts.HEADS_CONDITION.fullmatch, ("if a", " ", 395, "b")),
        (KIND_END.search, ("", ", ", 495, "b")),
        (KIND_END.search, ("", ":)", 495, "b")),
        (plain_words.as_command, ("please x", " ", 1980, "y")),
        (plain_words.as_command, ("please x", "?", 1980, "y")),
        (arguments._OUT_OF_GAME.match, ("", " ", 1980, "y")),
        (partial(arguments._PLEASE_AFTER.sub, ""), ("x", " ", 1980, "y")),
        (partial(arguments._PLEASE_AFTER.sub, ""), ("", "x please", 250, "y")),
        (around_orders.in_plain_words, ("A Par - Bur", " ", 1900, "because" + " " * 60 + "-")),
        (around_orders.in_plain_words, ("A Par - Bur because", " because", 240, " -")),
        (around_orders.in_plain_words, ("A Par - Bur because q", " and x", 16, " to z")),
        (greeted._GREETS.fullmatch, ("Dear", " ", 1980, "\n")),
        (greeted._GREETS.fullmatch, ("Dear players", " ", 1980, "x\n")),
        (courtesies.FINAL_ORDERS.match, ("my orders", " for", 480, "")),
        (courtesies.FINAL_ORDERS.match, ("my orders for", " ", 1980, "x")),
        (courtesies.FINAL_ORDERS.match, ("my orders", " for spring", 180, "")),
        (replace._BY.fullmatch, ("x", " ", 1980, "y")),
        (repeated.AS_BEFORE.fullmatch, ("a", " ", 990, "b")),
        (yes_and_no.bare, ("a", "~", 1990, "b")),
        (not_understood.POLITE.fullmatch, ("Please ", ".", 1990, "b")),
        (order_lines.OR_IF.search, ("b", "–", 1990, "b")),
        (everyday_words.NEXT_QUESTION.split, ("a", " ", 1990, "b")),
        (split_order, ("", ". ", 990, "")),
        (split_order, ("", "x,", 990, "")),
        (split_order, ("x", "~", 1980, "y")),
        (split_order, ("", "é", 1990, "")),
        (gm_commands, ("", "EXTEND 24h\n", 800, "")),
        (courtesies.DASH_AFTER_GREETING.match, ("hi", " x", 190, "\n")),
        (courtesies.DASH_AFTER_GREETING.match, ("hi", " ", 1980, "-")),
    ],
)
def test_blanks_and_signs_without_end_are_gone_through_once(
    look: Callable[[str], object], text: tuple[str, str, int, str]
) -> None:
    """A mail has room for hundreds of such lines, and nothing ends the work that they make."""
    head, unit, most, tail = text
    assert growth(lambda number: f"{head}{unit * number}{tail}", most, look, 9) < SQUARE


@each_row(
    "line",
    [
        "A Par S A Mar - Bur S F Bre {}",
        "A Par S A Mar - Bur S F Bre {} via",
        "A Par S A Mar - Bur S F Bre {}, READY",
        "A Par S A Mar - Bur S F Bre {}, the rest as before",
        "A Par S A Mar - Bur S F Bre {}, thanks",
        "A Par -\nA Mar - Bur S F Bre {}",
        pytest.param(f"{'A Bre - Gas, ' * 30}A Mar {{}}, READY", id="a long list"),
    ],
)
def test_of_a_mail_of_near_orders_few_lines_are_read_on_every_map(line: str) -> None:
    """Each takes a thousandth of a second or two, and anybody can write two thousand of them."""
    text = "\n".join(line.format(number) for number in range(1000, 2000))
    letter = read_letter(eml(text, sender="a@b.test"))
    before = reads_as_order.cache_info().misses
    read_script(letter, WORDS)
    most = min(MOST_BROKEN, MOST_LETTERS // len(line) + 1)
    assert reads_as_order.cache_info().misses - before <= 4 * most


def test_the_sentences_of_a_line_are_read_one_by_one() -> None:
    """A line took a sixth of a second where each was read with all behind it."""
    text = " ".join(["Par-Bur."] * (MOST_SENTENCES - 1) + ["Sorry for the delay!"])
    before = reads_as_order.cache_info().misses
    assert len(list(split_lines([Line(1, text)], WORDS))) == MOST_SENTENCES - 1
    assert reads_as_order.cache_info().misses - before < MOST_SENTENCES / 2
    assert len(list(split_lines([Line(1, f"{text} Thanks!")], WORDS))) == 1


@each_row(
    "line",
    [
        "Paris goes where Burgundy and Gascony are at time {} today",
        "Please let my army in Paris go {} to Burgundy with the army",
        "A Bre - Gas\n> A Par S A Mar - Bur S F Bre {}",
    ],
)
def test_of_a_mail_that_is_no_order_few_lines_are_looked_at_closely(marne: Cast, line: str) -> None:
    text = "\n".join(line.format(number) for number in range(1000, 2000))
    before = reads_as_order.cache_info().misses
    assert write("Carla", text, to=to_france(marne)).state == State.DONE
    assert reads_as_order.cache_info().misses - before <= 4 * MOST_BROKEN


@each_row(
    "word, unit, most",
    [
        ("VOTE DRAW ", " ", 8000),
        ("PRESS TO ", " ", 8000),
        ("PRESS TO ", "grey ", 3000),
        ("CONCEDE TO ", " . ", 3000),
        ("REGISTER me", " ", 8000),
        ("REGISTER ", "please ", 3000),
    ],
)
def test_a_command_line_made_to_keep_us_busy_does_not(
    marne: Cast, word: str, unit: str, most: int
) -> None:
    to = to_seat(marne)

    def answered(line: str) -> None:
        assert write("Carla", line, to=to).answers.exists()

    grows = growth(lambda number: f"{word}{unit * number}x\nhello", most, answered)
    assert grows < SQUARE


def test_of_a_mail_with_far_too_many_orders_the_first_are_followed_and_the_rest_named(
    marne: Cast,
) -> None:
    lines = ["A Par - Bur", *("F Lon - Nth" for _ in range(MOST_LINES)), "A Mar - Spa"]
    said = flat(answer_to(write("Carla", "\n".join(lines), to=to_france(marne))).body)
    assert "we stopped reading yours at the line “F Lon - Nth”" in said
    assert "A Paris - Burgundy" in said
    assert "A Marseilles - Spain" not in said


def test_of_far_too_many_conditions_for_a_later_phase_none_is_tried(marne: Cast) -> None:
    text = "PHASE F1901M\n" + "IF Germany MOVES\nA Par - Bur\nENDIF\n" * 40
    said = flat(answer_to(write("Carla", text, to=to_france(marne))).body)
    assert "You wrote “PHASE F1901M”: Please send at most 100 lines for one phase." in said


def test_of_long_lines_as_many_are_read_as_have_room_and_one_in_any_case() -> None:
    half, whole = (Line(1, "A" * length) for length in (MOST_LETTERS // 2, MOST_LETTERS + 1))
    assert fair_share([half] * 3) == [half] * 2
    assert fair_share([whole, half]) == [whole]
