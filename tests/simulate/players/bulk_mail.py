"""Mails that many get: some readers end them by one click or by the mail that their program makes,
and others tell their provider that they are spam.

What is promised: a link that is only opened ends nothing; once they end such mails, or called one
spam, no more of that kind come before they ask for them again. No seat depends on it. A complaint
is not answered.
"""

from __future__ import annotations

import datetime as dt
import json
import random
import sqlite3
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from email import message_from_bytes
from functools import partial
from urllib.parse import parse_qs, urlsplit

from django.test import Client

from mailer.models import OutboundMail
from mailer.outbound.unsubscribe import PATH, token_of
from tests.simulate.agenda import Agenda
from tests.simulate.checks.evidence import Broken, Evidence, time_of
from tests.simulate.machinery.carrier import Carrier
from tests.simulate.machinery.post import Mailbox
from tests.simulate.machinery.relay import RelayedMail
from tests.simulate.players.writers import Draft, Writer

ONE_IN = 12
"""Of so many such mails one is not wanted."""
HOUR = 3600.0
LATER = dt.timedelta(hours=2)
"""So long after it, at most, comes what was under way, by whatever clock."""
ASKED_AGAIN = ("SET REMINDERS", "STANDBY", "OBSERVE", "MAIL", "CONFIRM", "YES")
SPAM = """From: <abuse@{domain}>
To: <{to}>
Subject: FW: complaint
Message-ID: {message_id}
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary=b

--b
Content-Type: text/plain

This is an email abuse report.
--b
Content-Type: message/feedback-report

Feedback-Type: abuse
User-Agent: Anything/1.0
Version: 1

--b
Content-Type: message/rfc822

From: <judge@game.test>
Message-ID: {about}

MAIL OFF
--b--
"""
STATE = """
    select player.reminders, (select count(*) from games_seat where player_id = player.id
              and until is null) as seats,
           (select count(*) from games_observer where player_id = player.id and until is null),
           (select count(*) from games_standby where player_id = player.id and until is null)
      from games_player player where player.id = ?
"""


@dataclass
class BulkMail:
    """Who wants no more of which mails, and since when: by reader, kind, and game."""

    chance: random.Random
    agenda: Agenda
    carrier: Carrier
    mailbox: Mailbox
    people: Mapping[str, Writer]
    seen: Evidence
    one_in: int = ONE_IN
    written: dict[str, str] = field(default_factory=dict)
    """By Message-ID, what is complained of."""
    _ended: dict[tuple[int, str, int], dt.datetime] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._client = Client(HTTP_HOST="game.test")

    def taken(self, taken: RelayedMail) -> None:
        """See whether a mail is not wanted, by no draw of its own."""
        header = message_from_bytes(taken.raw.partition(b"\r\n\r\n")[0])
        link = header["List-Unsubscribe"]
        if not link or zlib.crc32(taken.raw) % self.one_in:
            return
        message_id = str(header["Message-ID"]).strip()
        how = self.chance.choice(
            (
                partial(self._click, message_id),
                partial(self._write, taken.recipient, str(link)),
                partial(self._complain, taken, message_id),
            )
        )
        self.agenda.after(self.chance.uniform(0.01, 5) * HOUR, how)

    # --- how they end it ----------------------------------------------------------------------

    def _click(self, message_id: str) -> None:
        """Open the link, as scanners do, and click it, as somebody does."""
        mail = OutboundMail.objects.filter(message_id=message_id).select_related("player").first()
        if mail is None or mail.player is None or mail.player.erased_at:
            return  # the server went back to a backup
        reader = mail.player.merged_into or mail.player
        url, before = f"{PATH}{token_of(mail)}/", self._state(reader.pk)
        opened = self._client.get(url).status_code
        if opened not in (200, 410) or self._state(reader.pk) != before:
            raise Broken(f"{url} answers {opened}, and whoever only opened it had {before}")
        for _ in range(2):
            self._client.post(url)
        if self._state(reader.pk)[1] != before[1]:
            raise Broken(f"a click on {url} has cost {mail.recipient} a seat")
        [row] = self.seen.rows("select * from mailer_outboundmail where id = ?", mail.pk)
        spent = opened == 410  # a link of an earlier mail was used, and they asked again since
        if not spent and (kind := self._kind(row)):
            self._ended[reader.pk, *kind] = self.agenda.clock.now()

    def _state(self, player: int) -> tuple[object, ...]:
        [row] = self.seen.rows(STATE, player)
        return tuple(row)

    def _write(self, reader: str, link: str) -> None:
        """Send the mail that a mail program makes of the link."""
        made = urlsplit(link.partition(">")[0].strip(" <"))
        if writer := self.people.get(reader):
            letter = writer.written(None, parse_qs(made.query)["body"][0])
            letter = type(letter)(letter.message_id, reader, made.path, letter.text)
            self.carrier.think([Draft(dt.timedelta(0), letter)])

    def _complain(self, taken: RelayedMail, about: str) -> None:
        message_id = f"<spam-{len(self.written)}@players.example>"
        self.written[message_id] = about
        domain = taken.recipient.partition("@")[2]
        raw = SPAM.format(domain=domain, to=taken.sender, message_id=message_id, about=about)
        self.mailbox.deliver("\r\n".join(raw.splitlines()).encode())

    # --- what is promised ---------------------------------------------------------------------

    def mail(self, mail: sqlite3.Row) -> None:
        """Check a mail that was queued in the last step. Raises Broken."""
        self._no_answer(mail)
        kind = self._kind(mail)
        if kind is None or mail["state"] == "kept":
            return
        created = time_of(mail["created_at"])
        assert created
        what = f"{mail['subject']!r} to {mail['recipient']}"
        since = self._ended.get((mail["player_id"], *kind))
        if since and since + LATER < created and not self._asked_again(mail["recipient"], since):
            raise Broken(f"{what} comes, which they ended by a click at {since}")
        query = "select 1 from games_address where email = ? and complained_at < ?"
        at = mail["created_at"].isoformat(sep=" ")
        if mail["answers_id"] is None and self.seen.rows(query, mail["recipient"], at):
            raise Broken(f"{what} comes, where such mails were called spam")

    def _kind(self, mail: sqlite3.Row) -> tuple[str, int] | None:
        """Which of the mails that many get this is, and of which game; None: their own affair."""
        if mail["player_id"] is None or mail["event_id"] is None:
            return None
        [event] = self.seen.rows("select * from games_event where id = ?", mail["event_id"])
        if f"/{mail['event_id']}/observer/" in mail["key"]:
            return "observer", event["game_id"]
        if mail["kind"] == "orders_missing" and not json.loads(event["payload"]).get("by"):
            return "reminder", 0
        return ("offer", 0) if mail["kind"] == "seat_offered" else None

    def _asked_again(self, reader: str, since: dt.datetime) -> bool:
        """Whether somebody wrote for more of such mails, or has other wishes, from an account that
        became theirs."""
        theirs = self.seen.addresses_of(reader)
        return len(theirs) > 1 or any(
            letter.writer in theirs
            and any(word in letter.text for word in ASKED_AGAIN)
            and max(self.seen.deliveries.get(letter.message_id, [since])) >= since
            for letter in self.seen.letters.values()
        )

    def _no_answer(self, mail: sqlite3.Row) -> None:
        query = "select message_id from mailer_inboundmail where id = ?"
        for row in self.seen.rows(query, mail["answers_id"] or 0):
            if row["message_id"] in self.written:
                raise Broken(f"{mail['recipient']} reads an answer to a complaint about spam")

    def restored(self) -> None:
        """Forget what the server does not know any more."""
        self._ended.clear()

    def at_rest(self) -> None:
        """Check that each complaint was taken for one. Raises Broken."""
        query = """select state, note from mailer_inboundmail came where message_id = ? and exists (
                          select 1 from mailer_outboundmail where message_id = ?)"""
        for message_id, about in self.written.items():
            for row in self.seen.rows(query, message_id, about):
                if row["state"] != "report":
                    raise Broken(f"a complaint about {about} was taken for {tuple(row)}")
