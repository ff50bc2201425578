"""The pages: all mail in the demo, readable and escaped; nothing of it on a real server."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from diplomacy_server.demo import pages
from diplomacy_server.demo.mails import gather, mails_page, open_mail
from diplomacy_server.demo.tables import tables
from games.board_json import StateJson
from mailer.models import InboundMail, Mailbox, OutboundMail
from tests.cast import Cast
from tests.servers.process import free_ports

NOW = dt.datetime(2026, 3, 2, 12, 0, tzinfo=dt.UTC)
RAW = (
    b"From: Ana <ana@players.test>\r\nTo: judge@game.test\r\nSubject: orders\r\n\r\n"
    b"A Par-Bur\r\n<script>alert(1)</script>\r\n-- \r\nAna\r\n"
    b"> France: A Paris\r\n> France: F Brest\r\n"
)

pytestmark = pytest.mark.django_db
in_the_demo = pytest.mark.urls("tests.run.demo_urls")


@pytest.fixture
def inbound() -> InboundMail:
    return arrived(0, RAW, sender="ana@players.test", subject="orders")


def arrived(seconds: int, raw: bytes, *, sender: str = "", subject: str = "") -> InboundMail:
    mailbox, _ = Mailbox.objects.get_or_create(url="imap://judge@127.0.0.1/INBOX")
    at = NOW + dt.timedelta(seconds=seconds)
    return InboundMail.objects.create(
        mailbox=mailbox,
        uidvalidity=1,
        uid=seconds + 1,
        sha256=f"{seconds:064}",
        raw=raw,
        received_at=at,
        stored_at=at,
        sender=sender,
        subject=subject,
    )


def sent(
    seconds: int, recipient: str, subject: str = "results", answers: InboundMail | None = None
) -> OutboundMail:
    at = NOW + dt.timedelta(seconds=seconds)
    return OutboundMail.objects.create(
        key=f"{seconds}/{recipient}",
        kind="reply",
        recipient=recipient,
        message_id=f"<{seconds}.{recipient}>",
        reply_to="judge+abc@game.test",
        subject=subject,
        body="##- Please write above this line -##\n\nHello Ana,\n\nAll went well.\n",
        answers=answers,
        created_at=at,
        not_before=at,
    )


def test_a_real_server_shows_how_to_begin_and_no_mail(client: Client, inbound: InboundMail) -> None:
    front = client.get("/")
    assert b"REGISTER Your Name" in front.content
    assert b"ana@players.test" not in front.content
    for path in (
        "/mail/",
        f"/mail/in-{inbound.pk}/",
        f"/mail/in-{inbound.pk}/raw/",
        "/live/",
        "/demo/",
    ):
        assert client.get(path).status_code == 404
    assert client.post("/write/", {"body": "x"}).status_code == 404


@in_the_demo
def test_all_mail_in_and_out_stands_in_one_list_newest_first(
    client: Client, inbound: InboundMail
) -> None:
    sent(5, "ana@players.test", "the answer")
    page = client.get("/mail/").content.decode()
    assert page.index("the answer") < page.index("orders")


@in_the_demo
def test_an_opened_mail_is_escaped_and_says_what_was_left_out(
    client: Client, inbound: InboundMail
) -> None:
    page = client.get(f"/mail/in-{inbound.pk}/").content.decode()
    assert "A Par-Bur" in page
    assert "<script>alert" not in page
    assert "left out" in page


@in_the_demo
def test_a_raw_mail_is_plain_text_that_no_browser_takes_for_a_page(
    client: Client, inbound: InboundMail
) -> None:
    answer = client.get(f"/mail/in-{inbound.pk}/raw/")
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer.content == RAW


@in_the_demo
def test_question_and_answer_lead_to_each_other(client: Client, inbound: InboundMail) -> None:
    reply = sent(5, "ana@players.test", "Re: the answer", inbound)
    assert f"/mail/out-{reply.pk}/" in client.get(f"/mail/in-{inbound.pk}/").content.decode()
    page = client.get(f"/mail/out-{reply.pk}/").content.decode()
    assert f"/mail/in-{inbound.pk}/" in page
    assert 'value="judge+abc@game.test"' in page
    assert 'value="Re: the answer"' in page


@in_the_demo
@pytest.mark.parametrize("key", ["in-999999", "out-999999", "in-x", "x-1", "in", "in-1-1"])
def test_a_mail_that_is_none_is_not_found(client: Client, key: str) -> None:
    assert client.get(f"/mail/{key}/").status_code == 404


@in_the_demo
def test_mail_with_one_person_leaves_the_others_out(client: Client, inbound: InboundMail) -> None:
    sent(5, "ben@players.test", "for Ben")
    page = client.get("/mail/", {"with": "ana@players.test"}).content.decode()
    assert "orders" in page
    assert "for Ben" not in page
    part = client.get("/mail/", {"with": "ben@players.test", "part": "1"}).content.decode()
    assert "for Ben" in part
    assert "<html" not in part


def test_the_list_goes_on_page_by_page_without_a_gap() -> None:
    for second in range(7):
        sent(second * 2, "ana@players.test", f"out {second}")
        arrived(second * 2 + 1, RAW, subject=f"in {second}")
    seen, before = [], ""
    while True:
        page = mails_page(before=before, size=4)
        seen += [row.subject for row in page.rows]
        if page.before is None:
            break
        before = page.before
    assert seen == [f"{way} {second}" for second in range(6, -1, -1) for way in ("in", "out")]


def test_mails_of_the_same_moment_are_not_lost_between_two_pages() -> None:
    for number in range(9):
        sent(5, f"player{number}@players.test")
    arrived(5, RAW)
    seen: list[str] = []
    before = ""
    while True:
        page = mails_page(before=before, size=4)
        seen += [row.other + row.way for row in page.rows]
        if page.before is None:
            break
        before = page.before
    assert len(seen) == len(set(seen)) == 10


@pytest.mark.parametrize("cursor", ["", "yesterday", "2026-03-02~in-1", "~", "in-1"])
def test_a_cursor_that_is_none_begins_at_the_top(inbound: InboundMail, cursor: str) -> None:
    assert [row.key for row in mails_page(before=cursor).rows] == [f"in-{inbound.pk}"]


def test_the_same_result_to_several_is_one_row_in_the_short_list() -> None:
    for name in ("ana", "ben", "carla"):
        sent(5, f"{name}@players.test")
    sent(9, "ana@players.test", "a receipt")
    rows = gather(mails_page().rows)
    assert [(row.subject, row.more) for row in rows] == [("a receipt", 0), ("results", 2)]


def test_an_excerpt_begins_where_the_mail_has_something_to_say(inbound: InboundMail) -> None:
    reply = sent(5, "ana@players.test")
    assert open_mail(f"out-{reply.pk}").row.excerpt == "All went well."
    assert open_mail(f"in-{inbound.pk}").row.excerpt.startswith("A Par-Bur / ")
    OutboundMail.objects.filter(pk=reply.pk).update(body="word " * 40)
    assert open_mail(f"out-{reply.pk}").row.excerpt.endswith("…"), "it goes on"


@in_the_demo
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("sender", "nobody"),
        ("recipient", "a@b.test, c@d.test"),
        ("body", ""),
        ("sender", "x@y.test\r\nBcc: z@y.test"),
    ],
)
def test_a_mail_that_cannot_be_written_is_asked_back(
    client: Client, field: str, value: str
) -> None:
    fields = {"sender": "ana@players.test", "recipient": "judge@game.test", "body": "LIST"}
    led = client.get("/write/")
    assert (led.status_code, led["Location"]) == (302, "/demo/")
    answer = client.post("/write/", {**fields, field: value})
    assert answer.status_code == 400
    assert b'class="error"' in answer.content


@in_the_demo
def test_whoever_writes_from_a_second_address_is_shown_where_the_answer_goes(
    client: Client, marne: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "post", lambda letter: None)
    carla = marne.player("Carla")
    carla.addresses.create(email="carla@work.test", confirmed_at=NOW, created_at=NOW)
    carla.addresses.filter(email="carla@players.test").update(of_record=True)
    fields = {"recipient": "judge@game.test", "body": "LIST"}

    other = client.post("/write/", {**fields, "sender": "carla@work.test"}, follow=True)
    assert other.redirect_chain[0][0] == "/mail/?with=carla%40players.test"
    assert b"Carla gets mail at carla@players.test, so the answer goes there" in other.content
    own = client.post("/write/", {**fields, "sender": "carla@players.test"}, follow=True)
    assert b"Sent. The answer is at the top of this list" in own.content
    stranger = client.post("/write/", {**fields, "sender": "zoe@players.test"}, follow=True)
    assert stranger.redirect_chain[0][0] == "/mail/?with=zoe%40players.test"


@in_the_demo
def test_a_mail_server_that_is_away_is_said_in_plain_words(
    client: Client, settings: Settings
) -> None:
    (settings.SMTP_PORT,) = free_ports(1)
    fields = {"sender": "ana@players.test", "recipient": "judge@game.test", "body": "LIST"}
    answer = client.post("/write/", fields)
    assert answer.status_code == 503
    assert b"Please try again" in answer.content


@in_the_demo
def test_the_page_of_the_demo_says_where_everything_is(
    client: Client, settings: Settings, tmp_path: Path
) -> None:
    settings.DEMO_PASSWORD_FILE = tmp_path / "admin-password"
    settings.DEMO_PASSWORD_FILE.write_text("open-sesame\n")
    page = client.get("/demo/").content.decode()
    assert "open-sesame" in page
    assert f"127.0.0.1:{settings.SMTP_PORT}" in page
    assert f"127.0.0.1:{settings.IMAP_PORT}" in page
    assert "http://" not in page.replace("http://127.0.0.1", "")


def test_a_game_is_shown_with_its_players_and_centres(marne: Cast) -> None:
    (table,) = tables(NOW)
    assert table.game.name == "marne"
    assert table.game.phase_title == "Spring 1901 movement"
    assert [(row.name, row.centres) for row in table.powers][:2] == [("Russia", 4), ("Austria", 3)]
    assert sum(row.centres for row in table.powers) == 22


def test_a_finished_game_shows_how_it_ended(marne: Cast) -> None:
    phase = marne.game.phases.get()
    won = {"France": [f"centre {number}" for number in range(18)]}
    left: StateJson = {**phase.position, "centers": won}
    phase.outcome = {"results": [], "next": left, "winner": "France"}
    phase.status = phase.Status.PROCESSED
    phase.save()
    marne.game.status = marne.game.Status.FINISHED
    marne.game.winner = "France"
    marne.game.save()
    (table,) = tables(NOW)
    assert (table.powers[0].name, table.powers[0].centres, table.powers[0].share) == (
        "France",
        18,
        100,
    )
