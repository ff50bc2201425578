"""What our writer of mails writes, the standard library reads back to the letter."""

from __future__ import annotations

import email
import email.policy
import re
from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailer.outbound import mime
from tests.rows import each_row

A_LINE = st.text(
    st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=300
)  # as outbox.one_line leaves subjects
ASCII_LINE = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=300)
A_TEXT = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\x00\r"), max_size=3000
)
MESSAGE_IDS = st.lists(st.from_regex(r"<[a-z0-9.]{1,80}@[a-z]{1,60}\.test>", fullmatch=True))
FROM = {"From": "Diplomacy judge <judge@game.test>"}


def read(data: bytes) -> EmailMessage:
    message = email.message_from_bytes(data, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    assert not message.defects
    return message


def lines_of(data: bytes) -> list[bytes]:
    """Its lines, of which none may be too long or end otherwise than in CR LF."""
    assert data.count(b"\n") == data.count(b"\r") == data.count(b"\r\n")
    lines = data.split(b"\r\n")
    assert max(map(len, lines)) <= mime.LONGEST_LINE
    return lines


def text_of(part: EmailMessage) -> str:
    """Its text, with the ends of lines as we write them."""
    payload = part.get_payload(decode=True)
    assert isinstance(payload, bytes)
    return payload.decode().replace("\r\n", "\n")


@given(A_LINE | ASCII_LINE)
def test_a_subject_of_any_letters_is_read_as_it_was_written(subject: str) -> None:
    subject = subject.strip()
    message = read(mime.plain("Hello.\n").written({**FROM, "Subject": subject}))
    assert re.sub(r"\s+", " ", message["Subject"]) == re.sub(r"\s+", " ", subject)
    assert text_of(message) == "Hello.\n"
    assert list(message.keys())[:2] == ["From", "Subject"]


@given(ASCII_LINE)
def test_long_headers_are_broken_before_blanks_and_nothing_is_lost(value: str) -> None:
    lines = mime.header("Comments", value).split("\r\n")
    assert "".join(lines) == f"Comments: {value}"
    assert all(line[0] == " " and line.strip() for line in lines[1:])
    for line in lines:
        assert len(line) <= mime.GOOD_LENGTH or " " not in line.strip().removeprefix("Comments: ")


@given(MESSAGE_IDS)
def test_long_references_keep_every_message_id_whole(ids: list[str]) -> None:
    message = read(mime.plain("").written({**FROM, "References": " ".join(ids)}))
    assert str(message["References"] or "").split() == ids


@each_row("evil", ["a\r\nBcc: eve@evil.test", "a\nb", "a\rb", "a\x00", "\x1b[2J"])
def test_no_header_is_written_with_a_control_character(evil: str) -> None:
    with pytest.raises(mime.Unwritable, match="control character"):
        mime.plain("").written({"Subject": evil})


def test_a_subject_that_looks_encoded_is_read_as_its_letters() -> None:
    subject = "=?utf-8?q?Bcc=3A?= is what I wrote"
    assert read(mime.plain("").written({**FROM, "Subject": subject}))["Subject"] == subject


@given(A_TEXT)
def test_a_text_of_any_letters_is_read_as_it_was_written(text: str) -> None:
    data = mime.plain(text).written(FROM)
    lines_of(data)
    assert text_of(read(data)) == text


@each_row(
    ("text", "encoding"),
    [
        ("Plain.\n", "7bit"),
        ("größer\n", "quoted-printable"),
        ("x" * 998 + "\n", "7bit"),
        ("x" * 999 + "\n", "quoted-printable"),
        (".\nFrom here\n\n.\n", "7bit"),
    ],
)
def test_a_text_is_encoded_only_where_it_must_be(text: str, encoding: str) -> None:
    message = read(mime.plain(text).written(FROM))
    assert (message["Content-Transfer-Encoding"], text_of(message)) == (encoding, text)


@given(A_TEXT, st.binary(max_size=500), A_TEXT)
def test_parts_in_parts_are_read_as_they_were_written(
    text: str, picture: bytes, event: str
) -> None:
    html = mime.html("<p>one</p>\n")
    shown = mime.image(mime.in_base64(picture), name="S1901M.png", content_id="a.1@game.test")
    related = mime.multipart('related; type="text/html"', "=_three", [html, shown])
    either = mime.multipart("alternative", "=_two", [mime.plain(text), related])
    entry = mime.calendar(event.replace("\n", "\r\n"), method="PUBLISH", name="deadline.ics")
    data = mime.multipart("mixed", "=_one", [either, entry]).written({**FROM, "Subject": "Hi"})
    message = read(data)
    kinds = [part.get_content_type() for part in message.walk()]
    assert kinds == [
        "multipart/mixed",
        *("multipart/alternative", "text/plain"),
        *("multipart/related", "text/html", "image/png"),
        "text/calendar",
    ]
    parts = [part for part in message.walk() if not part.is_multipart()]
    assert all(not part.defects for part in message.walk())
    written, laid_out, drawn, due = parts
    assert text_of(written) == text
    assert text_of(laid_out) == "<p>one</p>\n"
    assert drawn.get_payload(decode=True) == picture
    assert (drawn["Content-ID"], drawn.get_filename()) == ("<a.1@game.test>", "S1901M.png")
    assert text_of(due) == event
    assert due.get_param("method") == "PUBLISH"
    assert due.get_content_disposition() == "attachment"
