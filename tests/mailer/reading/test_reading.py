"""The small steps of reading: charsets, characters, flowed text, strict From, hostile headers."""

from __future__ import annotations

import email
import time

from hypothesis import given
from hypothesis import strategies as st

from mailer.letter import read_letter
from mailer.reading.clean import clean_line, clean_lines, decode_bytes, unflow
from mailer.reading.headers import decode_words, strict_sender
from mailer.reading.quotes import own_lines
from tests.rows import each_row

# --- From -----------------------------------------------------------------------------------


@each_row(
    ("header", "sender"),
    [
        ("ana@players.test", "ana@players.test"),
        ("Ana <ana@players.test>", "ana@players.test"),
        ('"Smith, Ana" <ana@players.test>', "ana@players.test"),
        ("=?utf-8?q?=C3=81na?= <ana@players.test>", "ana@players.test"),
        ("ANA@Players.TEST", "ana@players.test"),
        ("ana+games@players.test", "ana+games@players.test"),
        ("judge@localhost", "judge@localhost"),
        ("Ana\r\n <ana@players.test>", "ana@players.test"),
        ("ana@players.test)ben@players.test", None),
        ("ana@players.test<ben@evil.test>", None),
        ('"ana@players.test" <ben@evil.test>', "ben@evil.test"),
        ("ben@evil.test, ana@players.test", None),
        ("Players: ana@players.test;", None),
        ("ana@players.test (Ana)", "ana@players.test"),
        ("ana@players.test (Ana <ben@evil.test>)", None),
        ("ana@players.test (ben@evil.test)", None),
        ("ana@players.test (Ana) (Ana)", None),
        ("ana@players.test (Ana) ben@evil.test", None),
        ("ana@players.test (Ana\\) <ben@evil.test>", None),
        ("(Ana) ana@players.test", None),
        ("<ana@players.test> <ben@evil.test>", None),
        ("<@relay:ana@players.test>", None),
        ('"a b"@players.test', None),
        ("ana@[192.0.2.1]", None),
        ("=?utf-8?q?ana=40players.test_=3C?= <ben@evil.test>", "ben@evil.test"),
        ("ana@players..test", None),
        ("@players.test", None),
        ("", None),
        ("a" * 1000 + "@players.test", None),
    ],
)
def test_from_is_one_plain_mailbox_or_nobody(header: str, sender: str | None) -> None:
    raw = f"From: {header}\r\n\r\n".encode()
    assert strict_sender(email.message_from_bytes(raw)) == sender


def test_two_from_lines_are_nobody() -> None:
    raw = b"From: ana@players.test\r\nFrom: ben@players.test\r\n\r\n"
    assert strict_sender(email.message_from_bytes(raw)) is None


# --- characters -----------------------------------------------------------------------------


@each_row(
    ("raw", "declared", "text"),
    [
        ("é".encode(), "utf-8", "é"),
        ("é".encode(), None, "é"),
        ("é".encode(), "us-ascii", "é"),
        ("é".encode(), "iso-8859-1", "é"),
        ("é–".encode("cp1252"), "utf-8", "é–"),
        ("é".encode("latin-1"), "iso-8859-1", "é"),
        ("ł".encode("iso-8859-2"), "ISO-8859-2", "ł"),
        ("Привет".encode(), "windows-1251", "Привет"),
        ("Привет".encode("cp1251"), "windows-1251", "Привет"),
        ("Её ёж".encode("cp1251"), "windows-1251", "Её ёж"),
        ("Grüße – süß".encode(), "windows-1252", "Grüße – süß"),
        ("命令".encode("shift_jis"), "Shift_JIS", "命令"),
        (b"abc", "x-unknown", "abc"),
        (b"abc", "base64", "abc"),
        (b"abc", "punycode", "abc"),
        (b"\x81\x8d", "utf-8", "\x81\x8d"),
        (b"", "", ""),
    ],
)
def test_bytes_become_text_whatever_they_claim_to_be(
    raw: bytes, declared: str | None, text: str
) -> None:
    assert decode_bytes(raw, declared) == text


def test_line_ends_that_nobody_declared_end_lines_so_that_quotes_are_known_as_such() -> None:
    text = "A Par - Bur=0D=0A=0D=0A> A Mar - Gas\nF Bre - MAO=E2=80=A8A Mar - Spa"
    letter = read_letter(f"From: ana@players.test\r\n\r\n{text}".encode())
    assert [line.text for line in letter.lines] == ["A Par - Bur", "F Bre - MAO", "A Mar - Spa"]
    assert [line.text for line in letter.ignored] == ["> A Mar - Gas"]


@given(st.binary(max_size=200), st.one_of(st.none(), st.text(max_size=20)))
def test_decoding_never_fails(raw: bytes, declared: str | None) -> None:
    assert isinstance(decode_bytes(raw, declared), str)


@given(st.text(max_size=300))
def test_clean_text_can_be_stored_and_has_one_line_each(text: str) -> None:
    for line in clean_lines(text):
        assert not set(line) & set("\0\n\r\u2028\u200b\u202e\ufeff")
        line.encode("utf-8")


def test_dashes_and_arrows_stay_for_the_order_reader() -> None:
    assert clean_line("A Par\u00a0\u2013 Bur \u2192 \u2212") == "A Par \u2013 Bur \u2192 \u2212"


# --- format=flowed --------------------------------------------------------------------------


def test_soft_line_breaks_are_joined_and_hard_ones_stay() -> None:
    assert unflow(["A Par ", "- Bur", "F Bre H"], delete_space=False) == ["A Par - Bur", "F Bre H"]
    assert unflow(["A Par - Bur ", "gundy"], delete_space=True) == ["A Par - Burgundy"]


def test_quotes_of_another_depth_are_never_joined() -> None:
    assert unflow(["> quoted ", "own"], delete_space=False) == ["> quoted ", "own"]


def test_a_signature_mark_is_no_soft_break() -> None:
    assert unflow(["A Par H", "-- ", "Ana"], delete_space=False) == ["A Par H", "-- ", "Ana"]


def test_stuffed_spaces_are_taken_out() -> None:
    assert unflow([" From Paris", " >no quote"], delete_space=False) == ["From Paris", ">no quote"]


# --- headers and whole mails ----------------------------------------------------------------


@each_row(
    ("header", "text"),
    [
        ("=?utf-8?q?Bef=C3=BChle?=", "Befühle"),
        ("=?utf-8?b?w6k=?= =?utf-8?b?w6k=?=", "éé"),
        ("=?x-unknown?q?abc?=", "abc"),
        ("=?utf-8?b?!!!?=", ""),
        ("=?utf-8?b?a?=", "=?utf-8?b?a?="),
        ("=?utf-8?q?a=0D=0ABcc:_x?=", "a Bcc: x"),
        ("plain", "plain"),
    ],
)
def test_subjects_are_read_as_one_line_whatever_they_hold(header: str, text: str) -> None:
    assert decode_words(header) == text


@given(st.binary(max_size=2000))
def test_any_bytes_are_a_letter(raw: bytes) -> None:
    letter = read_letter(raw)
    assert len(letter.lines) <= 2000
    assert "\0" not in letter.subject


@each_row(
    "raw",
    [
        b"Subject: " + b"=?utf-8?q?" * 20_000 + b"\r\n\r\nx",
        b"Message-ID: <[" + b"x" * 50_000 + b"]@y>\r\n\r\nx",
        b"".join(
            b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (n, n)
            for n in range(2000)
        ),
        b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + b"--b\r\n\r\nA Par H\r\n" * 5000,
        b"Content-Type: text/plain\r\n\r\n" + b">" * 60_000,
        b"Content-Type: text/plain\r\n\r\n" + b"On 1 wrote " * 6000 + b":",
        b"Content-Type: text/plain; format=flowed\r\n\r\n" + b"a \r\n" * 20_000,
        b"Content-Type: text/plain; charset=" + b"x" * 60_000 + b"\r\n\r\nx",
        b"\r\n" * 100_000,
    ],
)
def test_a_hostile_mail_is_read_in_no_time(raw: bytes) -> None:
    begun = time.process_time()
    read_letter(raw)
    assert time.process_time() - begun < 10  # a minute, where it grows with the square


# --- quotes ---------------------------------------------------------------------------------


@given(st.lists(st.sampled_from([
    "", "A Par - Bur", "> F Bre H", "On Fri, 20 Nov 2026, Judge wrote:", "-- ", "Thanks,", "Ana",
    "From: a@b.test", "Sent: x", "To: y", "##- Please write above this line -##", "-----",
]), max_size=25))  # fmt: skip
def test_every_line_that_is_not_blank_is_kept_or_left_out_once(lines: list[str]) -> None:
    kept, ignored = own_lines(lines)
    numbers = [line.number for line in kept] + [line.number for line in ignored]
    assert sorted(numbers) == [at for at, line in enumerate(lines, 1) if line.strip()]


@given(st.lists(st.sampled_from(["A Par - Bur", "F Bre H", "READY", "a mar s a par"]), min_size=1))
def test_orders_alone_are_all_kept_in_their_order(lines: list[str]) -> None:
    kept, ignored = own_lines(lines)
    assert [line.text for line in kept] == lines
    assert ignored == ()


@each_row(
    "header",
    [
        "Content-Type: application/x; name*=a%00b''x",
        "Content-Disposition: attachment; filename*=a%00b''x",
        "Content-Disposition: attachment; filename*0*=a%0; filename*1*=0b''x",
        "Content-Type: multipart/mixed; boundary*=a%00''x",
        "Content-Type: text/plain; charset*=a%00''utf-8",
        "Content-Type: text/plain; format*=a%00''flowed",
    ],
)
def test_a_parameter_that_breaks_the_parser_costs_at_most_the_body(header: str) -> None:
    letter = read_letter(f"From: ana@players.test\r\n{header}\r\n\r\nA Par H".encode())
    assert letter.sender == "ana@players.test"
    assert letter.left_out or [line.text for line in letter.lines] == ["A Par H"]
