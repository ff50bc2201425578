"""What a mail may cost is bounded first: its bytes, parts, depth, marks, width, and time."""

from __future__ import annotations

import threading
import time
import unicodedata
from email.message import Message

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml.html import document_fromstring

from games.services.time_limit import TimeLimit, TookTooLong
from mailer import letter as letters
from mailer.letter import read_letter
from mailer.reading import clean, courtesies, mime, parser, tables
from mailer.reading.clean import clean_lines
from mailer.reading.parser import TooMuch, parse_mail
from tests.rows import each_row

FROM = b"From: ana@players.test\n"


def nested(depth: int, word: bytes, filling: bytes) -> bytes:
    head = b'Content-Type: multipart/mixed; %s="b%d"\n\n--b%d\n'
    return FROM + b"".join(head % (word, at, at) for at in range(depth)) + b"\n" + filling


def parts_of(message: Message) -> int:
    return sum(1 for _ in message.walk())


@pytest.mark.parametrize(
    "word", [b"boundary", b"BOUNDARY", b"boundary ", b"Boundary\t*0*", b"boundary\n "]
)
def test_depth_times_lines_is_refused_before_anything_is_parsed(
    word: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parser, "BytesFeedParser", None)
    raw = nested(190, word, b"\n" * 100_000)
    with pytest.raises(TooMuch):
        parse_mail(raw)


def test_lone_carriage_returns_are_lines_as_well() -> None:
    with pytest.raises(TooMuch):
        parse_mail(nested(190, b"boundary", b"\r" * 100_000))


@pytest.mark.parametrize(
    "raw",
    [
        FROM + b"Content-Type: multipart/mixed; boundary=z\n\n" + b"--z\n\n" * 100_000,
        FROM + b"Content-Type: message/rfc822\n\n" * 4000 + b"x",
        FROM + b"Content-Type: message/delivery-status\n\n" + b"Action: failed\n\n" * 16_000,
        nested(400, b"BOUNDARY", b""),
    ],
    ids=["empty", "mails", "reports", "nested"],
)
def test_no_more_parts_are_made_than_are_looked_at(raw: bytes) -> None:
    mail = parse_mail(raw)
    assert parts_of(mail.message) <= parser.MOST_PARTS
    assert not mail.is_whole
    letter = read_letter(raw)
    assert letter.sender == "ana@players.test"
    assert letter.left_out


@given(st.binary(max_size=400), st.sampled_from([b"X-Note", b"Content-Type", b"To"]))
def test_a_header_is_cut_to_what_people_need(value: bytes, name: bytes) -> None:
    raw = name + b": " + value.replace(b"\n", b"").replace(b"\r", b"") * 200 + b"\n\nx"
    kept = parse_mail(raw).message[name.decode()]
    most = parser.LONGEST_CONTENT_HEADER if name == b"Content-Type" else parser.LONGEST_HEADER
    assert len(str(kept)) <= most


def test_a_parameter_full_of_semicolons_is_cut_in_every_part() -> None:
    part = b'--z\nContent-Type: text/plain; x="' + b";" * 200_000 + b"\n\nA Par H\n--z--\n"
    mail = parse_mail(FROM + b"Content-Type: multipart/mixed; boundary=z\n\n" + part)
    for one in mail.message.walk():
        assert len(str(one["Content-Type"])) <= parser.LONGEST_CONTENT_HEADER


@each_row("extra", [0, 1, 1_000_000])
def test_only_the_beginning_of_a_large_mail_is_read_and_the_sender_hears_of_it(extra: int) -> None:
    head = FROM + b"\nA Par - Bur\n\n"
    raw = head + b"x" * (parser.LARGEST - len(head) + extra)
    letter = read_letter(raw)
    assert letter.lines[0].text == "A Par - Bur"
    assert mime.CUT_OFF in letter.left_out
    assert read_letter(raw[: parser.LARGEST]) == letter
    assert mime.CUT_OFF not in read_letter(raw[: parser.LARGEST - 1]).left_out


def test_a_mail_that_is_cut_within_a_letter_keeps_its_other_letters() -> None:
    head = FROM + b"Content-Type: text/plain; charset=utf-8\n\nZ\xc3\xbcge: Mar - Pi\xc3\xa9mont\n"
    for extra in (0, 1):
        rest = b"x" * extra + "ü".encode() * parser.LARGEST
        assert read_letter(head + rest).lines[0].text == "Züge: Mar - Piémont"


# --- Characters -----------------------------------------------------------------------------

MARKS = ["\u0301", "\u0323", "\u0f73", "\uff9e", "\u0344", "\u3099"]


@given(st.lists(st.sampled_from([*MARKS, "a", "é", "가"]), max_size=300))
def test_no_letter_keeps_more_marks_than_can_be_sorted_quickly(characters: list[str]) -> None:
    (line,) = clean_lines("a" + "".join(characters))
    run = longest = 0
    for character in unicodedata.normalize("NFKD", line):
        run = run + 1 if unicodedata.combining(character) else 0
        longest = max(longest, run)
    assert longest <= 2 * clean._MOST_MARKS + 2


def test_every_mark_is_known_under_whatever_name() -> None:
    unnamed = {
        character
        for character in map(chr, range(0x3_0000))
        if not unicodedata.combining(character)
        and all(map(unicodedata.combining, unicodedata.normalize("NFKD", character)))
    }
    assert unnamed <= clean._MARKS_BY_ANOTHER_NAME


@each_row("line", ["Zu\u0308ge", "प्रिय मित्र", "Tiếng Việt", "ぱ\u3099"])
def test_what_people_write_stays_as_it_is(line: str) -> None:
    assert clean_lines(line) == [unicodedata.normalize("NFKC", line)]


def test_text_is_cut_before_anything_slow_is_done_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []

    def noted(text: str) -> list[str]:
        seen.append(len(text))
        return clean_lines(text)

    monkeypatch.setattr(mime, "clean_lines", noted)
    text = "a" + "\u0301\u0323" * 50_000
    head = b"Content-Type: text/plain; charset=utf-8; format=flowed\n\n"
    read_letter(FROM + head + text.encode())
    assert max(seen) <= parser.LONGEST_TEXT


def test_a_heading_of_words_that_could_be_read_in_two_ways_is_read_in_one() -> None:
    """Otherwise each word doubles the time: fifteen of them took six seconds."""
    for words in ("for in ", "for for ", "of the spring ", "for spring 1901 ", "follow following "):
        assert not courtesies.ORDERS_FOLLOW.match(f"my orders {words * 300}x!")


# --- Tables ---------------------------------------------------------------------------------


@each_row(
    ("html", "too_wide"),
    [
        ("<table><tr><td>" + "x" * 100_000 + "<tr><td>y" * 15_000, True),
        ("<table><tr><td><table><tr><td>" + "x" * 9000 + "</table>" + "<tr><td>y" * 999, True),
        ("<table><tr>" + f"<td>{'x' * 100}" * 200 + "<tr><td>y" * 5000, True),
        ("<p>" + "x" * 200_000, False),
        ("<table><tr><td>A Par<td>-<td>Bur</table>", False),
        ("<table><tr><td>" + "<p>a line as people write it</p>" * 900 + "</table>", False),
        ("<table><tr><td>" * 10 + "x" * 3000 + "<tr><td>A Par - Bur" * 100, False),
    ],
)
def test_a_table_that_would_become_megabytes_is_known(html: str, too_wide: bool) -> None:
    assert tables.are_too_wide(document_fromstring(html)) is too_wide


# --- Time -----------------------------------------------------------------------------------


def spin(*_: object, **__: object) -> None:
    while True:
        pass


def swallowing() -> None:
    while True:
        try:
            spin()
        except Exception:
            continue


@pytest.mark.parametrize("work", [spin, swallowing])
def test_work_beyond_its_time_is_stopped(work: object) -> None:
    assert callable(work)
    with pytest.raises(TookTooLong), TimeLimit(0.05):
        work()


def test_a_limit_that_is_entered_again_has_only_what_is_left() -> None:
    limit = TimeLimit(60)
    with limit:
        began = time.thread_time()
        while time.thread_time() - began < 0.02:
            pass
    assert limit.seconds < 59.99


def test_a_mail_that_takes_too_long_is_read_by_its_header(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(letters, "READING_SECONDS", 0.05)
    monkeypatch.setattr(letters, "body_of", spin)
    letter = read_letter(FROM + b"Subject: orders\n\nA Par - Bur")
    assert (letter.sender, letter.subject, letter.lines) == ("ana@players.test", "orders", ())
    assert letter.left_out == ("your mail, because it took too long",)


def test_the_limit_is_gone_afterwards() -> None:
    with TimeLimit(0.02):
        pass
    deadline = threading.Event()
    threading.Timer(0.1, deadline.set).start()
    while not deadline.is_set():
        pass


def test_in_another_thread_mail_is_read_without_a_limit() -> None:
    found: list[str] = []
    reader = threading.Thread(
        target=lambda: found.extend(
            line.text for line in read_letter(FROM + b"\nA Par - Bur").lines
        )
    )
    reader.start()
    reader.join()
    assert found == ["A Par - Bur"]


@pytest.mark.parametrize("error", [RecursionError, ValueError, KeyError, AssertionError])
def test_whatever_breaks_a_parser_costs_the_body_alone_and_is_logged(
    error: type[Exception], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise error("A Par - Bur")

    monkeypatch.setattr(letters, "body_of", broken)
    letter = read_letter(FROM + b"\nA Par - Bur")
    assert letter.sender == "ana@players.test"
    assert letter.left_out == ("your mail, because its parts cannot be told apart",)
    assert error.__name__ in caplog.text
    assert "A Par" not in caplog.text


def test_a_letter_whose_header_breaks_a_parser_too_is_a_letter_of_nobody(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise IndexError("A Par - Bur")

    monkeypatch.setattr(letters, "body_of", broken)
    monkeypatch.setattr(letters, "parsed_header", broken)
    letter = read_letter(FROM + b"\nA Par - Bur")
    assert (letter.sender, letter.recipients, letter.lines) == (None, (), ())
    assert letter.left_out == ("your mail, because its parts cannot be told apart",)
    assert "IndexError" in caplog.text
    assert "A Par" not in caplog.text
